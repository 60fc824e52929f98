"""Functions of NumPy at single numbers, complex quotients, exponentials and powers, at the ends of their domains."""

import cmath
import itertools
import math
import sys

import numbra as nb
import numpy as np
import pytest

EDGES = [0.0, -0.0, 1.0, -2.5, 1e-320, 709.0, 709.5, 710.0, 1000.0, 1419.0, 3000.0, -745.0, -800.0]
EDGES += [np.inf, -np.inf, np.nan]
CORNERS = np.array([complex(re, im) for re, im in itertools.product(EDGES, EDGES)])


def close(got, want, ulps):
    """Whether both are the same special value, or numbers so many units of the last place apart."""
    if np.isnan(want) or np.isinf(want) or want == 0:
        return np.array_equal(got, want, equal_nan=True) and (np.isnan(want) or np.signbit(got) == np.signbit(want))
    return abs(got - want) <= ulps * np.spacing(abs(want))


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", ["exp", "exp2"])
def test_complex_exponentials(name, kind, tier):
    function = getattr(np, name)

    @nb.njit(tier=tier)
    def each(z):
        return function(z)

    z = CORNERS.astype(kind)
    with np.errstate(all="ignore"):
        want = function(z.astype(np.complex128)).astype(kind)
    ulps = 4 if kind == np.complex128 else 1
    for x, got, expected in zip(z, each(z), want, strict=True):
        if name == "exp2" and not np.isfinite(x):
            continue  # NumPy scales by log 2 before: what it says of infinite parts differs by version.
        assert close(got.real, expected.real, ulps), (x, got, expected)
        assert close(got.imag, expected.imag, ulps), (x, got, expected)


PARTS = [0.0, -0.0, 1.0, -2.5, 5e-324, -1e-320, 2.2250738585072014e-308, 1e-300, 1e300, -1.7e308]
PARTS += [np.inf, -np.inf, np.nan]


def roots_agree(got, want, ulps, unit):
    """Whether parts agree to some units of the last place, and in their signs where they are zero or infinite."""
    for g, w in ((got.real, want.real), (got.imag, want.imag)):
        if np.isnan(w):
            if not np.isnan(g):
                return False
        elif np.isinf(w) or w == 0:
            if g != w or np.signbit(g) != np.signbit(w):
                return False
        elif abs(g - w) > ulps * unit(abs(w)):
            return False
    return True


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("form", ["np.sqrt(z)", "cmath.sqrt(z)"])
def test_complex_roots(form, tier):
    root = nb.njit(eval(f"lambda z: {form}", {"np": np, "cmath": cmath}), tier=tier)
    each = nb.njit(lambda a: np.sqrt(a), tier=tier)
    z = np.array([complex(re, im) for re, im in itertools.product(PARTS, PARTS)])
    with np.errstate(all="ignore"):
        for x, of_array in zip(z, each(z), strict=True):
            want = cmath.sqrt(x)
            free = np.isinf(x.real) and x.real < 0 and np.isnan(x.imag)  # The sign of the infinity is any.
            for got in (root(x), of_array):
                assert free or roots_agree(got, want, 2, np.spacing), (x, got, want)
        # Parts of which the squares overflow or vanish in single precision.
        parts = np.array(
            [0.0, -0.0, 1.5, -2.5, 1e-45, -1e-40, 1.2e-38, 1e-30, 3e38, -1e30, np.inf, -np.inf, np.nan], np.float32
        )
        for re, im in itertools.product(parts, parts):
            x = np.array([complex(re, im)], np.complex64)
            want = np.complex64(cmath.sqrt(complex(re, im)))
            free = np.isneginf(re) and np.isnan(im)
            assert free or roots_agree(each(x)[0], want, 2, np.spacing), (x, each(x)[0], want)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
