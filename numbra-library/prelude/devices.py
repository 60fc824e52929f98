"""What a GPU runs where the CPU calls the runtime: a thread goes through all elements, in C order, and allocates nothing.

Sums are those of Numba on a GPU, from the first element to the last, and not pairwise as on the CPU.
"""

import math
import operator

import numpy as np
from rows import body, method_body, static_if


@body(np.sum, when="Array, None, None")
def device_sum(a, axis, dtype):
    """Sum of the elements; integers and booleans in 64 bits."""
    if static_if("is_unsigned", a.dtype.type(0)):
        total = np.uint64(0)
    elif static_if("is_integral", a.dtype.type(0)):
        total = np.int64(0)
    else:
        total = a.dtype.type(0)
    for i in range(a.size):
        x = a.flat[i]
        total += x
    return total


@body(np.sum, when="Array, None, DTypeLike")
def device_sum_as(a, axis, dtype):
    """Sum of the elements as numbers of the dtype."""
    total = np.dtype(dtype).type(0)
    for i in range(a.size):
        x = a.flat[i]
        total += np.dtype(dtype).type(x)
    return total


@body(np.sum, when="ArrayNd(1), Int, None")
def device_sum_of_axis(a, axis, dtype):
    """Sum of the elements along the only axis."""
    if axis != 0 and axis != -1:
        raise ValueError("axis is out of bounds for array of dimension 1")
    return np.sum(a)


@body(np.prod, when="Array")
def device_prod(a):
    """Product of the elements; integers and booleans in 64 bits."""
    if static_if("is_unsigned", a.dtype.type(0)):
        total = np.uint64(1)
    elif static_if("is_integral", a.dtype.type(0)):
        total = np.int64(1)
    else:
        total = a.dtype.type(1)
    for i in range(a.size):
        x = a.flat[i]
        total *= x
    return total


@body(np.mean, when="Array")
def device_mean(a):
    """Arithmetic mean; NaN when empty."""
    if static_if("is_integral", a.dtype.type(0)):
        total = 0.0
    else:
        total = a.dtype.type(0)
    for i in range(a.size):
        x = a.flat[i]
        total += x
    if static_if("is_integral", a.dtype.type(0)):
        return np.divide(total, a.size)
    else:
        return a.dtype.type(np.divide(total, a.size))


@body(np.var, when="Array")
def device_var(a):
    """Variance of the population."""
    mean = np.mean(a)
    total = 0.0
    for i in range(a.size):
        x = a.flat[i]
        if static_if("is_complex", x):
            total += (x - mean).real ** 2 + (x - mean).imag ** 2
        else:
            total += np.float64(x - mean) ** 2
    return np.divide(total, a.size)


@body(np.std, when="Array")
def device_std(a):
    """Standard deviation of the population."""
    return math.sqrt(np.var(a))


@body(np.min, when="Array")
def device_min(a):
    """The smallest element; NaN if there is one; ValueError when empty."""
    if a.size == 0:
        raise ValueError("zero-size array to reduction operation not possible")
    best = a.flat[0]
    for i in range(a.size):
        x = a.flat[i]
        if static_if("is_complex", x):
            if x.real < best.real or (x.real == best.real and x.imag < best.imag) or (x != x and best == best):
                best = x
        elif static_if("is_bool", x):
            best = best and x
        elif x < best or x != x:
            best = x
    return best


@body(np.max, when="Array")
def device_max(a):
    """The greatest element; NaN if there is one; ValueError when empty."""
    if a.size == 0:
        raise ValueError("zero-size array to reduction operation not possible")
    best = a.flat[0]
    for i in range(a.size):
        x = a.flat[i]
        if static_if("is_complex", x):
            if x.real > best.real or (x.real == best.real and x.imag > best.imag) or (x != x and best == best):
                best = x
        elif static_if("is_bool", x):
            best = best or x
        elif x > best or x != x:
            best = x
    return best


@body(np.argmin, when="Array, None")
def device_argmin(a, axis):
    """Position of the first smallest element, or of the first NaN; ValueError when empty."""
    if a.size == 0:
        raise ValueError("attempt to get argmin of an empty sequence")
    best = a.flat[0]
    found = 0
    for i in range(a.size):
        x = a.flat[i]
        if x < best or (x != x and best == best):
            best = x
            found = i
    return found


