"""Values of the device library on a GPU: kernels on edge values beside NumPy and CPython.

    python tests/cuda/device_values.py

Prints a line for each function that differs, and a count; the exit status is 1 if one does. How far a result may be
off is said in units of the last place (ULPs) beside each function: those of CUDA's documentation, and one more for
the reference.
"""

import cmath
import functools
import itertools
import linecache
import math
import operator
import sys

import numpy as np
from numbra import cuda, types
from numbra.cuda import fp16

NAMES = {"np": np, "math": math, "cmath": cmath, "operator": operator, "cuda": cuda, "fp16": fp16, "types": types}
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, math.pi, -math.e, 10.0, 1e-3, -1e-3, 0.1, 100.25]
EDGES += [2.0**-1074, -(2.0**-1060), 2.0**-149, 2.0**-130, 2.0**-1022, 1e-30, 1e30, -1e30, 1e16 + 2, 2.0**31, 2.0**53]
EDGES += [
    1.7e308,
    -1.7e308,
    math.inf,
    -math.inf,
    math.nan,
    88.5,
    89.5,
    -104.0,
    709.5,
    710.0,
    -746.0,
    26.5,
    170.5,
    171.7,
]
INTEGERS = [0, 1, -1, 2, -2, 3, 7, -7, 63, 64, 127, -128, 255, 2**31 - 1, -(2**31), 2**31, 2**62, 2**63 - 1, -(2**63)]

counts = {"checked": 0, "failed": 0}


@functools.cache
def kernel(statement, parameters):
    """``statement`` at each element ``i`` of ``r``, the first parameter, or once if it does not name ``i``."""
    lines = statement.split("\n")
    if "[i]" in statement:
        lines = ["i = cuda.grid(1)", "if i < r.size:", *("    " + line for line in lines)]
    text = f"def kernel({parameters}):\n    " + "\n    ".join(lines) + "\n"
    file = f"<kernel {statement}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = dict(NAMES)
    exec(compile(text, file, "exec"), names)
    return cuda.jit(names["kernel"])


def run(statement, parameters, *arrays, view=None):
    """What a kernel leaves in its first argument; ``view`` of the last one is what it gets."""
    on_device = [cuda.to_device(a) for a in arrays]
    if view is not None:
        on_device[-1] = view(on_device[-1])
    size = arrays[0].size
    grid = (size + 127) // 128 if "[i]" in statement else 1
    kernel(statement, parameters)[max(grid, 1), 128 if "[i]" in statement else 1](*on_device)
    return on_device[0].copy_to_host()


def ordered(x):
    """Floats as integers in their order."""
    bits = x.view({2: np.int16, 4: np.int32, 8: np.int64}[x.dtype.itemsize]).astype(object)
    least = -(1 << (8 * x.dtype.itemsize - 1))
    return np.where(bits < 0, least - bits, bits)


def distance(got, want):
    """ULPs between floats of one type; NaNs are one value."""
    if got.dtype.kind == "c":
        return np.maximum(distance(got.real.copy(), want.real.copy()), distance(got.imag.copy(), want.imag.copy()))
    if got.dtype.kind != "f":
        return np.where(got == want, 0, 1 << 62)
    nan = np.isnan(got) | np.isnan(want)
    both = np.isnan(got) & np.isnan(want)
    away = np.abs(ordered(np.where(nan, 0, got).astype(got.dtype)) - ordered(np.where(nan, 0, want).astype(got.dtype)))
    return np.where(both, 0, np.where(nan, 1 << 62, away))


def check(what, got, want, ulps=0, given=(), *, near=0.0, signed=True):
    """Counts and prints a difference that is more than the ULPs and than ``near``.

    Without ULPs the signs of zeros must agree too, if they are ``signed``.
    """
    got, want = np.atleast_1d(np.asarray(got)), np.atleast_1d(np.asarray(want))
    counts["checked"] += 1
    with np.errstate(all="ignore"):
        want = want.astype(got.dtype)
    if got.shape != want.shape:
        counts["failed"] += 1
        print(f"FAIL {what}: shape {got.shape} instead of {want.shape}")
        return
    away = distance(got, want)
    bad = np.array(away > ulps, bool)
    if near:
        bad &= ~np.array(np.abs(got - want) <= near, bool)
    if not ulps and signed and got.dtype.kind == "f":
        bad |= np.array((got == 0) & (want == 0) & (np.signbit(got) != np.signbit(want)), bool)
    if bad.any():
        counts["failed"] += 1
        at = tuple(np.argwhere(bad)[0])
        where = [a[at] if np.ndim(a) else a for a in given]
        print(f"FAIL {what}: {got[at]!r} instead of {want[at]!r} for {where} at {at}; {bad.sum()} of {bad.size}")


