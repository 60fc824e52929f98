"""Runs programs by seed in one implementation: `worker.py python|compiled FIRST LAST`.

Prints a line a program: the seed and, for each call, a text that is equal where the bits are.
"""

import math
import sys
from types import SimpleNamespace

import numpy as np
from programs import Program


class FloatArray:
    """An array whose items are Python's floats: those of NumPy do not raise on a zero divisor."""

    def __init__(self, array):
        self.array = array

    size = property(lambda self: self.array.size)

    def __getitem__(self, index):
        got = self.array[index]
        return FloatArray(got) if isinstance(index, slice) else float(got)

    def __setitem__(self, index, value):
        self.array[index] = value


class Python:
    """Programs as CPython runs them."""

    np = SimpleNamespace(zeros=lambda n: FloatArray(np.zeros(n)), empty=lambda n: FloatArray(np.empty(n)))
    array = FloatArray

    @staticmethod
    def jit(function):
        return function


class Compiled:
    """Programs as numbra runs them."""

    np = np

    def __init__(self):
        import numbra

        self.jit = numbra.njit

    @staticmethod
    def array(array):
        return array


def text(value):
    """Bits of floats, so that -0.0 differs from 0.0; every nan is the same."""
    if isinstance(value, tuple):
        return "(" + " ".join(map(text, value)) + ")"
    if isinstance(value, FloatArray):
        value = value.array
    if isinstance(value, np.ndarray):
        return "[" + " ".join(map(text, value.tolist())) + "]"
    if isinstance(value, float):
        return "nan" if value != value else float(value).hex()
    return f"{type(value).__name__}:{value}"


def load(program, how):
    """The entry of a program, with its helpers."""
    space = {"__name__": "program", "math": math, "np": how.np}
    exec(compile(program.source, f"program-{program.seed}.py", "exec"), space)
    for name in [*program.helpers, "main"]:
        space[name] = how.jit(space[name])
    return space["main"]


def outcomes(program, how):
    """What each call gives or raises, and the array after it."""
    main = load(program, how)
    for n, x, items in program.arguments:
        a = np.array(items)
        try:
            got = text(main(n, x, how.array(a)))
        except ZeroDivisionError:
            got = "ZeroDivisionError"  # its words differ between versions of Python
        except Exception as error:
            got = f"{type(error).__name__}: {error}"[:400]
        yield f"{got} {text(a)}".replace("\n", " / ")


def main():
    mode, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    how = Python() if mode == "python" else Compiled()
    for seed in range(first, last):
        print(f"start\t{seed}", flush=True)
        print(f"{seed}\t" + "\t".join(outcomes(Program(seed), how)), flush=True)


if __name__ == "__main__":
    main()
