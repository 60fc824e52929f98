"""Arrays of every layout in other shapes: elements in C order, views where NumPy makes views, sizes that do not fit."""

import numbra as nb
import numpy as np
import pytest

RECORD = np.dtype([("x", np.int32), ("y", np.float64)])
DTYPES = ("?", "i1", "u2", "i4", "i8", "f4", "f8", "c8", "c16", "M8[s]", "m8[ms]", RECORD)


def filled(shape, dtype):
    n = int(np.prod(shape))
    if dtype == RECORD:
        out = np.zeros(n, RECORD)
        out["x"], out["y"] = np.arange(n), np.arange(n) / 2
    elif np.dtype(dtype).kind in "Mm":
        out = np.arange(n).astype(dtype)
    else:
        out = (np.arange(n) % 3 == 0) if dtype == "?" else np.arange(n).astype(dtype)
    return out.reshape(shape)


def layouts(dtype):
    """Arrays of 24 elements, or none or one, of every layout."""
    a = filled((2, 3, 4), dtype)
    b = filled((4, 6), dtype)
    wide = filled((8, 12), dtype)
    return {
        "C": a,
        "F": np.asfortranarray(a),
        "F 2-D": np.asfortranarray(b),
        "transposed": b.T,
        "axes moved": a.transpose(1, 0, 2),
        "last axes swapped": a.transpose(0, 2, 1),
        "every second": wide[::2, ::2],
        "rows with gaps": wide[:4, :6],
        "columns with gaps": np.asfortranarray(wide)[:4, :6],
        "every second row": wide[::2, :6],
        "backwards": b[::-1],
        "both backwards": b[::-1, ::-1],
        "line backwards": filled((24,), dtype)[::-1],
        "line with gaps": filled((48,), dtype)[::2],
        "one value": np.broadcast_to(filled((1, 1), dtype), (4, 6)),
        "repeated rows": np.broadcast_to(filled((6,), dtype), (4, 6)),
        "repeated columns": np.broadcast_to(filled((4, 1), dtype), (4, 6)),
        "single axes": filled((24,), dtype).reshape(1, 4, 1, 6).transpose(2, 3, 0, 1),
        "n x 1, F": np.asfortranarray(filled((24, 1), dtype)),
        "1 x n of gaps": filled((48, 2), dtype)[::2, :1].T,
    }


SHAPES = (
    (24,), (-1,), (4, 6), (6, 4), (2, 12), (12, -1), (1, 24), (24, 1), (2, 3, 4), (4, 3, 2), (-1, 2, 2),
    (2, 1, 3, 4), (3, 8), (1, 1, 24), (2, 2, 2, 3),
)  # fmt: skip


def method(a, shape):
    return a.reshape(shape)


def function(a, shape):
    return np.reshape(a, shape)


def integers(a, shape):
    match len(shape):
        case 1:
            return a.reshape(shape[0])
        case 2:
            return a.reshape(shape[0], shape[1])
    return a.reshape(shape)


def same_view(got, want, a):
    """Whether a result has the elements of NumPy's, and shares memory where that does."""
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got, want)
    assert np.shares_memory(got, a) == np.shares_memory(want, a)


def test_reshape_is_in_c_order():
    f = nb.njit(method)
    for name, a in layouts("f8").items():
        for shape in SHAPES:
            same_view(f(a, shape), a.reshape(shape), a), (name, shape)


@pytest.mark.parametrize("python", [method, function, integers])
@pytest.mark.parametrize("parallel", [False, True])
def test_every_form_of_reshape(python, parallel):
    f = nb.njit(parallel=parallel)(method if python is integers else python)
    if python is integers:
        f = nb.njit(parallel=parallel)(lambda a, n, m: a.reshape(n, m))
    for a in (layouts("f8")[name] for name in ("C", "F", "transposed", "axes moved", "every second", "backwards")):
        for shape in ((4, 6), (12, -1), (3, 8)):
            got = f(a, *shape) if python is integers else f(a, shape)
            same_view(got, a.reshape(shape), a)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_elements_of_every_type(dtype):
    f = nb.njit(method)
    for name in ("C", "F", "transposed", "every second", "line backwards", "last axes swapped"):
        a = layouts(dtype)[name]
        for shape in ((24,), (3, 8), (2, 2, 6)):
            same_view(f(a, shape), a.reshape(shape), a)


