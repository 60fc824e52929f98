"""Options are those of each function, also where compiled code calls it; what is unset is Numba's choice."""

import numbra as nb
import numpy as np
import pytest
from numbra.extending import overload, register_jitable


@pytest.fixture(params=["cranelift", "llvm"])
def jit(request):
    """``njit`` for one tier."""

    def jit(function=None, **options):
        decorate = nb.njit(tier=request.param, **options)
        return decorate if function is None else decorate(function)

    jit.tier = request.param
    return jit


def put(a, i):
    a[i] = 123.0


def inverse(x):
    return 1.0 / x


def written(f):
    """Whether ``f`` writes outside of a view, ``"checked"`` if it raises instead."""
    memory = np.zeros(10)
    try:
        f(memory[:3], 7)
    except IndexError:
        assert not memory.any()
        return "checked"
    assert memory[7] == 123.0
    return "written"


def divided(f, *args):
    try:
        return float(f(0.0, *args))
    except ZeroDivisionError:
        return "raises"


class TestBoundscheck:
    @pytest.mark.parametrize("caller", [{}, {"boundscheck": False}, {"boundscheck": True}])
    @pytest.mark.parametrize("callee", [{}, {"boundscheck": False}, {"boundscheck": True}])
    def test_calls(self, jit, callee, caller):
        inner = jit(**callee)(put)

        @jit(**caller)
        def f(a, i):
            inner(a, i)

        assert written(f) == ("checked" if callee.get("boundscheck") else "written")

    def test_functions_between(self, jit):
        checked = jit(boundscheck=True)(put)

        @jit
        def between(a, i):
            checked(a, i)

        @jit
        def f(a, i):
            between(a, i)

        assert written(f) == "checked"

    def test_both_in_one_program(self, jit):
        checked, free = jit(boundscheck=True)(put), jit(put)

        @jit
        def f(a, i, check):
            if check:
                checked(a, i)
            else:
                free(a, i)

        assert written(lambda a, i: f(a, i, True)) == "checked"
        assert written(lambda a, i: f(a, i, False)) == "written"

    def test_local_functions(self, jit):
        @jit(boundscheck=True)
        def f(a, i):
            def inner(j):
                a[j] = 123.0

            inner(i)

        assert written(f) == "checked"

    def test_loops(self, jit):
        @jit(boundscheck=True)
        def total(a, n):
            s = 0.0
            for i in range(n):
                s += a[i]
            return s

        @jit
        def f(a, n):
            return total(a, n)

        assert f(np.ones(10), 10) == 10.0
        with pytest.raises(IndexError):
            f(np.ones(10), 11)

    def test_inlined_code_is_the_callers(self, jit):
        inner = jit(inline="always")(put)

        @jit(boundscheck=True)
        def f(a, i):
            inner(a, i)

        assert written(f) == "checked"

    @pytest.mark.parametrize("boundscheck", [False, True])
    def test_overloads(self, jit, boundscheck):
        def target(a, i):
            raise NotImplementedError

        @overload(target, jit_options={"boundscheck": boundscheck})
        def _(a, i):
            return put

        @jit(boundscheck=not boundscheck)
        def f(a, i):
            target(a, i)

        assert written(f) == ("checked" if boundscheck else "written")


