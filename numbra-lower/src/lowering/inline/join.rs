//! `np.concatenate`, `np.stack` and their like of a few arrays in a tuple, where they stand: their ranks are known, so that each
//! array is copied by a loop of its own, or in one piece. Arrays whose extents do not fit go to the runtime, which raises, and so
//! do lists, axes that are not constant and elements that are no numbers.

use super::super::array::{ArrayRef, Walk};
use super::super::error::Res;
use super::super::function::{Fx, Val};
use numbra_ir::{ArrayType, Layout, Type};
use numbra_library::{Join, NativeBody};
use numbra_lir::{IntCc, Value};

/// More arrays would be as many loops.
const MOST: usize = 4;

/// Arrays of one rank, new axes made, and what they are joined to.
struct Joined {
    parts: Vec<ArrayRef>,
    axis: usize,
    ty: ArrayType,
}

impl Fx<'_, '_> {
    /// What a native body that joins arrays gives; `None` where it is of other values.
    pub(in super::super) fn joined_arrays(
        &mut self,
        (how, native): (Join, &NativeBody),
        args: &[Val],
        ret: Type,
    ) -> Res<Option<Vec<Value>>> {
        let Some(joined) = self.joined(how, args, ret)? else {
            return Ok(None);
        };
        let mut fits = self.bool(true);
        let (first, others) = (&joined.parts[0], &joined.parts[1..]);
        for (axis, extent) in first.shape.iter().enumerate() {
            for other in others.iter().filter(|_| axis != joined.axis) {
                let same = self.icmp(IntCc::Eq, *extent, other.shape[axis]);
                fits = self.and(fits, same);
            }
        }
        // Where the extents have no sum, the call says so.
        let mut total = first.shape[joined.axis];
        for other in others {
            total = self.iadd(total, other.shape[joined.axis]);
            let is_extent = self.icmp_imm(IntCc::Sge, total, 0);
            fits = self.and(fits, is_extent);
        }
        let tys = self.leaf_types(ret)?;
        let join = |fx: &mut Self| fx.join(&joined);
        let call = |fx: &mut Self| fx.native_in(native.symbol, args, ret, false);
        let leaves = self.if_else(fits, &tys, join, call)?;
        self.keep(joined.parts.iter().map(|part| part.owner).collect());
        Ok(Some(leaves))
    }

    fn joined(&mut self, how: Join, args: &[Val], ret: Type) -> Res<Option<Joined>> {
        let (tuple, given) = match (how.has_axis(), args) {
            (true, [tuple, axis]) => {
                let axis = axis.leaves.first().and_then(|axis| self.const_of(*axis));
                let Some(axis) = axis else {
                    return Ok(None);
                };
                (tuple, axis)
            }
            (false, [tuple]) => (tuple, 0),
            _ => return Ok(None),
        };
        let (Some(items), Some(ty)) = (self.types.tuple_items(tuple.ty), self.types.as_array(ret))
        else {
            return Ok(None);
        };
        let (items, ty) = (items.to_vec(), ty);
        let are_numbers = items.iter().all(|item| {
            let array = self.types.as_array(*item);
            array.is_some_and(|array| self.types.as_scalar(array.dtype).is_some())
        });
        let is_number = self.types.as_scalar(ty.dtype).is_some();
        if items.is_empty() || items.len() > MOST || !are_numbers || !is_number {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(items.len());
        let mut leaves = tuple.leaves.as_slice();
        for item in items {
            let (own, rest) = leaves.split_at(self.leaf_count(item)?);
            leaves = rest;
            parts.push(self.array(&Val::new(item, own.to_vec()))?);
        }
        let given = match given {
            ..0 => given + i128::from(ty.ndim),
            0.. => given,
        };
        let Ok(given) = usize::try_from(given) else {
            return Ok(None);
        };
        let axis = how.axis(given, parts[0].shape.len());
        if axis >= usize::from(ty.ndim) {
            return Ok(None);
        }
        for part in &mut parts {
            for at in how.new_axes(given, part.shape.len()) {
                let (one, none) = (self.i64(1), self.i64(0));
                part.shape.insert(at, one);
                part.strides.insert(at, none);
                part.ty.ndim += 1;
                // Rows one after another stay so.
                if part.ty.layout != Layout::C {
                    part.ty.layout = Layout::A;
                }
            }
        }
        let same_rank = parts.iter().all(|part| part.ty.ndim == ty.ndim);
        Ok(same_rank.then_some(Joined { parts, axis, ty }))
    }

    /// A new array of all, one after another along the axis.
    fn join(&mut self, joined: &Joined) -> Res<Vec<Value>> {
        let Joined { parts, axis, ty } = joined;
        let (axis, ty) = (*axis, *ty);
        let mut shape = parts[0].shape.clone();
        for part in &parts[1..] {
            shape[axis] = self.iadd(shape[axis], part.shape[axis]);
        }
        let made = self.new_array(ty, shape, false)?;
        // Of whole rows a part is one run.
        let layout = match ty.layout {
            Layout::C if axis == 0 => Layout::C,
            _ => Layout::A,
        };
        let mut to = ArrayRef {
            ty: ArrayType { layout, ..ty },
            ..made.clone()
        };
        for part in parts {
            to.shape.clone_from(&part.shape);
            self.copy_part(&to, part)?;
            let bytes = self.imul(to.strides[axis], part.shape[axis]);
            to.data = self.ptr_add(to.data, bytes);
        }
        Ok(made.leaves())
    }

    fn copy_part(&mut self, to: &ArrayRef, part: &ArrayRef) -> Res<()> {
        if to.ty.layout == Layout::C && part.ty.layout == Layout::C {
            return self.copy_elements(to, part);
        }
        let walks = [to, part].map(|array| Walk {
            data: array.data,
            strides: array.strides.clone(),
        });
        // An axis of one index needs no loop.
        let axes = 0..to.shape.len();
        let axes: Vec<usize> = axes
            .filter(|axis| self.const_of(to.shape[*axis]) != Some(1))
            .collect();
        self.nest(&to.shape, &axes, &walks, &mut |fx, at| {
            let item = fx.load_element(part, at[1])?;
            let item = fx.cast(&item, to.ty.dtype)?;
            fx.store_element(to, at[0], &item);
            Ok(())
        })
    }
}
