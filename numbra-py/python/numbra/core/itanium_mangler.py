"""Names of compiled functions in the Itanium C++ ABI, which debuggers and profilers show as C++ declarations.

Identifiers keep letters, digits and ``_``; every other byte is ``_`` and two hexadecimal digits. Types that C++ does not have
are written as templates: ``Array<float, 1, C, mutable, aligned>``.
"""

import re

PREFIX = "_Z"

_CODES = {
    "void": "v",
    "bool": "b",
    "uint8": "h",
    "int8": "a",
    "uint16": "t",
    "int16": "s",
    "uint32": "j",
    "int32": "i",
    "uint64": "y",
    "int64": "x",
    "float16": "Dh",
    "float32": "f",
    "float64": "d",
    "none": "v",
}
_PLAIN = re.compile(r"[A-Za-z0-9_]")


def escape(text: str) -> str:
    """``text`` as an identifier: letters, digits and ``_`` only."""
    out = []
    for char in text:
        if _PLAIN.fullmatch(char):
            out.append(char)
        else:
            out.extend(f"_{byte:02x}" for byte in char.encode())
    return "".join(out)


def _part(text: str) -> str:
    """A part of a name behind its length. A digit at its start would be taken for the length's."""
    escaped = escape(text)
    if escaped[:1].isdigit():
        escaped = "_" + escaped
    return f"{len(escaped)}{escaped}"


def mangle_abi_tag(abi_tag: str) -> str:
    """``B<length><tag>``"""
    return "B" + _part(abi_tag)


def mangle_identifier(ident: str, template_params: str = "", *, abi_tags=(), uid=None) -> str:
    """A qualified name, parts separated by dots; ``uid`` and ``abi_tags`` keep apart what has the same name."""
    tags = ([f"v{uid}"] if uid is not None else []) + list(abi_tags)
    suffix = "".join(map(mangle_abi_tag, tags)) + template_params
    parts = [_part(part) for part in ident.split(".")]
    if len(parts) == 1:
        return parts[0] + suffix
    return f"N{''.join(parts)}{suffix}E"


def mangle_type_or_value(typ) -> str:
    """An argument of a function or template: a type, or a number, or a name."""
    from numbra.core.types import Type

    if isinstance(typ, Type):
        text = str(typ)
        if text in _CODES:
            return _CODES[text]
        known = getattr(typ, "mangling_args", None)
        if known is None:
            return _part(text)
        name, args = known
        return mangle_templated_ident(name, args) if args else _part(name)
    if isinstance(typ, int):
        return f"Li{f'n{-typ}' if typ < 0 else typ}E"
    if isinstance(typ, str):
        return mangle_identifier(typ)
    return mangle_identifier(str(typ))


mangle_type = mangle_type_or_value
mangle_value = mangle_type_or_value


def mangle_templated_ident(identifier: str, parameters) -> str:
    """``identifier<parameters..>``"""
    inside = "".join(map(mangle_type_or_value, parameters))
    return mangle_identifier(identifier, f"I{inside}E" if inside else "")


def mangle_args(argtys) -> str:
    """The types of arguments."""
    return "".join(map(mangle_type_or_value, argtys))


def mangle(ident: str, argtys, *, abi_tags=(), uid=None) -> str:
    """The symbol of the function ``ident`` at these argument types."""
    return PREFIX + mangle_identifier(ident, abi_tags=abi_tags, uid=uid) + mangle_args(argtys)


def prepend_namespace(mangled: str, ns: str) -> str:
    """The symbol with its name in a namespace."""
    if not mangled.startswith(PREFIX):
        raise ValueError("input is not a mangled name")
    rest = mangled.removeprefix(PREFIX)
    if rest.startswith("N"):
        return f"{PREFIX}N{mangle_identifier(ns)}{rest.removeprefix('N')}"
    head, tail = _split_mangled_ident(rest)
    return f"{PREFIX}N{mangle_identifier(ns)}{head}E{tail}"


def _split_mangled_ident(mangled: str) -> tuple[str, str]:
    """The first part of a name, with its length, and what follows."""
    found = re.match(r"\d+", mangled)
    if found is None:
        raise ValueError("input is not a mangled name")
    end = found.end() + int(found.group())
    return mangled[:end], mangled[end:]