@pytest.mark.parametrize("n", [-1, -2, -3])
def test_negative_powers_of_complex_arrays(n, kind):
    z = np.array([1 + 2j, -1 - 0.5j, 2j, -3.0, 0.5 - 4j], kind)
    power = nb.njit(eval(f"lambda z: z ** {n}"))
    want = z**n
    got = power(z)
    assert got.dtype == want.dtype and np.allclose(got, want, rtol=1e-5 if kind == np.complex64 else 1e-13)
    if n == -1:
        assert np.array_equal(np.signbit(got.imag), np.signbit(want.imag))


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("n", [3, 4, 7, 12, 16, 17])
def test_constant_powers_of_arrays(n, kind, tier):
    # The exponent is a constant of the program.
    power = nb.njit(eval(f"lambda x: x ** {n}"), tier=tier)
    named = nb.njit(eval(f"lambda x: np.power(x, {n}.0)", {"np": np}), tier=tier)
    x = np.array([0.0, -0.0, 1.5, -2.25, 1e-30, 1e30, np.inf, -np.inf, np.nan, 0.3], kind)
    with np.errstate(all="ignore"):
        want = x.astype(np.float64) ** n
    assert power(x).dtype == kind and named(x).dtype == np.float64
    for got in (power(x), power(x[::-1])[::-1], named(x)):
        with np.errstate(all="ignore"):
            rounded = want.astype(got.dtype)
        for a, b in zip(got, rounded, strict=True):
            assert close(a, b, n), (a, b)


def same_number(a, b):
    return np.array_equal(a, b, equal_nan=True)


REALS = [0.0, -0.0, 1.0, 1.0 + 1e-9, -3.5, 1e-9, np.inf, -np.inf, np.nan, 5e-324, 1.7e308]


@pytest.mark.parametrize("kinds", [(float, float), (np.float32, float), (int, float), (float, int), (int, int)])
def test_isclose(kinds):
    plain = nb.njit(lambda a, b: np.isclose(a, b))
    given = nb.njit(lambda a, b: np.isclose(a, b, 0.5, 1e-3, True))
    numbers = [[kind(x) for x in REALS if kind is float or abs(x) < 9] for kind in kinds]
    for a, b in itertools.product(*numbers):
        want = np.float64(a), np.float64(b)
        assert plain(a, b) == np.isclose(*want)
        assert given(a, b) == np.isclose(*want, 0.5, 1e-3, equal_nan=True)
    x, y = np.array(list(itertools.product(*numbers))).T
    assert same_number(plain(x, y), np.isclose(x, y))
    assert same_number(plain(x[::-2], y[::-2]), np.isclose(x[::-2], y[::-2]))
    assert same_number(plain(x[:, None], 1.0), np.isclose(x[:, None], 1.0))
    assert given(x, y).dtype == np.bool_
    assert nb.njit(lambda a, b: np.allclose(a, b))(x, y) == np.allclose(x, y)
    assert nb.njit(lambda a, b: np.allclose(a, b))(y[:0], x[:0])


def test_isclose_of_long_arrays():
    allclose = nb.njit(lambda a, b: np.allclose(a, b))
    x = np.linspace(1, 2, 5000)
    assert allclose(x, x + 1e-12)
    for place in (0, 1023, 1024, 4999):
        y = x.copy()
        y[place] += 1e-3
        assert not allclose(x, y)


def test_nan_to_num():
    plain = nb.njit(lambda x: np.nan_to_num(x))
    given = nb.njit(lambda x: np.nan_to_num(x, True, 2.5))
    in_place = nb.njit(lambda x: np.nan_to_num(x, copy=False))
    for x in REALS:
        assert same_number(plain(x), np.nan_to_num(x))
        assert same_number(given(x), np.nan_to_num(x, nan=2.5))
        assert np.signbit(plain(x)) == np.signbit(np.nan_to_num(x))
    for kind in (np.float32, np.float64):
        with np.errstate(over="ignore"):
            x = np.array(REALS * 3).astype(kind)
        for view in (x, x[::-2], x.reshape(3, -1), np.asfortranarray(x.reshape(3, -1)), x[:0]):
            assert same_number(plain(view), np.nan_to_num(view))
        same = in_place(x)
        assert np.shares_memory(same, x) and not np.isnan(x).any()


