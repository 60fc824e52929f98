//! Runtime symbols: plain C calls, and library bodies in the convention of `numbra_library::native`.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::GENERATOR_BITS;
use numbra_abi::{ArrayLayout, KindWord, NativeId, TextLayout, ValueLayout};
use numbra_ir::{Type, TypeKind};
use numbra_library::native::{item_kinds, kind_word};
use numbra_lir::{
    AliasClass, ConvertOp, InstKind, MemFlags, NativeFn, Ty, Value, ValueDef, c_type,
};

/// Bytes of a described value.
const VALUE_SIZE: u32 = ValueLayout::SIZE as u32;

/// Room for a result of a runtime call.
struct ResultSlot {
    /// Where its memory form, leaves or table of items go; null when there is nothing to write.
    data: Value,
    /// Type and place of each item of a tuple.
    items: Vec<(Type, ResultSlot)>,
}

fn words() -> MemFlags {
    flags(AliasClass::ARGS, 8)
}

impl Fx<'_, '_> {
    /// Calls a library body of the runtime: `symbol(args, ret) -> status` over described values.
    pub(super) fn native(&mut self, symbol: &str, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        self.native_in(symbol, args, ret, false)
    }

    /// As [`Fx::native`]; the body may use several threads if `threads`.
    pub(super) fn native_in(
        &mut self,
        symbol: &str,
        args: &[Val],
        ret: Type,
        threads: bool,
    ) -> Res<Vec<Value>> {
        let table = self.described(args)?;
        let place = self.result_slot(ret)?;
        let result = self.slot(VALUE_SIZE, 8, Vec::new());
        let result = self.slot_addr(result);
        self.describe(result, 0, ret, place.data)?;
        if threads {
            let word = self.value_kind(ret)?.with_threads();
            let kind = self.i64(word.bits() as i64);
            self.store(result, 0, kind, words());
        }
        self.call_function(NativeFn::Body(symbol.into()), vec![table, result])?;
        let owners: Vec<Value> = args
            .iter()
            .flat_map(|a| a.leaves.iter().copied())
            .filter(|leaf| self.ty(*leaf) == Ty::Ref && !self.is_parameter(*leaf))
            .collect();
        self.keep(owners);
        self.load_result(ret, &place)
    }

    /// True for arrays, and for what the runtime sees as one: bytes, and without axes records and char sequences.
    fn is_like_array(&self, ty: Type) -> bool {
        self.types.as_array(ty).is_some()
            || ty == Type::BYTES
            || self.types.as_record(ty).is_some()
            || self.types.as_char_seq(ty).is_some()
    }

    fn is_parameter(&self, value: Value) -> bool {
        matches!(self.func.values[value].def, ValueDef::Param(block, _) if block == self.func.entry())
    }

    /// The address of an array of `numbra_value`, one for each value.
    fn described(&mut self, values: &[Val]) -> Res<Value> {
        let slot = self.slot(VALUE_SIZE * values.len().max(1) as u32, 8, Vec::new());
        let table = self.slot_addr(slot);
        for (i, value) in values.iter().enumerate() {
            if let TypeKind::Optional(inner) = self.types.kind(value.ty) {
                let (is_some, payload) = (value.leaves[0], value.leaves[1..].to_vec());
                let data = self.described_data(&Val::new(*inner, payload))?;
                let [some, nothing] = [*inner, Type::NONE].map(|ty| self.value_kind(ty));
                let some = self.i64(some?.bits() as i64);
                let nothing = self.i64(nothing?.bits() as i64);
                let kind = self.select(is_some, some, nothing);
                self.describe_as(table, i, kind, data);
                continue;
            }
            let data = self.described_data(value)?;
            self.describe(table, i, value.ty, data)?;
        }
        Ok(table)
    }

    /// Writes entry `i` of an array of `numbra_value`.
    fn describe(&mut self, table: Value, i: usize, ty: Type, data: Value) -> Res<()> {
        let kind = self.value_kind(ty)?;
        let kind = self.i64(kind.bits() as i64);
        self.describe_as(table, i, kind, data);
        Ok(())
    }

    fn describe_as(&mut self, table: Value, i: usize, kind: Value, data: Value) {
        let at = (VALUE_SIZE as i32) * i as i32;
        self.store(table, at, kind, words());
        self.store(table, at + ValueLayout::DATA as i32, data, words());
    }

    fn value_kind(&self, ty: Type) -> Res<KindWord> {
        kind_word(self.types, ty)
            .ok_or_else(|| Fault::unsupported(format!("{} in a runtime call", self.show(ty))))
    }

