"""C callbacks, and memory at pointers as arrays."""

import ctypes
import sys

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra, types
from numbra.core.errors import TypingError

FLOATS = ctypes.POINTER(ctypes.c_float)


def test_a_callback_is_called_by_c():
    @nb.cfunc(types.intc(types.CPointer(types.float64), types.CPointer(types.float64)))
    def order(a, b):
        return -1 if a[0] < b[0] else int(a[0] > b[0])

    sort = ctypes.CDLL(None).qsort
    sort.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
    sort.restype = None
    callback = np.uint64(order.address)

    @nb.njit
    def sorted_by_c(x):
        sort(x.ctypes, x.size, x.itemsize, callback)
        return x

    data = np.random.default_rng(1).normal(size=100)
    np.testing.assert_array_equal(sorted_by_c(data.copy()), np.sort(data))


def test_attributes():
    def f(a, b):
        """Adds."""
        return a + b

    callback = nb.cfunc("float64(float64, int64)")(f)
    assert callback.__name__ == "f" and callback.__wrapped__ is f and callback.__doc__ == "Adds."
    assert "f" in callback.native_name and callback.cache_hits == 0
    assert ctypes.cast(callback.ctypes, ctypes.c_void_p).value == callback.address
    assert callback.ctypes(2.5, 3) == 5.5
    assert callback("a", "b") == "ab"  # from Python it is the Python function
    assert repr(callback) == f"<Numba C callback {callback.__qualname__!r}>"


@pytest.mark.parametrize(
    ("signature", "args", "want"),
    [
        ("boolean(boolean, int8)", (False, -3), True),
        ("boolean(boolean, int8)", (True, -3), False),
        ("int8(boolean, int8)", (False, -128), 1),
        ("float32(boolean, uint8)", (False, 255), 0.0),
    ],
)
def test_small_values(signature, args, want):
    callback = nb.cfunc(signature)(lambda flag, number: not flag and number < 0)
    assert callback.ctypes(*args) == want


def test_errors_are_reported_and_give_zero(monkeypatch):
    reports = []
    monkeypatch.setattr(sys, "unraisablehook", reports.append)
    callback = nb.cfunc("float64(int64, int64)")(lambda a, b: a / b)
    assert callback.ctypes(5, 2) == 2.5
    assert not reports
    assert callback.ctypes(5, 0) == 0.0
    (report,) = reports
    assert report.exc_type is ZeroDivisionError and report.object == callback.native_name
    assert report.exc_traceback is not None
    assert callback.ctypes(6, 2) == 3.0


@pytest.mark.parametrize(("options", "tier"), [({}, "cranelift"), ({"tier": "llvm"}, "llvm")])
def test_llvm_makes_callbacks_where_it_is_named(options, tier):
    @nb.cfunc("float64(int64)", **options)
    def total(n):
        s = 0.0
        for i in range(n):
            s += i * 0.5
        return s

    assert total.ctypes(5) == 5.0
    assert _numbra._tier(total._dispatcher, 0) == tier


def test_locals_and_void():
    @nb.cfunc("void(CPointer(int64), int64)", locals={"half": nb.int64})
    def store(p, n):
        half = n / 2
        p[1] = half
        p[-1] = -half

    memory = (ctypes.c_int64 * 3)(7, 8, 9)
    store.ctypes(ctypes.cast(ctypes.addressof(memory) + 8, ctypes.POINTER(ctypes.c_int64)), 7)
    assert list(memory) == [-3, 8, 3]


def test_callbacks_are_first_class():
    @nb.cfunc("float64(float64)")
    def half(x):
        return x / 2

    @nb.cfunc("float64(float64)")
    def twice(x):
        return x * 2

    @nb.njit
    def apply(f, x):
        return f(x)

    @nb.njit
    def both(x):
        return half(x) + twice(x)

    assert apply(half, 3) == 1.5 and apply(twice, 3) == 6.0 and both(2.0) == 5.0
    assert apply(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 1), 3.0) == 4.0
    assert len(apply.signatures) == 2  # at int64 and at float64


def test_wrong_signatures():
    with pytest.raises(TypeError, match="explicit return type"):
        nb.cfunc((types.float64,))(lambda x: x)
    with pytest.raises(TypeError, match="cfunc needs a signature"):
        nb.cfunc(len)
    with pytest.raises(NotImplementedError):
        nb.cfunc("float64(float64)", forceobj=True)(lambda x: x)
    with pytest.raises(TypeError, match="a C callback cannot have a parameter of type array"):
        nb.cfunc("float64(float64[:])")(lambda x: x[0]).address  # noqa: B018


def describe(make, *dtype):
    if dtype:
        at = nb.njit(lambda p, shape: make(p, shape, np.float32))
    else:
        at = nb.njit(lambda p, shape: make(p, shape))

    def use(p, out, m, n):
        a = at(p, (m, n))
        o = make(out, 6, np.float32)
        o[0] = a.ndim
        o[1:3] = a.strides
        o[3] = a.flags.c_contiguous
        o[4] = a.flags.f_contiguous
        for i in range(m):
            for j in range(n):
                o[5] += a[i, j] * (i - 2 * j)

    return use


