//! `x ** y`.

use super::error::Res;
use super::function::{Fx, Val};
use super::number::Num;
use super::raise::Raise;
use numbra_abi::MathFn;
use numbra_ir::{Const, Scalar, TypeKind};
use numbra_library::DivModel;
use numbra_lir::{BinaryOp, ConvertOp, FloatCc, GuardKind, IntCc, Ty, UnaryOp, Value};

/// Largest exponent whose multiplications are written out or looped over; floats beyond use `pow`.
const MAX_EXPONENT: u64 = 0x10000;

/// What a power of a complex 0 raises, or one by way of a product that is too small.
const NO_COMPLEX_POWER: Raise = Raise::zero_division("0.0 to a negative or complex power");

impl Fx<'_, '_> {
    /// `x ** y`, with `x` of the result's kind.
    pub(super) fn power(&mut self, x: Num, y: Num, model: DivModel) -> Res<Num> {
        if y.kind.is_int() || y.kind == Scalar::Bool {
            return self.power_int(x, y, model);
        }
        if x.kind.is_float() {
            let y = self.as_kind(y, x.kind);
            return Ok(Num::real(x.kind, self.math(MathFn::Pow, &[x.re, y.re])));
        }
        let y = self.as_kind(y, x.kind);
        self.complex_power(x, y, model)
    }

    /// Integers of arrays have no negative powers; in kernels these are as for numbers.
    pub(super) fn guard_element_exponent(&mut self, x: Num, y: Num) -> Res<()> {
        if !(x.kind.is_int() && y.is_signed()) || self.mx.options.device {
            return Ok(());
        }
        let fine = self.icmp_imm(IntCc::Sge, y.re, 0);
        let raise = Raise::value("Integers to negative integer powers are not allowed.");
        self.guard(fine, GuardKind::Check, raise)
    }

    /// `x ** n` for an operand that may be a literal.
    pub(super) fn power_by(&mut self, x: Num, n: &Val) -> Res<Num> {
        if let TypeKind::Literal(Const::Int(n)) = self.types.kind(n.ty)
            && n.unsigned_abs() <= MAX_EXPONENT
        {
            return self.power_static(x, *n);
        }
        let n = self.num(n)?;
        self.power_int(x, n, DivModel::Python)
    }

    fn multiply(&mut self, x: Num, y: Num) -> Num {
        if x.kind.is_complex() {
            self.complex_mul(x, y)
        } else if x.kind.is_float() {
            Num::real(x.kind, self.fmul(x.re, y.re))
        } else {
            Num::real(x.kind, self.imul(x.re, y.re))
        }
    }

    fn one_of(&mut self, like: Num) -> Num {
        let one = Num::real(Scalar::Int64, self.i64(1));
        self.as_kind(one, like.kind)
    }

    /// By repeated squaring, written out.
    pub(super) fn power_static(&mut self, x: Num, n: i64) -> Res<Num> {
        let mut left = n.unsigned_abs();
        let mut square = x;
        let mut product: Option<Num> = None;
        while left != 0 {
            if left & 1 == 1 {
                product = Some(match product {
                    Some(product) => self.multiply(product, square),
                    None => square,
                });
            }
            left >>= 1;
            if left != 0 {
                square = self.multiply(square, square);
            }
        }
        let Some(product) = product else {
            return Ok(self.one_of(x));
        };
        if n > 0 {
            Ok(product)
        } else {
            self.inverse_power(x, product, DivModel::Python)
        }
    }

    /// `1 / product`, where `product` is `x ** -n`. For integers 1, -1 and 0 by value.
    fn inverse_power(&mut self, x: Num, product: Num, model: DivModel) -> Res<Num> {
        let one = self.one_of(x);
        if x.kind.is_complex() {
            let (one, divisor) = (self.parts(one), self.parts(product));
            if !self.zero_raises(model) {
                return Ok(self.complex_quotient_scaled(x.kind, one, divisor));
            }
            let nonzero = self.num_truth(product);
            self.guard(nonzero, GuardKind::ZeroDivision, NO_COMPLEX_POWER)?;
            return self.complex_quotient(x.kind, one, divisor);
        }
        if x.kind.is_float() {
            let never = self.bool(false);
            self.guard_zero_product(never, product.re, model)?;
            return Ok(Num::real(x.kind, self.fdiv(one.re, product.re)));
        }
        self.guard_zero_base(x)?;
        // |x| > 1 gives 0; 1 and -1 are their own inverse powers.
        let mut unit = self.icmp(IntCc::Eq, x.re, one.re);
        if x.is_signed() {
            let minus = self.icmp_imm(IntCc::Eq, x.re, -1);
            unit = self.or(unit, minus);
        }
        let ty = self.ty(x.re);
        let zero = self.iconst(ty, 0);
        Ok(Num::real(x.kind, self.select(unit, product.re, zero)))
    }

