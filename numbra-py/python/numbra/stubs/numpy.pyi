"""`numpy` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def abs(x: Any, out: Any = ...) -> Any:
    r"""`|x|`"""

def absolute(x: Any, out: Any = ...) -> Any:
    r"""`|x|`"""

def acos(x: Any, out: Any = ...) -> Any:
    r"""Inverse cosine."""

def acosh(x: Any, out: Any = ...) -> Any:
    r"""Inverse hyperbolic cosine."""

def add(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 + x2`; logical or of booleans."""

def all(a: Any) -> Any:
    r"""True if every element is."""

def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    r"""Whether all numbers are equal within a tolerance."""

def amax(a: Any) -> Any:
    r"""The greatest element; NaN if there is one; ValueError when empty."""

def amin(a: Any) -> Any:
    r"""The smallest element; NaN if there is one; ValueError when empty."""

def angle(z: Any, deg: Any = False) -> Any:
    r"""Angle of complex numbers, in radians or degrees."""

def any(a: Any) -> Any:
    r"""True if any element is."""

def append(arr: Any, values: Any, axis: Any = None) -> Any:
    r"""The arrays one after another, in C order or along an axis."""

def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    r"""Numbers from `start` to `stop` by `step`: int64 for integers, else float64, unless a dtype is given. ValueError for a zero step."""

def arccos(x: Any, out: Any = ...) -> Any:
    r"""Inverse cosine."""

def arccosh(x: Any, out: Any = ...) -> Any:
    r"""Inverse hyperbolic cosine."""

def arcsin(x: Any, out: Any = ...) -> Any:
    r"""Inverse sine."""

def arcsinh(x: Any, out: Any = ...) -> Any:
    r"""Inverse hyperbolic sine."""

def arctan(x: Any, out: Any = ...) -> Any:
    r"""Inverse tangent."""

