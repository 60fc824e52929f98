"""What kernels name in ``numbra.cuda``. These are names for the compiler: they have no values outside of kernels."""

import functools
import types

from numbra._named import names_of
from numbra.cuda.vector_type_names import VECTOR_TYPES, VectorTypeName


class _Name(types.ModuleType):
    """An object or a group of functions that the compiler knows by its qualified name."""

    def __init__(self, name: str, doc: str):
        super().__init__(f"numbra.cuda.{name}", doc)

    def __repr__(self) -> str:
        return f"<{self.__name__.replace('numbra.', '', 1)}>"


def _function(name: str, parameters: str, doc: str):
    """A function that kernels call."""
    short = name.rsplit(".", 1)[-1]

    def stub(*args, **kwargs):
        raise NotImplementedError(f"numbra.cuda.{name}{parameters} can only be called in a kernel or device function")

    stub.__name__ = short
    stub.__qualname__ = name
    stub.__module__ = "numbra.cuda"
    stub.__doc__ = f"``{short}{parameters}``: {doc}"
    return stub


def functions(group: str, table: dict[str, tuple[str, str]], others: dict[str, str], otherwise):
    """The ``__getattr__`` of a module of functions, which are made when they are first asked for.

    ``table``: parameters and what they do, by name; ``others``: further names of these. ``otherwise`` finds the rest.
    """

    @functools.cache
    def made(name: str):
        return _function(f"{group}.{name}", *table[name])

    def __getattr__(name: str):
        own = others.get(name, name)
        return made(own) if own in table else otherwise(name)

    return __getattr__


threadIdx = _Name("threadIdx", "Index of the thread in its block: ``.x``, ``.y``, ``.z``.")
blockIdx = _Name("blockIdx", "Index of the block in the grid: ``.x``, ``.y``, ``.z``.")
blockDim = _Name("blockDim", "Threads of a block: ``.x``, ``.y``, ``.z``.")
gridDim = _Name("gridDim", "Blocks of the grid: ``.x``, ``.y``, ``.z``.")
#: Threads of a warp.
warpsize = 32

shared = _Name("shared", "Memory that the threads of a block share.")
shared.array = _function("shared.array", "(shape, dtype, alignment=None)", "an array that the block shares.")
local = _Name("local", "Memory of one thread.")
local.array = _function("local.array", "(shape, dtype, alignment=None)", "an array of the thread.")
const = _Name("const", "Memory for constants.")
const.array_like = _function("const.array_like", "(ndarray)", "a constant array.")
cg = _Name("cg", "Cooperative groups.")
cg.this_grid = _function("cg.this_grid", "()", "the group of all threads of the grid.")

atomic = _Name("atomic", "Operations that change an element of an array at once, and give what it was.")
for _name, _parameters, _doc in [
    ("add", "(ary, idx, val)", "``ary[idx] += val``"),
    ("sub", "(ary, idx, val)", "``ary[idx] -= val``"),
    ("max", "(ary, idx, val)", "``ary[idx] = max(ary[idx], val)``; NaN stays or is not written"),
    ("min", "(ary, idx, val)", "``ary[idx] = min(ary[idx], val)``; NaN stays or is not written"),
    ("nanmax", "(ary, idx, val)", "``max``, ignoring NaN"),
    ("nanmin", "(ary, idx, val)", "``min``, ignoring NaN"),
    ("and_", "(ary, idx, val)", "``ary[idx] &= val``"),
    ("or_", "(ary, idx, val)", "``ary[idx] |= val``"),
    ("xor", "(ary, idx, val)", "``ary[idx] ^= val``"),
    ("inc", "(ary, idx, val)", "``ary[idx] = 0 if ary[idx] >= val else ary[idx] + 1``"),
    ("dec", "(ary, idx, val)", "``ary[idx] = val if ary[idx] == 0 or ary[idx] > val else ary[idx] - 1``"),
    ("exch", "(ary, idx, val)", "``ary[idx] = val``"),
    ("cas", "(ary, idx, old, val)", "``ary[idx] = val`` if it is ``old``"),
    ("compare_and_swap", "(ary, old, val)", "``ary[0] = val`` if it is ``old``"),
]:
    setattr(atomic, _name, _function(f"atomic.{_name}", _parameters, _doc))

