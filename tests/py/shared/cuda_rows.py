"""Every row of the device library as a small function, and a program that compiles them all for one architecture.

``python cuda_rows.py sm_90 [first]`` writes a line for each row before it is compiled and one after it, so that whoever
reads knows which row ended the process. See `tests/py/cuda/test_device_library.py`.
"""

import builtins
import cmath
import math
import operator
import re
import sys

import numpy as np
import statements
from folders import ROOT
from numbra import cuda, types
from numbra.core import errors
from numbra.cuda import fp16, libdevice, libdevicefuncs, stubs
from numbra.cuda.vector_type_names import VECTOR_TYPES

MODULES = {"numpy": np, "math": math, "cmath": cmath, "operator": operator, "builtins": builtins}
NAMES = {"np": np, "math": math, "cmath": cmath, "operator": operator, "cuda": cuda, "fp16": fp16}
NAMES |= {"libdevice": libdevice, "types": types}
#: Arrays for constant memory.
TABLES = {f"table_{dtype}": np.ones(4, dtype) for dtype in ("i1", "u2", "i4", "u8", "f4", "f8", "c8", "c16", "bool")}
NAMES |= TABLES

SIGNED = (types.int8, types.int16, types.int32, types.int64)
UNSIGNED = (types.uint8, types.uint16, types.uint32, types.uint64)
FLOATS = (types.float16, types.float32, types.float64)
WIDE = (types.int32, types.uint32, types.int64, types.uint64)
EXCHANGED = (types.int32, types.int64, types.float32, types.float64)
#: An array of two axes.
GRID = types.float32[:, :]

#: Numbers of half floats that a function of ``cuda.fp16`` takes.
HALF = {
    1: "hneg habs hsin hcos hlog hlog2 hlog10 hexp hexp2 hexp10 hsqrt hrsqrt hceil hfloor hrcp htrunc hrint htanh",
    2: "hadd hsub hmul hdiv hmax hmin heq hne hgt hge hlt hle",
    3: "hfma",
}
#: Functions that run everywhere but for some operands, and what these are.
NOT_ON_DEVICES = {
    "operator.getitem": "arrays and masks as indices: the result is a new array",
    "abs": "arrays: the result is a new one",
    "max": "arrays of rows, which are arrays",
    "min": "arrays of rows, which are arrays",
    "np.matrix_transpose": "arrays, which code for other compilers does not return",
    "np.ndenumerate": "arrays, whose iterator code for other compilers does not return",
    "pow": "arrays: the result is a new one",
    "round": "integers with a number of digits",
    "np.shape": "numbers and tuples, which the runtime goes through",
    "np.size": "numbers and tuples, which the runtime goes through",
}
#: Functions of types, whose results are no values.
NO_RESULTS = ("finfo", "iinfo")


def function(statement, parameters):
    return statements.kernel(statement, parameters, NAMES)


