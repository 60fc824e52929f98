"""Runs generated programs by seed: `worker.py FIRST LAST WAY...`, the ways those of `WAYS`.

Prints, for each program and way, `start`, seed and way, then seed, way and, for each call, a text
that is equal where the bits are.
"""

import math
import sys

import numpy as np
import reference
from programs import Program


class Python:
    """Programs as CPython runs them."""

    np = reference.namespace
    array = staticmethod(reference.Array)

    def load(self, program):
        return [entry(program, self.np, lambda function: function)]


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
        if self.last is None or self.last[0] is not program:
            self.last = (program, super().load(program))
        return self.last[1]


def ways():
    """Every way to run a program, by name."""
    cranelift = Remembering("cranelift")
    llvm = Compiled("llvm")
    return {"CPython": Python(), "cranelift": cranelift, "interpreter": Interpreted(cranelift), "llvm": llvm}


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
    if isinstance(value, reference.Unsigned):
        value = value.value
    if isinstance(value, reference.Single):
        value = value.value
    if isinstance(value, float):
        return "nan" if value != value else float(value).hex()
    if isinstance(value, complex):
        return f"{text(value.real)}+{text(value.imag)}j"
    return f"{type(value).__name__}:{value}"


def entry(program, numpy, jit):
    """The entry of a program, with its helpers."""
    space = {"__name__": "program", "math": math, "np": numpy}
    exec(compile(program.source, f"program-{program.seed}.py", "exec"), space)
    for name in [*program.helpers, "main"]:
        space[name] = jit(space[name])
    return space["main"]


def outcomes(program, how):
    """What each call gives or raises, and the arrays after it."""
    mains = how.load(program)
    for n, x, items, rows in program.arguments:
        found = []
        for main in mains:
            a, m = np.array(items), np.array(rows)
            try:
                got = text(main(n, x, how.array(a), how.array(m)))
            except ZeroDivisionError:
                got = "ZeroDivisionError"  # its words differ between versions of Python
            except Exception as error:
                got = f"{type(error).__name__}: {error}"[:400]
            found.append(f"{got} {text(a)} {text(m)}".replace("\n", " / "))
        yield found[0] if len(set(found)) == 1 else " BUT ".join(found)


def main():
    first, last, *names = sys.argv[1:]
    known = ways()
    np.seterr(all="ignore")
    for seed in range(int(first), int(last)):
        program = Program(seed)
        for name in names:
            print(f"start\t{seed}\t{name}", flush=True)
            print(f"{seed}\t{name}\t" + "\t".join(outcomes(program, known[name])), flush=True)


if __name__ == "__main__":
    main()
