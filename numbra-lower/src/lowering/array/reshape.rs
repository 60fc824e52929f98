//! Views with another shape.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use crate::lir::{BinaryOp, GuardKind, IntCc, Value};
use numbra_ir::{Layout, Type};

impl Fx<'_, '_> {
    /// Integers given as one tuple or one by one, as `i64`.
    pub(super) fn integers(&mut self, args: &[Val]) -> Res<Vec<Value>> {
        let items = match args {
            [one] if self.types.tuple_items(one.ty).is_some() => self.items(one)?,
            many => many.to_vec(),
        };
        items.iter().map(|item| self.index_value(item)).collect()
    }

    /// `x.reshape(shape)` of a contiguous array.
    pub(in super::super) fn array_reshape(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let Some((array, shape)) = args.split_first() else {
            return Err(Fault::bug("a reshape of nothing"));
        };
        let array = self.array(array)?;
        let to = self.result_array(ret)?;
        let mut shape = self.integers(shape)?;
        if shape.len() != usize::from(to.ndim) {
            return Err(Fault::bug("a reshape to another rank than its type has"));
        }
        let size = self.array_size(&array);
        let one = self.i64(1);
        // The product of the extents that are given; -1 counts as 1 and is computed.
        let mut product = one;
        let mut missing = self.i64(0);
        let mut valid = self.bool(true);
        let mut unknown = Vec::with_capacity(shape.len());
        for extent in &shape {
            let open = self.icmp_imm(IntCc::Eq, *extent, -1);
            let positive = self.icmp_imm(IntCc::Sge, *extent, -1);
            valid = self.and(valid, positive);
            let factor = self.select(open, one, *extent);
            product = self.imul(product, factor);
            let count = {
                let zero = self.i64(0);
                self.select(open, one, zero)
            };
            missing = self.iadd(missing, count);
            unknown.push(open);
        }
        let at_most_one = self.icmp_imm(IntCc::Sle, missing, 1);
        valid = self.and(valid, at_most_one);
        let quotient = self.ibin(BinaryOp::SDiv, size, product);
        for (extent, open) in shape.iter_mut().zip(unknown) {
            *extent = self.select(open, quotient, *extent);
        }
        let total = self.product(&shape);
        let same = self.icmp(IntCc::Eq, total, size);
        valid = self.and(valid, same);
        let raise = Raise::value("total size of new array must be unchanged");
        self.guard(valid, GuardKind::Check, raise)?;
        let strides = match array.ty.layout {
            Layout::F => {
                let mut reversed: Vec<Value> = shape.iter().rev().copied().collect();
                reversed = self.c_strides(&reversed, array.item_size());
                reversed.into_iter().rev().collect()
            }
            Layout::C | Layout::A => self.c_strides(&shape, array.item_size()),
        };
        let mut out = vec![array.data, array.owner];
        out.extend(shape);
        out.extend(strides);
        Ok(out)
    }

    /// The elements in C order with one axis: a view of a contiguous array, else a copy.
    pub(in super::super) fn array_ravel(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let to = self.result_array(ret)?;
        self.flattened(&array, to)
    }
}