class TestErrorModel:
    @pytest.mark.parametrize("caller", [None, "python", "numpy"])
    @pytest.mark.parametrize("callee", [None, "python", "numpy"])
    def test_calls(self, jit, callee, caller):
        said = lambda model: {} if model is None else {"error_model": model}  # noqa: E731
        inner = jit(**said(callee))(inverse)

        @jit(**said(caller))
        def f(x):
            return inner(x)

        expected = np.inf if (callee or caller) == "numpy" else "raises"
        assert divided(f) == expected

    def test_callers_of_callers(self, jit):
        inner = jit(inverse)

        @jit
        def between(x):
            return inner(x)

        @jit(error_model="python")
        def strict(x):
            return inner(x)

        @jit(error_model="numpy")
        def f(x):
            return between(x)

        @jit(error_model="numpy")
        def g(x):
            return strict(x)

        assert divided(f) == np.inf
        assert divided(g) == "raises"
        assert divided(inner) == "raises"

    def test_one_function_under_both_models(self, jit):
        inner = jit(inverse)
        model = {}
        for name in ("numpy", "python"):

            @jit(error_model=name)
            def one(x):
                return inner(x)

            model[name] = one
        free, strict = model["numpy"], model["python"]

        @jit
        def f(x, raises):
            return strict(x) if raises else free(x)

        assert divided(f, False) == np.inf
        assert divided(f, True) == "raises"

    def test_library_bodies_have_their_callers_model(self, jit):
        def divide(x):
            return divmod(7.0, x)[0] + 1.0

        free, strict = jit(error_model="numpy")(divide), jit(error_model="python")(divide)

        @jit
        def f(x, raises):
            a = 0.0 if raises else free(x)
            return a + (strict(x) if raises else 1.0)

        assert divided(f, True) == "raises"
        assert divided(f, False) == divided(free) + 1.0 or np.isnan(divided(free))

    def test_recursion(self, jit):
        @jit
        def down(x, n):
            if n == 0:
                return 1.0 / x
            return down(x, n - 1)

        @jit(error_model="numpy")
        def f(x):
            return down(x, 3)

        assert divided(f) == np.inf
        assert divided(down, 3) == "raises"

    def test_generators(self, jit):
        @jit
        def numbers(x):
            yield 1.0 / x

        @jit(error_model="numpy")
        def f(x):
            s = 0.0
            for v in numbers(x):
                s += v
            return s

        assert divided(f) == np.inf

    def test_ufuncs(self):
        inner = nb.njit(inverse)
        strict = nb.njit(error_model="python")(inverse)

        @nb.vectorize(["float64(float64)"])
        def u(x):
            return inner(x)

        @nb.vectorize(["float64(float64)"])
        def v(x):
            return strict(x)

        @nb.guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
        def g(x, out):
            for i in range(len(x)):
                out[i] = inner(x[i])

        with np.errstate(all="ignore"):
            assert np.isinf(u(np.zeros(2))).all()
            assert np.isinf(g(np.zeros(2))).all()
            with pytest.raises(ZeroDivisionError):
                v(np.zeros(2))

    def test_parallel_loops(self, jit):
        inner = jit(inverse)

        @jit(parallel=True, error_model="numpy")
        def f(x):
            out = np.empty(len(x))
            for i in nb.prange(len(x)):
                out[i] = inner(x[i])
            return out

        assert np.isinf(f(np.zeros(100))).all()

        @jit(parallel=True)
        def g(x):
            out = np.empty(len(x))
            for i in nb.prange(len(x)):
                out[i] = inner(x[i])
            return out

        with pytest.raises(ZeroDivisionError):
            g(np.zeros(100))

    def test_functions_as_arguments(self, jit):
        inner = jit(inverse)

        @jit(error_model="numpy")
        def apply(function, x):
            return function(x)

        @jit
        def f(x):
            return apply(inner, x)

        @jit
        def g(x):
            return apply(lambda y: 1.0 / y, x)

        assert divided(f) == np.inf
        assert divided(g) == np.inf

    def test_extensions(self, jit):
        def target(x):
            raise NotImplementedError

        @overload(target)
        def _(x):
            return inverse

        helper = register_jitable(lambda x: 1.0 / x)

        @jit(error_model="numpy")
        def f(x):
            return target(x) + helper(x)

        @jit
        def g(x):
            return target(x)

        assert divided(f) == np.inf
        assert divided(g) == "raises"


NUMBERS = np.random.default_rng(1).normal(size=100_001) * 1e3


def kahan(a):
    s = 0.0
    c = 0.0
    for v in a:
        y = v - c
        t = s + y
        c = (t - s) - y
        s = t
    return s


def total(a):
    s = 0.0
    for i in range(a.size):
        s += a[i]
    return s


class TestFastmath:
    @pytest.mark.parametrize("caller", [None, False, True])
    @pytest.mark.parametrize("callee", [None, False, True])
    def test_flags(self, jit, callee, caller):
        said = lambda flags: {} if flags is None else {"fastmath": flags}  # noqa: E731
        inner = jit(**said(callee))(total)

        @jit(**said(caller))
        def f(a):
            return inner(a)

        f(NUMBERS)
        fast = bool(caller if callee is None else callee)
        assert ("reassoc" in f.inspect("lir")) == fast
        if jit.tier == "llvm":
            assert (f(NUMBERS) == total(NUMBERS)) == (not fast)

    def test_compensated_sums_stay(self, jit):
        inner = jit(fastmath=False)(kahan)

        @jit(fastmath=True)
        def f(a):
            return inner(a) + 0.0 * a[0]

        assert f(NUMBERS) == kahan(NUMBERS)

    def test_sets_of_flags(self, jit):
        inner = jit(fastmath={"contract"})(total)

        @jit(fastmath={"nsz"})
        def f(a):
            return inner(a) * 2.0

        f(NUMBERS)
        text = f.inspect("lir")
        assert "contract" in text and "nsz" in text and "reassoc" not in text

    def test_both_in_one_program(self, jit):
        fast, strict = jit(fastmath=True)(total), jit(fastmath=False)(kahan)

        @jit
        def f(a):
            return fast(a), strict(a)

        sums = f(NUMBERS)
        assert sums[1] == kahan(NUMBERS)
        assert sums[0] == pytest.approx(sums[1])


class TestLocals:
    def test_calls(self, jit):
        @jit(locals={"s": nb.int32})
        def wrapped(x):
            s = x * 2
            return s

        @jit
        def f(x):
            s = x * 3
            return wrapped(x), s

        assert f(2**31 + 5) == (10, 3 * (2**31 + 5))

    def test_those_of_the_caller_stay_there(self, jit):
        @jit
        def inner(x):
            s = x * 2
            return s

        @jit(locals={"s": nb.int32})
        def f(x):
            s = x * 2
            return inner(x), s

        assert f(2**31 + 5) == (2 * (2**31 + 5), 10)
