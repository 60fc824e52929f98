//! `numbra.cuda`: what threads of a GPU ask of it.

use super::sigs::{B1, F32, F64, FLOAT2, I8, I16, I32, I64, U8, U16, U32, U64, sigs};
use super::subscripts;
use crate::row_macro::{cases, cases_of, prelude, rule, rule_on_gpu};
use crate::rules::check_mutable;
use crate::{
    Body, DeviceFn as D, Effects, FenceScope, MathFn, Mismatch, Op, ResultCx, Shuffle, Targets,
    TypePattern as P, Vote, named_dtype,
};
use numbra_abi::libdevice::{FUNCTIONS, known, position};
use numbra_abi::{CType, CacheHint};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Signature, Type, TypeKind};

const MEET: Effects = Effects::READ.and(Effects::WRITE).and(Effects::IO);

macro_rules! places {
    ($($(#[doc = $doc:literal])+ $name:ident $op:ident;)*) => {
        library! {
            $(
                $(#[doc = $doc])+
                attr numbra.cuda.$name.x(self) {
                    targets: Targets::Gpu, bodies: &[rule(&[P::Any], int32_of_self, Op::Device(D::$op(0)))],
                }
                $(#[doc = $doc])+
                attr numbra.cuda.$name.y(self) {
                    targets: Targets::Gpu, bodies: &[rule(&[P::Any], int32_of_self, Op::Device(D::$op(1)))],
                }
                $(#[doc = $doc])+
                attr numbra.cuda.$name.z(self) {
                    targets: Targets::Gpu, bodies: &[rule(&[P::Any], int32_of_self, Op::Device(D::$op(2)))],
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
                    bodies: &[rule(&[P::Any], vector, Op::Device(D::Vector))],
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
        targets: Targets::Gpu, bodies: &[rule(&[P::Any], int32_of_self, Op::Device(D::LaneId))],
    }
    /// Index of the thread in the grid, along 1, 2 or 3 axes, in 64 bits.
    fn numbra.cuda.grid(ndim) {
        targets: Targets::Gpu, bodies: &[rule(&[P::Any], grid, Op::Device(D::Grid))],
    }
    /// Threads of the grid, along 1, 2 or 3 axes, in 64 bits.
    fn numbra.cuda.gridsize(ndim) {
        targets: Targets::Gpu, bodies: &[rule(&[P::Any], grid, Op::Device(D::GridSize))],
    }
    /// All threads of the block meet.
    fn numbra.cuda.syncthreads() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], none, Op::Device(D::Barrier))],
    }
    /// All threads of the block meet; for how many the predicate is not 0.
    fn numbra.cuda.syncthreads_count(predicate) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Integral], int32_to_int32, Op::Device(D::BarrierCount))],
    }
    /// All threads of the block meet; not 0 if the predicate is not 0 for all.
    fn numbra.cuda.syncthreads_and(predicate) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Integral], int32_to_int32, Op::Device(D::BarrierAnd))],
    }
    /// All threads of the block meet; not 0 if the predicate is not 0 for any.
    fn numbra.cuda.syncthreads_or(predicate) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Integral], int32_to_int32, Op::Device(D::BarrierOr))],
    }
    /// Threads of the mask in the warp meet.
    fn numbra.cuda.syncwarp(membermask = Int(0xffff_ffff)) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Int], mask, Op::Device(D::SyncWarp))],
    }
    /// Writes before are seen by all threads of the device before those behind.
    fn numbra.cuda.threadfence() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], none, Op::Device(D::Fence(FenceScope::Device)))],
    }
    /// Writes before are seen by all threads of the block before those behind.
    fn numbra.cuda.threadfence_block() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], none, Op::Device(D::Fence(FenceScope::Block)))],
    }
    /// Writes before are seen by all threads of the system before those behind.
    fn numbra.cuda.threadfence_system() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], none, Op::Device(D::Fence(FenceScope::System)))],
    }
    /// The group of all threads of the grid.
    fn numbra.cuda.cg.this_grid() {
        targets: Targets::Gpu, bodies: &[rule(&[], this_grid, Op::Device(D::ThisGrid))],
    }
    /// All threads of the grid meet; the launch is cooperative.
    method numbra.cuda.cg.GridGroup.sync(self) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Any], int32_of_self, Op::Device(D::GridBarrier))],
    }
    /// The value of another lane.
    fn numbra.cuda.shfl_sync(mask, value, src_lane) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], shuffle, Op::Device(D::Shuffle(Shuffle::Idx)))],
    }
    /// The value of the lane `delta` below; the own one where there is none.
    fn numbra.cuda.shfl_up_sync(mask, value, delta) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], shuffle, Op::Device(D::Shuffle(Shuffle::Up)))],
    }
    /// The value of the lane `delta` above; the own one where there is none.
    fn numbra.cuda.shfl_down_sync(mask, value, delta) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], shuffle, Op::Device(D::Shuffle(Shuffle::Down)))],
    }
    /// The value of the lane whose number differs in these bits.
    fn numbra.cuda.shfl_xor_sync(mask, value, lane_mask) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any, P::Int], shuffle, Op::Device(D::Shuffle(Shuffle::Xor)))],
    }
    /// Whether the predicate is true for all lanes of the mask.
    fn numbra.cuda.all_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], vote, Op::Device(D::Vote(Vote::All)))],
    }
    /// Whether the predicate is true for any lane of the mask.
    fn numbra.cuda.any_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], vote, Op::Device(D::Vote(Vote::Any)))],
    }
    /// Whether the predicate is the same for all lanes of the mask.
    fn numbra.cuda.eq_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], vote, Op::Device(D::Vote(Vote::Equal)))],
    }
    /// The lanes of the mask for which the predicate is true.
    fn numbra.cuda.ballot_sync(mask, predicate) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Scalar, P::Scalar], ballot, Op::Device(D::Vote(Vote::Ballot)))],
    }
    /// The lanes of the mask that have the same value.
    fn numbra.cuda.match_any_sync(mask, value) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any], match_any, Op::Device(D::MatchAny))],
    }
    /// The mask if all its lanes have one value, else 0; and whether they have.
    fn numbra.cuda.match_all_sync(mask, value) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Int, P::Any], match_all, Op::Device(D::MatchAll))],
    }
    /// The lanes that run now.
    fn numbra.cuda.activemask() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], uint32, Op::Device(D::ActiveMask))],
    }
    /// A bit for each lane below this one.
    fn numbra.cuda.lanemask_lt() {
        targets: Targets::Gpu, bodies: &[rule(&[], uint32, Op::Device(D::LanemaskLt))],
    }
    /// Waits about this many nanoseconds.
    fn numbra.cuda.nanosleep(ns) {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[P::Int], nanosleep, Op::Device(D::Nanosleep))],
    }
    /// Stops a debugger.
    fn numbra.cuda.breakpoint() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], none, Op::Device(D::Breakpoint))],
    }
    /// Cycles of the multiprocessor, the low 32 bits.
    fn numbra.cuda.clock() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], uint32, Op::Device(D::Clock))],
    }
    /// Cycles of the multiprocessor.
    fn numbra.cuda.clock64() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], int64, Op::Device(D::Clock64))],
    }
    /// Nanoseconds of the device's clock.
    fn numbra.cuda.globaltimer() {
        effects: MEET, targets: Targets::Gpu, bodies: &[rule(&[], int64, Op::Device(D::GlobalTimer))],
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
            rule_on_gpu(&[P::Is(F32)], modf, Op::Device(D::Libdevice(const { known("modff") }))),
            rule_on_gpu(&[P::Real], modf, Op::Device(D::Libdevice(const { known("modf") }))),
            rule(&[P::Real], modf, Op::Modf),
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
        bodies: &[rule(&[P::Any, P::Any, P::Any], shared_array, Op::Device(D::SharedArray))],
    }
    /// An array of the thread: shape and type are constants.
    fn numbra.cuda.local.array(shape, dtype, alignment = None) {
        effects: MEET, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], local_array, Op::Device(D::LocalArray))],
    }
    /// A constant array in the memory for constants.
    fn numbra.cuda.const.array_like(ndarray) {
        targets: Targets::Gpu, bodies: &[rule(&[P::Array], same_array, Op::Identity)],
    }
    /// `array[i]` of an array or pointer, kept in all caches.
    fn numbra.cuda.ldca(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], cached_load, Op::Device(D::CachedLoad(CacheHint::Ca)))],
    }
    /// `array[i]` of an array or pointer, kept in the cache of the device only.
    fn numbra.cuda.ldcg(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], cached_load, Op::Device(D::CachedLoad(CacheHint::Cg)))],
    }
    /// `array[i]` of an array or pointer, read once.
    fn numbra.cuda.ldcs(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], cached_load, Op::Device(D::CachedLoad(CacheHint::Cs)))],
    }
    /// `array[i]` of an array or pointer, read for the last time.
    fn numbra.cuda.ldlu(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], cached_load, Op::Device(D::CachedLoad(CacheHint::Lu)))],
    }
    /// `array[i]` of an array or pointer, read from memory and not from a cache.
    fn numbra.cuda.ldcv(array, i) {
        effects: Effects::READ, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any], cached_load, Op::Device(D::CachedLoad(CacheHint::Cv)))],
    }
    /// `array[i] = value` of an array or pointer, kept in the cache of the device only.
    fn numbra.cuda.stcg(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], cached_store, Op::Device(D::CachedStore(CacheHint::Cg)))],
    }
    /// `array[i] = value` of an array or pointer, written once.
    fn numbra.cuda.stcs(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], cached_store, Op::Device(D::CachedStore(CacheHint::Cs)))],
    }
    /// `array[i] = value` of an array or pointer, kept in all caches.
    fn numbra.cuda.stwb(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], cached_store, Op::Device(D::CachedStore(CacheHint::Wb)))],
    }
    /// `array[i] = value` of an array or pointer, written through to memory.
    fn numbra.cuda.stwt(array, i, value) {
        effects: Effects::WRITE, targets: Targets::Gpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], cached_store, Op::Device(D::CachedStore(CacheHint::Wt)))],
    }
}

