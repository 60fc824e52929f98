//! Views with another order or number of axes. Axes may be known at run time only: a place is picked by comparing.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::message::Piece;
use super::super::raise::Raise;
use numbra_ir::Type;
use numbra_lir::{BinaryOp, GuardKind, IntCc, Value};

impl Fx<'_, '_> {
    /// `x.transpose(axes)`
    pub(in super::super) fn array_transpose(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let Some((value, axes)) = args.split_first() else {
            return Err(Fault::bug("a transpose of nothing"));
        };
        let array = self.array(value)?;
        let ndim = array.shape.len();
        let reversed = match axes {
            [] => true,
            [one] => self.types.is_none(one.ty),
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
        let mut places = Vec::with_capacity(ndim);
        for given in axes {
            let (axis, inside) = self.axis_from_start(given, ndim);
            self.guard_axis(inside, given, ndim, None)?;
            let one = self.i64(1);
            let bit = self.ibin(BinaryOp::Shl, one, axis);
            seen = self.or(seen, bit);
            places.push(axis);
        }
        let all = self.icmp_imm(IntCc::Eq, seen, (1_i64 << ndim) - 1);
        self.guard(
            all,
            GuardKind::Check,
            Raise::value("repeated axis in transpose"),
        )?;
        let shape = self.pick_all(&array.shape, &places);
        let strides = self.pick_all(&strides, &places);
        out.extend(shape);
        out.extend(strides);
        Ok(out)
    }

    /// `np.swapaxes(x, axis1, axis2)`
    pub(in super::super) fn array_swap_axes(&mut self, args: &[Val]) -> Res<Vec<Value>> {
        let [value, first, second] = args else {
            return Err(Fault::bug("two axes are exchanged"));
        };
        let array = self.array(value)?;
        let ndim = array.shape.len();
        let mut axes = Vec::with_capacity(2);
        for (axis, name) in [(first, "axis1"), (second, "axis2")] {
            let given = self.index_value(axis)?;
            let (axis, inside) = self.axis_from_start(given, ndim);
            let prefix = format!("np.swapaxes: Argument {name} out of bounds");
            self.guard_axis(inside, given, ndim, Some(&prefix))?;
            axes.push(axis);
        }
        let mut places = Vec::with_capacity(ndim);
        for axis in 0..ndim {
            let here = self.i64(axis as i64);
            let is_first = self.icmp(IntCc::Eq, axes[0], here);
            let is_second = self.icmp(IntCc::Eq, axes[1], here);
            let place = self.select(is_second, axes[0], here);
            places.push(self.select(is_first, axes[1], place));
        }
        let shape = self.pick_all(&array.shape, &places);
        let strides = self.pick_all(&array.strides, &places);
        let mut out = vec![array.data, array.owner];
        out.extend(shape);
        out.extend(strides);
        Ok(out)
    }

    /// `np.expand_dims(x, axis)` of one axis. The new axis is as long in memory as those behind it, so that a contiguous array
    /// stays one.
    pub(in super::super) fn array_expand_dims(&mut self, args: &[Val]) -> Res<Vec<Value>> {
        let [value, axis] = args else {
            return Err(Fault::bug("one axis is made"));
        };
        let array = self.array(value)?;
        let ndim = array.shape.len() + 1;
        let given = self.index_value(axis)?;
        let (axis, inside) = self.axis_from_start(given, ndim);
        self.guard_axis(inside, given, ndim, None)?;
        let one = self.i64(1);
        let mut shape = Vec::with_capacity(ndim);
        let mut strides = Vec::with_capacity(ndim);
        for at in 0..ndim {
            let here = self.icmp_imm(IntCc::Eq, axis, at as i64);
            let before = self.icmp_imm(IntCc::Slt, axis, at as i64);
            // What stands here if the new axis stands behind it, and if it stands here.
            let (mut extent, mut stride, behind) = match array.shape.get(at) {
                Some(extent) => {
                    let behind = self.imul(*extent, array.strides[at]);
                    (*extent, array.strides[at], behind)
                }
                None => (one, one, self.i64(array.item_size())),
            };
            if at > 0 {
                extent = self.select(before, array.shape[at - 1], extent);
                stride = self.select(before, array.strides[at - 1], stride);
            }
            shape.push(self.select(here, one, extent));
            strides.push(self.select(here, behind, stride));
        }
        let mut out = vec![array.data, array.owner];
        out.extend(shape);
        out.extend(strides);
        Ok(out)
    }

    /// `np.broadcast_to(x, shape)`: axes of one index, and those in front, get stride 0.
    pub(in super::super) fn array_broadcast_to(
        &mut self,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let Some((value, shape)) = args.split_first() else {
            return Err(Fault::bug("a broadcast of nothing"));
        };
        let array = self.array(value)?;
        let shape = self.integers(shape)?;
        let Some(more) = shape.len().checked_sub(array.shape.len()) else {
            let never = self.bool(false);
            let raise = Raise::value(
                "input operand has more dimensions than allowed by the axis remapping",
            );
            self.guard(never, GuardKind::Check, raise)?;
            return self.zeros(ret);
        };
        let zero = self.i64(0);
        let mut counts = self.bool(true);
        let mut fits = self.bool(true);
        let mut strides = vec![zero; more];
        for extent in &shape {
            let is_count = self.icmp_imm(IntCc::Sge, *extent, 0);
            counts = self.and(counts, is_count);
        }
        for ((from, stride), to) in array.shape.iter().zip(&array.strides).zip(&shape[more..]) {
            let same = self.icmp(IntCc::Eq, *from, *to);
            let single = self.icmp_imm(IntCc::Eq, *from, 1);
            let either = self.or(same, single);
            fits = self.and(fits, either);
            strides.push(self.select(same, *stride, zero));
        }
        let negative = Raise::value("all elements of broadcast shape must be non-negative");
        self.guard(counts, GuardKind::Check, negative)?;
        let remapped = "operands could not be broadcast together with remapped shapes";
        self.guard_message(
            fits,
            GuardKind::Check,
            "ValueError",
            remapped,
            &[
                Piece::Text(remapped),
                Piece::Text(" [original->remapped]: "),
                Piece::Shape(&array.shape),
                Piece::Text(" and requested shape "),
                Piece::Shape(&shape),
            ],
        )?;
        self.guard_size(&shape, array.item_size())?;
        let mut out = vec![array.data, array.owner];
        out.extend(shape);
        out.extend(strides);
        Ok(out)
    }

    /// An axis that counts from the end where it is negative, and whether there is one.
    fn axis_from_start(&mut self, axis: Value, ndim: usize) -> (Value, Value) {
        let count = self.i64(ndim as i64);
        let negative = self.icmp_imm(IntCc::Slt, axis, 0);
        let wrapped = self.iadd(axis, count);
        let axis = self.select(negative, wrapped, axis);
        let fits = self.icmp(IntCc::Ult, axis, count);
        (axis, fits)
    }

    /// `from[place]` for each place; the first one for a place that is not there.
    fn pick_all(&mut self, from: &[Value], places: &[Value]) -> Vec<Value> {
        let mut out = Vec::with_capacity(places.len());
        for place in places {
            let mut picked = from[0];
            for (axis, value) in from.iter().enumerate().skip(1) {
                let here = self.icmp_imm(IntCc::Eq, *place, axis as i64);
                picked = self.select(here, *value, picked);
            }
            out.push(picked);
        }
        out
    }
}
