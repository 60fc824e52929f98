"""Iteration over the elements of arrays of any layout: `a.flat` and `np.ndenumerate(a)` read in place, in C order."""

import numbra as nb
import numpy as np
import pytest

TIERS = ("cranelift", "llvm")


def flat(a):
    out = []
    for x in a.flat:
        out.append(x)
    return out


def enumerated(a):
    out = []
    for ix, x in np.ndenumerate(a):
        out.append((ix, x))
    return out


def numbered(a):
    out = []
    for i, (x, (ix, y)) in enumerate(zip(a.flat, np.ndenumerate(a))):  # noqa: B905
        out.append((i, x, ix, y))
    return out


def two_at_once(a):
    # The inner loop starts anew for each element of the outer one.
    out = []
    for x in a.flat:
        for ix, y in np.ndenumerate(a):
            out.append((x, ix, y))
            if len(out) % 5 == 0:
                break
    return out


def by_hand(a):
    # An iterator that has ended stays at its end.
    it = iter(a.flat)
    out = []
    for _ in range(3):
        for x in it:
            out.append(x)
            if len(out) == 2:
                break
    return out


def total(a):
    s = a.flat[0] - a.flat[0]
    for x in a.flat:
        s += x
    return s


def positions(a):
    s = 0
    for ix, x in np.ndenumerate(a):
        if x == a[ix]:
            s += 1
    return s, len(a.flat)


def is_in(a):
    return 3 in a, 125 in a


def arrays(dtype):
    """Views of every layout."""
    grid = np.arange(60).astype(dtype).reshape(6, 10)
    cube = np.arange(120).astype(dtype).reshape(4, 5, 6)
    hyper = np.arange(2 * 3 * 2 * 4).astype(dtype).reshape(2, 3, 2, 4)
    packed = np.zeros((3, 4), dtype=[("x", "i1"), ("v", dtype)])
    packed["v"] = grid[:3, :4]
    readonly = np.asfortranarray(grid)
    readonly.flags.writeable = False
    line = np.arange(12).astype(dtype)
    return {
        "C": grid,
        "F": np.asfortranarray(grid),
        "transposed": grid.T,
        "columns": grid[:, ::3],
        "rows": grid[::2],
        "backwards": grid[::-1, ::-1],
        "a part": grid[1:4, 2:7],
        "dense rows": grid[2:5][::1],
        "F, read-only": readonly,
        "broadcast rows": np.broadcast_to(line[:4], (3, 4)),
        "broadcast columns": np.broadcast_to(line[:3].reshape(3, 1), (3, 4)),
        "one value": np.broadcast_to(line[5], (2, 3)),
        "packed field": packed["v"],
        "one row": np.asfortranarray(grid)[:1],
        "one column": grid[:, :1],
        "cube F": np.asfortranarray(cube),
        "cube axes": cube.transpose(1, 2, 0),
        "cube parts": cube[::2, 1:4, ::-2],
        "dense cube": cube[1:3][::1],
        "four axes": hyper.transpose(3, 0, 2, 1),
        "line": line,
        "strided line": line[::3],
        "reversed line": line[::-1],
        "broadcast line": np.broadcast_to(line[1:2], 4),
        "no axes": np.array(3).astype(dtype),
    }


def empty(dtype):
    return {
        "no rows": np.zeros((0, 3), dtype, order="F"),
        "no columns": np.zeros((3, 0), dtype, order="F"),
        "none of a part": np.zeros((4, 6), dtype)[:, 3:3],
        "no rows of a part": np.zeros((4, 6), dtype)[2:2, ::2],
        "middle": np.zeros((3, 0, 2), dtype, order="F"),
        "outer": np.zeros((0, 3, 2), dtype).transpose(1, 0, 2),
        "inner": np.zeros((0, 3, 2), dtype).T,
        "line": np.zeros(6, dtype)[3:3:2],
    }


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("dtype", ["f8", "i4", "u1", "c16", "?"])
@pytest.mark.parametrize("tier", TIERS)
def test_elements_in_order(tier, dtype):
    for f in (flat, enumerated, numbered, positions):
        compiled = nb.njit(tier=tier)(f)
        for name, a in {**arrays(dtype), **empty(dtype)}.items():
            assert plain(compiled(a)) == plain(f(a)), (f.__name__, name)


