//! 128-bit arithmetic beyond what the machine does in pairs of words: calls of the runtime through memory.

use crate::cranelift::emitter::{Emit, Emitter};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, InstBuilder, MemFlagsData, types};
use cranelift_codegen::isa::CallConv;
use numbra_abi::NativeId;
use numbra_lir::OverflowOp;

impl Emitter<'_, '_> {
    /// `symbol(result*, lhs*, rhs*)`
    pub(super) fn call_i128(
        &mut self,
        native: NativeId,
        a: ir::Value,
        b: ir::Value,
    ) -> Emit<ir::Value> {
        let frame = self.spill(&[a, b]);
        self.call_void(native, &[frame, frame, frame], &[0, 0, 16]);
        Ok(self.b.ins().load(types::I128, stack(), frame, 0))
    }

    /// Add and subtract by the signs, multiply by `symbol(result*, lhs*, rhs*) -> overflowed`.
    pub(super) fn overflow_i128(
        &mut self,
        op: OverflowOp,
        a: ir::Value,
        b: ir::Value,
    ) -> Emit<(ir::Value, ir::Value)> {
        let symbol = match op {
            OverflowOp::UAdd => {
                let sum = self.b.ins().iadd(a, b);
                return Ok((sum, self.b.ins().icmp(IntCC::UnsignedLessThan, sum, a)));
            }
            OverflowOp::USub => {
                let difference = self.b.ins().isub(a, b);
                let borrow = self.b.ins().icmp(IntCC::UnsignedLessThan, a, b);
                return Ok((difference, borrow));
            }
            OverflowOp::SAdd => {
                // Operands of one sign, result of the other.
                let sum = self.b.ins().iadd(a, b);
                let (from_a, from_b) = (self.b.ins().bxor(a, sum), self.b.ins().bxor(b, sum));
                let both = self.b.ins().band(from_a, from_b);
                return Ok((sum, self.is_negative(both)));
            }
            OverflowOp::SSub => {
                let difference = self.b.ins().isub(a, b);
                let signs = self.b.ins().bxor(a, b);
                let changed = self.b.ins().bxor(a, difference);
                let both = self.b.ins().band(signs, changed);
                return Ok((difference, self.is_negative(both)));
            }
            OverflowOp::SMul => NativeId::I128SmulOverflow,
            OverflowOp::UMul => NativeId::I128UmulOverflow,
        };
        let frame = self.spill(&[a, b]);
        let second = self.b.ins().iadd_imm_s(frame, 16);
        let overflowed = self.call_runtime(
            symbol.name(),
            &[types::I64; 3],
            types::I32,
            &[frame, frame, second],
        );
        let product = self.b.ins().load(types::I128, stack(), frame, 0);
        Ok((product, self.b.ins().ireduce(types::I8, overflowed)))
    }

    fn is_negative(&mut self, x: ir::Value) -> ir::Value {
        let zero = self.zero_of(types::I128);
        self.b.ins().icmp(IntCC::SignedLessThan, x, zero)
    }

    /// `symbol(x*) -> float`
    pub(super) fn i128_to_float(
        &mut self,
        native: NativeId,
        x: ir::Value,
        to: ir::Type,
    ) -> ir::Value {
        let frame = self.spill(&[x]);
        self.call_runtime(native.name(), &[types::I64], to, &[frame])
    }

    /// `symbol(result*, f64)`
    pub(super) fn float_to_i128(&mut self, native: NativeId, x: ir::Value) -> ir::Value {
        let slot = self.scratch(16);
        let frame = self.b.ins().stack_addr(types::I64, slot, 0);
        let mut sig = ir::Signature::new(CallConv::SystemV);
        sig.params.push(AbiParam::new(types::I64));
        sig.params.push(AbiParam::new(types::F64));
        let name = self.imports.intern(native.name());
        let callee = self.import_function(name, sig);
        self.b.ins().call(callee, &[frame, x]);
        self.b.ins().load(types::I128, stack(), frame, 0)
    }

    /// Writes values to the frame, 16 bytes apart; the address.
    pub(super) fn spill(&mut self, values: &[ir::Value]) -> ir::Value {
        let slot = self.scratch(16 * values.len() as u32);
        let frame = self.b.ins().stack_addr(types::I64, slot, 0);
        for (index, &value) in values.iter().enumerate() {
            self.b.ins().store(stack(), value, frame, index as i32 * 16);
        }
        frame
    }

    fn call_void(&mut self, native: NativeId, bases: &[ir::Value], offsets: &[i64]) {
        let mut sig = ir::Signature::new(CallConv::SystemV);
        let mut args = Vec::with_capacity(bases.len());
        for (&base, &offset) in bases.iter().zip(offsets) {
            sig.params.push(AbiParam::new(types::I64));
            args.push(self.b.ins().iadd_imm_s(base, offset));
        }
        let name = self.imports.intern(native.name());
        let callee = self.import_function(name, sig);
        self.b.ins().call(callee, &args);
    }
}

/// Accesses of the frame: no alias region, since a region would be disjoint from them.
pub(super) fn stack() -> MemFlagsData {
    MemFlagsData::trusted()
}
