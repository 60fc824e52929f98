//! Item assignment and copies between arrays.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::message::Piece;
use super::element::ArrayRef;
use super::index::View;
use super::nest::Walk;
use numbra_ir::{ArrayType, Layout, Type};
use numbra_library::native::bodies;
use numbra_lir::{AliasClass, BinaryOp, ConvertOp, GuardKind, InstKind, IntCc, Ty, Value};

impl Fx<'_, '_> {
    /// `x[i] = v`
    pub(in super::super) fn array_set(&mut self, args: &[Val]) -> Res<()> {
        let [array, index, value] = args else {
            return Err(Fault::bug(
                "an array assignment with another number of operands",
            ));
        };
        let array = self.array(array)?;
        let view = self.view(&array, index)?;
        if self.types.as_array(value.ty).is_none() {
            let value = self.cast(value, array.ty.dtype)?;
            return self.fill_view(&array, &view, &value);
        }
        let value = self.array(value)?;
        self.assign_view(&array, view, &value)
    }

    /// `x[mask] = v`
    pub(in super::super) fn array_set_mask(&mut self, args: &[Val], ret: Type) -> Res<()> {
        let [array, mask, value] = args else {
            return Err(Fault::bug(
                "an array assignment with another number of operands",
            ));
        };
        let (to, by) = (self.array(array)?, self.array(mask)?);
        let leaves = self.cast(value, to.ty.dtype)?;
        let mut fits = self.bool(true);
        for (own, other) in to.shape.iter().zip(&by.shape) {
            let same = self.icmp(IntCc::Eq, *own, *other);
            fits = self.and(fits, same);
        }
        self.if_else(
            fits,
            &[],
            |fx| {
                let by = fx.apart_from(&to, &by)?;
                let walks = [&to, &by].map(|array| Walk {
                    data: array.data,
                    strides: array.strides.clone(),
                });
                let axes: Vec<usize> = match to.ty.layout {
                    Layout::F => (0..to.shape.len()).rev().collect(),
                    Layout::C | Layout::A => (0..to.shape.len()).collect(),
                };
                fx.note_elements(&to.shape);
                fx.nest_spread(&to.shape, &axes, &walks, &mut |fx, at| {
                    let set = fx.load_element(&by, at[1])?;
                    let set = fx.truth(&set)?;
                    fx.if_else(
                        set,
                        &[],
                        |fx| {
                            fx.store_element(&to, at[0], &leaves);
                            Ok::<_, Fault>(Vec::new())
                        },
                        |_| Ok(Vec::new()),
                    )?;
                    Ok(())
                })?;
                fx.keep(vec![by.owner]);
                Ok::<_, Fault>(Vec::new())
            },
            // The error that says where they differ.
            |fx| fx.native(bodies::SET_INDEX, args, ret).map(|_| Vec::new()),
        )?;
        Ok(())
    }

    pub(in super::super) fn fill_view(
        &mut self,
        array: &ArrayRef,
        view: &View,
        value: &[Value],
    ) -> Res<()> {
        let walk = Walk {
            data: view.data,
            strides: view.strides.clone(),
        };
        let axes: Vec<usize> = (0..view.shape.len()).collect();
        self.note_elements(&view.shape);
        self.nest_spread(&view.shape, &axes, &[walk], &mut |fx, at| {
            fx.store_element(array, at[0], value);
            Ok(())
        })
    }

