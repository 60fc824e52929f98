//! What threads of a device and atomic accesses ask for: operations, memory orders and scopes.

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

/// Device operations. Those that synchronise are convergent: never moved over control flow, merged or duplicated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum DeviceOp {
    /// `-> i32`; operand-free, pure. Axis 0 is x.
    ThreadIdx(u8),
    BlockIdx(u8),
    BlockDim(u8),
    GridDim(u8),
    LaneId,
    /// All threads of the block; convergent, orders memory of the block.
    Barrier,
    /// `(mask i32, value i32, lane i32) -> i32`; convergent.
    ShuffleIdx,
    /// `(mask i32, pred i1) -> i32`; convergent.
    Ballot,
}

impl DeviceOp {
    /// True for operations that all threads of a group must reach together.
    pub fn is_convergent(self) -> bool {
        match self {
            DeviceOp::Barrier | DeviceOp::ShuffleIdx | DeviceOp::Ballot => true,
            DeviceOp::ThreadIdx(_)
            | DeviceOp::BlockIdx(_)
            | DeviceOp::BlockDim(_)
            | DeviceOp::GridDim(_)
            | DeviceOp::LaneId => false,
        }
    }
}
