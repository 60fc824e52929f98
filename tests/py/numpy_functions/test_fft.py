"""Fourier transforms in compiled code beside NumPy's: values to within rounding; types, shapes and errors exactly."""

import itertools

import numbra as nb
import numpy as np
import numpy.fft as F
import pytest
from numbra.core.errors import TypingError
from numpy.fft import fft as bare_fft

ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
TWO = ["fft2", "ifft2", "rfft2", "irfft2"]
SEVERAL = ["fftn", "ifftn", "rfftn", "irfftn"]
OF_REAL = {"rfft", "ihfft", "rfft2", "rfftn"}
DTYPES = [np.bool_, np.uint16, np.int64, np.float32, np.float64, np.complex64, np.complex128]
NORMS = [None, "backward", "ortho", "forward"]


def njit(source, **options):
    return nb.njit(eval(f"lambda {source}", {"np": np}), **options)


PLAIN = {name: njit(f"a: np.fft.{name}(a)") for name in ONE + TWO + SEVERAL}
FULL = {name: njit(f"a, n, axis, norm: np.fft.{name}(a, n, axis, norm)") for name in ONE}
FULL |= {name: njit(f"a, s, axes, norm: np.fft.{name}(a, s, axes, norm)") for name in TWO + SEVERAL}


def make(shape, dtype=np.float64, seed=1):
    rng = np.random.default_rng(seed)
    a = rng.uniform(-1, 1, shape)
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        a = a + 1j * rng.uniform(-1, 1, shape)
    elif dtype.kind != "f":
        a = abs(a * 100) if dtype.kind == "u" else a * 100
    return a.astype(dtype)


def laid_out(a, layout):
    """The array in C or Fortran order, every second element of another, or read backwards."""
    if layout in "CF":
        return np.array(a, order=layout)
    wide = np.zeros(tuple(2 * n for n in a.shape), a.dtype)
    strided = wide[tuple(slice(None, None, 2) for _ in a.shape)]
    if layout == "R":
        strided = strided[tuple(slice(None, None, -1) for _ in a.shape)]
    strided[...] = a
    return strided


def same(got, want):
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    if want.size:
        scale = np.linalg.norm(want.ravel()) or 1.0
        assert abs(got - want).max() <= 8 * np.finfo(want.dtype).eps * scale


def fits(name, dtype):
    return name not in OF_REAL or np.dtype(dtype).kind != "c"


def check(name, a, *args):
    same(FULL[name](a, *args), getattr(np.fft, name)(a, *args))


def check_error(name, a, *args, text=None):
    with pytest.raises(Exception) as want:
        getattr(np.fft, name)(a, *args)
    with pytest.raises(want.type) as got:
        FULL[name](a, *args)
    assert type(got.value) is want.type
    # NumPy before 2.5 has one message with and without this space.
    assert str(got.value) == str(want.value).replace('","', '", "') and (text is None or text in str(got.value))


@pytest.mark.parametrize("name", ONE + TWO + SEVERAL)
def test_types_and_layouts(name):
    dtypes = DTYPES if name in ONE else [np.int64, np.float32, np.complex64]
    cases = [("C", dtype) for dtype in dtypes] + [(layout, np.float64) for layout in "FR"]
    for layout, dtype in cases:
        if fits(name, dtype):
            a = laid_out(make((5, 6), dtype), layout)
            got = PLAIN[name](a)
            same(got, getattr(np.fft, name)(a))
            assert got.flags.f_contiguous == (layout == "F")
    before = a.copy()
    a.flags.writeable = False
    same(PLAIN[name](a), getattr(np.fft, name)(a))
    assert (a == before).all()


@pytest.mark.parametrize("name", ONE)
def test_lengths(name):
    """Powers of two, products, primes of each algorithm, cut and filled up."""
    for m in (2, 3, 4, 8, 11, 12, 29, 37, 64, 97, 100, 211, 1009, 1024):
        for dtype in (np.float64, np.float32) if name in OF_REAL else (np.complex128, np.complex64):
            a = make(m, dtype, m)
            for n in (1, m - 1, m, m + 1, 2 * m + 3):
                check(name, a, n, -1, None)
    a = make((3, 4, 5))
    for axis, n, norm in itertools.product((0, 1, -1, -3), (2, 7), NORMS[1:]):
        check(name, a, n, axis, norm)
    check(name, a, None, 0, None)


