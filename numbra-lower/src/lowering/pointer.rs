//! Addresses that come from C: functions that Python knows by their signature, and memory.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{Type, TypeKind};
use numbra_lir::{InstKind, Signature, Ty, Value};

impl Fx<'_, '_> {
    /// Calls the function that the first operand is the address of, in the platform's C convention.
    ///
    /// That is the internal ABI of a function that does not raise, as long as every argument and the result are one leaf.
    pub(super) fn call_pointer(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let Some((callee, args)) = args.split_first() else {
            return Err(Fault::bug("a call of no function"));
        };
        if let TypeKind::ObjectBlock(_) = self.types.kind(callee.ty) {
            return self.call_object_block(callee, args, ret);
        }
        let TypeKind::FunctionType { .. } = self.types.kind(callee.ty) else {
            return Err(Fault::bug(format!(
                "{} is no address",
                self.show(callee.ty)
            )));
        };
        let simple = |fx: &Self, ty: Type| fx.leaf_count(ty).is_ok_and(|n| n == 1);
        let none = ret == Type::NONE;
        if !args.iter().all(|arg| simple(self, arg.ty)) || !(none || simple(self, ret)) {
            let what = format!("a call of {}", self.show(callee.ty));
            return Err(Fault::unsupported(what));
        }
        let values: Vec<Value> = args.iter().map(|arg| arg.leaves[0]).collect();
        let params: Vec<Ty> = values.iter().map(|v| self.ty(*v)).collect();
        let results = self.leaf_types(ret)?;
        let sig = Signature::new(&params, &results, false);
        if sig.has_argument_block() || sig.has_result_block() {
            let what = format!("a call of {}", self.show(callee.ty));
            return Err(Fault::unsupported(what));
        }
        let sig = self.mx.signature(sig);
        let kind = InstKind::CallIndirect {
            sig,
            callee: callee.leaves[0],
            args: values,
        };
        Ok(self.inst(kind, &results))
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
