//! One instruction: the match over `InstKind`, calls, device operations, vectors.

use super::EmitError;
use super::abi;
use super::function::FunctionText;
use super::names::quote;
use super::types::memory_type;
use numbra_abi::NativeId;
use numbra_lir::{
    ExceptionId, Facts, Inst, InstData, InstKind, NativeFn, Signature, Ty, Value,
    exception_description,
};

impl FunctionText<'_> {
    pub(super) fn inst(&mut self, inst: Inst) -> Result<(), EmitError> {
        let data = self.func.insts[inst].clone();
        match &data.kind {
            // Written where they are used.
            InstKind::IConst(_) | InstKind::FConst(_) | InstKind::Null | InstKind::FuncAddr(_) => {}
            InstKind::Binary { op, lhs, rhs } => self.binary(&data, *op, *lhs, *rhs)?,
            InstKind::Unary { op, arg } => self.unary(&data, *op, *arg),
            InstKind::Convert { op, arg } => self.convert(&data, *op, *arg)?,
            InstKind::Icmp { cc, lhs, rhs } => self.icmp(&data, *cc, *lhs, *rhs),
            InstKind::Fcmp { cc, lhs, rhs } => self.fcmp(&data, *cc, *lhs, *rhs),
            InstKind::Select { cond, then, other } => self.select(&data, *cond, *then, *other),
            InstKind::Overflow { op, lhs, rhs } => self.overflow(&data, *op, *lhs, *rhs),
            InstKind::Fma { a, b, c } => self.fma(&data, *a, *b, *c),
            InstKind::Math { func, args } => self.math(&data, *func, args)?,
            InstKind::SlotAddr(slot) => self.slot_addr(&data, *slot),
            InstKind::StackPointer => self.stack_pointer(&data)?,
            InstKind::DataAddr(id) => self.data_addr(&data, *id),
            InstKind::PtrAdd { base, offset } => self.ptr_add(&data, *base, *offset),
            InstKind::Load {
                addr,
                offset,
                flags,
            } => self.load(&data, *addr, *offset, *flags),
            InstKind::Store {
                addr,
                offset,
                value,
                flags,
            } => self.store(*addr, *offset, *value, *flags),
            InstKind::MemCopy {
                dst,
                src,
                len,
                overlap,
                alias,
            } => self.mem_copy([*dst, *src, *len], *overlap, *alias),
            InstKind::MemSet {
                dst,
                byte,
                len,
                alias,
            } => self.mem_set(*dst, *byte, *len, *alias),
            InstKind::AtomicLoad { addr, order, scope } => {
                self.atomic_load(&data, *addr, *order, *scope)
            }
            InstKind::AtomicStore {
                addr,
                value,
                order,
                scope,
            } => self.atomic_store(*addr, *value, *order, *scope),
            InstKind::AtomicRmw {
                op,
                addr,
                value,
                order,
                scope,
            } => {
                self.atomic_rmw(&data, *op, *addr, *value, *order, *scope);
            }
            InstKind::AtomicCas {
                addr,
                expected,
                value,
                order,
                scope,
            } => {
                self.atomic_cas(&data, [*addr, *expected, *value], *order, *scope);
            }
            InstKind::Fence { order, scope } => self.fence(*order, *scope),
            // Nothing that a device has is counted.
            InstKind::Retain(_) | InstKind::Release(_) if self.target.is_gpu() => {}
            InstKind::Retain(value) => {
                self.native_call(&NativeId::Retain.into(), &[*value], &[])?
            }
            InstKind::Release(value) => {
                self.native_call(&NativeId::Release.into(), &[*value], &[])?
            }
            InstKind::Call { func, args } => {
                let decl = &self.module.functions[*func];
                let (sig, callee) = (decl.sig.clone(), format!("@{}", quote(&decl.name)));
                self.call(&data, &sig, &callee, args);
            }
            InstKind::CallIndirect { sig, callee, args } => {
                let sig = self.module.signatures[*sig].clone();
                let callee = self.operand(*callee);
                self.call(&data, &sig, &callee, args);
            }
            InstKind::CallNative { callee, args } => {
                self.native_call(callee, args, &data.results)?
            }
            InstKind::SetError { exception, args } => self.set_error(&data, *exception, args)?,
            // Nothing until on-stack replacement and interrupts use it.
            InstKind::Keep(_) => {}
            InstKind::Device { op, args } => self.device(&data, *op, args)?,
            InstKind::Splat(value) => {
                let to = self.func.ty(data.results[0]);
                let Ty::Vec(lane, n) = to else {
                    return Err(EmitError(format!("splat of {to}")));
                };
                let (vector, item) = (self.ty_text(to), self.ty_text(lane.ty()));
                let operand = self.operand(*value);
                let one = self.let_temp(&format!(
                    "insertelement {vector} poison, {item} {operand}, i32 0"
                ));
                let result = self.name(data.results[0]);
                self.line(&format!("{result} = shufflevector {vector} {one}, {vector} poison, <{n} x i32> zeroinitializer"));
            }
            InstKind::ExtractLane { vector, lane } => {
                let t = self.ty_text(self.func.ty(*vector));
                let text = format!(
                    "{} = extractelement {t} {}, i32 {lane}",
                    self.name(data.results[0]),
                    self.operand(*vector)
                );
                self.line(&text);
            }
            InstKind::InsertLane {
                vector,
                lane,
                value,
            } => {
                let t = self.ty_text(self.func.ty(*vector));
                let item = self.ty_text(self.func.ty(*value));
                let text = format!(
                    "{} = insertelement {t} {}, {item} {}, i32 {lane}",
                    self.name(data.results[0]),
                    self.operand(*vector),
                    self.operand(*value)
                );
                self.line(&text);
            }
        }
        Ok(())
    }

    /// A call in the internal ABI: blocks for what does not fit registers, results taken apart.
    fn call(&mut self, data: &InstData, sig: &Signature, callee: &str, args: &[Value]) {
        let mut operands = Vec::new();
        let result_block = sig
            .has_result_block()
            .then(|| self.stack_block(sig.results.len()));
        if let Some(block) = &result_block {
            operands.push(format!("ptr {block}"));
        }
        if sig.has_argument_block() {
            let block = self.stack_block(args.len());
            for (index, &arg) in args.iter().enumerate() {
                let at = self.let_temp(&format!(
                    "getelementptr i8, ptr {block}, i64 {}",
                    Signature::BLOCK_STRIDE as usize * index
                ));
                let leaf = self.as_memory(arg);
                let t = memory_type(self.func.ty(arg), self.target);
                self.line(&format!("store {t} {leaf}, ptr {at}, align 16, !tbaa !24"));
            }
            operands.push(format!("ptr {block}"));
        } else {
            for &arg in args {
                let leaf = self.as_memory(arg);
                operands.push(format!(
                    "{} {leaf}",
                    memory_type(self.func.ty(arg), self.target)
                ));
            }
        }
        let ret = abi::return_type(sig, self.target);
        let convergent = if self.target.is_gpu() {
            " convergent"
        } else {
            ""
        };
        let pure = data.facts.contains(Facts::PURE);
        let memory = match (pure, sig.has_result_block() || sig.has_argument_block()) {
            (false, _) => "",
            (true, false) => " memory(none)",
            (true, true) => " memory(argmem: readwrite)",
        };
        let call = format!(
            "call {ret} {callee}({}) nounwind{convergent}{memory}",
            operands.join(", ")
        );
        let mut results = data.results.clone();
        let status = sig.raises.then(|| results.remove(0));
        if let Some(block) = result_block {
            match status {
                Some(status) => {
                    let name = self.name(status);
                    self.line(&format!("{name} = {call}"));
                }
                None => self.line(&call),
            }
            for (index, &result) in results.iter().enumerate() {
                let at = self.let_temp(&format!(
                    "getelementptr i8, ptr {block}, i64 {}",
                    Signature::BLOCK_STRIDE as usize * index
                ));
                let ty = self.func.ty(result);
                let t = memory_type(ty, self.target);
                self.define(result, &format!("load {t}, ptr {at}, align 16, !tbaa !24"));
            }
            return;
        }
        self.register_results(&call, status, results.first().copied(), &ret);
    }

    /// Names what a call returns in registers: a status, a leaf, both, or nothing.
    fn register_results(
        &mut self,
        call: &str,
        status: Option<Value>,
        leaf: Option<Value>,
        ret: &str,
    ) {
        match (status, leaf) {
            (None, None) => self.line(call),
            (Some(status), None) => {
                let name = self.name(status);
                self.line(&format!("{name} = {call}"));
            }
            (None, Some(leaf)) => {
                self.define(leaf, call);
            }
            (Some(status), Some(leaf)) => {
                let pair = self.let_temp(call);
                let name = self.name(status);
                self.line(&format!("{name} = extractvalue {ret} {pair}, 0"));
                self.define(leaf, &format!("extractvalue {ret} {pair}, 1"));
            }
        }
    }

    /// Defines `value` by an expression that gives its memory form.
    pub(super) fn define(&mut self, value: Value, text: &str) {
        let name = self.name(value);
        if self.func.ty(value) == Ty::I1 {
            let byte = self.let_temp(text);
            self.line(&format!("{name} = trunc i8 {byte} to i1"));
        } else {
            self.line(&format!("{name} = {text}"));
        }
    }

    /// A block of leaves in this frame.
    fn stack_block(&mut self, leaves: usize) -> String {
        self.frame(Signature::BLOCK_STRIDE as usize * leaves.max(1), 16)
    }

    fn native_call(
        &mut self,
        callee: &NativeFn,
        args: &[Value],
        results: &[Value],
    ) -> Result<(), EmitError> {
        let name = callee.symbol();
        if self.target.is_gpu() {
            return Err(EmitError(format!("the runtime function `{name}`")));
        }
        let row = callee.row();
        self.declarations
            .function(name, &abi::native_declaration(callee));
        let mut operands = Vec::new();
        for (&arg, &param) in args.iter().zip(row.params) {
            let leaf = self.as_memory(arg);
            operands.push(format!("{} {leaf}", abi::native_param(param)));
        }
        let ret = abi::native_return(row);
        let convention = abi::native_convention(row);
        let call = format!(
            "call {convention}{ret} @{name}({}) nounwind",
            operands.join(", ")
        );
        let (status, leaf) = if row.effects.raises {
            (results.first().copied(), results.get(1).copied())
        } else {
            (None, results.first().copied())
        };
        self.register_results(&call, status, leaf, &ret);
        Ok(())
    }

    fn set_error(
        &mut self,
        data: &InstData,
        exception: ExceptionId,
        args: &[Value],
    ) -> Result<(), EmitError> {
        if let Some(gpu) = self.target.as_gpu() {
            // It ends the thread; without `errors` nobody asks why.
            if gpu.errors {
                self.device_error(exception);
            }
            return Ok(());
        }
        let words: Vec<Ty> = args.iter().map(|&v| self.func.ty(v)).collect();
        let description =
            exception_description(self.module, &self.module.exceptions[exception], &words);
        let symbol = self.declarations.constant(description);
        let line = data.span.line;
        if args.is_empty() {
            self.declarations.function(
                "numbra_rt_raise",
                "declare void @numbra_rt_raise(ptr, i64) nounwind cold",
            );
            self.line(&format!(
                "call void @numbra_rt_raise(ptr @{symbol}, i64 {line}) nounwind cold"
            ));
            return Ok(());
        }
        let block = self.frame(8 * args.len(), 8);
        for (index, &arg) in args.iter().enumerate() {
            let at = self.let_temp(&format!("getelementptr i64, ptr {block}, i64 {index}"));
            let word = self.error_word(arg);
            self.line(&format!("store i64 {word}, ptr {at}, align 8"));
        }
        self.declarations.function(
            "numbra_rt_raise_args",
            "declare void @numbra_rt_raise_args(ptr, i64, i64, ptr) nounwind cold",
        );
        let count = args.len();
        self.line(&format!(
            "call void @numbra_rt_raise_args(ptr @{symbol}, i64 {line}, i64 {count}, ptr {block}) nounwind cold"
        ));
        Ok(())
    }

    /// A run-time argument of an exception as 64 bits: integers sign-extended (`i1` zero-extended), floats by their bits.
    fn error_word(&mut self, arg: Value) -> String {
        let ty = self.func.ty(arg);
        let (t, text) = (self.ty_text(ty), self.operand(arg));
        match ty {
            Ty::I64 => text,
            Ty::I1 => self.let_temp(&format!("zext i1 {text} to i64")),
            Ty::I8 | Ty::I16 | Ty::I32 => self.let_temp(&format!("sext {t} {text} to i64")),
            Ty::F64 => self.let_temp(&format!("bitcast double {text} to i64")),
            Ty::F32 | Ty::F16 => {
                let bits = if ty == Ty::F32 { "i32" } else { "i16" };
                let int = self.let_temp(&format!("bitcast {t} {text} to {bits}"));
                self.let_temp(&format!("zext {bits} {int} to i64"))
            }
            Ty::Ptr(_) | Ty::Ref => self.let_temp(&format!("ptrtoint {t} {text} to i64")),
            Ty::I128 | Ty::Vec(..) => "0".to_owned(),
        }
    }
}