def in_double(function, *arrays):
    """A function of CPython on each element; its errors are NaN, or infinite."""

    def one(*values):
        try:
            return function(*map(float, values))
        except ValueError:
            return None
        except (OverflowError, ZeroDivisionError):
            return None

    with np.errstate(all="ignore"):
        return np.array([one(*values) for values in zip(*arrays, strict=True)], object)


#: Functions of one number: ULPs in single and double precision.
UNARY = {
    "sin": (3, 3), "cos": (3, 3), "tan": (5, 3), "asin": (5, 3), "acos": (5, 3), "atan": (3, 3), "sinh": (4, 3),
    "cosh": (3, 3), "tanh": (3, 3), "asinh": (4, 4), "acosh": (5, 4), "atanh": (4, 3), "exp": (3, 2), "expm1": (3, 2),
    "log": (2, 2), "log2": (2, 2), "log10": (3, 2), "log1p": (2, 2), "sqrt": (1, 0), "erf": (3, 3), "erfc": (5, 6),
    "lgamma": (8, 6), "gamma": (12, 14), "fabs": (0, 0), "degrees": (1, 1), "radians": (1, 1), "exp2": (3, 2),
}  # fmt: skip
#: Absolute differences that are allowed too: near its zeros the logarithm loses digits, also CPython's.
NEAR = {"lgamma": (3e-7, 1e-15)}
BINARY = {"atan2": (4, 3), "pow": (5, 3), "fmod": (0, 0), "copysign": (0, 0), "hypot": (4, 3), "remainder": (0, 0)}


def mathematics():
    """``math`` where CPython gives a number; where it raises, a GPU gives what ufuncs give."""
    for name, bounds in (UNARY | BINARY).items():
        function = getattr(math, name)
        for dtype, ulps in zip((np.float32, np.float64), bounds, strict=True):
            with np.errstate(all="ignore"):
                edges = np.array(EDGES, dtype)
            if name in UNARY:
                arrays = [edges]
            else:
                arrays = [np.array(side, dtype) for side in zip(*itertools.product(edges, edges), strict=True)]
            given = ", ".join("ab"[: len(arrays)])
            used = ", ".join(f"{letter}[i]" for letter in "ab"[: len(arrays)])
            got = run(f"r[i] = math.{name}({used})", f"r, {given}", np.zeros(arrays[0].size, dtype), *arrays)
            want = in_double(function, *arrays)
            known = np.array([value is not None for value in want])
            with np.errstate(all="ignore"):
                # What overflows only in single precision is infinite there.
                values = np.array(want[known], np.float64)
            near = NEAR.get(name, (0.0, 0.0))[dtype is np.float64]
            check(f"math.{name} {dtype.__name__}", got[known], values, ulps, [a[known] for a in arrays], near=near)


#: NumPy's ufuncs into arrays: operands, ULPs.
UFUNCS = {
    "sin": (1, 3), "cos": (1, 3), "exp": (1, 2), "exp2": (1, 2), "expm1": (1, 2), "log": (1, 2), "log2": (1, 2),
    "log10": (1, 2), "log1p": (1, 2), "arctan": (1, 3), "arcsinh": (1, 4), "tanh": (1, 3), "sqrt": (1, 0),
    "cbrt": (1, 2),
    "floor": (1, 0), "ceil": (1, 0), "trunc": (1, 0), "rint": (1, 0), "fabs": (1, 0), "absolute": (1, 0),
    "negative": (1, 0), "square": (1, 0), "reciprocal": (1, 0), "sign": (1, 0), "deg2rad": (1, 1), "rad2deg": (1, 1),
    "add": (2, 0), "subtract": (2, 0), "multiply": (2, 0), "divide": (2, 0), "maximum": (2, 0), "minimum": (2, 0),
    "copysign": (2, 0), "fmod": (2, 0), "nextafter": (2, 0), "floor_divide": (2, 0), "remainder": (2, 1),
    "arctan2": (2, 3), "hypot": (2, 3), "power": (2, 3), "heaviside": (2, 0), "logaddexp": (2, 4), "logaddexp2": (2, 4),
}  # fmt: skip


