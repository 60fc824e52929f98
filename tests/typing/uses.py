"""How packages use Numba's decorators, as type checkers see it: `test_type_hints.py` has mypy check this file, which is
also run. What checkers should find is said by `assert_type`; an ignored error is one that they must find.

By hand: ``pyright tests/typing/uses.py``.
"""

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, assert_type

import numbra as nb
import numpy as np
from numbra import cfunc, cuda, float64, guvectorize, int64, jit, njit, objmode, prange, typed, types, vectorize
from numbra.core import cgutils, config
from numbra.core.decorators import njit as core_njit
from numbra.core.dispatcher import CPUDispatcher, Dispatcher
from numbra.core.errors import NumbaPerformanceWarning, TypingError
from numbra.core.types import containers
from numbra.core.typing import Signature, signature
from numbra.experimental import jitclass
from numbra.extending import intrinsic, overload, overload_attribute, overload_method, register_jitable, typeof_impl
from numbra.np.ufunc.dufunc import DUFunc
from numbra.np.ufunc.gufunc import GUFunc
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CACHE: bool = False
PARALLEL = False
FLAGS = {"nsz", "arcp", "contract", "afn", "reassoc"}

# --- jit and njit in all their spellings


@njit
def plain(x: float, n: int = 2) -> float:
    return x * n


assert_type(plain(1.5), float)
assert_type(plain(1.5, n=3), float)
assert_type(plain.py_func(1.5), float)


@njit()
def called(x: float) -> float:
    return x


@nb.njit(cache=True, fastmath=True)
def umap_rdist(x: Floats, y: Floats) -> float:
    result = 0.0
    for i in range(x.shape[0]):
        result += (x[i] - y[i]) ** 2
    return result


@njit(fastmath=True, cache=True, parallel=True, nogil=True, error_model="numpy", boundscheck=False)
def aeon_distances(x: Floats) -> Floats:
    out = np.zeros(x.shape[0])
    for i in prange(x.shape[0]):
        out[i] = x[i]
    return out


@nb.jit(nopython=True, cache=True)
def librosa_match(a: Floats, b: Floats) -> tuple[int, float]:
    return 0, a[0] + b[0]


@jit(nopython=True, nogil=True, parallel=PARALLEL)
def pandas_roll(values: np.ndarray[Any, Any], begin: int, minimum: int | None = None) -> np.ndarray[Any, Any]:
    return values[begin:]


@nb.jit
def bare_jit(x: int) -> int:
    return x


@njit("float64(float64, float64)")
def by_text(x: float, y: float) -> float:
    return x + y


@njit("b1(u1[::1],i4)", cache=CACHE)
def numba_celltree(flags: NDArray[np.uint8], i: int) -> bool:
    return bool(flags[i] != 0)


@njit(["float32(float32)", "float64(float64)"])
def by_texts(x: float) -> float:
    return x


@njit(float64(float64, int64))
def by_signature(x: float, n: int) -> float:
    return x * n


@njit([float64(float64), types.float32(types.float32)])
def by_signatures(x: float) -> float:
    return x


@njit((types.float64, types.float64[:, ::1]))
def by_types(x: float, a: Floats) -> float:
    return float(x + a[0, 0])


@njit(types.Tuple((float64, int64))(float64[:], nb.boolean), nogil=True)
def returns_two(x: Floats, flag: bool) -> tuple[float, int]:
    return x[0], 1


@nb.njit(
    [
        types.float32(
            types.Array(types.float32, 1, "C", readonly=True), types.Array(types.float32, 1, "C", readonly=True)
        ),
        "f8(f8[::1],f8[::1])",
    ],
    fastmath=True,
    locals={"result": types.float32, "dim": nb.types.intp, "i": nb.types.uint16},
)
def pynndescent_euclidean(x: Floats, y: Floats) -> float:
    result = 0.0
    dim = x.shape[0]
    for i in range(dim):
        result += x[i] - y[i]
    return result


@njit(fastmath=FLAGS)
def stumpy_mass(q: Floats) -> float:
    return float(q.sum() ** 0.5)


@njit(fastmath={"contract"}, cache=True)
def stumpy_contract(x: float) -> float:
    return x


@njit(inline="always")
def inlined(x: int) -> int:
    return x + 1


@njit(parallel={"fusion": False}, debug=False)
def some_parallel(x: Floats) -> Floats:
    return x + 1


