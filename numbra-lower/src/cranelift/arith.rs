//! Arithmetic, comparison and selection on scalars. Vector operations that have no instruction come here lane by lane.

use crate::cranelift::abi::scalar_type;
use crate::cranelift::emitter::{Emit, EmitError, Emitter, malformed};
use crate::cranelift::names::Name;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self, AbiParam, InstBuilder, types};
use cranelift_codegen::isa::CallConv;
use numbra_abi::NativeId;
use numbra_lir::{BinaryOp, Facts, FloatCc, IntCc, MathFnName, OverflowOp, Ty, UnaryOp, Value};

/// What is known of a binary operation.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// The right operand, where it is a constant.
    pub(super) rhs: Option<i128>,
    pub(super) facts: Facts,
}

impl Emitter<'_, '_> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        facts: Facts,
        lhs: Value,
        rhs: Value,
    ) -> Emit<Vec<ir::Value>> {
        if let Some((lane, n)) = self.lanes(lhs) {
            return self.vector_binary(op, lane, n, lhs, rhs);
        }
        let ty = self.ty(lhs);
        let known = Known {
            rhs: self.constant(rhs),
            facts,
        };
        let (lhs, rhs) = (self.one(lhs)?, self.one(rhs)?);
        Ok(vec![self.binary_scalar(op, ty, lhs, rhs, known)?])
    }

    pub(super) fn binary_scalar(
        &mut self,
        op: BinaryOp,
        ty: Ty,
        a: ir::Value,
        b: ir::Value,
        known: Known,
    ) -> Emit<ir::Value> {
        if ty == Ty::I1 {
            return self.binary_bool(op, a, b);
        }
        if ty == Ty::F16 {
            return self.binary_half(op, a, b);
        }
        let wide = ty == Ty::I128;
        let ins = self.b.ins();
        Ok(match op {
            BinaryOp::IAdd => ins.iadd(a, b),
            BinaryOp::ISub => ins.isub(a, b),
            // One `lea`, a third of a product's latency.
            BinaryOp::IMul if matches!(known.rhs, Some(3 | 5 | 9)) && !wide => {
                let power = known.rhs.unwrap_or(0) - 1;
                let shifted = ins.ishl_imm_u(a, i64::from(power.trailing_zeros()));
                self.b.ins().iadd(a, shifted)
            }
            BinaryOp::IMul => ins.imul(a, b),
            BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::UDiv | BinaryOp::URem => {
                return self.divide(op, ty, a, b, known);
            }
            BinaryOp::SMulHi | BinaryOp::UMulHi if wide => {
                let name = match op {
                    BinaryOp::SMulHi => NativeId::I128Smulhi,
                    _ => NativeId::I128Umulhi,
                };
                return self.call_i128(name, a, b);
            }
            BinaryOp::SMulHi if ty == Ty::I8 => self.mul_high_narrow(true, a, b),
            BinaryOp::UMulHi if ty == Ty::I8 => self.mul_high_narrow(false, a, b),
            BinaryOp::SMulHi => ins.smulhi(a, b),
            BinaryOp::UMulHi => ins.umulhi(a, b),
            BinaryOp::And => ins.band(a, b),
            BinaryOp::Or => ins.bor(a, b),
            BinaryOp::Xor => ins.bxor(a, b),
            BinaryOp::Shl => ins.ishl(a, b),
            BinaryOp::LShr => ins.ushr(a, b),
            BinaryOp::AShr => ins.sshr(a, b),
            BinaryOp::SMin => self.pick(IntCC::SignedLessThan, a, b),
            BinaryOp::SMax => self.pick(IntCC::SignedGreaterThan, a, b),
            BinaryOp::UMin => self.pick(IntCC::UnsignedLessThan, a, b),
            BinaryOp::UMax => self.pick(IntCC::UnsignedGreaterThan, a, b),
            BinaryOp::FAdd => ins.fadd(a, b),
            BinaryOp::FSub => ins.fsub(a, b),
            BinaryOp::FMul => ins.fmul(a, b),
            BinaryOp::FDiv => ins.fdiv(a, b),
            BinaryOp::FMin => ins.fmin(a, b),
            BinaryOp::FMax => ins.fmax(a, b),
            BinaryOp::FCopysign => ins.fcopysign(a, b),
        })
    }

    fn pick(&mut self, cc: IntCC, a: ir::Value, b: ir::Value) -> ir::Value {
        let first = self.b.ins().icmp(cc, a, b);
        self.choose(first, a, b)
    }

    /// `cond ? a : b`. Cranelift turns a select of compared 128-bit integers into a minimum or maximum that it has no
    /// code for, so those are chosen half by half.
    pub(super) fn choose(&mut self, cond: ir::Value, a: ir::Value, b: ir::Value) -> ir::Value {
        if self.b.func.dfg.value_type(a) != types::I128 {
            return self.b.ins().select(cond, a, b);
        }
        let (a_low, a_high) = self.b.ins().isplit(a);
        let (b_low, b_high) = self.b.ins().isplit(b);
        let low = self.b.ins().select(cond, a_low, b_low);
        let high = self.b.ins().select(cond, a_high, b_high);
        self.b.ins().iconcat(low, high)
    }

    /// One bit: 1 is -1 when signed.
    fn binary_bool(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value) -> Emit<ir::Value> {
        let ins = self.b.ins();
        Ok(match op {
            BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::Xor => ins.bxor(a, b),
            // x / 1 = x, x / -1 = x mod 2, x / 0 = 0.
            BinaryOp::IMul
            | BinaryOp::And
            | BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SMax
            | BinaryOp::UMin => ins.band(a, b),
            BinaryOp::Or | BinaryOp::SMin | BinaryOp::UMax => ins.bor(a, b),
            BinaryOp::SRem | BinaryOp::URem | BinaryOp::SMulHi | BinaryOp::UMulHi => {
                ins.iconst(types::I8, 0)
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => a,
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FMin
            | BinaryOp::FMax
            | BinaryOp::FCopysign => return Err(malformed(format!("{op:?} on i1"))),
        })
    }

    /// Through f32, which has more than twice the bits: rounding twice is rounding once.
    fn binary_half(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value) -> Emit<ir::Value> {
        if op == BinaryOp::FCopysign {
            let magnitude = self.b.ins().band_imm_u(a, 0x7fff);
            let sign = self.b.ins().band_imm_u(b, 0x8000);
            return Ok(self.b.ins().bor(magnitude, sign));
        }
        let (a, b) = (self.half_to_single(a), self.half_to_single(b));
        let result = self.binary_scalar(op, Ty::F32, a, b, Known::default())?;
        Ok(self.single_to_half(result))
    }

    fn mul_high_narrow(&mut self, signed: bool, a: ir::Value, b: ir::Value) -> ir::Value {
        let (a, b) = if signed {
            (
                self.b.ins().sextend(types::I16, a),
                self.b.ins().sextend(types::I16, b),
            )
        } else {
            (
                self.b.ins().uextend(types::I16, a),
                self.b.ins().uextend(types::I16, b),
            )
        };
        let product = self.b.ins().imul(a, b);
        let high = self.b.ins().ushr_imm_u(product, 8);
        self.b.ins().ireduce(types::I8, high)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, arg: Value) -> Emit<Vec<ir::Value>> {
        if let Some((lane, n)) = self.lanes(arg) {
            return self.vector_unary(op, lane, n, arg);
        }
        let ty = self.ty(arg);
        let arg = self.one(arg)?;
        Ok(vec![self.unary_scalar(op, ty, arg)?])
    }

    pub(super) fn unary_scalar(&mut self, op: UnaryOp, ty: Ty, x: ir::Value) -> Emit<ir::Value> {
        if ty == Ty::I1 {
            return match op {
                UnaryOp::INot | UnaryOp::Clz | UnaryOp::Ctz => Ok(self.b.ins().bxor_imm_u(x, 1)),
                UnaryOp::INeg | UnaryOp::IAbs | UnaryOp::Popcnt | UnaryOp::Bswap => Ok(x),
                UnaryOp::FNeg
                | UnaryOp::FAbs
                | UnaryOp::Sqrt
                | UnaryOp::Floor
                | UnaryOp::Ceil
                | UnaryOp::Trunc
                | UnaryOp::Nearest => Err(malformed(format!("{op:?} on i1"))),
            };
        }
        if ty == Ty::F16 {
            return match op {
                UnaryOp::FNeg => Ok(self.b.ins().bxor_imm_u(x, 0x8000)),
                UnaryOp::FAbs => Ok(self.b.ins().band_imm_u(x, 0x7fff)),
                _ => {
                    let single = self.half_to_single(x);
                    let result = self.unary_scalar(op, Ty::F32, single)?;
                    Ok(self.single_to_half(result))
                }
            };
        }
        let ins = self.b.ins();
        Ok(match op {
            UnaryOp::INeg => ins.ineg(x),
            UnaryOp::INot => ins.bnot(x),
            UnaryOp::IAbs if ty == Ty::I128 => {
                let negated = ins.ineg(x);
                let zero = self.zero_of(types::I128);
                let negative = self.b.ins().icmp(IntCC::SignedLessThan, x, zero);
                self.choose(negative, negated, x)
            }
            UnaryOp::IAbs => ins.iabs(x),
            UnaryOp::Clz => ins.clz(x),
            UnaryOp::Ctz => ins.ctz(x),
            UnaryOp::Popcnt => ins.popcnt(x),
            UnaryOp::Bswap if ty == Ty::I8 => x,
            UnaryOp::Bswap => ins.bswap(x),
            UnaryOp::FNeg => ins.fneg(x),
            UnaryOp::FAbs => ins.fabs(x),
            UnaryOp::Sqrt => ins.sqrt(x),
            UnaryOp::Floor => ins.floor(x),
            UnaryOp::Ceil => ins.ceil(x),
            UnaryOp::Trunc => ins.trunc(x),
            UnaryOp::Nearest => ins.nearest(x),
        })
    }

    pub(super) fn icmp(&mut self, cc: IntCc, lhs: Value, rhs: Value) -> Emit<Vec<ir::Value>> {
        if let Some((lane, n)) = self.lanes(lhs) {
            return self.vector_icmp(cc, lane, n, lhs, rhs);
        }
        let ty = self.ty(lhs);
        let (lhs, rhs) = (self.one(lhs)?, self.one(rhs)?);
        Ok(vec![self.icmp_scalar(cc, ty, lhs, rhs)])
    }

    pub(super) fn icmp_scalar(
        &mut self,
        cc: IntCc,
        ty: Ty,
        a: ir::Value,
        b: ir::Value,
    ) -> ir::Value {
        // One bit, signed: 1 is -1, so the order is reversed.
        let (a, b) = if ty == Ty::I1 && is_signed(cc) {
            (b, a)
        } else {
            (a, b)
        };
        self.b.ins().icmp(int_cc(cc), a, b)
    }

    pub(super) fn fcmp(&mut self, cc: FloatCc, lhs: Value, rhs: Value) -> Emit<Vec<ir::Value>> {
        if self.lanes(lhs).is_some() {
            return self.vector_fcmp(cc, lhs, rhs);
        }
        let ty = self.ty(lhs);
        let (mut a, mut b) = (self.one(lhs)?, self.one(rhs)?);
        if ty == Ty::F16 {
            (a, b) = (self.half_to_single(a), self.half_to_single(b));
        }
        Ok(vec![self.b.ins().fcmp(float_cc(cc), a, b)])
    }

    pub(super) fn select(
        &mut self,
        cond: Value,
        then: Value,
        other: Value,
    ) -> Emit<Vec<ir::Value>> {
        if self.lanes(cond).is_some() {
            return self.vector_select(cond, then, other);
        }
        let cond = self.one(cond)?;
        let (then, other) = (self.parts(then)?, self.parts(other)?);
        Ok(then
            .into_iter()
            .zip(other)
            .map(|(a, b)| self.choose(cond, a, b))
            .collect())
    }

    /// The wrapped result, and whether it differs from the exact one.
    pub(super) fn overflow(
        &mut self,
        op: OverflowOp,
        ty: Ty,
        a: ir::Value,
        b: ir::Value,
    ) -> Emit<(ir::Value, ir::Value)> {
        let Some(bits) = ty.int_bits() else {
            return Err(malformed(format!("{op:?} on {ty}")));
        };
        if bits < 32 {
            return self.overflow_narrow(op, ty, a, b);
        }
        if bits == 128 {
            return self.overflow_i128(op, a, b);
        }
        let ins = self.b.ins();
        Ok(match op {
            OverflowOp::SAdd => ins.sadd_overflow(a, b),
            OverflowOp::SSub => ins.ssub_overflow(a, b),
            OverflowOp::SMul => ins.smul_overflow(a, b),
            OverflowOp::UAdd => ins.uadd_overflow(a, b),
            OverflowOp::USub => ins.usub_overflow(a, b),
            OverflowOp::UMul => ins.umul_overflow(a, b),
        })
    }

    /// In 32 bits the exact result fits; it overflowed when its low bits do not stand for it.
    fn overflow_narrow(
        &mut self,
        op: OverflowOp,
        ty: Ty,
        a: ir::Value,
        b: ir::Value,
    ) -> Emit<(ir::Value, ir::Value)> {
        let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
        let (a, b) = (self.widen(ty, signed, a), self.widen(ty, signed, b));
        let ins = self.b.ins();
        let exact = match op {
            OverflowOp::SAdd | OverflowOp::UAdd => ins.iadd(a, b),
            OverflowOp::SSub | OverflowOp::USub => ins.isub(a, b),
            OverflowOp::SMul | OverflowOp::UMul => ins.imul(a, b),
        };
        let clif = scalar_type(ty).unwrap_or(types::I8);
        let mut wrapped = self.b.ins().ireduce(clif, exact);
        if ty == Ty::I1 {
            wrapped = self.b.ins().band_imm_u(wrapped, 1);
        }
        let back = self.widen(ty, signed, wrapped);
        let overflowed = self.b.ins().icmp(IntCC::NotEqual, back, exact);
        Ok((wrapped, overflowed))
    }

    /// A narrow integer in 32 bits.
    fn widen(&mut self, ty: Ty, signed: bool, x: ir::Value) -> ir::Value {
        match (ty, signed) {
            (Ty::I1, true) => {
                let wide = self.b.ins().uextend(types::I32, x);
                self.b.ins().ineg(wide)
            }
            (_, true) => self.b.ins().sextend(types::I32, x),
            (_, false) => self.b.ins().uextend(types::I32, x),
        }
    }

    pub(super) fn fma(&mut self, a: Value, b: Value, c: Value) -> Emit<Vec<ir::Value>> {
        if let Some((lane, n)) = self.lanes(a) {
            return self.vector_fma(lane, n, a, b, c);
        }
        let ty = self.ty(a);
        let (a, b, c) = (self.one(a)?, self.one(b)?, self.one(c)?);
        Ok(vec![self.fma_scalar(ty, a, b, c)?])
    }

    pub(super) fn fma_scalar(
        &mut self,
        ty: Ty,
        a: ir::Value,
        b: ir::Value,
        c: ir::Value,
    ) -> Emit<ir::Value> {
        if ty == Ty::F16 {
            let (a, b, c) = (
                self.b.ins().uextend(types::I32, a),
                self.b.ins().uextend(types::I32, b),
                self.b.ins().uextend(types::I32, c),
            );
            let result = self.call_runtime(
                NativeId::F16Fma.name(),
                &[types::I32; 3],
                types::I32,
                &[a, b, c],
            );
            return Ok(self.b.ins().ireduce(types::I16, result));
        }
        if self.has_fma {
            return Ok(self.b.ins().fma(a, b, c));
        }
        let (name, clif) = match ty {
            Ty::F32 => ("fmaf", types::F32),
            Ty::F64 => ("fma", types::F64),
            _ => return Err(malformed(format!("fma on {ty}"))),
        };
        Ok(self.call_runtime(name, &[clif; 3], clif, &[a, b, c]))
    }

    pub(super) fn math(&mut self, func: MathFnName, args: &[Value]) -> Emit<Vec<ir::Value>> {
        if args.len() != func.func.arity() || args.is_empty() {
            return Err(malformed(format!("operands of {func}")));
        }
        if let Some((lane, n)) = self.lanes(args[0]) {
            return self.vector_math(func, lane, n, args);
        }
        let ty = self.ty(args[0]);
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.one(arg)?);
        }
        Ok(vec![self.math_scalar(func, ty, &values)?])
    }

    pub(super) fn math_scalar(
        &mut self,
        func: MathFnName,
        ty: Ty,
        args: &[ir::Value],
    ) -> Emit<ir::Value> {
        match ty {
            Ty::F16 => {
                let args: Vec<ir::Value> = args.iter().map(|&x| self.half_to_single(x)).collect();
                let result = self.math_scalar(func, Ty::F32, &args)?;
                Ok(self.single_to_half(result))
            }
            Ty::F32 | Ty::F64 => {
                let clif = scalar_type(ty).unwrap_or(types::F64);
                let symbol = func.symbol(ty == Ty::F32);
                Ok(self.call_runtime(&symbol, &vec![clif; args.len()], clif, args))
            }
            _ => Err(EmitError::Malformed(format!("{func} on {ty}"))),
        }
    }

    pub(super) fn half_to_single(&mut self, x: ir::Value) -> ir::Value {
        let bits = self.b.ins().uextend(types::I32, x);
        self.call_runtime(
            NativeId::F16ToF32.name(),
            &[types::I32],
            types::F32,
            &[bits],
        )
    }

    pub(super) fn single_to_half(&mut self, x: ir::Value) -> ir::Value {
        let bits = self.call_runtime(NativeId::F32ToF16.name(), &[types::F32], types::I32, &[x]);
        self.b.ins().ireduce(types::I16, bits)
    }

    /// A call of a C function with one result.
    pub(super) fn call_runtime(
        &mut self,
        symbol: &str,
        params: &[ir::Type],
        result: ir::Type,
        args: &[ir::Value],
    ) -> ir::Value {
        let mut sig = ir::Signature::new(CallConv::SystemV);
        sig.params
            .extend(params.iter().map(|&ty| AbiParam::new(ty)));
        sig.returns.push(AbiParam::new(result));
        let name: Name = self.imports.intern(symbol);
        let callee = self.import_function(name, sig);
        let call = self.b.ins().call(callee, args);
        self.b.inst_results(call)[0]
    }
}

