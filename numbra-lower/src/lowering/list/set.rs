//! Sets, whose objects begin as lists do.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::item::{ItemLayout, item_layout, item_parts};
use super::super::raise::Raise;
use super::object::ListRef;
use numbra_abi::{NativeId, SET_HASH};
use numbra_ir::{Scalar, Type, Var};
use numbra_library::{CmpOp, SetOp};
use numbra_lir::{AliasClass, BinaryOp, FloatCc, GuardKind, IntCc, Ty, Value};

/// Fields of [`numbra_abi::SET`].
const PLACES: usize = 0;
const SHIFT: usize = 1;
const ROOM: usize = 2;

/// What a look at the places of a set found.
struct Probe {
    /// Position of the item, or -1.
    at: Value,
    /// The address of its place, or of the free one where it would be put.
    place: Value,
    hash: Value,
}

impl Fx<'_, '_> {
    /// Runs an operation on sets.
    pub(in super::super) fn set_op(
        &mut self,
        op: SetOp,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let arg = |n: usize| {
            args.get(n)
                .ok_or_else(|| Fault::bug("an operation with too few operands"))
        };
        if op == SetOp::New {
            return Ok(vec![self.new_set(ret)?.owner]);
        }
        if op == SetOp::OfItems {
            return self.set_of_items(arg(0)?, ret);
        }
        let set = self.list(arg(0)?)?;
        match op {
            SetOp::New | SetOp::OfItems => Ok(Vec::new()),
            SetOp::Both | SetOp::Without => {
                let other = self.list(arg(1)?)?;
                let has = self.iconst(Ty::I32, i128::from(op == SetOp::Both));
                let args = vec![set.owner, other.owner, has];
                Ok(vec![self.set_result(NativeId::SetKept, args)?])
            }
            SetOp::Len => {
                let length = self.list_len(&set);
                self.cast(&Val::new(Type::INT64, vec![length]), ret)
            }
            SetOp::Contains => {
                let at = self.set_find(&set, arg(1)?)?;
                Ok(vec![self.icmp_imm(IntCc::Sge, at, 0)])
            }
            SetOp::Add => self.set_add(&set, arg(1)?),
            SetOp::Discard => {
                let at = self.set_find(&set, arg(1)?)?;
                let found = self.icmp_imm(IntCc::Sge, at, 0);
                self.if_else(
                    found,
                    &[],
                    |fx| fx.list_run(NativeId::SetTake, &set, vec![at]),
                    |_| Ok::<_, Fault>(Vec::new()),
                )
            }
            SetOp::Remove => {
                let at = self.set_find(&set, arg(1)?)?;
                let found = self.icmp_imm(IntCc::Sge, at, 0);
                let raise = Raise::new("KeyError", "set.remove(): key not in set");
                self.guard(found, GuardKind::Check, raise)?;
                self.list_run(NativeId::SetTake, &set, vec![at])
            }
            SetOp::Pop => {
                let length = self.list_len(&set);
                let some = self.icmp_imm(IntCc::Ne, length, 0);
                let raise = Raise::new("KeyError", "set.pop(): empty set");
                self.guard(some, GuardKind::Check, raise)?;
                let one = self.i64(1);
                let at = self.isub(length, one);
                let place = self.list_item_addr(&set, at);
                let leaves = self.load_item_at(&set.item, place);
                self.list_run(NativeId::SetTake, &set, vec![at])?;
                self.cast(&Val::new(set.dtype, leaves), ret)
            }
            SetOp::Clear => self.list_run(NativeId::SetClear, &set, Vec::new()),
            SetOp::Copy => {
                let args = vec![set.owner];
                Ok(vec![self.set_result(NativeId::SetCopy, args)?])
            }
        }
    }

    fn new_set(&mut self, ty: Type) -> Res<ListRef> {
        let Some((dtype, _)) = self.types.as_set(ty) else {
            return Err(Fault::bug(format!("{} is not a set", self.show(ty))));
        };
        let item = item_layout(self.types, dtype).map_err(Fault::unsupported)?;
        let parts = self.item_parts(dtype, &item)?;
        let (size, refs) = (self.i64(i64::from(item.size)), self.i64(item.refs as i64));
        let owner = self.set_result(NativeId::SetNew, vec![size, refs, parts])?;
        self.list(&Val::new(ty, vec![owner]))
    }

