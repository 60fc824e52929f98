//! Bodies of `with objmode` statements, which the interpreter runs.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_abi::NativeId;
use numbra_ir::Type;
use numbra_lir::{AliasClass, Ty, Value};

impl Fx<'_, '_> {
    /// Has Python run a body: the leaves of the inputs go in as one tuple, those of the outputs come back in a block.
    pub(super) fn call_object_block(
        &mut self,
        block: &Val,
        inputs: &[Val],
        outputs: Type,
    ) -> Res<Vec<Value>> {
        let [handle] = block.leaves[..] else {
            return Err(Fault::bug("a body of a with statement without its number"));
        };
        let tys = self.leaf_types(outputs)?;
        let owners = tys.iter().enumerate().filter(|(_, ty)| **ty == Ty::Ref);
        let owners: Vec<u32> = owners.map(|(i, _)| 16 * i as u32).collect();
        let slot = self.slot(16 * tys.len().max(1) as u32, 16, owners.clone());
        let place = self.slot_addr(slot);
        for owner in owners {
            // Gives up the reference of an earlier call: Python writes the new one without looking.
            let null = self.zero(Ty::Ref);
            self.store(place, owner as i32, null, flags(AliasClass::ARGS, 8));
        }
        let given: Vec<Type> = inputs.iter().map(|input| input.ty).collect();
        let leaves = inputs
            .iter()
            .flat_map(|i| i.leaves.iter().copied())
            .collect();
        let given = Val::new(self.types.tuple(&given), leaves);
        self.object_call(NativeId::ObjectBlock, vec![handle, place], &given)?;
        let mut out = Vec::with_capacity(tys.len());
        for (i, ty) in tys.into_iter().enumerate() {
            let flags = flags(AliasClass::ARGS, ty.size());
            out.push(self.load(ty, place, 16 * i as i32, flags));
        }
        Ok(out)
    }
}