pub(crate) fn fixed(params: &[Type], ret: Type) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: params.to_vec(),
        ret,
    })
}

/// `() -> none`
fn none(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[], Type::NONE)
}

/// `() -> uint32`
fn uint32(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[], Type::UINT32)
}

/// `() -> int64`
fn int64(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[], Type::INT64)
}

/// `(self) -> int32`
fn int32_of_self(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::INT32)
}

/// `(int32) -> int32`
fn int32_to_int32(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::INT32], Type::INT32)
}

/// `(mask) -> none`
fn mask(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::INT32], Type::NONE)
}

/// `(uint32) -> none`
fn nanosleep(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::UINT32], Type::NONE)
}

/// The type of the group of all threads: an object that is known by its name.
fn this_grid(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let group = TypeKind::Module("numbra.cuda.cg.GridGroup".to_owned());
    fixed(&[], cx.types.intern(group))
}

/// `int64`, or two or three of them, as the constant argument says.
fn grid(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ret = match constants(cx, cx.arg(0)).as_deref() {
        Some([1]) => Type::INT64,
        Some([n @ (2 | 3)]) => cx.types.intern(TypeKind::UniTuple(Type::INT64, *n as u32)),
        Some(_) => return Err(Mismatch::error("argument can only be 1, 2, 3")),
        None => {
            return Err(Mismatch::error(format!(
                "RequireLiteralValue: ndim must be a constant integer, not {}",
                cx.show(cx.arg(0))
            )));
        }
    };
    fixed(&[cx.arg(0)], ret)
}

