//! How long a round takes, about, and whether a loop is bounded by the memory that it goes through.

use super::is_outside;
use crate::analysis::{Loop, LoopId, Loops, effects};
use crate::lir::{BinaryOp, Block, ConvertOp, Func, InstKind, Value, ValueDef};
use crate::passes::fold::{def, integer};

/// True for what may take long, or polls itself.
pub(super) fn is_call(kind: &InstKind) -> bool {
    match kind {
        InstKind::Call { .. } | InstKind::CallIndirect { .. } => true,
        InstKind::CallNative { .. } => effects(kind).counts,
        _ => false,
    }
}

pub(super) fn is_access(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Load { .. } | InstKind::Store { .. })
}

/// [`weight`] of a load or a store.
pub(super) const ACCESS: u64 = 8;

/// About how long an instruction takes, a nanosecond at most each.
pub(super) fn weight(kind: &InstKind) -> u64 {
    match kind {
        InstKind::IConst(_) | InstKind::FConst(_) | InstKind::Null => 0,
        // May miss the caches.
        kind if is_access(kind) => ACCESS,
        InstKind::Binary { op, .. } if op.is_division() || *op == BinaryOp::FDiv => 8,
        InstKind::Math { .. } | InstKind::CallNative { .. } => 32,
        InstKind::MemCopy { .. } | InstKind::MemSet { .. } => 64,
        _ => 1,
    }
}

/// True if the loop accesses memory at an address that moves on by the same distance each round.
pub(super) fn walks(func: &Func, loops: &Loops, id: LoopId) -> bool {
    let data = loops.get(id);
    let mut insts = data.blocks.iter().flat_map(|&b| &func.blocks[b].insts);
    insts.any(|&inst| match func.insts[inst].kind {
        InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => {
            moves(func, data, addr, ADDRESS)
        }
        _ => false,
    })
}

/// Operations in a row that an address is made by.
const ADDRESS: u32 = 8;

fn moves(func: &Func, data: &Loop, value: Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if let ValueDef::Param(block, n) = func.values[value].def {
        // What each way back hands on is the parameter and a constant more, or a stride.
        let is_step = |value| integer(func, value).is_some_and(|n| n != 0);
        let steps = |latch: &Block| {
            let targets = func.term(*latch).targets().into_iter();
            let mut back = targets.filter(|to| to.block == block);
            back.all(|to| match def(func, to.args[usize::from(n)]) {
                Some(&InstKind::Binary { op, lhs, rhs }) => match op {
                    BinaryOp::IAdd if rhs == value => is_step(lhs),
                    BinaryOp::IAdd | BinaryOp::ISub => lhs == value && is_step(rhs),
                    _ => false,
                },
                Some(&InstKind::PtrAdd { base, offset }) => {
                    base == value && (is_step(offset) || is_outside(func, data, offset))
                }
                _ => false,
            })
        };
        return block == data.header && data.latches.iter().all(steps);
    }
    let is = |value| moves(func, data, value, depth);
    match def(func, value) {
        Some(&InstKind::PtrAdd { base, offset }) => is(base) || is(offset),
        Some(&InstKind::Binary { op, lhs, rhs }) => match op {
            BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::IMul => is(lhs) || is(rhs),
            BinaryOp::Shl => is(lhs),
            _ => false,
        },
        Some(&InstKind::Convert {
            op: ConvertOp::SExt | ConvertOp::ZExt,
            arg,
        }) => is(arg),
        Some(&InstKind::Select { then, other, .. }) => is(then) && is(other),
        _ => false,
    }
}
