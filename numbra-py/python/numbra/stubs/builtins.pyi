"""`builtins` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

# The first that fits is taken, as by the compiler; to checkers some of NumPy's scalars and `bfloat16` are one class.
# mypy: disable-error-code="overload-cannot-match, overload-overlap"

from typing import Any, overload

from numpy import complex64, complex128, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

@overload
def abs(x: int8) -> int8:
    r"""`|x|`"""

@overload
def abs(x: int16) -> int16:
    r"""`|x|`"""

@overload
def abs(x: int32) -> int32:
    r"""`|x|`"""

@overload
def abs(x: int64) -> int64:
    r"""`|x|`"""

@overload
def abs(x: uint8) -> uint8:
    r"""`|x|`"""

@overload
def abs(x: uint16) -> uint16:
    r"""`|x|`"""

@overload
def abs(x: uint32) -> uint32:
    r"""`|x|`"""

@overload
def abs(x: uint64) -> uint64:
    r"""`|x|`"""

@overload
def abs(x: float32) -> float32:
    r"""`|x|`"""

@overload
def abs(x: float64) -> float64:
    r"""`|x|`"""

@overload
def abs(x: complex64) -> float32:
    r"""`|x|`"""

@overload
def abs(x: complex128) -> float64:
    r"""`|x|`"""

@overload
def abs(x: Any) -> Any:
    r"""`|x|`"""

def all(iterable: Any) -> Any:
    r"""Whether no item is false."""

def any(iterable: Any) -> Any:
    r"""Whether an item is true."""

def ascii(object: Any) -> Any:
    r"""As `repr`, with escapes for characters that are not ASCII."""

def bin(number: Any) -> Any:
    r"""An integer to base 2, with its prefix."""

def bool(x: Any = False) -> Any:
    r"""Truth value."""

def bytes(x: Any, encoding: Any = ..., errors: Any = ...) -> Any:
    r"""The bytes of a char sequence, without the zeros at its end, or of a buffer; those that the integers of a list, a tuple or an array are; so many zeros; a text in a codec."""

def chr(i: Any) -> Any:
    r"""The string of the character with a number; ValueError for numbers that no character has."""

def complex(real: Any = 0.0, imag: Any = ...) -> Any:
    r"""A complex number from one number or from its two parts."""

def dict(iterable: Any = ...) -> Any:
    r"""A new dictionary: empty, with types that follow from what is put in, or of the entries of another one or of pairs."""

def divmod(x: Any, y: Any) -> Any:
    r"""`(x // y, x % y)`; by zero raises ZeroDivisionError under the `python` error model."""

def enumerate(iterable: Any, start: Any = ...) -> Any:
    r"""Pairs of a counter and an item."""

def filter(function: Any, iterable: Any) -> Any:
    r"""A generator of the items for which the function's result is true, or which are true themselves."""

def float(x: Any = 0.0) -> Any:
    r"""Converts to a float; float32 stays float32. Of text the number that it says."""

def format(x: Any, spec: Any = None) -> Any:
    r"""A number or string by a format specification: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`; a `bool` is an integer, a `float32` the `float64` of its value. What a field of an f-string makes."""

def hash(x: Any) -> Any:
    r"""CPython's hash of a number, of text, or of a tuple of these; that of a NaN is 0."""

def hex(number: Any) -> Any:
    r"""An integer to base 16, with its prefix."""

def int(x: Any = 0, base: Any = ...) -> Any:
    r"""Converts to an integer, truncating; an integer keeps its type. Of text the integer that it says, to a base from 2 to 36 or, for 0, by its prefix; OverflowError for one that is no `int64`."""

def isinstance(x: Any, classes: Any) -> Any:
    r"""True if `x` is of one of the classes, decided by type. `int`, `float` and `complex` stand for int64, float64 and complex128, as in Numba."""

def iter(x: Any) -> Any:
    r"""An iterator over `x`."""

def len(x: Any) -> Any:
    r"""Number of items."""

def list(iterable: Any = ...) -> Any:
    r"""A new list: empty, with a type that follows from what is put in, or of the items of an iterable."""

def map(function: Any, *iterables: Any) -> Any:
    r"""A generator of the function's results, as long as the shortest of up to three iterables."""

