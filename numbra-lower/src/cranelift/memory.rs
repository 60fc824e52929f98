//! Loads, stores, copies.

use crate::cranelift::abi::{piece_type, value_types};
use crate::cranelift::emitter::{Emit, Emitter};
use cranelift_codegen::ir::{self, Endianness, InstBuilder, MemFlagsData, types};
use numbra_lir::{AliasClass, InstKind, MemFlags, Ty, Value, ValueDef};

/// Copies up to this many bytes are loads and stores; a call is shorter above.
const MAX_INLINE_COPY: u64 = 128;

impl Emitter<'_, '_> {
    pub(super) fn load(
        &mut self,
        ty: Ty,
        addr: Value,
        offset: i32,
        flags: MemFlags,
    ) -> Emit<Vec<ir::Value>> {
        let base = self.one(addr)?;
        if flags.volatile && ty.size() <= 8 && !matches!(ty, Ty::Vec(..)) {
            let addr = self.offset(base, offset);
            return Ok(vec![self.atomic_load_at(ty, addr)?]);
        }
        let clif = self.access_flags(ty, flags);
        self.load_parts(ty, base, offset, clif)
    }

    pub(super) fn store(
        &mut self,
        addr: Value,
        offset: i32,
        value: Value,
        flags: MemFlags,
    ) -> Emit<()> {
        let base = self.one(addr)?;
        let ty = self.ty(value);
        let parts = self.parts(value)?;
        if let ([part], true) = (parts.as_slice(), flags.volatile)
            && ty.size() <= 8
            && !matches!(ty, Ty::Vec(..))
        {
            let addr = self.offset(base, offset);
            return self.atomic_store_at(ty, addr, *part);
        }
        let clif = self.access_flags(ty, flags);
        self.store_parts(ty, &parts, base, offset, clif)
    }

    fn offset(&mut self, base: ir::Value, offset: i32) -> ir::Value {
        if offset == 0 {
            return base;
        }
        let offset = self.b.ins().iconst(types::I64, i64::from(offset));
        self.b.ins().iadd(base, offset)
    }

    /// Accesses never trap: a program that reads wild memory is not verified LIR. A volatile access keeps its place
    /// because it counts as one that may trap.
    fn access_flags(&mut self, ty: Ty, flags: MemFlags) -> MemFlagsData {
        let mut out = self.flags(flags.alias);
        if u32::from(flags.align.0) >= ty.size().min(16) {
            out = out.with_aligned();
        }
        if flags.readonly && !flags.volatile {
            out = out.with_readonly().with_can_move();
        }
        if flags.volatile {
            out = out.with_trap_code(Some(ir::TrapCode::HEAP_OUT_OF_BOUNDS));
        }
        out
    }

    pub(super) fn load_parts(
        &mut self,
        ty: Ty,
        base: ir::Value,
        offset: i32,
        flags: MemFlagsData,
    ) -> Emit<Vec<ir::Value>> {
        let (clif, count) = value_types(ty);
        if let Ty::Vec(lane, _) = ty
            && ty.size() < 16
        {
            let low = self.load_low(ty.size(), base, offset, flags);
            return Ok(vec![self.reinterpret(low, piece_type(lane))]);
        }
        Ok((0..count)
            .map(|piece| {
                let at = offset + piece as i32 * 16;
                self.b.ins().load(clif, flags, base, at)
            })
            .collect())
    }

    /// 2, 4 or 8 bytes in the low lanes of an integer vector.
    fn load_low(
        &mut self,
        size: u32,
        base: ir::Value,
        offset: i32,
        flags: MemFlagsData,
    ) -> ir::Value {
        match size {
            8 => {
                let low = self.b.ins().load(types::I64, flags, base, offset);
                self.b.ins().scalar_to_vector(types::I64X2, low)
            }
            4 => {
                let low = self.b.ins().load(types::I32, flags, base, offset);
                self.b.ins().scalar_to_vector(types::I32X4, low)
            }
            _ => {
                let low = self.b.ins().load(types::I16, flags, base, offset);
                let low = self.b.ins().uextend(types::I32, low);
                self.b.ins().scalar_to_vector(types::I32X4, low)
            }
        }
    }

    pub(super) fn store_parts(
        &mut self,
        ty: Ty,
        parts: &[ir::Value],
        base: ir::Value,
        offset: i32,
        flags: MemFlagsData,
    ) -> Emit<()> {
        if let (Ty::Vec(..), [piece]) = (ty, parts)
            && ty.size() < 16
        {
            let narrow = match ty.size() {
                8 => types::I64X2,
                4 => types::I32X4,
                _ => types::I16X8,
            };
            let low = self.reinterpret(*piece, narrow);
            let low = self.b.ins().extractlane(low, 0);
            self.b.ins().store(flags, low, base, offset);
            return Ok(());
        }
        for (index, &part) in parts.iter().enumerate() {
            self.b
                .ins()
                .store(flags, part, base, offset + index as i32 * 16);
        }
        Ok(())
    }

    /// The same 128 bits as another vector type.
    pub(super) fn reinterpret(&mut self, value: ir::Value, to: ir::Type) -> ir::Value {
        if self.b.func.dfg.value_type(value) == to {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(to, flags, value)
    }

    pub(super) fn mem_copy(
        &mut self,
        dst: Value,
        src: Value,
        len: Value,
        overlap: bool,
        alias: AliasClass,
    ) -> Emit<()> {
        let constant = self.constant(len);
        let (to, from) = (self.one(dst)?, self.one(src)?);
        if let Some(len) = constant.and_then(|n| u64::try_from(n).ok())
            && len <= MAX_INLINE_COPY
        {
            let flags = self.flags(alias);
            let mut loaded = Vec::new();
            let mut at = 0;
            for (ty, size) in [
                (types::I8X16, 16),
                (types::I64, 8),
                (types::I32, 4),
                (types::I16, 2),
                (types::I8, 1),
            ] {
                while len - at >= size {
                    loaded.push((self.b.ins().load(ty, flags, from, at as i32), at));
                    at += size;
                }
            }
            // All loads come first, so overlapping ranges are right too.
            for (value, at) in loaded {
                self.b.ins().store(flags, value, to, at as i32);
            }
            return Ok(());
        }
        let width = self.ty(len);
        let len = self.one(len)?;
        let len = self.as_i64(len, width);
        self.call_memcpy(to, from, len, overlap);
        Ok(())
    }

    pub(super) fn mem_set(
        &mut self,
        dst: Value,
        byte: Value,
        len: Value,
        _alias: AliasClass,
    ) -> Emit<()> {
        let (to, fill) = (self.one(dst)?, self.one(byte)?);
        let fill = match self.b.func.dfg.value_type(fill) {
            types::I32 => fill,
            types::I8 | types::I16 => self.b.ins().uextend(types::I32, fill),
            _ => self.b.ins().ireduce(types::I32, fill),
        };
        let width = self.ty(len);
        let len = self.one(len)?;
        let len = self.as_i64(len, width);
        self.call_memset(to, fill, len);
        Ok(())
    }

    /// The value of an integer constant.
    pub(super) fn constant(&self, value: Value) -> Option<i128> {
        match self.func.values[value].def {
            ValueDef::Result(inst, _) => match self.func.insts[inst].kind {
                InstKind::IConst(n) => Some(n),
                _ => None,
            },
            ValueDef::Param(..) => None,
        }
    }
}
