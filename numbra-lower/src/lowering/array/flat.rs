//! `x.flat`: the elements in C order.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::element::ArrayRef;
use crate::lir::{BinaryOp, Ty, Value};
use numbra_ir::{ArrayType, Layout, Type, TypeKind};

impl Fx<'_, '_> {
    /// The address of element `index` in C order.
    fn flat_address(&mut self, array: &ArrayRef, index: &Val) -> Res<Value> {
        let num = self.num(index)?;
        let at = self.int_to(num.re, Ty::I64, num.is_signed());
        let size = self.array_size(array);
        let at = self.wrap_index(at, num.is_signed(), size)?;
        if array.ty.layout == Layout::C || array.shape.len() == 1 {
            let stride = match array.strides.last() {
                Some(stride) => *stride,
                None => self.i64(0),
            };
            let offset = self.imul(at, stride);
            return Ok(self.ptr_add(array.data, offset));
        }
        let mut left = at;
        let mut data = array.data;
        for axis in (0..array.shape.len()).rev() {
            let position = if axis == 0 {
                left
            } else {
                self.ibin(BinaryOp::URem, left, array.shape[axis])
            };
            left = self.ibin(BinaryOp::UDiv, left, array.shape[axis]);
            let offset = self.imul(position, array.strides[axis]);
            data = self.ptr_add(data, offset);
        }
        Ok(data)
    }

    /// `x.flat[i]`
    pub(in super::super) fn flat_get(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let [array, index] = args else {
            return Err(Fault::bug("`flat[i]` with another number of operands"));
        };
        let array = self.array(array)?;
        let at = self.flat_address(&array, index)?;
        let item = self.load_element(&array, at)?;
        self.cast(&item, ret)
    }

    /// `x.flat[i] = v`
    pub(in super::super) fn flat_set(&mut self, args: &[Val]) -> Res<()> {
        let [array, index, value] = args else {
            return Err(Fault::bug("`flat[i] = v` with another number of operands"));
        };
        let array = self.array(array)?;
        let at = self.flat_address(&array, index)?;
        let value = self.cast(value, array.ty.dtype)?;
        self.store_element(&array, at, &value);
        Ok(())
    }

    /// `iter(x.flat)`: over a 1-d view if the array is C-contiguous, else over a copy.
    pub(in super::super) fn flat_iter(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let to = match self.types.kind(ret) {
            TypeKind::ArrayIter(flat) => self.types.as_array(*flat),
            _ => None,
        };
        let Some(to) = to else {
            return Err(Fault::bug(format!("`flat` iterates as {}", self.show(ret))));
        };
        let leaves = self.flattened(&array, to)?;
        Ok(self.array_iter(&leaves))
    }

    /// The elements in C order as an array of one axis: a view where that is possible, else a copy.
    pub(in super::super) fn flattened(
        &mut self,
        array: &ArrayRef,
        to: ArrayType,
    ) -> Res<Vec<Value>> {
        let size = self.array_size(array);
        let step = self.i64(array.item_size());
        let view = vec![array.data, array.owner, size, step];
        if array.ty.layout == Layout::C {
            return Ok(view);
        }
        let contiguous = self.is_contiguous(array, Layout::C);
        let tys = [Ty::PTR, Ty::Ref, Ty::I64, Ty::I64];
        self.if_else(
            contiguous,
            &tys,
            |_| Ok(view),
            |fx| Ok(fx.copy_to(array, to)?.leaves()),
        )
    }
}
