//! Differences whose sign a test in the loop tells: `a[i - w]` where `i >= w`.
//!
//! That holds unless the difference wraps around, which it cannot where what is taken away is not negative.

use crate::scalar::fold::integer;
use numbra_lir::analysis::{Cfg, Dominators, Loop, is_fixed};
use numbra_lir::{BinaryOp, Block, Func, Inst, InstKind, IntCc, Terminator, Ty, Value};

/// Conditions in conditions.
const MAX_CONDITION_DEPTH: u32 = 2;

/// If `inst` asks for the sign of such a difference, what the loop, which does not change it, takes away.
pub(crate) fn taken_away(
    func: &Func,
    (cfg, doms): (&Cfg, &Dominators),
    data: &Loop,
    inst: Inst,
) -> Option<Value> {
    let InstKind::Icmp {
        cc: IntCc::Slt,
        lhs: asked,
        rhs: zero,
    } = func.insts[inst].kind
    else {
        return None;
    };
    let &InstKind::Binary {
        op: BinaryOp::ISub,
        lhs: from,
        rhs: taken,
    } = func.def(without_constant(func, asked))?
    else {
        return None;
    };
    let wanted = func.ty(asked) == Ty::I64
        && integer(func, zero) == Some(0)
        && integer(func, taken).is_none()
        && is_fixed(func, data, taken)
        && !is_fixed(func, data, from);
    if !wanted {
        return None;
    }
    let told = func.insts[inst].results[0];
    let asking = func.def_block(told)?;
    let tells = |&block: &Block| {
        let Terminator::Brif { cond, then, other } = func.term(block) else {
            return false;
        };
        let leads = |to: Block| cfg.preds(to) == [block] && doms.dominates(to, asking);
        then.block != other.block
            && [(then.block, true), (other.block, false)]
                .into_iter()
                .any(|(to, when)| {
                    leads(to)
                        && is_difference_bounded(
                            func,
                            *cond,
                            when,
                            (from, taken),
                            MAX_CONDITION_DEPTH,
                        )
                })
    };
    data.blocks.iter().any(tells).then_some(taken)
}

/// True if the condition says that one value is at least another, give or take a constant.
fn is_difference_bounded(
    func: &Func,
    cond: Value,
    when: bool,
    (large, small): (Value, Value),
    depth: u32,
) -> bool {
    match func.def(cond) {
        Some(&InstKind::Icmp { cc, lhs, rhs }) => {
            let cc = if when { cc } else { cc.negated() };
            let sides = match cc {
                IntCc::Sge | IntCc::Sgt => (lhs, rhs),
                IntCc::Sle | IntCc::Slt => (rhs, lhs),
                _ => return false,
            };
            let same = |a: Value, b: Value| without_constant(func, a) == without_constant(func, b);
            same(sides.0, large) && same(sides.1, small)
        }
        Some(&InstKind::Binary {
            op: BinaryOp::And,
            lhs,
            rhs,
        }) if when && depth > 0 => [lhs, rhs]
            .into_iter()
            .any(|part| is_difference_bounded(func, part, when, (large, small), depth - 1)),
        _ => false,
    }
}

/// `x` for `x + 1` and `x - 1`; others are themselves.
fn without_constant(func: &Func, value: Value) -> Value {
    match func.def(value) {
        Some(&InstKind::Binary {
            op: BinaryOp::IAdd | BinaryOp::ISub,
            lhs,
            rhs,
        }) if integer(func, rhs).is_some() => lhs,
        _ => value,
    }
}
