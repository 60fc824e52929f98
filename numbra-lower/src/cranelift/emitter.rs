//! State of the translation of one function, and dispatch over instructions.

use crate::cranelift::abi::{scalar_type, value_types};
use crate::cranelift::names::{Imports, Name};
use cranelift_codegen::ir::immediates::{Ieee32, Ieee64};
use cranelift_codegen::ir::{
    self, AliasRegion, AliasRegionData, ExtFuncData, ExternalName, InstBuilder, MemFlagsData, types,
};
use cranelift_entity::SecondaryMap;
use cranelift_frontend::FunctionBuilder;
use numbra_lir::{AliasClass, Facts, Func, Inst, InstKind, Lane, Module, Slot, Ty, Value};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Why one function cannot be translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EmitError {
    Unsupported(String),
    Malformed(String),
}

pub(super) type Emit<T> = Result<T, EmitError>;

/// The Cranelift values of one LIR value: a scalar, or the pieces of a vector.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Parts {
    #[default]
    Absent,
    One(ir::Value),
    Many(Vec<ir::Value>),
}

pub(super) struct Emitter<'a, 'b> {
    pub(super) module: &'a Module,
    pub(super) func: &'a Func,
    pub(super) imports: &'a mut Imports,
    pub(super) b: FunctionBuilder<'b>,
    pub(super) values: SecondaryMap<Value, Parts>,
    pub(super) blocks: SecondaryMap<numbra_lir::Block, Option<ir::Block>>,
    pub(super) slots: SecondaryMap<Slot, Option<ir::StackSlot>>,
    /// Where results go when the signature has a result block.
    pub(super) result_block: Option<ir::Value>,
    /// Signatures and callees that were imported into this function.
    pub(super) callees: FxHashMap<(u32, u32), ir::FuncRef>,
    pub(super) indirect: FxHashMap<numbra_lir::SigRef, ir::SigRef>,
    globals: FxHashMap<(u32, u32), ir::GlobalValue>,
    regions: FxHashMap<AliasClass, AliasRegion>,
    /// False when some load may read anything: Cranelift's regions never overlap, an access without a region included.
    pub(super) has_regions: bool,
    /// SSE4.1 and above: rounding and 64-bit lane comparisons are instructions.
    pub(super) has_sse42: bool,
    pub(super) has_fma: bool,
    /// The block that is being translated is cold.
    pub(super) in_cold: bool,
}

impl<'a, 'b> Emitter<'a, 'b> {
    pub(super) fn new(
        module: &'a Module,
        func: &'a Func,
        imports: &'a mut Imports,
        b: FunctionBuilder<'b>,
        cpu: numbra_lir::artifact::CpuLevel,
    ) -> Emitter<'a, 'b> {
        Emitter {
            module,
            func,
            imports,
            b,
            values: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            slots: SecondaryMap::new(),
            result_block: None,
            callees: FxHashMap::default(),
            indirect: FxHashMap::default(),
            globals: FxHashMap::default(),
            regions: FxHashMap::default(),
            has_regions: !reads_any_class(func),
            has_sse42: cpu >= numbra_lir::artifact::CpuLevel::V2,
            has_fma: cpu.has_fma(),
            in_cold: false,
        }
    }

    pub(super) fn ty(&self, value: Value) -> Ty {
        self.func.ty(value)
    }

    /// The value of a scalar.
    pub(super) fn one(&self, value: Value) -> Emit<ir::Value> {
        match &self.values[value] {
            Parts::One(value) => Ok(*value),
            Parts::Many(_) => Err(malformed(format!("{value} is a vector"))),
            Parts::Absent => Err(malformed(format!("{value} is used before its definition"))),
        }
    }

    /// The pieces of a vector, or the one part of a scalar.
    pub(super) fn parts(&self, value: Value) -> Emit<Vec<ir::Value>> {
        match &self.values[value] {
            Parts::One(value) => Ok(vec![*value]),
            Parts::Many(values) => Ok(values.clone()),
            Parts::Absent => Err(malformed(format!("{value} is used before its definition"))),
        }
    }

