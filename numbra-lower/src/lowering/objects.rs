//! Values handed to Python as objects: what only Python can print, and arguments of exceptions.

use super::emit::flags;
use super::error::Res;
use super::function::{Fx, Val};
use numbra_abi::NativeId;
use numbra_lir::{AliasClass, ConvertOp, Ty, Value};

impl Fx<'_, '_> {
    /// `symbol(first.., type, length, kind, leaves)`: the text of the value's type, its leaves every 16 bytes.
    pub(super) fn object_call(
        &mut self,
        native: NativeId,
        first: Vec<Value>,
        value: &Val,
    ) -> Res<Option<Value>> {
        let text = self.types.text(value.ty).to_string();
        let mut args = first;
        args.extend(&self.string(&text)?[..3]);
        let slot = self.slot(16 * value.leaves.len().max(1) as u32, 16, Vec::new());
        let block = self.slot_addr(slot);
        for (i, &leaf) in value.leaves.iter().enumerate() {
            let leaf = match self.ty(leaf) {
                Ty::I1 => self.convert(ConvertOp::ZExt, leaf, Ty::I8),
                _ => leaf,
            };
            let size = self.ty(leaf).size();
            self.store(block, 16 * i as i32, leaf, flags(AliasClass::ARGS, size));
        }
        args.push(block);
        let result = self.native_call(native, args)?;
        let owners: Vec<Value> = value
            .leaves
            .iter()
            .copied()
            .filter(|leaf| self.ty(*leaf) == Ty::Ref)
            .collect();
        self.keep(owners);
        Ok(result)
    }
}
