//! Addresses that come from C: functions that Python knows by their signature, and memory.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{Type, TypeKind};
use numbra_lir::{Ty, Value};

impl Fx<'_, '_> {
    /// Calls the function that the first operand is.
    pub(super) fn call_pointer(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let Some((callee, args)) = args.split_first() else {
            return Err(Fault::bug("a call of no function"));
        };
        match self.types.kind(callee.ty) {
            TypeKind::ObjectBlock(_) => self.call_object_block(callee, args, ret),
            TypeKind::FunctionType { .. } => self.call_value(callee, args, ret),
            _ => Err(Fault::bug(format!(
                "{} is no function",
                self.show(callee.ty)
            ))),
        }
    }

    /// The address of the value of type `ty` that is `index` values behind a pointer.
    pub(super) fn pointed(&mut self, pointer: &Val, index: &Val, ty: Type) -> Res<Value> {
        let size = self.i64(i64::from(self.item_kind(ty)?.size()));
        let index = self.integer_bits(index)?;
        let offset = self.imul(index, size);
        Ok(self.ptr_add(pointer.leaves[0], offset))
    }

    /// The memory at the first operand as an array of the shape in the second.
    pub(super) fn array_at(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let (pointer, shape) = self.two(args)?;
        let ty = self.result_array(ret)?;
        let extents = self.shape_of(&shape)?;
        let item_size = i64::from(self.item_kind(ty.dtype)?.size());
        let (_, strides) = self.contiguous(ty.layout, &extents, item_size)?;
        let mut leaves = vec![pointer.leaves[0], self.zero(Ty::Ref)];
        leaves.extend(extents);
        leaves.extend(strides);
        Ok(leaves)
    }
}
