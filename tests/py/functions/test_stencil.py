"""Stencils. The oracle is CPython, which calls the kernel for each element on arrays whose subscripts count from it."""

import copy
import gc
import itertools
import pickle
import subprocess
import sys

import numbra as nb
import numpy as np
import pytest
from numbra.core import errors


class Around:
    """An array as a kernel sees it at an element."""

    def __init__(self, array, at):
        self.array, self.at = array, at
        self.shape, self.ndim = array.shape, array.ndim

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        assert len(parts) == len(self.at)
        moved = []
        for part, at in zip(parts, self.at, strict=True):
            if isinstance(part, slice):
                moved.append(slice(part.start + at, part.stop + at, part.step))
            else:
                assert part + at >= 0
                moved.append(part + at)
        return self.array[tuple(moved)]


def applied(kernel, args, reach, dtype, cval=0, out=None, standard=()):
    """The result of a stencil, by the interpreter."""
    names = kernel.__code__.co_varnames
    first = args[0]
    if out is None:
        out = np.full(first.shape, cval, dtype)
    ranges = [range(max(0, -low), n - max(0, high)) for n, (low, high) in zip(first.shape, reach, strict=True)]
    for at in itertools.product(*ranges):
        given = [
            Around(arg, at) if isinstance(arg, np.ndarray) and name not in standard else arg
            for name, arg in zip(names, args, strict=False)
        ]
        out[at] = kernel(*given)
    return out


