"""`array` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

T: Any
r"""The axes reversed, a view."""

def all(a: Any) -> Any:
    r"""True if every element is."""

def any(a: Any) -> Any:
    r"""True if any element is."""

def argmax(a: Any, axis: Any = None) -> Any:
    r"""Position of the first greatest element; ValueError when empty."""

def argmin(a: Any, axis: Any = None) -> Any:
    r"""Position of the first smallest element; ValueError when empty."""

def argsort(a: Any, kind: Any = "quicksort") -> Any:
    r"""Positions that sort along the last axis; equal elements keep their order."""

def astype(a: Any, dtype: Any) -> Any:
    r"""A copy with elements of another type."""

def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    r"""Elements below `a_min` or above `a_max` replaced by these."""

def conj(x: Any, out: Any = ...) -> Any:
    r"""Complex conjugate."""

def conjugate(x: Any, out: Any = ...) -> Any:
    r"""Complex conjugate."""

def copy(a: Any) -> Any:
    r"""A C-contiguous copy."""

ctypes: Any
r"""What C functions see of the array."""

def cumprod(a: Any) -> Any:
    r"""Running products of the elements in C order."""

def cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    r"""Running sums of the elements, in C order or along an axis."""

def dot(a: Any, b: Any, out: Any = ...) -> Any:
    r"""Product of matrices and vectors of one float or complex type; into `out` if there is one."""

dtype: Any
r"""Type of the elements."""

def fill(a: Any, value: Any) -> Any:
    r"""Sets every element."""

flags: Any
r"""Contiguity."""

flat: Any
r"""All elements in C order: for iteration and for an integer index."""

def flatten(a: Any) -> Any:
    r"""A copy with one axis, in C order."""

imag: Any
r"""Imaginary parts: a view of a complex array; read-only zeros for a contiguous real one."""

def item(x: Any) -> Any:
    r"""The only element of an array, or the number itself: `x.item()`."""

itemsize: Any
r"""Bytes of an element."""

def max(a: Any) -> Any:
    r"""The greatest element; NaN if there is one; ValueError when empty."""

def mean(a: Any) -> Any:
    r"""Arithmetic mean; NaN when empty."""

def min(a: Any) -> Any:
    r"""The smallest element; NaN if there is one; ValueError when empty."""

nbytes: Any
r"""Bytes of all elements."""

ndim: Any
r"""Number of axes, a constant of the type."""

def nonzero(a: Any) -> Any:
    r"""Indices of the elements that are not 0, an array for each axis."""

def prod(a: Any) -> Any:
    r"""Product of the elements. Integers and booleans multiply in 64 bits."""

def ravel(a: Any) -> Any:
    r"""One axis, in C order: a view if the elements lie so in memory, else a copy."""

real: Any
r"""Real parts: a view of a complex array, else the array."""

def repeat(a: Any, repeats: Any) -> Any:
    r"""Each element in C order as often as `repeats` says."""

def reshape(a: Any, *shape: Any) -> Any:
    r"""The elements in C order with another shape, a tuple or integers, of which one may be -1: a view if strides say where they lie, else a copy (on GPUs NotImplementedError)."""

shape: Any
r"""Tuple of extents."""

size: Any
r"""Number of elements."""

def sort(a: Any, kind: Any = "quicksort") -> Any:
    r"""Sorts along the last axis in place, NaN last."""

def std(a: Any) -> Any:
    r"""Standard deviation of the population."""

strides: Any
r"""Tuple of byte strides."""

def sum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    r"""Sum of the elements, over all axes, one or a tuple of them. Integers and booleans add in 64 bits."""

def take(a: Any, indices: Any, axis: Any = None) -> Any:
    r"""The elements at places of an axis, or of the elements in C order."""

def tobytes(a: Any) -> Any:
    r"""The bytes of the elements in C order, as `bytes`."""

def transpose(a: Any, *axes: Any) -> Any:
    r"""The axes reversed or permuted, a view."""

def var(a: Any) -> Any:
    r"""Variance of the population."""

def view(a: Any, dtype: Any) -> Any:
    r"""The memory as elements of another type; ValueError where the last axis does not hold a whole number of them."""

