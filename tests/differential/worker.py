"""Runs programs by seed in one implementation: `worker.py python|compiled|interpreter FIRST LAST`.

Prints a line a program: the seed and, for each call, a text that is equal where the bits are.
"""

import math
import sys

import numpy as np
import reference
from programs import Program


class Python:
    """Programs as CPython runs them."""

    np = reference.namespace
    array = reference.Array

    @staticmethod
    def jit(function):
        return function

    @staticmethod
    def mains(main):
        return [main]


class Compiled:
    """Programs as numbra runs them."""

    np = np

    def __init__(self):
        import numbra

        self.jit = numbra.njit

    @staticmethod
    def array(array):
        return array

    @staticmethod
    def mains(main):
        return [main]


class Interpreted(Compiled):
    """Programs on LIR's interpreter, as lowered and optimised."""

    @staticmethod
    def mains(main):
        from interpreter import OnInterpreter

        return [OnInterpreter(main, False), OnInterpreter(main, True)]


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


def load(program, how):
    """The entry of a program, with its helpers."""
    space = {"__name__": "program", "math": math, "np": how.np}
    exec(compile(program.source, f"program-{program.seed}.py", "exec"), space)
    for name in [*program.helpers, "main"]:
        space[name] = how.jit(space[name])
    return space["main"]


def outcomes(program, how):
    """What each call gives or raises, and the arrays after it."""
    mains = how.mains(load(program, how))
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
    mode, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    how = {"python": Python, "compiled": Compiled, "interpreter": Interpreted}[mode]()
    np.seterr(all="ignore")
    for seed in range(first, last):
        print(f"start\t{seed}", flush=True)
        print(f"{seed}\t" + "\t".join(outcomes(Program(seed), how)), flush=True)


if __name__ == "__main__":
    main()