    /// `set(x)`
    fn set_of_items(&mut self, items: &Val, ret: Type) -> Res<Vec<Value>> {
        let set = self.new_set(ret)?;
        let (data, count, stride, owner) = if self.types.as_list(items.ty).is_some() {
            let list = self.list(items)?;
            let (count, zero) = (self.list_len(&list), self.i64(0));
            let data = self.list_item_addr(&list, zero);
            let stride = self.i64(i64::from(list.item.size));
            (data, count, stride, list.owner)
        } else {
            let array = self.array(items)?;
            (array.data, array.shape[0], array.strides[0], array.owner)
        };
        self.list_run(NativeId::SetAddAll, &set, vec![data, count, stride])?;
        self.keep(vec![owner]);
        Ok(vec![set.owner])
    }

    /// Calls a native function that gives a new set, or null when memory is exhausted.
    fn set_result(&mut self, native: NativeId, args: Vec<Value>) -> Res<Value> {
        self.container_result(native, args, "cannot allocate set")
    }

    /// `{items..}`
    pub(in super::super) fn build_set(&mut self, items: &[Var], ty: Type) -> Res<Vec<Value>> {
        let values = items
            .iter()
            .map(|var| self.var(*var))
            .collect::<Res<Vec<Val>>>()?;
        let set = self.new_set(ty)?;
        for value in &values {
            self.set_add(&set, value)?;
        }
        Ok(vec![set.owner])
    }

    /// Adds an item: only what the set has no room for calls the runtime.
    fn set_add(&mut self, set: &ListRef, value: &Val) -> Res<Vec<Value>> {
        let add = |fx: &mut Self| {
            let item = fx.item_in_frame(set, value)?;
            fx.list_run(NativeId::SetAdd, set, vec![item])
        };
        let Some((ty, bits)) = self.item_bits(set, value)? else {
            return add(self);
        };
        let Probe { at, place, hash } = self.probe(set, ty, bits);
        let known = self.icmp_imm(IntCc::Sge, at, 0);
        self.if_else(
            known,
            &[],
            |_| Ok(Vec::new()),
            |fx| {
                let length = fx.list_len(set);
                let room = fx.set_field(set, ROOM, Ty::I64);
                let fits = fx.icmp(IntCc::Ult, length, room);
                let put = |fx: &mut Self| {
                    let item = fx.list_item_addr(set, length);
                    fx.store(item, 0, bits, flags(AliasClass::ARRAY, ty.size()));
                    let (one, upper) = (fx.i64(1), fx.i64(-1 << 32));
                    let longer = fx.iadd(length, one);
                    let tag = fx.and(hash, upper);
                    let entry = fx.ibin(BinaryOp::Or, tag, longer);
                    fx.store(place, 0, entry, flags(AliasClass::ARRAY, 8));
                    fx.set_list_len(set, longer);
                    fx.list_changed(set);
                    Ok(Vec::new())
                };
                fx.if_else(fits, &[], put, add)
            },
        )
    }

    /// Position of an equal item, or -1. A value of another type that no item can equal is not there: 1.5 among integers.
    fn set_find(&mut self, set: &ListRef, value: &Val) -> Res<Value> {
        let item = Val::new(set.dtype, self.cast(value, set.dtype)?);
        let at = match self.item_bits(set, &item)? {
            Some((ty, bits)) => self.probe(set, ty, bits).at,
            None => {
                let item = self.item_in_frame(set, &item)?;
                self.native_value(NativeId::SetFind, vec![set.owner, item])?
            }
        };
        if value.ty == set.dtype {
            return Ok(at);
        }
        let same = self.same_as_item(value, &item)?;
        let none = self.i64(-1);
        Ok(self.select(same, at, none))
    }

    /// Whether a value equals the item or the key that it became: exactly, where an integer became a float.
    pub(super) fn same_as_item(&mut self, value: &Val, item: &Val) -> Res<Value> {
        let same = self.item_compare(CmpOp::Eq, value, item)?;
        let scalars = (
            self.types.as_scalar(value.ty),
            self.types.as_scalar(item.ty),
        );
        let (Some(integer), Some(float)) = scalars else {
            return Ok(same);
        };
        if !integer.is_int() || !float.is_float() {
            return Ok(same);
        }
        let given = self.num(value)?.re;
        let float = self.num(item)?;
        let wide = self.as_kind(float, Scalar::Float64);
        let back = self.as_kind(wide, integer).re;
        let exact = self.icmp(IntCc::Eq, back, given);
        // What is beyond all integers of the type becomes the greatest of them.
        let bits = 8 * integer.size() as i32 - i32::from(integer.is_signed_int());
        let below = self.fcmp_imm(FloatCc::Lt, wide.re, 2_f64.powi(bits));
        let exact = self.and(exact, below);
        Ok(self.and(same, exact))
    }

