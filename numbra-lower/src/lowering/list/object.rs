//! List objects: their fields, and new ones.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::item::{ItemLayout, item_layout};
use super::super::raise::Raise;
use numbra_abi::{LIST, LIST_IS_CONSTANT, NativeId, SET};
use numbra_ir::{ListClass, Type, TypeKind, Var};
use numbra_lir::{AliasClass, ConvertOp, GuardKind, IntCc, Ty, Value};

/// Fields of [`LIST`].
const ITEMS: usize = 0;
const LENGTH: usize = 2;
const CAPACITY: usize = 3;
const DIRTY: usize = 6;

/// A list by its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct ListRef {
    pub(in super::super) dtype: Type,
    pub(super) class: ListClass,
    pub(in super::super) owner: Value,
    /// The address of the object.
    header: Value,
    pub(in super::super) item: ItemLayout,
}

impl Fx<'_, '_> {
    /// The list behind a value, or the set as the list that it begins with.
    pub(in super::super) fn list(&mut self, value: &Val) -> Res<ListRef> {
        let ty = match self.types.kind(value.ty) {
            numbra_ir::TypeKind::BoundMethod { receiver, .. } => *receiver,
            _ => value.ty,
        };
        let list = self.types.as_list(ty);
        let Some((dtype, class)) = list.or_else(|| self.types.as_set(ty)) else {
            return Err(Fault::bug(format!("{} is not a list", self.show(ty))));
        };
        let &[owner] = value.leaves.as_slice() else {
            return Err(Fault::bug("a list is one reference"));
        };
        self.container(owner, dtype, class)
    }

    /// The list of items of a type that an object begins with.
    pub(super) fn container(
        &mut self,
        owner: Value,
        dtype: Type,
        class: ListClass,
    ) -> Res<ListRef> {
        let item = item_layout(self.types, dtype).map_err(Fault::unsupported)?;
        let header = self.convert(ConvertOp::RefToPtr, owner, Ty::PTR);
        Ok(ListRef {
            dtype,
            class,
            owner,
            header,
            item,
        })
    }

    fn list_field(&mut self, list: &ListRef, field: usize, ty: Ty) -> Value {
        let flags = flags(AliasClass::HEADER, 8);
        self.load(ty, list.header, LIST.offset(field) as i32, flags)
    }

    fn set_list_field(&mut self, list: &ListRef, field: usize, value: Value) {
        let flags = flags(AliasClass::HEADER, 8);
        self.store(list.header, LIST.offset(field) as i32, value, flags);
    }

    /// A field of [`SET`].
    pub(super) fn set_field(&mut self, set: &ListRef, field: usize, ty: Ty) -> Value {
        let flags = flags(AliasClass::HEADER, 8);
        self.load(ty, set.header, SET.offset(field) as i32, flags)
    }

    /// Number of items.
    pub(in super::super) fn list_len(&mut self, list: &ListRef) -> Value {
        self.list_field(list, LENGTH, Ty::I64)
    }

    pub(super) fn set_list_len(&mut self, list: &ListRef, length: Value) {
        self.set_list_field(list, LENGTH, length);
    }

    /// Number of items there is room for.
    pub(super) fn list_capacity(&mut self, list: &ListRef) -> Value {
        self.list_field(list, CAPACITY, Ty::I64)
    }

    /// Says that the list was changed, where somebody may ask: it may be the argument of a call from Python.
    pub(super) fn list_changed(&mut self, list: &ListRef) {
        if list.class == ListClass::Reflected {
            let one = self.i64(1);
            self.set_list_field(list, DIRTY, one);
        }
    }

    /// Whether the list may be changed.
    pub(super) fn list_is_mutable(&mut self, list: &ListRef) -> Value {
        let dirty = self.list_field(list, DIRTY, Ty::I64);
        self.icmp_imm(IntCc::Ne, dirty, LIST_IS_CONSTANT as i64)
    }