def intrinsics():
    """``(name, statement, types of r, x)``: what threads ask of a GPU. ``x[0]`` is a value."""
    for name in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
        for axis in "xyz":
            yield name, f"r[0] = cuda.{name}.{axis}", types.int32
    for name in ("laneid", "warpsize"):
        yield name, f"r[0] = cuda.{name}", types.int32
    for name in ("activemask", "lanemask_lt", "clock", "clock64", "globaltimer"):
        yield name, f"r[0] = cuda.{name}()", types.int64
    for name in ("syncthreads", "syncwarp", "threadfence", "threadfence_block", "threadfence_system", "breakpoint"):
        yield name, f"cuda.{name}()", types.int32
    yield "cg", "g = cuda.cg.this_grid()\ng.sync()", types.int32
    yield "syncwarp", "cuda.syncwarp(x[0])", types.int32
    for name in ("grid", "gridsize"):
        yield name, f"r[0] = cuda.{name}(1)", types.int64
        yield name, f"a, b = cuda.{name}(2)\nr[0] = a + b", types.int64
        yield name, f"a, b, c = cuda.{name}(3)\nr[0] = a + b + c", types.int64
    for name in ("count", "and", "or"):
        for one in (types.int16, types.int32, types.int64):
            yield f"syncthreads_{name}", f"r[0] = cuda.syncthreads_{name}(x[0])", one
    for name in ("shfl", "shfl_up", "shfl_down", "shfl_xor"):
        for one in EXCHANGED:
            yield f"{name}_sync", f"r[0] = cuda.{name}_sync(0xffffffff, x[0], 3)", one
    for name in ("all", "any", "eq", "ballot"):
        for one in (types.boolean, types.int32):
            yield f"{name}_sync", f"r[0] = cuda.{name}_sync(0xffffffff, x[0])", one
    for one in EXCHANGED:
        yield "match_any_sync", "r[0] = cuda.match_any_sync(0xffffffff, x[0])", one
        yield "match_all_sync", "a, b = cuda.match_all_sync(0xffffffff, x[0])\nr[0] = a + b", one
    yield "nanosleep", "cuda.nanosleep(x[0])", types.uint32
    for one in SIGNED + UNSIGNED:
        for name in ("popc", "clz", "ffs"):
            yield name, f"r[0] = cuda.{name}(x[0])", one
        yield "bit_count", "r[0] = x[0].bit_count()", one
    for one in (types.uint32, types.uint64):
        yield "brev", "r[0] = cuda.brev(x[0])", one
    for one in (*FLOATS[1:], *SIGNED[1:], *UNSIGNED[1:]):
        yield "selp", "r[0] = cuda.selp(x[0] > 1, x[1], x[2])", one
    for one in FLOATS[1:]:
        yield "fma", "r[0] = cuda.fma(x[0], x[1], x[2])", one
        yield "cbrt", "r[0] = cuda.cbrt(x[0])", one
    for one in (*SIGNED, *UNSIGNED, *FLOATS, types.complex64, types.complex128, types.boolean):
        for name in ("shared", "local"):
            yield name, f"a = cuda.{name}.array(8, types.{one})\na[x.size] = x[0]\nr[0] = a[r.size]", one
            yield name, f"a = cuda.{name}.array((2, 3), types.{one}, 16)\na[0, 0] = x[0]\nr[0] = a[1, x.size]", one
        yield "shared", f"a = cuda.shared.array(0, types.{one})\na[0] = x[0]\nr[0] = a[a.size - 1]", one
    for name in TABLES:
        yield "const", f"r[0] = cuda.const.array_like({name})[x.size]", types.complex128
    for hint in ("ca", "cg", "cs", "lu", "cv"):
        for one in (*SIGNED, *UNSIGNED, *FLOATS):
            yield f"ld{hint}", f"r[0] = cuda.ld{hint}(x, 1)", one
    for hint in ("cg", "cs", "wb", "wt"):
        for one in (*SIGNED, *UNSIGNED, *FLOATS):
            yield f"st{hint}", f"cuda.st{hint}(r, 1, x[0])", one
    for vector in VECTOR_TYPES:
        given = ", ".join(f"x[{i}]" for i in range(vector.count))
        base = getattr(types, vector.base)
        yield vector.name, f"v = cuda.{vector.name}({given})\nr[0] = v.{'xyzw'[vector.count - 1]}", base
        yield vector.name, f"v = cuda.{vector.name}(cuda.{vector.name}({given}))\nr[0] = v.x", base


#: Types of elements that an operation changes at once.
ATOMICS = dict.fromkeys(("add", "sub", "max", "min", "nanmax", "nanmin"), (*WIDE, types.float32, types.float64))
ATOMICS |= dict.fromkeys(("and_", "or_", "xor", "exch", "cas"), WIDE)
ATOMICS |= dict.fromkeys(("inc", "dec"), (types.uint32, types.uint64))
ATOMICS |= {"compare_and_swap": WIDE}


def atomics():
    """As :func:`intrinsics`: each operation in global and shared memory, with and without the old element."""
    for name, elements in ATOMICS.items():
        for one in elements:
            at = "" if name == "compare_and_swap" else ", 1"
            value = "x[0], x[1]" if name in ("cas", "compare_and_swap") else "x[0]"
            yield name, f"cuda.atomic.{name}(r{at}, {value})", one
            yield name, f"x[2] = cuda.atomic.{name}(r{at}, {value})", one
            yield name, f"s = cuda.shared.array(4, types.{one})\nx[2] = cuda.atomic.{name}(s{at}, {value})", one


def halves():
    """As :func:`intrinsics`: functions of half floats."""
    for count, names in HALF.items():
        given = ", ".join(f"x[{i}]" for i in range(count))
        for name in names.split():
            yield name, f"r[0] = fp16.{name}({given})", types.float16