def arctan2(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""Angle of the point (`x2`, `x1`)."""

def arctanh(x: Any, out: Any = ...) -> Any:
    r"""Inverse hyperbolic tangent."""

def argmax(a: Any, axis: Any = None) -> Any:
    r"""Position of the first greatest element; ValueError when empty."""

def argmin(a: Any, axis: Any = None) -> Any:
    r"""Position of the first smallest element; ValueError when empty."""

def argpartition(a: Any, kth: Any) -> Any:
    r"""Positions that partition along the last axis."""

def argsort(a: Any, kind: Any = "quicksort") -> Any:
    r"""Positions that sort along the last axis; equal elements keep their order."""

def argwhere(a: Any) -> Any:
    r"""Indices of the elements that are not 0, a row for each."""

def around(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    r"""Rounded to `decimals` digits, ties to even."""

def array(object: Any, dtype: Any = None) -> Any:
    r"""A new array of a number or nested tuples and lists of numbers or arrays."""

def array_equal(a1: Any, a2: Any) -> Any:
    r"""Whether arrays have the same shape and elements."""

def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    r"""Views of the parts of an axis, of nearly one size or between places."""

def asarray(a: Any, dtype: Any = None) -> Any:
    r"""An array as it is where it has the dtype, else a converted copy; numbers and tuples become arrays."""

def asarray_chkfinite(a: Any, dtype: Any = None) -> Any:
    r"""[`numpy.asarray`]; ValueError if an element is NaN or infinite."""

def ascontiguousarray(a: Any) -> Any:
    r"""The array itself if it is C-contiguous, else a copy."""

def asfortranarray(a: Any) -> Any:
    r"""The array itself if it is Fortran-contiguous, else a copy."""

def asin(x: Any, out: Any = ...) -> Any:
    r"""Inverse sine."""

def asinh(x: Any, out: Any = ...) -> Any:
    r"""Inverse hyperbolic sine."""

def atan(x: Any, out: Any = ...) -> Any:
    r"""Inverse tangent."""

def atan2(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""Angle of the point (`x2`, `x1`)."""

def atanh(x: Any, out: Any = ...) -> Any:
    r"""Inverse hyperbolic tangent."""

def atleast_1d(*args: Any) -> Any:
    r"""With at least one axis; a tuple for several arrays."""

def atleast_2d(*args: Any) -> Any:
    r"""With at least two axes; a tuple for several arrays."""

def atleast_3d(*args: Any) -> Any:
    r"""With at least three axes; a tuple for several arrays."""

def average(a: Any, axis: Any = None, weights: Any = None) -> Any:
    r"""Mean, weighted if weights are given."""

def bartlett(M: Any) -> Any:
    r"""The Bartlett window."""

def bincount(a: Any, weights: Any = None, minlength: Any = 0) -> Any:
    r"""How often each integer from 0 on is among the elements, or the sum of its weights."""

def bitwise_and(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 & x2`"""

def bitwise_invert(x: Any, out: Any = ...) -> Any:
    r"""`~x`"""

def bitwise_left_shift(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 << x2`, 0 for counts out of range."""

def bitwise_not(x: Any, out: Any = ...) -> Any:
    r"""`~x`"""

def bitwise_or(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 | x2`"""

def bitwise_right_shift(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 >> x2`, sign fill for counts out of range."""

def bitwise_xor(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 ^ x2`"""

def blackman(M: Any) -> Any:
    r"""The Blackman window."""

def bool(x: Any) -> Any:
    r"""Converts a number to bool."""

def bool_(x: Any) -> Any:
    r"""Converts a number to bool."""

def broadcast_arrays(*args: Any) -> Any:
    r"""Read-only views of one shape."""

def broadcast_shapes(*args: Any) -> Any:
    r"""The shape that arrays of these shapes have together."""

def broadcast_to(array: Any, shape: Any) -> Any:
    r"""A read-only view in a shape that the array broadcasts to."""

def byte(x: Any) -> Any:
    r"""Converts a number to int8."""

def cbrt(x: Any, out: Any = ...) -> Any:
    r"""Cube root."""

def cdouble(x: Any) -> Any:
    r"""Converts a number to complex128."""

def ceil(x: Any, out: Any = ...) -> Any:
    r"""The least integer not below `x`."""

def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    r"""Elements below `a_min` or above `a_max` replaced by these."""

def column_stack(tup: Any) -> Any:
    r"""Arrays side by side, one-dimensional ones as columns."""

def complex128(x: Any) -> Any:
    r"""Converts a number to complex128."""

def complex64(x: Any) -> Any:
    r"""Converts a number to complex64."""

def concat(arrays: Any, axis: Any = 0) -> Any:
    r"""Joins a tuple or list of arrays along an axis."""

def concatenate(arrays: Any, axis: Any = 0) -> Any:
    r"""Joins a tuple or list of arrays along an axis."""

def conj(x: Any, out: Any = ...) -> Any:
    r"""Complex conjugate."""

def conjugate(x: Any, out: Any = ...) -> Any:
    r"""Complex conjugate."""

def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    r"""Discrete convolution: `full`, `same` or `valid`."""

def copy(a: Any) -> Any:
    r"""A contiguous copy; Fortran order stays."""

def copysign(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1` with the sign of `x2`."""

def corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    r"""Correlation coefficients of variables, each a row (`rowvar`) or column."""

def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    r"""Cross-correlation: `full`, `same` or `valid`."""

def cos(x: Any, out: Any = ...) -> Any:
    r"""Cosine."""

def cosh(x: Any, out: Any = ...) -> Any:
    r"""Hyperbolic cosine."""

def count_nonzero(a: Any, axis: Any = None) -> Any:
    r"""Number of elements that are not zero."""

def cov(m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None) -> Any:
    r"""Covariances of variables, each a row (`rowvar`) or column."""

def cross(a: Any, b: Any) -> Any:
    r"""Cross products of vectors along the last axis."""

def csingle(x: Any) -> Any:
    r"""Converts a number to complex64."""

def cumprod(a: Any) -> Any:
    r"""Running products of the elements in C order."""

def cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    r"""Running sums of the elements, in C order or along an axis."""

def deg2rad(x: Any, out: Any = ...) -> Any:
    r"""Radians of degrees."""

def degrees(x: Any, out: Any = ...) -> Any:
    r"""Degrees of radians."""

def delete(arr: Any, obj: Any) -> Any:
    r"""The elements in C order without those at `obj`."""

def diag(v: Any, k: Any = 0) -> Any:
    r"""The matrix with this diagonal, or a copy of the diagonal of this matrix."""

def diagflat(v: Any, k: Any = 0) -> Any:
    r"""The matrix with the elements in C order on a diagonal."""

def diff(a: Any, n: Any = 1) -> Any:
    r"""Differences of neighbours along the last axis, `n` times."""

def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    r"""The bin of each number among increasing or decreasing edges."""

def divide(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 / x2`, a float."""

def divmod(x1: Any, x2: Any, out1: Any = ..., out2: Any = ...) -> Any:
    r"""`(x1 // x2, x1 % x2)`"""

def dot(a: Any, b: Any, out: Any = ...) -> Any:
    r"""Product of matrices and vectors of one float or complex type; into `out` if there is one."""

def double(x: Any) -> Any:
    r"""Converts a number to float64."""

def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    r"""[`numpy.split`] along the third axis."""

def dstack(tup: Any) -> Any:
    r"""Arrays behind each other: along the third axis."""

def dtype(dtype: Any) -> Any:
    r"""The dtype that a class, a constant string or a dtype names."""

def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    r"""Differences of neighbours in C order, with numbers before and after."""

def empty(shape: Any, dtype: Any = None) -> Any:
    r"""A new array without set contents, float64 unless a dtype is given."""

def empty_like(prototype: Any, dtype: Any = None) -> Any:
    r"""A new array of the shape and type of another, without set contents."""

def equal(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 == x2`"""

def exp(x: Any, out: Any = ...) -> Any:
    r"""`e ** x`"""

def exp2(x: Any, out: Any = ...) -> Any:
    r"""`2 ** x`"""

def expand_dims(a: Any, axis: Any) -> Any:
    r"""With new axes of one index."""

def expm1(x: Any, out: Any = ...) -> Any:
    r"""`e ** x - 1`, accurate near 0."""

def extract(condition: Any, arr: Any) -> Any:
    r"""The elements of `arr` where the condition, both in C order, holds."""

def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    r"""Ones on the `k`-th diagonal of an `N` by `M` array, zeros elsewhere."""

def fabs(x: Any, out: Any = ...) -> Any:
    r"""`|x|` of floats."""

def fill_diagonal(a: Any, val: Any, wrap: Any = False) -> Any:
    r"""Sets the diagonal; with `wrap` it goes on below in a tall matrix."""

def finfo(dtype: Any) -> Any:
    r"""Limits and precision of a float type."""

def fix(x: Any, out: Any = ...) -> Any:
    r"""`x` rounded towards 0."""

def flatnonzero(a: Any) -> Any:
    r"""Positions in C order of the elements that are not 0."""

def flip(m: Any) -> Any:
    r"""Every axis in the other direction, a view."""

def fliplr(m: Any) -> Any:
    r"""The second axis in the other direction, a view."""

def flipud(m: Any) -> Any:
    r"""The first axis in the other direction, a view."""

def float16(x: Any) -> Any:
    r"""Converts a number to float16, on GPUs."""

def float32(x: Any) -> Any:
    r"""Converts a number to float32."""

def float64(x: Any) -> Any:
    r"""Converts a number to float64."""

def float_power(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 ** x2` in float64 or complex128."""

def floor(x: Any, out: Any = ...) -> Any:
    r"""The greatest integer not above `x`."""

def floor_divide(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 // x2`; an integer by 0 gives 0."""

def fmax(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""The greater; a NaN loses."""

def fmin(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""The smaller; a NaN loses."""

def fmod(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""Remainder with the sign of `x1`; an integer by 0 gives 0."""

def frombuffer(buffer: Any, dtype: Any = None, count: Any = -1, offset: Any = 0) -> Any:
    r"""The bytes of a contiguous array from `offset` on as elements of another type, a view with one axis."""

def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    r"""A new array of one value, of the value's type unless a dtype is given."""

def full_like(a: Any, fill_value: Any, dtype: Any = None) -> Any:
    r"""A new array of one value, of the shape and type of another."""

def gcd(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""Greatest common divisor."""

def geomspace(start: Any, stop: Any, num: Any = 50) -> Any:
    r"""`num` numbers from `start` to `stop`, each a fixed multiple of the one before."""

def greater(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 > x2`"""

def greater_equal(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 >= x2`"""

def half(x: Any) -> Any:
    r"""Converts a number to float16, on GPUs."""

def hamming(M: Any) -> Any:
    r"""The Hamming window."""

def hanning(M: Any) -> Any:
    r"""The Hann window."""

def heaviside(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""0 where `x1` is negative, `x2` where it is 0, 1 where it is positive; NaN stays."""

def histogram(a: Any, bins: Any = 10, range: Any = None) -> Any:
    r"""Numbers of elements in bins, and the edges of the bins."""

def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    r"""[`numpy.split`] along the second axis, or the only one."""

def hstack(tup: Any) -> Any:
    r"""Arrays side by side: along the second axis, or the only one."""

def hypot(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`sqrt(x1**2 + x2**2)` without overflow."""

def identity(n: Any, dtype: Any = None) -> Any:
    r"""The identity matrix of order `n`, float64 unless a dtype is given."""

def iinfo(int_type: Any) -> Any:
    r"""Limits of an integer type."""

def imag(val: Any) -> Any:
    r"""Imaginary parts: a view of a complex array, else zeros."""

def indices(dimensions: Any) -> Any:
    r"""Indices of every element of a shape, axis by axis."""

def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    r"""The elements in C order with values before those at `obj`."""

def int16(x: Any) -> Any:
    r"""Converts a number to int16."""

def int32(x: Any) -> Any:
    r"""Converts a number to int32."""

def int64(x: Any) -> Any:
    r"""Converts a number to int64."""

def int8(x: Any) -> Any:
    r"""Converts a number to int8."""

def int_(x: Any) -> Any:
    r"""Converts a number to int64."""

def intc(x: Any) -> Any:
    r"""Converts a number to int32."""

def interp(x: Any, xp: Any, fp: Any) -> Any:
    r"""Values at `x` of the straight lines between the points (`xp`, `fp`)."""

def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    r"""The sorted elements that both arrays have."""

def intp(x: Any) -> Any:
    r"""Converts a number to int64."""

def invert(x: Any, out: Any = ...) -> Any:
    r"""`~x`"""

def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    r"""Whether numbers are equal within a tolerance."""

def iscomplex(x: Any) -> Any:
    r"""Whether numbers have an imaginary part."""

def iscomplexobj(x: Any) -> Any:
    r"""Whether the elements are of a complex type."""

def isfinite(x: Any, out: Any = ...) -> Any:
    r"""True for neither NaN nor infinity."""

def isin(element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False) -> Any:
    r"""Whether each element is one of `test_elements`; with `invert` whether it is none."""

def isinf(x: Any, out: Any = ...) -> Any:
    r"""True for infinities."""

def isnan(x: Any, out: Any = ...) -> Any:
    r"""True for NaN."""

def isnat(x: Any, out: Any = ...) -> Any:
    r"""True for NaT."""

def isneginf(x: Any, out: Any = None) -> Any:
    r"""Whether numbers are minus infinity."""

def isposinf(x: Any, out: Any = None) -> Any:
    r"""Whether numbers are plus infinity."""

def isreal(x: Any) -> Any:
    r"""Whether numbers have no imaginary part."""

def isrealobj(x: Any) -> Any:
    r"""Whether the elements are of a real type."""

def isscalar(element: Any) -> Any:
    r"""Whether the argument is a number or string."""

def kaiser(M: Any, beta: Any) -> Any:
    r"""The Kaiser window."""

def kron(a: Any, b: Any) -> Any:
    r"""The Kronecker product."""

def lcm(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""Least common multiple."""

def ldexp(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 * 2**x2`"""

def left_shift(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 << x2`, 0 for counts out of range."""

def less(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 < x2`"""

def less_equal(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 <= x2`"""

def linspace(start: Any, stop: Any, num: Any = 50) -> Any:
    r"""`num` numbers from `start` to `stop`, both included."""

def log(x: Any, out: Any = ...) -> Any:
    r"""Natural logarithm."""

def log10(x: Any, out: Any = ...) -> Any:
    r"""Logarithm to base 10."""

def log1p(x: Any, out: Any = ...) -> Any:
    r"""`log(1 + x)`, accurate near 0."""

def log2(x: Any, out: Any = ...) -> Any:
    r"""Logarithm to base 2."""

def logaddexp(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`log(exp(x1) + exp(x2))`"""

def logaddexp2(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`log2(2**x1 + 2**x2)`"""

def logical_and(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`bool(x1) and bool(x2)`"""

def logical_not(x: Any, out: Any = ...) -> Any:
    r"""`not x`"""

def logical_or(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`bool(x1) or bool(x2)`"""

def logical_xor(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`bool(x1) != bool(x2)`"""

def logspace(start: Any, stop: Any, num: Any = 50) -> Any:
    r"""`num` numbers from `10**start` to `10**stop`, each a fixed multiple of the one before."""

def longlong(x: Any) -> Any:
    r"""Converts a number to int64."""

def matrix_transpose(x: Any) -> Any:
    r"""The last two axes exchanged, a view; ValueError if there are no two."""

def max(a: Any) -> Any:
    r"""The greatest element; NaN if there is one; ValueError when empty."""

def maximum(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""The greater; NaN if either is."""

def mean(a: Any) -> Any:
    r"""Arithmetic mean; NaN when empty."""

def median(a: Any) -> Any:
    r"""The element in the middle, or the mean of the two there; NaN if there is one or the array is empty."""

def meshgrid(*xi: Any, indexing: Any = "xy") -> Any:
    r"""Coordinates of a grid: for each argument, as one axis, an array over all axes; the first two change places unless `indexing` is `ij`."""

def min(a: Any) -> Any:
    r"""The smallest element; NaN if there is one; ValueError when empty."""

def minimum(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""The smaller; NaN if either is."""

def mod(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 % x2`, with the sign of `x2`; an integer by 0 gives 0."""

def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    r"""Axes moved to other places, a view."""

def multiply(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 * x2`"""

def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    r"""NaN and infinities replaced by finite numbers."""

def nanargmax(a: Any, axis: Any = None) -> Any:
    r"""Position in C order of the first greatest element that is no NaN."""

def nanargmin(a: Any, axis: Any = None) -> Any:
    r"""Position in C order of the first smallest element that is no NaN."""

def nancumprod(a: Any) -> Any:
    r"""Running products in C order that pass NaN over."""

def nancumsum(a: Any) -> Any:
    r"""Running sums in C order that pass NaN over."""

def nanmax(a: Any) -> Any:
    r"""The greatest element that is no NaN; ValueError when empty."""

def nanmean(a: Any) -> Any:
    r"""Mean of the elements that are no NaN."""

def nanmedian(a: Any) -> Any:
    r"""[`numpy.median`] of the elements that are no NaN."""

def nanmin(a: Any) -> Any:
    r"""The smallest element that is no NaN; ValueError when empty."""

def nanpercentile(a: Any, q: Any) -> Any:
    r"""[`numpy.percentile`] of the elements that are no NaN."""

def nanprod(a: Any) -> Any:
    r"""Product of the elements that are no NaN."""

def nanquantile(a: Any, q: Any) -> Any:
    r"""[`numpy.quantile`] of the elements that are no NaN."""

def nanstd(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0) -> Any:
    r"""Standard deviation of the elements that are no NaN, with `ddof` fewer in the divisor."""

def nansum(a: Any) -> Any:
    r"""Sum of the elements that are no NaN."""

def nanvar(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0) -> Any:
    r"""Variance of the elements that are no NaN, with `ddof` fewer in the divisor."""

def ndenumerate(arr: Any) -> Any:
    r"""Pairs of index and element, in C order."""

def ndindex(*shape: Any) -> Any:
    r"""Every index of a shape as a tuple, the last axis fastest."""

def nditer(arrays: Any) -> Any:
    r"""The elements of an array, or of several broadcast together, as arrays without axes: in C order, or in Fortran order where all arrays of the common rank are contiguous so."""

def negative(x: Any, out: Any = ...) -> Any:
    r"""`-x`"""

def nextafter(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""The next float after `x1` towards `x2`."""

def nonzero(a: Any) -> Any:
    r"""Indices of the elements that are not 0, an array for each axis."""

def not_equal(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 != x2`"""

def ones(shape: Any, dtype: Any = None) -> Any:
    r"""A new array of ones, float64 unless a dtype is given."""

def ones_like(a: Any, dtype: Any = None) -> Any:
    r"""A new array of ones of the shape and type of another."""

def outer(a: Any, b: Any, out: Any = None) -> Any:
    r"""Each element of `a` times each of `b`; into `out` if there is one."""

def partition(a: Any, kth: Any) -> Any:
    r"""A copy in which the `kth` elements along the last axis stand where sorting puts them, smaller ones before."""

def percentile(a: Any, q: Any) -> Any:
    r"""The number that `q` percent of the elements are below, in proportion between two elements."""

def positive(x: Any, out: Any = ...) -> Any:
    r"""`+x`"""

def pow(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 ** x2`"""

def power(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 ** x2`"""

def prod(a: Any) -> Any:
    r"""Product of the elements. Integers and booleans multiply in 64 bits."""

def ptp(a: Any) -> Any:
    r"""The greatest element less the smallest."""

def quantile(a: Any, q: Any) -> Any:
    r"""The number that a fraction `q` of the elements is below, in proportion between two elements."""

def rad2deg(x: Any, out: Any = ...) -> Any:
    r"""Degrees of radians."""

def radians(x: Any, out: Any = ...) -> Any:
    r"""Radians of degrees."""

def ravel(a: Any) -> Any:
    r"""One axis, in C order: a view if the elements lie so in memory, else a copy."""

def real(val: Any) -> Any:
    r"""Real parts: a view of a complex array, else the array or number."""

def reciprocal(x: Any, out: Any = ...) -> Any:
    r"""`1 / x`, truncated for integers."""

def remainder(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 % x2`, with the sign of `x2`; an integer by 0 gives 0."""

def repeat(a: Any, repeats: Any) -> Any:
    r"""Each element in C order as often as `repeats` says."""

def reshape(a: Any, shape: Any) -> Any:
    r"""The elements in C order with another shape, of which one extent may be -1: a view if strides say where they lie, else a copy (on GPUs NotImplementedError)."""

def resize(a: Any, new_shape: Any) -> Any:
    r"""The elements in C order, over and over, in a new shape."""

def right_shift(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 >> x2`, sign fill for counts out of range."""

def rint(x: Any, out: Any = ...) -> Any:
    r"""Rounded to the nearest integer, ties to even."""

def roll(a: Any, shift: Any) -> Any:
    r"""The elements in C order moved on by `shift`, from the end to the beginning."""

def roots(p: Any) -> Any:
    r"""Roots of a polynomial whose highest coefficient is first, of the coefficients' own type: ValueError if those of real coefficients are complex."""

def rot90(m: Any, k: Any = 1) -> Any:
    r"""Turned by `k` right angles in the plane of the first two axes, a view."""

def round(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    r"""Rounded to `decimals` digits, ties to even."""

def round_(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    r"""Rounded to `decimals` digits, ties to even."""

def row_stack(tup: Any) -> Any:
    r"""Arrays below each other: along the first axis, one-dimensional ones as rows."""

def searchsorted(a: Any, v: Any, side: Any = "left") -> Any:
    r"""Where to insert numbers so that `a` stays sorted, before (`left`) or after (`right`) equal ones."""

def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    r"""Each element from the first choice whose condition holds."""

def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    r"""The sorted elements of the first array that the second lacks."""

def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    r"""The sorted elements that one of the arrays has."""

def shape(a: Any) -> Any:
    r"""The shape as a tuple."""

def short(x: Any) -> Any:
    r"""Converts a number to int16."""

def sign(x: Any, out: Any = ...) -> Any:
    r"""-1, 0 or 1; `x / |x|` for complex."""

def signbit(x: Any, out: Any = ...) -> Any:
    r"""True if the sign bit is set."""

def sin(x: Any, out: Any = ...) -> Any:
    r"""Sine."""

def sinc(x: Any) -> Any:
    r"""Normalised sinc, `sin(pi x) / (pi x)`, 1 at 0."""

def single(x: Any) -> Any:
    r"""Converts a number to float32."""

def sinh(x: Any, out: Any = ...) -> Any:
    r"""Hyperbolic sine."""

def size(a: Any) -> Any:
    r"""Number of elements."""

def sort(a: Any) -> Any:
    r"""A copy sorted along the last axis, NaN last."""

def spacing(x: Any, out: Any = ...) -> Any:
    r"""Distance to the next float away from zero."""

def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    r"""Views of the parts of an axis, of one size or between places."""

def sqrt(x: Any, out: Any = ...) -> Any:
    r"""Square root."""

def square(x: Any, out: Any = ...) -> Any:
    r"""`x * x`"""

def stack(arrays: Any, axis: Any = 0) -> Any:
    r"""Arrays of one shape along a new axis."""

def std(a: Any) -> Any:
    r"""Standard deviation of the population."""

def subtract(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 - x2`"""

def sum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    r"""Sum of the elements, over all axes, one or a tuple of them. Integers and booleans add in 64 bits."""

def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    r"""Two axes exchanged, a view."""

def take(a: Any, indices: Any, axis: Any = None) -> Any:
    r"""The elements at places of an axis, or of the elements in C order."""

def take_along_axis(arr: Any, indices: Any, axis: Any) -> Any:
    r"""The elements at places along an axis, line by line."""

def tan(x: Any, out: Any = ...) -> Any:
    r"""Tangent."""

def tanh(x: Any, out: Any = ...) -> Any:
    r"""Hyperbolic tangent."""

def tile(A: Any, reps: Any) -> Any:
    r"""The array so many times along each axis; `reps` counts from the last axis, new axes come first."""

def trace(a: Any, offset: Any = 0) -> Any:
    r"""Sum of a diagonal, in double precision."""

def transpose(a: Any, axes: Any = None) -> Any:
    r"""The axes reversed or permuted, a view."""

def trapezoid(y: Any, x: Any = None, dx: Any = 1.0) -> Any:
    r"""Integral along the last axis by trapezoids."""

def trapz(y: Any, x: Any = None, dx: Any = 1.0) -> Any:
    r"""Integral along the last axis by trapezoids."""

def tri(N: Any, M: Any = None, k: Any = 0) -> Any:
    r"""Ones at and below a diagonal, zeros above."""

def tril(m: Any, k: Any = 0) -> Any:
    r"""A copy with zeros above a diagonal."""

def tril_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    r"""Indices of the elements at and below a diagonal."""

def tril_indices_from(arr: Any, k: Any = 0) -> Any:
    r"""Indices of the elements of a matrix at and below a diagonal."""

def trim_zeros(filt: Any, trim: Any = "fb") -> Any:
    r"""Without zeros at the front (`f`) and back (`b`), a view."""

def triu(m: Any, k: Any = 0) -> Any:
    r"""A copy with zeros below a diagonal."""

def triu_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    r"""Indices of the elements at and above a diagonal."""

def triu_indices_from(arr: Any, k: Any = 0) -> Any:
    r"""Indices of the elements of a matrix at and above a diagonal."""

def true_divide(x1: Any, x2: Any, out: Any = ...) -> Any:
    r"""`x1 / x2`, a float."""

def trunc(x: Any, out: Any = ...) -> Any:
    r"""Rounded towards zero."""

def ubyte(x: Any) -> Any:
    r"""Converts a number to uint8."""

def uint(x: Any) -> Any:
    r"""Converts a number to uint64."""

def uint16(x: Any) -> Any:
    r"""Converts a number to uint16."""

def uint32(x: Any) -> Any:
    r"""Converts a number to uint32."""

def uint64(x: Any) -> Any:
    r"""Converts a number to uint64."""

def uint8(x: Any) -> Any:
    r"""Converts a number to uint8."""

def uintc(x: Any) -> Any:
    r"""Converts a number to uint32."""

def uintp(x: Any) -> Any:
    r"""Converts a number to uint64."""

def ulonglong(x: Any) -> Any:
    r"""Converts a number to uint64."""

def union1d(ar1: Any, ar2: Any) -> Any:
    r"""The sorted elements of both arrays, each once."""

def unique(ar: Any) -> Any:
    r"""The sorted elements, each once."""

def unwrap(p: Any, discont: Any = None, axis: Any = -1, period: Any = 6.283185307179586) -> Any:
    r"""Jumps of more than half a period along the last axis taken out."""

def ushort(x: Any) -> Any:
    r"""Converts a number to uint16."""

def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    r"""Powers of each number in a row, falling unless `increasing`."""

def var(a: Any) -> Any:
    r"""Variance of the population."""

def vdot(a: Any, b: Any) -> Any:
    r"""Inner product of vectors, the first one conjugated."""

def vecdot(x1: Any, x2: Any) -> Any:
    r"""Sum of the products of `x1`, conjugated, and `x2` along the last axis."""

def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    r"""[`numpy.split`] along the first axis."""

def vstack(tup: Any) -> Any:
    r"""Arrays below each other: along the first axis, one-dimensional ones as rows."""

def where(condition: Any, x: Any = ..., y: Any = ...) -> Any:
    r"""`x` where the condition holds, else `y`; with the condition alone [`numpy.nonzero`]."""

def zeros(shape: Any, dtype: Any = None) -> Any:
    r"""A new array of zeros, float64 unless a dtype is given."""

def zeros_like(a: Any, dtype: Any = None) -> Any:
    r"""A new array of zeros of the shape and type of another."""

