//! Atomic operations. All are sequentially consistent, whatever weaker order is asked for: on x86-64 that costs
//! nothing but for stores. Every scope is the machine.

use crate::cranelift::arith::Known;
use crate::cranelift::emitter::{Emit, EmitError, Emitter, malformed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AtomicRmwOp, InstBuilder, MemFlagsData, types};
use numbra_lir::{AtomicOp, BinaryOp, MemOrder, Ty, Value};

impl Emitter<'_, '_> {
    pub(super) fn atomic_load(&mut self, ty: Ty, addr: Value) -> Emit<ir::Value> {
        let addr = self.one(addr)?;
        self.atomic_load_at(ty, addr)
    }

    pub(super) fn atomic_load_at(&mut self, ty: Ty, addr: ir::Value) -> Emit<ir::Value> {
        let int = container(ty)?;
        if int == types::I128 {
            // The only 16-byte atomic access of every CPU level with one: exchange zero for zero.
            let zero = self.zero_of(types::I128);
            return Ok(self.b.ins().atomic_cas(aligned(), addr, zero, zero));
        }
        let bits = self.b.ins().atomic_load(int, aligned(), addr);
        Ok(self.of_bits(ty, bits))
    }

    pub(super) fn atomic_store(&mut self, addr: Value, value: Value) -> Emit<()> {
        let ty = self.ty(value);
        let (addr, value) = (self.one(addr)?, self.one(value)?);
        self.atomic_store_at(ty, addr, value)
    }

    pub(super) fn atomic_store_at(
        &mut self,
        ty: Ty,
        addr: ir::Value,
        value: ir::Value,
    ) -> Emit<()> {
        let int = container(ty)?;
        if int == types::I128 {
            self.exchange_loop(ty, addr, |_, _| Ok(value))?;
            return Ok(());
        }
        let bits = self.as_bits(ty, value);
        self.b.ins().atomic_store(aligned(), bits, addr);
        Ok(())
    }

    pub(super) fn atomic_rmw(
        &mut self,
        op: AtomicOp,
        addr: Value,
        value: Value,
    ) -> Emit<ir::Value> {
        let ty = self.scalar(value)?;
        let (addr, value) = (self.one(addr)?, self.one(value)?);
        let int = container(ty)?;
        let machine = match op {
            AtomicOp::Add => Some(AtomicRmwOp::Add),
            AtomicOp::Sub => Some(AtomicRmwOp::Sub),
            AtomicOp::And => Some(AtomicRmwOp::And),
            AtomicOp::Or => Some(AtomicRmwOp::Or),
            AtomicOp::Xor => Some(AtomicRmwOp::Xor),
            AtomicOp::SMin => Some(AtomicRmwOp::Smin),
            AtomicOp::SMax => Some(AtomicRmwOp::Smax),
            AtomicOp::UMin => Some(AtomicRmwOp::Umin),
            AtomicOp::UMax => Some(AtomicRmwOp::Umax),
            AtomicOp::Exchange => Some(AtomicRmwOp::Xchg),
            AtomicOp::IncWrap
            | AtomicOp::DecWrap
            | AtomicOp::FAdd
            | AtomicOp::FMin
            | AtomicOp::FMax => None,
        };
        let is_float = ty.is_float();
        if let Some(machine) = machine.filter(|_| int != types::I128)
            && (!is_float || op == AtomicOp::Exchange)
        {
            let bits = self.as_bits(ty, value);
            let old = self.b.ins().atomic_rmw(int, aligned(), machine, addr, bits);
            return Ok(self.of_bits(ty, old));
        }
        let step = match op {
            AtomicOp::Add => BinaryOp::IAdd,
            AtomicOp::Sub => BinaryOp::ISub,
            AtomicOp::And => BinaryOp::And,
            AtomicOp::Or => BinaryOp::Or,
            AtomicOp::Xor => BinaryOp::Xor,
            AtomicOp::SMin => BinaryOp::SMin,
            AtomicOp::SMax => BinaryOp::SMax,
            AtomicOp::UMin => BinaryOp::UMin,
            AtomicOp::UMax => BinaryOp::UMax,
            AtomicOp::FAdd => BinaryOp::FAdd,
            AtomicOp::FMin => BinaryOp::FMin,
            AtomicOp::FMax => BinaryOp::FMax,
            AtomicOp::Exchange => return self.exchange_loop(ty, addr, |_, _| Ok(value)),
            AtomicOp::IncWrap | AtomicOp::DecWrap => {
                return self.exchange_loop(ty, addr, |e, old| Ok(e.wrapped_step(op, old, value)));
            }
        };
        self.exchange_loop(ty, addr, |e, old| {
            e.binary_scalar(step, ty, old, value, Known::default())
        })
    }

