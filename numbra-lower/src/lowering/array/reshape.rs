//! Views with another shape.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::message::Piece;
use super::super::raise::Raise;
use super::element::ArrayRef;
use numbra_ir::{ArrayType, Layout, Type};
use numbra_lir::{BinaryOp, GuardKind, IntCc, Value};

impl Fx<'_, '_> {
    /// Extents given as one tuple or one by one, as `i64`.
    pub(super) fn integers(&mut self, args: &[Val]) -> Res<Vec<Value>> {
        let items = match args {
            [one] if self.types.tuple_items(one.ty).is_some() => self.items(one)?,
            many => many.to_vec(),
        };
        items.iter().map(|item| self.extent_value(item)).collect()
    }

    /// `x.reshape(shape)`: the elements in C order, whatever the layout.
    ///
    /// A view where strides say where the elements lie, else a copy; where nothing can be allocated NotImplementedError, as
    /// Numba has it.
    pub(in super::super) fn array_reshape(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let Some((array, shape)) = args.split_first() else {
            return Err(Fault::bug("a reshape of nothing"));
        };
        let array = self.array(array)?;
        let to = self.result_array(ret)?;
        let shape = self.integers(shape)?;
        if shape.len() != usize::from(to.ndim) {
            return Err(Fault::bug("a reshape to another rank than its type has"));
        }
        let shape = self.new_extents(&array, shape)?;
        let in_order = self.c_strides(&shape, array.item_size());
        let leaves = |owner: [Value; 2], shape: &[Value], strides: &[Value]| {
            let mut out = owner.to_vec();
            out.extend(shape);
            out.extend(strides);
            out
        };
        let own = [array.data, array.owner];
        if array.ty.layout == Layout::C {
            return Ok(leaves(own, &shape, &in_order));
        }
        let (possible, strides) = self.regrouped(&array, &shape, &in_order);
        if self.mx.options.device {
            let raise = Raise::new("NotImplementedError", "incompatible shape for array");
            self.guard(possible, GuardKind::Check, raise)?;
            return Ok(leaves(own, &shape, &strides));
        }
        let line = ArrayType {
            ndim: 1,
            layout: Layout::C,
            mutable: true,
            aligned: true,
            ..array.ty
        };
        let tys = self.leaf_types(ret)?;
        self.if_else(
            possible,
            &tys,
            |_| Ok(leaves(own, &shape, &strides)),
            |fx| {
                let copy = fx.copy_to(&array, line)?;
                Ok(leaves([copy.data, copy.owner], &shape, &in_order))
            },
        )
    }

    /// The extents of a reshaped array: a negative one stands for what the others leave. ValueError where the number of
    /// elements would be another.
    fn new_extents(&mut self, array: &ArrayRef, mut shape: Vec<Value>) -> Res<Vec<Value>> {
        let size = self.array_size(array);
        let (zero, one) = (self.i64(0), self.i64(1));
        let mut missing = zero;
        let mut given = Vec::with_capacity(shape.len());
        let asked = shape.clone();
        let mut unknown = Vec::with_capacity(shape.len());
        for extent in &shape {
            let open = self.icmp_imm(IntCc::Slt, *extent, 0);
            given.push(self.select(open, one, *extent));
            let count = self.select(open, one, zero);
            missing = self.iadd(missing, count);
            unknown.push(open);
        }
        let (product, overflow) = self.checked_product(&given);
        let none = self.icmp_imm(IntCc::Eq, product, 0);
        let divisor = self.select(none, one, product);
        let quotient = self.ibin(BinaryOp::SDiv, size, divisor);
        for (extent, open) in shape.iter_mut().zip(unknown) {
            *extent = self.select(open, quotient, *extent);
        }
        let complete = self.icmp_imm(IntCc::Eq, missing, 0);
        let count = self.select(complete, one, quotient);
        let total = self.imul(product, count);
        let mut valid = self.icmp(IntCc::Eq, total, size);
        if shape.len() > 1 {
            let at_most_one = self.icmp_imm(IntCc::Sle, missing, 1);
            let several = Raise::value("can only specify one unknown dimension");
            self.guard(at_most_one, GuardKind::Check, several)?;
        }
        // Nothing times anything is nothing: no extent follows from that.
        let some = self.not(none);
        let follows = self.or(complete, some);
        valid = self.and(valid, follows);
        let fits = self.not(overflow);
        valid = self.and(valid, fits);
        let changed = "total size of new array must be unchanged";
        self.guard_message(
            valid,
            GuardKind::Check,
            "ValueError",
            changed,
            &[
                Piece::Text(changed),
                Piece::Text(": cannot reshape array of size "),
                Piece::Number(size, true),
                Piece::Text(" into shape "),
                Piece::Tuple(&asked),
            ],
        )?;
        Ok(shape)
    }

