"""What users do wrong in kernels: class and phrase of the error, the place that is marked, what to do instead."""

import re

import numpy as np
import pytest
from cuda_rows import function
from numbra import cuda, types
from numbra.core import errors
from numbra.types import float64, int64


def helper(value):
    return value + 1


@cuda.jit
def other_kernel(x):
    x[0] = 1


NAMES = {"helper": helper, "other_kernel": other_kernel, "table": [1, 2, 3], "TILE": 8, "types": types, "np": np}


def error_of(statement, *args, parameters="x, n"):
    """What compiling a kernel of one statement raises."""
    kernel = function(statement, parameters)
    kernel.__globals__.update(NAMES)
    with pytest.raises((errors.NumbaError, TypeError)) as raised:
        cuda.compile_ptx(kernel, types.void(*(args or (float64[::1], int64))), cc=(8, 0))
    return raised.value


def marked(error):
    """The part of the source that is underlined."""
    shown, marks = re.search(r"\n *\d+ \|(.*)\n *\|( *\^+)", str(error)).groups()
    at = marks.index("^")
    return shown[at : at + marks.count("^")]


@pytest.mark.parametrize(
    ("statement", "phrase", "place", "advice"),
    [
        ("return x[0]", "No conversion from float64 to none for", "return x[0]", "write into an array"),
        ("yield x[0]", "is a generator, and declared to return none", None, "write into an array"),
        ("other_kernel[1, 1](x)", "getitem", "other_kernel[1, 1]", "cuda.jit(device=True)"),
        ("x[0] = helper(n)", "Untyped global name 'helper'", "helper", "`@cuda.jit(device=True)`"),
        ("x[0] = table[n]", "Untyped global name 'table'", "table", "a tuple or a NumPy array"),
        ("x[0] = cuda.treadIdx.x", "Unknown attribute 'treadIdx'", "cuda.treadIdx", "did you mean `cuda.threadIdx`?"),
        ("x[0] = np.sqqrt(n)", "Use of unsupported NumPy function 'numpy.sqqrt'", "np.sqqrt", ""),
        ("s = cuda.shared.array(n, types.int32)", "the shape must be a constant", None, "as large as the launch says"),
        (
            "s = cuda.shared.array((TILE + 2, 4), types.int32)",
            "the shape must be a constant",
            None,
            "outside of the kernel",
        ),
        ("s = cuda.local.array(cuda.blockDim.x, types.int32)", "must be a constant", None, "outside of the kernel"),
    ],
)
def test_mistakes_are_shown_with_what_to_do(statement, phrase, place, advice):
    error = error_of(statement)
    assert isinstance(error, errors.TypingError)
    assert phrase in str(error)
    assert advice in str(error)
    assert "defect of the compiler" not in str(error)
    if place is not None:
        assert marked(error) == place


@pytest.mark.parametrize("ty", [types.unicode_type, types.List(int64)])
def test_arguments_that_no_kernel_takes(ty):
    error = error_of("pass", ty, int64)
    assert isinstance(error, TypeError)
    assert "cannot be passed to a GPU: pass numbers, arrays, records, or tuples of these" in str(error)
