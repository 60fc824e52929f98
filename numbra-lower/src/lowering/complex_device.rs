//! Complex functions where there is no runtime: by functions of real numbers, at the width of the parts.
//!
//! Inverse functions are those of Kahan's "Branch Cuts for Complex Elementary Functions", so that signed zeros choose the
//! side of a cut. Parts beyond the square root of the greatest float overflow.

use super::error::Res;
use super::function::Fx;
use super::number::Num;
use numbra_abi::MathFn;
use numbra_library::ComplexFn;
use numbra_lir::{BinaryOp, FloatCc, Ty, UnaryOp, Value};

/// Real and imaginary part.
type Parts = (Value, Value);

impl Fx<'_, '_> {
    /// A complex function of the parts of `x`.
    pub(super) fn complex_by_parts(&mut self, func: ComplexFn, x: Num) -> Res<Num> {
        let z = self.parts(x);
        let (re, im) = match func {
            ComplexFn::Exp => self.exp_parts(z),
            ComplexFn::Exp2 => {
                let z = self.scaled_parts(z, std::f64::consts::LN_2);
                self.exp_parts(z)
            }
            ComplexFn::Expm1 => self.expm1_parts(z),
            ComplexFn::Log => self.log_parts(z),
            ComplexFn::Log2 => {
                let log = self.log_parts(z);
                self.scaled_parts(log, std::f64::consts::LOG2_E)
            }
            ComplexFn::Log10 => {
                let log = self.log_parts(z);
                self.scaled_parts(log, std::f64::consts::LOG10_E)
            }
            ComplexFn::Log1p => {
                let one = self.one_like(z.0);
                let re = self.fadd(z.0, one);
                self.log_parts((re, z.1))
            }
            ComplexFn::Sin => self.sin_parts(z),
            ComplexFn::Cos => self.cos_parts(z),
            ComplexFn::Tan => self.turned_back(z, Self::tanh_parts),
            ComplexFn::Sinh => self.sinh_parts(z),
            ComplexFn::Cosh => self.cosh_parts(z),
            ComplexFn::Tanh => self.tanh_parts(z),
            ComplexFn::Asin => {
                let turned = self.turned(z);
                let (a, b) = self.asinh_parts(x, turned)?;
                (b, self.negative(a))
            }
            ComplexFn::Acos => self.acos_parts(x, z)?,
            ComplexFn::Atan => self.turned_back(z, Self::atanh_parts),
            ComplexFn::Asinh => self.asinh_parts(x, z)?,
            ComplexFn::Acosh => self.acosh_parts(x, z)?,
            ComplexFn::Atanh => self.atanh_parts(z),
        };
        Ok(Num::complex(x.kind, re, im))
    }

    fn one_like(&mut self, x: Value) -> Value {
        let ty = self.ty(x);
        self.fconst(ty, 1.0)
    }

    fn number_like(&mut self, x: Value, value: f64) -> Value {
        let ty = self.ty(x);
        self.fconst(ty, value)
    }

    fn negative(&mut self, x: Value) -> Value {
        self.unary(UnaryOp::FNeg, x)
    }

    fn function(&mut self, func: MathFn, x: Value) -> Value {
        self.math(func, &[x])
    }

    fn scaled_parts(&mut self, (re, im): Parts, by: f64) -> Parts {
        let by = self.number_like(re, by);
        (self.fmul(re, by), self.fmul(im, by))
    }

    /// `i z`
    fn turned(&mut self, (re, im): Parts) -> Parts {
        (self.negative(im), re)
    }

    /// `-i f(i z)`
    fn turned_back(&mut self, z: Parts, f: fn(&mut Self, Parts) -> Parts) -> Parts {
        let turned = self.turned(z);
        let (a, b) = f(self, turned);
        (b, self.negative(a))
    }

    /// `e ** z`; a real number stays real.
    fn exp_parts(&mut self, (x, y): Parts) -> Parts {
        let size = self.function(MathFn::Exp, x);
        let (cos, sin) = (self.function(MathFn::Cos, y), self.function(MathFn::Sin, y));
        let (re, im) = (self.fmul(size, cos), self.fmul(size, sin));
        let zero = self.number_like(y, 0.0);
        let real = self.fcmp(FloatCc::Eq, y, zero);
        (self.select(real, size, re), self.select(real, y, im))
    }

