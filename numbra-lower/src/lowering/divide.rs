//! Division: `/`, `//`, `%`, `divmod`, C remainder.

use super::error::Res;
use super::function::Fx;
use super::number::Num;
use super::options::ErrorModel;
use super::raise::Raise;
use numbra_abi::MathFn;
use numbra_ir::Scalar;
use numbra_library::DivModel;
use numbra_lir::{BinaryOp, FloatCc, GuardKind, InstKind, IntCc, Ty, UnaryOp, Value, ValueDef};

impl Fx<'_, '_> {
    /// True if division by zero raises here.
    pub(super) fn zero_raises(&self, model: DivModel) -> bool {
        match model {
            DivModel::Python => self.mx.own.error_model == ErrorModel::Python,
            DivModel::Numpy => false,
        }
    }

    /// ZeroDivisionError when `divisor` is 0, under the model that raises.
    pub(super) fn guard_divisor(
        &mut self,
        divisor: Num,
        model: DivModel,
        message: &'static str,
    ) -> Res<()> {
        if !self.zero_raises(model) || self.is_nonzero(divisor.re) {
            return Ok(());
        }
        let nonzero = self.num_truth(divisor);
        self.guard(
            nonzero,
            GuardKind::ZeroDivision,
            Raise::zero_division(message),
        )
    }

    fn is_nonzero(&self, value: Value) -> bool {
        match self.func.values[value].def {
            ValueDef::Result(inst, _) => match self.func.insts[inst].kind {
                InstKind::IConst(value) => value != 0,
                InstKind::FConst(bits) => match self.ty(value) {
                    Ty::F64 => f64::from_bits(bits) != 0.0,
                    Ty::F32 => f32::from_bits(bits as u32) != 0.0,
                    _ => false,
                },
                _ => false,
            },
            ValueDef::Param(..) => false,
        }
    }

    /// `x // y` and `x % y` of two numbers of one kind; both are always made, the unused one is dead.
    pub(super) fn floor_divmod(&mut self, x: Num, y: Num, model: DivModel) -> (Num, Num) {
        let kind = x.kind;
        let (div, rem) = if kind.is_float() {
            self.float_divmod(x.re, y.re, self.zero_raises(model))
        } else if kind.is_signed_int() {
            self.signed_divmod(x.re, y.re)
        } else {
            (
                self.ibin(BinaryOp::UDiv, x.re, y.re),
                self.ibin(BinaryOp::URem, x.re, y.re),
            )
        };
        (Num::real(kind, div), Num::real(kind, rem))
    }

    fn signed_divmod(&mut self, x: Value, y: Value) -> (Value, Value) {
        let ty = self.ty(x);
        let bits = ty.int_bits().unwrap_or(64);
        if let Some(by) = self.const_of(y)
            && by > 0
        {
            if by & (by - 1) == 0 {
                let shift = self.iconst(ty, i128::from(by.trailing_zeros()));
                let low = self.iconst(ty, by - 1);
                return (self.ibin(BinaryOp::AShr, x, shift), self.and(x, low));
            }
            let quot = self.ibin(BinaryOp::SDiv, x, y);
            let rem = self.ibin(BinaryOp::SRem, x, y);
            let sign = self.iconst(ty, i128::from(bits - 1));
            let fix = self.ibin(BinaryOp::AShr, rem, sign);
            let div = self.iadd(quot, fix);
            let add = self.and(fix, y);
            return (div, self.iadd(rem, add));
        }
        let quot = self.ibin(BinaryOp::SDiv, x, y);
        let rem = self.ibin(BinaryOp::SRem, x, y);
        let nonzero = self.icmp_imm(IntCc::Ne, rem, 0);
        let signs = self.xor(rem, y);
        let differ = self.icmp_imm(IntCc::Slt, signs, 0);
        let fix = self.and(nonzero, differ);
        let one = self.iconst(ty, 1);
        let less = self.isub(quot, one);
        let more = self.iadd(rem, y);
        (self.select(fix, less, quot), self.select(fix, more, rem))
    }

