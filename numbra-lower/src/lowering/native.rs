//! Runtime symbols: plain C calls, and library bodies in the convention of `numbra_library::native`.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use crate::lir::{AliasClass, ConvertOp, InstKind, MemFlags, Ty, Value, ValueDef};
use numbra_abi::CType;
use numbra_ir::{Type, TypeKind};
use numbra_library::native::kind_word;

/// Bytes of a `numbra_value`.
const VALUE_SIZE: u32 = 16;
/// Byte of its data pointer.
const VALUE_DATA: i32 = 8;
/// Byte of the owner among the words of an array.
const OWNER: u32 = 8;

fn words() -> MemFlags {
    flags(AliasClass::ARGS, 8)
}

impl Fx<'_, '_> {
    /// Calls a library body of the runtime: `symbol(args, ret) -> status` over described values.
    pub(super) fn native(&mut self, symbol: &str, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let table = self.described(args)?;
        let result = self.result_value(ret)?;
        self.native_call(symbol, vec![table, result.0])?;
        let owners: Vec<Value> = args
            .iter()
            .flat_map(|a| a.leaves.iter().copied())
            .filter(|leaf| self.ty(*leaf) == Ty::Ref && !self.is_parameter(*leaf))
            .collect();
        self.keep(owners);
        let tys = self.leaf_types(ret)?;
        let Some(data) = result.1 else {
            return Ok(Vec::new());
        };
        if self.types.as_array(ret).is_some() {
            return Ok(tys
                .iter()
                .enumerate()
                .map(|(i, ty)| self.load(*ty, data, 8 * i as i32, words()))
                .collect());
        }
        let mut at = 0;
        let mut out = Vec::with_capacity(tys.len());
        for ty in tys {
            out.push(self.load(ty, data, at, flags(AliasClass::ARGS, ty.size())));
            at += ty.size() as i32;
        }
        Ok(out)
    }

    fn is_parameter(&self, value: Value) -> bool {
        matches!(self.func.values[value].def, ValueDef::Param(block, _) if block == self.func.layout[0])
    }

    /// The address of an array of `numbra_value`, one for each value.
    fn described(&mut self, values: &[Val]) -> Res<Value> {
        let slot = self.slot(VALUE_SIZE * values.len().max(1) as u32, 8, Vec::new());
        let table = self.slot_addr(slot);
        for (i, value) in values.iter().enumerate() {
            let kind = self.kind_word(value.ty)?;
            let data = self.described_data(value)?;
            let at = (VALUE_SIZE as i32) * i as i32;
            self.store(table, at, kind, words());
            self.store(table, at + VALUE_DATA, data, words());
        }
        Ok(table)
    }

    fn kind_word(&mut self, ty: Type) -> Res<Value> {
        let word = kind_word(self.types, ty)
            .ok_or_else(|| Fault::unsupported(format!("{} in a runtime call", self.show(ty))))?;
        Ok(self.i64(word as i64))
    }

    /// The address of a value's memory form.
    fn described_data(&mut self, value: &Val) -> Res<Value> {
        if self.types.tuple_items(value.ty).is_some() {
            let items = self.items(value)?;
            return self.described(&items);
        }
        let is_array = self.types.as_array(value.ty).is_some();
        let leaves = if is_array {
            value.leaves.clone()
        } else if self.types.as_scalar(value.ty).is_some() {
            self.num(value)?.leaves()
        } else {
            return Ok(self.zero(Ty::PTR));
        };
        let size: u32 = leaves
            .iter()
            .map(|l| if is_array { 8 } else { self.ty(*l).size() })
            .sum();
        let slot = self.slot(size.max(8), 8, Vec::new());
        let address = self.slot_addr(slot);
        let mut at = 0;
        for leaf in leaves {
            let size = if is_array { 8 } else { self.ty(leaf).size() };
            self.store(address, at, leaf, flags(AliasClass::ARGS, size));
            at += size as i32;
        }
        Ok(address)
    }

    /// A `numbra_value` for a result: its address, and that of the data if there is any.
    fn result_value(&mut self, ret: Type) -> Res<(Value, Option<Value>)> {
        let tys = self.leaf_types(ret)?;
        let is_array = self.types.as_array(ret).is_some();
        let is_scalar = matches!(self.types.kind(ret), TypeKind::Scalar(..));
        if !is_array && !is_scalar && !tys.is_empty() {
            return Err(Fault::unsupported(format!(
                "a runtime call that gives {}",
                self.show(ret)
            )));
        }
        let kind = self.kind_word(ret)?;
        let data = if tys.is_empty() {
            None
        } else {
            let (size, refs) = if is_array {
                (8 * tys.len() as u32, vec![OWNER])
            } else {
                (
                    tys.iter().map(|ty| ty.size()).sum::<u32>().max(8),
                    Vec::new(),
                )
            };
            let slot = self.slot(size, 8, refs);
            let data = self.slot_addr(slot);
            if is_array {
                // Gives up the reference of an earlier call: the runtime writes the new one without looking.
                let null = self.zero(Ty::Ref);
                self.store(data, OWNER as i32, null, words());
            }
            Some(data)
        };
        let slot = self.slot(VALUE_SIZE, 8, Vec::new());
        let value = self.slot_addr(slot);
        let pointer = match data {
            Some(data) => data,
            None => self.zero(Ty::PTR),
        };
        self.store(value, 0, kind, words());
        self.store(value, VALUE_DATA, pointer, words());
        Ok((value, data))
    }

    /// Calls a runtime symbol; a raised status leaves the function.
    pub(super) fn native_call(&mut self, symbol: &str, args: Vec<Value>) -> Res<Option<Value>> {
        let native = numbra_abi::native(symbol)
            .ok_or_else(|| Fault::bug(format!("the runtime has no `{symbol}`")))?;
        if native.params.len() != args.len() {
            return Err(Fault::bug(format!(
                "`{symbol}` takes {} words, not {}",
                native.params.len(),
                args.len()
            )));
        }
        let args = args
            .into_iter()
            .map(|arg| {
                if self.ty(arg) == Ty::I1 {
                    self.convert(ConvertOp::ZExt, arg, Ty::I8)
                } else {
                    arg
                }
            })
            .collect();
        let result = match native.ret {
            CType::Void => None,
            CType::I8 => Some(Ty::I8),
            CType::I16 => Some(Ty::I16),
            CType::I32 => Some(Ty::I32),
            CType::I64 => Some(Ty::I64),
            CType::F32 => Some(Ty::F32),
            CType::F64 => Some(Ty::F64),
            CType::Ptr => Some(Ty::PTR),
            CType::Ref => Some(Ty::Ref),
        };
        let mut tys: Vec<Ty> = Vec::new();
        if native.effects.raises {
            tys.push(Ty::I32);
        }
        tys.extend(result);
        let mut results = self.inst(
            InstKind::CallNative {
                name: symbol.to_owned(),
                args,
            },
            &tys,
        );
        if native.effects.raises {
            let status = results.remove(0);
            self.guard_status(status)?;
        }
        Ok(results.first().copied())
    }
}
