//! Memory: addresses, loads and stores, bulk operations, atomics.

use super::EmitError;
use super::function::FunctionText;
use super::names::{data_space, quote};
use super::types::memory_type;
use numbra_lir::{
    AliasClass, AtomicOp, DataId, EntityRef, InstData, MemFlags, MemOrder, MemScope, Slot, Ty,
    Value,
};
use std::fmt::Write as _;

impl FunctionText<'_> {
    pub(super) fn slot_addr(&mut self, data: &InstData, slot: Slot) {
        let (result, n) = (self.name(data.results[0]), slot.index());
        let text = if self.stand_ins.contains(&slot) {
            format!("{result} = call ptr asm \"\", \"=r,0\"(ptr %slot{n})")
        } else {
            format!("{result} = getelementptr i8, ptr %slot{n}, i64 0")
        };
        self.line(&text);
    }

    pub(super) fn stack_pointer(&mut self, data: &InstData) -> Result<(), EmitError> {
        if self.target.is_gpu() {
            return Err(EmitError("the stack pointer of a GPU".to_owned()));
        }
        // LLVM's own way to read it keeps a function from saving registers behind the test of its simplest case.
        self.define(data.results[0], "call ptr asm \"mov %rsp, $0\", \"=r\"()");
        Ok(())
    }

    /// On a CPU the symbol itself stands for the address; on a GPU data lives in one of several memories.
    pub(super) fn data_addr(&mut self, data: &InstData, id: DataId) {
        if self.target.is_gpu() {
            let text = format!(
                "{} = addrspacecast ptr addrspace({}) @{} to ptr",
                self.name(data.results[0]),
                data_space(&self.module.data[id]),
                quote(&self.module.data[id].name)
            );
            self.line(&text);
        }
    }

    pub(super) fn ptr_add(&mut self, data: &InstData, base: Value, offset: Value) {
        let t = self.ty_text(self.func.ty(base));
        let offset_ty = self.ty_text(self.func.ty(offset));
        let result = data.results[0];
        let flags = if self.accessed.contains(&result) {
            "nusw "
        } else {
            ""
        };
        let text = format!(
            "{} = getelementptr {flags}i8, {t} {}, {offset_ty} {}",
            self.name(result),
            self.operand(base),
            self.operand(offset)
        );
        self.line(&text);
    }

    /// `addr + offset` as a typed operand: `ptr %t3`.
    fn address(&mut self, addr: Value, offset: i32) -> String {
        let t = self.ty_text(self.func.ty(addr));
        let base = self.operand(addr);
        if offset == 0 {
            return format!("{t} {base}");
        }
        let at = self.let_temp(&format!("getelementptr i8, {t} {base}, i64 {offset}"));
        format!("{t} {at}")
    }

    pub(super) fn load(&mut self, data: &InstData, addr: Value, offset: i32, flags: MemFlags) {
        let ty = self.func.ty(data.results[0]);
        let at = self.address(addr, offset);
        let volatile = if flags.volatile { "volatile " } else { "" };
        let constant = if flags.readonly && !flags.volatile {
            ", !invariant.load !82"
        } else {
            ""
        };
        let text = format!(
            "{} = load {volatile}{}, {at}, align {}{}{constant}",
            self.name(data.results[0]),
            memory_type(ty, self.target),
            flags.align.0.max(1),
            self.memory(addr, flags.alias)
        );
        self.line(&text);
    }

    pub(super) fn store(&mut self, addr: Value, offset: i32, value: Value, flags: MemFlags) {
        let at = self.address(addr, offset);
        let mut leaf = self.as_memory(value);
        let volatile = if flags.volatile { "volatile " } else { "" };
        let ty = self.func.ty(value);
        let mut t = memory_type(ty, self.target);
        if self.target.is_gpu() && u32::from(flags.align.0) < ty.size() {
            // Stored byte by byte; the driver's compiler would convert what an instruction on floats gave to an integer.
            let bits = match ty {
                Ty::F32 => Some(("i32", "mov.b32 $0, $1;", "=r,f")),
                Ty::F64 => Some(("i64", "mov.b64 $0, $1;", "=l,d")),
                _ => None,
            };
            if let Some((int, code, operands)) = bits {
                leaf = self.let_temp(&format!(
                    "call {int} asm \"{code}\", \"{operands}\"({t} {leaf})"
                ));
                int.clone_into(&mut t);
            }
        }
        let text = format!(
            "store {volatile}{t} {leaf}, {at}, align {}{}",
            flags.align.0.max(1),
            self.memory(addr, flags.alias)
        );
        self.line(&text);
    }

    /// Length as an `i64` operand.
    fn length(&mut self, len: Value) -> String {
        let ty = self.func.ty(len);
        let text = self.operand(len);
        if ty == Ty::I64 {
            return text;
        }
        let t = self.ty_text(ty);
        self.let_temp(&format!("zext {t} {text} to i64"))
    }

    pub(super) fn mem_copy(
        &mut self,
        [dst, src, len]: [Value; 3],
        overlap: bool,
        class: AliasClass,
    ) {
        let (d, s) = (self.generic(dst), self.generic(src));
        let n = self.length(len);
        let name = if overlap {
            "llvm.memmove.p0.p0.i64"
        } else {
            "llvm.memcpy.p0.p0.i64"
        };
        self.declarations.function(
            name,
            &format!("declare void @{name}(ptr, ptr, i64, i1 immarg)"),
        );
        self.line(&format!(
            "call void @{name}(ptr {d}, ptr {s}, i64 {n}, i1 false){}",
            alias(class)
        ));
    }

    pub(super) fn mem_set(&mut self, dst: Value, byte: Value, len: Value, class: AliasClass) {
        let d = self.generic(dst);
        let n = self.length(len);
        let ty = self.func.ty(byte);
        let mut b = self.operand(byte);
        if ty != Ty::I8 {
            let t = self.ty_text(ty);
            b = self.let_temp(&format!(
                "{} {t} {b} to i8",
                if ty == Ty::I1 { "zext" } else { "trunc" }
            ));
        }
        let name = "llvm.memset.p0.i64";
        self.declarations.function(
            name,
            &format!("declare void @{name}(ptr, i8, i64, i1 immarg)"),
        );
        let beside = self.memory(dst, class);
        self.line(&format!(
            "call void @{name}(ptr {d}, i8 {b}, i64 {n}, i1 false){beside}"
        ));
    }

    /// An address as a generic pointer.
    fn generic(&mut self, addr: Value) -> String {
        let t = self.ty_text(self.func.ty(addr));
        let text = self.operand(addr);
        if t == "ptr" {
            text
        } else {
            self.let_temp(&format!("addrspacecast {t} {text} to ptr"))
        }
    }

    fn scope(&self, scope: MemScope) -> &'static str {
        match (self.target.is_gpu(), scope) {
            (false, _) | (true, MemScope::System) => "",
            (true, MemScope::Block) => "syncscope(\"block\") ",
            (true, MemScope::Device) => "syncscope(\"device\") ",
        }
    }

    pub(super) fn atomic_load(
        &mut self,
        data: &InstData,
        addr: Value,
        order: MemOrder,
        scope: MemScope,
    ) {
        let ty = self.func.ty(data.results[0]);
        let at = self.address(addr, 0);
        let order = match order {
            MemOrder::Release => MemOrder::Relaxed,
            MemOrder::AcqRel => MemOrder::Acquire,
            other => other,
        };
        let text = format!(
            "{} = load atomic {}, {at} {}{}, align {}",
            self.name(data.results[0]),
            memory_type(ty, self.target),
            self.scope(scope),
            ordering(order),
            ty.size()
        );
        self.line(&text);
    }

    pub(super) fn atomic_store(
        &mut self,
        addr: Value,
        value: Value,
        order: MemOrder,
        scope: MemScope,
    ) {
        let ty = self.func.ty(value);
        let at = self.address(addr, 0);
        let leaf = self.as_memory(value);
        let order = match order {
            MemOrder::Acquire => MemOrder::Relaxed,
            MemOrder::AcqRel => MemOrder::Release,
            other => other,
        };
        let t = memory_type(ty, self.target);
        let text = format!(
            "store atomic {t} {leaf}, {at} {}{}, align {}",
            self.scope(scope),
            ordering(order),
            ty.size()
        );
        self.line(&text);
    }

    pub(super) fn atomic_rmw(
        &mut self,
        data: &InstData,
        op: AtomicOp,
        addr: Value,
        value: Value,
        order: MemOrder,
        scope: MemScope,
    ) {
        let name = match op {
            AtomicOp::Add => "add",
            AtomicOp::Sub => "sub",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::SMin => "min",
            AtomicOp::SMax => "max",
            AtomicOp::UMin => "umin",
            AtomicOp::UMax => "umax",
            AtomicOp::Exchange => "xchg",
            AtomicOp::IncWrap => "uinc_wrap",
            AtomicOp::DecWrap => "udec_wrap",
            AtomicOp::FAdd => "fadd",
            AtomicOp::FMin => "fminimum",
            AtomicOp::FMax => "fmaximum",
        };
        let ty = self.func.ty(value);
        let at = self.address(addr, 0);
        let leaf = self.operand(value);
        let text = format!(
            "{} = atomicrmw {name} {at}, {} {leaf} {}{}, align {}",
            self.name(data.results[0]),
            self.ty_text(ty),
            self.scope(scope),
            ordering(order),
            ty.size()
        );
        self.line(&text);
    }

    pub(super) fn atomic_cas(
        &mut self,
        data: &InstData,
        operands: [Value; 3],
        order: MemOrder,
        scope: MemScope,
    ) {
        let [addr, expected, value] = operands;
        let ty = self.func.ty(value);
        let bits = match ty {
            Ty::F32 => Some("i32"),
            Ty::F64 => Some("i64"),
            Ty::F16 => Some("i16"),
            _ => None,
        };
        let t = self.ty_text(ty);
        let at = self.address(addr, 0);
        let (mut e, mut v) = (self.operand(expected), self.operand(value));
        if let Some(bits) = bits {
            e = self.let_temp(&format!("bitcast {t} {e} to {bits}"));
            v = self.let_temp(&format!("bitcast {t} {v} to {bits}"));
        }
        let int = bits.unwrap_or(&t).to_owned();
        let failure = match order {
            MemOrder::Relaxed | MemOrder::Release => MemOrder::Relaxed,
            MemOrder::Acquire | MemOrder::AcqRel => MemOrder::Acquire,
            MemOrder::SeqCst => MemOrder::SeqCst,
        };
        let pair = self.let_temp(&format!(
            "cmpxchg {at}, {int} {e}, {int} {v} {}{} {}, align {}",
            self.scope(scope),
            ordering(order),
            ordering(failure),
            ty.size()
        ));
        let result = self.name(data.results[0]);
        if bits.is_some() {
            let old = self.let_temp(&format!("extractvalue {{ {int}, i1 }} {pair}, 0"));
            self.line(&format!("{result} = bitcast {int} {old} to {t}"));
        } else {
            self.line(&format!(
                "{result} = extractvalue {{ {int}, i1 }} {pair}, 0"
            ));
        }
    }

    pub(super) fn fence(&mut self, order: MemOrder, scope: MemScope) {
        if self.target.is_gpu() && order == MemOrder::SeqCst {
            // What CUDA's compilers make of `__threadfence`.
            let name = match scope {
                MemScope::Block => "llvm.nvvm.membar.cta",
                MemScope::Device => "llvm.nvvm.membar.gl",
                MemScope::System => "llvm.nvvm.membar.sys",
            };
            self.declarations
                .function(name, &format!("declare void @{name}()"));
            self.line(&format!("call void @{name}()"));
            return;
        }
        // LLVM has no relaxed fence; it would order nothing.
        if order != MemOrder::Relaxed {
            let text = format!("fence {}{}", self.scope(scope), ordering(order));
            self.line(&text);
        }
    }
}

fn ordering(order: MemOrder) -> &'static str {
    match order {
        MemOrder::Relaxed => "monotonic",
        MemOrder::Acquire => "acquire",
        MemOrder::Release => "release",
        MemOrder::AcqRel => "acq_rel",
        MemOrder::SeqCst => "seq_cst",
    }
}

/// The TBAA tag of a class; classes without a node of their own may overlap anything.
pub(super) fn alias(class: AliasClass) -> String {
    format!(
        ", !tbaa !{}",
        match class.0.checked_sub(AliasClass::ARRAY.0 + 1) {
            None => 20 + class.0,
            Some(field) if field < AliasClass::FIELDS => 200 + field,
            Some(_) => 20,
        }
    )
}

/// The TBAA types and tags of the fields of objects.
pub(super) fn write_fields(out: &mut String) {
    for field in 0..AliasClass::FIELDS {
        let (tag, class) = (200 + field, 300 + field);
        let _ = writeln!(out, "!{class} = !{{!\"numbra field {field}\", !0, i64 0}}");
        let _ = writeln!(out, "!{tag} = !{{!{class}, !{class}, i64 0}}");
    }
}