    /// Broadcasts `value` into the view, as if it were copied first where the two overlap. Axes that it has in front of those of
    /// the view must have one item.
    pub(in super::super) fn assign_view(
        &mut self,
        array: &ArrayRef,
        view: View,
        value: &ArrayRef,
    ) -> Res<()> {
        let rank = view.shape.len();
        let one_size = |fx: &mut Self, n: Value| fx.icmp_imm(IntCc::Eq, n, 1);
        let mut fits = self.bool(true);
        let surplus = value.shape.len().saturating_sub(rank);
        for extent in &value.shape[..surplus] {
            let single = one_size(self, *extent);
            fits = self.and(fits, single);
        }
        let value = &value.without_leading(surplus);
        let from_rank = value.shape.len();
        let skip = rank - from_rank;
        for axis in 0..from_rank {
            let (to, from) = (view.shape[skip + axis], value.shape[axis]);
            if to == from {
                continue;
            }
            let same = self.icmp(IntCc::Eq, to, from);
            let single = one_size(self, from);
            let fine = self.or(same, single);
            fits = self.and(fits, fine);
        }
        self.guard_message(
            fits,
            GuardKind::Check,
            "ValueError",
            "cannot assign slice from input of different size",
            &[
                Piece::Text("cannot assign slice of shape "),
                Piece::Tuple(&view.shape),
                Piece::Text(" from input of shape "),
                Piece::Tuple(&value.shape),
            ],
        )?;

        let to = ArrayRef {
            data: view.data,
            shape: view.shape.clone(),
            strides: view.strides.clone(),
            ..array.clone()
        };
        let source = self.apart_from(&to, value)?;
        let mut strides = Vec::with_capacity(rank);
        let zero = self.i64(0);
        for axis in 0..rank {
            if axis < skip {
                strides.push(zero);
                continue;
            }
            let from = value.shape[axis - skip];
            let own = source.strides[axis - skip];
            if from == view.shape[axis] {
                strides.push(own);
                continue;
            }
            let single = one_size(self, from);
            let stride = self.select(single, zero, own);
            strides.push(stride);
        }
        let walks = [
            Walk {
                data: view.data,
                strides: view.strides.clone(),
            },
            Walk {
                data: source.data,
                strides,
            },
        ];
        let walks = if self.mx.options.device {
            self.read_before_written(&view.shape, walks)
        } else {
            walks
        };
        let axes: Vec<usize> = (0..rank).collect();
        self.nest(&view.shape, &axes, &walks, &mut |fx, at| {
            let item = fx.load_element(value, at[1])?;
            let item = fx.cast(&item, array.ty.dtype)?;
            fx.store_element(array, at[0], &item);
            Ok(())
        })?;
        self.keep(vec![source.owner]);
        Ok(())
    }

    /// Walks over target and source in the order in which elements of equal strides are read before they are written: away
    /// from the side to which they move.
    fn read_before_written(&mut self, shape: &[Value], [to, from]: [Walk; 2]) -> [Walk; 2] {
        let is_up = self.icmp(IntCc::Ugt, to.data, from.data);
        let one = self.i64(1);
        let zero = self.i64(0);
        let [mut to, mut from] = [to, from];
        for (axis, extent) in shape.iter().enumerate() {
            let grows = self.icmp_imm(IntCc::Sgt, to.strides[axis], 0);
            let differs = self.xor(is_up, grows);
            let backwards = self.not(differs);
            let last = self.isub(*extent, one);
            for walk in [&mut to, &mut from] {
                let stride = walk.strides[axis];
                let reach = self.imul(last, stride);
                let skip = self.select(backwards, reach, zero);
                walk.data = self.ptr_add(walk.data, skip);
                let opposite = self.isub(zero, stride);
                walk.strides[axis] = self.select(backwards, opposite, stride);
            }
        }
        [to, from]
    }

    /// Lowest and one past the highest address of the elements; equal when there are none.
    fn extent(
        &mut self,
        data: Value,
        shape: &[Value],
        strides: &[Value],
        size: i64,
    ) -> (Value, Value) {
        let start = self.convert(ConvertOp::PtrToInt, data, Ty::I64);
        let zero = self.i64(0);
        let one = self.i64(1);
        let size = self.i64(size);
        let (mut low, mut high) = (start, self.iadd(start, size));
        let mut empty = self.bool(false);
        for (extent, stride) in shape.iter().zip(strides) {
            let last = self.isub(*extent, one);
            let reach = self.imul(last, *stride);
            let down = self.ibin(BinaryOp::SMin, reach, zero);
            let up = self.ibin(BinaryOp::SMax, reach, zero);
            low = self.iadd(low, down);
            high = self.iadd(high, up);
            let none = self.icmp_imm(IntCc::Eq, *extent, 0);
            empty = self.or(empty, none);
        }
        let high = self.select(empty, low, high);
        (low, high)
    }