@pytest.mark.parametrize("make", [nb.carray, nb.farray])
@pytest.mark.parametrize(
    ("typed", "dtype"),
    [(True, ()), (True, (np.float32,)), (False, (np.float32,))],  # a void pointer says no dtype
)
@pytest.mark.parametrize("size", [types.int64, types.int32, types.uint64, types.uint32])
def test_arrays_at_pointers(make, dtype, size, typed):
    pointer = types.CPointer(types.float32) if typed else types.voidptr
    callback = nb.cfunc(types.void(pointer, pointer, size, size))(describe(make, *dtype))
    data, out = np.arange(10, 16, dtype=np.float32), np.zeros(6, dtype=np.float32)
    callback.ctypes(data.ctypes.data_as(FLOATS), out.ctypes.data_as(FLOATS), 2, 3)
    a = make(data.ctypes.data_as(FLOATS), (2, 3), *dtype)
    total = sum(a[i, j] * (i - 2 * j) for i in range(2) for j in range(3))
    assert list(out) == [2, *a.strides, a.flags.c_contiguous, a.flags.f_contiguous, total]
    assert a.ctypes.data == data.ctypes.data


def test_pointers_without_and_with_another_dtype():
    void = types.void(types.voidptr)
    with pytest.raises(TypingError, match="explicit dtype required for void"):
        nb.cfunc(void)(lambda p: nb.carray(p, 3)[0])
    double = types.void(types.CPointer(types.float64))
    with pytest.raises(TypingError, match="mismatching dtype 'float32' for pointer type 'float64\\*'"):
        nb.cfunc(double)(lambda p: nb.carray(p, 3, np.float32)[0])
    data = np.zeros(3)
    with pytest.raises(TypeError, match="mismatching dtype"):
        nb.carray(data.ctypes.data_as(FLOATS), 3, np.int32)
    with pytest.raises(TypeError, match="explicit dtype"):
        nb.carray(data.ctypes.data_as(ctypes.c_void_p), 3)
    with pytest.raises(TypeError, match="expected a ctypes pointer"):
        nb.carray(data.ctypes.data, 3)
    assert nb.carray(data.ctypes.data_as(ctypes.c_void_p), (0, 2), np.int8).shape == (0, 2)


@pytest.mark.parametrize("make", [nb.carray, nb.farray])
def test_sizes_of_arrays_at_pointers_that_do_not_fit(make, monkeypatch):
    raised = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: raised.append((type(what.exc_value), str(what.exc_value))))

    @nb.cfunc(types.int64(types.CPointer(types.float32), types.int64, types.int64, types.int64))
    def size(p, a, b, c):
        return make(p, (a, b, c)).size + 1

    data = np.zeros(6, np.float32)
    at = data.ctypes.data_as(FLOATS)
    assert size.ctypes(at, 1, 2, 3) == 7 and size.ctypes(at, 2**40, 2, 0) == 1
    for shape in ((2**40, 2**40, 1), (2**32, 2**32, 0), (0, 2**40, 2**40), (2**61, 1, 1)):
        assert size.ctypes(at, *shape) == 0
        assert [(ValueError, True)] == [(kind, "too big" in text) for kind, text in raised], shape
        raised.clear()
    for shape in ((-1, 1, 1), (1, -3, -2), (0, 0, -(2**63))):
        assert size.ctypes(at, *shape) == 0
        assert [(ValueError, True)] == [(kind, "negative" in text) for kind, text in raised], shape
        raised.clear()


def test_arrays_at_pointers_are_views_of_records_too():
    dtype = np.dtype([("a", np.int32), ("b", np.float64)], align=True)
    record = nb.from_dtype(dtype)

    @nb.cfunc(types.float64(types.CPointer(record), types.int64))
    def total(p, n):
        s = 0.0
        for r in nb.carray(p, n):
            s += r.a * r.b
            r.b = -r.b
        return s

    data = np.zeros(4, dtype)
    data["a"], data["b"] = range(4), [0.5, 1.5, 2.5, 3.5]
    pointer = ctypes.c_void_p(data.ctypes.data)
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int64)(total.address)
    assert call(pointer, 4) == 1.5 + 5.0 + 10.5
    assert (data["b"] == [-0.5, -1.5, -2.5, -3.5]).all()


def test_types():
    assert str(types.CPointer(types.float32)) == "float32*" and str(types.voidptr) == "void*"
    assert types.CPointer(types.float32) is types.CPointer(types.float32)
    from numbra.core.typing.ctypes_utils import from_ctypes, to_ctypes

    for ctype, ty in [
        (ctypes.c_void_p, types.voidptr),
        (ctypes.POINTER(ctypes.POINTER(ctypes.c_float)), types.CPointer(types.CPointer(types.float32))),
        (ctypes.c_size_t, types.size_t),
        (None, types.none),
    ]:
        assert from_ctypes(ctype) is ty and to_ctypes(ty) == ctype
    with pytest.raises(TypeError, match="Unsupported ctypes type"):
        from_ctypes(ctypes.c_wchar_p)
    with pytest.raises(TypeError, match=r"Cannot convert Numba type '\.\.\.' to ctypes type"):
        to_ctypes(types.ellipsis)


def test_addresses_are_integers():
    take = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda p: p)

    @nb.njit
    def f(a, out):
        p = take(a.ctypes.data)
        out[0] = p
        return p

    a, out = np.zeros(3), np.zeros(1, np.uint64)
    assert f(a, out) == a.ctypes.data == out[0]

    doubles = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double))(lambda p: p[1])

    @nb.njit
    def g(a):
        return doubles(a.ctypes)

    assert g(np.arange(3.0)) == 1.0
    with pytest.raises(TypingError):
        g(np.arange(3, dtype=np.float32))


def test_pointers_compare_by_address():
    @nb.cfunc(types.int64(types.voidptr, types.voidptr))
    def same(x, y):
        return (x is y) + 2 * (x is not y)

    assert (same.ctypes(8, 8), same.ctypes(8, 16)) == (1, 2)
