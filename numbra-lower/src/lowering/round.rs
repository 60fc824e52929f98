//! Rounding, float classes, `frexp`, `ldexp`, spacing.

use super::error::Res;
use super::function::Fx;
use super::number::Num;
use numbra_abi::{MathFn, NativeId};
use numbra_ir::Scalar;
use numbra_library::{FloatClass, Rounding};
use numbra_lir::{BinaryOp, ConvertOp, FloatCc, IntCc, Ty, UnaryOp, Value};

impl Fx<'_, '_> {
    /// A float rounded to an integral float.
    pub(super) fn round_float(&mut self, how: Rounding, x: Value) -> Value {
        let op = match how {
            Rounding::Floor => UnaryOp::Floor,
            Rounding::Ceil => UnaryOp::Ceil,
            Rounding::Trunc => UnaryOp::Trunc,
            Rounding::Nearest => UnaryOp::Nearest,
        };
        self.unary(op, x)
    }

    /// `round(x, n)` with decimal digits.
    pub(super) fn round_digits(&mut self, x: Num, digits: Value) -> Res<Num> {
        let wide = self.float_to(x.re, Ty::F64);
        let rounded = self.native_value(NativeId::RoundDigits, vec![wide, digits])?;
        let ty = self.ty(x.re);
        Ok(Num::real(x.kind, self.float_to(rounded, ty)))
    }

    /// A property of a number.
    pub(super) fn float_class(&mut self, class: FloatClass, x: Num) -> Value {
        if let Some(im) = x.im {
            let kind = super::number::part_kind(x.kind);
            let re = self.float_class(class, Num::real(kind, x.re));
            let im = self.float_class(class, Num::real(kind, im));
            return match class {
                FloatClass::IsFinite => self.and(re, im),
                FloatClass::IsNan | FloatClass::IsInf | FloatClass::SignBit => self.or(re, im),
            };
        }
        if !x.kind.is_float() {
            return match class {
                FloatClass::IsNan | FloatClass::IsInf => self.bool(false),
                FloatClass::IsFinite => self.bool(true),
                FloatClass::SignBit if x.is_signed() => self.icmp_imm(IntCc::Slt, x.re, 0),
                FloatClass::SignBit => self.bool(false),
            };
        }
        let ty = self.ty(x.re);
        match class {
            FloatClass::IsNan => self.fcmp(FloatCc::Uno, x.re, x.re),
            FloatClass::IsInf | FloatClass::IsFinite => {
                let size = self.unary(UnaryOp::FAbs, x.re);
                let infinity = self.fconst(ty, f64::INFINITY);
                let cc = if class == FloatClass::IsInf {
                    FloatCc::Eq
                } else {
                    FloatCc::Lt
                };
                self.fcmp(cc, size, infinity)
            }
            FloatClass::SignBit => {
                let bits = self.bits_of(x.re);
                self.icmp_imm(IntCc::Slt, bits, 0)
            }
        }
    }

    /// The bits of a float as an integer of the same width.
    fn bits_of(&mut self, x: Value) -> Value {
        let ty = match self.ty(x) {
            Ty::F32 => Ty::I32,
            Ty::F16 => Ty::I16,
            _ => Ty::I64,
        };
        self.convert(ConvertOp::Bitcast, x, ty)
    }

    /// `(m, e)` with `x = m * 2**e` and `0.5 <= |m| < 1`; 0, infinities and NaN give themselves and 0.
    pub(super) fn frexp(&mut self, x: Value) -> (Value, Value) {
        let ty = self.ty(x);
        // In f64 no subnormal f32 remains.
        let wide = self.float_to(x, Ty::F64);
        let scale = self.fconst(Ty::F64, 2f64.powi(64));
        let size = self.unary(UnaryOp::FAbs, wide);
        let tiny = self.fcmp_imm(FloatCc::Lt, size, f64::MIN_POSITIVE);
        let scaled = self.fmul(wide, scale);
        let normal = self.select(tiny, scaled, wide);
        let bits = self.convert(ConvertOp::Bitcast, normal, Ty::I64);
        let shift = self.i64(52);
        let high = self.ibin(BinaryOp::LShr, bits, shift);
        let low11 = self.i64(0x7ff);
        let biased = self.and(high, low11);
        let bias = self.i64(1022);
        let exponent = self.isub(biased, bias);
        let extra = self.i64(64);
        let less = self.isub(exponent, extra);
        let exponent = self.select(tiny, less, exponent);
        let keep = self.i64(0x800f_ffff_ffff_ffff_u64 as i64);
        let kept = self.and(bits, keep);
        let half = self.i64(1022 << 52);
        let mantissa = self.or(kept, half);
        let mantissa = self.convert(ConvertOp::Bitcast, mantissa, Ty::F64);
        let zero = self.fcmp_imm(FloatCc::Eq, wide, 0.0);
        let infinity = self.fconst(Ty::F64, f64::INFINITY);
        let finite = self.fcmp(FloatCc::Lt, size, infinity);
        let nonzero = self.not(zero);
        let usual = self.and(finite, nonzero);
        let none = self.i64(0);
        let mantissa = self.select(usual, mantissa, wide);
        let exponent = self.select(usual, exponent, none);
        (self.float_to(mantissa, ty), exponent)
    }