/// 32 or 64 bits, signed or float: what warps exchange.
fn exchanged(cx: &ResultCx<'_>) -> Result<Type, Mismatch> {
    let ty = cx.plain(1);
    match ty {
        Type::INT32 | Type::INT64 | Type::FLOAT32 | Type::FLOAT64 => Ok(ty),
        _ => Err(Mismatch::error(format!(
            "{} only supports 32- and 64-bit ints and floats, not {}",
            cx.row.rsplit('.').next().unwrap_or(cx.row),
            cx.show(ty)
        ))),
    }
}

/// `(mask, T, lane) -> T`
fn shuffle(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ty = exchanged(cx)?;
    fixed(&[Type::INT32, ty, Type::INT32], ty)
}

/// What a vote takes: a mask that is an integer, and an integer or truth.
fn check_vote(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    let scalar = |n| cx.types.as_scalar(cx.plain(n));
    if !scalar(0).is_some_and(|s| s.is_int()) {
        return Err(Mismatch::error(format!(
            "Mask type must be an integer. Got {}",
            cx.show(cx.plain(0))
        )));
    }
    if !scalar(1).is_some_and(|s| s.is_int() || s == Scalar::Bool) {
        return Err(Mismatch::error(format!(
            "Predicate must be an integer or boolean. Got {}",
            cx.show(cx.plain(1))
        )));
    }
    Ok(())
}

