//! Loop counters that go up to a stop by a step that is not negative, as `range(start, stop, step)` has them.
//!
//! ```text
//!   v1 = icmp slt v0, stop
//!   brif v1, block1(v0), block2
//! block1(v2: i64):
//!   v3 = isub stop, v2
//!   v4 = icmp ugt v3, step
//!   v5 = iadd v2, step
//!   brif v4, block1(v5), block2
//! ```
//!
//! Every way into the loop says that the counter is below the stop. So the unsigned difference is the true one, and where
//! it is larger than the step, the next counter is below the stop, too, and has not wrapped around.

use super::*;
use numbra_lir::analysis::addend;

/// A counter that is below `stop` in each iteration, if `step` is not negative where the loop goes back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Rising {
    stop: Value,
    step: Value,
    /// The counter plus the step.
    next: Value,
}

/// The counters of this kind, by the parameter of the loop's header.
pub(super) fn rising(func: &Func, cfg: &Cfg) -> FxHashMap<Value, Rising> {
    of_loops(func, cfg, |header, n| rises(func, cfg, header, n))
}

/// Whether parameter `n` of a loop's header is such a counter.
fn rises(func: &Func, cfg: &Cfg, header: Block, n: usize) -> Option<Rising> {
    let param = func.blocks[header].params[n];
    let own = cfg.rpo_index(header);
    let mut entering: Vec<Value> = Vec::new();
    let mut rising: Option<Rising> = None;
    for &pred in cfg.preds(header) {
        let term = func.term(pred);
        let targets = term.targets().into_iter().enumerate();
        for (edge, target) in targets.filter(|(_, to)| to.block == header) {
            let (cond, when) = decision(term, edge)?;
            let arg = target.args[n];
            let mut tests = comparisons(func, cond, when).into_iter();
            if cfg.rpo_index(pred) < own {
                let below = tests.find(|&(cc, lhs, _)| cc == IntCc::Slt && lhs == arg)?;
                entering.push(below.2);
                continue;
            }
            // `step < stop - param`
            let this = tests.find_map(|(cc, step, left)| {
                let stop = difference_to(func, left, param)?;
                let added = addend(func, param, arg)?;
                let steps = cc == IntCc::Ult && added.value == step && !added.is_subtracted;
                steps.then_some(Rising {
                    stop,
                    step,
                    next: arg,
                })
            })?;
            if rising.is_some_and(|other| other != this) {
                return None;
            }
            rising = Some(this);
        }
    }
    rising.filter(|r| entering.iter().all(|&stop| stop == r.stop))
}

/// The comparisons that hold with a condition, written with `<` or `<=` where they are one of them.
fn comparisons(func: &Func, cond: Value, when: bool) -> Vec<(IntCc, Value, Value)> {
    match func.def(cond) {
        Some(&InstKind::Icmp { cc, lhs, rhs }) => {
            let cc = if when { cc } else { cc.negated() };
            vec![match cc {
                IntCc::Sgt | IntCc::Sge | IntCc::Ugt | IntCc::Uge => (cc.swapped(), rhs, lhs),
                _ => (cc, lhs, rhs),
            }]
        }
        Some(&InstKind::Binary {
            op: BinaryOp::And,
            lhs,
            rhs,
        }) if when => [lhs, rhs]
            .into_iter()
            .flat_map(|cond| comparisons(func, cond, when))
            .collect(),
        _ => Vec::new(),
    }
}

/// `stop` of `stop - param`.
fn difference_to(func: &Func, value: Value, param: Value) -> Option<Value> {
    match *func.def(value)? {
        InstKind::Binary {
            op: BinaryOp::ISub,
            lhs,
            rhs,
        } if rhs == param => Some(lhs),
        _ => None,
    }
}

impl Walk<'_> {
    /// What `lhs > rhs`, unsigned, tells about the next counter of a loop.
    pub(super) fn assume_next(&mut self, cc: IntCc, lhs: Value, rhs: Value) {
        let (difference, step) = match cc {
            IntCc::Ugt => (lhs, rhs),
            IntCc::Ult => (rhs, lhs),
            _ => return,
        };
        let Some(&InstKind::Binary {
            op: BinaryOp::ISub,
            lhs: stop,
            rhs: param,
        }) = self.func.def(difference)
        else {
            return;
        };
        let Some(rising) = self.counters.rising.get(&param) else {
            return;
        };
        let (x, by, end) = (self.range[param], self.range[step], self.range[stop]);
        let known = !x.is_empty() && !by.is_empty() && !end.is_empty();
        if rising.stop == stop && rising.step == step && known && by.is_nonnegative() {
            let next = rising.next;
            let (lo, hi) = (x.lo + by.lo, end.hi - 1);
            self.narrow(next, Interval { lo, hi });
        }
    }
}