    pub(super) fn set_parts(&mut self, value: Value, parts: &[ir::Value]) {
        self.values[value] = match (self.ty(value), parts) {
            (Ty::Vec(..), parts) => Parts::Many(parts.to_vec()),
            (_, [one]) => Parts::One(*one),
            (_, parts) => Parts::Many(parts.to_vec()),
        };
    }

    pub(super) fn emit_inst(&mut self, inst: Inst) -> Emit<()> {
        let data = &self.func.insts[inst];
        let results = &data.results;
        let parts = match &data.kind {
            InstKind::Store { .. }
            | InstKind::MemCopy { .. }
            | InstKind::MemSet { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::Fence { .. }
            | InstKind::Retain(_)
            | InstKind::Release(_)
            | InstKind::SetError { .. }
            | InstKind::Keep(_) => return self.emit_effect(&data.kind),
            InstKind::Call { .. } | InstKind::CallIndirect { .. } | InstKind::CallNative { .. } => {
                return self.emit_call(&data.kind, results);
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let [value, overflowed] = results.as_slice() else {
                    return Err(malformed("overflow operations have two results".to_owned()));
                };
                let ty = self.scalar(*lhs)?;
                let (lhs, rhs) = (self.one(*lhs)?, self.one(*rhs)?);
                let (v, o) = self.overflow(*op, ty, lhs, rhs)?;
                self.set_parts(*value, &[v]);
                self.set_parts(*overflowed, &[o]);
                return Ok(());
            }
            InstKind::Device { op, .. } => {
                return Err(EmitError::Unsupported(format!("device operation {op:?}")));
            }
            kind => {
                let [result] = results.as_slice() else {
                    return Err(malformed("expected one result".to_owned()));
                };
                self.emit_value(kind, data.facts, self.ty(*result))?
            }
        };
        self.set_parts(results[0], &parts);
        Ok(())
    }

    /// Instructions without results.
    fn emit_effect(&mut self, kind: &InstKind) -> Emit<()> {
        match kind {
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
            } => self.mem_copy(*dst, *src, *len, *overlap, *alias),
            InstKind::MemSet {
                dst,
                byte,
                len,
                alias,
            } => self.mem_set(*dst, *byte, *len, *alias),
            InstKind::AtomicStore { addr, value, .. } => self.atomic_store(*addr, *value),
            InstKind::Fence { order, .. } => {
                self.fence(*order);
                Ok(())
            }
            InstKind::Retain(value) => self.retain(*value),
            InstKind::Release(value) => self.release(*value),
            InstKind::SetError { exception, args } => self.set_error(*exception, args),
            InstKind::Keep(_) => Ok(()),
            _ => Err(malformed("expected no result".to_owned())),
        }
    }