def ufuncs():
    """Ufuncs on all edge values and pairs of them, and on arrays with strides."""
    edges = np.array(EDGES)
    left, right = (np.array(side) for side in zip(*itertools.product(edges, edges), strict=True))
    for name, (count, ulps) in UFUNCS.items():
        arrays = [edges] if count == 1 else [left, right]
        given = ", ".join("ab"[:count])
        with np.errstate(all="ignore"):
            want = getattr(np, name)(*arrays)
        got = run(f"np.{name}({given}, r)", f"r, {given}", np.zeros(arrays[0].size), *arrays)
        # Which zero an extreme of both is depends on NumPy's build.
        signed = name not in ("maximum", "minimum")
        check(f"np.{name}", got, want, ulps, arrays, signed=signed)
        for strided in (slice(None, None, -1), slice(1, None, 3), slice(0, 0)):
            parts = [a[strided] for a in arrays]
            with np.errstate(all="ignore"):
                want = getattr(np, name)(*parts)
            words = f"{strided.start}:{strided.stop}:{strided.step}".replace("None", "")
            used = ", ".join(f"{letter}[{words}]" for letter in "ab"[:count])
            got = run(f"np.{name}({used}, r)", f"r, {given}", np.zeros(parts[0].size), *arrays)
            check(f"np.{name} of [{words}]", got, want, ulps, parts, signed=signed)


def extremes():
    """Python's ``min`` and ``max``, ``np.fmin`` and ``np.fmax``: a NaN loses, whichever it is."""
    for dtype in (np.float32, np.float64):
        with np.errstate(all="ignore"):
            edges = np.array(EDGES, dtype)
        left, right = (np.array(side, dtype) for side in zip(*itertools.product(edges, edges), strict=True))
        for name, reference in {"min": np.fmin, "max": np.fmax, "np.fmin": np.fmin, "np.fmax": np.fmax}.items():
            got = run(f"r[i] = {name}(a[i], b[i])", "r, a, b", np.zeros(left.size, dtype), left, right)
            # Which zero it is, nobody says.
            check(f"{name} {dtype.__name__}", got + dtype(0), reference(left, right) + dtype(0), 0, (left, right))