def test_angle_and_sinc():
    angle = nb.njit(lambda z: np.angle(z))
    degrees = nb.njit(lambda z: np.angle(z, True))
    for z in CORNERS:
        assert close(angle(z), np.angle(z), 2)
        assert close(degrees(z), np.angle(z, True), 3)
    assert nb.typeof(angle(np.complex64(1j))) == nb.float64  # a scalar comes back as Python's float
    sinc = nb.njit(lambda x: np.sinc(x))
    for x in [*REALS[:6], 1e-20, 0.5, 17.25, np.nan]:
        assert np.isclose(sinc(x), np.sinc(x), 1e-12, 1e-15, equal_nan=True)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint64, np.float32, np.float64, np.complex128, np.bool_])
@pytest.mark.parametrize("size", [0, 1, 16, 17, 40])
@pytest.mark.parametrize("invert", [False, True])
def test_isin(kind, size, invert):
    isin = nb.njit(lambda x, s: np.isin(x, s, invert=invert))
    x = np.arange(50).astype(kind)
    if x.dtype.kind in "fc":
        x[3] = np.nan
    chosen = (np.arange(size) * 3 % 61).astype(kind)
    for view in (x, x[::-3], x.reshape(5, 10), x[:0]):
        np.testing.assert_array_equal(isin(view, chosen), np.isin(view, chosen, invert=invert))
    if x.dtype.kind in "fc" and size:
        chosen[-1] = np.nan
        np.testing.assert_array_equal(isin(x, chosen), np.isin(x, chosen, invert=invert))


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.float64])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(kind, side):
    search = nb.njit(lambda a, x: np.searchsorted(a, x, side))
    rng = np.random.default_rng(3)
    for size in (0, 1, 2, 7, 50):
        run = np.sort(rng.integers(-9, 9, size)).astype(kind)
        x = np.arange(-10, 11).astype(kind)
        if kind != np.int64:
            x = np.concatenate((x, np.array([np.nan, np.inf, -np.inf, -0.0], kind)))
            if size > 2:
                run[-2:] = np.nan
        np.testing.assert_array_equal(search(run, x), np.searchsorted(run, x, side))


@pytest.mark.parametrize("kind", [np.int16, np.float64, np.complex128])
def test_argpartition(kind):
    argpartition = nb.njit(lambda x, k: np.argpartition(x, k))
    x = (np.random.default_rng(5).integers(-50, 50, (3, 40))).astype(kind)
    for view in (x, x[:, ::-1], x.T, x[0]):
        for k in (0, 2, view.shape[-1] - 1, -1):
            places = argpartition(view, k)
            assert places.dtype == np.int64
            for line, at in zip(np.atleast_2d(view), np.atleast_2d(places), strict=True):
                assert sorted(at) == list(range(line.size))
                found, middle = line[at], np.sort(line)[k]
                k_at = k % line.size
                assert found[k_at] == middle
                assert np.all(np.sort(found[:k_at]) == np.sort(line)[:k_at])
    with pytest.raises(ValueError, match="kth out of bounds"):
        argpartition(x, 40)


