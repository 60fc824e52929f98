//! Attributes of arrays, and parts of complex arrays.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use crate::lir::{ConvertOp, GuardKind, IntCc, Ty, Value};
use numbra_ir::{Layout, Type};
use numbra_library::ArrayAttr;

impl Fx<'_, '_> {
    /// An attribute of an array.
    pub(in super::super) fn array_attr(
        &mut self,
        attr: ArrayAttr,
        value: &Val,
        ret: Type,
    ) -> Res<Vec<Value>> {
        if self.leaf_count(ret)? == 0 {
            return Ok(Vec::new());
        }
        let array = self.array(value)?;
        let int = |fx: &mut Self, leaf: Value| fx.cast(&Val::new(Type::INT64, vec![leaf]), ret);
        match attr {
            ArrayAttr::Shape => Ok(array.shape),
            // What the array says, not what its layout implies: they differ for axes of one element.
            ArrayAttr::Strides => Ok(value.leaves[2 + array.shape.len()..].to_vec()),
            ArrayAttr::Ndim => {
                let ndim = self.i64(i64::from(array.ty.ndim));
                int(self, ndim)
            }
            ArrayAttr::Size => {
                let size = self.array_size(&array);
                int(self, size)
            }
            ArrayAttr::ItemSize => {
                let size = self.i64(array.item_size());
                int(self, size)
            }
            ArrayAttr::NBytes => {
                let size = self.array_size(&array);
                let item = self.i64(array.item_size());
                let bytes = self.imul(size, item);
                int(self, bytes)
            }
            ArrayAttr::T => {
                let mut out = vec![array.data, array.owner];
                out.extend(array.shape.iter().rev());
                out.extend(array.strides.iter().rev());
                Ok(out)
            }
            ArrayAttr::FlagsContiguous => {
                let c = self.is_contiguous(&array, Layout::C);
                let f = self.is_contiguous(&array, Layout::F);
                Ok(vec![self.or(c, f)])
            }
            ArrayAttr::FlagsC => Ok(vec![self.is_contiguous(&array, Layout::C)]),
            ArrayAttr::FlagsF => Ok(vec![self.is_contiguous(&array, Layout::F)]),
            ArrayAttr::DType => Ok(Vec::new()),
            ArrayAttr::Data => Ok(vec![self.convert(ConvertOp::PtrToInt, array.data, Ty::I64)]),
        }
    }

    /// `len(x)`
    pub(in super::super) fn array_len(&mut self, value: &Val) -> Res<Value> {
        let array = self.array(value)?;
        match array.shape.first() {
            Some(extent) => Ok(*extent),
            None => {
                let never = self.bool(false);
                let raise = Raise::new("TypeError", "len() of unsized object");
                self.guard(never, GuardKind::Check, raise)?;
                Ok(self.i64(0))
            }
        }
    }

    /// The only element of an array.
    pub(in super::super) fn array_item(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let size = self.array_size(&array);
        let single = self.icmp_imm(IntCc::Eq, size, 1);
        let raise = Raise::value("item(): can only convert an array of size 1 to a Python scalar");
        self.guard(single, GuardKind::Check, raise)?;
        let item = self.load_element(&array, array.data)?;
        self.cast(&item, ret)
    }

    /// True if two arrays have the same memory, shape and strides.
    pub(in super::super) fn array_is(&mut self, x: &Val, y: &Val) -> Res<Value> {
        let (a, b) = (self.array(x)?, self.array(y)?);
        if a.ty.ndim != b.ty.ndim || a.item != b.item {
            return Ok(self.bool(false));
        }
        let mut same = self.icmp(IntCc::Eq, a.data, b.data);
        let pairs = a
            .shape
            .iter()
            .zip(&b.shape)
            .chain(a.strides.iter().zip(&b.strides));
        for (x, y) in pairs {
            let equal = self.icmp(IntCc::Eq, *x, *y);
            same = self.and(same, equal);
        }
        Ok(same)
    }

    /// A view of the real or imaginary parts of a complex array; the real part of a real array is the array.
    pub(in super::super) fn array_part(
        &mut self,
        value: &Val,
        ret: Type,
        imag: bool,
    ) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        if !array.item.is_complex() {
            if !imag {
                return Ok(value.leaves.clone());
            }
            let ty = self.result_array(ret)?;
            return Ok(self.new_array(ty, array.shape, true)?.leaves());
        }
        if self.types.as_array(ret).is_none() {
            return Err(Fault::bug("a part of an array that is not an array"));
        }
        let offset = self.i64(if imag { array.item_size() / 2 } else { 0 });
        let data = self.ptr_add(array.data, offset);
        let mut out = vec![data, array.owner];
        out.extend(array.shape);
        out.extend(array.strides);
        Ok(out)
    }
}
