//! What code for a GPU asks of it beside computing: one variant here, one arm in lowering.

use crate::{CmpOp, Rounding};
use numbra_abi::CacheHint;

/// An operation of a thread of a GPU. Axis 0 is x.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeviceFn {
    /// Index of the thread in its block.
    ThreadIdx(u8),
    /// Index of the block in the grid.
    BlockIdx(u8),
    /// Threads of a block.
    BlockDim(u8),
    /// Blocks of the grid.
    GridDim(u8),
    /// Number of the thread in its warp.
    LaneId,
    /// Index of the thread in the grid, along as many axes as `ret` has; computed in 64 bits.
    Grid,
    /// Threads of the grid, along as many axes as `ret` has.
    GridSize,
    /// All threads of the block meet.
    Barrier,
    /// They meet; for how many the operand is not 0.
    BarrierCount,
    /// They meet; whether the operand is not 0 for all.
    BarrierAnd,
    /// They meet; whether the operand is not 0 for any.
    BarrierOr,
    /// Lanes of the mask meet.
    SyncWarp,
    /// All threads of the grid meet.
    GridBarrier,
    /// The group of all threads of the grid, an object known by its name: the launch is cooperative.
    ThisGrid,
    /// Writes of this thread are seen before later ones by those of the scope.
    Fence(FenceScope),
    /// `(mask, value, lane)`: another lane's value.
    Shuffle(Shuffle),
    /// `(mask, truth)`
    Vote(Vote),
    /// `(mask, value)`: lanes with the same value.
    MatchAny,
    /// `(mask, value)`: the mask if all have one value, else 0; and whether they have.
    MatchAll,
    /// Lanes that run now.
    ActiveMask,
    /// A bit for each lane below this one.
    LanemaskLt,
    /// Waits so many nanoseconds.
    Nanosleep,
    /// Stops a debugger.
    Breakpoint,
    /// Cycles, the low 32 bits.
    Clock,
    /// Cycles.
    Clock64,
    /// Nanoseconds.
    GlobalTimer,
    /// `(array, index, operands..)`: changes an element at once, and gives what it was.
    Atomic(Atomic),
    /// An array that the block shares: the operands are types of constants.
    SharedArray,
    /// An array of the thread.
    LocalArray,
    /// Bits that are 1.
    Popc,
    /// Bits in reverse order.
    Brev,
    /// Zero bits at the top.
    Clz,
    /// Position of the lowest bit that is 1, from 1; 0 for 0.
    Ffs,
    /// `a if truth else b`, both computed.
    Selp,
    /// `(array or pointer, index)`: an element, with a hint for caches.
    CachedLoad(CacheHint),
    /// `(array or pointer, index, value)`: writes an element, with a hint for caches.
    CachedStore(CacheHint),
    /// The components of the operands, numbers and vectors, as a vector.
    Vector,
    /// The function at this position of `numbra_abi::libdevice::FUNCTIONS`; its results are a tuple if there are several.
    Libdevice(u16),
    /// A function of bfloat16.
    Bfloat(BfloatFn),
}

/// What bfloat16 has of its own. The other operations compute in single precision and round once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BfloatFn {
    /// A number, rounded once.
    Of(Rounding),
    /// An integer; beyond its range its least or greatest, of NaN 0, and in 64 bits the highest bit alone.
    ToInt(Rounding),
    /// The same 16 bits as another type.
    Bits,
    /// The result of an operation between 0 and 1; of NaN 0.
    Saturated(Arith),
    /// `a * b + c`, no less than 0; NaN stays NaN.
    FmaRelu,
    /// The greater (or smaller) one; NaN if one is NaN.
    Extreme {
        /// Not the smaller.
        greatest: bool,
    },
    /// 1 for infinity, -1 for minus infinity, else 0.
    IsInf,
    /// Neither is NaN, and they differ.
    LessOrGreater,
    /// The comparison holds, or one is NaN.
    Unordered(CmpOp),
}

/// An operation that is saturated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arith {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a * b + c`
    Fma,
}

/// Who sees a fence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FenceScope {
    /// Threads of the block.
    Block,
    /// Threads of the device.
    Device,
    /// Threads of the system.
    System,
}

/// Whose value a shuffle takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shuffle {
    /// Of the lane of this number.
    Idx,
    /// Of the lane so far below.
    Up,
    /// Of the lane so far above.
    Down,
    /// Of the lane whose number differs in these bits.
    Xor,
}

/// What a vote counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Vote {
    /// Whether it is true for all.
    All,
    /// Whether it is true for any.
    Any,
    /// Whether it is the same for all.
    Equal,
    /// The lanes for which it is true.
    Ballot,
}

/// How an atomic operation changes an element. `x` is the element, `v` the operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atomic {
    /// `x + v`
    Add,
    /// `x - v`
    Sub,
    /// `max(x, v)`; `x` if either is NaN.
    Max,
    /// `min(x, v)`; `x` if either is NaN.
    Min,
    /// `max(x, v)`; the other one if one is NaN.
    NanMax,
    /// `min(x, v)`; the other one if one is NaN.
    NanMin,
    /// `x & v`
    And,
    /// `x | v`
    Or,
    /// `x ^ v`
    Xor,
    /// `v`
    Exchange,
    /// `0 if x >= v else x + 1`
    Inc,
    /// `v if x == 0 or x > v else x - 1`
    Dec,
    /// `(array, index, old, v)`: `v` if `x == old`.
    Cas,
    /// `(array, old, v)`: as [`Atomic::Cas`] of the first element.
    CompareAndSwap,
}