/// `(mask, bool) -> bool`
fn vote(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    check_vote(cx)?;
    fixed(&[Type::INT32, Type::BOOL], Type::BOOL)
}

/// `(mask, bool) -> int32`
fn ballot(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    check_vote(cx)?;
    fixed(&[Type::INT32, Type::BOOL], Type::INT32)
}

/// `(mask, T) -> int32`
fn match_any(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    fixed(&[Type::INT32, exchanged(cx)?], Type::INT32)
}

/// `(mask, T) -> (int32, bool)`
fn match_all(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ret = cx.types.tuple(&[Type::INT32, Type::BOOL]);
    fixed(&[Type::INT32, exchanged(cx)?], ret)
}

/// The types in C of a function of libdevice. What it writes through pointers are results: several are a tuple.
pub(crate) fn libdevice(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let found = position(cx.row).and_then(|i| FUNCTIONS.get(usize::from(i)));
    let Some(function) = found else {
        return Err(Mismatch::rejected("libdevice has no such function"));
    };
    let params: Vec<Type> = function.params.iter().copied().map(c_number).collect();
    if params.len() != cx.args.len() {
        return Err(Mismatch::rejected(format!(
            "takes {} arguments",
            params.len()
        )));
    }
    for (i, param) in params.iter().enumerate() {
        if cx.can_convert(cx.plain(i), *param).is_none() {
            return Err(Mismatch::rejected(format!(
                "{} does not convert to {}",
                cx.show(cx.plain(i)),
                cx.show(*param)
            )));
        }
    }
    let results: Vec<Type> = function.results().map(c_number).collect();
    let ret = match results[..] {
        [one] => one,
        _ => cx.types.tuple(&results),
    };
    fixed(&params, ret)
}

/// `math.modf(x)`: two floats of its type, of integers `float64`.
fn modf(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let float = match cx.plain(0) {
        Type::FLOAT32 => Type::FLOAT32,
        _ => Type::FLOAT64,
    };
    fixed(&[float], cx.types.tuple(&[float, float]))
}

/// Numbers of a vector type by its name: `float32x4`.
fn components(name: &str) -> Option<(Scalar, usize)> {
    let (base, count) = name.rsplit('.').next()?.rsplit_once('x')?;
    let base = Scalar::ALL.into_iter().find(|s| s.name() == base)?;
    Some((base, count.parse().ok()?))
}

