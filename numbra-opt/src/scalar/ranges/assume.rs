//! What a condition tells about values where it holds.

use super::*;

/// Among more differences none is looked for by way of a third value.
const MOST_DIFFERENCES: usize = 64;

impl Walk<'_> {
    /// Narrows what follows from a condition being true or false.
    pub(super) fn assume(&mut self, cond: Value, when: bool, depth: u32) {
        self.narrow(cond, Interval::point(when.into()));
        let Some(kind) = self.func.def(cond).cloned() else {
            return;
        };
        match kind {
            InstKind::Icmp { cc, lhs, rhs } => {
                let cc = if when { cc } else { cc.negated() };
                let ty = self.func.ty(lhs);
                if Interval::full(ty).is_none() || ty == Ty::I1 {
                    return;
                }
                let (x, y) = (self.range[lhs], self.range[rhs]);
                self.narrow_through(lhs, Interval::refine(cc, x, y));
                self.narrow_through(rhs, Interval::refine(cc.swapped(), y, x));
                self.assume_difference(cc, lhs, rhs);
                self.assume_next(cc, lhs, rhs);
                if matches!(cc, IntCc::Slt | IntCc::Sge) && y.as_point() == Some(0) {
                    self.assume_sign(lhs, cc == IntCc::Slt);
                }
                if cc == IntCc::Ne && y.as_point() == Some(0) && self.nonzero.insert(lhs) {
                    self.stack.push(Step::Nonzero(lhs));
                }
            }
            InstKind::Unary {
                op: UnaryOp::INot,
                arg,
            } if depth > 0 => self.assume(arg, !when, depth - 1),
            InstKind::Binary { op, lhs, rhs }
                if depth > 0
                    && ((op == BinaryOp::And && when) || (op == BinaryOp::Or && !when)) =>
            {
                self.assume(lhs, when, depth - 1);
                self.assume(rhs, when, depth - 1);
            }
            InstKind::Overflow {
                op: OverflowOp::SMul,
                lhs,
                rhs,
            } if !when => {
                self.assume_product(lhs, rhs);
                self.assume_product(rhs, lhs);
            }
            // Not both `x != 0` and `x < 0`: not the latter.
            InstKind::Binary {
                op: BinaryOp::And,
                lhs,
                rhs,
            } if depth > 0 => {
                if let Some(&InstKind::Icmp {
                    cc: IntCc::Ne,
                    lhs: x,
                    rhs: zero,
                }) = self.func.def(lhs)
                    && self.range[zero].as_point() == Some(0)
                    && self.negative(rhs) == Some(x)
                {
                    self.assume(rhs, false, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// What a product with a positive constant tells that does not overflow.
    fn assume_product(&mut self, value: Value, by: Value) {
        let by = self.range[by].as_point().filter(|&by| by > 0);
        if let (Some(full), Some(by)) = (Interval::full(self.func.ty(value)), by) {
            let (lo, hi) = (full.lo / by, full.hi / by);
            self.narrow(value, Interval { lo, hi });
        }
    }

    /// What the sign of `a ^ b` tells about one where the other's is known.
    fn assume_sign(&mut self, value: Value, negative: bool) {
        let signed = self.with_sign_of(value);
        if let Some(full) = Interval::full(self.func.ty(value)).filter(|_| signed != value) {
            let (lo, hi) = if negative {
                (full.lo, -1)
            } else {
                (0, full.hi)
            };
            self.narrow(signed, Interval { lo, hi });
        }
    }

    /// `a` for `a ^ b` with a non-negative `b`; others are themselves.
    pub(super) fn with_sign_of(&self, value: Value) -> Value {
        let Some(&InstKind::Binary {
            op: BinaryOp::Xor,
            lhs,
            rhs,
        }) = self.func.def(value)
        else {
            return value;
        };
        match [lhs, rhs].map(|v| self.range[v].is_nonnegative()) {
            [_, true] => lhs,
            [true, false] => rhs,
            [false, false] => value,
        }
    }

    /// What a condition tests for being negative.
    pub(super) fn negative(&self, cond: Value) -> Option<Value> {
        match *self.func.def(cond)? {
            InstKind::Icmp {
                cc: IntCc::Slt,
                lhs,
                rhs,
            } if self.range[rhs].as_point() == Some(0) => Some(self.with_sign_of(lhs)),
            _ => None,
        }
    }

    pub(super) fn narrow(&mut self, value: Value, to: Interval) {
        let old = self.range[value];
        let new = old.intersect(to);
        if new != old {
            self.stack.push(Step::Range(value, old));
            self.range[value] = new;
        }
    }

    /// Narrows a value, and the one that it is an extension of or a constant away from.
    fn narrow_through(&mut self, value: Value, to: Interval) {
        let old = self.range[value];
        self.narrow(value, to);
        if let Some((base, n)) = self.offset(value) {
            let now = self.range[value];
            if now != old && base != value && !now.is_empty() {
                self.narrow(
                    base,
                    Interval {
                        lo: now.lo - n,
                        hi: now.hi - n,
                    },
                );
            }
        }
        if let Some(&InstKind::Convert {
            op: ConvertOp::SExt,
            arg,
        }) = self.func.def(value)
            && self.func.ty(arg) != Ty::I1
            && Interval::full(self.func.ty(arg)).is_some()
        {
            self.narrow(arg, self.range[value]);
        }
    }

    /// `value = base + n` without wrap-around.
    fn offset(&self, value: Value) -> Option<(Value, i128)> {
        let Some(&InstKind::Binary { op, lhs, rhs }) = self.func.def(value) else {
            return None;
        };
        let n = self.range[rhs].as_point()?;
        let n = match op {
            BinaryOp::IAdd => n,
            BinaryOp::ISub => -n,
            _ => return None,
        };
        let full = Interval::full(self.func.ty(value)).filter(|_| self.func.ty(value) != Ty::I1)?;
        let base = self.range[lhs];
        let fits = !base.is_empty() && base.lo + n >= full.lo && base.hi + n <= full.hi;
        fits.then_some((lhs, n))
    }

    pub(super) fn assume_difference(&mut self, cc: IntCc, lhs: Value, rhs: Value) {
        let (x, y, most) = match cc {
            IntCc::Slt => (lhs, rhs, -1),
            IntCc::Sle => (lhs, rhs, 0),
            IntCc::Sgt => (rhs, lhs, -1),
            IntCc::Sge => (rhs, lhs, 0),
            IntCc::Ult if self.range[rhs].is_nonnegative() => (lhs, rhs, -1),
            IntCc::Ule if self.range[rhs].is_nonnegative() => (lhs, rhs, 0),
            IntCc::Ugt if self.range[lhs].is_nonnegative() => (rhs, lhs, -1),
            IntCc::Uge if self.range[lhs].is_nonnegative() => (rhs, lhs, 0),
            IntCc::Eq | IntCc::Ne | IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => return,
        };
        let (x, n) = self.offset(x).unwrap_or((x, 0));
        let (y, m) = self.offset(y).unwrap_or((y, 0));
        let most = most + m - n;
        let old = self.differences.get(&(x, y)).copied();
        if old.is_none_or(|old| most < old) {
            self.stack.push(Step::Difference((x, y), old));
            self.differences.insert((x, y), most);
        }
    }

    /// What a select whose condition is known here gives; others are themselves.
    pub(super) fn chosen(&self, value: Value) -> Value {
        match self.func.def(value) {
            Some(&InstKind::Select { cond, then, other }) => {
                match self.range[cond]
                    .as_point()
                    .filter(|_| self.func.ty(cond) == Ty::I1)
                {
                    Some(0) => other,
                    Some(_) => then,
                    None => value,
                }
            }
            _ => value,
        }
    }

    /// The greatest that `x - y` can be, as far as branches tell, maybe by a third value between the two.
    pub(super) fn difference(&self, x: Value, y: Value) -> Option<i128> {
        if x == y {
            return Some(0);
        }
        let (x, n) = self.offset(x).unwrap_or((x, 0));
        let (y, m) = self.offset(y).unwrap_or((y, 0));
        let most = if x == y {
            0
        } else {
            match self.differences.get(&(x, y)) {
                Some(&most) => most,
                None => self.difference_between(x, y)?,
            }
        };
        Some(most + n - m)
    }

    /// The greatest that `x - y` can be by what is known of `x - z` and `z - y`.
    fn difference_between(&self, x: Value, y: Value) -> Option<i128> {
        // Few branches lead anywhere; where there are many, the search would be what takes the time.
        if self.differences.len() > MOST_DIFFERENCES {
            return None;
        }
        let from_x = self.differences.iter().filter(|((from, _), _)| *from == x);
        let ways = from_x.filter_map(|((_, z), n)| Some(n + self.differences.get(&(*z, y))?));
        ways.min()
    }
}
