"""`numbra.cuda` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

# The first that fits is taken, as by the compiler; to checkers some of NumPy's scalars and `bfloat16` are one class.
# mypy: disable-error-code="overload-cannot-match, overload-overlap"

from typing import Any, overload

from numpy import float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

def activemask() -> Any:
    r"""The lanes that run now."""

def all_sync(mask: Any, predicate: Any) -> Any:
    r"""Whether the predicate is true for all lanes of the mask."""

def any_sync(mask: Any, predicate: Any) -> Any:
    r"""Whether the predicate is true for any lane of the mask."""

def ballot_sync(mask: Any, predicate: Any) -> Any:
    r"""The lanes of the mask for which the predicate is true."""

def breakpoint() -> Any:
    r"""Stops a debugger."""

@overload
def brev(x: uint32) -> uint32:
    r"""Bits in reverse order."""

@overload
def brev(x: uint64) -> uint64:
    r"""Bits in reverse order."""

@overload
def cbrt(x: float32) -> float32:
    r"""Cube root."""

@overload
def cbrt(x: float64) -> float64:
    r"""Cube root."""

def clock() -> Any:
    r"""Cycles of the multiprocessor, the low 32 bits."""

def clock64() -> Any:
    r"""Cycles of the multiprocessor."""

@overload
def clz(x: int8) -> int8:
    r"""Zero bits at the top."""

@overload
def clz(x: int16) -> int16:
    r"""Zero bits at the top."""

@overload
def clz(x: int32) -> int32:
    r"""Zero bits at the top."""

@overload
def clz(x: int64) -> int64:
    r"""Zero bits at the top."""

@overload
def clz(x: uint8) -> uint8:
    r"""Zero bits at the top."""

@overload
def clz(x: uint16) -> uint16:
    r"""Zero bits at the top."""

@overload
def clz(x: uint32) -> uint32:
    r"""Zero bits at the top."""

@overload
def clz(x: uint64) -> uint64:
    r"""Zero bits at the top."""

def eq_sync(mask: Any, predicate: Any) -> Any:
    r"""Whether the predicate is the same for all lanes of the mask."""

@overload
def ffs(x: int8) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

@overload
def ffs(x: int16) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

@overload
def ffs(x: int32) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

@overload
def ffs(x: int64) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

@overload
def ffs(x: uint8) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

@overload
def ffs(x: uint16) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

@overload
def ffs(x: uint32) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

@overload
def ffs(x: uint64) -> uint32:
    r"""Position of the lowest bit that is 1, from 1; 0 for 0."""

def float32x1(*components: Any) -> Any:
    r"""One component of `float32`, of numbers and shorter vectors."""

def float32x2(*components: Any) -> Any:
    r"""Two components of `float32`, of numbers and shorter vectors."""

def float32x3(*components: Any) -> Any:
    r"""Three components of `float32`, of numbers and shorter vectors."""

def float32x4(*components: Any) -> Any:
    r"""Four components of `float32`, of numbers and shorter vectors."""

def float64x1(*components: Any) -> Any:
    r"""One component of `float64`, of numbers and shorter vectors."""

def float64x2(*components: Any) -> Any:
    r"""Two components of `float64`, of numbers and shorter vectors."""

def float64x3(*components: Any) -> Any:
    r"""Three components of `float64`, of numbers and shorter vectors."""

def float64x4(*components: Any) -> Any:
    r"""Four components of `float64`, of numbers and shorter vectors."""

@overload
def fma(x: float32, y: float32, z: float32) -> float32:
    r"""`x * y + z` with one rounding."""

@overload
def fma(x: float64, y: float64, z: float64) -> float64:
    r"""`x * y + z` with one rounding."""

def globaltimer() -> Any:
    r"""Nanoseconds of the device's clock."""

def grid(ndim: Any) -> Any:
    r"""Index of the thread in the grid, along 1, 2 or 3 axes, in 64 bits."""

def gridsize(ndim: Any) -> Any:
    r"""Threads of the grid, along 1, 2 or 3 axes, in 64 bits."""

def int16x1(*components: Any) -> Any:
    r"""One component of `int16`, of numbers and shorter vectors."""