@pytest.mark.parametrize("name", TWO + SEVERAL)
def test_several_axes(name):
    a = make((3, 4, 5, 2))
    for norm in NORMS[1:]:
        check(name, a, None, (0, 2), norm)
        check(name, a, (4, 6), (1, -2), norm)
    check(name, a, (2, -1), (0, 1), None)
    check(name, a, (7,), (2,), None)
    check(name, a, (2, 3, 4, 5), (3, 2, 1, 0), None)
    check(name, a, None, (1, 1), None)
    check(name, a, (9, 3), (0, 0), None)
    if name in SEVERAL:
        check(name, a, None, None, None)
        # NumPy warns that axes should be given.
        same(FULL[name](a, (3, 4), None, None), getattr(np.fft, name)(a, (3, 4), (-2, -1)))


def test_random_shapes():
    rng = np.random.default_rng(7)
    names = ONE + SEVERAL
    for i in range(200):
        name = names[i % len(names)]
        shape = tuple(int(n) for n in rng.integers(2, 14, 3))
        a = laid_out(make(shape, np.float64 if name in OF_REAL else np.complex128, i), "SR"[i % 2])
        norm = NORMS[int(rng.integers(1, 4))]
        if name in ONE:
            check(name, a, int(rng.integers(1, 40)), int(rng.integers(-3, 3)), norm)
            continue
        axes = tuple(int(axis) for axis in rng.permutation(3)[:2])
        s = tuple(int(n) for n in rng.integers(1, 20, 2))
        check(name, a, s, axes, norm)


def test_the_public_names():
    def named(a):
        return F.fft(a), bare_fft(a, norm="ortho"), np.fft.fft(a=a, axis=0, n=3), F.irfft2(a, norm="forward")

    a = make((4, 6))
    for got, want in zip(nb.njit(named)(a), named(a), strict=True):
        same(got, want)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_both_tiers(tier):
    def spectrum(a, norm):
        power = abs(np.fft.rfft(a * np.hanning(len(a)), norm=norm)) ** 2
        return power, np.fft.irfft(np.fft.rfft(a)), np.fft.fftshift(np.fft.fft(a)), np.fft.fftfreq(len(a), 0.25)

    a = make(96)
    for got, want in zip(nb.njit(spectrum, tier=tier)(a, "ortho"), spectrum(a, "ortho"), strict=True):
        same(got, want)


def test_empty_arrays():
    for name in ONE:
        for shape, n, axis in [((0, 4), None, 1), ((0, 4), 7, 1), ((4, 0), 3, 1), ((4, 0), 3, 0)]:
            check(name, np.ones(shape), n, axis, None)
        for shape, n, axis in [((0,), None, 0), ((4, 0), None, 1), ((4,), 0, 0), ((4,), -3, 0)]:
            check_error(name, np.ones(shape), n, axis, None, text="Invalid number of FFT data points")
    for name in "irfft", "hfft":
        check_error(name, np.ones(1), None, -1, None, text="(0) specified")


