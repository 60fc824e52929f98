"""Types decide the instructions: a float of Python makes single precision double. Needs no GPU.

usage: widening.py

Compiles kernels to PTX and counts; with a GPU it also says how many registers each takes.
"""

import re
import sys

import numpy as np
from common import ON_CPU, SIMULATED
from numbra import cuda
from numbra.types import float32


def widened(x, y):
    x[0] += y[0] + 2.0


def narrow(x, y):
    x[0] += y[0] + float32(2.0)


def constant(x, y):
    x[0] += 2.0  # the sum is stored as float32 at once, which needs no float64


def instructions(function):
    """How often each instruction with a type of floats occurs."""
    ptx, _ = cuda.compile_ptx(function, (float32[::1], float32[::1]), cc=(7, 5))
    found = re.findall(r"^\t(\w+(?:\.\w+)*\.f\d\d(?:\.f\d\d)?)\s", ptx, re.MULTILINE)
    return {name: found.count(name) for name in sorted(set(found))}


def main():
    if SIMULATED:
        print("the simulator compiles nothing; run this without NUMBA_ENABLE_CUDASIM, a GPU is not needed")
        return
    for function in (widened, narrow, constant):
        print(f"{function.__name__}: {instructions(function)}")
    assert not any("f64" in name for name in instructions(narrow) | instructions(constant))
    assert instructions(narrow).get("add.f32") == 2
    assert any("add" in name and "f64" in name for name in instructions(widened))
    if ON_CPU or not cuda.is_available():
        return
    registers = []
    for function in (widened, narrow):
        kernel = cuda.jit(function)
        x, y = np.ones(1, np.float32), np.ones(1, np.float32)
        kernel[1, 1](x, y)
        assert x[0] == 4
        registers.append(next(iter(kernel.get_regs_per_thread().values())))
    print(f"registers: {registers[0]} widened, {registers[1]} narrow")
    assert registers[0] > registers[1]


if __name__ == "__main__":
    sys.exit(main())