def int16x2(*components: Any) -> Any:
    r"""Two components of `int16`, of numbers and shorter vectors."""

def int16x3(*components: Any) -> Any:
    r"""Three components of `int16`, of numbers and shorter vectors."""

def int16x4(*components: Any) -> Any:
    r"""Four components of `int16`, of numbers and shorter vectors."""

def int32x1(*components: Any) -> Any:
    r"""One component of `int32`, of numbers and shorter vectors."""

def int32x2(*components: Any) -> Any:
    r"""Two components of `int32`, of numbers and shorter vectors."""

def int32x3(*components: Any) -> Any:
    r"""Three components of `int32`, of numbers and shorter vectors."""

def int32x4(*components: Any) -> Any:
    r"""Four components of `int32`, of numbers and shorter vectors."""

def int64x1(*components: Any) -> Any:
    r"""One component of `int64`, of numbers and shorter vectors."""

def int64x2(*components: Any) -> Any:
    r"""Two components of `int64`, of numbers and shorter vectors."""

def int64x3(*components: Any) -> Any:
    r"""Three components of `int64`, of numbers and shorter vectors."""

def int64x4(*components: Any) -> Any:
    r"""Four components of `int64`, of numbers and shorter vectors."""

def int8x1(*components: Any) -> Any:
    r"""One component of `int8`, of numbers and shorter vectors."""

def int8x2(*components: Any) -> Any:
    r"""Two components of `int8`, of numbers and shorter vectors."""

def int8x3(*components: Any) -> Any:
    r"""Three components of `int8`, of numbers and shorter vectors."""

def int8x4(*components: Any) -> Any:
    r"""Four components of `int8`, of numbers and shorter vectors."""

laneid: Any
r"""Number of the thread in its warp."""

def lanemask_lt() -> Any:
    r"""A bit for each lane below this one."""

def ldca(array: Any, i: Any) -> Any:
    r"""`array[i]` of an array or pointer, kept in all caches."""

def ldcg(array: Any, i: Any) -> Any:
    r"""`array[i]` of an array or pointer, kept in the cache of the device only."""

def ldcs(array: Any, i: Any) -> Any:
    r"""`array[i]` of an array or pointer, read once."""

def ldcv(array: Any, i: Any) -> Any:
    r"""`array[i]` of an array or pointer, read from memory and not from a cache."""

def ldlu(array: Any, i: Any) -> Any:
    r"""`array[i]` of an array or pointer, read for the last time."""

def match_all_sync(mask: Any, value: Any) -> Any:
    r"""The mask if all its lanes have one value, else 0; and whether they have."""

def match_any_sync(mask: Any, value: Any) -> Any:
    r"""The lanes of the mask that have the same value."""

def nanosleep(ns: Any) -> Any:
    r"""Waits about this many nanoseconds."""

@overload
def popc(x: int8) -> int8:
    r"""Bits that are 1."""

@overload
def popc(x: int16) -> int16:
    r"""Bits that are 1."""

@overload
def popc(x: int32) -> int32:
    r"""Bits that are 1."""

@overload
def popc(x: int64) -> int64:
    r"""Bits that are 1."""

@overload
def popc(x: uint8) -> uint8:
    r"""Bits that are 1."""

@overload
def popc(x: uint16) -> uint16:
    r"""Bits that are 1."""

@overload
def popc(x: uint32) -> uint32:
    r"""Bits that are 1."""

@overload
def popc(x: uint64) -> uint64:
    r"""Bits that are 1."""

@overload
def selp(test: bool, a: float64, b: float64) -> float64:
    r"""`a if test else b`, both computed."""

@overload
def selp(test: bool, a: float32, b: float32) -> float32:
    r"""`a if test else b`, both computed."""

@overload
def selp(test: bool, a: int16, b: int16) -> int16:
    r"""`a if test else b`, both computed."""

@overload
def selp(test: bool, a: uint16, b: uint16) -> uint16:
    r"""`a if test else b`, both computed."""

@overload
def selp(test: bool, a: int32, b: int32) -> int32:
    r"""`a if test else b`, both computed."""

@overload
def selp(test: bool, a: uint32, b: uint32) -> uint32:
    r"""`a if test else b`, both computed."""