    /// Says whether the list may be changed.
    pub(super) fn set_list_mutable(&mut self, list: &ListRef, mutable: bool) {
        let dirty = if mutable { 0 } else { LIST_IS_CONSTANT };
        let dirty = self.i64(dirty as i64);
        self.set_list_field(list, DIRTY, dirty);
    }

    /// ValueError where the list may not be changed, as a typed list.
    pub(super) fn guard_mutable(&mut self, list: &ListRef) -> Res<()> {
        if list.class != ListClass::Typed {
            return Ok(());
        }
        let mutable = self.list_is_mutable(list);
        self.guard(mutable, GuardKind::Check, Raise::value("list is immutable"))
    }

    /// The address of item `index`.
    pub(in super::super) fn list_item_addr(&mut self, list: &ListRef, index: Value) -> Value {
        let items = self.list_field(list, ITEMS, Ty::PTR);
        let size = self.i64(i64::from(list.item.size));
        let offset = self.imul(index, size);
        self.ptr_add(items, offset)
    }

    /// A new list of type `ty` with room for some items.
    pub(in super::super) fn new_list(&mut self, ty: Type, capacity: i64) -> Res<ListRef> {
        let capacity = self.i64(capacity);
        self.new_list_for(ty, capacity)
    }

    /// As [`Fx::new_list`], for a number of items that is known when the program runs.
    pub(super) fn new_list_for(&mut self, ty: Type, capacity: Value) -> Res<ListRef> {
        let Some((dtype, _)) = self.types.as_list(ty) else {
            return Err(Fault::bug(format!("{} is not a list", self.show(ty))));
        };
        let item = item_layout(self.types, dtype).map_err(Fault::unsupported)?;
        let args = vec![
            capacity,
            self.i64(i64::from(item.size)),
            self.i64(item.refs as i64),
        ];
        let owner = self.list_result(NativeId::ListNew, args)?;
        self.list(&Val::new(ty, vec![owner]))
    }

    /// Calls a native function that gives a new list, or null when memory is exhausted.
    pub(super) fn list_result(&mut self, native: NativeId, args: Vec<Value>) -> Res<Value> {
        self.container_result(native, args, "cannot allocate list")
    }

    /// As [`Fx::list_result`], with what the MemoryError says.
    pub(super) fn container_result(
        &mut self,
        native: NativeId,
        args: Vec<Value>,
        message: &'static str,
    ) -> Res<Value> {
        let owner = self.native_value(native, args)?;
        let header = self.convert(ConvertOp::RefToPtr, owner, Ty::PTR);
        let null = self.zero(Ty::PTR);
        let some = self.icmp(IntCc::Ne, header, null);
        let raise = Raise::new("MemoryError", message);
        self.guard(some, GuardKind::Null, raise)?;
        Ok(owner)
    }

    /// `[items..]`
    pub(in super::super) fn build_list(&mut self, items: &[Var], ty: Type) -> Res<Vec<Value>> {
        let values = items
            .iter()
            .map(|var| self.var(*var))
            .collect::<Res<Vec<Val>>>()?;
        if let TypeKind::LiteralList(items) = self.types.kind(ty) {
            let mut out = Vec::new();
            for (value, item) in values.iter().zip(items) {
                out.extend(self.cast(value, *item)?);
            }
            return Ok(out);
        }
        self.list_of(&values, ty)
    }

    /// A new list of these items.
    pub(super) fn list_of(&mut self, values: &[Val], ty: Type) -> Res<Vec<Value>> {
        let list = self.new_list(ty, values.len() as i64)?;
        for (i, value) in values.iter().enumerate() {
            let leaves = self.cast(value, list.dtype)?;
            let index = self.i64(i as i64);
            let at = self.list_item_addr(&list, index);
            self.store_item(&list.item, at, &leaves)?;
        }
        if !values.is_empty() {
            let length = self.i64(values.len() as i64);
            self.set_list_len(&list, length);
        }
        Ok(vec![list.owner])
    }
}