def test_what_is_written_reaches_a_view_only():
    @nb.njit
    def write(a, shape):
        b = a.reshape(shape)
        b[0, 1] = -1
        return b

    for name, a in layouts("f8").items():
        if not a.flags.writeable:
            continue
        for shape in ((4, 6), (12, 2), (3, 8)):
            mine, own = layouts("f8")[name], layouts("f8")[name]
            np.testing.assert_array_equal(write(mine, shape), write.py_func(own, shape))
            np.testing.assert_array_equal(mine, own)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 4)])
def test_nothing_in_other_shapes(shape):
    f = nb.njit(method)
    for a in (
        np.zeros(shape),
        np.asfortranarray(np.zeros(shape)),
        np.zeros((8, 8, 8))[tuple(slice(None, n) for n in shape)],
    ):
        for other in ((0,), (0, 5), (5, 0), (-1,), (-1, 4), (2, 0, 3)):
            assert f(a, other).shape == a.reshape(other).shape


def test_no_axes():
    f = nb.njit(method)
    a = np.array(5.0)
    for shape in ((), (1,), (1, 1), (-1,)):
        same_view(f(a, shape), a.reshape(shape), a)
    for a in (np.ones((1, 1), order="F"), np.ones((3, 3))[1:2, 1:2]):
        same_view(f(a, ()), a.reshape(()), a)


@pytest.mark.parametrize("order", ["C", "F"])
def test_shapes_of_another_size(order):
    f = nb.njit(method)
    for a, shape in (
        (np.zeros((2, 3), order=order), (4,)),
        (np.zeros((2, 3), order=order), (-1, 4)),
        (np.zeros((2, 3), order=order), (0, -1)),
        (np.zeros((0, 3), order=order), (0, -1)),
        (np.zeros((0, 3), order=order), (-1, 0)),
        (np.zeros((0, 3), order=order), (2**32, 2**32)),
        (np.zeros((2, 3), order=order), (3, 2**62, 2**62)),
    ):
        with pytest.raises(ValueError):
            a.reshape(shape)
        with pytest.raises(ValueError, match="total size of new array must be unchanged"):
            f(a, shape)


VIEWS = {
    "ravel": lambda a: a.ravel(),
    "np.ravel": lambda a: np.ravel(a),
    "flatten": lambda a: a.flatten(),
    "T": lambda a: a.T,
    "transpose": lambda a: a.transpose(),
    "np.transpose": lambda a: np.transpose(a),
    "expand_dims": lambda a: np.expand_dims(a, 1),
    "reshape of T": lambda a: a.T.reshape(-1),
    "T of reshape": lambda a: a.reshape((6, 4)).T,
    "reshape twice": lambda a: a.reshape((2, 12)).T.reshape((6, 4)),
    "copy": lambda a: a.copy().reshape(-1),
}


@pytest.mark.parametrize("what", VIEWS)
def test_views_and_copies_of_every_layout(what):
    f = nb.njit(VIEWS[what])
    for a in layouts("i8").values():
        same_view(f(a), VIEWS[what](a), a)


