//! Adding, removing and sorting items.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use super::object::ListRef;
use crate::lir::{AliasClass, BinaryOp, GuardKind, IntCc, Value};
use numbra_ir::{Scalar, Type};

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
            |fx| fx.list_run("numbra_rt_list_reserve", list, vec![next]),
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
        let (at, length) = self.list_position(list, index)?;
        let zero = self.i64(0);
        let at = self.ibin(BinaryOp::SMax, at, zero);
        let at = self.ibin(BinaryOp::SMin, at, length);
        self.list_run("numbra_rt_list_open", list, vec![at])?;
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
            self.list_run("numbra_rt_list_remove", list, vec![at, one])?;
        }
        Ok(leaves)
    }

    /// `list.sort(None, reverse)`
    pub(super) fn list_sort(&mut self, list: &ListRef, reverse: &Val) -> Res<Vec<Value>> {
        let mut parts = Vec::new();
        self.sort_parts(list.dtype, &mut parts)?;
        let offsets: Vec<u32> = list.item.leaves.iter().map(|leaf| leaf.1).collect();
        let slot = self.slot(8 + 16 * parts.len() as u32, 8, Vec::new());
        let order = self.slot_addr(slot);
        let mut words = vec![parts.len() as i64];
        for (kind, offset) in parts.iter().zip(&offsets) {
            words.extend([*kind, i64::from(*offset)]);
        }
        for (i, word) in words.into_iter().enumerate() {
            let word = self.i64(word);
            self.store(order, 8 * i as i32, word, flags(AliasClass::STACK, 8));
        }
        let reverse = self.truth(reverse)?;
        self.list_run("numbra_rt_list_sort", list, vec![order, reverse])
    }

    /// The scalars of an item, as positions in `Scalar::ALL`.
    fn sort_parts(&self, ty: Type, out: &mut Vec<i64>) -> Res<()> {
        if let Some(items) = self.types.tuple_items(ty) {
            return items
                .iter()
                .try_for_each(|item| self.sort_parts(*item, out));
        }
        let kind = self.kind_of(ty)?;
        if kind.is_complex() {
            return Err(Fault::unsupported("sorting complex numbers"));
        }
        let position = Scalar::ALL.iter().position(|s| *s == kind);
        out.push(position.map_or(-1, |p| p as i64));
        Ok(())
    }
}
