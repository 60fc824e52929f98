//! Device operations of one thread, in a block and a grid of its own.

use crate::lir::DeviceOp;

/// The results of an operation when no other thread is there.
pub(super) fn alone(op: DeviceOp, args: &[u128]) -> Vec<u128> {
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    // Lane 0 is the only one; whoever is not in the mask still gets an answer.
    let in_mask = arg(0) & 1;
    match op {
        // No library and no memory of a device here.
        DeviceOp::Libdevice(_) | DeviceOp::CachedLoad(..) | DeviceOp::CachedStore(..) => {
            vec![0; op.results().len()]
        }
        DeviceOp::ThreadIdx(_)
        | DeviceOp::BlockIdx(_)
        | DeviceOp::LaneId
        | DeviceOp::LanemaskLt
        | DeviceOp::DynamicShared
        | DeviceOp::Clock
        | DeviceOp::Clock64
        | DeviceOp::GlobalTimer
        | DeviceOp::Print => vec![0],
        DeviceOp::BlockDim(_) | DeviceOp::GridDim(_) | DeviceOp::ActiveMask => vec![1],
        DeviceOp::WarpSize => vec![32],
        DeviceOp::Nanosleep
        | DeviceOp::Breakpoint
        | DeviceOp::Barrier
        | DeviceOp::SyncWarp
        | DeviceOp::GridBarrier => Vec::new(),
        DeviceOp::BarrierCount | DeviceOp::BarrierAnd | DeviceOp::BarrierOr => {
            vec![u128::from(arg(0) != 0)]
        }
        DeviceOp::ShuffleIdx
        | DeviceOp::ShuffleUp
        | DeviceOp::ShuffleDown
        | DeviceOp::ShuffleXor => vec![arg(1)],
        DeviceOp::Ballot => vec![in_mask & arg(1)],
        DeviceOp::VoteAll | DeviceOp::VoteAny => vec![arg(1) & 1],
        DeviceOp::VoteEqual => vec![1],
        DeviceOp::MatchAny32 | DeviceOp::MatchAny64 => vec![in_mask],
        DeviceOp::MatchAll32 | DeviceOp::MatchAll64 => vec![in_mask, 1],
    }
}
