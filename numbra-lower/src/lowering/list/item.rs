//! Items of containers in memory.

use super::super::emit::flags;
use super::super::error::Res;
use super::super::function::Fx;
use super::super::item::ItemLayout;
use numbra_abi::NativeId;
use numbra_lir::{AliasClass, Ty, Value};

impl Fx<'_, '_> {
    /// The leaves of the item at an address. References among them are owned by the function.
    pub(in super::super) fn load_item_at(&mut self, item: &ItemLayout, at: Value) -> Vec<Value> {
        item.leaves
            .iter()
            .map(|&(ty, offset)| {
                let flags = flags(AliasClass::ARRAY, ty.size());
                self.load(ty, at, offset as i32, flags)
            })
            .collect()
    }

    /// Writes an item. The references that stood there are given up; in new memory there are none.
    pub(in super::super) fn store_item(
        &mut self,
        item: &ItemLayout,
        at: Value,
        leaves: &[Value],
    ) -> Res<()> {
        for (&(ty, offset), &leaf) in item.leaves.iter().zip(leaves) {
            if ty != Ty::Ref {
                let flags = flags(AliasClass::ARRAY, ty.size());
                self.store(at, offset as i32, leaf, flags);
            }
        }
        for (&(ty, offset), &leaf) in item.leaves.iter().zip(leaves) {
            if ty == Ty::Ref {
                let offset = self.i64(i64::from(offset));
                let place = self.ptr_add(at, offset);
                self.native_call(NativeId::RefSet, vec![place, leaf])?;
            }
        }
        Ok(())
    }
}