    /// `1 / product` of floats, unless `unused`, raises as any division does.
    fn guard_zero_product(&mut self, unused: Value, product: Value, model: DivModel) -> Res<()> {
        if !self.zero_raises(model) {
            return Ok(());
        }
        let nonzero = self.fcmp_imm(FloatCc::Ne, product, 0.0);
        let fine = self.or(unused, nonzero);
        let raise = Raise::zero_division("division by zero");
        self.guard(fine, GuardKind::ZeroDivision, raise)
    }

    fn guard_zero_base(&mut self, x: Num) -> Res<()> {
        if !self.zero_raises(DivModel::Python) {
            return Ok(());
        }
        let nonzero = self.icmp_imm(IntCc::Ne, x.re, 0);
        self.guard(
            nonzero,
            GuardKind::ZeroDivision,
            Raise::zero_division("0 cannot be raised to a negative power"),
        )
    }

    /// By repeated squaring in a loop.
    fn power_int(&mut self, x: Num, n: Num, model: DivModel) -> Res<Num> {
        let n64 = self.int_to(n.re, Ty::I64, n.is_signed());
        let zero = self.i64(0);
        let negative = if n.is_signed() {
            self.icmp(IntCc::Slt, n64, zero)
        } else {
            self.bool(false)
        };
        let minus = self.isub(zero, n64);
        let count = self.select(negative, minus, n64);
        let tys: Vec<Ty> = x.leaves().iter().map(|v| self.ty(*v)).collect();
        let leaves = if x.kind.is_float() {
            // Long products lose accuracy and time: the general power beyond.
            let limit = self.i64(MAX_EXPONENT as i64);
            let large = self.icmp(IntCc::Ugt, count, limit);
            self.if_else(
                large,
                &tys,
                |fx| {
                    let op = if n.is_signed() {
                        ConvertOp::SiToFp
                    } else {
                        ConvertOp::UiToFp
                    };
                    let exponent = fx.convert(op, n64, tys[0]);
                    Ok(vec![fx.math(MathFn::Pow, &[x.re, exponent])])
                },
                |fx| {
                    let product = fx.power_loop(x, count)?;
                    let upward = fx.not(negative);
                    fx.guard_zero_product(upward, product.re, model)?;
                    let one = fx.one_of(x);
                    let inverse = fx.fdiv(one.re, product.re);
                    Ok(vec![fx.select(negative, inverse, product.re)])
                },
            )?
        } else {
            let product = self.power_loop(x, count)?;
            self.if_else(
                negative,
                &tys,
                |fx| Ok(fx.inverse_power(x, product, model)?.leaves()),
                |_| Ok(product.leaves()),
            )?
        };
        Ok(Num {
            kind: x.kind,
            re: leaves[0],
            im: leaves.get(1).copied(),
        })
    }

    /// `x ** count` for an unsigned count.
    fn power_loop(&mut self, x: Num, count: Value) -> Res<Num> {
        let (head, body, odd, next, done) = (
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
        );
        let tys: Vec<Ty> = x.leaves().iter().map(|v| self.ty(*v)).collect();
        let left = self.func.push_param(head, Ty::I64);
        let product: Vec<Value> = tys
            .iter()
            .map(|ty| self.func.push_param(head, *ty))
            .collect();
        let square: Vec<Value> = tys
            .iter()
            .map(|ty| self.func.push_param(head, *ty))
            .collect();
        let num = |leaves: &[Value]| Num {
            kind: x.kind,
            re: leaves[0],
            im: leaves.get(1).copied(),
        };
        let mut args = vec![count];
        args.extend(self.one_of(x).leaves());
        args.extend(x.leaves());
        self.jump(head, args);

        self.enter(head);
        let more = self.icmp_imm(IntCc::Ne, left, 0);
        self.brif(more, (body, Vec::new()), (done, Vec::new()));

        self.enter(body);
        let one = self.i64(1);
        let low = self.and(left, one);
        let is_odd = self.icmp_imm(IntCc::Ne, low, 0);
        let after: Vec<Value> = tys
            .iter()
            .map(|ty| self.func.push_param(next, *ty))
            .collect();
        self.brif(is_odd, (odd, Vec::new()), (next, product.clone()));

        self.enter(odd);
        let multiplied = self.multiply(num(&product), num(&square));
        self.jump(next, multiplied.leaves());

        self.enter(next);
        let one = self.i64(1);
        let half = self.ibin(BinaryOp::LShr, left, one);
        let squared = self.multiply(num(&square), num(&square));
        let mut args = vec![half];
        args.extend(after);
        args.extend(squared.leaves());
        self.jump(head, args);

        self.enter(done);
        Ok(num(&product))
    }

