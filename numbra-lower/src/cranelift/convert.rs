//! Conversions, defined for every input.

use crate::cranelift::abi::{scalar_type, value_types};
use crate::cranelift::bits128::stack;
use crate::cranelift::emitter::{Emit, Emitter, malformed};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::immediates::{Ieee32, Ieee64};
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};
use numbra_abi::NativeId;
use numbra_lir::{ConvertOp, Ty, Value};

impl Emitter<'_, '_> {
    pub(super) fn convert(&mut self, op: ConvertOp, arg: Value, to: Ty) -> Emit<Vec<ir::Value>> {
        let from = self.ty(arg);
        if op == ConvertOp::Bitcast {
            return self.bitcast(arg, from, to);
        }
        if let (Ty::Vec(lane, n), Ty::Vec(to_lane, to_n)) = (from, to) {
            if n != to_n {
                return Err(malformed(format!("{op:?} from {from} to {to}")));
            }
            return self.vector_convert(op, lane, to_lane, u32::from(n), arg);
        }
        let arg = self.one(arg)?;
        Ok(vec![self.convert_scalar(op, from, to, arg)?])
    }

    pub(super) fn convert_scalar(
        &mut self,
        op: ConvertOp,
        from: Ty,
        to: Ty,
        x: ir::Value,
    ) -> Emit<ir::Value> {
        match op {
            ConvertOp::SExt => self.extend(true, from, to, x),
            ConvertOp::ZExt => self.extend(false, from, to, x),
            ConvertOp::Trunc => self.truncate(to, x),
            ConvertOp::SiToFp => self.int_to_float(true, from, to, x),
            ConvertOp::UiToFp => self.int_to_float(false, from, to, x),
            ConvertOp::FpToSi => self.float_to_signed(from, to, x),
            ConvertOp::FpToUi => self.float_to_unsigned(from, to, x),
            ConvertOp::FpExt => self.float_extend(from, to, x),
            ConvertOp::FpTrunc => self.float_truncate(from, to, x),
            ConvertOp::PtrToInt => self.resize(Ty::I64, to, x),
            ConvertOp::IntToPtr => self.resize(from, Ty::I64, x),
            ConvertOp::RefToPtr | ConvertOp::AddrSpaceCast => Ok(x),
            ConvertOp::Bitcast => Err(malformed("bitcast of one lane".to_owned())),
        }
    }

    fn extend(&mut self, signed: bool, from: Ty, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        let clif = int_type(to)?;
        let same = self.b.func.dfg.value_type(x) == clif;
        if from == Ty::I1 && signed {
            let wide = if same {
                x
            } else {
                self.b.ins().uextend(clif, x)
            };
            let spread = self.b.ins().ineg(wide);
            return Ok(match to {
                Ty::I1 => x,
                _ => spread,
            });
        }
        Ok(match (same, signed) {
            (true, _) => x,
            (false, true) => self.b.ins().sextend(clif, x),
            (false, false) => self.b.ins().uextend(clif, x),
        })
    }

    fn truncate(&mut self, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        let clif = int_type(to)?;
        let low = if self.b.func.dfg.value_type(x) == clif {
            x
        } else {
            self.b.ins().ireduce(clif, x)
        };
        Ok(match to {
            Ty::I1 => self.b.ins().band_imm_u(low, 1),
            _ => low,
        })
    }

    /// Zero-extends or cuts.
    fn resize(&mut self, from: Ty, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        match from.size().cmp(&to.size()) {
            std::cmp::Ordering::Less => self.extend(false, from, to, x),
            std::cmp::Ordering::Equal => Ok(x),
            std::cmp::Ordering::Greater => self.truncate(to, x),
        }
    }

    fn int_to_float(&mut self, signed: bool, from: Ty, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        if to == Ty::F16 {
            // Exact in f64 up to 2^53, far beyond the largest f16.
            let wide = self.int_to_float(signed, from, Ty::F64, x)?;
            return self.float_truncate(Ty::F64, Ty::F16, wide);
        }
        let clif = float_type(to)?;
        if from == Ty::I128 {
            let symbol = match (signed, to) {
                (true, Ty::F32) => NativeId::I128ToF32,
                (true, _) => NativeId::I128ToF64,
                (false, Ty::F32) => NativeId::U128ToF32,
                (false, _) => NativeId::U128ToF64,
            };
            return Ok(self.i128_to_float(symbol, x, clif));
        }
        match (signed, from) {
            (true, Ty::I64) | (true, Ty::I32) => Ok(self.b.ins().fcvt_from_sint(clif, x)),
            (false, Ty::I64) => Ok(self.b.ins().fcvt_from_uint(clif, x)),
            (false, Ty::I32) => {
                let wide = self.b.ins().uextend(types::I64, x);
                Ok(self.b.ins().fcvt_from_sint(clif, wide))
            }
            (signed, _) => {
                let wide = self.extend(signed, from, Ty::I32, x)?;
                Ok(self.b.ins().fcvt_from_sint(clif, wide))
            }
        }
    }

    /// What `cvttsd2si` gives: MIN for NaN and out of range, at 32 and at 64 bits.
    fn float_to_signed(&mut self, from: Ty, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        if from == Ty::F16 {
            let single = self.half_to_single(x);
            return self.float_to_signed(Ty::F32, to, single);
        }
        let clif = match to {
            Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 => types::I32,
            Ty::I64 => types::I64,
            Ty::I128 => {
                let wide = self.float_extend(from, Ty::F64, x)?;
                return Ok(self.float_to_i128(NativeId::F64ToI128, wide));
            }
            _ => return Err(malformed(format!("float to {to}"))),
        };
        let converted = self.cvtt(from, clif, x)?;
        match to {
            Ty::I32 | Ty::I64 => Ok(converted),
            _ => self.truncate(to, converted),
        }
    }

