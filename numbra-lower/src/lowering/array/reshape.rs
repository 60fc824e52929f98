//! Views with another shape or order of axes.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use crate::lir::{BinaryOp, GuardKind, IntCc, Value};
use numbra_ir::{Const, Layout, Type, TypeKind};

impl Fx<'_, '_> {
    /// Integers given as one tuple or one by one, as `i64`.
    fn integers(&mut self, args: &[Val]) -> Res<Vec<Value>> {
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

    /// `x.transpose(axes)`
    pub(in super::super) fn array_transpose(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let Some((value, axes)) = args.split_first() else {
            return Err(Fault::bug("a transpose of nothing"));
        };
        let array = self.array(value)?;
        let ndim = array.shape.len();
        let reversed = match axes {
            [] => true,
            [one] => matches!(
                self.types.kind(one.ty),
                TypeKind::None | TypeKind::Omitted(Const::None) | TypeKind::Literal(Const::None)
            ),
            _ => false,
        };
        let strides = value.leaves[2 + ndim..].to_vec();
        let mut out = vec![array.data, array.owner];
        if reversed {
            out.extend(array.shape.iter().rev());
            out.extend(strides.iter().rev());
            return Ok(out);
        }
        let axes = self.integers(axes)?;
        if axes.len() != ndim || self.leaf_count(ret)? != 2 + 2 * ndim {
            let never = self.bool(false);
            self.guard(
                never,
                GuardKind::Check,
                Raise::value("axes don't match array"),
            )?;
            return self.zeros(ret);
        }
        let mut seen = self.i64(0);
        let mut inside = self.bool(true);
        let mut places = Vec::with_capacity(ndim);
        for axis in axes {
            let count = self.i64(ndim as i64);
            let negative = self.icmp_imm(IntCc::Slt, axis, 0);
            let wrapped = self.iadd(axis, count);
            let axis = self.select(negative, wrapped, axis);
            let fits = self.icmp(IntCc::Ult, axis, count);
            inside = self.and(inside, fits);
            let one = self.i64(1);
            let bit = self.ibin(BinaryOp::Shl, one, axis);
            seen = self.or(seen, bit);
            places.push(axis);
        }
        self.guard(
            inside,
            GuardKind::Check,
            Raise::value("axes don't match array"),
        )?;
        let all = self.icmp_imm(IntCc::Eq, seen, (1_i64 << ndim) - 1);
        self.guard(
            all,
            GuardKind::Check,
            Raise::value("repeated axis in transpose"),
        )?;
        let pick = |fx: &mut Self, from: &[Value], place: Value| -> Value {
            let mut picked = from[0];
            for (axis, value) in from.iter().enumerate().skip(1) {
                let here = fx.icmp_imm(IntCc::Eq, place, axis as i64);
                picked = fx.select(here, *value, picked);
            }
            picked
        };
        let mut new_shape = Vec::with_capacity(ndim);
        let mut new_strides = Vec::with_capacity(ndim);
        for place in places {
            new_shape.push(pick(self, &array.shape, place));
            new_strides.push(pick(self, &strides, place));
        }
        out.extend(new_shape);
        out.extend(new_strides);
        Ok(out)
    }
}