HUGE = {
    "zeros": lambda n, x: np.zeros((n, n)).size,
    "empty": lambda n, x: np.empty((n, n)).size,
    "ones": lambda n, x: np.ones((n, n)).size,
    "full": lambda n, x: np.full((n, n), 2.0).size,
    "zeros of bytes": lambda n, x: np.zeros((n, n), np.int8).size,
    "eye": lambda n, x: np.eye(n, n, 0).size,
    "broadcast_to": lambda n, x: np.broadcast_to(x, (n, n)).flatten().size,
    "broadcast_to, ravel": lambda n, x: np.broadcast_to(x, (n, n)).ravel().size,
    "broadcast_to, no copy": lambda n, x: np.broadcast_to(x, (n, n)).size,
    "broadcast_to of a number": lambda n, x: np.broadcast_to(1.0, (n, n)).size,
    "as_strided": lambda n, x: np.lib.stride_tricks.as_strided(x, (n, n), (0, 0)).size,
    "broadcast_arrays": lambda n, x: np.broadcast_arrays(np.broadcast_to(x, (n, 1)), np.broadcast_to(x, n))[0].size,
    "sum of a row and a column": lambda n, x: (np.broadcast_to(x, (n, 1)) + np.broadcast_to(x, (1, n))).size,
    "outer sum": lambda n, x: np.add(np.broadcast_to(x, (n, 1)), np.broadcast_to(x, (1, n))).size,
    "repeat": lambda n, x: np.repeat(np.zeros(4), n * (n >> 2)).size,
    "repeat each": lambda n, x: np.repeat(np.zeros(4), np.full(4, n * (n >> 2))).size,
    "ndindex": lambda n, x: len([i for i in np.ndindex(n, n)]),
}  # fmt: skip


@pytest.mark.parametrize("what", HUGE)
def test_sizes_that_do_not_fit(what):
    """2^32 x 2^32 elements are 0 modulo 2^64, and four times 2^62 as well."""
    f = nb.njit(HUGE[what])
    with pytest.raises(ValueError, match="too big"):
        f(2**32, np.zeros(1))


# The factors but one have more than 2^63 bytes; 2^58 numbers just fit.
EMPTY = {
    "zeros": (lambda s, x: np.zeros(s).size, True),
    "ones": (lambda s, x: np.ones(s).size, True),
    "empty": (lambda s, x: np.empty(s).size, True),
    "full": (lambda s, x: np.full(s, 1.5).size, True),
    "zeros of bytes": (lambda s, x: np.zeros(s, np.int8).size, True),
    "random": (lambda s, x: np.random.random(s).size, True),
    "broadcast_to": (lambda s, x: np.broadcast_to(x, s).size, False),
    "resize": (lambda s, x: np.resize(x, s).size, False),
}


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("what", EMPTY)
def test_an_extent_of_zero_hides_no_overflow(what, tier):
    python, small = EMPTY[what]
    f = nb.njit(python, tier=tier)
    for shape in ((0, 2**40, 2**40), (2**40, 2**40, 0), (2**40, 0, 2**40), (2**40, 2**23, 0)):
        with pytest.raises(ValueError, match="too big"):
            f(shape, np.zeros(1))
        with pytest.raises(ValueError, match=r"too (big|large)"):
            python(shape, np.zeros(1))
    for shape in ((2**30, 0), (0, 2**58), (2**30, 2**28, 0)):
        assert f(shape, np.zeros(1)) == 0
    assert not small or f((2, 3, 4), np.zeros(1)) == 24
    constant = nb.njit(lambda n: np.zeros((n, 2**40, 0)).shape, tier=tier)
    assert constant(2) == (2, 2**40, 0)
    with pytest.raises(ValueError, match="too big"):
        constant(2**30)


def test_results_without_elements_are_not_too_large_either():
    wide = np.zeros((2**60, 0), np.int8)
    for f in (
        lambda a: a.astype(np.float64),
        lambda a: a + 1.0,
        lambda a: np.zeros_like(a, np.complex128),
        lambda a: np.stack((a, a, a, a, a, a, a, a)),
        lambda a: np.concatenate((a, a, a, a, a, a, a, a)),
    ):
        with pytest.raises(ValueError):
            f(wide)
        with pytest.raises(ValueError):
            nb.njit(f)(wide)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("dtype", ["f8", "i4", "c16", "?", "M8[s]", "m8[D]", [("a", "i4"), ("b", "f8")]])
