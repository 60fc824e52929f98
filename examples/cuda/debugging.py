"""A kernel that reads one element too many and divides by it: what shows the mistake.

usage: debugging.py

1. Without `debug`, nothing is checked: the division gives infinity, and the last thread reads what lies behind.
2. With `debug=True, opt=False` the exception is raised on the host, with block and thread.
3. In the simulator (`NUMBA_ENABLE_CUDASIM=1`) every index is checked, and pdb works: `breakpoint()` in the kernel.
4. `compute-sanitizer python debugging.py --overrun` names the line of the access (`lineinfo=True`).
"""

import sys

import numpy as np
from common import SIMULATED, where
from numbra import cuda


def reciprocal(x):
    i = cuda.grid(1)
    if i > x.shape[0]:  # should be >=
        return
    x[i] = 1 / x[i]


def checked(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        assert x[i] >= 0
        x[i] = 1 / x[i]


def raised(kernel, x):
    """The text of what a launch raises, or None."""
    try:
        kernel[1, 32](x)
        cuda.synchronize()
    except (ZeroDivisionError, IndexError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def main():
    print(where())
    if "--overrun" in sys.argv:
        print(raised(cuda.jit(reciprocal, lineinfo=True), cuda.to_device(np.ones(10))))
        return
    if SIMULATED:
        text = raised(cuda.jit(reciprocal), np.ones(10))
        print(text)
        assert text == "IndexError: tid=[10, 0, 0] ctaid=[0, 0, 0]: index 10 is out of bounds for axis 0 with size 10"
        return
    x = np.zeros(10)
    assert raised(cuda.jit(checked), x) is None and np.isinf(x).all()
    print("without debug: infinity")
    debug = cuda.jit(checked, debug=True, opt=False)
    text = raised(debug, np.zeros(10))
    print(text)
    assert text.startswith("ZeroDivisionError") and "tid=[" in text and "ctaid=[" in text
    text = raised(debug, -np.ones(10))
    print(text)
    assert text.startswith("AssertionError")
    x = np.full(10, 2.0)
    assert raised(debug, x) is None and (x == 0.5).all()
    print("after an error the context works on")


if __name__ == "__main__":
    main()