    /// IEEE 754's remainder, as CPython's `math.remainder`: what `fmod` leaves or what that lacks to `y`, the lesser one;
    /// between equal ones the parity of the multiple decides.
    pub(super) fn nearest_remainder(&mut self, x: Value, y: Value) -> Res<Value> {
        let ty = self.ty(x);
        let [size, step] = [x, y].map(|part| self.unary(UnaryOp::FAbs, part));
        let rest = self.math(MathFn::Fmod, &[size, step]);
        let lack = self.fsub(step, rest);
        let tie = self.fcmp(FloatCc::Eq, rest, lack);
        let from_tie = self.if_else(
            tie,
            &[ty],
            |fx| {
                let multiple = fx.fsub(size, rest);
                let half = fx.fconst(ty, 0.5);
                let multiple = fx.fmul(multiple, half);
                let odd = fx.math(MathFn::Fmod, &[multiple, step]);
                let two = fx.fconst(ty, 2.0);
                let twice = fx.fmul(odd, two);
                Ok::<_, super::error::Fault>(vec![fx.fsub(rest, twice)])
            },
            |fx| {
                let below = fx.fcmp(FloatCc::Lt, rest, lack);
                let minus = fx.unary(UnaryOp::FNeg, lack);
                Ok(vec![fx.select(below, rest, minus)])
            },
        )?[0];
        // Of an infinite `y` nothing is taken off; `fmod` of what has no remainder is NaN.
        let infinite = self.fcmp_imm(FloatCc::Eq, step, f64::INFINITY);
        let nearest = self.select(infinite, rest, from_tie);
        let nan = self.fcmp(FloatCc::Uno, rest, rest);
        let nearest = self.select(nan, rest, nearest);
        let one = self.fconst(ty, 1.0);
        let sign = self.fbin(BinaryOp::FCopysign, one, x);
        Ok(self.fmul(sign, nearest))
    }

    /// `x // y` and `x % y` of a `uint64` and a signed integer, one of each, modulo `2**64`: exact before that.
    pub(super) fn mixed_divmod(&mut self, x: Num, y: Num) -> (Num, Num) {
        let wide = |fx: &mut Self, n: Num| fx.int_to(n.re, Ty::I64, n.is_signed());
        let (a, b) = (wide(self, x), wide(self, y));
        let (zero, one) = (self.i64(0), self.i64(1));
        // One of the two is negative at most: divide sizes, then turn the quotient.
        let signed = if x.is_signed() { a } else { b };
        let negative = self.icmp_imm(IntCc::Slt, signed, 0);
        let minus = self.isub(zero, signed);
        let size = self.select(negative, minus, signed);
        let (p, q) = if x.is_signed() { (size, b) } else { (a, size) };
        let quotient = self.ibin(BinaryOp::UDiv, p, q);
        let rest = self.ibin(BinaryOp::URem, p, q);
        let uneven = self.icmp_imm(IntCc::Ne, rest, 0);
        let less = self.select(uneven, one, zero);
        let turned = self.isub(zero, quotient);
        let turned = self.isub(turned, less);
        // With the sign of the divisor.
        let other = if x.is_signed() {
            self.isub(q, rest)
        } else {
            self.isub(rest, q)
        };
        let other = self.select(uneven, other, zero);
        let div = self.select(negative, turned, quotient);
        let rem = self.select(negative, other, rest);
        let [div, rem] = [div, rem].map(|value| Num::real(Scalar::Int64, value));
        (div, rem)
    }

    /// CPython `float_divmod`, which NumPy shares: exact remainder by `fmod`, then the sign of the divisor.
    fn float_divmod(&mut self, x: Value, y: Value, divisor_nonzero: bool) -> (Value, Value) {
        let ty = self.ty(x);
        let zero = self.fconst(ty, 0.0);
        let one = self.fconst(ty, 1.0);
        let rem = self.math(MathFn::Fmod, &[x, y]);
        let nonzero = self.fcmp(FloatCc::Ne, rem, zero);
        let y_negative = self.fcmp(FloatCc::Lt, y, zero);
        let rem_negative = self.fcmp(FloatCc::Lt, rem, zero);
        let differ = self.xor(y_negative, rem_negative);
        let fix = self.and(nonzero, differ);
        let more = self.fadd(rem, y);
        let fixed = self.select(fix, more, rem);
        let signed_zero = self.fbin(BinaryOp::FCopysign, zero, y);
        let modulo = self.select(nonzero, fixed, signed_zero);

        let whole = self.fsub(x, rem);
        let quot = self.fdiv(whole, y);
        let less = self.fsub(quot, one);
        let quot = self.select(fix, less, quot);
        let floor = self.unary(UnaryOp::Floor, quot);
        let off = self.fsub(quot, floor);
        let up = self.fcmp_imm(FloatCc::Gt, off, 0.5);
        let next = self.fadd(floor, one);
        let floor = self.select(up, next, floor);
        let ratio = self.fdiv(x, y);
        let small = self.fbin(BinaryOp::FCopysign, zero, ratio);
        let some = self.fcmp(FloatCc::Ne, quot, zero);
        let mut div = self.select(some, floor, small);
        if !divisor_nonzero && !self.is_nonzero(y) {
            let by_zero = self.fcmp(FloatCc::Eq, y, zero);
            div = self.select(by_zero, ratio, div);
        }
        (div, modulo)
    }

