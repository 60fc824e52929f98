//! Comparisons, minima and maxima.

use super::error::Res;
use super::function::{Fx, Val};
use super::number::Num;
use numbra_ir::{Scalar, Type};
use numbra_library::CmpOp;
use numbra_lir::{FloatCc, IntCc, Ty, Value};

/// The ordered comparison: false where an operand is a NaN, but for `!=`.
pub(super) fn float_cc(op: CmpOp) -> FloatCc {
    match op {
        CmpOp::Eq => FloatCc::Eq,
        CmpOp::Ne => FloatCc::Ne,
        CmpOp::Lt => FloatCc::Lt,
        CmpOp::Le => FloatCc::Le,
        CmpOp::Gt => FloatCc::Gt,
        CmpOp::Ge => FloatCc::Ge,
    }
}

pub(super) fn int_cc(op: CmpOp, signed: bool) -> IntCc {
    match (op, signed) {
        (CmpOp::Eq, _) => IntCc::Eq,
        (CmpOp::Ne, _) => IntCc::Ne,
        (CmpOp::Lt, true) => IntCc::Slt,
        (CmpOp::Le, true) => IntCc::Sle,
        (CmpOp::Gt, true) => IntCc::Sgt,
        (CmpOp::Ge, true) => IntCc::Sge,
        (CmpOp::Lt, false) => IntCc::Ult,
        (CmpOp::Le, false) => IntCc::Ule,
        (CmpOp::Gt, false) => IntCc::Ugt,
        (CmpOp::Ge, false) => IntCc::Uge,
    }
}

/// The comparison of swapped operands.
fn swapped(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq | CmpOp::Ne => op,
        CmpOp::Lt => CmpOp::Gt,
        CmpOp::Le => CmpOp::Ge,
        CmpOp::Gt => CmpOp::Lt,
        CmpOp::Ge => CmpOp::Le,
    }
}

impl Fx<'_, '_> {
    /// `x <op> y` as `i1`. Integers compare exactly whatever their types; other kinds are unified first.
    pub(super) fn compare(&mut self, op: CmpOp, x: Num, y: Num) -> Value {
        let (x, y) = (self.numpy_number(x), self.numpy_number(y));
        let is_int = |n: Num| n.kind.is_int() || n.kind == Scalar::Bool;
        if is_int(x) && is_int(y) {
            return self.compare_ints(op, x, y);
        }
        let kind = self.common_float(x.kind, y.kind);
        let (x, y) = (self.as_kind(x, kind), self.as_kind(y, kind));
        if let (Some(xi), Some(yi)) = (x.im, y.im) {
            return self.compare_complex(op, (x.re, xi), (y.re, yi));
        }
        self.fcmp(float_cc(op), x.re, y.re)
    }

    /// A bfloat16 as float32; others as they are.
    fn numpy_number(&mut self, x: Num) -> Num {
        match x.kind {
            Scalar::BFloat16 => self.as_kind(x, Scalar::Float32),
            _ => x,
        }
    }

    fn common_float(&self, a: Scalar, b: Scalar) -> Scalar {
        let rank = |s: Scalar| match s {
            Scalar::Float16 => 1,
            Scalar::Float32 => 2,
            Scalar::Float64 => 3,
            Scalar::Complex64 => 4,
            Scalar::Complex128 => 5,
            // Integers compare with floats as float64.
            _ => 3,
        };
        match rank(a).max(rank(b)) {
            1 => Scalar::Float16,
            2 => Scalar::Float32,
            3 => Scalar::Float64,
            4 if a.is_complex() && b.is_complex() => Scalar::Complex64,
            4 if a == Scalar::Float32 || b == Scalar::Float32 => Scalar::Complex64,
            _ => Scalar::Complex128,
        }
    }