@body(np.argmax, when="Array, None")
def device_argmax(a, axis):
    """Position of the first greatest element, or of the first NaN; ValueError when empty."""
    if a.size == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    best = a.flat[0]
    found = 0
    for i in range(a.size):
        x = a.flat[i]
        if x > best or (x != x and best == best):
            best = x
            found = i
    return found


@body(np.argmin, when="ArrayNd(1), Int")
def device_argmin_of_axis(a, axis):
    """As above, along the only axis."""
    if axis != 0 and axis != -1:
        raise ValueError("axis is out of bounds for array of dimension 1")
    return np.argmin(a)


@body(np.argmax, when="ArrayNd(1), Int")
def device_argmax_of_axis(a, axis):
    """As above, along the only axis."""
    if axis != 0 and axis != -1:
        raise ValueError("axis is out of bounds for array of dimension 1")
    return np.argmax(a)


@body(np.any, when="Array")
def device_any(a):
    """True if any element is."""
    for i in range(a.size):
        x = a.flat[i]
        if x:
            return True
    return False


@body(np.all, when="Array")
def device_all(a):
    """True if every element is."""
    for i in range(a.size):
        x = a.flat[i]
        if not x:
            return False
    return True


@body(np.count_nonzero, when="Array, None")
def device_count_nonzero(a, axis):
    """Number of elements that are not zero."""
    count = 0
    for i in range(a.size):
        x = a.flat[i]
        if x:
            count += 1
    return count


@body(np.nansum, when="Array")
def device_nansum(a):
    """Sum of the elements that are no NaN."""
    if static_if("is_unsigned", a.dtype.type(0)):
        total = np.uint64(0)
    elif static_if("is_integral", a.dtype.type(0)):
        total = np.int64(0)
    else:
        total = a.dtype.type(0)
    for i in range(a.size):
        x = a.flat[i]
        if x == x:
            total += x
    return total


@body(np.nanprod, when="Array")
def device_nanprod(a):
    """Product of the elements that are no NaN."""
    if static_if("is_unsigned", a.dtype.type(0)):
        total = np.uint64(1)
    elif static_if("is_integral", a.dtype.type(0)):
        total = np.int64(1)
    else:
        total = a.dtype.type(1)
    for i in range(a.size):
        x = a.flat[i]
        if x == x:
            total *= x
    return total


@body(np.nanmean, when="Array")
def device_nanmean(a):
    """Mean of the elements that are no NaN, in double precision."""
    if static_if("is_complex", a.dtype.type(0)):
        total = np.complex128(0)
    else:
        total = 0.0
    count = 0
    for i in range(a.size):
        x = a.flat[i]
        if x == x:
            total += x
            count += 1
    return np.divide(total, count)


@body(np.nanvar, when="Array, None, None, None, Real")
def device_nanvar(a, axis, dtype, out, ddof):
    """Variance of the elements that are no NaN, with ``ddof`` fewer in the divisor; NaN where none is left."""
    mean = np.nanmean(a)
    total = 0.0
    count = 0
    for i in range(a.size):
        x = a.flat[i]
        if x == x:
            if static_if("is_complex", x):
                total += (x - mean).real ** 2 + (x - mean).imag ** 2
            else:
                total += np.float64(x - mean) ** 2
            count += 1
    if count <= ddof:
        return np.nan
    return np.divide(total, count - ddof)


@body(np.nanstd, when="Array, None, None, None, Real")
def device_nanstd(a, axis, dtype, out, ddof):
    """The root of that variance."""
    return math.sqrt(np.nanvar(a, ddof=ddof))


@body(np.nanmin, when="Array")
def device_nanmin(a):
    """The smallest element that is no NaN, NaN if there is no other; ValueError when empty."""
    if a.size == 0:
        raise ValueError("nanmin(): empty array")
    best = a.flat[0]
    for i in range(a.size):
        x = a.flat[i]
        if static_if("is_complex", x):
            if x.real < best.real or (x.real == best.real and x.imag < best.imag) or best != best:
                best = x
        elif x < best or best != best:
            best = x
    return best