    /// `x / y` of two floats or two complex numbers of one kind.
    pub(super) fn true_divide(&mut self, x: Num, y: Num, model: DivModel) -> Res<Num> {
        let (Some(xi), Some(yi)) = (x.im, y.im) else {
            self.guard_divisor(y, model, "division by zero")?;
            return Ok(Num::real(x.kind, self.fdiv(x.re, y.re)));
        };
        match model {
            DivModel::Python => {
                let nonzero = self.num_truth(y);
                self.guard(
                    nonzero,
                    GuardKind::ZeroDivision,
                    Raise::zero_division("complex division by zero"),
                )?;
                self.complex_quotient(x.kind, (x.re, xi), (y.re, yi))
            }
            DivModel::Numpy => Ok(self.complex_quotient_scaled(x.kind, (x.re, xi), (y.re, yi))),
        }
    }

    /// Smith's method as in CPython, which divides both parts by the denominator. The parts of the divisor are compared by
    /// a branch: selects made the first division wait for the comparison, a fourth of the time of a chain of quotients.
    pub(super) fn complex_quotient(
        &mut self,
        kind: Scalar,
        x: (Value, Value),
        y: (Value, Value),
    ) -> Res<Num> {
        let ty = self.ty(x.0);
        let abs_re = self.unary(UnaryOp::FAbs, y.0);
        let abs_im = self.unary(UnaryOp::FAbs, y.1);
        let is_wide = self.fcmp(FloatCc::Ge, abs_re, abs_im);
        let parts = self.if_else(
            is_wide,
            &[ty; 3],
            |this| {
                let (ratio, denominator) = this.smith_ratio(y.0, y.1);
                let (a, b) = (this.fmul(x.0, ratio), this.fmul(x.1, ratio));
                Res::Ok(vec![this.fadd(x.0, b), this.fsub(x.1, a), denominator])
            },
            |this| {
                let (ratio, denominator) = this.smith_ratio(y.1, y.0);
                let (a, b) = (this.fmul(x.0, ratio), this.fmul(x.1, ratio));
                Res::Ok(vec![this.fadd(a, x.1), this.fsub(b, x.0), denominator])
            },
        )?;
        let re = self.fdiv(parts[0], parts[2]);
        let im = self.fdiv(parts[1], parts[2]);
        Ok(Num::complex(kind, re, im))
    }

    /// Smith's method as in NumPy, which multiplies by the inverse of the denominator, and divides by 0 part by part. It
    /// is for elements of arrays: selects become vectors.
    pub(super) fn complex_quotient_scaled(
        &mut self,
        kind: Scalar,
        x: (Value, Value),
        y: (Value, Value),
    ) -> Num {
        let ty = self.ty(x.0);
        let abs_re = self.unary(UnaryOp::FAbs, y.0);
        let abs_im = self.unary(UnaryOp::FAbs, y.1);
        let is_wide = self.fcmp(FloatCc::Ge, abs_re, abs_im);
        // The larger part divides: swap the parts where that is the imaginary one.
        let big = self.select(is_wide, y.0, y.1);
        let small = self.select(is_wide, y.1, y.0);
        let (ratio, denominator) = self.smith_ratio(big, small);
        // wide: (a + b r, b - a r); else: (a r + b, b r - a).
        let a_ratio = self.fmul(x.0, ratio);
        let b_ratio = self.fmul(x.1, ratio);
        let re_wide = self.fadd(x.0, b_ratio);
        let re_tall = self.fadd(a_ratio, x.1);
        let im_wide = self.fsub(x.1, a_ratio);
        let im_tall = self.fsub(b_ratio, x.0);
        let re = self.select(is_wide, re_wide, re_tall);
        let im = self.select(is_wide, im_wide, im_tall);
        let one = self.fconst(ty, 1.0);
        let scale = self.fdiv(one, denominator);
        let re = self.fmul(re, scale);
        let im = self.fmul(im, scale);
        let re_zero = self.fcmp_imm(FloatCc::Eq, abs_re, 0.0);
        let im_zero = self.fcmp_imm(FloatCc::Eq, abs_im, 0.0);
        let by_zero = self.and(re_zero, im_zero);
        let re_by_zero = self.fdiv(x.0, abs_re);
        let im_by_zero = self.fdiv(x.1, abs_re);
        let re = self.select(by_zero, re_by_zero, re);
        let im = self.select(by_zero, im_by_zero, im);
        Num::complex(kind, re, im)
    }

    /// `small / big` of the parts of a divisor, and the denominator `big + small * ratio`.
    fn smith_ratio(&mut self, big: Value, small: Value) -> (Value, Value) {
        let ratio = self.fdiv(small, big);
        let product = self.fmul(small, ratio);
        (ratio, self.fadd(big, product))
    }

    /// C remainder: the sign of `x`; an integer by 0 gives 0.
    pub(super) fn c_remainder(&mut self, x: Num, y: Num) -> Num {
        let value = if x.kind.is_float() {
            self.math(MathFn::Fmod, &[x.re, y.re])
        } else if x.kind.is_signed_int() {
            self.ibin(BinaryOp::SRem, x.re, y.re)
        } else {
            self.ibin(BinaryOp::URem, x.re, y.re)
        };
        Num::real(x.kind, value)
    }
}
