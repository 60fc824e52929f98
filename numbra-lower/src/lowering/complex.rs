//! Complex numbers: arithmetic by parts, and functions of the runtime.

use super::error::{Fault, Res};
use super::function::Fx;
use super::model::part;
use super::number::{Num, part_kind};
use numbra_abi::{MathFn, NativeId};
use numbra_ir::Scalar;
use numbra_library::ComplexFn;
use numbra_lir::{AliasClass, BinaryOp, FloatCc, Ty, UnaryOp, Value};

/// `e` to the power of this is finite.
const LARGEST_EXPONENT: f64 = 709.0;
const LARGEST_POWER: f64 = 8.218_407_461_554_972e307;

impl Fx<'_, '_> {
    /// The parts of a complex number; a real one has imaginary part 0.
    pub(super) fn parts(&mut self, x: Num) -> (Value, Value) {
        match x.im {
            Some(im) => (x.re, im),
            None => {
                let ty = self.ty(x.re);
                (x.re, self.zero(ty))
            }
        }
    }

    /// `x * y` by the four-product formula.
    pub(super) fn complex_mul(&mut self, x: Num, y: Num) -> Num {
        let ((a, b), (c, d)) = (self.parts(x), self.parts(y));
        let (ac, bd) = (self.fmul(a, c), self.fmul(b, d));
        let (ad, bc) = (self.fmul(a, d), self.fmul(b, c));
        let (re, im) = (self.fsub(ac, bd), self.fadd(ad, bc));
        Num::complex(x.kind, re, im)
    }

    /// `|x|`
    pub(super) fn complex_abs(&mut self, x: Num) -> Num {
        let (re, im) = self.parts(x);
        Num::real(part_kind(x.kind), self.math(MathFn::Hypot, &[re, im]))
    }

    /// Mostly a function of the runtime; complex64 computes in complex128 and rounds once.
    pub(super) fn complex_function(&mut self, func: ComplexFn, x: Num) -> Res<Num> {
        if self.mx.options.device {
            return self.complex_by_parts(func, x);
        }
        let (re, im) = self.parts(x);
        let (re, im) = (self.float_to(re, Ty::F64), self.float_to(im, Ty::F64));
        let (re, im) = match func {
            ComplexFn::Exp => self.complex_exp(re, im),
            ComplexFn::Exp2 => {
                let by = self.fconst(Ty::F64, std::f64::consts::LN_2);
                let (re, im) = (self.fmul(re, by), self.fmul(im, by));
                self.complex_exp(re, im)
            }
            _ => self.complex_native(func, re, im)?,
        };
        let ty = part(x.kind);
        let (re, im) = (self.float_to(re, ty), self.float_to(im, ty));
        Ok(Num::complex(x.kind, re, im))
    }

    /// `e**re (cos im + i sin im)`, as C defines it where a part is not finite. Without a branch: loops of it are vectors.
    fn complex_exp(&mut self, re: Value, im: Value) -> (Value, Value) {
        let (zero, one) = (self.fconst(Ty::F64, 0.0), self.fconst(Ty::F64, 1.0));
        // In steps where the size alone would be too large for a float, but not its products.
        let mut exponent = re;
        let mut steps = [one; 2];
        for (n, step) in (1..).zip(&mut steps) {
            let below = LARGEST_EXPONENT * f64::from(n);
            let large = self.fcmp_imm(FloatCc::Gt, re, below);
            let below = self.fconst(Ty::F64, below);
            let rest = self.fsub(re, below);
            exponent = self.select(large, rest, exponent);
            let largest = self.fconst(Ty::F64, LARGEST_POWER);
            *step = self.select(large, largest, one);
        }
        let size = self.math(MathFn::Exp, &[exponent]);
        let (cos, sin) = (self.math(MathFn::Cos, &[im]), self.math(MathFn::Sin, &[im]));
        let [whole, x, y] = [one, cos, sin].map(|part| {
            let part = self.fmul(part, steps[0]);
            let part = self.fmul(part, steps[1]);
            self.fmul(part, size)
        });
        // A real number stays one; an infinite size says more than an angle that is none.
        let real = self.fcmp(FloatCc::Eq, im, zero);
        let (x, y) = (self.select(real, whole, x), self.select(real, im, y));
        let [distance, turn] = [re, im].map(|part| self.unary(UnaryOp::FAbs, part));
        let infinite = self.fcmp_imm(FloatCc::Eq, distance, f64::INFINITY);
        let angle = self.fcmp_imm(FloatCc::Lt, turn, f64::INFINITY);
        let none = self.not(angle);
        let lost = self.and(infinite, none);
        let nothing = self.fcmp(FloatCc::Lt, re, zero);
        let gone = self.and(lost, nothing);
        let signed = self.fbin(BinaryOp::FCopysign, zero, im);
        (self.select(lost, size, x), self.select(gone, signed, y))
    }

