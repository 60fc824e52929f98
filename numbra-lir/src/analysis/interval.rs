//! Intervals of integers: what is known about the signed value of an integer.

use crate::{BinaryOp, IntCc, Ty};

/// All integers from `lo` to `hi`. `lo > hi` is the empty interval: no value has been seen yet, or none can be.
///
/// Integers of up to 64 bits are taken as signed, but for `I1`, whose values are 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub lo: i128,
    pub hi: i128,
}

impl Interval {
    pub const EMPTY: Interval = Interval { lo: 1, hi: 0 };

    /// Everything that a type holds; `None` for types without intervals.
    pub fn full(ty: Ty) -> Option<Interval> {
        match ty {
            Ty::I1 => Some(Interval { lo: 0, hi: 1 }),
            Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 => {
                let half = 1_i128 << (ty.size() * 8 - 1);
                Some(Interval {
                    lo: -half,
                    hi: half - 1,
                })
            }
            Ty::I128 | Ty::F16 | Ty::F32 | Ty::F64 | Ty::Ptr(_) | Ty::Ref | Ty::Vec(..) => None,
        }
    }

    pub fn point(n: i128) -> Interval {
        Interval { lo: n, hi: n }
    }

    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// The only value, if there is one.
    pub fn as_point(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn contains(self, other: Interval) -> bool {
        other.is_empty() || (self.lo <= other.lo && other.hi <= self.hi)
    }

    pub fn is_nonnegative(self) -> bool {
        self.lo >= 0
    }

    /// The smallest interval around both.
    pub fn union(self, other: Interval) -> Interval {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Interval {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    pub fn intersect(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
        }
    }

    /// The interval itself if the type holds all of it, else everything: where results wrap around.
    pub fn within(self, full: Interval) -> Interval {
        if full.contains(self) { self } else { full }
    }

    /// Values of `x op y`. `None` where the interval says nothing.
    pub fn binary(op: BinaryOp, x: Interval, y: Interval, full: Interval) -> Option<Interval> {
        if x.is_empty() || y.is_empty() {
            return Some(Interval::EMPTY);
        }
        let corners = |f: &dyn Fn(i128, i128) -> i128| {
            let c = [f(x.lo, y.lo), f(x.lo, y.hi), f(x.hi, y.lo), f(x.hi, y.hi)];
            let (lo, hi) = c
                .iter()
                .fold((c[0], c[0]), |(lo, hi), &v| (lo.min(v), hi.max(v)));
            Interval { lo, hi }
        };
        let span = |lo, hi| Some(Interval { lo, hi });
        let nonnegative = x.is_nonnegative() && y.is_nonnegative();
        // Shift counts are taken modulo the width; only those below it are followed.
        let width = i128::from(128 - (full.hi - full.lo).leading_zeros());
        let shift = y.as_point().filter(|&n| (0..width).contains(&n));
        match op {
            BinaryOp::IAdd => Some(corners(&|a, b| a + b).within(full)),
            BinaryOp::ISub => Some(corners(&|a, b| a - b).within(full)),
            // The factors have 64 bits at most, so the product fits.
            BinaryOp::IMul => Some(corners(&|a, b| a * b).within(full)),
            BinaryOp::SDiv => {
                let divisor = y.as_point().filter(|&d| d > 0);
                match divisor {
                    Some(d) => span(x.lo / d, x.hi / d),
                    None if nonnegative => span(0, x.hi),
                    None => None,
                }
            }
            BinaryOp::UDiv => nonnegative.then_some(Interval {
                lo: 0,
                hi: x.hi / y.lo.max(1),
            }),
            BinaryOp::SRem => {
                // `x rem 0 = 0`, so the bound by the divisor's size holds for it too.
                let size = y.lo.abs().max(y.hi.abs());
                let most = (size - 1).max(0);
                let hi = if x.hi > 0 { most.min(x.hi) } else { 0 };
                let lo = if x.lo < 0 { -most.min(-x.lo) } else { 0 };
                span(lo, hi)
            }
            BinaryOp::URem => nonnegative.then_some(Interval {
                lo: 0,
                hi: x.hi.min((y.hi - 1).max(0)),
            }),
            BinaryOp::And => match (x.is_nonnegative(), y.is_nonnegative()) {
                (true, true) => span(0, x.hi.min(y.hi)),
                (true, false) => span(0, x.hi),
                (false, true) => span(0, y.hi),
                (false, false) => None,
            },
            BinaryOp::Or | BinaryOp::Xor if nonnegative => {
                let top = x.hi.max(y.hi);
                let bits = 128 - top.leading_zeros();
                span(0, (1 << bits) - 1)
            }
            BinaryOp::LShr => match (shift, x.is_nonnegative()) {
                (Some(n), true) => span(x.lo >> n, x.hi >> n),
                (None, true) => span(0, x.hi),
                (Some(n), false) if n > 0 => span(0, (full.hi - full.lo) >> n),
                (_, false) => None,
            },
            BinaryOp::AShr => match shift {
                Some(n) => span(x.lo >> n, x.hi >> n),
                None => span(x.lo.min(0), x.hi.max(0)),
            },
            BinaryOp::Shl => {
                let shift = shift?;
                Some(corners(&|a, _| a << shift).within(full))
            }
            BinaryOp::SMin => span(x.lo.min(y.lo), x.hi.min(y.hi)),
            BinaryOp::SMax => span(x.lo.max(y.lo), x.hi.max(y.hi)),
            BinaryOp::UMin if nonnegative => span(x.lo.min(y.lo), x.hi.min(y.hi)),
            BinaryOp::UMax if nonnegative => span(x.lo.max(y.lo), x.hi.max(y.hi)),
            BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::UMin
            | BinaryOp::UMax
            | BinaryOp::SMulHi
            | BinaryOp::UMulHi
            | BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FMin
            | BinaryOp::FMax
            | BinaryOp::FCopysign => None,
        }
    }

    /// What a comparison says when it is decided by the intervals alone.
    pub fn compare(cc: IntCc, x: Interval, y: Interval) -> Option<bool> {
        if x.is_empty() || y.is_empty() {
            return None;
        }
        let decide = |always: bool, never: bool| match (always, never) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        // Unsigned order is signed order among numbers of one sign; a negative number is the larger of two signs.
        let unsigned = |cc: IntCc| match (x.hi < 0, x.lo >= 0, y.hi < 0, y.lo >= 0) {
            (true, _, true, _) | (_, true, _, true) => Interval::compare(cc, x, y),
            (true, _, _, true) => Some(matches!(cc, IntCc::Sgt | IntCc::Sge)),
            (_, true, true, _) => Some(matches!(cc, IntCc::Slt | IntCc::Sle)),
            _ => None,
        };
        let apart = x.hi < y.lo || y.hi < x.lo;
        let same = x.as_point().is_some() && x == y;
        match cc {
            IntCc::Eq => decide(same, apart),
            IntCc::Ne => decide(apart, same),
            IntCc::Slt => decide(x.hi < y.lo, x.lo >= y.hi),
            IntCc::Sle => decide(x.hi <= y.lo, x.lo > y.hi),
            IntCc::Sgt => decide(x.lo > y.hi, x.hi <= y.lo),
            IntCc::Sge => decide(x.lo >= y.hi, x.hi < y.lo),
            IntCc::Ult => unsigned(IntCc::Slt),
            IntCc::Ule => unsigned(IntCc::Sle),
            IntCc::Ugt => unsigned(IntCc::Sgt),
            IntCc::Uge => unsigned(IntCc::Sge),
        }
    }

    /// `x` where `x cc y` holds.
    pub fn refine(cc: IntCc, x: Interval, y: Interval) -> Interval {
        if x.is_empty() || y.is_empty() {
            return x;
        }
        let below = |hi: i128| Interval {
            lo: x.lo,
            hi: x.hi.min(hi),
        };
        let above = |lo: i128| Interval {
            lo: x.lo.max(lo),
            hi: x.hi,
        };
        match cc {
            IntCc::Eq => x.intersect(y),
            IntCc::Ne => match y.as_point() {
                Some(n) if n == x.lo => above(n + 1),
                Some(n) if n == x.hi => below(n - 1),
                _ => x,
            },
            IntCc::Slt => below(y.hi - 1),
            IntCc::Sle => below(y.hi),
            IntCc::Sgt => above(y.lo + 1),
            IntCc::Sge => above(y.lo),
            IntCc::Ult if y.is_nonnegative() => above(0).intersect(below(y.hi - 1)),
            IntCc::Ule if y.is_nonnegative() => above(0).intersect(below(y.hi)),
            IntCc::Ugt if x.is_nonnegative() && y.is_nonnegative() => above(y.lo + 1),
            IntCc::Uge if x.is_nonnegative() && y.is_nonnegative() => above(y.lo),
            IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => x,
        }
    }

    /// Makes a growing interval grow in few steps: bounds jump to 0 or -1, then, upwards, to what arrays of words have
    /// indices for, then next to the end of the type, which is how far a counter gets that is tested, then to the end.
    pub fn widen(self, new: Interval, full: Interval) -> Interval {
        if self.is_empty() {
            return new;
        }
        let lo = match new.lo {
            lo if lo >= self.lo => self.lo,
            0.. => 0,
            -1 => -1,
            lo if lo > full.lo => full.lo + 1,
            _ => full.lo,
        };
        let hi = match new.hi {
            hi if hi <= self.hi => self.hi,
            ..=-1 => -1,
            0 => 0,
            hi if hi <= full.hi / 8 => full.hi / 8,
            hi if hi < full.hi => full.hi - 1,
            _ => full.hi,
        };
        Interval { lo, hi }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::ops;

    const OPS: [BinaryOp; 17] = [
        BinaryOp::IAdd,
        BinaryOp::ISub,
        BinaryOp::IMul,
        BinaryOp::SDiv,
        BinaryOp::UDiv,
        BinaryOp::SRem,
        BinaryOp::URem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::LShr,
        BinaryOp::AShr,
        BinaryOp::SMin,
        BinaryOp::SMax,
        BinaryOp::UMin,
        BinaryOp::UMax,
    ];
    const CCS: [IntCc; 10] = [
        IntCc::Eq,
        IntCc::Ne,
        IntCc::Slt,
        IntCc::Sle,
        IntCc::Sgt,
        IntCc::Sge,
        IntCc::Ult,
        IntCc::Ule,
        IntCc::Ugt,
        IntCc::Uge,
    ];
    const EDGES: [i128; 11] = [-128, -127, -64, -9, -1, 0, 1, 5, 64, 126, 127];

    fn samples() -> Vec<Interval> {
        let mut out = Vec::new();
        for (n, &lo) in EDGES.iter().enumerate() {
            out.extend(EDGES[n..].iter().map(|&hi| Interval { lo, hi }));
        }
        out
    }

    fn members(i: Interval) -> impl Iterator<Item = i128> {
        EDGES.into_iter().filter(move |n| (i.lo..=i.hi).contains(n))
    }

    #[test]
    fn results_lie_in_the_interval_of_the_operation() {
        let full = Interval::full(Ty::I8).expect("i8 has intervals");
        for x in samples() {
            for y in samples() {
                for op in OPS {
                    let bound = Interval::binary(op, x, y, full).unwrap_or(full);
                    for a in members(x) {
                        for b in members(y) {
                            let bits = |n| ops::mask(Ty::I8, n as u128);
                            let got =
                                ops::signed(Ty::I8, ops::binary(op, Ty::I8, bits(a), bits(b)));
                            assert!(
                                bound.contains(Interval::point(got)),
                                "{op:?} {a} {b} = {got} outside {bound:?} of {x:?} {y:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_and_refinements_agree_with_the_interpreter() {
        for x in samples() {
            for y in samples() {
                for cc in CCS {
                    let decided = Interval::compare(cc, x, y);
                    let refined = Interval::refine(cc, x, y);
                    for a in members(x) {
                        for b in members(y) {
                            let bits = |n| ops::mask(Ty::I8, n as u128);
                            let holds = ops::icmp(cc, Ty::I8, bits(a), bits(b));
                            assert!(
                                decided.is_none_or(|d| d == holds),
                                "{cc:?} {a} {b} {x:?} {y:?}"
                            );
                            assert!(
                                !holds || refined.contains(Interval::point(a)),
                                "{cc:?} {a} {b} {x:?} {y:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn widening_ends() {
        let full = Interval::full(Ty::I64).expect("i64 has intervals");
        let mut at = Interval::point(5);
        let mut steps = 0;
        loop {
            let grown = Interval {
                lo: at.lo - 1,
                hi: at.hi + 1,
            };
            let next = at.widen(grown.within(full), full);
            if next == at {
                break;
            }
            at = next;
            steps += 1;
        }
        assert!(steps <= 7, "{steps} steps");
    }
}