    /// Instructions with one result of type `ty`.
    fn emit_value(&mut self, kind: &InstKind, facts: Facts, ty: Ty) -> Emit<Vec<ir::Value>> {
        let one = match kind {
            InstKind::IConst(value) => self.int_const(ty, *value)?,
            InstKind::FConst(bits) => self.float_const(ty, *bits)?,
            InstKind::Null => self.b.ins().iconst(types::I64, 0),
            InstKind::Binary { op, lhs, rhs } => {
                return self.binary(*op, facts, *lhs, *rhs);
            }
            InstKind::Unary { op, arg } => return self.unary(*op, *arg),
            InstKind::Convert { op, arg } => return self.convert(*op, *arg, ty),
            InstKind::Icmp { cc, lhs, rhs } => return self.icmp(*cc, *lhs, *rhs),
            InstKind::Fcmp { cc, lhs, rhs } => return self.fcmp(*cc, *lhs, *rhs),
            InstKind::Select { cond, then, other } => return self.select(*cond, *then, *other),
            InstKind::Fma { a, b, c } => return self.fma(*a, *b, *c),
            InstKind::Math { func, args } => return self.math(*func, args),
            InstKind::SlotAddr(slot) => {
                let slot = self.slots[*slot].ok_or_else(|| malformed(format!("{slot}")))?;
                self.b.ins().stack_addr(types::I64, slot, 0)
            }
            InstKind::StackPointer => self.b.ins().get_stack_pointer(types::I64),
            InstKind::DataAddr(data) => self.address_of(Name::Data(*data)),
            InstKind::FuncAddr(func) => {
                // An import may lie anywhere, and it need not be a function: its address is no stub's.
                match self.module.functions.get(*func) {
                    Some(decl) if decl.body.is_none() => self.address_of(Name::Func(*func)),
                    _ => {
                        let func = self.callee(*func)?;
                        self.b.ins().func_addr(types::I64, func)
                    }
                }
            }
            InstKind::PtrAdd { base, offset } => {
                let base = self.one(*base)?;
                let width = self.ty(*offset);
                let offset = self.one(*offset)?;
                let offset = self.as_i64(offset, width);
                self.b.ins().iadd(base, offset)
            }
            InstKind::Load {
                addr,
                offset,
                flags,
            } => return self.load(ty, *addr, *offset, *flags),
            InstKind::AtomicLoad { addr, .. } => self.atomic_load(ty, *addr)?,
            InstKind::AtomicRmw {
                op, addr, value, ..
            } => self.atomic_rmw(*op, *addr, *value)?,
            InstKind::AtomicCas {
                addr,
                expected,
                value,
                ..
            } => self.atomic_cas(*addr, *expected, *value)?,
            InstKind::Splat(value) => return self.splat(*value, ty),
            InstKind::ExtractLane { vector, lane } => {
                self.extract_lane(*vector, u32::from(*lane))?
            }
            InstKind::InsertLane {
                vector,
                lane,
                value,
            } => return self.insert_lane(*vector, u32::from(*lane), *value),
            InstKind::Store { .. }
            | InstKind::MemCopy { .. }
            | InstKind::MemSet { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::Fence { .. }
            | InstKind::Retain(_)
            | InstKind::Release(_)
            | InstKind::SetError { .. }
            | InstKind::Keep(_)
            | InstKind::Call { .. }
            | InstKind::CallIndirect { .. }
            | InstKind::CallNative { .. }
            | InstKind::Overflow { .. }
            | InstKind::Device { .. } => {
                return Err(malformed("unexpected result".to_owned()));
            }
        };
        Ok(vec![one])
    }

    /// The type of a value that must be a scalar.
    pub(super) fn scalar(&self, value: Value) -> Emit<Ty> {
        match self.ty(value) {
            Ty::Vec(..) => Err(EmitError::Unsupported(format!(
                "this operation on the vector {value}"
            ))),
            ty => Ok(ty),
        }
    }

    pub(super) fn int_const(&mut self, ty: Ty, value: i128) -> Emit<ir::Value> {
        let Some(bits) = ty.int_bits() else {
            return match ty {
                Ty::Vec(lane, _) if lane.ty().is_int() => Err(malformed("vector constant".into())),
                _ if ty.is_address() => Ok(self.b.ins().iconst(types::I64, value as i64)),
                _ => Err(malformed(format!("integer constant of type {ty}"))),
            };
        };
        if bits == 128 {
            let low = self.b.ins().iconst(types::I64, value as i64);
            let high = self.b.ins().iconst(types::I64, (value >> 64) as i64);
            return Ok(self.b.ins().iconcat(low, high));
        }
        // Cranelift wants narrow constants zero-extended.
        let low = (value & ((1_i128 << bits) - 1)) as u64 as i64;
        let clif = scalar_type(ty).unwrap_or(types::I64);
        Ok(self.b.ins().iconst(clif, low))
    }

    pub(super) fn float_const(&mut self, ty: Ty, bits: u64) -> Emit<ir::Value> {
        match ty {
            Ty::F16 => Ok(self.b.ins().iconst(types::I16, (bits & 0xffff) as i64)),
            Ty::F32 => Ok(self.b.ins().f32const(Ieee32::with_bits(bits as u32))),
            Ty::F64 => Ok(self.b.ins().f64const(Ieee64::with_bits(bits))),
            _ => Err(malformed(format!("float constant of type {ty}"))),
        }
    }

    /// All bits zero.
    pub(super) fn zero(&mut self, ty: Ty) -> Vec<ir::Value> {
        let (clif, count) = value_types(ty);
        (0..count).map(|_| self.zero_of(clif)).collect()
    }

    pub(super) fn zero_of(&mut self, clif: ir::Type) -> ir::Value {
        if clif.is_vector() {
            let zero = self.b.func.dfg.constants.insert(vec![0; 16].into());
            return self.b.ins().vconst(clif, zero);
        }
        match clif {
            types::F32 => self.b.ins().f32const(Ieee32::with_bits(0)),
            types::F64 => self.b.ins().f64const(Ieee64::with_bits(0)),
            types::I128 => {
                let zero = self.b.ins().iconst(types::I64, 0);
                self.b.ins().iconcat(zero, zero)
            }
            int => self.b.ins().iconst(int, 0),
        }
    }

    /// An integer sign-extended or cut to 64 bits.
    pub(super) fn as_i64(&mut self, value: ir::Value, ty: Ty) -> ir::Value {
        match self.b.func.dfg.value_type(value) {
            types::I64 => value,
            types::I128 => self.b.ins().ireduce(types::I64, value),
            _ if ty == Ty::I1 => self.b.ins().uextend(types::I64, value),
            _ => self.b.ins().sextend(types::I64, value),
        }
    }

    /// The address of data, an exception description or an import.
    pub(super) fn address_of(&mut self, name: Name) -> ir::Value {
        let near = !matches!(name, Name::Func(_));
        let external = name.external();
        let key = (external.namespace, external.index);
        let global = match self.globals.get(&key) {
            Some(&global) => global,
            None => {
                let name = self.b.func.declare_imported_user_function(external);
                let global = self.b.create_global_value(ir::GlobalValueData::Symbol {
                    name: ExternalName::user(name),
                    offset: 0.into(),
                    colocated: near,
                    tls: false,
                });
                self.globals.insert(key, global);
                global
            }
        };
        self.b.ins().symbol_value(types::I64, global)
    }

    /// A callee by name and signature. All are called pc-relative: the loader puts a stub where the target is far.
    pub(super) fn import_function(&mut self, name: Name, sig: ir::Signature) -> ir::FuncRef {
        let external = name.external();
        let key = (external.namespace, external.index);
        if let Some(&func) = self.callees.get(&key) {
            return func;
        }
        let signature = self.b.import_signature(sig);
        let name = self.b.func.declare_imported_user_function(external);
        let func = self.b.import_function(ExtFuncData {
            name: ExternalName::user(name),
            signature,
            colocated: true,
            patchable: false,
        });
        self.callees.insert(key, func);
        func
    }

    /// Flags of an access that cannot trap, in an alias region when this function has them.
    pub(super) fn flags(&mut self, class: AliasClass) -> MemFlagsData {
        let flags = MemFlagsData::new().with_notrap();
        if !self.has_regions || class == AliasClass::ANY {
            return flags;
        }
        let region = match self.regions.get(&class) {
            Some(&region) => region,
            None => {
                let data = AliasRegionData {
                    user_id: u32::from(class.0),
                    description: Cow::Owned(format!("class{}", class.0)),
                };
                let region = self.b.func.dfg.alias_regions.insert(data);
                self.regions.insert(class, region);
                region
            }
        };
        flags.with_alias_region(Some(region))
    }

    /// Memory of `size` bytes in the frame, aligned to 16.
    pub(super) fn scratch(&mut self, size: u32) -> ir::StackSlot {
        self.b.create_sized_stack_slot(ir::StackSlotData::new(
            ir::StackSlotKind::ExplicitSlot,
            size,
            4,
        ))
    }

    /// The lane kind and count of a vector.
    pub(super) fn lanes(&self, value: Value) -> Option<(Lane, u32)> {
        match self.ty(value) {
            Ty::Vec(lane, n) => Some((lane, u32::from(n))),
            _ => None,
        }
    }
}

pub(super) fn malformed(what: String) -> EmitError {
    EmitError::Malformed(what)
}

fn reads_any_class(func: &Func) -> bool {
    let insts = func.layout.iter().flat_map(|b| func.blocks[b].insts());
    insts
        .map(|&inst| &func.insts[inst].kind)
        .any(|kind| match kind {
            InstKind::Load { flags, .. } => flags.alias == AliasClass::ANY && !flags.readonly,
            InstKind::MemCopy { alias, .. } => *alias == AliasClass::ANY,
            _ => false,
        })
}