def wrong() -> None:
    plain(1.5).bit_length()  # type: ignore[attr-defined]
    plain("a")  # type: ignore[arg-type]
    plain()  # type: ignore[call-arg]
    njit(cache=True)(plain.py_func)("a")  # type: ignore[arg-type]
    njit(error_model="nympy")  # type: ignore[call-overload]
    njit(fast_math=True)  # type: ignore[call-overload]
    cuda.jit(devic=True)  # type: ignore[call-overload]
    nb.nonsense  # type: ignore[attr-defined]  # noqa: B018
    types.int46  # type: ignore[attr-defined]  # noqa: B018
    config.DISABEL_JIT  # type: ignore[attr-defined]  # noqa: B018


def helper(x: int, y: str = "") -> list[int]:
    return [x]


fast = njit(helper)
assert_type(fast(1), list[int])
assert_type(njit(cache=False)(helper)(1, y="a"), list[int])
assert_type(nb.jit(helper, nopython=True)(1), list[int])
assert_type(core_njit(helper)(1), list[int])
assert_type(njit(lambda: np.pi)(), float)
assert_type(jit("i8(i8)", nopython=True)(inlined.py_func)(2), int)

many: Dispatcher[..., list[int]] = fast
some: CPUDispatcher[..., list[int]] = fast
function: Callable[[int], list[int]] = fast

for index in prange(0, 4, 2):
    assert_type(index, int)
assert_type(called(1), float)
assert_type(umap_rdist(np.ones(2), np.ones(2)), float)
assert_type(aeon_distances(np.ones(2)), Floats)
assert_type(librosa_match(np.ones(2), np.ones(2)), tuple[int, float])
assert_type(pandas_roll(np.ones(2), 1), np.ndarray[Any, Any])
assert_type(by_text(1.0, 2.0), float)
assert_type(numba_celltree(np.ones(1, np.uint8), 0), bool)
assert_type(returns_two(np.ones(1), True), tuple[float, int])
assert_type(pynndescent_euclidean(np.ones(1), np.ones(1)), float)
assert_type(inlined(1), int)

options: dict[str, Any] = {"nogil": True, "cache": CACHE}


@njit(**options)
def sparse_match(a: Floats) -> float:
    return float(a[0])


assert_type(sparse_match(np.ones(1)), float)

numbagg = partial(nb.njit, nogil=True)


class Holder:
    """Jitted functions in classes."""

    @staticmethod
    @njit
    def static(x: int) -> int:
        return x + 1


assert_type(Holder.static(1), int)
assert_type(Holder().static(1), int)


# --- what a dispatcher shows

assert_type(plain.signatures, list[tuple[Any, ...]])
assert_type(plain.nopython_signatures, list[Signature])
assert_type(plain.inspect("typed"), str)
assert_type(plain.inspect_asm(), dict[tuple[Any, ...], str])
assert_type(plain.inspect_asm(plain.signatures[0]), str)
assert_type(plain.inspect_types(pretty=True).style, str)
assert_type(plain.compile("float64(float64, int64)").signature, Signature)
assert_type(plain.__name__, str)
plain.recompile()

# --- ufuncs


@vectorize
def doubled(x: float) -> float:
    return x * 2


@vectorize(["float32(complex64)", "float64(complex128)"], nopython=True, cache=True, identity=0)
def librosa_abs2(x: complex) -> float:
    return x.real**2 + x.imag**2


@vectorize([float64(float64, float64)], target="parallel")
def added(x: float, y: float) -> float:
    return x + y


@nb.vectorize(fastmath=True)
def lenient(x: float) -> float:
    return x


@guvectorize(["void(int16[:], bool_[:])", "void(float64[:], bool_[:])"], "(n)->(n)", cache=True, nopython=True)
def librosa_localmax(x: Floats, y: NDArray[np.bool_]) -> None:
    y[:] = x > 0


@nb.guvectorize([(float64[:], int64, float64[:])], "(n),()->(n)")
def by_tuples(x: Floats, n: int, out: Floats) -> None:
    out[:] = x * n


@guvectorize("(n)->()")
def dynamic(x: Floats, out: Floats) -> None:
    out[0] = x.sum()


assert_type(doubled, DUFunc)
assert_type(librosa_abs2, DUFunc)
assert_type(librosa_localmax, GUFunc)
assert_type(dynamic, GUFunc)
assert_type(nb.vectorize(["int64(int64, int64)"], nopython=True)(lambda x, y: x + y), DUFunc)
galois_total: Any = doubled(np.ones(3), out=np.ones(3))
assert_type(added.nin, int)

# --- callbacks, object mode, extensions


@cfunc("float64(float64, float64)")
def integrand(t: float, x: float) -> float:
    return t * x


assert_type(integrand.address, int)
assert_type(integrand(1.0, 2.0), float)


@cfunc(float64(types.CPointer(float64), types.intc), cache=False)
def over_pointer(values: Any, n: int) -> float:
    return nb.carray(values, (n,), np.float64)[0]  # type: ignore[no-any-return, unused-ignore]