def test_an_ellipsis_leaves_no_axes_as_they_are(dtype, tier):
    """`z[...]` of an array without axes is a view; `x[0, ...]` is an element, as Numba types it."""

    def views(z, value):
        w = z[...]
        w[...] = value[()]
        return w, z[()], z[...].ndim, w[...].shape, (w[...])[...]

    z, value = np.zeros((), dtype), np.ones((), dtype)
    before = z
    w, item, ndim, shape, again = nb.njit(views, tier=tier)(z, value)
    assert before == value and w == value and again == value and item == value[()]
    assert (ndim, shape, w.shape, w.dtype) == (0, (), (), z.dtype)
    assert np.shares_memory(w, z) and np.shares_memory(again, z)
    if dtype == "f8":
        with pytest.raises(nb.errors.TypingError):
            nb.njit(lambda z: z[..., ...], tier=tier)(z)
        constant = nb.njit(lambda: np.array(2.5)[...], tier=tier)()
        assert constant.shape == () and constant == 2.5
        assert nb.njit(lambda x: x[1, ...], tier=tier)(np.arange(3.0)) == 1.0
        frozen = z.copy()
        frozen.setflags(write=False)
        assert not nb.njit(lambda z: z[...], tier=tier)(frozen).flags.writeable


def test_flip_of_no_axes_is_a_number():
    flip = nb.njit(lambda a: np.flip(a))
    for a in (np.array(5), np.array(2.5), np.array(1j), np.array(7, "M8[D]")):
        got, want = flip(a), np.flip(a)
        assert got == want and not isinstance(got, np.ndarray)


def test_extract_of_nothing():
    extract = nb.njit(lambda c, a: np.extract(c, a))
    for shape in ((0,), (2, 0)):
        for condition in (np.zeros(0, np.bool_), np.zeros(3, np.bool_), np.zeros((2, 0))):
            got, want = extract(condition, np.zeros(shape)), np.extract(condition, np.zeros(shape))
            assert got.shape == want.shape and got.dtype == want.dtype
    with pytest.raises(ValueError, match="condition shape inconsistent"):
        extract(np.ones(1, np.bool_), np.zeros(0))


LONG = [2**31, 2**32 + 1, 2**40, 2**62, 2**63 - 1]


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
def test_triangles_are_counted_before_they_are_made(name):
    function = getattr(np, name)
    compiled = nb.njit(lambda n, k, m: function(n, k, m))
    square = nb.njit(lambda n: function(n))
    for n, k in [(2**62, 0), (2**63 - 1, 0), (2**62, 2**61), (2**62, -(2**61)), (2**63 - 1, 1)]:
        with pytest.raises(ValueError, match="array is too big"):
            square(n)
        with pytest.raises(ValueError, match="array is too big"):
            compiled(n, k, n)
    for n, m in [(0, 3), (3, 0), (3, 3), (2, 5), (5, 2)]:
        for k in range(-6, 7):
            for got, want in zip(compiled(n, k, m), function(n, k, m), strict=True):
                np.testing.assert_array_equal(got, want)
    for n in LONG:
        # Three places of as many rows as there may be.
        where = (n, 1 - n, 1) if name == "tril_indices" else (n, 0, 1)
        rows, columns = compiled(*where)
        assert columns.tolist() == [0] and rows.tolist() == [n - 1 if name == "tril_indices" else 0]
        where = (n, -n, n) if name == "tril_indices" else (n, n, n)
        assert compiled(*where)[0].size == 0


def test_broadcast_arrays_without_axes():
    """Arrays without axes keep that; numbers alone are arrays with one axis, as Numba's."""

    @nb.njit
    def views(a, b):
        return np.broadcast_arrays(a, b)

    zero = np.array(3.0)
    for a, b in ((zero, zero), (zero, 2.0), (zero, np.arange(3.0))):
        assert [one.shape for one in views(a, b)] == [one.shape for one in np.broadcast_arrays(a, b)]
    assert [one.shape for one in views(1, 2)] == [(1,), (1,)]
