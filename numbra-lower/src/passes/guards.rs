//! Removes guards and branches on conditions that a dominating branch has decided.
//!
//! ```text
//! before                                    after
//!   guard v0 bounds, block1, block9           guard v0 bounds, block1, block9
//! block1:                                   block1:
//!   guard v0 bounds, block2, block9           jump block2
//! ```
//!
//! A comparison also decides the one that contradicts it. Linear.

use crate::analysis::{Cfg, Dominators};
use crate::lir::{Block, Func, InstKind, IntCc, Module, Terminator, Value, ValueDef};
use numbra_base::FxHashMap;

/// A condition in the form that equal conditions share.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Condition {
    Value(Value),
    Compare(IntCc, Value, Value),
}

pub(super) fn guards(func: &mut Func, _: &Module) -> bool {
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let mut known: FxHashMap<Condition, bool> = FxHashMap::default();
    let mut changed = false;
    enum Step {
        Enter(Block),
        Forget(Condition, Option<bool>),
    }
    let mut stack = vec![Step::Enter(func.entry())];
    while let Some(step) = stack.pop() {
        let block = match step {
            Step::Enter(block) => block,
            Step::Forget(condition, before) => {
                match before {
                    Some(value) => known.insert(condition, value),
                    None => known.remove(&condition),
                };
                continue;
            }
        };
        if let Some(pred) = doms.entering(&cfg, block)
            && let Some((cond, when)) = decided(func, pred, block)
        {
            let (condition, positive) = normal(func, cond);
            let before = known.insert(condition, when == positive);
            stack.push(Step::Forget(condition, before));
        }
        let decision = func.blocks[block]
            .term
            .as_ref()
            .and_then(|term| match term {
                Terminator::Brif { cond, then, other } => Some((*cond, then, other)),
                Terminator::Guard { cond, ok, err, .. } => Some((*cond, ok, err)),
                Terminator::Jump(_)
                | Terminator::Switch { .. }
                | Terminator::Return(_)
                | Terminator::Fail => None,
            });
        if let Some((cond, then, other)) = decision {
            let (condition, positive) = normal(func, cond);
            if let Some(&value) = known.get(&condition) {
                let to = if value == positive { then } else { other };
                func.blocks[block].term = Some(Terminator::Jump(to.clone()));
                changed = true;
            }
        }
        stack.extend(doms.children(block).iter().rev().map(|&b| Step::Enter(b)));
    }
    changed
}

/// The condition that leads from a block to its successor, and which way.
fn decided(func: &Func, from: Block, to: Block) -> Option<(Value, bool)> {
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

/// A condition, and whether it stands as such or negated.
fn normal(func: &Func, cond: Value) -> (Condition, bool) {
    if let ValueDef::Result(inst, _) = func.values[cond].def
        && let InstKind::Icmp { cc, lhs, rhs } = func.insts[inst].kind
    {
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
