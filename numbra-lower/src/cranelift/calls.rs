//! Calls, counted references, errors.

use crate::cranelift::abi;
use crate::cranelift::bits128::stack;
use crate::cranelift::emitter::{Emit, Emitter, malformed};
use crate::cranelift::names::Name;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, AtomicRmwOp, InstBuilder, MemFlagsData, types};
use cranelift_codegen::isa::CallConv;
use numbra_abi::NativeId;
use numbra_lir::{ExceptionId, FuncRef, InstKind, NativeFn, Signature, Ty, Value};

impl Emitter<'_, '_> {
    pub(super) fn emit_call(&mut self, kind: &InstKind, results: &[Value]) -> Emit<()> {
        match kind {
            InstKind::Call { func, args } => {
                let module = self.module;
                let decl = module.functions.get(*func);
                let decl = decl.ok_or_else(|| malformed(format!("{func} does not exist")))?;
                let callee = self.callee(*func)?;
                self.internal_call(&decl.sig, args, results, |e, args| {
                    e.b.ins().call(callee, args)
                })
            }
            InstKind::CallIndirect { sig, callee, args } => {
                let module = self.module;
                let signature = module.signatures.get(*sig);
                let signature = signature
                    .ok_or_else(|| malformed(format!("signature {sig} does not exist")))?;
                let imported = match self.indirect.get(sig) {
                    Some(&imported) => imported,
                    None => {
                        let imported = self.b.import_signature(abi::signature(signature));
                        self.indirect.insert(*sig, imported);
                        imported
                    }
                };
                let callee = self.one(*callee)?;
                self.internal_call(signature, args, results, |e, args| {
                    e.b.ins().call_indirect(imported, callee, args)
                })
            }
            InstKind::CallNative { callee, args } => self.native_call(callee, args, results),
            _ => Err(malformed("not a call".to_owned())),
        }
    }

    pub(super) fn callee(&mut self, func: FuncRef) -> Emit<ir::FuncRef> {
        let decl = self.module.functions.get(func);
        let decl = decl.ok_or_else(|| malformed(format!("{func} does not exist")))?;
        if let Some(ty) = abi::oversized_leaf(&decl.sig) {
            return Err(malformed(format!("{ty} in the signature of {}", decl.name)));
        }
        Ok(self.import_function(Name::Func(func), abi::signature(&decl.sig)))
    }

    fn internal_call(
        &mut self,
        sig: &Signature,
        args: &[Value],
        results: &[Value],
        invoke: impl FnOnce(&mut Self, &[ir::Value]) -> ir::Inst,
    ) -> Emit<()> {
        let types_match = args.len() == sig.params.len()
            && results.len() == sig.results.len() + usize::from(sig.raises);
        if !types_match {
            return Err(malformed("call does not fit its signature".to_owned()));
        }
        let mut passed = Vec::with_capacity(args.len() + 1);
        let result_block = sig
            .has_result_block()
            .then(|| self.block_of(sig.results.len()));
        passed.extend(result_block);
        if sig.has_argument_block() {
            let block = self.block_of(args.len());
            for (leaf, &arg) in args.iter().enumerate() {
                let parts = self.parts(arg)?;
                let offset = leaf as i32 * Signature::BLOCK_STRIDE as i32;
                self.store_parts(self.ty(arg), &parts, block, offset, stack())?;
            }
            passed.push(block);
        } else {
            for &arg in args {
                passed.push(self.one(arg)?);
            }
        }
        let call = invoke(self, &passed);
        let mut returned = self.b.inst_results(call).to_vec().into_iter();
        let mut results = results.iter();
        if sig.raises
            && let (Some(&status), Some(value)) = (results.next(), returned.next())
        {
            self.set_parts(status, &[value]);
        }
        for (leaf, &result) in results.enumerate() {
            let ty = self.ty(result);
            if ty != sig.results[leaf] {
                return Err(malformed(format!("result {leaf} of a call is {ty}")));
            }
            match result_block {
                Some(block) => {
                    let offset = leaf as i32 * Signature::BLOCK_STRIDE as i32;
                    let parts = self.load_parts(ty, block, offset, stack())?;
                    self.set_parts(result, &parts);
                }
                None => {
                    let value = returned.next();
                    let value = value.ok_or_else(|| malformed("call without result".into()))?;
                    self.set_parts(result, &[value]);
                }
            }
        }
        Ok(())
    }