@pytest.mark.parametrize("tier", TIERS)
def test_layouts_that_only_types_tell(tier):
    # Arrays without gaps or elements, as what is known of arrays with gaps.
    for f in (flat, enumerated, numbered, by_hand):
        inner = nb.njit(tier=tier)(f)
        for ndim in (1, 2, 3):
            ty = nb.types.Array(nb.float64, ndim, "A")
            general = nb.njit([(ty,)], tier=tier)(f)
            fortran = nb.njit(eval("lambda a: f(np.asfortranarray(a))", {"f": inner, "np": np}), tier=tier)
            for name, a in {**arrays("f8"), **empty("f8")}.items():
                if a.ndim == ndim:
                    expected = plain(f(a))
                    if a.flags.writeable and a.flags.aligned:
                        assert plain(general(a)) == expected, (f.__name__, name)
                    assert plain(fortran(a)) == expected, (f.__name__, name)


@pytest.mark.parametrize("tier", TIERS)
def test_iterators_of_their_own(tier):
    for f in (two_at_once, by_hand):
        compiled = nb.njit(tier=tier)(f)
        for name, a in {**arrays("f8"), **empty("f8")}.items():
            if a.size <= 40:
                assert plain(compiled(a)) == plain(f(a)), (f.__name__, name)


@pytest.mark.parametrize("dtype", ["f8", "i8", "f4", "i2"])
@pytest.mark.parametrize("tier", TIERS)
def test_sums_and_searches(tier, dtype):
    sums, search = nb.njit(tier=tier)(total), nb.njit(tier=tier)(is_in)
    for name, a in arrays(dtype).items():
        assert sums(a) == a.astype("f8").sum(), name
        assert search(a) == ((a == 3).any(), False), name


def writes_ahead(a):
    s = 0.0
    for ix, x in np.ndenumerate(a):
        if ix == (0, 0):
            a[1, 0] = 9.0
        s += x
    return s


def counts_up(a):
    s = 0.0
    for x in a.flat:
        a[3, 1] += 1
        s += x
    return s


def doubles(a):
    # Each element is read after the one before has been written through `flat`.
    i = 0
    for x in a.flat:
        if i + 1 < a.size:
            a.flat[i + 1] = 2 * x + 1
        i += 1
    return i


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("f", [writes_ahead, counts_up, doubles])
def test_writes_are_seen(tier, f):
    compiled = nb.njit(tier=tier)(f)
    makers = {
        "C": lambda: np.zeros((4, 2)),
        "F": lambda: np.zeros((4, 2), order="F"),
        "transposed": lambda: np.zeros((2, 4)).T,
        "strided": lambda: np.zeros((4, 6))[:, ::3],
        "dense": lambda: np.zeros((6, 2))[1:5][::1],
        "backwards": lambda: np.zeros((4, 2))[::-1, ::-1],
    }
    for name, make in makers.items():
        ours, theirs = make(), make()
        assert compiled(ours) == f(theirs), name
        assert ours.tolist() == theirs.tolist(), name
    if f is writes_ahead:
        assert compiled(makers["F"]()) == 9.0
    if f is counts_up:
        assert compiled(makers["F"]()) == 7.0


def test_lines_are_not_copied():
    @nb.njit
    def f(a):
        s = 0.0
        for x in a.flat:
            a[-1] += 1
            s += x
        for (i,), x in np.ndenumerate(a):
            a[0] = 5.0
            s += x * (i + 1)
        return s

    for make in (lambda: np.zeros(8)[::2], lambda: np.zeros(4)[::-1], lambda: np.zeros(4)):
        assert f(make()) == f.py_func(make())


