//! Dictionaries, whose objects begin as sets of entries do.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::item::{ItemLayout, item_layout};
use super::super::iterate::{LEFT, STATE};
use super::super::raise::Raise;
use super::object::ListRef;
use numbra_abi::{DICT, NativeId};
use numbra_ir::{DictPart, ListClass, Type, TypeKind, Var};
use numbra_library::DictOp;
use numbra_lir::{AliasClass, ConvertOp, GuardKind, IntCc, Ty, Value};

/// The field of [`DICT`] that says how many entries were removed.
const DEAD: usize = 0;

/// A dictionary by its parts.
pub(in super::super) struct DictRef {
    /// The set of its entries.
    entries: ListRef,
    key: Type,
    value: Type,
    /// Leaves of a key.
    key_leaves: usize,
}

impl DictRef {
    /// The part of the entries' layout that is the value.
    fn value_layout(&self) -> ItemLayout {
        let leaves = &self.entries.item.leaves;
        ItemLayout {
            leaves: leaves[self.key_leaves..leaves.len() - 1].to_vec(),
            ..self.entries.item.clone()
        }
    }

    /// The part of the entries' layout that is key and value.
    fn entry_layout(&self) -> ItemLayout {
        let leaves = &self.entries.item.leaves;
        ItemLayout {
            leaves: leaves[..leaves.len() - 1].to_vec(),
            ..self.entries.item.clone()
        }
    }

    /// The part of the entries' layout that is the key.
    fn key_layout(&self) -> ItemLayout {
        ItemLayout {
            leaves: self.entries.item.leaves[..self.key_leaves].to_vec(),
            ..self.entries.item.clone()
        }
    }
}

impl Fx<'_, '_> {
    /// The dictionary behind a value.
    pub(in super::super) fn dict(&mut self, value: &Val) -> Res<DictRef> {
        let Some((key, held)) = self.types.as_dict(value.ty) else {
            return Err(Fault::bug(format!("{} is not a dict", self.show(value.ty))));
        };
        let &[owner] = value.leaves.as_slice() else {
            return Err(Fault::bug("a dict is one reference"));
        };
        // Key, value, and the byte that says that the entry is there.
        let entry = self.types.tuple(&[key, held, Type::BOOL]);
        Ok(DictRef {
            entries: self.container(owner, entry, ListClass::Local)?,
            key,
            value: held,
            key_leaves: self.leaf_count(key)?,
        })
    }

    /// Runs an operation on dictionaries.
    pub(in super::super) fn dict_op(
        &mut self,
        op: DictOp,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        if op == DictOp::New {
            return Ok(vec![self.new_dict(ret)?.entries.owner]);
        }
        let arg = |n: usize| {
            args.get(n)
                .ok_or_else(|| Fault::bug("an operation with too few operands"))
        };
        let of = arg(0)?;
        let dict = match self.types.kind(of.ty) {
            TypeKind::DictView { dict, .. } => self.dict(&Val::new(*dict, of.leaves.clone()))?,
            _ => self.dict(of)?,
        };
        match op {
            DictOp::New => Ok(Vec::new()),
            DictOp::View => Ok(of.leaves.clone()),
            DictOp::Len => {
                let count = self.dict_len(&dict);
                self.cast(&Val::new(Type::INT64, vec![count]), ret)
            }
            DictOp::Get => {
                let at = self.dict_position(&dict, arg(1)?)?;
                let place = self.list_item_addr(&dict.entries, at);
                let leaves = self.load_item_at(&dict.value_layout(), place);
                self.cast(&Val::new(dict.value, leaves), ret)
            }
            DictOp::Set => self.dict_set(&dict, arg(1)?, arg(2)?),
            DictOp::Contains => {
                let at = self.dict_find(&dict, arg(1)?)?;
                Ok(vec![self.icmp_imm(IntCc::Sge, at, 0)])
            }
            DictOp::Del => {
                let at = self.dict_position(&dict, arg(1)?)?;
                self.list_run(NativeId::DictTake, &dict.entries, vec![at])
            }
            DictOp::PopItem => {
                let count = self.list_len(&dict.entries);
                let some = self.icmp_imm(IntCc::Ne, count, 0);
                let raise = Raise::new("KeyError", "popitem(): dictionary is empty");
                self.guard(some, GuardKind::Check, raise)?;
                let one = self.i64(1);
                // The last entry is there: those that were removed are not kept at the end.
                let at = self.isub(count, one);
                let place = self.list_item_addr(&dict.entries, at);
                let leaves = self.load_item_at(&dict.entry_layout(), place);
                self.list_run(NativeId::DictTake, &dict.entries, vec![at])?;
                let pair = self.types.tuple(&[dict.key, dict.value]);
                self.cast(&Val::new(pair, leaves), ret)
            }
            DictOp::Clear => self.list_run(NativeId::DictClear, &dict.entries, Vec::new()),
            DictOp::Copy => {
                let owner = dict.entries.owner;
                let copy =
                    self.container_result(NativeId::DictCopy, vec![owner], "cannot allocate dict")?;
                Ok(vec![copy])
            }
        }
    }

