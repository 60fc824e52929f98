//! Integer and float functions that are not one instruction: gcd, lcm, shifts, logaddexp, reciprocal.

use super::error::Res;
use super::function::Fx;
use super::number::Num;
use numbra_abi::MathFn;
use numbra_ir::Scalar;
use numbra_library::DivModel;
use numbra_lir::{BinaryOp, FloatCc, IntCc, Ty, UnaryOp, Value};

impl Fx<'_, '_> {
    /// `x << n` and `x >> n`; the count is taken modulo the width.
    pub(super) fn shift(&mut self, x: Num, n: Num, left: bool) -> Num {
        let ty = self.ty(x.re);
        let count = self.int_to(n.re, ty, n.is_signed());
        let op = if left {
            BinaryOp::Shl
        } else if x.is_signed() {
            BinaryOp::AShr
        } else {
            BinaryOp::LShr
        };
        Num::real(x.kind, self.ibin(op, x.re, count))
    }

    /// NumPy's shifts: counts outside the width shift everything out.
    pub(super) fn shift_clamp(&mut self, x: Num, n: Num, left: bool) -> Num {
        let ty = self.ty(x.re);
        let bits = i64::from(ty.int_bits().unwrap_or(64));
        let shifted = self.shift(x, n, left);
        let wide = self.int_to(n.re, Ty::I64, n.is_signed());
        let inside = self.icmp_imm(IntCc::Ult, wide, bits);
        let rest = if left || !x.is_signed() {
            self.iconst(ty, 0)
        } else {
            let all = self.iconst(ty, i128::from(bits - 1));
            self.ibin(BinaryOp::AShr, x.re, all)
        };
        Num::real(x.kind, self.select(inside, shifted.re, rest))
    }

    fn magnitude(&mut self, x: Num) -> Value {
        if x.is_signed() {
            self.unary(UnaryOp::IAbs, x.re)
        } else {
            x.re
        }
    }

    /// Greatest common divisor, by Euclid's algorithm on magnitudes.
    pub(super) fn gcd(&mut self, x: Num, y: Num) -> Num {
        let (a0, b0) = (self.magnitude(x), self.magnitude(y));
        let ty = self.ty(a0);
        let (head, body, done) = (self.new_block(), self.new_block(), self.new_block());
        let a = self.func.push_param(head, ty);
        let b = self.func.push_param(head, ty);
        self.jump(head, vec![a0, b0]);
        self.enter(head);
        let more = self.icmp_imm(IntCc::Ne, b, 0);
        self.brif(more, (body, Vec::new()), (done, Vec::new()));
        self.enter(body);
        let rest = self.ibin(BinaryOp::URem, a, b);
        self.jump(head, vec![b, rest]);
        self.enter(done);
        Num::real(x.kind, a)
    }

    /// Least common multiple; 0 if either is 0.
    pub(super) fn lcm(&mut self, x: Num, y: Num) -> Num {
        let gcd = self.gcd(x, y);
        let (a, b) = (self.magnitude(x), self.magnitude(y));
        // Division by 0 gives 0.
        let part = self.ibin(BinaryOp::UDiv, a, gcd.re);
        Num::real(x.kind, self.imul(part, b))
    }

    /// `log(exp(x) + exp(y))`, or in base 2.
    pub(super) fn log_add_exp(&mut self, x: Num, y: Num, base2: bool) -> Num {
        let ty = self.ty(x.re);
        let equal = self.fcmp(FloatCc::Eq, x.re, y.re);
        let big = self.fbin(BinaryOp::FMax, x.re, y.re);
        let difference = self.fsub(x.re, y.re);
        let size = self.unary(UnaryOp::FAbs, difference);
        let minus = self.unary(UnaryOp::FNeg, size);
        let (step, log_two) = if base2 {
            let power = self.math(MathFn::Exp2, &[minus]);
            let log = self.math(MathFn::Log1p, &[power]);
            let scale = self.fconst(ty, std::f64::consts::LOG2_E);
            (self.fmul(scale, log), self.fconst(ty, 1.0))
        } else {
            let power = self.math(MathFn::Exp, &[minus]);
            let log = self.math(MathFn::Log1p, &[power]);
            (log, self.fconst(ty, std::f64::consts::LN_2))
        };
        let apart = self.fadd(big, step);
        // Equal operands, infinities included: their difference may be NaN.
        let same = self.fadd(x.re, log_two);
        Num::real(x.kind, self.select(equal, same, apart))
    }

    /// `1 / x`; integers truncate.
    pub(super) fn reciprocal(&mut self, x: Num) -> Res<Num> {
        let one = Num::real(Scalar::Int64, self.i64(1));
        if let Some(im) = x.im {
            return Ok(self.complex_reciprocal(x, im));
        }
        if x.kind.is_float() {
            let one = self.as_kind(one, x.kind);
            return self.true_divide(one, x, DivModel::Numpy);
        }
        let wide = self.as_kind(x, Scalar::Float64);
        let one = self.fconst(Ty::F64, 1.0);
        let ratio = self.fdiv(one, wide.re);
        Ok(self.as_kind(Num::real(Scalar::Float64, ratio), x.kind))
    }

    /// NumPy's: the smaller part over the larger one, and the inverse of what that leaves. NaN for 0.
    fn complex_reciprocal(&mut self, x: Num, im: Value) -> Num {
        let ty = self.ty(x.re);
        let abs_re = self.unary(UnaryOp::FAbs, x.re);
        let abs_im = self.unary(UnaryOp::FAbs, im);
        let wide = self.fcmp(FloatCc::Le, abs_im, abs_re);
        let big = self.select(wide, x.re, im);
        let small = self.select(wide, im, x.re);
        let ratio = self.fdiv(small, big);
        let product = self.fmul(small, ratio);
        let denom = self.fadd(big, product);
        let one = self.fconst(ty, 1.0);
        let inverse = self.fdiv(one, denom);
        let scaled = self.fdiv(ratio, denom);
        let (minus_inverse, minus_scaled) = (
            self.unary(UnaryOp::FNeg, inverse),
            self.unary(UnaryOp::FNeg, scaled),
        );
        let re = self.select(wide, inverse, scaled);
        let im = self.select(wide, minus_scaled, minus_inverse);
        Num::complex(x.kind, re, im)
    }
}