@body(np.nanmax, when="Array")
def device_nanmax(a):
    """The greatest element that is no NaN, NaN if there is no other; ValueError when empty."""
    if a.size == 0:
        raise ValueError("nanmax(): empty array")
    best = a.flat[0]
    for i in range(a.size):
        x = a.flat[i]
        if static_if("is_complex", x):
            if x.real > best.real or (x.real == best.real and x.imag > best.imag) or best != best:
                best = x
        elif x > best or best != best:
            best = x
    return best


@body(np.nanargmin, when="Array, None")
def device_nanargmin(a, axis):
    """Position of the first smallest element that is no NaN; ValueError when there is none."""
    found = -1
    for i in range(a.size):
        x = a.flat[i]
        if x == x and (found < 0 or x < best):
            best = x
            found = i
    if found < 0:
        raise ValueError("All-NaN slice encountered")
    return found


@body(np.nanargmax, when="Array, None")
def device_nanargmax(a, axis):
    """Position of the first greatest element that is no NaN; ValueError when there is none."""
    found = -1
    for i in range(a.size):
        x = a.flat[i]
        if x == x and (found < 0 or x > best):
            best = x
            found = i
    if found < 0:
        raise ValueError("All-NaN slice encountered")
    return found


@body(np.ptp, when="Array")
def device_ptp(a):
    """The greatest element less the smallest."""
    return np.max(a) - np.min(a)


@body(np.array_equal, when="Array, Array")
def device_array_equal(a1, a2):
    """Whether arrays have the same shape and elements."""
    if a1.ndim != a2.ndim:
        return False
    for i in range(a1.ndim):
        if np.shape(a1)[i] != np.shape(a2)[i]:
            return False
    for i in range(a1.size):
        if a1.flat[i] != a2.flat[i]:
            return False
    return True


@body(np.isclose, when="Real, Real, Real, Real, Integral")
def device_isclose(a, b, rtol, atol, equal_nan):
    """Whether numbers are equal within a tolerance."""
    if a == b:
        return True
    if equal_nan and a != a and b != b:
        return True
    if math.isinf(b):
        return False
    return abs(a - b) <= atol + rtol * abs(b)


@body(np.allclose, when="Array, Array, Real, Real, Integral")
def device_allclose(a, b, rtol, atol, equal_nan):
    """Whether all elements of arrays of one size are equal within a tolerance."""
    if a.size != b.size:
        raise ValueError("shape mismatch")
    for i in range(a.size):
        if not np.isclose(a.flat[i], b.flat[i], rtol, atol, equal_nan):
            return False
    return True


@body(np.allclose, when="Array, Real, Real, Real, Integral")
def device_allclose_to(a, b, rtol, atol, equal_nan):
    """Whether all elements are equal to a number within a tolerance."""
    for i in range(a.size):
        x = a.flat[i]
        if not np.isclose(x, b, rtol, atol, equal_nan):
            return False
    return True


@body(np.average, when="Array, None, None")
def device_average(a, axis, weights):
    """Arithmetic mean.

    As `np.mean` computes it: in the type of the elements, in double precision for
    integers and booleans; NaN when empty.

    Along an axis, and with weights, it would need memory,
    which kernels do not have.
    """
    return np.mean(a)


@body(np.vdot, when="ArrayNd(1), ArrayNd(1)")
def device_vdot(a, b):
    """Inner product of vectors, the first one conjugated."""
    if a.size != b.size:
        raise ValueError("incompatible array sizes for np.vdot(a, b)")
    total = a.dtype.type(0)
    for i in range(a.size):
        total += a[i].conjugate() * b[i]
    return total


@body(np.dot, when="ArrayNd(1), ArrayNd(1)")
def device_dot(a, b):
    """Inner product of vectors."""
    if a.size != b.size:
        raise ValueError("incompatible array sizes for np.dot(a, b)")
    total = a.dtype.type(0)
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@body(np.clip, when="Real, Real, Real, None")
def device_clip(a, a_min, a_max, out):
    """The number, ``a_min`` if it is below, ``a_max`` if it is above."""
    return np.minimum(np.maximum(a, a_min), a_max)


