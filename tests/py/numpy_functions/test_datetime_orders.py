"""Order statistics, set functions and reductions of dates and durations: as NumPy, NaT behind all others."""

import itertools

import numbra as nb
import numpy as np
import pytest

NAT = np.iinfo(np.int64).min
TIERS = ["cranelift", "llvm"]
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]

COUNTS = {
    "some": [5, 3, 9, 2, 5, -4],
    "with NaT": [5, NAT, 3, 8, NAT, 3],
    "NaT first": [NAT, 5, -1],
    "only NaT": [NAT, NAT],
    "one": [7],
    "none": [],
    "ends": [np.iinfo(np.int64).max, NAT + 1, 0, NAT],
}

# Of dates and durations.
ORDERS = """
np.sort(a)
np.argsort(a)
np.argsort(a, kind="mergesort")
a.argsort()
np.argmin(a)
np.argmax(a)
a.argmin()
a.argmax()
np.min(a)
np.max(a)
a.min()
a.max()
np.nanmin(a)
np.nanmax(a)
np.unique(a)
np.searchsorted(np.sort(a), a)
np.searchsorted(np.sort(a), a, side="right")
np.searchsorted(np.sort(a), a[:1][::-1])
np.isin(a, a[1:3])
np.isin(a, a[:0])
np.union1d(a, a[:2])
np.intersect1d(a, a[:2])
np.setdiff1d(a, a[:2])
np.setxor1d(a, a[:2])
np.array_equal(a, a)
np.array_equal(a, a[:2])
np.ptp(a)
np.diff(a)
np.diff(a, 2)
np.ediff1d(a)
np.any(a)
np.all(a)
np.count_nonzero(a)
np.where(a > a, a, a)
np.isnat(a)
np.percentile(a, 30)
np.quantile(a, 0.5)
np.quantile(a, np.array([0.0, 0.25, 0.6, 0.9, 1.0]))
np.nanpercentile(a, np.array([0.0, 50.0]))
np.nanquantile(a, 0.75)
np.quantile(a, 1.5)
np.nanargmin(a)
np.nanargmax(a)
""".strip().splitlines()

# Of durations alone.
SUMS = """
np.sum(a)
a.sum()
np.cumsum(a)
np.mean(a)
a.mean()
np.median(a)
np.nansum(a)
np.nancumsum(a)
np.nanmean(a)
np.nanmedian(a)
np.abs(a)
""".strip().splitlines()


def differences(a, count=1):
    """What `np.diff` is on counts that wrap around; from NumPy 2.5 on its own raises where one does not fit."""
    for _ in range(count):
        lower, upper = a.view(np.int64)[:-1], a.view(np.int64)[1:]
        a = np.where((lower == NAT) | (upper == NAT), NAT, upper - lower).view(f"m8[{np.datetime_data(a.dtype)[0]}]")
    return a


WRAPPING = {"np.diff(a)": differences, "np.diff(a, 2)": lambda a: differences(a, 2), "np.ediff1d(a)": differences}


def outcome(function, *args):
    with np.errstate(all="ignore"):
        try:
            return function(*args)
        except (ValueError, IndexError) as error:
            return type(error)


def compile_text(text, tier="cranelift"):
    function = eval(f"lambda a: {text}", {"np": np})
    return function, nb.njit(function, tier=tier)


def same(got, want, what):
    if isinstance(want, type) or isinstance(got, type):
        assert got is want, what
        return
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (what, got, want)
    if want.dtype.kind in "Mm":
        got, want = got.view(np.int64), want.view(np.int64)
    assert np.array_equal(got, want), (what, got, want)


def arrays(kind, unit, counts):
    a = np.array(counts, np.int64).view(f"{kind}8[{unit}]")
    yield "C", a
    yield "strided", np.repeat(a, 2)[::2]
    yield "backward", a[::-1].copy()[::-1]


# NumPy 2 warns of empty means and gives NaT; of nothing but NaT it says so, too.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["M", "m"])
@pytest.mark.parametrize("text", ORDERS + SUMS)
def test_values(kind, text):
    if kind == "M" and text in SUMS:
        with pytest.raises(nb.errors.TypingError):
            compile_text(text)[1](np.array([1], "M8[D]"))
        return
    function, compiled = compile_text(text)
    function = WRAPPING.get(text, function)
    unit = "D" if kind == "M" else "ns"
    for name, counts in COUNTS.items():
        # Of nothing NumPy gives the mean, which dates have not, or one NaT for several fractions.
        if name == "none" and text.startswith(("np.nanper", "np.nanquan", "np.quantile(a, 1.5")):
            continue
        for layout, a in arrays(kind, unit, counts):
            same(outcome(compiled, a), outcome(function, a), (name, unit, layout))


@pytest.mark.parametrize(
    "text", ["np.sort(a)", "np.unique(a)", "a.max()", "np.argmin(a)", "np.median(a)", "a.sum()", "np.quantile(a, 0.3)"]
)
def test_every_unit(text):
    function, compiled = compile_text(text)
    for unit in UNITS:
        for counts in (COUNTS["some"], COUNTS["with NaT"]):
            a = np.array(counts, np.int64).view(f"m8[{unit}]")
            same(compiled(a), function(a), unit)