    fn compare_ints(&mut self, op: CmpOp, x: Num, y: Num) -> Value {
        let width = |fx: &Self, n: Num| fx.ty(n.re).int_bits().unwrap_or(64);
        let (wx, wy) = (width(self, x), width(self, y));
        let wide = match wx.max(wy) {
            0..=8 => Ty::I8,
            9..=16 => Ty::I16,
            17..=32 => Ty::I32,
            _ => Ty::I64,
        };
        if x.is_signed() == y.is_signed() {
            let a = self.int_to(x.re, wide, x.is_signed());
            let b = self.int_to(y.re, wide, y.is_signed());
            return self.icmp(int_cc(op, x.is_signed()), a, b);
        }
        if !x.is_signed() {
            return self.compare_ints(swapped(op), y, x);
        }
        // x signed, y unsigned. A wider signed type holds both.
        if wy < 64 {
            let wide = match wx.max(wy + 1) {
                0..=16 => Ty::I16,
                17..=32 => Ty::I32,
                _ => Ty::I64,
            };
            let a = self.int_to(x.re, wide, true);
            let b = self.int_to(y.re, wide, false);
            return self.icmp(int_cc(op, true), a, b);
        }
        let a = self.int_to(x.re, Ty::I64, true);
        let negative = self.icmp_imm(IntCc::Slt, a, 0);
        let unsigned = self.icmp(int_cc(op, false), a, y.re);
        // A negative x is less than every y.
        match op {
            CmpOp::Eq | CmpOp::Gt | CmpOp::Ge => {
                let positive = self.not(negative);
                self.and(positive, unsigned)
            }
            CmpOp::Ne | CmpOp::Lt | CmpOp::Le => self.or(negative, unsigned),
        }
    }

    fn compare_complex(&mut self, op: CmpOp, x: (Value, Value), y: (Value, Value)) -> Value {
        match op {
            CmpOp::Eq => {
                let re = self.fcmp(FloatCc::Eq, x.0, y.0);
                let im = self.fcmp(FloatCc::Eq, x.1, y.1);
                self.and(re, im)
            }
            CmpOp::Ne => {
                let re = self.fcmp(FloatCc::Ne, x.0, y.0);
                let im = self.fcmp(FloatCc::Ne, x.1, y.1);
                self.or(re, im)
            }
            CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge => {
                let strict = if matches!(op, CmpOp::Lt | CmpOp::Le) {
                    CmpOp::Lt
                } else {
                    CmpOp::Gt
                };
                let before = self.fcmp(float_cc(strict), x.0, y.0);
                let ordered = self.fcmp(FloatCc::Ord, x.1, y.1);
                let before = self.and(before, ordered);
                let same = self.fcmp(FloatCc::Eq, x.0, y.0);
                let inside = self.fcmp(float_cc(op), x.1, y.1);
                let tie = self.and(same, inside);
                self.or(before, tie)
            }
        }
    }

    /// Python's `min` or `max`: the first of the least or greatest.
    pub(super) fn py_extreme(&mut self, args: &[Val], ret: Type, op: CmpOp) -> Res<Vec<Value>> {
        if self.types.as_time(ret).is_some() {
            return self.time_extreme(args, ret, op);
        }
        let mut best: Option<Num> = None;
        for arg in args {
            let x = self.num_as(arg, ret)?;
            best = Some(match best {
                None => x,
                Some(best) => match self.device_extreme(best, x, op) {
                    Some(extreme) => extreme,
                    None => {
                        let better = self.compare(op, x, best);
                        self.pick(better, x, best)
                    }
                },
            });
        }
        Ok(best.map(Num::leaves).unwrap_or_default())
    }

    /// `cond ? x : y`, part by part.
    pub(super) fn pick(&mut self, cond: Value, x: Num, y: Num) -> Num {
        Num {
            kind: x.kind,
            re: self.select(cond, x.re, y.re),
            im: match (x.im, y.im) {
                (Some(a), Some(b)) => Some(self.select(cond, a, b)),
                _ => None,
            },
        }
    }

    /// True if either part is NaN.
    pub(super) fn is_nan(&mut self, x: Num) -> Value {
        let re = self.fcmp(FloatCc::Uno, x.re, x.re);
        match x.im {
            Some(im) => {
                let im = self.fcmp(FloatCc::Uno, im, im);
                self.or(re, im)
            }
            None => re,
        }
    }

    /// NumPy's `maximum` (`op` is `>=`) and `minimum` (`<=`): a NaN wins, the first of two; or loses (`fmax`, `fmin`).
    pub(super) fn np_extreme(&mut self, x: Num, y: Num, op: CmpOp, nan_wins: bool) -> Num {
        if !nan_wins && let Some(extreme) = self.device_extreme(x, y, op) {
            return extreme;
        }
        let first = self.np_extreme_is_first(x, y, op, nan_wins);
        self.pick(first, x, y)
    }

    /// Whether [`Fx::np_extreme`] is the first of two.
    pub(super) fn np_extreme_is_first(
        &mut self,
        x: Num,
        y: Num,
        op: CmpOp,
        nan_wins: bool,
    ) -> Value {
        let first = self.compare(op, x, y);
        if !(x.kind.is_float() || x.kind.is_complex()) {
            return first;
        }
        let other = if nan_wins { x } else { y };
        let nan = self.is_nan(other);
        self.or(first, nan)
    }
}
