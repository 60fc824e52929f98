//! Loops that count: what is tested at the end of an iteration, against what bound.

use crate::scalar::fold::integer;
use numbra_lir::analysis::{Cfg, Counted, LatchTest, Loop, LoopInductions, back_edges};
use numbra_lir::{BinaryOp, Block, BlockCall, Func, InstKind, IntCc, Terminator, Ty, Value};

/// Branches above a loop that are asked whether it runs.
const MOST_ABOVE: usize = 8;

/// True if on all ways into a loop the number it begins with has passed the test at its end.
pub(super) fn is_entry_within_bound(
    func: &Func,
    cfg: &Cfg,
    header: Block,
    entering: &[Block],
    counted: &Counted,
) -> bool {
    let starts = |&pred: &Block| {
        let targets = func.term(pred).targets().into_iter().enumerate();
        targets
            .filter(|(_, to)| to.block == header)
            .all(|(side, to)| is_tested(func, cfg, (pred, side), to.args[counted.param], counted))
    };
    counted.after && entering.iter().all(starts)
}

/// True if a branch on the way to an edge has shown that `start` passes the test at the end of a loop.
fn is_tested(
    func: &Func,
    cfg: &Cfg,
    (mut block, mut side): (Block, usize),
    start: Value,
    counted: &Counted,
) -> bool {
    let same = |a: Value, b: Value| {
        a == b || integer(func, a).is_some_and(|n| integer(func, b) == Some(n))
    };
    for _ in 0..MOST_ABOVE {
        if let Terminator::Brif { cond, .. } = func.term(block)
            && let Some(&InstKind::Icmp { cc, lhs, rhs }) = func.def(*cond)
        {
            let cc = if side == 0 { cc } else { cc.negated() };
            if (cc == counted.cc && same(lhs, start) && same(rhs, counted.bound))
                || (cc.swapped() == counted.cc && same(rhs, start) && same(lhs, counted.bound))
            {
                return true;
            }
        }
        // Blocks made since have no predecessors in the graph.
        let &[above] = cfg.preds(block) else {
            return false;
        };
        let targets = func.term(above).targets().into_iter().enumerate();
        let mut ways = targets.filter(|(_, to)| to.block == block);
        let (Some((way, _)), None) = (ways.next(), ways.next()) else {
            return false;
        };
        (block, side) = (above, way);
    }
    false
}

/// True if the distance that so many iterations make is a number of the counter's type.
pub(super) fn is_strip_representable(func: &Func, counted: &Counted, iterations: u64) -> bool {
    let bits = match func.ty(counted.bound) {
        Ty::I32 => 30,
        Ty::I64 => 62,
        _ => return false,
    };
    let far = counted.step.unsigned_abs().checked_mul(iterations.into());
    far.is_some_and(|far| far < 1 << bits)
}

/// True if the loop goes on while a parameter, or what a mask leaves of it, is not zero, and the parameter loses bits in each
/// iteration: there are no more than two for each of its bits.
pub(super) fn is_bit_clearing_loop(func: &Func, data: &Loop, known: &LoopInductions) -> bool {
    let Some(&LatchTest { cc, lhs, rhs, .. }) = known.test() else {
        return false;
    };
    let Some(back) = back_edges(func, data).next() else {
        return false;
    };
    let positive = cc == IntCc::Sgt;
    if integer(func, rhs) != Some(0) || !(positive || matches!(cc, IntCc::Ne | IntCc::Ugt)) {
        return false;
    }
    let params = &func.blocks[data.header].params;
    let masked = match func.def(lhs) {
        Some(&InstKind::Binary {
            op: BinaryOp::And,
            lhs: x,
            rhs: y,
        }) => vec![lhs, x, y],
        _ => vec![lhs],
    };
    let mut next = back.args.iter().enumerate();
    next.any(|(n, &next)| {
        let from = params[n];
        masked.contains(&next)
            && has_fewer_bits(func, params, back, from, next, positive && next == lhs)
    })
}

/// True if `next`, which the parameter `from` is in the next iteration, is nearer to zero by a bit; a number that may be
/// negative is not shifted there.
fn has_fewer_bits(
    func: &Func,
    params: &[Value],
    back: &BlockCall,
    from: Value,
    next: Value,
    positive: bool,
) -> bool {
    let Some(&InstKind::Binary { op, lhs, rhs }) = func.def(next) else {
        return false;
    };
    let constant = integer(func, rhs).unwrap_or(0);
    // Distances wrap around at the width.
    let shifts = (1..8 * i128::from(func.ty(from).size())).contains(&constant);
    match op {
        // The lowest bit.
        BinaryOp::And => [(lhs, rhs), (rhs, lhs)]
            .iter()
            .any(|&(x, y)| x == from && is_sum(func, y, from, -1)),
        BinaryOp::LShr => lhs == from && shifts,
        BinaryOp::AShr => lhs == from && shifts && positive,
        BinaryOp::UDiv | BinaryOp::SDiv => lhs == from && constant.unsigned_abs() >= 2,
        // Euclid's.
        BinaryOp::URem | BinaryOp::SRem => {
            let dividend = params.iter().position(|&p| p == lhs);
            rhs == from && dividend.is_some_and(|m| back.args[m] == from)
        }
        _ => false,
    }
}

/// True for `of + n`.
fn is_sum(func: &Func, value: Value, of: Value, n: i128) -> bool {
    match func.def(value) {
        Some(&InstKind::Binary { op, lhs, rhs }) if lhs == of => match op {
            BinaryOp::IAdd => integer(func, rhs) == Some(n),
            BinaryOp::ISub => integer(func, rhs) == Some(-n),
            _ => false,
        },
        _ => false,
    }
}
