//! Division of integers.

use crate::cranelift::abi::scalar_type;
use crate::cranelift::arith::Known;
use crate::cranelift::emitter::{Emit, Emitter, malformed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, types};
use numbra_abi::NativeId;
use numbra_lir::{BinaryOp, Facts, Ty};

impl Emitter<'_, '_> {
    /// Division without traps: `x / 0 = 0`, `x rem 0 = 0`, `MIN / -1 = MIN`, `MIN rem -1 = 0`.
    pub(super) fn divide(
        &mut self,
        op: BinaryOp,
        ty: Ty,
        a: ir::Value,
        b: ir::Value,
        known: Known,
    ) -> Emit<ir::Value> {
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        if ty == Ty::I128 {
            let name = match op {
                BinaryOp::SDiv => NativeId::I128Sdiv,
                BinaryOp::SRem => NativeId::I128Srem,
                BinaryOp::UDiv => NativeId::I128Udiv,
                _ => NativeId::I128Urem,
            };
            return self.call_i128(name, a, b);
        }
        let narrow = scalar_type(ty).filter(|t| t.bits() < 32);
        if let Some(narrow) = narrow {
            // In 32 bits only zero needs care; the low bits of the rest are right.
            let rhs = known.rhs.map(|k| match (signed, narrow) {
                (true, types::I8) => i128::from(k as i8),
                (true, _) => i128::from(k as i16),
                (false, types::I8) => i128::from(k as u8),
                (false, _) => i128::from(k as u16),
            });
            let (a, b) = if signed {
                (
                    self.b.ins().sextend(types::I32, a),
                    self.b.ins().sextend(types::I32, b),
                )
            } else {
                (
                    self.b.ins().uextend(types::I32, a),
                    self.b.ins().uextend(types::I32, b),
                )
            };
            let known = Known {
                rhs,
                facts: known.facts | Facts::NSW,
            };
            let result = self.divide(op, Ty::I32, a, b, known)?;
            return Ok(self.b.ins().ireduce(narrow, result));
        }
        let Some(clif) = scalar_type(ty).filter(|t| t.is_int()) else {
            return Err(malformed(format!("{op:?} on {ty}")));
        };
        let zero = self.b.ins().iconst(clif, 0);
        if known.rhs == Some(0) {
            return Ok(zero);
        }
        let minus_one = known.rhs.map(|k| match clif {
            types::I32 => k as i32 == -1,
            _ => k as i64 == -1,
        });
        if signed && minus_one == Some(true) {
            return Ok(match op {
                BinaryOp::SDiv => self.b.ins().ineg(a),
                _ => zero,
            });
        }
        if known.rhs.is_some() {
            return Ok(self.machine_divide(op, a, b));
        }
        if clif == types::I64 && !self.in_cold {
            return Ok(self.divide_by_size(op, a, b, known.facts));
        }
        Ok(self.divide_checked(op, clif, a, b, known.facts))
    }

    /// 64-bit division takes up to four times as long as 32-bit division, which gives the same where both numbers are
    /// small and not negative: the usual case, and one test finds it.
    fn divide_by_size(
        &mut self,
        op: BinaryOp,
        a: ir::Value,
        b: ir::Value,
        facts: Facts,
    ) -> ir::Value {
        let small = self.b.create_block();
        let large = self.b.create_block();
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, types::I64);
        let both = self.b.ins().bor(a, b);
        let high = self.b.ins().ushr_imm_u(both, 32);
        self.b.ins().brif(high, large, &[], small, &[]);

        self.b.switch_to_block(small);
        let a_low = self.b.ins().ireduce(types::I32, a);
        let b_low = self.b.ins().ireduce(types::I32, b);
        let unsigned = match op {
            BinaryOp::SDiv => BinaryOp::UDiv,
            BinaryOp::SRem => BinaryOp::URem,
            other => other,
        };
        let low = self.divide_checked(unsigned, types::I32, a_low, b_low, facts);
        let wide = self.b.ins().uextend(types::I64, low);
        self.b.ins().jump(done, &[BlockArg::Value(wide)]);

        self.b.switch_to_block(large);
        let wide = self.divide_checked(op, types::I64, a, b, facts);
        self.b.ins().jump(done, &[BlockArg::Value(wide)]);

        self.b.switch_to_block(done);
        result
    }

    /// Division of 32-bit or 64-bit integers that gives what LIR says where the machine would trap.
    fn divide_checked(
        &mut self,
        op: BinaryOp,
        clif: ir::Type,
        a: ir::Value,
        b: ir::Value,
        facts: Facts,
    ) -> ir::Value {
        let nonzero = facts.contains(Facts::NONZERO);
        let zero = self.b.ins().iconst(clif, 0);
        let one = self.b.ins().iconst(clif, 1);
        let by_zero = self.b.ins().icmp(IntCC::Equal, b, zero);
        let mut divisor = match nonzero {
            true => b,
            false => self.choose(by_zero, one, b),
        };
        // Cranelift's `srem` minds -1 itself.
        if op == BinaryOp::SDiv && !facts.contains(Facts::NSW) {
            // MIN / -1: divide by 1, which gives MIN.
            let min = self.b.ins().iconst(clif, min_of(clif));
            let is_min = self.b.ins().icmp(IntCC::Equal, a, min);
            let all_ones = self.b.ins().iconst(clif, mask_of(clif));
            let is_minus_one = self.b.ins().icmp(IntCC::Equal, b, all_ones);
            let overflow = self.b.ins().band(is_min, is_minus_one);
            divisor = self.choose(overflow, one, divisor);
        }
        let result = self.machine_divide(op, a, divisor);
        match op {
            // The remainder by 1 is the 0 that is wanted.
            BinaryOp::SRem | BinaryOp::URem => result,
            _ if nonzero => result,
            _ => self.choose(by_zero, zero, result),
        }
    }

    fn machine_divide(&mut self, op: BinaryOp, a: ir::Value, b: ir::Value) -> ir::Value {
        match op {
            BinaryOp::SDiv => self.b.ins().sdiv(a, b),
            BinaryOp::SRem => self.b.ins().srem(a, b),
            BinaryOp::UDiv => self.b.ins().udiv(a, b),
            _ => self.b.ins().urem(a, b),
        }
    }
}

fn min_of(clif: ir::Type) -> i64 {
    match clif {
        types::I32 => 0x8000_0000,
        _ => i64::MIN,
    }
}

fn mask_of(clif: ir::Type) -> i64 {
    match clif {
        types::I32 => 0xffff_ffff,
        _ => -1,
    }
}