    /// A value as an item of a set whose items are equal if their bits are: its type in memory and its bits. `None` for
    /// items of other types.
    fn item_bits(&mut self, set: &ListRef, value: &Val) -> Res<Option<(Ty, Value)>> {
        let scalar = self.types.as_scalar(set.dtype);
        let &[(ty, 0)] = set.item.leaves.as_slice() else {
            return Ok(None);
        };
        if scalar.is_none() || ty.int_bits().is_none_or(|bits| bits > 64) {
            return Ok(None);
        }
        let leaf = self.cast(value, set.dtype)?[0];
        Ok(Some((ty, leaf)))
    }

    /// Looks for the item with these bits at the places of the table up to the first free one.
    fn probe(&mut self, set: &ListRef, ty: Ty, bits: Value) -> Probe {
        let (head, taken, alike, behind, done) = (
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
        );
        let place = self.func.push_param(head, Ty::I64);
        let at = self.func.push_param(done, Ty::I64);
        let key = self.int_to(bits, Ty::I64, false);
        let (factor, fold) = (self.i64(SET_HASH as i64), self.i64(29));
        let product = self.imul(key, factor);
        let high = self.ibin(BinaryOp::LShr, product, fold);
        let folded = self.xor(product, high);
        let hash = self.imul(folded, factor);
        let shift = self.set_field(set, SHIFT, Ty::I64);
        let first = self.ibin(BinaryOp::LShr, hash, shift);
        let places = self.set_field(set, PLACES, Ty::PTR);
        self.jump(head, vec![first]);

        self.enter(head);
        let eight = self.i64(8);
        let offset = self.imul(place, eight);
        let address = self.ptr_add(places, offset);
        let entry = self.load(Ty::I64, address, 0, flags(AliasClass::ARRAY, 8));
        let some = self.icmp_imm(IntCc::Ne, entry, 0);
        let none = self.i64(-1);
        self.brif(some, (taken, Vec::new()), (done, vec![none]));

        self.enter(taken);
        let other = self.xor(entry, hash);
        let is_alike = self.icmp_imm(IntCc::Ult, other, 1 << 32);
        self.brif(is_alike, (alike, Vec::new()), (behind, Vec::new()));

        self.enter(alike);
        let position = self.int_to(entry, Ty::I32, false);
        let position = self.int_to(position, Ty::I64, false);
        let one = self.i64(1);
        let position = self.isub(position, one);
        let item = self.list_item_addr(set, position);
        let item = self.load(ty, item, 0, flags(AliasClass::ARRAY, ty.size()));
        let same = self.icmp(IntCc::Eq, item, bits);
        self.brif(same, (done, vec![position]), (behind, Vec::new()));

        self.enter(behind);
        let one = self.i64(1);
        let next = self.iadd(place, one);
        let mask = self.i64(-1);
        let mask = self.ibin(BinaryOp::LShr, mask, shift);
        let next = self.and(next, mask);
        self.jump(head, vec![next]);

        self.enter(done);
        Probe {
            at,
            place: address,
            hash,
        }
    }

    /// Position of the item with these bits, or -1.
    pub(super) fn probe_at(&mut self, set: &ListRef, ty: Ty, bits: Value) -> Value {
        self.probe(set, ty, bits).at
    }

    /// A value in the memory form of the set's items; its address.
    fn item_in_frame(&mut self, set: &ListRef, value: &Val) -> Res<Value> {
        let leaves = self.cast(value, set.dtype)?;
        let slot = self.slot(set.item.size.max(8), 8, Vec::new());
        let at = self.slot_addr(slot);
        for (&(ty, offset), leaf) in set.item.leaves.iter().zip(leaves) {
            self.store(at, offset as i32, leaf, flags(AliasClass::ARGS, ty.size()));
        }
        Ok(at)
    }

    /// The address of a description of what is compared in items: a number, then scalar and byte of each part.
    pub(super) fn item_parts(&mut self, dtype: Type, item: &ItemLayout) -> Res<Value> {
        let parts = item_parts(self.types, dtype, item).ok_or_else(|| {
            let shown = self.show(dtype);
            Fault::unsupported(format!("comparing items of type {shown}"))
        })?;
        let mut words = vec![parts.len() as i64];
        words.extend(
            parts
                .iter()
                .flat_map(|&(part, at)| [part as i64, at as i64]),
        );
        let slot = self.slot(8 * words.len() as u32, 8, Vec::new());
        let address = self.slot_addr(slot);
        for (i, word) in words.into_iter().enumerate() {
            let word = self.i64(word);
            self.store(address, 8 * i as i32, word, flags(AliasClass::ARGS, 8));
        }
        Ok(address)
    }
}
