//! Arrays, other buffers, and what iterates over them.

use super::{Leaves, Model};
use crate::lowering::error::{Fault, Res};
use crate::lowering::function::{Fx, Val};
use crate::lowering::iterate::STATE;
use crate::lowering::owner::Owner;
use crate::lowering::raise::Raise;
use numbra_abi::ArrayLayout;
use numbra_ir::{ArrayType, Storage, Type, Types, kinds};
use numbra_lir::{GuardKind, IntCc, Ty, Value};

/// Address, owner, shape, strides.
pub(super) fn push_array(ndim: u8, leaves: &mut Leaves<'_>) {
    let layout = ArrayLayout {
        ndim: u32::from(ndim),
    };
    leaves.extend([Ty::PTR, Ty::Ref]);
    leaves.extend((2..layout.leaves()).map(|_| Ty::I64));
}

fn is_object(types: &Types, array: &ArrayType) -> bool {
    match types.element(array.dtype) {
        Some(Storage::Scalar(_)) => types.as_scalar(array.dtype).is_some(),
        Some(Storage::Bytes(_)) => true,
        None => false,
    }
}

impl Model for kinds::Array<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        push_array(self.array.ndim, leaves);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Object {
            leaf: ArrayLayout::OWNER,
        })
    }

    fn is_object(&self, types: &Types) -> bool {
        is_object(types, self.array)
    }

    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        let array = fx.array(value)?;
        let size = fx.array_size(&array);
        let single = fx.icmp_imm(IntCc::Ule, size, 1);
        fx.guard(
            single,
            GuardKind::Check,
            Raise::value(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
            ),
        )?;
        let some = fx.icmp_imm(IntCc::Ne, size, 0);
        fx.if_else(
            some,
            &[Ty::I1],
            |fx| {
                let item = fx.load_element(&array, array.data)?;
                Ok(vec![fx.truth(&item)?])
            },
            |fx| Ok(vec![fx.bool(false)]),
        )
        .map(|v| v[0])
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::Buffer<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        push_array(self.array.ndim, leaves);
        Ok(())
    }

    fn owner(&self, _: &Types) -> Option<Owner> {
        Some(Owner::Value {
            leaf: ArrayLayout::OWNER,
        })
    }

    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _: Type) -> Res<Vec<Value>> {
        Ok(fx.counted_from_zero(&value.leaves))
    }
}

impl Model for kinds::ArrayIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::PTR);
        leaves.push_type(*self.array)
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        let array = fx.array(&Val::new(*self.array, iter.leaves[1..].to_vec()))?;
        let state = iter.leaves[0];
        let at = fx.load(Ty::I64, state, 0, STATE);
        let more = fx.icmp(IntCc::Slt, at, array.shape[0]);
        let (item_ty, tys) = fx.row_type(&array)?;
        let one = fx.i64(1);
        let item = fx.if_else(
            more,
            &tys,
            |fx| {
                let next = fx.iadd(at, one);
                fx.store(state, 0, next, STATE);
                fx.array_row(&array, at, item_ty)
            },
            |fx| Ok::<_, Fault>(tys.iter().map(|ty| fx.zero(*ty)).collect()),
        )?;
        let mut out = item;
        out.push(more);
        Ok(out)
    }
}

impl Model for kinds::FlatIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        leaves.push(Ty::PTR);
        leaves.push_type(*self.array)
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        let array = fx.array(&Val::new(*self.array, iter.leaves[1..].to_vec()))?;
        fx.flat_next(iter.leaves[0], &array, *self.indexed)
    }
}

impl Model for kinds::NdIter<'_> {
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String> {
        let ndim = usize::from(*self.ndim);
        leaves.push(Ty::PTR);
        leaves.extend((0..2 * ndim).map(|_| Ty::I64));
        for _ in self.items {
            leaves.extend([Ty::PTR, Ty::Ref]);
            leaves.extend((0..ndim).map(|_| Ty::I64));
        }
        Ok(())
    }

    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        fx.nd_iter_next(&iter.leaves, usize::from(*self.ndim), self.items.len())
    }
}