    /// `x * 2**n`, with one rounding: in two or three exact steps but the last.
    pub(super) fn ldexp(&mut self, x: Value, n: Value) -> Value {
        let ty = self.ty(x);
        let wide = self.float_to(x, Ty::F64);
        // Beyond these everything is 0 or infinite, f32 included.
        let low = self.i64(-2200);
        let high = self.i64(2200);
        let n = self.ibin(BinaryOp::SMax, n, low);
        let n = self.ibin(BinaryOp::SMin, n, high);
        // Large steps first, so that only the last one rounds: the result is scaled up by what is left.
        let mut value = wide;
        let mut left = n;
        for _ in 0..2 {
            let down = self.i64(-969);
            let up = self.i64(1023);
            let step = self.ibin(BinaryOp::SMax, left, down);
            let step = self.ibin(BinaryOp::SMin, step, up);
            let factor = self.power_of_two(step);
            value = self.fmul(value, factor);
            left = self.isub(left, step);
        }
        let down = self.i64(-1022);
        let up = self.i64(1023);
        let step = self.ibin(BinaryOp::SMax, left, down);
        let step = self.ibin(BinaryOp::SMin, step, up);
        let factor = self.power_of_two(step);
        let value = self.fmul(value, factor);
        self.float_to(value, ty)
    }

    /// `2.0**n` for `-1022 <= n <= 1023`.
    fn power_of_two(&mut self, n: Value) -> Value {
        let bias = self.i64(1023);
        let biased = self.iadd(n, bias);
        let shift = self.i64(52);
        let bits = self.ibin(BinaryOp::Shl, biased, shift);
        self.convert(ConvertOp::Bitcast, bits, Ty::F64)
    }

    /// Distance to the next float away from zero, with the sign of `x`.
    pub(super) fn spacing(&mut self, x: Num) -> Num {
        let ty = self.ty(x.re);
        let infinity = self.fconst(ty, f64::INFINITY);
        let away = self.fbin(BinaryOp::FCopysign, infinity, x.re);
        let next = self.math(MathFn::NextAfter, &[x.re, away]);
        let step = self.fsub(next, x.re);
        // An infinity has no next float: NaN, as the difference says.
        Num::real(x.kind, step)
    }

    /// -1, 0, 1; NaN for NaN; complex `x / |x|`.
    pub(super) fn sign(&mut self, x: Num) -> Num {
        if let Some(im) = x.im {
            let ty = self.ty(im);
            let size = self.complex_abs(x).re;
            let (zero, one) = (self.fconst(ty, 0.0), self.fconst(ty, 1.0));
            let none = self.fcmp(FloatCc::Eq, size, zero);
            let far = self.fcmp_imm(FloatCc::Eq, size, f64::INFINITY);
            let [re_far, im_far] = [x.re, im].map(|part| {
                let distance = self.unary(UnaryOp::FAbs, part);
                self.fcmp_imm(FloatCc::Eq, distance, f64::INFINITY)
            });
            // Two infinite parts have no direction: their quotients are NaN.
            let both = self.and(re_far, im_far);
            let one_far = self.not(both);
            let far = self.and(far, one_far);
            // As NumPy, also where the size alone is infinite.
            let [re_unit, im_unit] =
                [x.re, im].map(|part| self.fbin(BinaryOp::FCopysign, one, part));
            let (re_unit, im_unit) = (
                self.select(re_far, re_unit, zero),
                self.select(re_far, zero, im_unit),
            );
            let [re, im] = [(x.re, re_unit), (im, im_unit)].map(|(part, unit)| {
                let over = self.fdiv(part, size);
                let over = self.select(far, unit, over);
                self.select(none, zero, over)
            });
            return Num::complex(x.kind, re, im);
        }
        if x.kind == Scalar::Bool {
            return x;
        }
        let ty = self.ty(x.re);
        if x.kind.is_float() {
            let (one, minus) = (self.fconst(ty, 1.0), self.fconst(ty, -1.0));
            let positive = self.fcmp_imm(FloatCc::Gt, x.re, 0.0);
            let negative = self.fcmp_imm(FloatCc::Lt, x.re, 0.0);
            // 0 and NaN stay what they are; -0 becomes 0.
            let zero = self.fconst(ty, 0.0);
            let rest = self.fadd(x.re, zero);
            let low = self.select(negative, minus, rest);
            return Num::real(x.kind, self.select(positive, one, low));
        }
        let (one, zero) = (self.iconst(ty, 1), self.iconst(ty, 0));
        let nonzero = self.icmp_imm(IntCc::Ne, x.re, 0);
        let up = self.select(nonzero, one, zero);
        if !x.is_signed() {
            return Num::real(x.kind, up);
        }
        let minus = self.iconst(ty, -1);
        let negative = self.icmp_imm(IntCc::Slt, x.re, 0);
        Num::real(x.kind, self.select(negative, minus, up))
    }
}