    /// A function of the runtime.
    fn complex_native(&mut self, func: ComplexFn, re: Value, im: Value) -> Res<(Value, Value)> {
        let slot = self.slot(16, 16, Vec::new());
        let address = self.slot_addr(slot);
        let id = NativeId::named(&func.symbol())
            .ok_or_else(|| Fault::unsupported(format!("complex function `{}`", func.name())))?;
        self.native_call(id, vec![re, im, address])?;
        let flags = super::emit::flags(AliasClass::STACK, 8);
        let re = self.load(Ty::F64, address, 0, flags);
        let im = self.load(Ty::F64, address, 8, flags);
        Ok((re, im))
    }

    /// Principal square root, as CPython's `cmath.sqrt`: scaled so that `|x|` neither overflows nor loses digits below the
    /// smallest normal number; infinite where the imaginary part is. Without a branch: loops of it are vectors.
    pub(super) fn complex_sqrt(&mut self, x: Num) -> Res<Num> {
        let (a, b) = self.parts(x);
        let ty = self.ty(a);
        // The root of `up / 2` times `down` is a half in either pair.
        let (least, up, down) = if ty == Ty::F32 {
            (f64::from(f32::MIN_POSITIVE), 25, -13)
        } else {
            (f64::MIN_POSITIVE, 53, -27)
        };
        let (ax, ay) = (self.unary(UnaryOp::FAbs, a), self.unary(UnaryOp::FAbs, b));
        let tiny = [ax, ay].map(|part| self.fcmp_imm(FloatCc::Lt, part, least));
        let tiny = self.and(tiny[0], tiny[1]);
        let mut scale = |tiny_by: i32, by: f64| {
            let tiny_by = self.fconst(ty, 2_f64.powi(tiny_by));
            let by = self.fconst(ty, by);
            self.select(tiny, tiny_by, by)
        };
        let (up, down) = (scale(up, 0.125), scale(down, 2.0));
        let [x_up, y_up] = [ax, ay].map(|part| self.fmul(part, up));
        let hyp = self.math(MathFn::Hypot, &[x_up, y_up]);
        let sum = self.fadd(x_up, hyp);
        let root = self.unary(UnaryOp::Sqrt, sum);
        let s = self.fmul(root, down);
        let (zero, two) = (self.fconst(ty, 0.0), self.fconst(ty, 2.0));
        let twice = self.fmul(s, two);
        let d = self.fdiv(ay, twice);
        let none = self.fcmp(FloatCc::Eq, s, zero);
        let d = self.select(none, zero, d);
        let right = self.fcmp(FloatCc::Ge, a, zero);
        let (re, im) = (self.select(right, s, d), self.select(right, d, s));
        let infinite = self.fcmp_imm(FloatCc::Eq, ay, f64::INFINITY);
        let (re, im) = (self.select(infinite, ay, re), self.select(infinite, ay, im));
        let im = self.fbin(BinaryOp::FCopysign, im, b);
        Ok(Num::complex(x.kind, re, im))
    }

    /// `r * (cos phi + i sin phi)`
    pub(super) fn polar(&mut self, kind: Scalar, r: Value, phi: Value) -> Num {
        let (cos, sin) = (
            self.math(MathFn::Cos, &[phi]),
            self.math(MathFn::Sin, &[phi]),
        );
        let (re, im) = (self.fmul(r, cos), self.fmul(r, sin));
        Num::complex(kind, re, im)
    }

    /// `cmath.rect(r, phi)`: as [`Fx::polar`], of nothing 0 whatever its angle, and real where the angle is 0.
    pub(super) fn rect(&mut self, kind: Scalar, r: Value, phi: Value) -> Num {
        let product = self.polar(kind, r, phi);
        let (re, im) = self.parts(product);
        let (zero, one) = (self.fconst(self.ty(r), 0.0), self.fconst(self.ty(r), 1.0));
        let sign = self.fbin(BinaryOp::FCopysign, one, r);
        let real = self.fcmp(FloatCc::Eq, phi, zero);
        let signed = self.fmul(phi, sign);
        let im = self.select(real, signed, im);
        let rest = self.fsub(phi, phi);
        let lost = self.fcmp(FloatCc::Uno, rest, rest);
        let nothing = self.fcmp(FloatCc::Eq, r, zero);
        let nothing = self.and(nothing, lost);
        let re = self.select(nothing, zero, re);
        Num::complex(kind, re, self.select(nothing, zero, im))
    }
}