@body(np.interp, when="Real, ArrayNd(1), ArrayNd(1)")
def device_interp(x, xp, fp):
    """Value at ``x`` of the straight lines between the points."""
    if xp.size == 0 or xp.size != fp.size:
        raise ValueError("fp and xp are not of the same length.")
    last = xp.size - 1
    at = np.float64(x)
    if at != at:
        return at
    if at <= xp[0]:
        return np.float64(fp[0])
    if at >= xp[last]:
        return np.float64(fp[last])
    i = np.searchsorted(xp, at, "right") - 1
    slope = (np.float64(fp[i + 1]) - fp[i]) / (np.float64(xp[i + 1]) - xp[i])
    return slope * (at - xp[i]) + fp[i]


@body(np.sinc, when="Is(Float64)")
def device_sinc(x):
    """Normalised sinc, ``sin(pi x) / (pi x)``, 1 at 0."""
    if x == 0:
        return np.cos(x)
    y = np.pi * x
    return np.sin(y) / y


@body(np.nan_to_num, when="Is(Float64), Integral, Real, None, None")
def device_nan_to_num(x, copy, nan, posinf, neginf):
    """The number, or a finite one for NaN and infinities."""
    if x != x:
        return np.float64(nan)
    if math.isinf(x):
        return math.copysign(1.7976931348623157e308, x)
    return x


@body(np.where, when="Scalar, Scalar, Scalar")
def device_where(condition, x, y):
    """``x`` if the condition is true, else ``y``."""
    if condition:
        return x
    return y


@body(np.angle, when="Complex, Integral")
def device_angle(z, deg):
    """Angle of a complex number, in radians or degrees."""
    angle = np.arctan2(z.imag, z.real)
    if deg:
        return np.degrees(angle)
    return angle


@body(round, when="Is(Float64), Int")
def device_round_digits(x, ndigits):
    """``x`` rounded to ``ndigits`` decimals, ties to even."""
    if math.isinf(x) or math.isnan(x):
        return x
    if ndigits > 22:
        scale = 10.0 ** (ndigits - 22)
        more = 1e22
    elif ndigits >= 0:
        scale = 10.0**ndigits
        more = 1.0
    else:
        scale = 10.0**-ndigits
        return np.rint(x / scale) * scale
    y = (x * scale) * more
    if math.isinf(y):
        return x
    return (np.rint(y) / more) / scale


@body(round, when="Is(Float32), Int")
def device_round_single(x, ndigits):
    """As above, rounded again to single precision."""
    return np.float32(round(np.float64(x), ndigits))


@body(np.round, when="Is(Float32), Int, None")
def device_round_number(a, decimals, out):
    """As ``round_number``, in single precision."""
    return np.float32(np.round(np.float64(a), decimals))


@method_body(int, "bit_count", when="Int")
def bit_count(x):
    """Bits of the magnitude that are 1."""
    if static_if("is_unsigned", x):
        left = np.uint64(x)
    else:
        left = np.uint64(abs(np.int64(x)))
    count = 0
    while left != 0:
        left = left & (left - np.uint64(1))
        count += 1
    return count


@body(hash, when="Int")
def device_hash(x):
    """CPython's hash of an integer."""
    if static_if("is_unsigned", x):
        rest = np.int64(np.uint64(x) % np.uint64(2305843009213693951))
        return rest
    else:
        value = np.int64(x)
        if value < 0:
            rest = -np.int64(np.uint64(-value) % np.uint64(2305843009213693951))
            if rest == -1:
                return -2
            return rest
        return value % 2305843009213693951


@body(operator.setitem, when="Array, Array, Scalar")
def device_set_mask(a, mask, value):
    """Assigns a number where the mask, of the array's shape, is true."""
    if a.shape != mask.shape:
        raise IndexError("boolean index did not match indexed array")
    for i in range(a.size):
        if mask.flat[i]:
            a.flat[i] = value


@body(operator.setitem, when="ArrayNd(1), ArrayNd(1), Scalar")
def device_set_places(a, places, value):
    """Assigns a number at places of an array with one axis."""
    for i in range(places.size):
        a[places[i]] = value


@body(operator.setitem, when="Array, ArrayNd(1), Scalar")
def device_set_masked_rows(a, mask, value):
    """Assigns a number to the parts of the first axis where the mask is true."""
    if len(a) != mask.size:
        raise IndexError("boolean index did not match indexed array")
    for i in range(mask.size):
        if mask[i]:
            a[i] = value