def test_nothing_is_allocated():
    @nb.njit
    def first(a):
        for x in a.flat:
            if x >= 1:
                return x
        return 0.0

    @nb.njit
    def first_index(a):
        for ix, x in np.ndenumerate(a):
            if ix[1] == 7:
                return ix, x
        return (0, 0), 0.0

    huge = np.broadcast_to(np.float64(2), (10**7, 10**6))
    assert first(huge) == 2.0
    assert first_index(huge) == ((0, 7), 2.0)
    assert first(np.broadcast_to(np.float64(2), 10**13)) == 2.0
    # Rows without elements are not walked through.
    general = nb.njit([(nb.types.Array(nb.float64, 2, "A", readonly=True),)])(first.py_func)
    assert general(np.broadcast_to(np.zeros((0, 1)), (0, 10**12))) == 0.0
    assert general(np.broadcast_to(np.zeros((1, 0)), (10**12, 0))) == 0.0


def test_records_and_text():
    @nb.njit
    def widths(a):
        s = 0
        for r in a.flat:
            s += r.v
            r.v += 1
        for ix, r in np.ndenumerate(a):
            s += r.v * (ix[0] + 10 * ix[1])
        return s

    @nb.njit
    def found(a, text):
        for ix, x in np.ndenumerate(a):
            if x == text:
                return ix
        return (-1, -1)

    def make():
        a = np.zeros((3, 4), dtype=[("x", "i1"), ("v", "i8")])
        a["v"] = np.arange(12).reshape(3, 4)
        return a.T

    def in_python(a):
        return int(a["v"].sum() + sum((int(a[i]["v"]) + 1) * (i[0] + 10 * i[1]) for i in np.ndindex(a.shape)))

    expected = in_python(make())
    assert widths(make()) == expected
    words = np.array([["a", "bc", "d"], ["e", "fg", "h"]]).T
    assert found(words, "fg") == (1, 1)
    assert found(words, "x") == (-1, -1)


def test_the_array_lives_while_it_is_iterated():
    @nb.njit
    def f(n):
        a = np.arange(float(n * n)).reshape(n, n).T
        s = 0.0
        for x in a.flat:
            a = np.zeros((2, 2)).T
            s = s * 2 + x + a[0, 0]
        return s

    assert f(4) == f.py_func(4)


def test_generators_over_elements():
    @nb.njit
    def elements(a):
        for x in a.flat:
            yield x
        for ix, x in np.ndenumerate(a):
            yield x + 100 * ix[-1]

    @nb.njit
    def total_of(a):
        s = 0.0
        for x in elements(a):
            s = s / 2 + x
        return s

    def python(a):
        s = 0.0
        for x in elements.py_func(a):
            s = s / 2 + x
        return s

    for name, a in {**arrays("f8"), **empty("f8")}.items():
        if a.ndim:
            assert list(elements(a)) == list(elements.py_func(a)), name
            assert total_of(a) == python(a), name
    # What was written while the generator waited is read.
    a = np.zeros((3, 2), order="F")
    steps = elements(a)
    assert next(steps) == 0.0
    a[0, 1] = 4.0
    assert next(steps) == 4.0


def test_types_of_iterators():
    from numbra.core.types import Array, NumpyFlatType, NumpyNdEnumerateType

    seen = []

    def step(it):
        return next(it)

    @nb.extending.overload(step)
    def step_of(it):
        seen.append(it)
        return lambda it: next(it)

    @nb.njit
    def f(a):
        return step(iter(a.flat)), step(np.ndenumerate(a))

    assert f(np.ones((2, 3), order="F")) == (1.0, ((0, 0), 1.0))
    flat_type, pairs_type = dict.fromkeys(seen)
    assert (type(flat_type), type(pairs_type)) == (NumpyFlatType, NumpyNdEnumerateType)
    assert flat_type.array_type == pairs_type.array_type == Array(nb.float64, 2, "F")
    assert (flat_type.yield_type, flat_type.dtype) == (nb.float64, nb.float64)
    assert pairs_type.yield_type == nb.types.Tuple((nb.types.UniTuple(nb.int64, 2), nb.float64))