    /// Number of entries.
    pub(in super::super) fn dict_len(&mut self, dict: &DictRef) -> Value {
        let (all, dead) = (self.list_len(&dict.entries), self.dead(dict));
        self.isub(all, dead)
    }

    fn dead(&mut self, dict: &DictRef) -> Value {
        let flags = flags(AliasClass::HEADER, 8);
        let header = self.convert(ConvertOp::RefToPtr, dict.entries.owner, Ty::PTR);
        self.load(Ty::I64, header, DICT.offset(DEAD) as i32, flags)
    }

    fn new_dict(&mut self, ty: Type) -> Res<DictRef> {
        let Some((key, held)) = self.types.as_dict(ty) else {
            return Err(Fault::bug(format!("{} is not a dict", self.show(ty))));
        };
        let entry = self.types.tuple(&[key, held, Type::BOOL]);
        let item = item_layout(self.types, entry).map_err(Fault::unsupported)?;
        let parts = self.item_parts(key, &item)?;
        let alive = item.leaves.last().map_or(0, |leaf| leaf.1);
        let args = vec![
            self.i64(i64::from(item.size)),
            self.i64(item.refs as i64),
            self.i64(i64::from(alive)),
            parts,
        ];
        let owner = self.container_result(NativeId::DictNew, args, "cannot allocate dict")?;
        self.dict(&Val::new(ty, vec![owner]))
    }

    /// `{key: value, ..}`
    pub(in super::super) fn build_map(
        &mut self,
        entries: &[(Var, Var)],
        ty: Type,
    ) -> Res<Vec<Value>> {
        if let TypeKind::LiteralDict { keys, items } = self.types.kind(ty) {
            // Of a key that stands there twice the last value.
            let mut values: Vec<Option<Val>> = vec![None; keys.len()];
            for (key, value) in entries {
                let key = self.var(*key)?.ty;
                let at = keys.iter().position(|known| *known == key);
                let at = at.ok_or_else(|| Fault::bug("a key that the type of a dict has not"))?;
                values[at] = Some(self.var(*value)?);
            }
            let mut out = Vec::new();
            for (value, item) in values.iter().flatten().zip(items) {
                out.extend(self.cast(value, *item)?);
            }
            return Ok(out);
        }
        let dict = self.new_dict(ty)?;
        for (key, value) in entries {
            let (key, value) = (self.var(*key)?, self.var(*value)?);
            self.dict_set(&dict, &key, &value)?;
        }
        Ok(vec![dict.entries.owner])
    }

    /// Position of the entry of a key, or -1. A number that no key of the type equals is not there: 259 among bytes.
    fn dict_find(&mut self, dict: &DictRef, key: &Val) -> Res<Value> {
        let leaves = self.cast(key, dict.key)?;
        let at = self.dict_find_cast(dict, &leaves)?;
        if key.ty == dict.key || self.types.as_scalar(key.ty).is_none() {
            return Ok(at);
        }
        let same = self.same_as_item(key, &Val::new(dict.key, leaves))?;
        let none = self.i64(-1);
        Ok(self.select(same, at, none))
    }

    fn dict_find_cast(&mut self, dict: &DictRef, leaves: &[Value]) -> Res<Value> {
        let is_word = self
            .types
            .as_scalar(dict.key)
            .is_some_and(|s| !s.is_float());
        let layout = dict.key_layout();
        if let ([leaf], &[(ty, 0)]) = (leaves, layout.leaves.as_slice())
            && is_word
            && ty.int_bits().is_some_and(|bits| bits <= 64)
        {
            return Ok(self.probe_at(&dict.entries, ty, *leaf));
        }
        let entry = self.in_frame(&layout, leaves);
        let found = self.native_call(NativeId::SetFind, vec![dict.entries.owner, entry])?;
        self.keep_refs(&layout, leaves);
        found.ok_or_else(|| Fault::bug("`numbra_rt_set_find` gives no result"))
    }

    /// As [`Fx::dict_find`]; KeyError where there is none.
    fn dict_position(&mut self, dict: &DictRef, key: &Val) -> Res<Value> {
        let at = self.dict_find(dict, key)?;
        let found = self.icmp_imm(IntCc::Sge, at, 0);
        self.guard_values(found, "KeyError", std::slice::from_ref(key))?;
        Ok(at)
    }

