//! How long an iteration takes, about, and whether a loop goes through memory.

use crate::scalar::fold::integer;
use numbra_lir::analysis::{Loop, LoopId, Loops, addend, back_edges, effects};
use numbra_lir::{BinaryOp, ConvertOp, Func, InstKind, Value, ValueDef};

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
pub(super) const ACCESS_WEIGHT: u64 = 8;

/// About how long an instruction takes, a nanosecond at most each.
pub(super) fn weight(kind: &InstKind) -> u64 {
    match kind {
        InstKind::IConst(_) | InstKind::FConst(_) | InstKind::Null => 0,
        // May miss the caches.
        kind if is_access(kind) => ACCESS_WEIGHT,
        InstKind::Binary { op, .. } if op.is_division() || *op == BinaryOp::FDiv => 8,
        InstKind::Math { .. } | InstKind::CallNative { .. } => 32,
        InstKind::MemCopy { .. } | InstKind::MemSet { .. } => 64,
        _ => 1,
    }
}

/// True if the loop goes through memory: an address moves on by the same distance each iteration, which may be none.
pub(super) fn has_strided_access(func: &Func, loops: &Loops, id: LoopId) -> bool {
    let data = loops.get(id);
    let mut insts = data.blocks.iter().flat_map(|&b| func.blocks[b].insts());
    insts.any(|&inst| match func.insts[inst].kind {
        InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => {
            step(func, data, addr, MAX_ADDRESS_DEPTH).is_some_and(|step| step != Step::Zero)
        }
        _ => false,
    })
}

/// What is added to a value each iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Zero,
    /// What the loop does not change; may be zero where it is no constant.
    Fixed,
}

/// Operations in a row that an address is made by.
const MAX_ADDRESS_DEPTH: u32 = 8;

fn step(func: &Func, data: &Loop, value: Value, depth: u32) -> Option<Step> {
    let depth = depth.checked_sub(1)?;
    if !func.is_defined_in(data, value) {
        return Some(Step::Zero);
    }
    if let ValueDef::Param(block, n) = func.values[value].def {
        // What each way back hands on is the parameter and a constant more, or a stride.
        let added = |value| match integer(func, value) {
            Some(0) => Some(Step::Zero),
            Some(_) => Some(Step::Fixed),
            None => (!func.is_defined_in(data, value)).then_some(Step::Fixed),
        };
        if block != data.header {
            return None;
        }
        let mut steps = back_edges(func, data).map(|to| {
            let next = to.args[usize::from(n)];
            match func.def(next) {
                Some(&InstKind::PtrAdd { base, offset }) if base == value => added(offset),
                _ => added(addend(func, value, next)?.value),
            }
        });
        let first = steps.next()??;
        return steps.all(|step| step == Some(first)).then_some(first);
    }
    let of = |value| step(func, data, value, depth);
    let sum = |lhs, rhs| match (of(lhs)?, of(rhs)?) {
        (Step::Zero, other) | (other, Step::Zero) => Some(other),
        // Either may undo the other.
        _ => Some(Step::Fixed),
    };
    match *func.def(value)? {
        InstKind::PtrAdd { base, offset } => sum(base, offset),
        InstKind::Binary { op, lhs, rhs } => match op {
            BinaryOp::IAdd | BinaryOp::ISub => sum(lhs, rhs),
            BinaryOp::IMul => match (of(lhs)?, of(rhs)?) {
                (Step::Zero, Step::Zero) => Some(Step::Zero),
                (step, Step::Zero) => scaled(func, step, rhs),
                (Step::Zero, step) => scaled(func, step, lhs),
                _ => None,
            },
            BinaryOp::Shl => match integer(func, rhs) {
                Some(_) => of(lhs),
                None => None,
            },
            _ => None,
        },
        InstKind::Convert {
            op: ConvertOp::SExt | ConvertOp::ZExt,
            arg,
        } => of(arg),
        // Of two ways to count, as from the front and from the end.
        InstKind::Select { then, other, .. } => match (of(then)?, of(other)?) {
            (then, other) if then == other => Some(then),
            _ => None,
        },
        _ => None,
    }
}

fn scaled(func: &Func, step: Step, by: Value) -> Option<Step> {
    Some(match integer(func, by) {
        Some(0) => Step::Zero,
        Some(_) => step,
        None => Step::Fixed,
    })
}