@njit
def with_objects(x: Floats) -> float:
    with objmode(y="float64"):
        y = float(x.sum())
    return y


@register_jitable
def shared(x: int) -> int:
    return x


@register_jitable(inline="always")
def shared_inline(x: int) -> int:
    return x


assert_type(shared(1), int)
assert_type(shared_inline(1), int)


def only_in_python(x: int) -> int:
    return x


@overload(only_in_python)
def overloaded(x: types.Type) -> Callable[[int], int] | None:
    if isinstance(x, types.Integer):
        assert_type(x.bitwidth, int)
        return lambda x: x
    return None


@overload(np.heaviside, jit_options={"cache": True}, inline="always")
def overloaded_more(x: types.Type, y: types.Type) -> Any:
    return None


class Interval:
    pass


class IntervalType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Interval")


@typeof_impl.register(Interval)
def typeof_interval(value: Interval, c: Any) -> IntervalType:
    return IntervalType()


@overload_method(IntervalType, "width", jit_options={"nogil": True})
def width(interval: Any) -> Any:
    return lambda interval: 1


@overload_attribute(IntervalType, "low")
def low(interval: Any) -> Any:
    return lambda interval: 1


@nb.extending.overload(operator.truediv)
def divided(a: Any, b: Any) -> Any:
    return None


@intrinsic
def popcount(typingctx: Any, x: types.Type) -> Any:
    return signature(x, x), lambda context, builder, sig, args: cgutils.true_bit


@intrinsic(prefer_literal=True)
def popcount_literal(typingctx: Any, x: types.Type, n: types.Type) -> Any:
    return x(x), None


@njit
def counts(x: int) -> int:
    return int(popcount(x) + 1)


@jitclass([("x", float64), ("n", types.int64[:])])
class Particle:
    def __init__(self, x: float) -> None:
        self.x = x


@nb.experimental.jitclass
class Plain:
    x: float


@nb.stencil
def kernel(a: Floats) -> float:
    return float(a[-1] + a[1])


@nb.stencil("constant", neighborhood=((-1, 1),))
def kernel_with_options(a: Floats) -> float:
    return float(a[-1] + a[1])


# --- types and typed containers

assert_type(float64(float64, int64), Signature)
assert_type(float64(), Signature)
assert_type(int64[:], types.Array)
assert_type(float64[:, ::1].ndim, int)
assert_type(nb.typeof(1), types.Type)
assert_type(types.void(types.float64[:]), Signature)
assert_type(containers.UniTuple(int64, 2).count, int)
assert_type(types.ListType(types.unicode_type).item_type, types.Type)
assert_type(nb.from_dtype(np.dtype("f8")), types.Type)
assert_type(nb.int32, types.Integer)
pair: types.Type = types.DictType(types.unicode_type, types.float64[:])
function_type = types.FunctionType(float64(float64))


def annotated(items: typed.List[int], table: typed.Dict[int, float]) -> float:
    for item in items:
        assert_type(item, int)
    return table[items[0]]


def makes_containers() -> None:
    typed.List.empty_list(types.int64).append(1)
    typed.Dict.empty(key_type=types.unicode_type, value_type=float64)["a"] = 1.0
    assert_type(typed.List([1, 2])[0], int)


# --- kernels


@cuda.jit
def axpy(a: float, x: Floats, y: Floats) -> None:
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]


@cuda.jit(device=True, inline="always")
def device_function(x: float) -> float:
    return x + cuda.threadIdx.x


@cuda.jit("void(float64[:])", max_registers=32)
def by_text_on_device(x: Floats) -> None:
    tile = cuda.shared.array(32, dtype=float64)
    tile[0] = device_function(x[0])
    cuda.syncthreads()


def launches(x: Floats) -> None:
    assert_type(axpy[1, 32](2.0, x, x), None)
    axpy[(1, 2), (32, 1), cuda.stream()](2.0, cuda.to_device(x), x)
    axpy.forall(10)(2.0, x, x)
    axpy[1, 32](x, x)  # type: ignore[call-arg]
    assert_type(device_function(1.0), float)


# --- the rest

config.DISABLE_JIT = config.DISABLE_JIT
nb.set_num_threads(nb.get_num_threads())
assert_type(nb.__version__, str)
assert_type(nb.version_info.short, tuple[int, int])
error: TypingError = nb.errors.TypingError("wrong")
warning: type[Warning] = NumbaPerformanceWarning
stage: Literal["typed"] = "typed"
nb.core.errors.NumbaPerformanceWarning("slow")
install: Callable[[bool], None] = nb.install_as_numba
explain: Callable[[str], None] = nb.explain