def mean5(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


def second_difference(a):
    return a[-1] - 2 * a[0] + a[1]


def ahead(a):
    return a[2]


def cube(a):
    return a[-1, 0, 1] + a[0, 2, 0] * a[0, 0, -1]


def four(a):
    return a[0, 0, 0, 0] - a[0, 1, 0, -1]


def weighted(a, b, w):
    return w * (a[0, 1] + a[-1, 0]) + b[1, 0]


def chosen(a, b, mask):
    return a[0, 0] if mask[0, 0] else b[0, 0]


def branches(a):
    if a[0, 1] > 10:
        return 10.0
    elif a[0, 3] < 8:
        return a[0, 0]
    return 7.0


def unrolled(a):
    step = 1
    total = a[0, step]
    for weight in (2.0, 3.0):
        total += weight * a[step, 0]
    return total


def xor(a):
    return a[-1, 0] ^ a[1, 0]


def widened(a):
    return a[0] + np.float64(0.5)


def imaginary(a):
    return a[0, 0] + 1j


def roots(a):
    root = np.sqrt(np.abs(a[1, 0]))
    return root + np.hypot(a[0, 0], a[0, -2])


def shaped(a):
    return a[0] * len(a.shape) + a.shape[0]


@nb.njit
def doubled(x):
    return 2 * x


def calls(a):
    return doubled(a[-1]) + a[0]


GRID = np.arange(42.0).reshape(6, 7) ** 1.5
LINE = np.arange(20.0) ** 2
CROSS = ((-1, 1), (-1, 1))
#: Kernel, arguments, how far it reaches, element type of the result.
KERNELS = [
    (mean5, [GRID], CROSS, "f8"),
    (mean5, [GRID.astype("i4")], CROSS, "f8"),
    (mean5, [np.asfortranarray(GRID)], CROSS, "f8"),
    (mean5, [GRID[::2, ::-1]], CROSS, "f8"),
    (mean5, [GRID[:1]], CROSS, "f8"),
    (mean5, [GRID[:2, :2]], CROSS, "f8"),
    (mean5, [np.zeros((0, 4))], CROSS, "f8"),
    (mean5, [np.zeros((4, 0))], CROSS, "f8"),
    (mean5, [GRID.astype("c16") * 1j], CROSS, "c16"),
    (second_difference, [LINE], [(-1, 1)], "f8"),
    (second_difference, [LINE.astype("i8")], [(-1, 1)], "i8"),
    (second_difference, [LINE[::-3]], [(-1, 1)], "f8"),
    (second_difference, [np.array([1.0, np.nan, np.inf, -np.inf, 0.0, -0.0])], [(-1, 1)], "f8"),
    (ahead, [LINE], [(0, 2)], "f8"),
    (ahead, [LINE.astype("f4")], [(0, 2)], "f4"),
    (ahead, [LINE[:2]], [(0, 2)], "f8"),
    (cube, [np.arange(120.0).reshape(4, 5, 6)], [(-1, 0), (0, 2), (-1, 1)], "f8"),
    (four, [np.arange(128).reshape(4, 8, 2, 2)], [(0, 0), (0, 1), (0, 0), (-1, 0)], "i8"),
    (weighted, [GRID, GRID.T.copy().T, 0.25], [(-1, 1), (0, 1)], "f8"),
    (weighted, [GRID, np.arange(90).reshape(9, 10), 3], [(-1, 1), (0, 1)], "f8"),
    (chosen, [GRID, -GRID, GRID > 20], [(0, 0), (0, 0)], "f8"),
    (branches, [GRID], [(0, 0), (0, 3)], "f8"),
    (unrolled, [GRID], [(0, 1), (0, 1)], "f8"),
    (xor, [GRID > 20], [(-1, 1), (0, 0)], "?"),
    (widened, [LINE.astype("f4")], [(0, 0)], "f8"),
    (imaginary, [GRID], [(0, 0), (0, 0)], "c16"),
    (roots, [GRID], [(0, 1), (-2, 0)], "f8"),
    (shaped, [LINE], [(0, 0)], "f8"),
    (calls, [LINE], [(-1, 0)], "f8"),
]


def ways(stencil, count):
    """A stencil as Python and as compiled code call it."""
    args = ", ".join(f"a{n}" for n in range(count))
    scope = {"stencil": stencil}
    exec(f"def compiled({args}): return stencil({args})", scope)
    return {
        "python": stencil,
        "njit": nb.njit(scope["compiled"]),
        "parallel": nb.njit(parallel=True)(scope["compiled"]),
    }


@pytest.mark.parametrize(("kernel", "args", "reach", "dtype"), KERNELS)
def test_kernels(kernel, args, reach, dtype):
    expected = applied(kernel, args, reach, dtype)
    for way, function in ways(nb.stencil(kernel), len(args)).items():
        for _ in range(2):
            got = function(*args)
            assert got.dtype == np.dtype(dtype), way
            np.testing.assert_array_equal(got, expected, err_msg=way)


def running(a):
    total = 0
    for i in range(-3, 1):
        total += a[i]
    return total / 4


def window(a):
    total = 0
    for i in range(-2, 2):
        for j in range(1, 3):
            total += a[i, j]
    return total


def median(a):
    return np.median(a[-1:2, 0:2])


def every_other(a):
    return a[-2:3:2].sum()


def by_tuple(a):
    at = (-1, 1)
    return a[at] + a[0, 0]


def below(a, b):
    return a[0] + b[2]


@pytest.mark.parametrize(
    ("kernel", "args", "reach", "options"),
    [
        (running, [LINE], [(-3, 0)], {}),
        (running, [LINE[:2]], [(-3, 0)], {}),
        (window, [GRID], [(-2, 1), (1, 2)], {}),
        (window, [GRID], [(-3, 3), (-1, 2)], {"cval": -1}),
        (median, [GRID], [(-1, 1), (0, 1)], {}),
        (every_other, [LINE], [(-2, 2)], {}),
        (by_tuple, [GRID], [(-1, 0), (0, 1)], {}),
        (below, [LINE, LINE[:4]], [(0, 0)], {"standard_indexing": ("b",)}),
        (below, [LINE, [1.0, 2.0, 3.0]], [(0, 0)], {"standard_indexing": "b", "cval": 5}),
        (below, [LINE, (1.0, 2.0, 3.0)], [(0, 0)], {}),
    ],
)
def test_neighborhoods(kernel, args, reach, options):
    stencil = nb.stencil(kernel, neighborhood=tuple(reach), **options)
    cval, standard = options.get("cval", 0), options.get("standard_indexing", ())
    expected = applied(kernel, args, reach, "f8", cval, standard=standard)
    for way, function in ways(stencil, len(args)).items():
        if way != "parallel" or not isinstance(args[-1], tuple):
            np.testing.assert_array_equal(function(*args), expected, err_msg=way)


@pytest.mark.parametrize("cval", [5, 5.5, np.nan, -np.inf, np.float32(1.5), True, np.sin(3.0)])
def test_the_border(cval):
    expected = applied(mean5, [GRID], CROSS, "f8", cval)
    stencil = nb.stencil(mean5, cval=cval)
    for function in ways(stencil, 1).values():
        np.testing.assert_array_equal(function(GRID), expected)


def test_a_given_result():
    plain, filled = nb.stencil(mean5), nb.stencil(mean5, cval=7)

    @nb.njit
    def both(a, one, two):
        return plain(a, out=one), filled(a, out=two)

    for function in (lambda a, one, two: (plain(a, out=one), filled(a, out=two)), both):
        for dtype in ("f8", "f4", "i4"):
            one, two = np.full((6, 7), 3, dtype), np.full((6, 7), 3, dtype)
            got = function(GRID, one, two)
            assert got[0].ctypes.data == one.ctypes.data and got[1].ctypes.data == two.ctypes.data
            np.testing.assert_array_equal(one, applied(mean5, [GRID], CROSS, dtype, 3))
            np.testing.assert_array_equal(two, applied(mean5, [GRID], CROSS, dtype, 7))
    larger = np.full((8, 8), 3.0)
    plain(GRID, out=larger)
    np.testing.assert_array_equal(larger[:6, :7], applied(mean5, [GRID], CROSS, "f8", 3))
    assert (larger[6:] == 3).all() and (larger[:, 7:] == 3).all()
    with pytest.raises(ValueError, match="smaller along an axis"):
        plain(GRID, out=np.zeros((6, 6)))


def test_in_compiled_code():
    """From a global, a closure, a local decorator, a call, a parameter of the kernel and a value that it captures."""
    outer = nb.stencil(second_difference)

    @nb.njit
    def closure(a):
        return outer(outer(a))

    @nb.njit
    def decorated(a):
        @nb.stencil
        def kernel(a):
            return a[-1] - 2 * a[0] + a[1]

        return kernel(a)

    @nb.njit
    def called(a):
        return nb.stencil(lambda a: a[-1] - 2 * a[0] + a[1], cval=1)(a)

    @nb.njit
    def captured(a, scale):
        weight = scale * 2
        return nb.stencil(lambda a: weight * (a[-1] + a[1]))(a)

    once = applied(second_difference, [LINE], [(-1, 1)], "f8")
    np.testing.assert_array_equal(closure(LINE), applied(second_difference, [once], [(-1, 1)], "f8"))
    np.testing.assert_array_equal(decorated(LINE), once)
    np.testing.assert_array_equal(called(LINE), applied(second_difference, [LINE], [(-1, 1)], "f8", 1))
    np.testing.assert_array_equal(captured(LINE, 1.5), applied(lambda a: 3 * (a[-1] + a[1]), [LINE], [(-1, 1)], "f8"))


@pytest.mark.parametrize("parallel", [False, True])
def test_distances_known_at_run_time(parallel):
    @nb.njit(parallel=parallel)
    def f(a, w, cval):
        def kernel(a, w):
            total = a[-w]
            for i in range(-w + 1, w + 1):
                total += a[i]
            return total

        return nb.stencil(kernel, neighborhood=((-w, w),), cval=cval)(a, w)

    @nb.njit(parallel=parallel)
    def moved(a, w, by):
        return nb.stencil(lambda a: a[by] + a[by + 1], neighborhood=((-w, w),), index_offsets=(-by,))(a)

    for w in (0, 1, 3, 30):

        def expected(a, w=w):
            return sum(a[i] for i in range(-w, w + 1))

        np.testing.assert_array_equal(f(LINE, w, 2.5), applied(expected, [LINE], [(-w, w)], "f8", 2.5))
    np.testing.assert_array_equal(moved(LINE, 1, 1), applied(lambda a: a[0] + a[1], [LINE], [(-1, 1)], "f8"))


def test_arguments_that_are_constants():
    """In parallel code subscripts may be made of arguments whose values the compiler knows."""

    def f(a):
        c = 2
        return nb.stencil(lambda a, c: a[1 - c] + a[-c + 3])(a, c)

    np.testing.assert_array_equal(
        nb.njit(parallel=True)(f)(LINE), applied(lambda a: a[-1] + a[1], [LINE], [(-1, 1)], "f8")
    )
    for function in (f, nb.njit(f)):
        with pytest.raises(errors.NumbaValueError, match="stencil kernel index is not constant, 'neighborhood'"):
            function(LINE)


def test_parallel_and_not():
    stencil = nb.stencil(mean5)
    large = np.arange(250_000.0).reshape(500, 500)

    def f(a):
        return stencil(a)

    parallel = nb.njit(parallel=True)(f)
    np.testing.assert_array_equal(parallel(large), stencil(large))
    assert "loop bb1 over" in parallel.inspect("parallel") and ": parallel" in parallel.inspect("parallel")
    assert "do_scheduling" in parallel.inspect("lir")
    serial = nb.njit(parallel={"stencil": False})(f)
    np.testing.assert_array_equal(serial(large), stencil(large))
    assert "do_scheduling" not in serial.inspect("lir")


def no_reads(a):
    return 1.0


def unknown_index(a):
    return a[int(np.cos(0))]


def assigns(a):
    a[0] = 1
    return a[0]


def uses_out(a, out):
    return out * a[0]


def array(a):
    return a.copy()


def too_many(a):
    return a[0, 0]


def by_name(a):
    return a["x"]


def open_slice(a):
    return a[0:].sum()


def of_two(a, b):
    return a[0] + b[0]


@pytest.mark.parametrize(
    ("kernel", "args", "options", "phrase"),
    [
        (no_reads, [LINE], {}, "Stencil kernel with no accesses to relatively indexed arrays."),
        (unknown_index, [LINE], {}, "stencil kernel index is not constant, 'neighborhood' option required"),
        (assigns, [LINE], {}, "Assignments to arrays passed to stencil kernels is not allowed."),
        (uses_out, [LINE, 1.0], {}, "Cannot use the reserved word 'out' in stencil kernels."),
        (array, [LINE], {"neighborhood": ((0, 0),)}, "Stencil kernel must return a scalar and not a numpy array."),
        (too_many, [LINE], {}, "Stencil index does not match array dimensionality."),
        (by_name, [LINE], {}, "Non-tuple or non-integer used as stencil index."),
        (open_slice, [LINE], {"neighborhood": ((0, 1),)}, "a slice of neighbours without start or stop"),
        (second_difference, [3.0], {}, "The first argument to a stencil kernel must be the primary input array."),
        (second_difference, [LINE], {"cval": 1j}, "cval type does not match stencil return type."),
        (
            second_difference,
            [LINE],
            {"neighborhood": ((-1, 1), (0, 0))},
            "2 dimensional neighborhood specified for 1 dimensional input array",
        ),
        (
            of_two,
            [LINE, LINE],
            {"standard_indexing": ("a",)},
            "The first argument to a stencil kernel must use relative indexing, not standard indexing.",
        ),
        (
            of_two,
            [LINE, LINE],
            {"standard_indexing": ("c",)},
            "Standard indexing requested for an array name not present in the stencil kernel definition.",
        ),
        (
            of_two,
            [LINE, GRID],
            {},
            "Secondary stencil array does not have same number  of dimensions as the first stencil input.",
        ),
    ],
)
def test_what_is_refused(kernel, args, options, phrase):
    for function in ways(nb.stencil(kernel, **options), len(args)).values():
        with pytest.raises(errors.NumbaValueError) as caught:
            function(*args)
        assert phrase in str(caught.value)


def test_sizes_and_options():
    for function in ways(nb.stencil(of_two), 2).values():
        with pytest.raises(ValueError, match="Secondary stencil array has some dimension smaller"):
            function(LINE, LINE[:-1].copy())
    with pytest.raises(errors.NumbaValueError, match="Unsupported mode style edge"):
        nb.stencil("edge")
    with pytest.raises(errors.NumbaValueError, match="Unknown stencil option size"):
        nb.stencil(of_two, size=3)
    with pytest.raises(errors.NumbaValueError, match="neighborhood option should be a tuple"):
        nb.stencil(of_two, neighborhood=(1, 2))
    with pytest.raises(errors.NumbaValueError, match="cval type does not match"):
        nb.stencil(of_two, cval="x")
    with pytest.raises(TypeError, match="kernel of a stencil is a function"):
        nb.stencil(3.0)
    with pytest.raises(errors.NumbaValueError, match="Cannot modify readonly array"):
        read_only = LINE.copy()
        read_only.flags.writeable = False
        nb.stencil(second_difference)(LINE, out=read_only)
    with pytest.raises(errors.NumbaValueError, match="out is an array of 1 axis"):
        nb.stencil(second_difference)(LINE, out=GRID)

    @nb.njit
    def wrong(a, w):
        return nb.stencil(lambda a: a[0], neighborhood=w)(a)

    with pytest.raises(errors.NumbaValueError, match="tuple with constant structure"):
        wrong(LINE, ((-1, 1),))


def test_the_object():
    stencil = nb.stencil(mean5, cval=1.0, neighborhood=((-1, 1), (-1, 1)))
    assert type(stencil).__module__ == "numbra.stencils.stencil" and type(stencil).__name__ == "StencilFunc"
    assert stencil.__name__ == "mean5" and stencil.mode == "constant"
    assert stencil.neighborhood == ((-1, 1), (-1, 1)) and stencil.options["cval"] == 1.0
    expected = stencil(GRID)
    for other in (copy.copy(stencil), pickle.loads(pickle.dumps(stencil))):
        np.testing.assert_array_equal(other(GRID), expected)
    np.testing.assert_array_equal(nb.stencil(nb.njit(mean5), cval=1.0)(GRID), expected)
    np.testing.assert_array_equal(stencil(a=GRID), expected)
    with pytest.raises(TypeError):
        stencil(GRID, GRID)


def test_exceptions_half_way_and_references():
    @nb.stencil
    def divides(a):
        return 1 // a[1]

    ints = np.array([1, 2, 3, 0, 5])
    for function in ways(divides, 1).values():
        with pytest.raises(ZeroDivisionError):
            function(ints)
    before = sys.getrefcount(ints)
    gc.collect()
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            divides(ints)
    assert sys.getrefcount(ints) == before
    assert (divides(ints[:3]) == [0, 0, 0]).all()


CACHED = """
import numpy as np, numbra as nb

@nb.stencil(cval={cval})
def kernel(a):
    return a[-1] + a[1]

@nb.njit(cache=True)
def f(a):
    return kernel(a)

print(f(np.arange(4.0)).tolist(), sum(f.stats.cache_hits.values()))
"""


def test_in_the_cache(tmp_path):
    """The code of a cached function depends on the stencils that it calls and on their options."""
    program = tmp_path / "program.py"
    for cval, hits in ((0, 0), (0, 1), (3, 0), (3, 1)):
        program.write_text(CACHED.format(cval=cval))
        shown = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True).stdout
        assert shown == f"{[float(cval), 2.0, 4.0, float(cval)]} {hits}\n"