    /// The address of a value's memory form.
    fn described_data(&mut self, value: &Val) -> Res<Value> {
        if self.types.tuple_items(value.ty).is_some() {
            let items = self.items(value)?;
            return self.described(&items);
        }
        let is_array = self.is_like_array(value.ty);
        let leaves = if is_array {
            value.leaves.clone()
        } else if self.types.as_list(value.ty).is_some() {
            let mut words = vec![self.convert(ConvertOp::RefToPtr, value.leaves[0], Ty::PTR)];
            for kind in item_kinds(self.types, value.ty) {
                words.push(self.i64(kind.bits() as i64));
            }
            words
        } else if value.ty == Type::SLICE2 || value.ty == Type::SLICE3 {
            let parts = self.slice_parts(value)?;
            vec![parts.start, parts.stop, parts.step]
        } else if value.ty == Type::UNICODE {
            value.leaves.clone()
        } else if *self.types.kind(value.ty) == TypeKind::RandomGenerator {
            vec![value.leaves[GENERATOR_BITS]]
        } else if self.types.as_scalar(value.ty).is_some() {
            self.num(value)?.leaves()
        } else if self.types.as_time(value.ty).is_some() {
            value.leaves.clone()
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

    /// Room for a result of this type.
    fn result_slot(&mut self, ret: Type) -> Res<ResultSlot> {
        if let Some(items) = self.types.parts(ret) {
            let slot = self.slot(VALUE_SIZE * items.len().max(1) as u32, 8, Vec::new());
            let data = self.slot_addr(slot);
            let mut places = Vec::with_capacity(items.len());
            for (i, item) in items.into_iter().enumerate() {
                let place = self.result_slot(item)?;
                self.describe(data, i, item, place.data)?;
                places.push((item, place));
            }
            return Ok(ResultSlot {
                data,
                items: places,
            });
        }
        if self.types.as_list(ret).is_some() {
            let kinds = item_kinds(self.types, ret);
            let slot = self.slot(8 * (1 + kinds.len() as u32), 8, vec![0]);
            let data = self.slot_addr(slot);
            let null = self.zero(Ty::Ref);
            self.store(data, 0, null, words());
            for (i, kind) in kinds.into_iter().enumerate() {
                let kind = self.i64(kind.bits() as i64);
                self.store(data, 8 * (i as i32 + 1), kind, words());
            }
            return Ok(ResultSlot {
                data,
                items: Vec::new(),
            });
        }
        let tys = self.leaf_types(ret)?;
        let is_array = self.is_like_array(ret);
        let is_scalar = matches!(self.types.kind(ret), TypeKind::Scalar(..))
            || self.types.as_time(ret).is_some();
        let is_text = ret == Type::UNICODE;
        if !is_array && !is_scalar && !is_text && !tys.is_empty() {
            return Err(Fault::unsupported(format!(
                "a runtime call that gives {}",
                self.show(ret)
            )));
        }
        let data = if tys.is_empty() {
            self.zero(Ty::PTR)
        } else if is_text {
            self.owned_place(TextLayout::SIZE as u32, TextLayout::OWNER as u32)
        } else if is_array {
            self.owned_place(8 * tys.len() as u32, 8 * ArrayLayout::OWNER as u32)
        } else {
            let size = tys.iter().map(|ty| ty.size()).sum::<u32>().max(8);
            let slot = self.slot(size, 8, Vec::new());
            self.slot_addr(slot)
        };
        Ok(ResultSlot {
            data,
            items: Vec::new(),
        })
    }

    /// Room for so many bytes, with a reference that the runtime writes.
    fn owned_place(&mut self, size: u32, owner: u32) -> Value {
        let slot = self.slot(size, 8, vec![owner]);
        let data = self.slot_addr(slot);
        // Gives up the reference of an earlier call: the runtime writes the new one without looking.
        let null = self.zero(Ty::Ref);
        self.store(data, owner as i32, null, words());
        data
    }

    /// The leaves that a call has written.
    fn load_result(&mut self, ret: Type, place: &ResultSlot) -> Res<Vec<Value>> {
        if self.types.parts(ret).is_some() {
            let mut out = Vec::new();
            for (item, place) in &place.items {
                out.extend(self.load_result(*item, place)?);
            }
            return Ok(out);
        }
        let tys = self.leaf_types(ret)?;
        let is_array = self.is_like_array(ret);
        let mut at = 0;
        let mut out = Vec::with_capacity(tys.len());
        for ty in tys {
            let flags = if is_array {
                words()
            } else {
                flags(AliasClass::ARGS, ty.size())
            };
            let leaf = self.load(ty, place.data, at, flags);
            if ty == Ty::Ref {
                // The reference moves out of the frame.
                let null = self.zero(Ty::Ref);
                self.store(place.data, at, null, flags);
            }
            out.push(leaf);
            at += if is_array { 8 } else { ty.size() as i32 };
        }
        Ok(out)
    }

    /// Calls a function of the runtime; a raised status leaves the function.
    pub(super) fn native_call(&mut self, id: NativeId, args: Vec<Value>) -> Res<Option<Value>> {
        self.call_function(id.into(), args)
    }

    /// As [`Fx::native_call`], of one that has a result.
    pub(super) fn native_value(&mut self, id: NativeId, args: Vec<Value>) -> Res<Value> {
        let result = self.native_call(id, args)?;
        result.ok_or_else(|| Fault::bug(format!("`{}` gives no result", id.name())))
    }

    fn call_function(&mut self, callee: NativeFn, args: Vec<Value>) -> Res<Option<Value>> {
        let native = callee.row();
        if native.params.len() != args.len() {
            return Err(Fault::bug(format!(
                "`{}` takes {} words, not {}",
                callee.symbol(),
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
        let result = c_type(native.ret);
        let mut tys: Vec<Ty> = Vec::new();
        if native.effects.raises {
            tys.push(Ty::I32);
        }
        tys.extend(result);
        let mut results = self.inst(InstKind::CallNative { callee, args }, &tys);
        if native.effects.raises {
            let status = results.remove(0);
            self.guard_status(status)?;
        }
        Ok(results.first().copied())
    }
}
