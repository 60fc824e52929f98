//! The interval of what an instruction computes.

use super::*;

impl Walk<'_> {
    pub(super) fn evaluate(&mut self, inst: Inst, result: usize, full: Interval) -> Interval {
        match self.func.insts[inst].kind {
            InstKind::IConst(n) => {
                let value = LirValue::int(self.func.ty(self.func.insts[inst].results[0]), n);
                let bits = value.bits();
                let signed = numbra_lir::interp::ops::signed(value.ty(), bits);
                Interval::point(if full.hi == 1 {
                    (bits & 1) as i128
                } else {
                    signed
                })
            }
            InstKind::Binary { op, lhs, rhs } => {
                let logical = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                if full.hi == 1 && !logical {
                    return full;
                }
                let (x, y) = (self.range[lhs], self.range[rhs]);
                self.binary(op, (lhs, x), (rhs, y), full).unwrap_or(full)
            }
            InstKind::Unary { op, arg } => self.unary(op, self.range[arg], full),
            InstKind::Convert { op, arg } => self.convert(op, arg, full),
            InstKind::Icmp { cc, lhs, rhs } => match self.compare(cc, lhs, rhs) {
                Some(true) => Interval::point(1),
                Some(false) => Interval::point(0),
                None => full,
            },
            InstKind::Select { cond, then, other } => {
                if self.func.ty(cond) != Ty::I1 {
                    return full;
                }
                let arm = |walk: &mut Self, value: Value, when: bool| {
                    let mark = walk.stack.len();
                    walk.assume(cond, when, 2);
                    let range = if walk.range[cond].is_empty() {
                        Interval::EMPTY
                    } else {
                        walk.at_use(value, 2)
                    };
                    walk.undo(mark);
                    range
                };
                arm(self, then, true).union(arm(self, other, false))
            }
            InstKind::Device { op, .. } => match (result, op.bounds()) {
                (0, Some((lo, hi))) => Interval { lo, hi },
                _ => full,
            },
            InstKind::Overflow { op, lhs, rhs } => {
                let (x, y) = (self.range[lhs], self.range[rhs]);
                match (exact(op, x, y).filter(|r| full.contains(*r)), result) {
                    (Some(range), 0) => range,
                    (None, 0) => full,
                    (_, _) => {
                        let ty = Interval::full(self.func.ty(lhs));
                        let fits = exact(op, x, y)
                            .is_some_and(|r| ty.is_some_and(|full| full.contains(r)));
                        if fits { Interval::point(0) } else { full }
                    }
                }
            }
            _ => full,
        }
    }

    /// The interval of a binary operation on values with these intervals.
    pub(super) fn binary(
        &self,
        op: BinaryOp,
        (lhs, x): (Value, Interval),
        (rhs, y): (Value, Interval),
        full: Interval,
    ) -> Option<Interval> {
        let mut range = Interval::binary(op, x, y, full)?;
        if range == full
            && let Some(unwrapped) = overflow_of(op).and_then(|op| exact(op, x, y))
            && self.never_wraps(op, lhs, rhs)
        {
            range = unwrapped.intersect(full);
        }
        // What is taken from a number that is known to be at least as large.
        if op == BinaryOp::ISub
            && let Some(exact) = exact(OverflowOp::SSub, x, y)
            && full.contains(exact)
            && let Some(most) = self.difference(rhs, lhs)
        {
            let least = Interval {
                lo: -most,
                hi: full.hi,
            };
            range = range.intersect(least);
        }
        // A remainder and its divisor, `|r| < d`: where `r + d` cannot wrap, it is positive.
        let remainder = |of: Value, by: Value| matches!(self.func.def(of), Some(&InstKind::Binary { op: BinaryOp::SRem, rhs, .. }) if rhs == by);
        let fits = !x.is_empty() && !y.is_empty() && x.hi + y.hi <= full.hi;
        if op == BinaryOp::IAdd && fits && y.lo > 0 && remainder(lhs, rhs) {
            let positive = Interval { lo: 1, hi: full.hi };
            return Some(range.intersect(positive));
        }
        Some(range)
    }

    fn unary(&self, op: UnaryOp, x: Interval, full: Interval) -> Interval {
        if x.is_empty() {
            return x;
        }
        let bits = i128::from(128 - (full.hi - full.lo).leading_zeros());
        match op {
            UnaryOp::INeg if full.hi > 1 => Interval {
                lo: -x.hi,
                hi: -x.lo,
            }
            .within(full),
            UnaryOp::INot if full.hi == 1 => Interval {
                lo: 1 - x.hi,
                hi: 1 - x.lo,
            },
            UnaryOp::INot => Interval {
                lo: -1 - x.hi,
                hi: -1 - x.lo,
            },
            UnaryOp::IAbs if full.hi > 1 => {
                let top = x.lo.abs().max(x.hi.abs());
                let low = if x.is_nonnegative() { x.lo } else { 0 };
                Interval { lo: low, hi: top }.within(full)
            }
            UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Popcnt if full.hi > 1 => {
                Interval { lo: 0, hi: bits }
            }
            UnaryOp::INeg
            | UnaryOp::IAbs
            | UnaryOp::Clz
            | UnaryOp::Ctz
            | UnaryOp::Popcnt
            | UnaryOp::Bswap
            | UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::Sqrt
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::Nearest => full,
        }
    }

    fn convert(&self, op: ConvertOp, arg: Value, full: Interval) -> Interval {
        let from = self.func.ty(arg);
        let Some(all) = Interval::full(from) else {
            return full;
        };
        let x = self.range[arg];
        match op {
            ConvertOp::SExt if from == Ty::I1 => Interval { lo: -1, hi: 0 },
            ConvertOp::SExt => x,
            ConvertOp::ZExt if x.is_nonnegative() || x.is_empty() => x,
            ConvertOp::ZExt => Interval {
                lo: 0,
                hi: all.hi - all.lo,
            }
            .within(full),
            ConvertOp::Trunc if full.hi > 1 => x.within(full),
            ConvertOp::Trunc
            | ConvertOp::SiToFp
            | ConvertOp::UiToFp
            | ConvertOp::FpToSi
            | ConvertOp::FpToUi
            | ConvertOp::FpExt
            | ConvertOp::FpTrunc
            | ConvertOp::Bitcast
            | ConvertOp::PtrToInt
            | ConvertOp::IntToPtr
            | ConvertOp::RefToPtr
            | ConvertOp::AddrSpaceCast => full,
        }
    }

    pub(super) fn compare(&self, cc: IntCc, lhs: Value, rhs: Value) -> Option<bool> {
        let ty = self.func.ty(lhs);
        Interval::full(ty)?;
        let (x, y) = (self.range[lhs], self.range[rhs]);
        let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
        // A truth value is -1 or 0 where its sign counts.
        if (ty != Ty::I1 || equality)
            && let Some(known) = Interval::compare(cc, x, y)
        {
            return Some(known);
        }
        if ty == Ty::I1 || x.is_empty() || y.is_empty() {
            return None;
        }
        let nonnegative = x.is_nonnegative() && y.is_nonnegative();
        let (lhs, rhs) = (self.chosen(lhs), self.chosen(rhs));
        let (xy, yx) = (self.difference(lhs, rhs), self.difference(rhs, lhs));
        let below = xy.is_some_and(|n| n < 0);
        let at_most = xy.is_some_and(|n| n <= 0);
        let above = yx.is_some_and(|n| n < 0);
        let at_least = yx.is_some_and(|n| n <= 0);
        let decide = |yes: bool, no: bool| match (yes, no) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match cc {
            IntCc::Eq => decide(false, below || above),
            IntCc::Ne => decide(below || above, false),
            IntCc::Slt => decide(below, at_least),
            IntCc::Sle => decide(at_most, above),
            IntCc::Sgt => decide(above, at_most),
            IntCc::Sge => decide(at_least, below),
            // A non-negative number below another: that one is not negative either.
            IntCc::Ult if x.is_nonnegative() && below => Some(true),
            IntCc::Ule if x.is_nonnegative() && at_most => Some(true),
            IntCc::Ult if nonnegative => decide(below, at_least),
            IntCc::Ule if nonnegative => decide(at_most, above),
            IntCc::Ugt if nonnegative => decide(above, at_most),
            IntCc::Uge if nonnegative => decide(at_least, below),
            IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => None,
        }
    }
}