laneid = _Name("laneid", "Number of the thread in its warp.")
grid = _function("grid", "(ndim)", "index of the thread in the grid, along 1, 2 or 3 axes.")
gridsize = _function("gridsize", "(ndim)", "threads of the grid, along 1, 2 or 3 axes.")
syncthreads = _function("syncthreads", "()", "all threads of the block meet.")
syncthreads_count = _function("syncthreads_count", "(predicate)", "they meet; for how many it is not 0.")
syncthreads_and = _function("syncthreads_and", "(predicate)", "they meet; not 0 if it is not 0 for all.")
syncthreads_or = _function("syncthreads_or", "(predicate)", "they meet; not 0 if it is not 0 for any.")
syncwarp = _function("syncwarp", "(membermask=0xffffffff)", "threads of the mask in the warp meet.")
threadfence = _function("threadfence", "()", "orders writes for all threads of the device.")
threadfence_block = _function("threadfence_block", "()", "orders writes for the block.")
threadfence_system = _function("threadfence_system", "()", "orders writes for the whole system.")
shfl_sync = _function("shfl_sync", "(mask, value, src_lane)", "another lane's value.")
shfl_up_sync = _function("shfl_up_sync", "(mask, value, delta)", "the value of a lane below.")
shfl_down_sync = _function("shfl_down_sync", "(mask, value, delta)", "the value of a lane above.")
shfl_xor_sync = _function("shfl_xor_sync", "(mask, value, lane_mask)", "the value of the lane that differs so.")
all_sync = _function("all_sync", "(mask, predicate)", "whether it is true for all lanes of the mask.")
any_sync = _function("any_sync", "(mask, predicate)", "whether it is true for any lane of the mask.")
eq_sync = _function("eq_sync", "(mask, predicate)", "whether it is the same for all lanes of the mask.")
ballot_sync = _function("ballot_sync", "(mask, predicate)", "the lanes for which it is true.")
match_any_sync = _function("match_any_sync", "(mask, value)", "the lanes that have the same value.")
match_all_sync = _function("match_all_sync", "(mask, value)", "the mask if all have one value, and whether they have.")
activemask = _function("activemask", "()", "the lanes that run now.")
lanemask_lt = _function("lanemask_lt", "()", "a bit for each lane below this one.")
nanosleep = _function("nanosleep", "(ns)", "waits about this many nanoseconds.")
breakpoint = _function("breakpoint", "()", "stops a debugger.")
clock = _function("clock", "()", "cycles of the multiprocessor, the low 32 bits.")
clock64 = _function("clock64", "()", "cycles of the multiprocessor.")
globaltimer = _function("globaltimer", "()", "nanoseconds of the device's clock.")
popc = _function("popc", "(x)", "bits that are 1.")
brev = _function("brev", "(x)", "bits in reverse order.")
clz = _function("clz", "(x)", "zero bits at the top.")
ffs = _function("ffs", "(x)", "position of the lowest bit that is 1, from 1; 0 for 0.")
selp = _function("selp", "(test, a, b)", "``a if test else b``, both computed.")
fma = _function("fma", "(x, y, z)", "``x * y + z`` with one rounding.")
cbrt = _function("cbrt", "(x)", "cube root.")
ldca = _function("ldca", "(array, i)", "``array[i]``, kept in all caches.")
ldcg = _function("ldcg", "(array, i)", "``array[i]``, kept in the cache of the device only.")
ldcs = _function("ldcs", "(array, i)", "``array[i]``, read once.")
ldlu = _function("ldlu", "(array, i)", "``array[i]``, read for the last time.")
ldcv = _function("ldcv", "(array, i)", "``array[i]`` from memory and not from a cache.")
stcg = _function("stcg", "(array, i, value)", "``array[i] = value``, kept in the cache of the device only.")
stcs = _function("stcs", "(array, i, value)", "``array[i] = value``, written once.")
stwb = _function("stwb", "(array, i, value)", "``array[i] = value``, kept in all caches.")
stwt = _function("stwt", "(array, i, value)", "``array[i] = value``, written through to memory.")

_VECTORS = {name: vector for vector in VECTOR_TYPES for name in (vector.name, *vector.aliases)}
_named_only = names_of(__name__)


@functools.cache
def _vector(vector: VectorTypeName):
    made = _function(vector.name, "(*components)", f"{vector.count} of ``{vector.base}``.")
    #: Its names in C.
    made.aliases = vector.aliases
    return made


def __getattr__(name: str):
    """A vector type, made when it is first asked for."""
    return _vector(_VECTORS[name]) if name in _VECTORS else _named_only(name)


__all__ = [
    "activemask",
    "all_sync",
    "any_sync",
    "atomic",
    "ballot_sync",
    "blockDim",
    "blockIdx",
    "breakpoint",
    "brev",
    "cbrt",
    "cg",
    "clock",
    "clock64",
    "clz",
    "const",
    "eq_sync",
    "ffs",
    "fma",
    "globaltimer",
    "grid",
    "gridDim",
    "gridsize",
    "laneid",
    "lanemask_lt",
    "ldca",
    "ldcg",
    "ldcs",
    "ldcv",
    "ldlu",
    "local",
    "match_all_sync",
    "match_any_sync",
    "nanosleep",
    "popc",
    "selp",
    "shared",
    "shfl_down_sync",
    "shfl_sync",
    "shfl_up_sync",
    "shfl_xor_sync",
    "stcg",
    "stcs",
    "stwb",
    "stwt",
    "syncthreads",
    "syncthreads_and",
    "syncthreads_count",
    "syncthreads_or",
    "syncwarp",
    "threadIdx",
    "threadfence",
    "threadfence_block",
    "threadfence_system",
    "warpsize",
    *_VECTORS,
]