/// A vector of numbers and shorter vectors, which have as many components together.
fn vector(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let Some((base, count)) = components(cx.row) else {
        return Err(Mismatch::rejected("no vector type"));
    };
    let mut given = 0;
    for i in 0..cx.args.len() {
        given += match cx.types.kind(cx.plain(i)) {
            TypeKind::NamedTuple(name, fields, _) if components(name).is_some() => fields.len(),
            _ if cx
                .types
                .as_scalar(cx.plain(i))
                .is_some_and(|s| !s.is_complex()) =>
            {
                1
            }
            _ => {
                return Err(Mismatch::rejected(format!(
                    "{} is neither a number nor a vector",
                    cx.show(cx.plain(i))
                )));
            }
        };
    }
    if given != count {
        return Err(Mismatch::rejected(format!(
            "the arguments have {given} components together, not {count}"
        )));
    }
    let name = cx.row.rsplit('.').next().unwrap_or(cx.row).to_owned();
    let fields = ["x", "y", "z", "w"][..count.min(4)]
        .iter()
        .map(|f| (*f).to_owned());
    let items = vec![cx.types.scalar(base); count];
    let ret = cx
        .types
        .intern(TypeKind::NamedTuple(name, fields.collect(), items));
    cx.returns(ret)
}

/// The element that an access with a hint for caches names: memory, index and type.
fn cached(cx: &ResultCx<'_>) -> Result<(Type, Type, Type), Mismatch> {
    let short = cx.row.rsplit('.').next().unwrap_or(cx.row);
    let memory = cx.plain(0);
    let items = cx.types.tuple_items(cx.plain(1));
    let indices = cx.types.tuple_items(cx.plain(1));
    for index in indices.unwrap_or_else(|| vec![cx.plain(1)]) {
        let plain = cx.types.unliteral(index);
        if !cx.types.as_scalar(plain).is_some_and(|s| s.is_int()) {
            return Err(Mismatch::error(format!(
                "{} is not a valid index",
                cx.show(plain)
            )));
        }
    }
    let (index, dtype) = match cx.types.kind(memory) {
        TypeKind::Pointer(Some(to)) => match items {
            Some(items) if items.len() != 1 => {
                return Err(Mismatch::error(format!(
                    "Pointers only support scalar indexing, got tuple of {}",
                    items.len()
                )));
            }
            _ => (Type::INT64, *to),
        },
        TypeKind::Array(array) => {
            let given = items.map_or(1, |items| items.len());
            if given != usize::from(array.ndim) {
                let got = match cx.types.tuple_items(cx.plain(1)) {
                    None => "a scalar".to_owned(),
                    Some(items) => items.len().to_string(),
                };
                return Err(Mismatch::error(format!(
                    "Expected {} indices, got {got}",
                    array.ndim
                )));
            }
            let (found, index) = subscripts::index(cx, *array, cx.arg(1))?;
            if found != array.dtype {
                return Err(Mismatch::rejected("the index does not name one element"));
            }
            (index, array.dtype)
        }
        _ => {
            return Err(Mismatch::error(format!(
                "{short} operates on arrays or pointers. Got type {}",
                cx.show(memory)
            )));
        }
    };
    match cx.types.as_scalar(dtype) {
        Some(s) if s.is_int() || s.is_float() => Ok((memory, index, dtype)),
        _ => Err(Mismatch::error(format!(
            "{short} requires array of integer or float type, got {}",
            cx.show(dtype)
        ))),
    }
}

/// `ldca(array, i)` and its like.
fn cached_load(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (memory, index, dtype) = cached(cx)?;
    fixed(&[memory, index], dtype)
}

/// `stcg(array, i, value)` and its like.
fn cached_store(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (memory, index, dtype) = cached(cx)?;
    if cx.types.as_array(memory).is_some() {
        check_mutable(cx, memory)?;
    }
    if cx.can_convert(cx.plain(2), dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(cx.plain(2)),
            cx.show(dtype)
        )));
    }
    fixed(&[memory, index, dtype], Type::NONE)
}

