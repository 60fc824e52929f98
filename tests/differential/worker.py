"""Runs generated programs by seed: `worker.py KIND FIRST LAST WAY...`, of the kinds in `KINDS`.

Prints, for each program and way, `start`, seed and way, then seed, way and, for each call, a text
that is equal where the bits are.
"""

import collections.abc
import math
import sys

import array_programs
import data_programs
import numpy as np
import programs
import reference


class Python:
    """Programs as CPython runs them."""

    np = reference.namespace
    array = staticmethod(reference.Array)

    def load(self, program):
        source, names = reference.parsed(program.source)
        return [entry(program, self.np, lambda function: function, source, names)]


class NumPy(Python):
    """Programs over arrays as CPython and NumPy run them."""

    np = np


class Compiled:
    """Programs as numbra runs them on one code generator."""

    np = np

    def __init__(self, tier):
        self.tier = tier

    @staticmethod
    def array(array):
        return array

    def load(self, program):
        import numbra

        return [entry(program, self.np, numbra.njit(tier=self.tier))]


class Interpreted(Compiled):
    """Programs on LIR's interpreter, as lowered and optimised for Cranelift."""

    def __init__(self, compiled):
        """Interprets what `compiled`, a `Remembering`, compiled last."""
        super().__init__(compiled.tier)
        self.compiled = compiled

    def load(self, program):
        from interpreter import OnInterpreter

        [main] = self.compiled.load(program)
        return [OnInterpreter(main, False), OnInterpreter(main, True)]


class Remembering(Compiled):
    """Keeps the last program, so that two ways compile it once."""

    last = None

    def load(self, program):
        if self.last is None or self.last[0] != program.source:
            self.last = (program.source, super().load(program))
        return self.last[1]


def ways():
    """Every way to run a program, by name."""
    cranelift = Remembering("cranelift")
    llvm = Compiled("llvm")
    return {
        "CPython": Python(),
        "NumPy": NumPy(),
        "cranelift": cranelift,
        "interpreter": Interpreted(cranelift),
        "llvm": llvm,
    }


def text(value):
    """Bits of floats, so that -0.0 differs from 0.0; every nan is the same."""
    if isinstance(value, tuple):
        return "(" + " ".join(map(text, value)) + ")"
    if isinstance(value, reference.Array):
        value = value.array
    if isinstance(value, np.ndarray):
        return f"{value.dtype}[" + " ".join(map(text, value.tolist())) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(text, value)) + "]"
    if isinstance(value, collections.abc.Set):
        return "{" + " ".join(sorted(map(text, value))) + "}"
    if isinstance(value, collections.abc.Mapping):
        return "{" + " ".join(f"{text(key)}={text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, reference.Unsigned):
        value = value.value
    if isinstance(value, reference.Single):
        value = value.value
    if isinstance(value, float):
        return "nan" if value != value else float(value).hex()
    if isinstance(value, complex):
        return f"{text(value.real)}+{text(value.imag)}j"
    return f"{type(value).__name__}:{value}"


def entry(program, numpy, jit, source=None, names=()):
    """The entry of a program, with its helpers; its text, unless another form of it is given."""
    space = {"__name__": "program", "math": math, "np": numpy, **dict(names)}
    exec(compile(source or program.source, f"program-{program.seed}.py", "exec"), space)
    for name in [*program.helpers, "main"]:
        space[name] = jit(space[name])
    return space["main"]


def outcomes(program, how):
    """What each call gives or raises, and the arrays after it."""
    mains = how.load(program)
    for call in CALLS.get(type(program), number_calls)(program, how):
        found = []
        for main in mains:
            found.append(call(main).replace("\n", " / "))
        yield found[0] if len(set(found)) == 1 else " BUT ".join(found)


def result(compute):
    """What `compute` gives, or the exception that it raises."""
    try:
        return compute()
    except ZeroDivisionError:
        return "ZeroDivisionError"  # its words differ between versions of Python
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:400]


def number_calls(program, how):
    for n, x, items, rows in program.arguments:

        def call(main, n=n, x=x, items=items, rows=rows):
            a, m = np.array(items), np.array(rows)
            got = result(lambda: text(main(n, x, how.array(a), how.array(m))))
            return f"{got} {text(a)} {text(m)}"

        yield call


def array_calls(program, _):
    def call(main):
        arguments = program.make()

        def shown():
            return " ".join(shape_and_items(value, at in program.inexact) for at, value in enumerate(main(*arguments)))

        return " ".join([result(shown), *(shape_and_items(a, False) for a in arguments)])

    yield call


def data_calls(program, _):
    for n, x, s, items, words in program.arguments:

        def call(main, n=n, x=x, s=s, items=items, words=words):
            a, h = list(items), list(words)
            try:
                got = text(main(n, x, s, a, h))
            except Exception as error:
                ours = str(next(iter(error.args), "")).startswith((data_programs.MARK, "Failed in"))
                got = f"{type(error).__name__}{error.args if ours else ''}"[:900]
            return ascii(f"{got} {text(a)} {text(h)}")

        yield call


def shape_and_items(value, rounded):
    """A number by its value alone, an array with dtype and shape."""
    if not isinstance(value, np.ndarray):
        value = complex(value) if isinstance(value, complex | np.complexfloating) else float(value)
    items = (np.asarray(value) + 0).ravel().tolist()  # the smallest of 0.0 and -0.0 is either
    shown = " ".join(f"{0.0 if abs(v) < 1e-9 else v:.7g}" if rounded else text(v) for v in items)
    return f"{value.dtype}{list(value.shape)}[{shown}]" if isinstance(value, np.ndarray) else shown


KINDS = {
    "numbers": programs.Program,
    "arrays": array_programs.Program,
    "layouts": array_programs.Layouts,
    "data": data_programs.Program,
}
CALLS = {array_programs.Program: array_calls, array_programs.Layouts: array_calls, data_programs.Program: data_calls}


def main():
    kind, first, last, *names = sys.argv[1:]
    known = ways()
    np.seterr(all="ignore")
    for seed in range(int(first), int(last)):
        program = KINDS[kind](seed)
        for name in names:
            print(f"start\t{seed}\t{name}", flush=True)
            print(f"{seed}\t{name}\t" + "\t".join(outcomes(program, known[name])), flush=True)


if __name__ == "__main__":
    main()