@pytest.mark.parametrize("kind", ["M", "m"])
def test_many(kind):
    counts = np.random.default_rng(1).integers(-500, 500, 4000)
    counts[::97] = NAT
    a = counts.view(f"{kind}8[s]")
    for text in (
        "np.sort(a)",
        "np.argsort(a, kind='mergesort')",
        "np.unique(a)",
        "a.min()",
        "np.nanmax(a)",
        "np.isin(a, a[:40])",
    ):
        function, compiled = compile_text(text)
        want = np.argsort(a, kind="stable") if "argsort" in text else function(a)
        same(compiled(a), want, text)
    for k in (0, 7, 3999):
        part = nb.njit(lambda a, k: np.partition(a, k))(a, k)
        same(part[k], np.sort(a)[k], k)
        places = nb.njit(lambda a, k: np.argpartition(a, k))(a, k)
        same(a[places[k]], np.sort(a)[k], k)
        assert sorted(places) == list(range(4000))


@pytest.mark.parametrize("kind", ["M", "m"])
def test_axes_and_places(kind):
    a = np.array([[5, 3, 9], [2, 2, -1]], np.int64).view(f"{kind}8[s]")

    @nb.njit
    def sort(a):
        a.sort()
        return a

    same(sort(a.copy()), np.sort(a), "sort")
    for text in (
        "np.sort(a)",
        "np.argmin(a, axis=0)",
        "np.argmax(a, axis=1)",
        "np.argsort(a)",
        "np.diff(a)",
        "np.min(a)",
        "np.nanargmin(a, axis=1)",
        "np.percentile(a, 40)",
    ):
        function, compiled = compile_text(text)
        for view in (a, a.T, np.asfortranarray(a), a[:, ::2]):
            same(compiled(view), function(view), text)
    if kind == "m":
        for text in ("a.sum(axis=0)", "a.sum(axis=1)", "np.cumsum(a, axis=1)", "np.mean(a)"):
            function, compiled = compile_text(text)
            for view in (a, a.T, a[:, ::2]):
                same(compiled(view), function(view), text)


@pytest.mark.parametrize("kind", ["M", "m"])
def test_limits_and_values(kind):
    a = np.array([5, NAT, -3, 8], np.int64).view(f"{kind}8[s]")
    low, high = a[2:3].view(), a[0]
    clip = nb.njit(lambda a, low, high: np.clip(a, low, high))
    for args in [(a, low[0], high), (a, None, high), (a, low[0], None), (a, a[::-1].copy(), high)]:
        same(clip(*args), np.clip(*args), args)
    search = nb.njit(lambda a, v: np.searchsorted(a, v))
    run = np.sort(a)
    for v in a:
        assert search(run, v) == np.searchsorted(run, v)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", ["M", "m"])
def test_python_functions(kind, tier):
    a = np.array([5, 3, 9, NAT], np.int64).view(f"{kind}8[s]")

    @nb.njit(tier=tier)
    def ends(a, b):
        return min(a, b), max(a, b), min(b, a, b), max(b, a, a)

    for x, y in itertools.product(a, repeat=2):
        same(ends(x, y), ends.py_func(x, y), (x, y))
    # At the finer unit.
    coarse = np.array([1], np.int64).view(f"{kind}8[m]")[0]
    assert ends(a[0], coarse)[:2] == (a[0], coarse)

    known = a[:3]
    same(nb.njit(lambda a: sorted(a), tier=tier)(known), sorted(known), "sorted")
    same(nb.njit(lambda a: sorted(a, reverse=True), tier=tier)(known), sorted(known, reverse=True), "reverse")
    same(nb.njit(lambda a: (min(a), max(a)), tier=tier)(known), (min(known), max(known)), "iterables")


def test_counts_of_durations():
    whole = nb.njit(lambda x: int(x))
    hashed = nb.njit(lambda x: hash(x))
    for count in (5, 0, -7, 2**60):
        x = np.timedelta64(count, "s")
        assert whole(x) == count and hashed(x) == count
    with pytest.raises(nb.errors.TypingError):
        whole(np.datetime64("2020-01-01"))


def test_units_that_differ():
    days, hours = np.array([1, 2], "m8[D]"), np.array([24], "m8[h]")
    for text in ("np.isin(a, b)", "np.array_equal(a, b)", "np.searchsorted(a, b)", "np.setdiff1d(a, b)"):
        compiled = nb.njit(eval(f"lambda a, b: {text}", {"np": np}))
        with pytest.raises(nb.errors.TypingError, match="not counted in one unit"):
            compiled(days, hours)


def test_signs_are_floats():
    """As in NumPy from 2.5 on; before, they were durations."""
    sign = nb.njit(lambda x: np.sign(x))
    for unit in ("D", "ns"):
        durations = np.array([0, 5, -5, NAT, NAT + 1], f"m8[{unit}]")
        got = sign(durations)
        assert got.dtype == np.float64
        np.testing.assert_array_equal(got, [0, 1, -1, np.nan, -1])
        assert type(sign(durations[1])) is float