fn is_signed(cc: IntCc) -> bool {
    match cc {
        IntCc::Slt | IntCc::Sle | IntCc::Sgt | IntCc::Sge => true,
        IntCc::Eq | IntCc::Ne | IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => false,
    }
}

pub(super) fn int_cc(cc: IntCc) -> IntCC {
    match cc {
        IntCc::Eq => IntCC::Equal,
        IntCc::Ne => IntCC::NotEqual,
        IntCc::Slt => IntCC::SignedLessThan,
        IntCc::Sle => IntCC::SignedLessThanOrEqual,
        IntCc::Sgt => IntCC::SignedGreaterThan,
        IntCc::Sge => IntCC::SignedGreaterThanOrEqual,
        IntCc::Ult => IntCC::UnsignedLessThan,
        IntCc::Ule => IntCC::UnsignedLessThanOrEqual,
        IntCc::Ugt => IntCC::UnsignedGreaterThan,
        IntCc::Uge => IntCC::UnsignedGreaterThanOrEqual,
    }
}

pub(super) fn float_cc(cc: FloatCc) -> FloatCC {
    match cc {
        FloatCc::Eq => FloatCC::Equal,
        FloatCc::Ne => FloatCC::NotEqual,
        FloatCc::Lt => FloatCC::LessThan,
        FloatCc::Le => FloatCC::LessThanOrEqual,
        FloatCc::Gt => FloatCC::GreaterThan,
        FloatCc::Ge => FloatCC::GreaterThanOrEqual,
        FloatCc::Ord => FloatCC::Ordered,
        FloatCc::Uno => FloatCC::Unordered,
    }
}