def test_errors():
    a = np.ones((4, 6))
    for name in ONE:
        check_error(name, a, None, 2, None, text="tuple index out of range")
        check_error(name, a, None, -3, None)
        check_error(name, a, 3, 2, None, text="axis 2 is out of bounds for array of dimension 2")
        check_error(name, a, None, 1, "both", text="Invalid norm value both")
        check_error(name, a, 0, 7, "both")
        check_error(name, a, 3, 7, "both")
    for name in SEVERAL:
        check_error(name, a, None, (0, 5), None, text="index 5 is out of bounds for axis 0 with size 2")
        check_error(name, a, (2, 3), (0, 5), None, text="axis 5 is out of bounds")
        check_error(name, a, (2, -1), (0, 5), None, text="tuple index out of range")
        check_error(name, a, (2, 3), (0,), None, text="Shape and axes have different lengths.")
        check_error(name, a, (2, 0), (0, 1), None, text="data points (0)")
        check_error(name, a, (2, 2), (0, 1), "", text="Invalid norm value")
    for name in TWO:
        with pytest.raises(IndexError, match="index -2 is out of bounds for axis 0 with size 1"):
            PLAIN[name](np.ones(4))
    # Nobody has so much memory; the number of bytes is one, or is none.
    for n in 2**44, 2**60, 2**62:
        with pytest.raises((MemoryError, ValueError)):
            FULL["fft"](np.ones(3), n, -1, None)
        with pytest.raises((MemoryError, ValueError)):
            FULL["fftn"](np.ones(3), (n, 2), (0, 0), None)


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("rfft", (make(3, complex), None, -1, None), "only supported on real arrays"),
        ("ihfft", (make(3, complex), None, -1, None), "only supported on real arrays"),
        ("rfftn", (make(3, complex), None, None, None), "only supported on real arrays"),
        ("fft", (make(3), 2.5, -1, None), "n must be an integer or None"),
        ("fft", (make(3), None, 1.0, None), "axis must be an integer"),
        ("fft", (make(3), None, -1, 3), "norm must be"),
        ("fftn", (make(3), 3, None, None), "s must be a tuple of integers or None"),
        ("fftn", (make(3), None, 0, None), "axes must be a tuple of integers or None"),
        ("fftn", (make(3), None, (), None), "no axis to transform along"),
        ("fft", (make(3).astype(np.float16), None, -1, None), "float16"),
    ],
)
def test_what_has_no_transform(name, args, words):
    with pytest.raises(TypingError, match=words):
        FULL[name](*args)


def test_what_counts_as_an_array():
    f = nb.njit(lambda: (np.fft.fft((1.0, 2.5, 3.0)), np.fft.rfft([1, 2, 5, 7]), np.fft.fftshift([1, 2, 3])))
    for got, want in zip(f(), f.py_func(), strict=True):
        same(got, want) if want.dtype.kind in "fc" else np.testing.assert_array_equal(got, want)


def test_frequencies():
    for name in "fftfreq", "rfftfreq":
        f, g = njit(f"n, d: np.fft.{name}(n, d)"), getattr(np.fft, name)
        for n, d in itertools.product(
            (1, 2, 5, 8, -1 if name == "rfftfreq" else 3), (1.0, 0.1, -2.5, 3, True, 1j, 0.5 + 2j)
        ):
            got, want = f(n, d), g(n, d)
            assert got.dtype == want.dtype and got.shape == want.shape
            np.testing.assert_allclose(got, want, rtol=4e-16)
        assert (njit(f"n: np.fft.{name}(n)")(10) == g(10)).all()
        for n, d in (0, 1.0), (4, 0), (4, 0.0), (3, 0j):
            with pytest.raises(ZeroDivisionError):
                f(n, d)
        with pytest.raises(TypingError, match="n should be an integer"):
            f(5.0, 1.0)
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        njit("n: np.fft.fftfreq(n)")(-1)


def test_shifts():
    for name in "fftshift", "ifftshift":
        plain, along, g = njit(f"x: np.fft.{name}(x)"), njit(f"x, axes: np.fft.{name}(x, axes)"), getattr(np.fft, name)
        cases = [((n,), np.float64, "S") for n in (0, 1, 5, 6)]
        cases += [
            ((4, 5), np.complex128, "F"),
            ((3, 0), np.complex128, "F"),
            ((2, 3, 5), "M8[s]", "C"),
            ((4, 2), "U3", "C"),
        ]
        for shape, dtype, layout in cases:
            x = laid_out(np.arange(np.prod(shape)).reshape(shape).astype(dtype), layout)
            got, want = plain(x), g(x)
            assert got.dtype == want.dtype and (got == want).all()
            for axes in (0, -1, (-1, 0), (0, 0)):
                assert (along(x, axes) == g(x, axes)).all()
        for axes in 2, (0, -3):
            with pytest.raises(IndexError, match="tuple index out of range"):
                along(np.ones((2, 2)), axes)


def test_plans_are_kept_to_a_bound():
    """More lengths than plans are kept, in turn: each is made again."""
    f = PLAIN["fft"]
    rows = [make(n, np.complex128, n) for n in range(20, 60)]
    for _ in range(2):
        for a in rows:
            same(f(a), np.fft.fft(a))
