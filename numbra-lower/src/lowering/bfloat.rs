//! bfloat16: its 16 bits are an integer of the machine, and it computes in single precision.
//!
//! A result of `+ - * /` or a square root of such numbers in single precision, rounded, is the exact one, rounded: single
//! precision has more than twice the bits. A number of another type first becomes the float32 that is nearest, or, where
//! that is inexact, one whose last bit is set; which side of every bfloat16 and of every tie it is on, the float32 then knows.

use super::compare::float_cc;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::number::Num;
use numbra_ir::{Scalar, Type};
use numbra_library::{Arith, BfloatFn, Op, Rounding};
use numbra_lir::{BinaryOp, ConvertOp, DeviceOp, FloatCc, InstKind, IntCc, Ty, UnaryOp, Value};

/// Bits of infinity as float32.
const INFINITY: i64 = 0x7f80_0000;
/// NaN.
const NAN: i128 = 0x7fff;

impl Fx<'_, '_> {
    /// A bfloat16 as float32, which is exact.
    pub(super) fn bfloat_to_single(&mut self, value: Value) -> Value {
        self.bfloat_op(DeviceOp::BfloatToFloat, vec![value])
    }

    /// A real number as bfloat16, with one rounding.
    pub(super) fn bfloat_of(&mut self, value: Num, how: Rounding) -> Value {
        match value.kind {
            Scalar::BFloat16 => value.re,
            Scalar::Float64 if how == Rounding::Nearest => {
                self.bfloat_op(DeviceOp::BfloatOfDouble, vec![value.re])
            }
            _ => {
                let single = self.single_for_bfloat(value);
                self.round_to_bfloat(single, how)
            }
        }
    }

    fn bfloat_op(&mut self, op: DeviceOp, args: Vec<Value>) -> Value {
        self.inst(InstKind::Device { op, args }, &op.results())[0]
    }

    /// A float32 that every rounding takes to the bfloat16 that the number itself rounds to.
    fn single_for_bfloat(&mut self, value: Num) -> Value {
        let bits = match self.ty(value.re).int_bits() {
            Some(bits @ 32..) => bits,
            _ => return self.as_kind(value, Scalar::Float32).re,
        };
        let (x, ty) = (value.re, self.ty(value.re));
        let size = if value.is_signed() {
            let places = self.iconst(ty, i128::from(bits - 1));
            let sign = self.ibin(BinaryOp::AShr, x, places);
            self.xor(x, sign)
        } else {
            x
        };
        // The lower bits of a great number count as one, the upper 24 remain.
        let mut low = self.iconst(ty, 0);
        for top in (32..=bits).step_by(8) {
            let great = self.iconst(ty, 1 << (top - 8));
            let great = self.icmp(IntCc::Uge, size, great);
            let mask = self.iconst(ty, (1 << (top - 23)) - 1);
            low = self.select(great, mask, low);
        }
        let rest = self.and(x, low);
        let zero = self.iconst(ty, 0);
        let lost = self.icmp(IntCc::Ne, rest, zero);
        let high = self.xor(x, rest);
        let one = self.iconst(ty, 1);
        let half = self.ibin(BinaryOp::LShr, low, one);
        let last = self.xor(low, half);
        let last = self.select(lost, last, zero);
        let sticky = self.or(high, last);
        self.as_kind(Num::real(value.kind, sticky), Scalar::Float32)
            .re
    }

    fn round_to_bfloat(&mut self, single: Value, how: Rounding) -> Value {
        if how == Rounding::Nearest {
            return self.bfloat_op(DeviceOp::BfloatOfFloat, vec![single]);
        }
        let bits = self.convert(ConvertOp::Bitcast, single, Ty::I32);
        let half = self.iconst(Ty::I32, 16);
        let kept = self.ibin(BinaryOp::LShr, bits, half);
        let below = self.iconst(Ty::I32, 0xffff);
        let rest = self.and(bits, below);
        let lost = self.icmp_imm(IntCc::Ne, rest, 0);
        let away = match how {
            Rounding::Floor => self.icmp_imm(IntCc::Slt, bits, 0),
            Rounding::Ceil => self.icmp_imm(IntCc::Sge, bits, 0),
            Rounding::Trunc | Rounding::Nearest => self.bool(false),
        };
        let up = self.and(lost, away);
        let up = self.convert(ConvertOp::ZExt, up, Ty::I32);
        let rounded = self.iadd(kept, up);
        let rounded = self.convert(ConvertOp::Trunc, rounded, Ty::I16);
        let is_nan = self.fcmp(FloatCc::Uno, single, single);
        let nan = self.iconst(Ty::I16, NAN);
        self.select(is_nan, nan, rounded)
    }

    /// `x != 0`
    pub(super) fn bfloat_truth(&mut self, value: Value) -> Value {
        let single = self.bfloat_to_single(value);
        self.fcmp_imm(FloatCc::Ne, single, 0.0)
    }

    /// `a * b + c` with one rounding.
    pub(super) fn bfloat_fma(&mut self, args: &[Val]) -> Res<Value> {
        let mut operands = Vec::with_capacity(3);
        for i in 0..3 {
            operands.push(self.number(args, i, Type::BFLOAT16)?.re);
        }
        Ok(self.bfloat_op(DeviceOp::BfloatFma, operands))
    }