def max(*args: Any) -> Any:
    r"""The greatest of two or more numbers, at their common type, or strings, or of the items of one iterable. Of floats on a GPU, a NaN loses."""

def min(*args: Any) -> Any:
    r"""The smallest of two or more numbers, at their common type, or strings, or of the items of one iterable. Of floats on a GPU, a NaN loses."""

def next(iterator: Any) -> Any:
    r"""The next item of an iterator, or StopIteration."""

def oct(number: Any) -> Any:
    r"""An integer to base 8, with its prefix."""

def ord(c: Any) -> Any:
    r"""The number of a character; TypeError for a string of another length than 1."""

@overload
def pow(x: int64, y: int64) -> int64:
    r"""`x ** y`"""

@overload
def pow(x: int64, y: uint64) -> int64:
    r"""`x ** y`"""

@overload
def pow(x: uint64, y: int64) -> int64:
    r"""`x ** y`"""

@overload
def pow(x: uint64, y: uint64) -> uint64:
    r"""`x ** y`"""

@overload
def pow(x: float32, y: int32) -> float32:
    r"""`x ** y`"""

@overload
def pow(x: float32, y: int64) -> float32:
    r"""`x ** y`"""

@overload
def pow(x: float32, y: uint64) -> float32:
    r"""`x ** y`"""

@overload
def pow(x: float64, y: int32) -> float64:
    r"""`x ** y`"""

@overload
def pow(x: float64, y: int64) -> float64:
    r"""`x ** y`"""

@overload
def pow(x: float64, y: uint64) -> float64:
    r"""`x ** y`"""

@overload
def pow(x: float32, y: float32) -> float32:
    r"""`x ** y`"""

@overload
def pow(x: float64, y: float64) -> float64:
    r"""`x ** y`"""

@overload
def pow(x: complex64, y: complex64) -> complex64:
    r"""`x ** y`"""

@overload
def pow(x: complex128, y: complex128) -> complex128:
    r"""`x ** y`"""

@overload
def pow(x: Any, y: Any) -> Any:
    r"""`x ** y`"""

def print(*args: Any) -> Any:
    r"""Prints its arguments separated by spaces, then a newline."""

def range(start: Any, stop: Any = ..., step: Any = ...) -> Any:
    r"""Numbers from `start` to `stop` by `step`; ValueError for a zero step."""

def repr(x: Any) -> Any:
    r"""A value as Python writes it in a program."""

def reversed(sequence: Any) -> Any:
    r"""The items from the last to the first: a range of a range, else a generator."""

@overload
def round(x: uint64, ndigits: Any = ...) -> uint64:
    r"""Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals."""

@overload
def round(x: int64, ndigits: Any = ...) -> int64:
    r"""Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals."""

@overload
def round(x: float32, ndigits: Any = ...) -> int64:
    r"""Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals."""

@overload
def round(x: float64, ndigits: Any = ...) -> int64:
    r"""Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals."""

@overload
def round(x: float32, ndigits: int64 = ...) -> float32:
    r"""Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals."""

@overload
def round(x: float64, ndigits: int64 = ...) -> float64:
    r"""Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals."""

@overload
def round(x: Any, ndigits: Any = ...) -> Any:
    r"""Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals."""

def set(iterable: Any = ...) -> Any:
    r"""A new set: empty, with a type that follows from what is put in, or of the items of an iterable."""

def slice(start: Any, stop: Any = ..., step: Any = ...) -> Any:
    r"""A slice from integers or `None`."""

def sorted(iterable: Any, key: Any = None, reverse: Any = False) -> Any:
    r"""A new sorted list of the items of an iterable."""

def str(x: Any, encoding: Any = ..., errors: Any = ...) -> Any:
    r"""The text of a string or char sequence; other values as Python writes them."""

def sum(iterable: Any, start: Any = 0) -> Any:
    r"""Sum of the items of an iterable, from left to right."""

def tuple(x: Any) -> Any:
    r"""The tuple itself."""

def type(x: Any) -> Any:
    r"""The class of a number."""

def zip(*iterables: Any, strict: Any = False) -> Any:
    r"""Tuples of one item of each iterable, as long as the shortest; ValueError where one has more or fewer and `strict` is true."""