    /// Strides with which the elements stand in C order in another shape of as many elements, and whether there are any:
    /// NumPy's `_attempt_nocopy_reshape`, without its loops.
    ///
    /// Element `k` of the C order is one step of axis `i` further than element `k - Q[i]`, where `Q[i]` is the product of the
    /// extents behind `i`; likewise `P[j]` for the new axes. A new axis takes its steps on the old one in whose range
    /// `Q[i] <= P[j] < Q[i-1]` they begin. That holds for the whole axis if every old axis that begins inside of it goes on
    /// in the same steps.
    fn regrouped(
        &mut self,
        array: &ArrayRef,
        shape: &[Value],
        in_order: &[Value],
    ) -> (Value, Vec<Value>) {
        let behind = |fx: &mut Self, extents: &[Value]| {
            let mut product = fx.i64(1);
            let mut out = vec![(product, product); extents.len()];
            for axis in (0..extents.len()).rev() {
                let with = fx.imul(product, extents[axis]);
                out[axis] = (product, with);
                product = with;
            }
            (out, product)
        };
        let (old, size) = behind(self, &array.shape);
        let (new, _) = behind(self, shape);
        let none = self.icmp_imm(IntCc::Eq, size, 0);
        let one = self.i64(1);
        let mut possible = self.bool(true);
        let mut strides = Vec::with_capacity(shape.len());
        for (&(p, p_end), &default) in new.iter().zip(in_order) {
            // An axis of one element takes no steps: any stride will do, and no old axis may be found.
            let (mut step, mut per) = (default, p);
            for (&(q, q_end), &stride) in old.iter().zip(&array.strides) {
                let begins = self.icmp(IntCc::Sle, q, p);
                let ends = self.icmp(IntCc::Slt, p, q_end);
                let inside = self.and(begins, ends);
                step = self.select(inside, stride, step);
                per = self.select(inside, q, per);
            }
            let far = self.imul(step, p);
            let is_nothing = self.icmp_imm(IntCc::Eq, per, 0);
            let per = self.select(is_nothing, one, per);
            let stride = self.ibin(BinaryOp::SDiv, far, per);
            for (&(q, q_end), &own) in old.iter().zip(&array.strides) {
                let behind_begin = self.icmp(IntCc::Sgt, q, p);
                let before_end = self.icmp(IntCc::Slt, q, p_end);
                let single = self.icmp(IntCc::Eq, q, q_end);
                let several = self.not(single);
                let (due, is) = (self.imul(stride, q), self.imul(own, p));
                let differs = self.icmp(IntCc::Ne, due, is);
                let breaks = {
                    let within = self.and(behind_begin, before_end);
                    let counts = self.and(within, several);
                    self.and(counts, differs)
                };
                let fine = self.not(breaks);
                possible = self.and(possible, fine);
            }
            strides.push(self.select(none, default, stride));
        }
        (self.or(possible, none), strides)
    }

    /// The elements in C order with one axis: a view of a contiguous array, else a copy.
    pub(in super::super) fn array_ravel(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let to = self.result_array(ret)?;
        self.flattened(&array, to)
    }
}