def integers():
    """Operators and bits of integers of all widths."""
    for bits, kind in itertools.product((8, 16, 32, 64), "iu"):
        dtype = np.dtype(f"{kind}{bits // 8}")
        values = np.array(sorted({n % 2**bits for n in INTEGERS}), np.uint64).astype(f"u{bits // 8}").view(dtype)
        unsigned = values.view(f"u{bits // 8}").tolist()
        n = values.size
        for name, reference in {
            "popc": [u.bit_count() for u in unsigned],
            "clz": [bits - u.bit_length() for u in unsigned],
            "ffs": [(u & -u).bit_length() for u in unsigned],
        }.items():
            got = run(f"r[i] = cuda.{name}(a[i])", "r, a", np.zeros(n, np.int64), values)
            check(f"cuda.{name} {dtype}", got, np.array(reference), 0, (values,))
        left, right = (np.array(side, dtype) for side in zip(*itertools.product(values, values), strict=True))
        nonzero = right != 0
        left, right = left[nonzero], right[nonzero]
        wide = np.uint64 if kind == "u" else np.int64
        for symbol in ("+", "-", "*", "//", "%", "&", "|", "^"):
            # Numba computes in 64 bits; those wrap.
            pairs = zip(left.tolist(), right.tolist(), strict=True)
            function = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv}
            function |= {"%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor}
            want = np.array([function[symbol](a, b) % 2**64 for a, b in pairs], np.uint64).view(wide)
            got = run(f"r[i] = a[i] {symbol} b[i]", "r, a, b", np.zeros(left.size, wide), left, right)
            check(f"{symbol} {dtype}", got, want, 0, (left, right))
        if kind == "i":
            got = run("r[i] = hash(a[i])", "r, a", np.zeros(n, np.int64), values)
            check(f"hash {dtype}", got, np.array([hash(v) for v in values.tolist()]), 0, (values,))


def halves():
    """Half floats: conversions of all of them, arithmetic on edge values, atomic sums."""
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    check("float16 to float32", run("r[i] = a[i]", "r, a", np.zeros(every.size, np.float32), every), every)
    numbers = every[~np.isnan(every)]
    got = run("r[i] = types.float16(a[i])", "r, a", np.zeros(numbers.size, np.float16), numbers.astype(np.float64))
    check("float64 to float16", got, numbers)
    edges = np.array(
        [0, -0.0, 1, -1, 0.5, 3, 65504, -65504, 6e-8, 6.1e-5, np.inf, -np.inf, np.nan, 0.1, 100], np.float16
    )
    left, right = (np.array(side, np.float16) for side in zip(*itertools.product(edges, edges), strict=True))
    for name, ufunc in {"hadd": np.add, "hsub": np.subtract, "hmul": np.multiply, "hdiv": np.divide}.items():
        got = run(f"r[i] = fp16.{name}(a[i], b[i])", "r, a, b", np.zeros(left.size, np.float16), left, right)
        with np.errstate(all="ignore"):
            check(f"fp16.{name}", got, ufunc(left, right), 0, (left, right))
    for name, ufunc in {
        "hsqrt": np.sqrt,
        "hfloor": np.floor,
        "hrint": np.rint,
        "habs": np.abs,
        "hneg": np.negative,
    }.items():
        with np.errstate(all="ignore"):
            want = ufunc(edges)
        check(f"fp16.{name}", run(f"r[i] = fp16.{name}(a[i])", "r, a", np.zeros(edges.size, np.float16), edges), want)
    total = np.zeros(2, np.float16)
    got = cuda.to_device(total)
    kernel("cuda.atomic.add(r, 0, a[0])\ncuda.atomic.sub(r, 1, a[0])", "r, a")[1, 128](got, np.ones(1, np.float16))
    check("atomic sums of float16", got.copy_to_host(), np.array([128, -128], np.float16))


#: Functions of complex numbers and their ULPs, where the result is no difference of near numbers.
COMPLEX = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh"


def complexes():
    """``cmath`` of numbers with finite squares, where CPython gives one; parts within 1e-12 of the whole."""
    parts = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-300, 1e100, -1e100, 3.0]
    values = np.array([complex(re, im) for re in parts for im in parts])
    for name in COMPLEX.split():
        got = run(f"r[i] = cmath.{name}(a[i])", "r, a", np.zeros(values.size, np.complex128), values)
        for value, one in zip(values.tolist(), got.tolist(), strict=True):
            try:
                want = getattr(cmath, name)(value)
            except (ValueError, OverflowError):
                continue
            counts["checked"] += 1
            whole = max((abs(x) for x in (want.real, want.imag) if math.isfinite(x)), default=0.0)
            for x, y in ((one.real, want.real), (one.imag, want.imag)):
                same = x == y or (x != x and y != y)
                if not (same or abs(x - y) <= 1e-12 * whole):
                    counts["failed"] += 1
                    print(f"FAIL cmath.{name}({value}): {one} instead of {want}")
                    break


REDUCTIONS = (
    "sum prod mean var std min max any all count_nonzero nansum nanprod nanmean nanmin nanmax argmin argmax median"
)
EMPTY = "sum prod any all count_nonzero nansum nanprod"


def reductions():
    """Reductions of arrays with NaNs, with strides, of two axes, and of nothing."""
    generator = np.random.default_rng(1)
    plain = generator.normal(size=101)
    with_nan = plain.copy()
    with_nan[[3, 50]] = np.nan
    rows = plain[:100].reshape(4, 25)
    arrays = {"normal": plain, "with NaN": with_nan, "of two axes": rows, "Fortran": np.asfortranarray(rows)}
    arrays |= {"single": plain.astype(np.float32), "bools": plain > 0, "one": plain[:1], "empty": np.zeros(0)}
    arrays |= {"integers": generator.integers(-9, 9, 50), "small": np.array([200, 100, 250], np.uint8)}
    arrays |= {"infinite": np.array([1.0, np.inf, -2.0]), "zeros": np.array([0.0, -0.0, 0.0])}
    cases = {what: (array, None) for what, array in arrays.items()}
    cases["reversed"] = plain, lambda a: a[::-1]
    cases["every third"] = plain, lambda a: a[::3]
    cases["transposed"] = rows, lambda a: a.T
    for name in REDUCTIONS.split():
        for what, (array, view) in cases.items():
            if (array.size == 0 and name not in EMPTY.split()) or (
                array.dtype == bool and name in ("median", "std", "var")
            ):
                continue
            if array.dtype == bool and name.startswith(("nan", "arg")):
                continue
            got = run(f"r[0] = np.{name}(a)", "r, a", np.zeros(1), array, view=view)
            seen = array if view is None else view(array)
            with np.errstate(all="ignore"):
                want = getattr(np, name)(seen.astype(np.float64) if array.dtype == np.float32 else seen)
            counts["checked"] += 1
            close = 1e-5 if array.dtype == np.float32 else 1e-12
            if not np.allclose(got[0], np.float64(want), rtol=close, atol=close, equal_nan=True):
                counts["failed"] += 1
                print(f"FAIL np.{name} of {what}: {got[0]} instead of {want}")