def rows_for_devices():
    """Functions that the page of supported functions says to run everywhere: module, name, whether they allocate."""
    page = ROOT / "docs" / "supported.md"
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.removesuffix(" |").split(" | ")]
        if line.startswith("## "):
            module = line[3:]
        if line.startswith("| `") and len(cells) == 5 and cells[4] == "all":
            yield module, re.match(r"\| `([^`(]+)", line).group(1), "alloc" in cells[3]


def library():
    """``(name, statement, parameters, types)``: functions of modules, at numbers, arrays and tuples.

    Those that the types do not fit are no rows.
    """
    numbers = [types.int64, types.float64, types.complex128]
    one_number = [types.float16, types.float32, types.int8, types.uint64, types.boolean, types.complex64]
    others = [types.float64[::1], types.UniTuple(types.int64, 2)]
    for module, name, allocates in rows_for_devices():
        if not callable(getattr(MODULES.get(module), name, None)) or name in NO_RESULTS:
            continue
        short = {"numpy": "np.", "builtins": ""}.get(module, f"{module}.") + name
        # Operators and ufuncs of arrays make a new one.
        allocates |= module == "operator"
        pool = numbers if allocates else numbers + others
        pairs = [(a, b) for i, a in enumerate(pool) for b in pool[: i + 1]] + [(types.int64, types.float64)]
        for args in [(a,) for a in pool + one_number] + pairs:
            parameters = ", ".join("ab"[: len(args)])
            yield short, f"return {short}({parameters})", parameters, args
        for one in (types.float32, types.float16, types.uint64, types.complex64):
            yield short, f"return {short}(a, b)", "a, b", (one, one)
        for array in (
            types.float32[:],
            types.int32[::1],
            types.boolean[::1],
            types.complex64[::1],
            types.float32[:, :],
        ):
            if not allocates:
                yield short, f"return {short}(a)", "a", (array,)
                yield short, f"{short}(a, b)", "a, b", (array, array)
            elif module == "numpy":
                yield short, f"{short}(a, a, b)", "a, b", (array, array)
            else:
                yield short, f"{short}(a, b)", "a, b", (array, array)


def rows():
    """``(name, statement, parameters, types, must)``: all of them; ``must``: types that do not fit are a failure."""
    for name, statement, one in (*intrinsics(), *atomics(), *halves()):
        yield name, statement, "r, x", (one[::1], one[::1]), True
    for symbol, (_, args) in libdevicefuncs.functions.items():
        given = tuple(one.ty for one in args if not one.is_ptr)
        parameters = ", ".join("abcd"[: len(given)])
        short = symbol.removeprefix("__nv_")
        yield short, f"return libdevice.{short}({parameters})", parameters, given, True
    for row in library():
        yield *row, False


def named_by_stubs():
    """Names of :mod:`numbra.cuda` that kernels call, which all must have rows."""
    aliases = {alias for vector in VECTOR_TYPES for alias in vector.aliases}
    return set(stubs.__all__) - aliases | {f"atomic.{name}" for name in ATOMICS}


def compile_row(row, cc) -> str:
    """``OK``, ``UNFIT`` for types that do not fit, or ``BAD`` and why."""
    name, statement, parameters, args, must = row
    try:
        if parameters == "r, x":
            cuda.compile_ptx(function(statement, parameters), args, cc=cc)
        else:
            cuda.compile(function(statement, parameters), args, abi="numba", cc=cc)
    except errors.UnsupportedError as error:
        why = str(error).splitlines()[-1]
        new_array = name.startswith("operator.") and "an allocation of memory" in str(error)
        return f"UNFIT {why}" if new_array or name in NOT_ON_DEVICES else f"BAD {why}"
    except errors.NumbaError as error:
        return f"BAD {str(error).splitlines()[0]}" if must else "UNFIT"
    except Exception as error:
        return f"BAD {type(error).__name__}: {error}".replace("\n", " ")
    return "OK"


def main() -> None:
    """Compiles rows for an architecture, from the second argument on, in steps of the third."""
    digits = sys.argv[1].removeprefix("sm_")
    cc = (int(digits[:-1]), int(digits[-1]))
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    step = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for i, row in enumerate(rows()):
        if i >= first and (i - first) % step == 0:
            print(f"ROW {i} {row[1]!r} {row[3]}", flush=True)
            print(compile_row(row, cc), flush=True)
    print("END")


if __name__ == "__main__":
    main()