/// The operation whose exact result tells whether one wraps as a signed number.
pub(super) fn overflow_of(op: BinaryOp) -> Option<OverflowOp> {
    match op {
        BinaryOp::IAdd => Some(OverflowOp::SAdd),
        BinaryOp::ISub => Some(OverflowOp::SSub),
        BinaryOp::IMul => Some(OverflowOp::SMul),
        _ => None,
    }
}

/// The interval of a result that does not wrap; `None` for unsigned operations on what may be negative.
pub(super) fn exact(op: OverflowOp, x: Interval, y: Interval) -> Option<Interval> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let nonnegative = x.is_nonnegative() && y.is_nonnegative();
    let op = match op {
        OverflowOp::SAdd => BinaryOp::IAdd,
        OverflowOp::SSub => BinaryOp::ISub,
        OverflowOp::SMul => BinaryOp::IMul,
        OverflowOp::UAdd if nonnegative => BinaryOp::IAdd,
        OverflowOp::USub if nonnegative && x.lo >= y.hi => BinaryOp::ISub,
        OverflowOp::UMul if nonnegative => BinaryOp::IMul,
        OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => return None,
    };
    let corner = |f: fn(i128, i128) -> i128| {
        let c = [f(x.lo, y.lo), f(x.lo, y.hi), f(x.hi, y.lo), f(x.hi, y.hi)];
        c.into_iter()
            .fold(Interval::EMPTY, |i, n| i.union(Interval::point(n)))
    };
    Some(match op {
        BinaryOp::IAdd => corner(|a, b| a + b),
        BinaryOp::ISub => corner(|a, b| a - b),
        _ => corner(|a, b| a * b),
    })
}