    /// What [`AtomicOp::IncWrap`] or [`AtomicOp::DecWrap`] makes of an element.
    fn wrapped_step(&mut self, op: AtomicOp, old: ir::Value, limit: ir::Value) -> ir::Value {
        let zero = self.zero_of(self.b.func.dfg.value_type(old));
        if op == AtomicOp::IncWrap {
            let more = self.b.ins().iadd_imm_s(old, 1);
            let over = (self.b.ins()).icmp(IntCC::UnsignedGreaterThanOrEqual, old, limit);
            return self.b.ins().select(over, zero, more);
        }
        let less = self.b.ins().iadd_imm_s(old, -1);
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, old, limit);
        let under = self.b.ins().icmp(IntCC::Equal, old, zero);
        let wraps = self.b.ins().bor(over, under);
        self.b.ins().select(wraps, limit, less)
    }

    pub(super) fn atomic_cas(
        &mut self,
        addr: Value,
        expected: Value,
        value: Value,
    ) -> Emit<ir::Value> {
        let ty = self.scalar(value)?;
        container(ty)?;
        let (addr, expected, value) = (self.one(addr)?, self.one(expected)?, self.one(value)?);
        let (expected, value) = (self.as_bits(ty, expected), self.as_bits(ty, value));
        let old = self.b.ins().atomic_cas(aligned(), addr, expected, value);
        Ok(self.of_bits(ty, old))
    }

    pub(super) fn fence(&mut self, order: MemOrder) {
        match order {
            MemOrder::Relaxed => {}
            MemOrder::Acquire | MemOrder::Release | MemOrder::AcqRel | MemOrder::SeqCst => {
                self.b.ins().fence();
            }
        }
    }

    /// Exchanges the value at `addr` for `next` of it until nobody else came between; the old value.
    fn exchange_loop(
        &mut self,
        ty: Ty,
        addr: ir::Value,
        next: impl FnOnce(&mut Self, ir::Value) -> Emit<ir::Value>,
    ) -> Emit<ir::Value> {
        let int = container(ty)?;
        let first = match int {
            types::I128 => {
                let zero = self.zero_of(types::I128);
                self.b.ins().atomic_cas(aligned(), addr, zero, zero)
            }
            _ => self.b.ins().atomic_load(int, aligned(), addr),
        };
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let seen = self.b.append_block_param(head, int);
        self.b.ins().jump(head, &[first.into()]);
        self.b.switch_to_block(head);
        let old = self.of_bits(ty, seen);
        let new = next(self, old)?;
        let new = self.as_bits(ty, new);
        let found = self.b.ins().atomic_cas(aligned(), addr, seen, new);
        let same = self.b.ins().icmp(IntCC::Equal, found, seen);
        self.b.ins().brif(same, done, &[], head, &[found.into()]);
        self.b.switch_to_block(done);
        Ok(old)
    }

    fn as_bits(&mut self, ty: Ty, value: ir::Value) -> ir::Value {
        match ty {
            Ty::F32 => self.b.ins().bitcast(types::I32, MemFlagsData::new(), value),
            Ty::F64 => self.b.ins().bitcast(types::I64, MemFlagsData::new(), value),
            _ => value,
        }
    }

    fn of_bits(&mut self, ty: Ty, bits: ir::Value) -> ir::Value {
        match ty {
            Ty::F32 => self.b.ins().bitcast(types::F32, MemFlagsData::new(), bits),
            Ty::F64 => self.b.ins().bitcast(types::F64, MemFlagsData::new(), bits),
            _ => bits,
        }
    }
}

/// The integer that holds a value in memory.
fn container(ty: Ty) -> Emit<ir::Type> {
    match ty {
        Ty::I8 => Ok(types::I8),
        Ty::I16 | Ty::F16 => Ok(types::I16),
        Ty::I32 | Ty::F32 => Ok(types::I32),
        Ty::I64 | Ty::F64 | Ty::Ptr(_) | Ty::Ref => Ok(types::I64),
        Ty::I128 => Ok(types::I128),
        Ty::I1 => Err(malformed("i1 in memory".to_owned())),
        Ty::Vec(..) => Err(EmitError::Unsupported("atomic vectors".to_owned())),
    }
}

fn aligned() -> MemFlagsData {
    MemFlagsData::trusted()
}
