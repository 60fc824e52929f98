//! Where loop counters start: a counter that goes up is never less, one that goes down never more.
//!
//! ```text
//!   jump block1(v0)
//! block1(v1: i64):                 v0 <= v1
//!   v2 = icmp slt v1, v3
//!   brif v2, block2, block4
//! block2:
//!   v4 = iadd v1, v5   (v5 = 1)    does not wrap around below v3
//!   jump block1(v4)
//! ```
//!
//! Intervals know it where the counter starts at a number; this is for `range(m, n)`, whose counter takes `m` places off
//! without becoming negative.

use super::*;
use numbra_lir::analysis::addend;

/// Where the counter starts, and what is added to it in each iteration.
#[derive(Clone, Copy)]
pub(super) struct Start {
    at: Value,
    step: i128,
}

/// The counters that start at one value that is no constant, by the parameter of the loop's header.
pub(super) fn starts(func: &Func, cfg: &Cfg) -> FxHashMap<Value, Start> {
    of_loops(func, cfg, |header, n| start(func, cfg, header, n))
}

fn start(func: &Func, cfg: &Cfg, header: Block, n: usize) -> Option<Start> {
    let param = func.blocks[header].params[n];
    let own = cfg.rpo_index(header);
    let (mut at, mut step) = (None, None);
    for &pred in cfg.preds(header) {
        let targets = func.term(pred).targets().into_iter();
        for target in targets.filter(|to| to.block == header) {
            let arg = target.args[n];
            if cfg.rpo_index(pred) < own {
                if *at.get_or_insert(arg) != arg || integer(func, arg).is_some() {
                    return None;
                }
                continue;
            }
            let by = addend(func, param, arg)?.constant?;
            if *step.get_or_insert(by) != by || by == 0 {
                return None;
            }
        }
    }
    Some(Start {
        at: at?,
        step: step?,
    })
}

impl Walk<'_> {
    /// Remembers where a parameter started, if its next value does not wrap around.
    pub(super) fn assume_start(&mut self, param: Value, full: Interval) {
        let Some(&Start { at, step }) = self.counters.starts.get(&param) else {
            return;
        };
        let range = self.range[param];
        if range.is_empty() {
            return;
        }
        if step > 0 && range.hi + step <= full.hi {
            self.assume_difference(IntCc::Sge, param, at);
        } else if step < 0 && range.lo + step >= full.lo {
            self.assume_difference(IntCc::Sle, param, at);
        }
    }
}