    /// Without cancellation near 0: `expm1(x) cos(y) - 2 sin(y/2)**2`.
    fn expm1_parts(&mut self, (x, y): Parts) -> Parts {
        let half = self.number_like(y, 0.5);
        let half = self.fmul(y, half);
        let a = self.function(MathFn::Sin, half);
        let square = self.fmul(a, a);
        let twice = self.fadd(square, square);
        let below = self.function(MathFn::Expm1, x);
        let cos = self.function(MathFn::Cos, y);
        let re = self.fmul(below, cos);
        let re = self.fsub(re, twice);
        let (size, sin) = (self.function(MathFn::Exp, x), self.function(MathFn::Sin, y));
        (re, self.fmul(size, sin))
    }

    fn log_parts(&mut self, (x, y): Parts) -> Parts {
        let size = self.math(MathFn::Hypot, &[x, y]);
        let re = self.function(MathFn::Log, size);
        (re, self.math(MathFn::Atan2, &[y, x]))
    }

    fn sin_parts(&mut self, (x, y): Parts) -> Parts {
        let (sin, cos) = (self.function(MathFn::Sin, x), self.function(MathFn::Cos, x));
        let (sinh, cosh) = (
            self.function(MathFn::Sinh, y),
            self.function(MathFn::Cosh, y),
        );
        (self.fmul(sin, cosh), self.fmul(cos, sinh))
    }

    fn cos_parts(&mut self, (x, y): Parts) -> Parts {
        let (sin, cos) = (self.function(MathFn::Sin, x), self.function(MathFn::Cos, x));
        let (sinh, cosh) = (
            self.function(MathFn::Sinh, y),
            self.function(MathFn::Cosh, y),
        );
        let im = self.fmul(sin, sinh);
        (self.fmul(cos, cosh), self.negative(im))
    }

    fn sinh_parts(&mut self, (x, y): Parts) -> Parts {
        let (sin, cos) = (self.function(MathFn::Sin, y), self.function(MathFn::Cos, y));
        let (sinh, cosh) = (
            self.function(MathFn::Sinh, x),
            self.function(MathFn::Cosh, x),
        );
        (self.fmul(sinh, cos), self.fmul(cosh, sin))
    }

    fn cosh_parts(&mut self, (x, y): Parts) -> Parts {
        let (sin, cos) = (self.function(MathFn::Sin, y), self.function(MathFn::Cos, y));
        let (sinh, cosh) = (
            self.function(MathFn::Sinh, x),
            self.function(MathFn::Cosh, x),
        );
        (self.fmul(cosh, cos), self.fmul(sinh, sin))
    }

    /// Where `cosh(x)**2` would overflow, `tanh(x)` is 1 and `4 sin(y) cos(y) e**(-2|x|)` is left of the imaginary part.
    fn tanh_parts(&mut self, (x, y): Parts) -> Parts {
        let t = self.function(MathFn::Tan, y);
        let s = self.function(MathFn::Sinh, x);
        let one = self.one_like(x);
        let (tt, ss) = (self.fmul(t, t), self.fmul(s, s));
        let beta = self.fadd(one, tt);
        let above = self.fadd(one, ss);
        let rho = self.unary(UnaryOp::Sqrt, above);
        let below = self.fmul(beta, ss);
        let below = self.fadd(one, below);
        let re = self.fmul(beta, rho);
        let re = self.fmul(re, s);
        let re = self.fdiv(re, below);
        let im = self.fdiv(t, below);
        let size = self.unary(UnaryOp::FAbs, x);
        let limit = if self.ty(x) == Ty::F32 { 9.0 } else { 20.0 };
        let limit = self.number_like(x, limit);
        let far = self.fcmp(FloatCc::Gt, size, limit);
        let end = self.fbin(BinaryOp::FCopysign, one, x);
        let double = self.fadd(size, size);
        let double = self.negative(double);
        let small = self.function(MathFn::Exp, double);
        let (sin, cos) = (self.function(MathFn::Sin, y), self.function(MathFn::Cos, y));
        let rest = self.fmul(sin, cos);
        let rest = self.fmul(rest, small);
        let four = self.number_like(x, 4.0);
        let rest = self.fmul(four, rest);
        (self.select(far, end, re), self.select(far, rest, im))
    }

    /// Roots of `a` and of `b`, each given by its parts.
    fn two_roots(&mut self, x: Num, a: Parts, b: Parts) -> Res<(Parts, Parts)> {
        let a = self.complex_sqrt(Num::complex(x.kind, a.0, a.1))?;
        let b = self.complex_sqrt(Num::complex(x.kind, b.0, b.1))?;
        Ok((self.parts(a), self.parts(b)))
    }