    /// A function of bfloat16; the leaf of its result.
    pub(super) fn bfloat_function(
        &mut self,
        function: BfloatFn,
        args: &[Val],
        ret: Type,
    ) -> Res<Value> {
        match function {
            BfloatFn::Of(how) => {
                let x = self.arg(args, 0)?.clone();
                let x = self.num(&x)?;
                Ok(self.bfloat_of(x, how))
            }
            BfloatFn::ToInt(how) => {
                let x = self.single_of(args, 0)?;
                let rounded = self.round_float(how, x);
                let kind = self.kind_of(ret)?;
                Ok(self.saturated_int(rounded, kind))
            }
            BfloatFn::Bits => {
                let x = self.arg(args, 0)?.clone();
                Ok(self.num(&x)?.re)
            }
            BfloatFn::Saturated(arith) => {
                let op = match arith {
                    Arith::Add => Op::Add,
                    Arith::Sub => Op::Sub,
                    Arith::Mul => Op::Mul,
                    Arith::Fma => Op::Fma,
                };
                let x = self.rounded(op, args, ret)?;
                let (zero, one) = (self.fconst(Ty::F32, 0.0), self.fconst(Ty::F32, 1.0));
                // Of NaN too.
                let positive = self.fcmp(FloatCc::Gt, x, zero);
                let x = self.select(positive, x, zero);
                let fits = self.fcmp(FloatCc::Lt, x, one);
                let x = self.select(fits, x, one);
                Ok(self.round_to_bfloat(x, Rounding::Nearest))
            }
            BfloatFn::FmaRelu => {
                let x = self.rounded(Op::Fma, args, ret)?;
                let zero = self.fconst(Ty::F32, 0.0);
                let below = self.fcmp(FloatCc::Le, x, zero);
                let x = self.select(below, zero, x);
                Ok(self.round_to_bfloat(x, Rounding::Nearest))
            }
            BfloatFn::Extreme { greatest } => {
                let (x, y) = (self.single_of(args, 0)?, self.single_of(args, 1)?);
                let (one, other) = if greatest { (x, y) } else { (y, x) };
                let greater = self.fcmp(FloatCc::Gt, one, other);
                let found = self.select(greater, x, y);
                // Zeros are equal: the greater one has no sign unless both have.
                let equal = self.fcmp(FloatCc::Eq, x, y);
                let bits = |fx: &mut Self, v| fx.convert(ConvertOp::Bitcast, v, Ty::I32);
                let (a, b) = (bits(self, x), bits(self, y));
                let zero = if greatest {
                    self.and(a, b)
                } else {
                    self.or(a, b)
                };
                let zero = self.convert(ConvertOp::Bitcast, zero, Ty::F32);
                let found = self.select(equal, zero, found);
                let is_nan = self.fcmp(FloatCc::Uno, x, y);
                let nan = self.fconst(Ty::F32, f64::NAN);
                let found = self.select(is_nan, nan, found);
                Ok(self.round_to_bfloat(found, Rounding::Nearest))
            }
            BfloatFn::IsInf => {
                let x = self.single_of(args, 0)?;
                let size = self.unary(UnaryOp::FAbs, x);
                let bits = self.convert(ConvertOp::Bitcast, x, Ty::I32);
                let size = self.convert(ConvertOp::Bitcast, size, Ty::I32);
                let infinite = self.icmp_imm(IntCc::Eq, size, INFINITY);
                let (zero, one) = (self.iconst(Ty::I32, 0), self.iconst(Ty::I32, 1));
                let minus = self.iconst(Ty::I32, -1);
                let negative = self.icmp_imm(IntCc::Slt, bits, 0);
                let sign = self.select(negative, minus, one);
                Ok(self.select(infinite, sign, zero))
            }
            BfloatFn::LessOrGreater => {
                let (x, y) = (self.single_of(args, 0)?, self.single_of(args, 1)?);
                let less = self.fcmp(FloatCc::Lt, x, y);
                let greater = self.fcmp(FloatCc::Gt, x, y);
                Ok(self.or(less, greater))
            }
            BfloatFn::Unordered(op) => {
                let (x, y) = (self.single_of(args, 0)?, self.single_of(args, 1)?);
                let holds = self.fcmp(float_cc(op), x, y);
                let unordered = self.fcmp(FloatCc::Uno, x, y);
                Ok(self.or(holds, unordered))
            }
        }
    }

    /// The result of an operation, rounded, as float32.
    fn rounded(&mut self, op: Op, args: &[Val], ret: Type) -> Res<Value> {
        match self.intrinsic(op, args, ret)?[..] {
            [leaf] => Ok(self.bfloat_to_single(leaf)),
            _ => Err(Fault::bug(
                "a bfloat16 of another number of leaves than one",
            )),
        }
    }

    /// Operand `index`, a bfloat16, as float32.
    fn single_of(&mut self, args: &[Val], index: usize) -> Res<Value> {
        Ok(self.number(args, index, Type::FLOAT32)?.re)
    }

    /// An integral float32 as an integer of this kind: beyond its range the least or greatest, of NaN 0, and in 64 bits
    /// the highest bit alone.
    fn saturated_int(&mut self, x: Value, kind: Scalar) -> Value {
        let bits = 8 * kind.size();
        let signed = kind.is_signed_int();
        let (least, most): (i128, i128) = if signed {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        };
        let made = self.as_kind(Num::real(Scalar::Float32, x), kind).re;
        let ty = self.ty(made);
        let of_nan = match bits {
            64 => 1 << 63,
            _ => 0,
        };
        let low = self.fcmp_imm(FloatCc::Lt, x, least as f64);
        let high = self.fcmp_imm(FloatCc::Ge, x, (most + 1) as f64);
        let is_nan = self.fcmp(FloatCc::Uno, x, x);
        let (least, most) = (self.iconst(ty, least), self.iconst(ty, most));
        let of_nan = self.iconst(ty, of_nan);
        let made = self.select(low, least, made);
        let made = self.select(high, most, made);
        self.select(is_nan, of_nan, made)
    }
}
