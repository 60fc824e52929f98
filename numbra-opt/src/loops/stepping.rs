//! Integers that change by the same amount in every iteration of a loop.

use crate::scalar::fold::integer;
use numbra_lir::analysis::Loop;
use numbra_lir::{BinaryOp, BlockCall, Func, InstKind, IntCc, Terminator, Ty, Value};

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
pub(crate) fn stepping(func: &Func, data: &Loop, n: usize) -> Option<Stepping> {
    let param = func.blocks[data.header].params[n];
    if func.ty(param) != Ty::I64 {
        return None;
    }
    let mut by = back_args(func, data, n).map(|next| constant_step(func, param, next));
    let first = by.next()?;
    let always = by.all(|by| by == first);
    if first == Some(1) && always {
        return Some(Stepping::Up {
            stop: stop(func, data, n),
        });
    }
    let Some(iterations) = counted(func, data) else {
        if first == Some(-1) && always {
            return Some(Stepping::Down);
        }
        let stop = stop(func, data, n)?;
        let step = step_of(func, param, back_args(func, data, n).next()?)?;
        return is_fixed(func, data, step).then_some(Stepping::Rising { step, stop });
    };
    let step = step_of(func, param, back_args(func, data, n).next()?)?;
    (is_fixed(func, data, step) && iterations != n)
        .then_some(Stepping::Counted { step, iterations })
}

/// True for constants and for what the loop does not define.
pub(crate) fn is_fixed(func: &Func, data: &Loop, value: Value) -> bool {
    integer(func, value).is_some() || !func.is_defined_in(data, value)
}

/// What parameter `n` of the next iteration must be below for there to be one.
fn stop(func: &Func, data: &Loop, n: usize) -> Option<Value> {
    let (cond, when, back) = back_test(func, data)?;
    let &InstKind::Icmp { cc, lhs, rhs } = func.def(cond)? else {
        return None;
    };
    let cc = if when { cc } else { cc.negated() };
    let tests = cc == IntCc::Slt && lhs == back.args[n];
    (tests && is_fixed(func, data, rhs)).then_some(rhs)
}

/// For a loop with one latch: what it tests, how that must be for another iteration, and the way back.
fn back_test<'a>(func: &'a Func, data: &Loop) -> Option<(Value, bool, &'a BlockCall)> {
    let [latch] = data.latches[..] else {
        return None;
    };
    let Terminator::Brif { cond, then, other } = func.term(latch) else {
        return None;
    };
    match (then.block == data.header, other.block == data.header) {
        (true, false) => Some((*cond, true, then)),
        (false, true) => Some((*cond, false, other)),
        _ => None,
    }
}

/// The parameter that one latch decrements and, for another iteration, tests for zero.
fn counted(func: &Func, data: &Loop) -> Option<usize> {
    let (cond, when, back) = back_test(func, data)?;
    let &InstKind::Icmp { cc, lhs, rhs } = func.def(cond)? else {
        return None;
    };
    let cc = if when { cc } else { cc.negated() };
    if cc != IntCc::Ne || integer(func, rhs) != Some(0) {
        return None;
    }
    let n = back.args.iter().position(|&arg| arg == lhs)?;
    let param = func.blocks[data.header].params[n];
    let &InstKind::Binary { op, lhs, rhs } = func.def(lhs)? else {
        return None;
    };
    let by = match op {
        BinaryOp::ISub => integer(func, rhs).map(|n| -n),
        BinaryOp::IAdd => integer(func, rhs),
        _ => None,
    };
    (func.ty(param) == Ty::I64 && lhs == param && by == Some(-1)).then_some(n)
}

/// What the ways back to the header hand to its parameter `n`.
fn back_args<'a>(func: &'a Func, data: &'a Loop, n: usize) -> impl Iterator<Item = Value> + 'a {
    let targets = data.latches.iter().flat_map(|&b| func.term(b).targets());
    targets
        .filter(|to| to.block == data.header)
        .map(move |to| to.args[n])
}

/// `step` of `param + step`.
fn step_of(func: &Func, param: Value, next: Value) -> Option<Value> {
    match func.def(next) {
        Some(&InstKind::Binary {
            op: BinaryOp::IAdd,
            lhs,
            rhs,
        }) if lhs == param => Some(rhs),
        Some(&InstKind::Binary {
            op: BinaryOp::IAdd,
            lhs,
            rhs,
        }) if rhs == param => Some(lhs),
        _ => None,
    }
}

/// `n` of `param + n` or `param - -n`.
fn constant_step(func: &Func, param: Value, next: Value) -> Option<i128> {
    match *func.def(next)? {
        InstKind::Binary {
            op: BinaryOp::ISub,
            lhs,
            rhs,
        } if lhs == param => integer(func, rhs).map(|n| -n),
        _ => integer(func, step_of(func, param, next)?),
    }
}