@body(operator.setitem, when="Array, Array, ArrayNd(1)")
def device_set_masked_values(a, mask, values):
    """Assigns numbers one after the other where the mask, of the array's shape, is true; one number goes everywhere."""
    if a.shape != mask.shape:
        raise IndexError("boolean index did not match indexed array")
    count = 0
    for i in range(mask.size):
        if mask.flat[i]:
            count += 1
    if values.size != 1 and values.size != count:
        raise ValueError("the mask has not as many true elements as there are values")
    at = 0
    for i in range(a.size):
        if mask.flat[i]:
            a.flat[i] = values[at]
            if values.size != 1:
                at += 1


@body(operator.setitem, when="ArrayNd(1), ArrayNd(1), ArrayNd(1)")
def device_set_values(a, places, values):
    """Assigns numbers at places of an array with one axis; one number goes everywhere."""
    if values.size != 1 and values.size != places.size:
        raise ValueError("there are not as many values as places")
    for i in range(places.size):
        if values.size == 1:
            a[places[i]] = values[0]
        else:
            a[places[i]] = values[i]


@body(operator.setitem, when="ArrayNd(1), Slice, UniTuple")
def device_set_items(a, part, items):
    """Assigns the items of a tuple to a part of an array with one axis."""
    view = a[part]
    if view.size != len(items):
        raise ValueError("cannot assign slice from input of different size")
    for i in range(len(items)):
        view[i] = items[i]


@body(np.flip, when="ArrayNd(1)")
def device_flip(m):
    """The elements in reverse order, a view."""
    return m[::-1]


@body(np.flip, when="ArrayNd(2)")
def device_flip_both(m):
    """Both axes in the other direction, a view."""
    return m[::-1, ::-1]


@body(np.flip, when="ArrayNd(3)")
def device_flip_three(m):
    """Three axes in the other direction, a view."""
    return m[::-1, ::-1, ::-1]


@body(np.flipud, when="Array")
def device_flipud(m):
    """The first axis in the other direction, a view."""
    return m[::-1]


@body(np.fliplr, when="ArrayNd(2)")
def device_fliplr(m):
    """The second axis in the other direction, a view."""
    return m[:, ::-1]


@body(np.take, when="Array, Int, None")
def device_take(a, indices, axis):
    """The element at a place in C order; IndexError beyond the ends."""
    if indices < -a.size or indices >= a.size:
        raise IndexError("index is out of bounds")
    if indices < 0:
        return a.flat[indices + a.size]
    return a.flat[indices]


@body(np.trapezoid, when="ArrayNd(1), None, Real")
def device_trapezoid(y, x, dx):
    """Area below points that are ``dx`` apart, by the trapezoidal rule."""
    total = 0.0
    for i in range(y.size - 1):
        total += dx * (np.float64(y[i]) + y[i + 1]) / 2.0
    return total


@body(np.trapezoid, when="ArrayNd(1), ArrayNd(1), Real")
def device_trapezoid_over(y, x, dx):
    """As above, below points at places ``x``."""
    if x.size != y.size:
        raise ValueError("unable to broadcast")
    total = 0.0
    for i in range(y.size - 1):
        total += (np.float64(x[i + 1]) - x[i]) * (np.float64(y[i]) + y[i + 1]) / 2.0
    return total


@body(np.linalg.norm, when="Array, None")
def device_norm(x, ord):
    """The root of the sum of squares, which overflows and underflows only where it must itself."""
    greatest = 0.0
    for i in range(x.size):
        size = np.float64(abs(x.flat[i]))
        if size != size:
            return size
        greatest = max(greatest, size)
    if greatest == 0.0 or math.isinf(greatest):
        return greatest
    total = 0.0
    for i in range(x.size):
        part = np.float64(abs(x.flat[i])) / greatest
        total += part * part
    return greatest * math.sqrt(total)


@body(np.linalg.norm, when="ArrayNd(1), None")
def device_norm_of_vector(x, ord):
    """As above, in the vector's precision."""
    return x.real.dtype.type(np.linalg.norm(x[None, :]))
