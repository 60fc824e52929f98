//! Attributes of arrays, and parts of complex arrays.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use numbra_ir::{ArrayType, Layout, Type};
use numbra_library::ArrayAttr;
use numbra_lir::{BinaryOp, ConvertOp, GuardKind, IntCc, Ty, Value};

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

    /// `x.view(dtype)`
    pub(in super::super) fn array_view(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let to = self.result_array(ret)?;
        let (old, new) = (
            array.item_size(),
            i64::from(self.item_kind(to.dtype)?.size()),
        );
        let (mut shape, mut strides) = (array.shape.clone(), array.strides.clone());
        if old != new {
            let (Some(extent), Some(stride)) = (shape.last_mut(), strides.last_mut()) else {
                self.refuse(
                    "Changing the dtype of a 0d array is only supported if the itemsize is unchanged",
                )?;
                return self.zeros(ret);
            };
            let (old, new) = (self.i64(old), self.i64(new));
            let dense = self.icmp(IntCc::Eq, *stride, old);
            let single = self.icmp_imm(IntCc::Eq, *extent, 1);
            let count = self.product(&array.shape);
            let empty = self.icmp_imm(IntCc::Eq, count, 0);
            let any = self.or(single, empty);
            let dense = self.or(dense, any);
            self.guard(
                dense,
                GuardKind::Check,
                Raise::value(
                    "To change to a dtype of a different size, the last axis must be contiguous",
                ),
            )?;
            let bytes = self.imul(*extent, old);
            let (whole, message) = if array.item_size()
                > i64::from(self.item_kind(to.dtype)?.size())
            {
                (
                    old,
                    "When changing to a smaller dtype, its size must be a divisor of the size of original dtype",
                )
            } else {
                (
                    bytes,
                    "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.",
                )
            };
            if self.const_of(new) == Some(0) {
                self.refuse(message)?;
                return self.zeros(ret);
            }
            let rest = self.ibin(BinaryOp::SRem, whole, new);
            let fits = self.icmp_imm(IntCc::Eq, rest, 0);
            self.guard(fits, GuardKind::Check, Raise::value(message))?;
            *extent = self.ibin(BinaryOp::SDiv, bytes, new);
            *stride = new;
        }
        let mut out = vec![array.data, array.owner];
        out.extend(shape);
        out.extend(strides);
        Ok(out)
    }

    /// Raises ValueError.
    fn refuse(&mut self, message: &'static str) -> Res<()> {
        let never = self.bool(false);
        self.guard(never, GuardKind::Check, Raise::value(message))
    }

    /// `x.tobytes()`
    pub(in super::super) fn array_bytes(&mut self, value: &Val) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let copy = self.copy_to(
            &array,
            ArrayType {
                layout: Layout::C,
                mutable: true,
                aligned: true,
                ..array.ty
            },
        )?;
        let count = self.array_size(&array);
        let size = self.i64(array.item_size());
        let bytes = self.imul(count, size);
        Ok(vec![copy.data, copy.owner, bytes, self.i64(1)])
    }

    /// True if two arrays have the same memory, shape and strides.
    pub(in super::super) fn array_is(&mut self, x: &Val, y: &Val) -> Res<Value> {
        let (a, b) = (self.array(x)?, self.array(y)?);
        if a.ty.ndim != b.ty.ndim || !self.same_items(a.ty, b.ty) {
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