/// The type of a number in C.
fn c_number(c: CType) -> Type {
    match c {
        CType::I8 => Type::INT8,
        CType::I16 => Type::INT16,
        CType::I32 => Type::INT32,
        CType::I64 => Type::INT64,
        CType::F32 => Type::FLOAT32,
        CType::F64 => Type::FLOAT64,
        CType::Void | CType::Ptr | CType::Ref => Type::NONE,
    }
}

/// The constant array itself.
fn same_array(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.plain(0))
}

/// Constant integers: one, or a tuple of them.
fn constants(cx: &ResultCx<'_>, ty: Type) -> Option<Vec<i64>> {
    constant_integers(cx.types, ty)
}

/// The integers that a type stands for: a constant, or a tuple of constants.
pub fn constant_integers(types: &numbra_ir::Types, ty: Type) -> Option<Vec<i64>> {
    let integer = |value: &Const| match value {
        Const::Int(n) => Some(*n),
        Const::Bool(b) => Some(i64::from(*b)),
        _ => None,
    };
    match types.kind(ty) {
        TypeKind::Literal(Const::Tuple(items)) => items.iter().map(integer).collect(),
        TypeKind::Literal(value) | TypeKind::Omitted(value) => Some(vec![integer(value)?]),
        _ => {
            let items = types.tuple_items(ty)?;
            let one = |item: &Type| match constant_integers(types, *item)?[..] {
                [n] => Some(n),
                _ => None,
            };
            items.iter().map(one).collect()
        }
    }
}

/// An array that the block shares; one of no elements along its only axis takes what the launch gives.
fn shared_array(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    static_array(cx, true)
}

/// An array of the thread.
fn local_array(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    static_array(cx, false)
}

fn static_array(cx: &ResultCx<'_>, dynamic: bool) -> Result<Signature, Mismatch> {
    let Some(shape) = constants(cx, cx.arg(0)) else {
        let launched = if dynamic {
            "; one of shape 0 is as large as the launch says"
        } else {
            ""
        };
        return Err(Mismatch::rejected(format!(
            "the shape must be a constant integer or a tuple of them, not {}: compute it outside of the kernel{launched}",
            cx.show(cx.arg(0))
        )));
    };
    let empty = shape.iter().any(|&n| n <= 0);
    if empty && !(dynamic && shape == [0]) {
        return Err(Mismatch::error("ValueError: array length <= 0"));
    }
    let Some(dtype) = named_dtype(cx.types, cx.arg(1)) else {
        if let TypeKind::Literal(Const::Str(text)) = cx.types.kind(cx.arg(1)) {
            return Err(Mismatch::error(format!(
                "Invalid NumPy dtype specified: '{text}'"
            )));
        }
        return Err(Mismatch::error(format!(
            "TypeError: unsupported type: {}",
            cx.show(cx.plain(1))
        )));
    };
    check_alignment(cx)?;
    let ndim = u8::try_from(shape.len()).map_err(|_| Mismatch::error("too many dimensions"))?;
    let ret = cx.types.intern(TypeKind::Array(ArrayType {
        dtype,
        ndim,
        layout: Layout::C,
        mutable: true,
        aligned: true,
    }));
    fixed(&[cx.arg(0), cx.arg(1), cx.arg(2)], ret)
}

fn check_alignment(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    if cx.plain(2) == Type::NONE {
        return Ok(());
    }
    let n = match constants(cx, cx.arg(2)).as_deref() {
        Some(&[n]) => n,
        _ => {
            return Err(Mismatch::error(
                "RequireLiteralValue: alignment must be a constant integer",
            ));
        }
    };
    if n <= 0 {
        return Err(Mismatch::error("ValueError: Alignment must be positive"));
    }
    if n & (n - 1) != 0 {
        return Err(Mismatch::error(
            "ValueError: Alignment must be a power of 2",
        ));
    }
    if n % 8 != 0 {
        return Err(Mismatch::error(
            "ValueError: Alignment must be a multiple of 8",
        ));
    }
    Ok(())
}