def test_array_equal():
    equal = nb.njit(lambda a, b: np.array_equal(a, b))
    x = np.arange(12.0).reshape(3, 4)
    assert equal(x, x) and equal(x, x.copy(order="F")) and equal(x, x.astype(np.int64))
    assert equal(x[:0], x[:0]) and equal(np.array([0.0]), np.array([-0.0]))
    assert not equal(x, x.T) and not equal(x, x + 1e-9)
    y = x.copy()
    y[1, 1] = np.nan
    assert not equal(y, y)
    assert equal(x > 3, x > 3) and not equal(x > 3, x > 4)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_complex_quotients_are_pythons(tier):
    quotient = nb.njit(tier=tier)(lambda x, y: x / y)
    parts = (0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan, 1e308, 5e-324, 3.0)
    numbers = [complex(re, im) for re, im in itertools.product(parts, repeat=2)]
    for x, y in itertools.product(numbers, repeat=2):
        if y == 0:
            with pytest.raises(ZeroDivisionError, match="complex division by zero"):
                quotient(x, y)
            continue
        want, got = x / y, quotient(x, y)
        # CPython 3.14 and later make zeros and infinities of quotients whose parts both are NaN, as annex G of C says.
        if sys.version_info >= (3, 14) and math.isnan(got.real) and math.isnan(got.imag):
            continue
        for a, b in (want.real, got.real), (want.imag, got.imag):
            assert (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b)), (x, y, want, got)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_directions_of_complex_numbers(kind, tier):
    z = np.array([complex(re, im) for re, im in itertools.product(PARTS, PARTS)]).astype(kind)
    with np.errstate(all="ignore"):
        want = np.sign(z)
    for x, got, expected in zip(z, nb.njit(lambda a: np.sign(a), tier=tier)(z), want, strict=True):
        assert roots_agree(got, expected, 3, np.spacing), (x, got, expected)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_negative_powers_of_complex_arrays_never_raise(kind, tier):
    least = 1e-200 if kind == np.complex128 else 1e-30
    z = np.array([least * 1j, 1, 0, 2 - 1j, complex(np.nan, 1), -least], kind)
    for model in ("python", "numpy"):
        by_sign = nb.njit(lambda z, n: z**n, tier=tier, error_model=model)
        by_name = nb.njit(lambda z, n: np.power(z, n), tier=tier, error_model=model)
        for n in (-1, -2, -3, -7, -100, 3):
            with np.errstate(all="ignore"):
                want = np.power(z, kind(n))
            for power in (by_sign, by_name):
                np.testing.assert_allclose(power(z, kind(n)), want, rtol=1e-4 if kind == np.complex64 else 1e-12)
        square = nb.njit(lambda z: z**-2, tier=tier, error_model=model)
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(square(z), z ** kind(-2), rtol=1e-4 if kind == np.complex64 else 1e-12)
    with np.errstate(all="ignore"):
        want = np.float_power(z, -2)
    np.testing.assert_allclose(nb.njit(lambda z: np.float_power(z, -2), tier=tier)(z), want)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_powers_of_a_complex_zero_raise(tier):
    exponents = [-1, -2, -100, -1000, -0.5, -2.0, 1j, -1 + 0j, 2 + 1j]
    for n in exponents:
        for text in (f"z ** ({n})", "z ** n", "pow(z, n)"):
            power = nb.njit(eval(f"lambda z, n: {text}"), tier=tier)
            assert power(2j, n) == pytest.approx(2j**n)
            with pytest.raises(ZeroDivisionError, match=r"0\.0 to a negative or complex power"):
                power(0j, n)
    power = nb.njit(lambda z, n: z**n, tier=tier)
    for n in (0, 1, 2, 0.5, 0j, 2 + 0j):
        assert power(0j, n) == 0j**n
    with pytest.raises(ZeroDivisionError, match=r"0\.0 to a negative or complex power"):
        power(1e-200j, -2)
    quiet = nb.njit(lambda z, n: z**n, tier=tier, error_model="numpy")
    assert np.isnan(quiet(0j, -2))


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_round_leaves_integers_as_they_are(tier):
    f = nb.njit(lambda x: round(x), tier=tier)
    numbers = [0, -1, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63), np.uint64(2**64 - 1), np.int8(-128), np.uint8(255)]
    for x in [*numbers, True, np.uint32(2**32 - 1)]:
        got = f(x)
        assert got == int(x) and type(got) is int, x
    assert f(2.5) == 2 and f(np.float32(3.5)) == 4