def arrays():
    """Views, searches and assignments of arrays."""
    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
    m = x > 2
    square = x.reshape(2, 3)
    cases = {
        "np.flip(a)": np.flip(x), "np.flipud(a)": np.flipud(x), "a[::-2]": x[::-2], "np.take(a, -1)": np.take(x, -1),
        "np.median(a)": np.median(x), "np.linalg.norm(a)": np.linalg.norm(x), "np.trapezoid(a)": 17.0,
        "np.digitize(4.0, a[:1])": 1, "np.expand_dims(a, 0)[0]": x, "np.expand_dims(a, 1)[:, 0]": x,
        "np.flip(a.reshape(2, 3))[0]": np.flip(square)[0], "np.expand_dims(a, -1)[3]": x[3:4],
        "np.fliplr(a.reshape(2, 3))[1]": np.fliplr(square)[1], "np.swapaxes(a.reshape(2, 3), 0, 1)[2]": square.T[2],
        "np.swapaxes(a.reshape(2, 3), 1, -1)[1]": square[1], "len('abc')": 3,
    }  # fmt: skip
    for expression, want in cases.items():
        size = np.size(want)
        got = run(f"r[:] = {expression}", "r, a", np.zeros(size), x)
        check(expression, got, np.asarray(want, np.float64).reshape(-1), 2)
    for value in ([3.0, 4.0], [1e200, 1e200], [1e-200, 1e-200], [0.0, 0.0], [np.inf, 1.0], [np.nan, 1.0]):
        got = run("r[0] = np.linalg.norm(a)", "r, a", np.zeros(1), np.array(value))
        check(f"np.linalg.norm({value})", got, np.array([math.hypot(*value)]), 2)
    masked = run("r[m] = 7", "r, m", x.copy(), m)
    check("r[m] = 7", masked, np.where(m, 7, x))
    check("r[1:3] = (1, 2)", run("r[1:3] = (1, 2)", "r", x.copy()), np.array([3.0, 1, 2, 1, 5, 9]))
    places = np.array([0, -1, 2])
    check("r[places] = 8", run("r[p] = 8", "r, p", x.copy(), places), np.array([8.0, 1, 8, 1, 5, 8]))
    for name in ("ldca", "ldcg", "ldcs", "ldlu", "ldcv"):
        check(f"cuda.{name}", run(f"r[i] = cuda.{name}(a, i)", "r, a", np.zeros(6), x), x)
    for name in ("stcg", "stcs", "stwb", "stwt"):
        check(f"cuda.{name}", run(f"cuda.{name}(r, i, a[i])\nr[i]", "r, a", np.zeros(6), x), x)
    for dtype, text in (("U5", "'h\u00e9llo!'"), ("U5", "''"), ("S5", "b'hello!'"), ("S5", "b'x'")):
        got = run(f"r[i] = {text}", "r", np.full(3, "zzzzz").astype(dtype))
        counts["checked"] += 1
        if not (got == np.array([eval(text)] * 3, dtype)).all():
            counts["failed"] += 1
            print(f"FAIL {dtype} array of {text}: {got}")


def main() -> int:
    """Runs everything; the exit status."""
    for part in (mathematics, ufuncs, extremes, integers, halves, complexes, reductions, arrays):
        part()
    print(f"{counts['checked']} checked, {counts['failed']} differ")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    sys.exit(main())
