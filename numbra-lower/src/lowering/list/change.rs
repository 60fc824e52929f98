//! Adding, removing and sorting items.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use super::object::ListRef;
use numbra_abi::NativeId;
use numbra_lir::{BinaryOp, GuardKind, IntCc, Value};

impl Fx<'_, '_> {
    /// `list.append(value)`: inline while there is room.
    pub(super) fn list_append(&mut self, list: &ListRef, value: &Val) -> Res<Vec<Value>> {
        let leaves = self.cast(value, list.dtype)?;
        let length = self.list_len(list);
        let capacity = self.list_capacity(list);
        let one = self.i64(1);
        let next = self.iadd(length, one);
        let full = self.icmp(IntCc::Sge, length, capacity);
        self.if_else(
            full,
            &[],
            |fx| fx.list_run(NativeId::ListReserve, list, vec![next]),
            |_| Ok::<_, Fault>(Vec::new()),
        )?;
        let place = self.list_item_addr(list, length);
        self.store_item(&list.item, place, &leaves)?;
        self.set_list_len(list, next);
        self.list_changed(list);
        Ok(Vec::new())
    }

    /// `list.insert(index, value)`
    pub(super) fn list_insert(
        &mut self,
        list: &ListRef,
        index: &Val,
        value: &Val,
    ) -> Res<Vec<Value>> {
        let leaves = self.cast(value, list.dtype)?;
        self.index_value(index)?;
        let (at, length) = self.list_position(list, index)?;
        let zero = self.i64(0);
        let at = self.ibin(BinaryOp::SMax, at, zero);
        let at = self.ibin(BinaryOp::SMin, at, length);
        self.list_run(NativeId::ListOpen, list, vec![at])?;
        let place = self.list_item_addr(list, at);
        self.store_item(&list.item, place, &leaves)?;
        Ok(Vec::new())
    }

    /// The position that `pop(index)` removes.
    pub(super) fn list_pop_index(&mut self, list: &ListRef, index: &Val) -> Res<Value> {
        self.list_not_empty(list)?;
        self.list_index(list, index, "pop index out of range")
    }

    fn list_not_empty(&mut self, list: &ListRef) -> Res<Value> {
        let length = self.list_len(list);
        let some = self.icmp_imm(IntCc::Ne, length, 0);
        let raise = Raise::new("IndexError", "pop from empty list");
        self.guard(some, GuardKind::Bounds, raise)?;
        Ok(length)
    }

    /// `list.pop()`, `list.pop(index)`: the leaves of the item.
    pub(super) fn list_pop(&mut self, list: &ListRef, index: Option<&Val>) -> Res<Vec<Value>> {
        let one = self.i64(1);
        let at = match index {
            Some(index) => self.list_pop_index(list, index)?,
            None => {
                let length = self.list_not_empty(list)?;
                self.isub(length, one)
            }
        };
        let place = self.list_item_addr(list, at);
        let leaves = self.load_item_at(&list.item, place);
        if index.is_none() && list.item.refs == 0 {
            self.set_list_len(list, at);
            self.list_changed(list);
        } else {
            self.list_run(NativeId::ListRemove, list, vec![at, one])?;
        }
        Ok(leaves)
    }

    /// `list.sort(None, reverse)`
    pub(super) fn list_sort(&mut self, list: &ListRef, reverse: &Val) -> Res<Vec<Value>> {
        let order = self.item_parts(list.dtype, &list.item)?;
        let reverse = self.truth(reverse)?;
        self.list_run(NativeId::ListSort, list, vec![order, reverse])
    }
}