    fn block_of(&mut self, leaves: usize) -> ir::Value {
        let slot = self.scratch(Signature::BLOCK_STRIDE * leaves.max(1) as u32);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    /// A runtime function, in the C convention.
    fn native_call(&mut self, callee: &NativeFn, args: &[Value], results: &[Value]) -> Emit<()> {
        let name = callee.symbol();
        let sig = abi::native_signature(callee.row());
        let mut passed = Vec::with_capacity(args.len());
        for &arg in args {
            passed.push(self.one(arg)?);
        }
        let given = passed.iter().map(|&v| self.b.func.dfg.value_type(v));
        if !given.eq(sig.params.iter().map(|p| p.value_type)) || results.len() != sig.returns.len()
        {
            return Err(malformed(format!("call does not fit `{name}`")));
        }
        let symbol = self.imports.intern(name);
        let callee = self.import_function(symbol, sig);
        let call = self.b.ins().call(callee, &passed);
        let returned = self.b.inst_results(call).to_vec();
        for (&result, value) in results.iter().zip(returned) {
            self.set_parts(result, &[value]);
        }
        Ok(())
    }

    /// One more owner: `if p { p.refs += 1 }`, atomically.
    pub(super) fn retain(&mut self, value: Value) -> Emit<()> {
        let object = self.one(value)?;
        let (some, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(object, some, &[], done, &[]);
        self.b.switch_to_block(some);
        let one = self.b.ins().iconst(types::I64, 1);
        self.b.ins().atomic_rmw(
            types::I64,
            MemFlagsData::trusted(),
            AtomicRmwOp::Add,
            object,
            one,
        );
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }

    /// One owner less; the last one frees, out of line. All of it is out of line where code is cold.
    pub(super) fn release(&mut self, value: Value) -> Emit<()> {
        let object = self.one(value)?;
        if self.in_cold {
            self.call_unit(NativeId::Release, &[types::I64], &[object]);
            return Ok(());
        }
        let (some, last, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        self.b.set_cold_block(last);
        self.b.ins().brif(object, some, &[], done, &[]);
        self.b.switch_to_block(some);
        // x86 adds and gives the old value in one instruction, but does not subtract so.
        let minus_one = self.b.ins().iconst(types::I64, -1);
        let old = self.b.ins().atomic_rmw(
            types::I64,
            MemFlagsData::trusted(),
            AtomicRmwOp::Add,
            object,
            minus_one,
        );
        let is_last = self.b.ins().icmp_imm_u(IntCC::Equal, old, 1);
        self.b.ins().brif(is_last, last, &[], done, &[]);
        self.b.switch_to_block(last);
        // It keeps all registers, so that what is alive across a release may stay in any.
        self.call_unit_as(
            CallConv::PreserveAll,
            NativeId::Free,
            &[types::I64],
            &[object],
        );
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }

    /// `numbra_rt_raise(description, line)`, or with run-time words `numbra_rt_raise_args(description, line, n, words*)`.
    pub(super) fn set_error(&mut self, exception: ExceptionId, args: &[Value]) -> Emit<()> {
        let data = self.module.exceptions.get(exception);
        let line = data.ok_or_else(|| malformed(format!("{exception} does not exist")))?;
        let line = i64::from(line.span.line);
        let description = self.address_of(Name::Exception(exception));
        let line = self.b.ins().iconst(types::I64, line);
        if args.is_empty() {
            self.call_unit(NativeId::Raise, &[types::I64; 2], &[description, line]);
            return Ok(());
        }
        let slot = self.scratch(8 * args.len() as u32);
        let words = self.b.ins().stack_addr(types::I64, slot, 0);
        for (index, &arg) in args.iter().enumerate() {
            let word = self.error_word(arg)?;
            self.b.ins().store(stack(), word, words, index as i32 * 8);
        }
        let count = self.b.ins().iconst(types::I64, args.len() as i64);
        self.call_unit(
            NativeId::RaiseArgs,
            &[types::I64; 4],
            &[description, line, count, words],
        );
        Ok(())
    }

    /// A run-time argument of an exception as 64 bits, zero-extended; the description has its type.
    fn error_word(&mut self, arg: Value) -> Emit<ir::Value> {
        let ty = self.scalar(arg)?;
        let value = self.one(arg)?;
        Ok(match ty {
            Ty::F32 => {
                let bits = self.b.ins().bitcast(types::I32, MemFlagsData::new(), value);
                self.b.ins().uextend(types::I64, bits)
            }
            Ty::F64 => self.b.ins().bitcast(types::I64, MemFlagsData::new(), value),
            Ty::I64 | Ty::Ptr(_) | Ty::Ref => value,
            Ty::I128 => self.b.ins().ireduce(types::I64, value),
            _ => self.b.ins().uextend(types::I64, value),
        })
    }

    pub(super) fn call_memcpy(
        &mut self,
        to: ir::Value,
        from: ir::Value,
        len: ir::Value,
        overlap: bool,
    ) {
        let symbol = if overlap { "memmove" } else { "memcpy" };
        self.call_runtime(symbol, &[types::I64; 3], types::I64, &[to, from, len]);
    }

    pub(super) fn call_memset(&mut self, to: ir::Value, byte: ir::Value, len: ir::Value) {
        let params = [types::I64, types::I32, types::I64];
        self.call_runtime("memset", &params, types::I64, &[to, byte, len]);
    }

    /// A call of a C function without result.
    fn call_unit(&mut self, native: NativeId, params: &[ir::Type], args: &[ir::Value]) {
        self.call_unit_as(CallConv::SystemV, native, params, args);
    }

    fn call_unit_as(
        &mut self,
        convention: CallConv,
        native: NativeId,
        params: &[ir::Type],
        args: &[ir::Value],
    ) {
        let mut sig = ir::Signature::new(convention);
        sig.params
            .extend(params.iter().map(|&ty| AbiParam::new(ty)));
        let name = self.imports.intern(native.name());
        let callee = self.import_function(name, sig);
        self.b.ins().call(callee, args);
    }
}
