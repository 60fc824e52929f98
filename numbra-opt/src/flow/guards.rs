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

use crate::analyses::{Analyses, Changed};
use crate::flow::conditions::{Condition, decided, normal};
use numbra_base::FxHashMap;
use numbra_lir::{Block, Func, Module, Terminator};

pub(crate) fn guards(func: &mut Func, _: &Module, analyses: &mut Analyses) -> Changed {
    let (cfg, doms) = (analyses.cfg(func), analyses.doms(func));
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
        if let Some(pred) = doms.entering(&*cfg, block)
            && let Some((cond, when)) = decided(func, pred, block)
        {
            let (condition, positive) = normal(func, cond, |v| v);
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
            let (condition, positive) = normal(func, cond, |v| v);
            if let Some(&value) = known.get(&condition) {
                let to = if value == positive { then } else { other };
                func.blocks[block].term = Some(Terminator::Jump(to.clone()));
                changed = true;
            }
        }
        stack.extend(doms.children(block).iter().rev().map(|&b| Step::Enter(b)));
    }
    Changed::flow(changed)
}
