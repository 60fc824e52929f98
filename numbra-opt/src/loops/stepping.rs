//! Integers that change by the same amount in every iteration of a loop.

use numbra_lir::analysis::{Loop, LoopInductions, back_edges, is_fixed};
use numbra_lir::{Func, IntCc, Ty, Value};

/// How a 64-bit parameter of a loop's header changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stepping {
    /// It is one larger in each iteration, and below `stop`, which the loop does not change, in each but perhaps the first.
    Up { stop: Option<Value> },
    /// It changes by `step`, which the loop does not, and there are no more iterations than the parameter number `iterations` is
    /// at the start, as a signed number.
    Counted { step: Value, iterations: usize },
    /// It is larger by `step` in each iteration, and below `stop` in each but perhaps the first; the loop changes neither.
    Rising { step: Value, stop: Value },
    /// It is one smaller in each iteration; nothing tells how often.
    Down,
}

/// What is known of parameter `n` of the header.
pub(crate) fn stepping(
    func: &Func,
    data: &Loop,
    known: &LoopInductions,
    n: usize,
) -> Option<Stepping> {
    if func.ty(func.blocks[data.header].params[n]) != Ty::I64 {
        return None;
    }
    let step = known.var(n)?.step;
    if step.constant == Some(1) {
        return Some(Stepping::Up {
            stop: stop(func, data, known, n),
        });
    }
    // What is taken away each time is known as a constant only.
    let added = Some(step.value).filter(|_| !step.is_subtracted);
    match counted(func, data, known) {
        None if step.constant == Some(-1) => Some(Stepping::Down),
        None => Some(Stepping::Rising {
            stop: stop(func, data, known, n)?,
            step: added?,
        }),
        Some(iterations) if iterations == n => None,
        Some(iterations) => Some(Stepping::Counted {
            step: added?,
            iterations,
        }),
    }
}

/// What parameter `n` of the next iteration must be below for there to be one.
fn stop(func: &Func, data: &Loop, known: &LoopInductions, n: usize) -> Option<Value> {
    let test = known.test()?;
    let next = back_edges(func, data).next()?.args[n];
    let is_below = test.cc == IntCc::Slt && test.lhs == next;
    (is_below && is_fixed(func, data, test.rhs)).then_some(test.rhs)
}

/// The parameter that the latch decrements and, for another iteration, tests for zero.
fn counted(func: &Func, data: &Loop, known: &LoopInductions) -> Option<usize> {
    let test = known.test()?;
    if test.cc != IntCc::Ne || func.integer(test.rhs) != Some(0) {
        return None;
    }
    let args = &back_edges(func, data).next()?.args;
    let n = args.iter().position(|&arg| arg == test.lhs)?;
    let is_word = func.ty(test.lhs) == Ty::I64;
    let by = known.var(n)?.step.constant;
    (is_word && by == Some(-1)).then_some(n)
}
