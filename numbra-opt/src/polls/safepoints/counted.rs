//! Loops that count: what is tested at the end of an iteration, against what bound.

use crate::scalar::fold::integer;
use numbra_lir::analysis::{Cfg, LoopId, Loops};
use numbra_lir::{
    BinaryOp, Block, BlockCall, Func, Inst, InstKind, IntCc, Terminator, Ty, Value, ValueDef,
};

/// A loop with one way back, which it takes while `test` holds: `value cc bound`.
#[derive(Clone)]
pub(super) struct Counted {
    pub(super) latch: Block,
    /// Which side of the latch's branch leads back.
    pub(super) back: usize,
    pub(super) test: Inst,
    pub(super) cc: IntCc,
    pub(super) value: Value,
    pub(super) bound: Value,
    /// The parameter of the header that counts, and what is added to it each iteration.
    pub(super) param: usize,
    pub(super) step: i128,
    /// `value` is the parameter after the addition.
    pub(super) after: bool,
}

impl Counted {
    /// True if the value that ends the loop is the bound, unless it begins behind it.
    pub(super) fn is_bound_final(&self) -> bool {
        matches!(
            (self.cc, self.step),
            (IntCc::Slt | IntCc::Ult | IntCc::Ne, 1) | (IntCc::Sgt | IntCc::Ugt | IntCc::Ne, -1)
        )
    }
}

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

/// How the loop counts, if it does.
pub(super) fn counted(func: &Func, loops: &Loops, id: LoopId) -> Option<Counted> {
    let data = loops.get(id);
    let [latch] = data.latches[..] else {
        return None;
    };
    let Some(Terminator::Brif { cond, then, other }) = &func.blocks[latch].term else {
        return None;
    };
    let (back, to) = match (then.block == data.header, other.block == data.header) {
        (true, false) if !loops.contains(id, other.block) => (0, then),
        (false, true) if !loops.contains(id, then.block) => (1, other),
        _ => return None,
    };
    let ValueDef::Result(test, _) = func.values[*cond].def else {
        return None;
    };
    let InstKind::Icmp { cc, lhs, rhs } = func.insts[test].kind else {
        return None;
    };
    let outside = |value| !func.is_defined_in(data, value);
    let cc = if back == 0 { cc } else { cc.negated() };
    let (cc, value, bound) = match (outside(lhs), outside(rhs)) {
        (false, true) => (cc, lhs, rhs),
        (true, false) => (cc.swapped(), rhs, lhs),
        _ => return None,
    };
    // A value that stays in its block moves with it only if it is there: the test stands in the latch.
    if !func.defines(latch, *cond) {
        return None;
    }
    let params = &func.blocks[data.header].params;
    let advanced = |value: Value| -> Option<(usize, i128)> {
        let &InstKind::Binary { op, lhs, rhs } = func.def(value)? else {
            return None;
        };
        let (of, step) = match op {
            BinaryOp::IAdd => match integer(func, rhs) {
                Some(n) => (lhs, n),
                None => (rhs, integer(func, lhs)?),
            },
            BinaryOp::ISub => (lhs, integer(func, rhs)?.checked_neg()?),
            _ => return None,
        };
        Some((params.iter().position(|&p| p == of)?, step))
    };
    let (param, step, after) = match params.iter().position(|&p| p == value) {
        Some(param) => {
            let (of, step) = advanced(to.args[param])?;
            (of == param).then_some((param, step, false))?
        }
        None => {
            let (param, step) = advanced(value)?;
            let (of, again) = advanced(to.args[param])?;
            (of == param && again == step).then_some((param, step, true))?
        }
    };
    let leads = match cc {
        IntCc::Slt | IntCc::Sle | IntCc::Ult | IntCc::Ule => step > 0,
        IntCc::Sgt | IntCc::Sge | IntCc::Ugt | IntCc::Uge => step < 0,
        IntCc::Ne => step != 0,
        IntCc::Eq => false,
    };
    leads.then_some(Counted {
        latch,
        back,
        test,
        cc,
        value,
        bound,
        param,
        step,
        after,
    })
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

/// The number of iterations, where all ways into the loop and its bound are constants.
pub(super) fn constant_trip(
    func: &Func,
    cfg: &Cfg,
    header: Block,
    counted: &Counted,
) -> Option<u64> {
    let bound = integer(func, counted.bound)?;
    let mut most = 0;
    for &pred in cfg.preds(header).iter().filter(|&&p| p != counted.latch) {
        for to in func.term(pred).targets() {
            if to.block == header {
                let first = integer(func, to.args[counted.param])?;
                let far = bound.checked_sub(first)?;
                // One that is stepped over is come to when the number wraps.
                if counted.cc == IntCc::Ne
                    && (far % counted.step != 0 || far.signum() == -counted.step.signum())
                {
                    return None;
                }
                let far = far.unsigned_abs();
                most = most.max(far / counted.step.unsigned_abs() + 2);
            }
        }
    }
    most.try_into().ok()
}

/// True if the loop goes on while a parameter, or what a mask leaves of it, is not zero, and the parameter loses bits in each
/// iteration: there are no more than two for each of its bits.
pub(super) fn is_bit_clearing_loop(func: &Func, loops: &Loops, id: LoopId) -> bool {
    let data = loops.get(id);
    let [latch] = data.latches[..] else {
        return false;
    };
    let Some(Terminator::Brif { cond, then, other }) = &func.blocks[latch].term else {
        return false;
    };
    let Some(&InstKind::Icmp { cc, lhs, rhs }) = func.def(*cond) else {
        return false;
    };
    let (cc, back) = match (then.block == data.header, other.block == data.header) {
        (true, false) => (cc, then),
        (false, true) => (cc.negated(), other),
        _ => return false,
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