    /// `d[k] = v`
    fn dict_set(&mut self, dict: &DictRef, key: &Val, value: &Val) -> Res<Vec<Value>> {
        let key = Val::new(dict.key, self.cast(key, dict.key)?);
        let held = self.cast(value, dict.value)?;
        let at = self.dict_find(dict, &key)?;
        let found = self.icmp_imm(IntCc::Sge, at, 0);
        self.if_else(
            found,
            &[],
            |fx| {
                let layout = dict.value_layout();
                if layout.leaves.iter().all(|leaf| leaf.0 != Ty::Ref) {
                    let place = fx.list_item_addr(&dict.entries, at);
                    fx.store_item(&layout, place, &held)?;
                    return Ok(Vec::new());
                }
                // What is given up may run code that changes the dictionary: the runtime does that last.
                let (entry, leaves) = fx.entry_in_frame(dict, &key, &held);
                let value = fx.i64(layout.leaves.first().map_or(0, |leaf| i64::from(leaf.1)));
                let args = vec![at, entry, value];
                fx.list_run(NativeId::DictReplace, &dict.entries, args)?;
                fx.keep_refs(&dict.entries.item, &leaves);
                Ok(Vec::new())
            },
            |fx| {
                let (entry, leaves) = fx.entry_in_frame(dict, &key, &held);
                fx.list_run(NativeId::DictInsert, &dict.entries, vec![entry])?;
                fx.keep_refs(&dict.entries.item, &leaves);
                Ok::<_, Fault>(Vec::new())
            },
        )
    }

    /// An entry in the frame, and its leaves.
    fn entry_in_frame(&mut self, dict: &DictRef, key: &Val, held: &[Value]) -> (Value, Vec<Value>) {
        let mut leaves = key.leaves.clone();
        leaves.extend(held);
        leaves.push(self.bool(true));
        (self.in_frame(&dict.entries.item, &leaves), leaves)
    }

    /// Leaves in the memory form of an entry, or of the first ones of it; its address. References are borrowed.
    fn in_frame(&mut self, layout: &ItemLayout, leaves: &[Value]) -> Value {
        let slot = self.slot(layout.size.max(8), 8, Vec::new());
        let at = self.slot_addr(slot);
        for (&(ty, offset), &leaf) in layout.leaves.iter().zip(leaves) {
            let leaf = match ty {
                Ty::Ref => self.convert(ConvertOp::RefToPtr, leaf, Ty::PTR),
                Ty::I1 => self.convert(ConvertOp::ZExt, leaf, Ty::I8),
                _ => leaf,
            };
            let size = self.ty(leaf).size();
            self.store(at, offset as i32, leaf, flags(AliasClass::ARGS, size));
        }
        at
    }

    /// Keeps what an entry in the frame refers to until here.
    fn keep_refs(&mut self, layout: &ItemLayout, leaves: &[Value]) {
        let refs = layout.leaves.iter().zip(leaves);
        let refs = refs.filter(|(leaf, _)| leaf.0 == Ty::Ref);
        let refs: Vec<Value> = refs.map(|(_, value)| *value).collect();
        if !refs.is_empty() {
            self.keep(refs);
        }
    }

    /// `iter(d)`: position of the next entry, and how many there are.
    pub(in super::super) fn dict_iter(&mut self, value: &Val) -> Res<Vec<Value>> {
        let dict = self.dict(value)?;
        let (zero, count) = (self.i64(0), self.dict_len(&dict));
        let mut out = vec![self.state(&[zero, count])];
        out.extend(&value.leaves);
        Ok(out)
    }

    /// A step over the entries; RuntimeError where one came or went since the start.
    pub(in super::super) fn dict_next(
        &mut self,
        ty: Type,
        part: DictPart,
        leaves: &[Value],
    ) -> Res<Vec<Value>> {
        let dict = self.dict(&Val::new(ty, leaves[1..].to_vec()))?;
        let state = leaves[0];
        let (count, before) = (self.dict_len(&dict), self.load(Ty::I64, state, LEFT, STATE));
        let same = self.icmp(IntCc::Eq, count, before);
        let raise = Raise::new("RuntimeError", "dictionary changed size during iteration");
        self.guard(same, GuardKind::Check, raise)?;
        let at = self.load(Ty::I64, state, 0, STATE);
        let dead = self.dead(&dict);
        let whole = self.icmp_imm(IntCc::Eq, dead, 0);
        let at = self.if_else(
            whole,
            &[Ty::I64],
            |_| Ok(vec![at]),
            |fx| {
                let next = fx.native_call(NativeId::DictNext, vec![dict.entries.owner, at])?;
                let next = next.ok_or_else(|| Fault::bug("a native without its result"))?;
                Ok::<_, Fault>(vec![next])
            },
        )?[0];
        let all = self.list_len(&dict.entries);
        let more = self.icmp(IntCc::Ult, at, all);
        let layout = match part {
            DictPart::Keys => dict.key_layout(),
            DictPart::Values => dict.value_layout(),
            DictPart::Items => dict.entry_layout(),
        };
        let tys: Vec<Ty> = layout.leaves.iter().map(|leaf| leaf.0).collect();
        let mut out = self.if_else(
            more,
            &tys,
            |fx| {
                let one = fx.i64(1);
                let next = fx.iadd(at, one);
                fx.store(state, 0, next, STATE);
                let place = fx.list_item_addr(&dict.entries, at);
                Ok(fx.load_item_at(&layout, place))
            },
            |fx| Ok::<_, Fault>(tys.iter().map(|ty| fx.zero(*ty)).collect()),
        )?;
        out.push(more);
        Ok(out)
    }
}