    /// True if writing `to` may change an element of `from` that is read later: their memory overlaps, and they are not
    /// the very same elements in the same order.
    fn may_overlap(&mut self, to: &ArrayRef, from: &ArrayRef) -> Value {
        let (a, b) = self.extent(to.data, &to.shape, &to.strides, to.item_size());
        let (c, d) = self.extent(from.data, &from.shape, &from.strides, from.item_size());
        let first = self.icmp(IntCc::Ult, a, d);
        let second = self.icmp(IntCc::Ult, c, b);
        let overlap = self.and(first, second);
        if to.strides.len() != from.strides.len() || !self.same_items(to.ty, from.ty) {
            return overlap;
        }
        let mut same = self.icmp(IntCc::Eq, to.data, from.data);
        let pairs = to.strides.iter().zip(&from.strides);
        for (x, y) in pairs.chain(to.shape.iter().zip(&from.shape)) {
            let equal = self.icmp(IntCc::Eq, *x, *y);
            same = self.and(same, equal);
        }
        let differ = self.not(same);
        self.and(overlap, differ)
    }

    /// `from`, or a copy of it where writing `to` may change it. Whoever reads it keeps its owner. Where nothing can be
    /// allocated it is always `from`.
    pub(super) fn apart_from(&mut self, to: &ArrayRef, from: &ArrayRef) -> Res<ArrayRef> {
        if self.mx.options.device {
            return Ok(from.clone());
        }
        let is_same = to.data == from.data && to.shape == from.shape && to.strides == from.strides;
        if is_same && self.same_items(to.ty, from.ty) {
            return Ok(from.clone());
        }
        let overlap = self.may_overlap(to, from);
        let copy_ty = ArrayType {
            layout: match from.ty.layout {
                Layout::F => Layout::F,
                Layout::C | Layout::A => Layout::C,
            },
            mutable: true,
            aligned: true,
            ..from.ty
        };
        let parts = |array: &ArrayRef| {
            let mut out = vec![array.data, array.owner];
            out.extend(&array.strides);
            out
        };
        let mut tys = vec![Ty::PTR, Ty::Ref];
        tys.resize(2 + from.shape.len(), Ty::I64);
        let chosen = self.if_else(
            overlap,
            &tys,
            |fx| Ok(parts(&fx.copy_to(from, copy_ty)?)),
            |_| Ok::<_, Fault>(parts(from)),
        )?;
        Ok(ArrayRef {
            data: chosen[0],
            owner: chosen[1],
            strides: chosen[2..].to_vec(),
            ..from.clone()
        })
    }

    /// Copies the elements of an array into a new one of the same shape, converted.
    pub(in super::super) fn copy_elements(&mut self, to: &ArrayRef, from: &ArrayRef) -> Res<()> {
        let mut convert = |fx: &mut Self, at: &[Value]| -> Res<()> {
            let item = fx.load_element(from, at[1])?;
            let item = fx.cast(&item, to.ty.dtype)?;
            fx.store_element(to, at[0], &item);
            Ok(())
        };
        if to.ty.layout == from.ty.layout && to.ty.layout != Layout::A {
            let count = self.array_size(from);
            if self.same_items(to.ty, from.ty) {
                let size = self.i64(to.item_size());
                let len = self.imul(count, size);
                let kind = InstKind::MemCopy {
                    dst: to.data,
                    src: from.data,
                    len,
                    overlap: false,
                    alias: AliasClass::ARRAY,
                };
                self.inst(kind, &[]);
                return Ok(());
            }
            let operands = [(to.data, to.item_size()), (from.data, from.item_size())];
            return self.flat_loop(count, &operands, &mut convert);
        }
        let walks = [
            Walk {
                data: to.data,
                strides: to.strides.clone(),
            },
            Walk {
                data: from.data,
                strides: from.strides.clone(),
            },
        ];
        let axes: Vec<usize> = (0..to.shape.len()).collect();
        self.nest(&to.shape, &axes, &walks, &mut convert)
    }
}
