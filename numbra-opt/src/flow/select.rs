//! Where a branch is better than a select.

use crate::scalar::fold::integer;
use numbra_lir::analysis::Cfg;
use numbra_lir::{BinaryOp, Func, InstKind, Terminator, Value, ValueDef};

/// Instructions looked at for one condition.
const MOST_VISITED: usize = 16;

/// Whether the condition of choosing one of `arms` loads from an address that depends on an arm which a loop carries, as
/// in `if a[i] > a[best]: best = i`: with a select each iteration waits for the load of the one before, while the branch
/// is nearly always predicted, as it changes less and less.
pub(crate) fn waits_for_load(func: &Func, cfg: &Cfg, cond: Value, arms: [Value; 2]) -> bool {
    arms.into_iter()
        .any(|kept| is_carried(func, cfg, kept) && is_loaded_through(func, cond, kept))
}

/// A value that a loop hands from iteration to iteration, and that is chosen: the loop's counter steps whatever is chosen, so that no
/// load waits for one before (`if a[i] > t: last = i`).
fn is_carried(func: &Func, cfg: &Cfg, value: Value) -> bool {
    let ValueDef::Param(block, index) = func.values[value].def else {
        return false;
    };
    let own = cfg.rpo_index(block);
    let preds = cfg.preds(block);
    let mut back = preds.iter().filter(|&&pred| cfg.rpo_index(pred) >= own);
    back.any(|&pred| {
        let targets = func.blocks[pred].term.iter().flat_map(Terminator::targets);
        let mut handed = targets
            .filter(|to| to.block == block)
            .filter_map(|to| to.args.get(usize::from(index)));
        handed.any(|&next| !is_offset_of(func, next, value))
    })
}

/// Whether a value is the other one and a constant.
fn is_offset_of(func: &Func, value: Value, from: Value) -> bool {
    match func.def(value) {
        Some(InstKind::Binary {
            op: BinaryOp::IAdd | BinaryOp::ISub,
            lhs,
            rhs,
        }) => *lhs == from && integer(func, *rhs).is_some(),
        _ => false,
    }
}

fn is_loaded_through(func: &Func, value: Value, from: Value) -> bool {
    let mut stack = vec![(value, false)];
    let mut visited = 0;
    while let Some((value, loaded)) = stack.pop() {
        if value == from && loaded {
            return true;
        }
        visited += 1;
        let Some(kind) = func.def(value).filter(|_| visited <= MOST_VISITED) else {
            continue;
        };
        let loaded = loaded || matches!(kind, InstKind::Load { .. });
        kind.visit_operands(|operand| stack.push((operand, loaded)));
    }
    false
}
