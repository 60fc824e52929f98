"""Layouts of generalised ufuncs: ``(m,n),(n,p)->(m,p)``."""

import re

from numbra._named import names_of

_OPERAND = re.compile(r"\(([^()]*)\)")
_NAME = re.compile(r"[A-Za-z_]\w*|\d+")


def parse_signature(sig):
    """The names of the core axes of each input and of each output; every axis of an output is one of an input."""
    inputs, arrow, outputs = sig.partition("->")
    ins = _operands(sig, inputs)
    outs = _operands(sig, outputs) if outputs.strip() else []
    if arrow and not outs:
        raise ValueError(f'no outputs in signature "{sig}"')
    known = {name for operand in ins for name in operand}
    unknown = {name for operand in outs for name in operand} - known
    if unknown:
        raise NameError(f"undefined output symbols: {','.join(sorted(unknown))}")
    return ins, outs


def _operands(sig, text):
    bad = ValueError(f'bad token in signature "{sig}"')
    out, at, expect = [], 0, True
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif expect and (found := _OPERAND.match(text, at)):
            out.append(tuple(_names(found[1], bad)))
            at, expect = found.end(), False
        elif not expect and text[at] == ",":
            at, expect = at + 1, True
        else:
            raise bad
    if expect:
        raise bad
    return out


def _names(text, bad):
    if not text.strip():
        return
    for name in text.split(","):
        if not _NAME.fullmatch(name.strip()):
            raise bad
        yield name.strip()


__getattr__ = names_of(__name__)