    fn cvtt(&mut self, from: Ty, clif: ir::Type, x: ir::Value) -> Emit<ir::Value> {
        // The saturating conversion differs from the machine's only at and above 2^(n-1) and for NaN.
        let saturated = self.b.ins().fcvt_to_sint_sat(clif, x);
        let (limit, min) = match clif {
            types::I32 => (2_147_483_648.0, 0x8000_0000),
            _ => (9_223_372_036_854_775_808.0, i64::MIN),
        };
        let limit = self.float_of(from, limit)?;
        let min = self.b.ins().iconst(clif, min);
        let below = self.b.ins().fcmp(FloatCC::LessThan, x, limit);
        Ok(self.b.ins().select(below, saturated, min))
    }

    /// 64 bits: at and above 2^63 by offset, else as signed. Narrower: low bits of the signed 64-bit conversion.
    fn float_to_unsigned(&mut self, from: Ty, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        if from == Ty::F16 {
            let single = self.half_to_single(x);
            return self.float_to_unsigned(Ty::F32, to, single);
        }
        match to {
            Ty::I64 => {}
            Ty::I128 => {
                let wide = self.float_extend(from, Ty::F64, x)?;
                return Ok(self.float_to_i128(NativeId::F64ToU128, wide));
            }
            _ => {
                let wide = self.cvtt(from, types::I64, x)?;
                return self.truncate(to, wide);
            }
        }
        let limit = self.float_of(from, 9_223_372_036_854_775_808.0)?;
        let high = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, limit);
        let lowered = self.b.ins().fsub(x, limit);
        let signed_range = self.b.ins().select(high, lowered, x);
        let converted = self.cvtt(from, types::I64, signed_range)?;
        let top = self.b.ins().uextend(types::I64, high);
        let top = self.b.ins().ishl_imm_u(top, 63);
        Ok(self.b.ins().bxor(converted, top))
    }

    fn float_of(&mut self, ty: Ty, value: f64) -> Emit<ir::Value> {
        match ty {
            Ty::F32 => Ok(self.b.ins().f32const(Ieee32::with_float(value as f32))),
            Ty::F64 => Ok(self.b.ins().f64const(Ieee64::with_float(value))),
            _ => Err(malformed(format!("conversion from {ty}"))),
        }
    }

    fn float_extend(&mut self, from: Ty, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        match (from, to) {
            (Ty::F16, Ty::F32) => Ok(self.half_to_single(x)),
            (Ty::F16, Ty::F64) => {
                let single = self.half_to_single(x);
                Ok(self.b.ins().fpromote(types::F64, single))
            }
            (Ty::F32, Ty::F64) => Ok(self.b.ins().fpromote(types::F64, x)),
            _ if from == to => Ok(x),
            _ => Err(malformed(format!("extension from {from} to {to}"))),
        }
    }

    fn float_truncate(&mut self, from: Ty, to: Ty, x: ir::Value) -> Emit<ir::Value> {
        match (from, to) {
            (Ty::F64, Ty::F32) => Ok(self.b.ins().fdemote(types::F32, x)),
            (Ty::F32, Ty::F16) => Ok(self.single_to_half(x)),
            (Ty::F64, Ty::F16) => {
                // Not through f32: that would round twice.
                let symbol = NativeId::F64ToF16.name();
                let bits = self.call_runtime(symbol, &[types::F64], types::I32, &[x]);
                Ok(self.b.ins().ireduce(types::I16, bits))
            }
            _ if from == to => Ok(x),
            _ => Err(malformed(format!("truncation from {from} to {to}"))),
        }
    }

    fn bitcast(&mut self, arg: Value, from: Ty, to: Ty) -> Emit<Vec<ir::Value>> {
        if from.size() != to.size() {
            return Err(malformed(format!("bitcast from {from} to {to}")));
        }
        let parts = self.parts(arg)?;
        let (clif, _) = value_types(to);
        if let (Ty::Vec(..), Ty::Vec(..)) = (from, to) {
            return Ok(parts
                .into_iter()
                .map(|p| self.reinterpret(p, clif))
                .collect());
        }
        let ((Ty::Vec(..), _) | (_, Ty::Vec(..))) = (from, to) else {
            let have = value_types(from).0;
            return Ok(match parts.as_slice() {
                [part] if have == clif => vec![*part],
                [part] => vec![self.b.ins().bitcast(clif, MemFlagsData::new(), *part)],
                _ => return Err(malformed(format!("bitcast from {from} to {to}"))),
            });
        };
        // Between a vector and a scalar: through memory.
        let slot = self.scratch(from.size().next_multiple_of(16));
        let frame = self.b.ins().stack_addr(types::I64, slot, 0);
        self.store_parts(from, &parts, frame, 0, stack())?;
        self.load_parts(to, frame, 0, stack())
    }
}

fn int_type(ty: Ty) -> Emit<ir::Type> {
    match scalar_type(ty) {
        Some(clif) if ty.is_int() || ty.is_address() => Ok(clif),
        _ => Err(malformed(format!("{ty} is no integer"))),
    }
}

fn float_type(ty: Ty) -> Emit<ir::Type> {
    match ty {
        Ty::F32 => Ok(types::F32),
        Ty::F64 => Ok(types::F64),
        _ => Err(malformed(format!("{ty} is no float"))),
    }
}
