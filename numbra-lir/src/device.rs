//! What threads of a device and atomic accesses ask for: operations, memory orders and scopes.

use crate::{Ty, c_type};
use numbra_abi::{CType, CacheHint, libdevice};
use serde::{Deserialize, Serialize};

/// Read-modify-write operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum AtomicOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    SMin,
    SMax,
    UMin,
    UMax,
    Exchange,
    /// `0 if x >= v else x + 1`, unsigned.
    IncWrap,
    /// `v if x == 0 or x > v else x - 1`, unsigned.
    DecWrap,
    FAdd,
    FMin,
    FMax,
}

/// Memory order of an atomic operation or fence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MemOrder {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Who observes an atomic operation or fence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MemScope {
    Block,
    Device,
    System,
}

/// What a device operation does beside giving its results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeviceEffect {
    /// Nothing; always the same in one thread.
    Pure,
    /// Asks for what changes while the thread runs, or is seen from outside: never removed, merged or reordered.
    Observe,
    /// All threads that the mask names (those of the warp) meet here: convergent.
    Converge,
    /// As [`DeviceEffect::Converge`], and orders the memory of those who meet.
    Synchronise,
}

macro_rules! device_ops {
    ($($(#[doc = $doc:literal])+ $op:ident $name:literal ($($param:ident),*) -> ($($result:ident),*) $effect:ident;)*) => {
        /// Device operations. Those that synchronise are convergent: never moved over control flow, merged or duplicated.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum DeviceOp {
            /// Index of the thread in its block, `-> i32`. Axis 0 is x.
            ThreadIdx(u8),
            /// Index of the block in the grid, `-> i32`.
            BlockIdx(u8),
            /// Threads of a block, `-> i32`.
            BlockDim(u8),
            /// Blocks of the grid, `-> i32`.
            GridDim(u8),
            /// The function of libdevice at this position of `numbra_abi::libdevice::FUNCTIONS`.
            Libdevice(u16),
            /// `(address) -> iN`: a load of so many bits from global memory, with the hint at this position of
            /// `numbra_abi::CacheHint::ALL`.
            CachedLoad(u8, u8),
            /// `(address, iN)`: a store, as [`DeviceOp::CachedLoad`].
            CachedStore(u8, u8),
            $($(#[doc = $doc])+ $op,)*
        }

        impl DeviceOp {
            /// Operations without an axis, in the order of their definition.
            pub const PLAIN: &[DeviceOp] = &[$(DeviceOp::$op),*];

            /// Its name in LIR text; an axis follows behind a dot.
            pub fn name(self) -> &'static str {
                match self {
                    DeviceOp::ThreadIdx(_) => "thread_idx",
                    DeviceOp::BlockIdx(_) => "block_idx",
                    DeviceOp::BlockDim(_) => "block_dim",
                    DeviceOp::GridDim(_) => "grid_dim",
                    DeviceOp::Libdevice(_) => "libdevice",
                    DeviceOp::CachedLoad(..) => "cached_load",
                    DeviceOp::CachedStore(..) => "cached_store",
                    $(DeviceOp::$op => $name,)*
                }
            }

            /// Types of its operands.
            pub fn params(self) -> Vec<Ty> {
                match self {
                    DeviceOp::ThreadIdx(_) | DeviceOp::BlockIdx(_) | DeviceOp::BlockDim(_) | DeviceOp::GridDim(_) => Vec::new(),
                    DeviceOp::Libdevice(_) => self.library_function().map(|f| numbers(f.params.iter().copied())).unwrap_or_default(),
                    DeviceOp::CachedLoad(..) => vec![Ty::PTR],
                    DeviceOp::CachedStore(_, bits) => [Ty::PTR].into_iter().chain(int_of(bits)).collect(),
                    $(DeviceOp::$op => vec![$(Ty::$param),*],)*
                }
            }

            /// Types of its results.
            pub fn results(self) -> Vec<Ty> {
                match self {
                    DeviceOp::ThreadIdx(_) | DeviceOp::BlockIdx(_) | DeviceOp::BlockDim(_) | DeviceOp::GridDim(_) => vec![Ty::I32],
                    DeviceOp::Libdevice(_) => self.library_function().map(|f| numbers(f.results())).unwrap_or_default(),
                    DeviceOp::CachedLoad(_, bits) => int_of(bits).into_iter().collect(),
                    DeviceOp::CachedStore(..) => Vec::new(),
                    $(DeviceOp::$op => vec![$(Ty::$result),*],)*
                }
            }

            /// What it does beside.
            pub fn effect(self) -> DeviceEffect {
                match self {
                    DeviceOp::ThreadIdx(_) | DeviceOp::BlockIdx(_) | DeviceOp::BlockDim(_) | DeviceOp::GridDim(_) | DeviceOp::Libdevice(_) => DeviceEffect::Pure,
                    DeviceOp::CachedLoad(..) | DeviceOp::CachedStore(..) => DeviceEffect::Observe,
                    $(DeviceOp::$op => DeviceEffect::$effect,)*
                }
            }
        }
    };
}

device_ops! {
    /// Number of the thread in its warp.
    LaneId "lane_id" () -> (I32) Pure;
    /// Threads of a warp: 32.
    WarpSize "warp_size" () -> (I32) Pure;
    /// A bit for each lane below this one.
    LanemaskLt "lanemask_lt" () -> (I32) Pure;
    /// Bytes of shared memory that the launch asked for.
    DynamicShared "dynamic_shared" () -> (I32) Pure;
    /// Lanes that run now.
    ActiveMask "active_mask" () -> (I32) Converge;
    /// Cycles of the multiprocessor, the low half.
    Clock "clock" () -> (I32) Observe;
    /// Cycles of the multiprocessor.
    Clock64 "clock64" () -> (I64) Observe;
    /// Nanoseconds of the device's clock.
    GlobalTimer "global_timer" () -> (I64) Observe;
    /// Waits for about this many nanoseconds.
    Nanosleep "nanosleep" (I32) -> () Observe;
    /// Stops a debugger.
    Breakpoint "breakpoint" () -> () Observe;
    /// C's `vprintf(format, arguments)`.
    Print "print" (PTR, PTR) -> (I32) Observe;
    /// All threads of the block meet.
    Barrier "barrier" () -> () Synchronise;
    /// They meet; for how many the operand is not 0.
    BarrierCount "barrier_count" (I32) -> (I32) Synchronise;
    /// They meet; 1 if the operand is not 0 for all.
    BarrierAnd "barrier_and" (I32) -> (I32) Synchronise;
    /// They meet; 1 if the operand is not 0 for any.
    BarrierOr "barrier_or" (I32) -> (I32) Synchronise;
    /// Threads of the mask in the warp meet.
    SyncWarp "sync_warp" (I32) -> () Synchronise;
    /// All threads of the grid meet; only in cooperative launches.
    GridBarrier "grid_barrier" () -> () Synchronise;
    /// `(mask, value, lane)`: the value of that lane.
    ShuffleIdx "shuffle_idx" (I32, I32, I32) -> (I32) Converge;
    /// `(mask, value, delta)`: the value of the lane so far below; the own one if there is none.
    ShuffleUp "shuffle_up" (I32, I32, I32) -> (I32) Converge;
    /// `(mask, value, delta)`: the value of the lane so far above; the own one if there is none.
    ShuffleDown "shuffle_down" (I32, I32, I32) -> (I32) Converge;
    /// `(mask, value, bits)`: the value of the lane whose number differs in these bits.
    ShuffleXor "shuffle_xor" (I32, I32, I32) -> (I32) Converge;
    /// `(mask, truth)`: the lanes for which it is true.
    Ballot "ballot" (I32, I1) -> (I32) Converge;
    /// `(mask, truth)`: whether it is true for all.
    VoteAll "vote_all" (I32, I1) -> (I1) Converge;
    /// `(mask, truth)`: whether it is true for any.
    VoteAny "vote_any" (I32, I1) -> (I1) Converge;
    /// `(mask, truth)`: whether it is the same for all.
    VoteEqual "vote_equal" (I32, I1) -> (I1) Converge;
    /// `(mask, value)`: the lanes that have the same value.
    MatchAny32 "match_any_32" (I32, I32) -> (I32) Converge;
    /// As [`DeviceOp::MatchAny32`].
    MatchAny64 "match_any_64" (I32, I64) -> (I32) Converge;
    /// `(mask, value)`: the mask if all lanes of it have one value, else 0; and whether they have.
    MatchAll32 "match_all_32" (I32, I32) -> (I32, I1) Converge;
    /// As [`DeviceOp::MatchAll32`].
    MatchAll64 "match_all_64" (I32, I64) -> (I32, I1) Converge;
    /// A bfloat16 as float32.
    BfloatToFloat "bfloat_to_float" (I16) -> (F32) Pure;
    /// A float32 as bfloat16, to nearest, ties to even.
    BfloatOfFloat "bfloat_of_float" (F32) -> (I16) Pure;
    /// A float64 as bfloat16, to nearest, ties to even, with one rounding.
    BfloatOfDouble "bfloat_of_double" (F64) -> (I16) Pure;
    /// `a * b + c` of bfloat16 with one rounding.
    BfloatFma "bfloat_fma" (I16, I16, I16) -> (I16) Pure;
}

/// The machine types of C's numbers.
fn numbers(types: impl Iterator<Item = CType>) -> Vec<Ty> {
    types.filter_map(c_type).collect()
}

/// The integer of so many bits, of those that memory is read and written in.
fn int_of(bits: u8) -> Option<Ty> {
    match bits {
        8 => Some(Ty::I8),
        16 => Some(Ty::I16),
        32 => Some(Ty::I32),
        64 => Some(Ty::I64),
        _ => None,
    }
}

impl DeviceOp {
    /// The hint for caches, and the bits, of a load or store that has one.
    pub fn cached(self) -> Option<(CacheHint, u8)> {
        match self {
            DeviceOp::CachedLoad(hint, bits) | DeviceOp::CachedStore(hint, bits) => {
                CacheHint::ALL.get(usize::from(hint)).map(|h| (*h, bits))
            }
            _ => None,
        }
    }

    /// The function of libdevice that it calls.
    pub fn library_function(self) -> Option<&'static libdevice::Function> {
        match self {
            DeviceOp::Libdevice(i) => libdevice::FUNCTIONS.get(usize::from(i)),
            _ => None,
        }
    }

    /// True for operations that all threads of a group must reach together.
    pub fn is_convergent(self) -> bool {
        matches!(
            self.effect(),
            DeviceEffect::Converge | DeviceEffect::Synchronise
        )
    }

    /// The least and the greatest value of the first result, which hold for every launch on every device.
    pub fn bounds(self) -> Option<(i128, i128)> {
        const THREADS: i128 = 1024;
        let blocks = i128::from(i32::MAX);
        match self {
            DeviceOp::ThreadIdx(_) => Some((0, THREADS - 1)),
            DeviceOp::BlockDim(_) => Some((1, THREADS)),
            DeviceOp::BlockIdx(_) => Some((0, blocks - 1)),
            DeviceOp::GridDim(_) => Some((1, blocks)),
            DeviceOp::LaneId => Some((0, 31)),
            DeviceOp::WarpSize => Some((32, 32)),
            DeviceOp::DynamicShared => Some((0, blocks)),
            DeviceOp::BarrierCount => Some((0, THREADS)),
            DeviceOp::BarrierAnd | DeviceOp::BarrierOr => Some((0, 1)),
            _ => None,
        }
    }

    /// The axis of an index or extent.
    pub fn axis(self) -> Option<u8> {
        match self {
            DeviceOp::ThreadIdx(axis)
            | DeviceOp::BlockIdx(axis)
            | DeviceOp::BlockDim(axis)
            | DeviceOp::GridDim(axis) => Some(axis),
            _ => None,
        }
    }
}