def test_names_of_the_modules():
    from numbra.stencils.stencil import raise_if_incompatible_array_sizes, slice_addition

    assert slice_addition(slice(-1, 2), 5) == slice(4, 7)
    raise_if_incompatible_array_sizes(LINE, LINE)
    with pytest.raises(ValueError, match="dimension smaller"):
        raise_if_incompatible_array_sizes(LINE, LINE[1:])
    with pytest.raises(ValueError, match="number  of dimensions"):
        raise_if_incompatible_array_sizes(LINE, GRID)
    assert nb.njit(lambda s: slice_addition(s, 2).start)  # a function that compiled code may call, too


def test_compile_extra():
    from numbra.core.compiler import Flags, compile_extra
    from numbra.core.cpu_options import ParallelOptions
    from numbra.core.registry import cpu_target

    flags = Flags()
    flags.auto_parallel = ParallelOptions(True)
    contexts = cpu_target.typing_context, cpu_target.target_context
    stencil = nb.stencil(second_difference)
    compiled = compile_extra(*contexts, lambda a: stencil(a), (nb.float64[::1],), None, flags, {})
    np.testing.assert_array_equal(compiled.entry_point(LINE), stencil(LINE))
    assert compiled.signature.return_type == nb.float64[::1]
    with pytest.raises(errors.UnsupportedError, match="pipeline_class"):
        compile_extra(*contexts, lambda a: a, (nb.int64,), None, flags, {}, pipeline_class=object)


def test_beyond_numba():
    """What Numba refuses in serial code, and arrays in Fortran order."""

    @nb.njit
    def serial(a, w):
        return nb.stencil(lambda a: a[-w] + a[w], neighborhood=((-w, w),))(a)

    np.testing.assert_array_equal(serial(LINE, 2), applied(lambda a: a[-2] + a[2], [LINE], [(-2, 2)], "f8"))

    def folded(a):
        c = 2
        return a[-c + 1] + a[2 * c - 3]

    np.testing.assert_array_equal(nb.stencil(folded)(LINE), applied(folded, [LINE], [(-1, 1)], "f8"))
    fortran = np.asfortranarray(GRID)
    assert nb.njit(lambda a: nb.stencil(lambda a: a[0, 0])(a))(fortran).flags.c_contiguous