    /// `a c - b d`
    fn crossed(&mut self, a: Value, c: Value, b: Value, d: Value) -> Value {
        let (ac, bd) = (self.fmul(a, c), self.fmul(b, d));
        self.fsub(ac, bd)
    }

    fn acos_parts(&mut self, x: Num, (re, im): Parts) -> Res<Parts> {
        let one = self.one_like(re);
        let (below, above) = (self.fsub(one, re), self.fadd(one, re));
        let opposite = self.negative(im);
        let (s, t) = self.two_roots(x, (below, opposite), (above, im))?;
        let angle = self.math(MathFn::Atan2, &[s.0, t.0]);
        let cross = self.crossed(t.0, s.1, t.1, s.0);
        let im = self.function(MathFn::Asinh, cross);
        Ok((self.fadd(angle, angle), im))
    }

    fn acosh_parts(&mut self, x: Num, (re, im): Parts) -> Res<Parts> {
        let one = self.one_like(re);
        let (below, above) = (self.fsub(re, one), self.fadd(re, one));
        let (s, t) = self.two_roots(x, (below, im), (above, im))?;
        let angle = self.math(MathFn::Atan2, &[s.1, t.0]);
        let (a, b) = (self.fmul(s.0, t.0), self.fmul(s.1, t.1));
        let sum = self.fadd(a, b);
        let re = self.function(MathFn::Asinh, sum);
        Ok((re, self.fadd(angle, angle)))
    }

    fn asinh_parts(&mut self, x: Num, (re, im): Parts) -> Res<Parts> {
        let one = self.one_like(re);
        let (above, below) = (self.fadd(one, im), self.fsub(one, im));
        let opposite = self.negative(re);
        let (s, t) = self.two_roots(x, (above, opposite), (below, re))?;
        let cross = self.crossed(s.0, t.1, t.0, s.1);
        let size = self.function(MathFn::Asinh, cross);
        let inside = self.crossed(s.0, t.0, s.1, t.1);
        Ok((size, self.math(MathFn::Atan2, &[im, inside])))
    }

    /// `log1p(4x / |1 - z|**2) / 4` and half the angle of `((1 - x)(1 + x) - y**2) / 2 + yi`, for `x >= 0`: the function is odd.
    /// Near 1, where the quotient overflows, the logarithm of its root; far away 0 and a quarter of a turn.
    fn atanh_parts(&mut self, (x, y): Parts) -> Parts {
        let [zero, one, two, four] = [0.0, 1.0, 2.0, 4.0].map(|n| self.number_like(x, n));
        let [quarter, half, right] =
            [0.25, 0.5, std::f64::consts::FRAC_PI_2].map(|n| self.number_like(x, n));
        let size = self.unary(UnaryOp::FAbs, x);
        let (below, above) = (self.fsub(one, size), self.fadd(one, size));
        let distance = self.math(MathFn::Hypot, &[below, y]);

        let ratio = self.fdiv(size, distance);
        let ratio = self.fmul(four, ratio);
        let ratio = self.fdiv(ratio, distance);
        let log = self.function(MathFn::Log1p, ratio);
        let re = self.fmul(log, quarter);
        let root = self.unary(UnaryOp::Sqrt, size);
        let root = self.fmul(two, root);
        let (log, less) = (
            self.function(MathFn::Log, root),
            self.function(MathFn::Log, distance),
        );
        let log = self.fsub(log, less);
        let log = self.fmul(log, half);
        let limit = self.number_like(x, 1e16);
        let near = self.fcmp(FloatCc::Gt, ratio, limit);
        let re = self.select(near, log, re);
        let infinite = self.number_like(x, f64::INFINITY);
        let far = self.fcmp(FloatCc::Eq, distance, infinite);
        let upright = self.fcmp(FloatCc::Eq, size, zero);
        let re = self.select(far, zero, re);
        let re = self.select(upright, zero, re);
        let re = self.fbin(BinaryOp::FCopysign, re, x);

        let (inside, yy) = (self.fmul(below, above), self.fmul(y, y));
        let inside = self.fsub(inside, yy);
        let inside = self.fmul(inside, half);
        let angle = self.math(MathFn::Atan2, &[y, inside]);
        let angle = self.fmul(angle, half);
        let end = self.fbin(BinaryOp::FCopysign, right, y);
        let number = self.fcmp(FloatCc::Eq, y, y);
        let end = self.select(number, end, y);
        (re, self.select(far, end, angle))
    }
}
