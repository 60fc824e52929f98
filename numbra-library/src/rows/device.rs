//! `numbra.cuda`: what threads of a GPU ask of it.

use super::sigs::{B1, F32, F64, FLOAT2, I8, I16, I32, I64, U8, U16, U32, U64, sigs};
use crate::row_macro::{cases, cases_of, prelude, rule, rule_on_gpu};
use crate::rules::device as dv;
use numbra_abi::CacheHint;
use numbra_abi::libdevice::known;

use crate::{
    Atomic, Body, DeviceFn as D, Effects, FenceScope, MathFn, Op, Shuffle, Targets,
    TypePattern as P, Vote,
};

const MEET: Effects = Effects::READ.and(Effects::WRITE).and(Effects::IO);
const ATOMIC: Effects = Effects::READ.and(Effects::WRITE);

macro_rules! places {
    ($($(#[doc = $doc:literal])+ $name:ident $op:ident;)*) => {
        library! {
            $(
                $(#[doc = $doc])+
                attr numbra.cuda.$name.x(self) {
                    targets: Targets::Gpu, bodies: &[rule(&[P::Any], dv::int32_of_self, Op::Device(D::$op(0)))],
                }
                $(#[doc = $doc])+
                attr numbra.cuda.$name.y(self) {
                    targets: Targets::Gpu, bodies: &[rule(&[P::Any], dv::int32_of_self, Op::Device(D::$op(1)))],
                }
                $(#[doc = $doc])+
                attr numbra.cuda.$name.z(self) {
                    targets: Targets::Gpu, bodies: &[rule(&[P::Any], dv::int32_of_self, Op::Device(D::$op(2)))],
                }
            )*
        }
    };
}

/// Where a thread is.
pub(crate) mod place {
    use super::*;

    places! {
        /// Index of the thread in its block.
        threadIdx ThreadIdx;
        /// Index of the block in the grid.
        blockIdx BlockIdx;
        /// Threads of a block.
        blockDim BlockDim;
        /// Blocks of the grid.
        gridDim GridDim;
    }
}

macro_rules! vectors {
    ($($name:ident $doc:literal;)*) => {
        library! {
            $(
                #[doc = $doc]
                fn numbra.cuda.$name(*components) {
                    targets: Targets::Gpu,
                    bodies: &[rule(&[P::Any], dv::vector, Op::Device(D::Vector))],
                }
            )*
        }
    };
}

/// Vectors of up to four numbers, with the fields `x`, `y`, `z`, `w`.
pub(crate) mod vectors {
    use super::*;

    vectors! {
        int8x1 "One component of `int8`, of numbers and shorter vectors.";
        int8x2 "Two components of `int8`, of numbers and shorter vectors.";
        int8x3 "Three components of `int8`, of numbers and shorter vectors.";
        int8x4 "Four components of `int8`, of numbers and shorter vectors.";
        int16x1 "One component of `int16`, of numbers and shorter vectors.";
        int16x2 "Two components of `int16`, of numbers and shorter vectors.";
        int16x3 "Three components of `int16`, of numbers and shorter vectors.";
        int16x4 "Four components of `int16`, of numbers and shorter vectors.";
        int32x1 "One component of `int32`, of numbers and shorter vectors.";
        int32x2 "Two components of `int32`, of numbers and shorter vectors.";
        int32x3 "Three components of `int32`, of numbers and shorter vectors.";
        int32x4 "Four components of `int32`, of numbers and shorter vectors.";
        int64x1 "One component of `int64`, of numbers and shorter vectors.";
        int64x2 "Two components of `int64`, of numbers and shorter vectors.";
        int64x3 "Three components of `int64`, of numbers and shorter vectors.";
        int64x4 "Four components of `int64`, of numbers and shorter vectors.";
        uint8x1 "One component of `uint8`, of numbers and shorter vectors.";
        uint8x2 "Two components of `uint8`, of numbers and shorter vectors.";
        uint8x3 "Three components of `uint8`, of numbers and shorter vectors.";
        uint8x4 "Four components of `uint8`, of numbers and shorter vectors.";
        uint16x1 "One component of `uint16`, of numbers and shorter vectors.";
        uint16x2 "Two components of `uint16`, of numbers and shorter vectors.";
        uint16x3 "Three components of `uint16`, of numbers and shorter vectors.";
        uint16x4 "Four components of `uint16`, of numbers and shorter vectors.";
        uint32x1 "One component of `uint32`, of numbers and shorter vectors.";
        uint32x2 "Two components of `uint32`, of numbers and shorter vectors.";
        uint32x3 "Three components of `uint32`, of numbers and shorter vectors.";
        uint32x4 "Four components of `uint32`, of numbers and shorter vectors.";
        uint64x1 "One component of `uint64`, of numbers and shorter vectors.";
        uint64x2 "Two components of `uint64`, of numbers and shorter vectors.";
        uint64x3 "Three components of `uint64`, of numbers and shorter vectors.";
        uint64x4 "Four components of `uint64`, of numbers and shorter vectors.";
        float32x1 "One component of `float32`, of numbers and shorter vectors.";
        float32x2 "Two components of `float32`, of numbers and shorter vectors.";
        float32x3 "Three components of `float32`, of numbers and shorter vectors.";
        float32x4 "Four components of `float32`, of numbers and shorter vectors.";
        float64x1 "One component of `float64`, of numbers and shorter vectors.";
        float64x2 "Two components of `float64`, of numbers and shorter vectors.";
        float64x3 "Three components of `float64`, of numbers and shorter vectors.";
        float64x4 "Four components of `float64`, of numbers and shorter vectors.";
    }
}

library! {
    /// Number of the thread in its warp.
    attr numbra.cuda.laneid(self) {
        targets: Targets::Gpu, bodies: &[rule(&[P::Any], dv::int32_of_self, Op::Device(D::LaneId))],
    }
    /// Index of the thread in the grid, along 1, 2 or 3 axes, in 64 bits.
    fn numbra.cuda.grid(ndim) {
        targets: Targets::Gpu, bodies: &[rule(&[P::Any], dv::grid, Op::Device(D::Grid))],
    }
    /// Threads of the grid, along 1, 2 or 3 axes, in 64 bits.
    fn numbra.cuda.gridsize(ndim) {
        targets: Targets::Gpu, bodies: &[rule(&[P::Any], dv::grid, Op::Device(D::GridSize))],
    }

    /// All threads of the block meet.
    fn numbra.cuda.syncthreads() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::none, Op::Device(D::Barrier))],
    }
    /// All threads of the block meet; for how many the predicate is not 0.
    fn numbra.cuda.syncthreads_count(predicate) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Integral], dv::int32_to_int32, Op::Device(D::BarrierCount))],
    }
    /// All threads of the block meet; not 0 if the predicate is not 0 for all.
    fn numbra.cuda.syncthreads_and(predicate) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Integral], dv::int32_to_int32, Op::Device(D::BarrierAnd))],
    }
    /// All threads of the block meet; not 0 if the predicate is not 0 for any.
    fn numbra.cuda.syncthreads_or(predicate) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Integral], dv::int32_to_int32, Op::Device(D::BarrierOr))],
    }
    /// Threads of the mask in the warp meet.
    fn numbra.cuda.syncwarp(membermask = Int(0xffff_ffff)) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Int], dv::mask, Op::Device(D::SyncWarp))],
    }
    /// Writes before are seen by all threads of the device before those behind.
    fn numbra.cuda.threadfence() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::none, Op::Device(D::Fence(FenceScope::Device)))],
    }
    /// Writes before are seen by all threads of the block before those behind.
    fn numbra.cuda.threadfence_block() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::none, Op::Device(D::Fence(FenceScope::Block)))],
    }
    /// Writes before are seen by all threads of the system before those behind.
    fn numbra.cuda.threadfence_system() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::none, Op::Device(D::Fence(FenceScope::System)))],
    }
    /// The group of all threads of the grid.
    fn numbra.cuda.cg.this_grid() {
        targets: Targets::Gpu, bodies: &[rule(&[], dv::this_grid, Op::NoneValue)],
    }
    /// All threads of the grid meet; the launch is cooperative.
    method numbra.cuda.cg.GridGroup.sync(self) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Any], dv::int32_of_self, Op::Device(D::GridBarrier))],
    }

    /// The value of another lane.
    fn numbra.cuda.shfl_sync(mask, value, src_lane) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], dv::shuffle, Op::Device(D::Shuffle(Shuffle::Idx)))],
    }
    /// The value of the lane `delta` below; the own one where there is none.
    fn numbra.cuda.shfl_up_sync(mask, value, delta) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], dv::shuffle, Op::Device(D::Shuffle(Shuffle::Up)))],
    }
    /// The value of the lane `delta` above; the own one where there is none.
    fn numbra.cuda.shfl_down_sync(mask, value, delta) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], dv::shuffle, Op::Device(D::Shuffle(Shuffle::Down)))],
    }
    /// The value of the lane whose number differs in these bits.
    fn numbra.cuda.shfl_xor_sync(mask, value, lane_mask) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], dv::shuffle, Op::Device(D::Shuffle(Shuffle::Xor)))],
    }
    /// Whether the predicate is true for all lanes of the mask.
    fn numbra.cuda.all_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], dv::vote, Op::Device(D::Vote(Vote::All)))],
    }
    /// Whether the predicate is true for any lane of the mask.
    fn numbra.cuda.any_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], dv::vote, Op::Device(D::Vote(Vote::Any)))],
    }
    /// Whether the predicate is the same for all lanes of the mask.
    fn numbra.cuda.eq_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], dv::vote, Op::Device(D::Vote(Vote::Equal)))],
    }
    /// The lanes of the mask for which the predicate is true.
    fn numbra.cuda.ballot_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], dv::ballot, Op::Device(D::Vote(Vote::Ballot)))],
    }
    /// The lanes of the mask that have the same value.
    fn numbra.cuda.match_any_sync(mask, value) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any], dv::match_any, Op::Device(D::MatchAny))],
    }
    /// The mask if all its lanes have one value, else 0; and whether they have.
    fn numbra.cuda.match_all_sync(mask, value) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any], dv::match_all, Op::Device(D::MatchAll))],
    }
    /// The lanes that run now.
    fn numbra.cuda.activemask() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::uint32, Op::Device(D::ActiveMask))],
    }
    /// A bit for each lane below this one.
    fn numbra.cuda.lanemask_lt() {
        targets: Targets::Gpu, bodies: &[rule(&[], dv::uint32, Op::Device(D::LanemaskLt))],
    }

    /// Waits about this many nanoseconds.
    fn numbra.cuda.nanosleep(ns) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Int], dv::nanosleep, Op::Device(D::Nanosleep))],
    }
    /// Stops a debugger.
    fn numbra.cuda.breakpoint() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::none, Op::Device(D::Breakpoint))],
    }
    /// Cycles of the multiprocessor, the low 32 bits.
    fn numbra.cuda.clock() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::uint32, Op::Device(D::Clock))],
    }
    /// Cycles of the multiprocessor.
    fn numbra.cuda.clock64() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::int64, Op::Device(D::Clock64))],
    }
    /// Nanoseconds of the device's clock.
    fn numbra.cuda.globaltimer() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], dv::int64, Op::Device(D::GlobalTimer))],
    }

    /// Bits that are 1.
    fn numbra.cuda.popc(x) {
        targets: Targets::Gpu,
        bodies: &[cases(sigs![I8 => I8; I16 => I16; I32 => I32; I64 => I64; U8 => U8; U16 => U16; U32 => U32; U64 => U64;], Op::Device(D::Popc))],
    }
    /// Bits of the magnitude that are 1.
    method int.bit_count(x) { bodies: &[prelude(&[P::Int], "bit_count")] }
    /// Bits in reverse order.
    fn numbra.cuda.brev(x) {
        targets: Targets::Gpu, bodies: &[cases(sigs![U32 => U32; U64 => U64;], Op::Device(D::Brev))],
    }
    /// Zero bits at the top.
    fn numbra.cuda.clz(x) {
        targets: Targets::Gpu,
        bodies: &[cases(sigs![I8 => I8; I16 => I16; I32 => I32; I64 => I64; U8 => U8; U16 => U16; U32 => U32; U64 => U64;], Op::Device(D::Clz))],
    }
    /// Position of the lowest bit that is 1, from 1; 0 for 0.
    fn numbra.cuda.ffs(x) {
        targets: Targets::Gpu,
        bodies: &[cases(sigs![I8 => U32; I16 => U32; I32 => U32; I64 => U32; U8 => U32; U16 => U32; U32 => U32; U64 => U32;], Op::Device(D::Ffs))],
    }
    /// `a if test else b`, both computed.
    fn numbra.cuda.selp(test, a, b) {
        targets: Targets::Gpu,
        bodies: &[cases(sigs![
            B1, F64, F64 => F64; B1, F32, F32 => F32; B1, I16, I16 => I16; B1, U16, U16 => U16;
            B1, I32, I32 => I32; B1, U32, U32 => U32; B1, I64, I64 => I64; B1, U64, U64 => U64;
        ], Op::Device(D::Selp))],
    }
    /// `x * y + z` with one rounding.
    fn numbra.cuda.fma(x, y, z) {
        targets: Targets::Gpu, bodies: &[cases(sigs![F32, F32, F32 => F32; F64, F64, F64 => F64;], Op::Fma)],
    }
    /// Cube root.
    fn numbra.cuda.cbrt(x) {
        targets: Targets::Gpu, bodies: &[cases(sigs![F32 => F32; F64 => F64;], Op::Math(MathFn::Cbrt))],
    }

    /// Fraction and integer part of a number, both with its sign.
    fn math.modf(x) {
        bodies: &[
            rule_on_gpu(&[P::Is(F32)], dv::modf, Op::Device(D::Libdevice(const { known("modff") }))),
            rule_on_gpu(&[P::Real], dv::modf, Op::Device(D::Libdevice(const { known("modf") }))),
            rule(&[P::Real], dv::modf, Op::Modf),
        ],
    }
    /// `x` less the nearest multiple of `y`, ties to even multiples, exact.
    fn math.remainder(x, y) {
        bodies: &[
            Body { on: Targets::Gpu, ..cases_of(&[P::Is(F32), P::Is(F32)], sigs![F32, F32 => F32], Op::Device(D::Libdevice(const { known("remainderf") }))) },
            Body { on: Targets::Gpu, ..cases_of(&[P::Real, P::Real], sigs![F64, F64 => F64], Op::Device(D::Libdevice(const { known("remainder") }))) },
            cases_of(&[P::Real, P::Real], FLOAT2, Op::Remainder),
        ],
    }

    /// An array that all threads of the block share: shape and type are constants. Size 0 is what the launch asks for.
    fn numbra.cuda.shared.array(shape, dtype, alignment = None) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], dv::shared_array, Op::Device(D::SharedArray))],
    }
    /// An array of the thread: shape and type are constants.
    fn numbra.cuda.local.array(shape, dtype, alignment = None) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], dv::local_array, Op::Device(D::LocalArray))],
    }
    /// A constant array in the memory for constants.
    fn numbra.cuda.const.array_like(ndarray) {
        targets: Targets::Gpu, bodies: &[rule(&[P::Array], dv::same_array, Op::Identity)],
    }

    /// `array[i]` of an array or pointer, kept in all caches.
    fn numbra.cuda.ldca(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], dv::cached_load, Op::Device(D::CachedLoad(CacheHint::Ca)))],
    }
    /// `array[i]` of an array or pointer, kept in the cache of the device only.
    fn numbra.cuda.ldcg(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], dv::cached_load, Op::Device(D::CachedLoad(CacheHint::Cg)))],
    }
    /// `array[i]` of an array or pointer, read once.
    fn numbra.cuda.ldcs(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], dv::cached_load, Op::Device(D::CachedLoad(CacheHint::Cs)))],
    }
    /// `array[i]` of an array or pointer, read for the last time.
    fn numbra.cuda.ldlu(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], dv::cached_load, Op::Device(D::CachedLoad(CacheHint::Lu)))],
    }
    /// `array[i]` of an array or pointer, read from memory and not from a cache.
    fn numbra.cuda.ldcv(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], dv::cached_load, Op::Device(D::CachedLoad(CacheHint::Cv)))],
    }
    /// `array[i] = value` of an array or pointer, kept in the cache of the device only.
    fn numbra.cuda.stcg(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], dv::cached_store, Op::Device(D::CachedStore(CacheHint::Cg)))],
    }
    /// `array[i] = value` of an array or pointer, written once.
    fn numbra.cuda.stcs(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], dv::cached_store, Op::Device(D::CachedStore(CacheHint::Cs)))],
    }
    /// `array[i] = value` of an array or pointer, kept in all caches.
    fn numbra.cuda.stwb(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], dv::cached_store, Op::Device(D::CachedStore(CacheHint::Wb)))],
    }
    /// `array[i] = value` of an array or pointer, written through to memory.
    fn numbra.cuda.stwt(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], dv::cached_store, Op::Device(D::CachedStore(CacheHint::Wt)))],
    }

    /// `array[index] += value` at once; the old element.
    fn numbra.cuda.atomic.add(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_sum, Op::Device(D::Atomic(Atomic::Add)))],
    }
    /// `array[index] -= value` at once; the old element.
    fn numbra.cuda.atomic.sub(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_sum, Op::Device(D::Atomic(Atomic::Sub)))],
    }
    /// `array[index] = max(array[index], value)` at once; the old element, which stays if either is NaN.
    fn numbra.cuda.atomic.max(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_number, Op::Device(D::Atomic(Atomic::Max)))],
    }
    /// `array[index] = min(array[index], value)` at once; the old element, which stays if either is NaN.
    fn numbra.cuda.atomic.min(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_number, Op::Device(D::Atomic(Atomic::Min)))],
    }
    /// As `max`, ignoring NaN.
    fn numbra.cuda.atomic.nanmax(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_number, Op::Device(D::Atomic(Atomic::NanMax)))],
    }
    /// As `min`, ignoring NaN.
    fn numbra.cuda.atomic.nanmin(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_number, Op::Device(D::Atomic(Atomic::NanMin)))],
    }
    /// `array[index] &= value` at once; the old element.
    fn numbra.cuda.atomic.and_(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_integer, Op::Device(D::Atomic(Atomic::And)))],
    }
    /// `array[index] |= value` at once; the old element.
    fn numbra.cuda.atomic.or_(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_integer, Op::Device(D::Atomic(Atomic::Or)))],
    }
    /// `array[index] ^= value` at once; the old element.
    fn numbra.cuda.atomic.xor(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_integer, Op::Device(D::Atomic(Atomic::Xor)))],
    }
    /// `array[index] = value` at once; the old element.
    fn numbra.cuda.atomic.exch(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_integer, Op::Device(D::Atomic(Atomic::Exchange)))],
    }
    /// `array[index] = 0 if array[index] >= value else array[index] + 1` at once; the old element.
    fn numbra.cuda.atomic.inc(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_unsigned, Op::Device(D::Atomic(Atomic::Inc)))],
    }
    /// `array[index] = value if array[index] == 0 or array[index] > value else array[index] - 1` at once; the old element.
    fn numbra.cuda.atomic.dec(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], dv::atomic_unsigned, Op::Device(D::Atomic(Atomic::Dec)))],
    }
    /// `array[index] = value` at once if it is `old`; the old element.
    fn numbra.cuda.atomic.cas(ary, idx, old, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any, P::Any], dv::atomic_cas, Op::Device(D::Atomic(Atomic::Cas)))],
    }
    /// `array[0] = value` at once if it is `old`; the old element.
    fn numbra.cuda.atomic.compare_and_swap(ary, old, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::ArrayNd(1), P::Any, P::Any], dv::compare_and_swap, Op::Device(D::Atomic(Atomic::CompareAndSwap)))],
    }
}
