//! Complex numbers: arithmetic by parts, and functions of the runtime.

use super::error::{Fault, Res};
use super::function::Fx;
use super::model::part;
use super::number::{Num, part_kind};
use crate::lir::{AliasClass, BinaryOp, FloatCc, Ty, UnaryOp, Value};
use numbra_abi::MathFn;
use numbra_ir::Scalar;
use numbra_library::ComplexFn;

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

    /// A function of the runtime; complex64 computes in complex128 and rounds once.
    pub(super) fn complex_function(&mut self, func: ComplexFn, x: Num) -> Res<Num> {
        if self.mx.options.device {
            return self.complex_by_parts(func, x);
        }
        let (re, im) = self.parts(x);
        let (re, im) = (self.float_to(re, Ty::F64), self.float_to(im, Ty::F64));
        let slot = self.slot(16, 16, Vec::new());
        let address = self.slot_addr(slot);
        let symbol = func.symbol();
        if numbra_abi::native(&symbol).is_none() {
            return Err(Fault::unsupported(format!(
                "complex function `{}`",
                func.name()
            )));
        }
        self.native_call(&symbol, vec![re, im, address])?;
        let flags = super::emit::flags(AliasClass::STACK, 8);
        let re = self.load(Ty::F64, address, 0, flags);
        let im = self.load(Ty::F64, address, 8, flags);
        let ty = part(x.kind);
        let (re, im) = (self.float_to(re, ty), self.float_to(im, ty));
        Ok(Num::complex(x.kind, re, im))
    }

    /// Principal square root, as CPython's `cmath.sqrt` for finite parts: scaled to avoid overflow of `|x|`.
    pub(super) fn complex_sqrt(&mut self, x: Num) -> Res<Num> {
        let (a, b) = self.parts(x);
        let ty = self.ty(a);
        let (ax, ay) = (self.unary(UnaryOp::FAbs, a), self.unary(UnaryOp::FAbs, b));
        let eight = self.fconst(ty, 0.125);
        let ax8 = self.fmul(ax, eight);
        let ay8 = self.fmul(ay, eight);
        let hyp = self.math(MathFn::Hypot, &[ax8, ay8]);
        let sum = self.fadd(ax8, hyp);
        let root = self.unary(UnaryOp::Sqrt, sum);
        let two = self.fconst(ty, 2.0);
        let s = self.fmul(root, two);
        let half = self.fmul(s, two);
        let d = self.fdiv(ay, half);
        let zero = self.fconst(ty, 0.0);
        let none = self.fcmp(crate::lir::FloatCc::Eq, s, zero);
        let d = self.select(none, zero, d);
        let right = self.fcmp(crate::lir::FloatCc::Ge, a, zero);
        let re = self.select(right, s, d);
        let im = self.select(right, d, s);
        let im = self.fbin(crate::lir::BinaryOp::FCopysign, im, b);
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