    /// CPython `complex_pow`: small integer powers by multiplication, else in polar form. Powers of 0 are NumPy's: 1 for
    /// the exponent 0, 0 for exponents of positive real part, NaN else; where division by zero raises, CPython's.
    fn complex_power(&mut self, x: Num, y: Num, model: DivModel) -> Res<Num> {
        let ((a, b), (c, d)) = (self.parts(x), self.parts(y));
        let ty = self.ty(a);
        let (zero, one) = (self.fconst(ty, 0.0), self.fconst(ty, 1.0));
        let no_re = self.fcmp_imm(FloatCc::Eq, a, 0.0);
        let no_im = self.fcmp_imm(FloatCc::Eq, b, 0.0);
        let origin = self.and(no_re, no_im);
        // Powers of 0 are known: the general way gets another base.
        let a = self.select(origin, one, a);
        let x = Num::complex(x.kind, a, b);
        let real = self.fcmp(FloatCc::Eq, d, zero);
        if self.zero_raises(model) {
            let falls = self.fcmp_imm(FloatCc::Lt, c, 0.0);
            let turns = self.not(real);
            let wrong = self.or(falls, turns);
            let wrong = self.and(origin, wrong);
            let fine = self.not(wrong);
            self.guard(fine, GuardKind::ZeroDivision, NO_COMPLEX_POWER)?;
        }
        let floor = self.unary(UnaryOp::Floor, c);
        let whole = self.fcmp(FloatCc::Eq, floor, c);
        let size = self.unary(UnaryOp::FAbs, c);
        // Of 100 NumPy takes the general way.
        let most = match model {
            DivModel::Python => FloatCc::Le,
            DivModel::Numpy => FloatCc::Lt,
        };
        let small = self.fcmp_imm(most, size, 100.0);
        let integer = self.and(real, whole);
        let integer = self.and(integer, small);
        let tys = [ty, ty];
        let leaves = self.if_else(
            integer,
            &tys,
            |fx| {
                let n = fx.convert(ConvertOp::FpToSi, c, Ty::I64);
                let n = Num::real(Scalar::Int64, n);
                Ok(fx.power_int(x, n, model)?.leaves())
            },
            |fx| {
                let modulus = fx.math(MathFn::Hypot, &[a, b]);
                let angle = fx.math(MathFn::Atan2, &[b, a]);
                let length = fx.math(MathFn::Pow, &[modulus, c]);
                let phase = fx.fmul(angle, c);
                let shrink = fx.fmul(angle, d);
                let shrink = fx.math(MathFn::Exp, &[shrink]);
                let shorter = fx.fdiv(length, shrink);
                let log = fx.math(MathFn::Log, &[modulus]);
                let turn = fx.fmul(d, log);
                let turned = fx.fadd(phase, turn);
                let length = fx.select(real, length, shorter);
                let phase = fx.select(real, phase, turned);
                let polar = fx.polar(x.kind, length, phase);
                Ok(polar.leaves())
            },
        )?;
        // The first power of a number with a NaN part is the number.
        let first = self.fcmp_imm(FloatCc::Eq, c, 1.0);
        let first = self.and(first, real);
        let leaves = [
            self.select(first, a, leaves[0]),
            self.select(first, b, leaves[1]),
        ];
        let unit = self.fcmp_imm(FloatCc::Eq, c, 0.0);
        let unit = self.and(unit, real);
        let nan = self.fconst(ty, f64::NAN);
        let positive = self.fcmp_imm(FloatCc::Gt, c, 0.0);
        let power = self.select(positive, zero, nan);
        let (re, im) = (
            self.select(unit, one, power),
            self.select(unit, zero, power),
        );
        Ok(Num::complex(
            x.kind,
            self.select(origin, re, leaves[0]),
            self.select(origin, im, leaves[1]),
        ))
    }
}