@overload
def selp(test: bool, a: int64, b: int64) -> int64:
    r"""`a if test else b`, both computed."""

@overload
def selp(test: bool, a: uint64, b: uint64) -> uint64:
    r"""`a if test else b`, both computed."""

def shfl_down_sync(mask: Any, value: Any, delta: Any) -> Any:
    r"""The value of the lane `delta` above; the own one where there is none."""

def shfl_sync(mask: Any, value: Any, src_lane: Any) -> Any:
    r"""The value of another lane."""

def shfl_up_sync(mask: Any, value: Any, delta: Any) -> Any:
    r"""The value of the lane `delta` below; the own one where there is none."""

def shfl_xor_sync(mask: Any, value: Any, lane_mask: Any) -> Any:
    r"""The value of the lane whose number differs in these bits."""

def stcg(array: Any, i: Any, value: Any) -> Any:
    r"""`array[i] = value` of an array or pointer, kept in the cache of the device only."""

def stcs(array: Any, i: Any, value: Any) -> Any:
    r"""`array[i] = value` of an array or pointer, written once."""

def stwb(array: Any, i: Any, value: Any) -> Any:
    r"""`array[i] = value` of an array or pointer, kept in all caches."""

def stwt(array: Any, i: Any, value: Any) -> Any:
    r"""`array[i] = value` of an array or pointer, written through to memory."""

def syncthreads() -> Any:
    r"""All threads of the block meet."""

def syncthreads_and(predicate: Any) -> Any:
    r"""All threads of the block meet; not 0 if the predicate is not 0 for all."""

def syncthreads_count(predicate: Any) -> Any:
    r"""All threads of the block meet; for how many the predicate is not 0."""

def syncthreads_or(predicate: Any) -> Any:
    r"""All threads of the block meet; not 0 if the predicate is not 0 for any."""

def syncwarp(membermask: Any = 4294967295) -> Any:
    r"""Threads of the mask in the warp meet."""

def threadfence() -> Any:
    r"""Writes before are seen by all threads of the device before those behind."""

def threadfence_block() -> Any:
    r"""Writes before are seen by all threads of the block before those behind."""

def threadfence_system() -> Any:
    r"""Writes before are seen by all threads of the system before those behind."""

def uint16x1(*components: Any) -> Any:
    r"""One component of `uint16`, of numbers and shorter vectors."""

def uint16x2(*components: Any) -> Any:
    r"""Two components of `uint16`, of numbers and shorter vectors."""

def uint16x3(*components: Any) -> Any:
    r"""Three components of `uint16`, of numbers and shorter vectors."""

def uint16x4(*components: Any) -> Any:
    r"""Four components of `uint16`, of numbers and shorter vectors."""

def uint32x1(*components: Any) -> Any:
    r"""One component of `uint32`, of numbers and shorter vectors."""

def uint32x2(*components: Any) -> Any:
    r"""Two components of `uint32`, of numbers and shorter vectors."""

def uint32x3(*components: Any) -> Any:
    r"""Three components of `uint32`, of numbers and shorter vectors."""

def uint32x4(*components: Any) -> Any:
    r"""Four components of `uint32`, of numbers and shorter vectors."""

def uint64x1(*components: Any) -> Any:
    r"""One component of `uint64`, of numbers and shorter vectors."""

def uint64x2(*components: Any) -> Any:
    r"""Two components of `uint64`, of numbers and shorter vectors."""

def uint64x3(*components: Any) -> Any:
    r"""Three components of `uint64`, of numbers and shorter vectors."""

def uint64x4(*components: Any) -> Any:
    r"""Four components of `uint64`, of numbers and shorter vectors."""

def uint8x1(*components: Any) -> Any:
    r"""One component of `uint8`, of numbers and shorter vectors."""

def uint8x2(*components: Any) -> Any:
    r"""Two components of `uint8`, of numbers and shorter vectors."""

def uint8x3(*components: Any) -> Any:
    r"""Three components of `uint8`, of numbers and shorter vectors."""

def uint8x4(*components: Any) -> Any:
    r"""Four components of `uint8`, of numbers and shorter vectors."""

