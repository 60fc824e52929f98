//! Conditions in a form that equal ones share, and what branches decide about them.

use numbra_lir::{Block, Func, InstKind, IntCc, Terminator, Value, ValueDef};

/// A condition in the form that equal conditions share.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    Value(Value),
    Compare(IntCc, Value, Value),
}

/// A condition, and whether it stands as such or negated. `actual` says what a value is where the condition is asked.
pub(crate) fn normal(
    func: &Func,
    cond: Value,
    actual: impl Fn(Value) -> Value,
) -> (Condition, bool) {
    let cond = actual(cond);
    if let ValueDef::Result(inst, _) = func.values[cond].def
        && let InstKind::Icmp { cc, lhs, rhs } = func.insts[inst].kind
    {
        let (lhs, rhs) = (actual(lhs), actual(rhs));
        let (cc, lhs, rhs) = if lhs <= rhs {
            (cc, lhs, rhs)
        } else {
            (cc.swapped(), rhs, lhs)
        };
        return match cc {
            IntCc::Ne | IntCc::Sge | IntCc::Sgt | IntCc::Uge | IntCc::Ugt => {
                (Condition::Compare(cc.negated(), lhs, rhs), false)
            }
            IntCc::Eq | IntCc::Slt | IntCc::Sle | IntCc::Ult | IntCc::Ule => {
                (Condition::Compare(cc, lhs, rhs), true)
            }
        };
    }
    (Condition::Value(cond), true)
}

/// The condition that leads from a block to its successor, and which way.
pub(crate) fn decided(func: &Func, from: Block, to: Block) -> Option<(Value, bool)> {
    match func.blocks[from].term.as_ref()? {
        Terminator::Brif { cond, then, other } if then.block != other.block => {
            Some((*cond, then.block == to))
        }
        Terminator::Guard { cond, ok, err, .. } if ok.block != err.block => {
            Some((*cond, ok.block == to))
        }
        _ => None,
    }
}
