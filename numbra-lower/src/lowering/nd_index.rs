//! Iteration over every index of a shape: `np.ndindex`, `np.ndenumerate`.
//!
//! The state holds the number of indices that are left and the next index; the iterator's other leaves are the extents.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::iterate::STATE;
use super::raise::Raise;
use crate::lir::{GuardKind, IntCc, Ty, Value};
use numbra_ir::{Type, TypeKind};

impl Fx<'_, '_> {
    /// `np.ndindex(shape)`
    pub(super) fn nd_index(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let extents = match args {
            [one] if self.types.tuple_items(one.ty).is_some() => self.items(one)?,
            many => many.to_vec(),
        };
        let mut shape = Vec::with_capacity(extents.len());
        for extent in &extents {
            let extent = self.index_value(extent)?;
            let valid = self.icmp_imm(IntCc::Sge, extent, 0);
            let raise = Raise::value("negative dimensions are not allowed");
            self.guard(valid, GuardKind::Check, raise)?;
            shape.push(extent);
        }
        let leaves = self.indices_of(&shape);
        if leaves.len() != self.leaf_count(ret)? {
            return Err(Fault::bug("an index of another rank than its type has"));
        }
        Ok(leaves)
    }

    /// `np.ndenumerate(x)`
    pub(super) fn nd_enumerate(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let TypeKind::Zip(parts) = self.types.kind(ret) else {
            return Err(Fault::bug(format!(
                "ndenumerate() of type {}",
                self.show(ret)
            )));
        };
        let (Some(array), Some(&elements)) = (args.first(), parts.get(1)) else {
            return Err(Fault::bug("ndenumerate() without an array"));
        };
        let shape = self.array(array)?.shape;
        let mut out = self.indices_of(&shape);
        out.extend(self.flat_iter(array, elements)?);
        Ok(out)
    }

    pub(super) fn indices_of(&mut self, shape: &[Value]) -> Vec<Value> {
        let zero = self.i64(0);
        let mut words = vec![self.product(shape)];
        words.resize(shape.len() + 1, zero);
        let mut out = vec![self.state(&words)];
        out.extend(shape);
        out.extend(shape);
        out
    }

    /// The next index and whether there is one; the last axis runs fastest.
    pub(super) fn nd_index_next(&mut self, leaves: &[Value]) -> Vec<Value> {
        let state = leaves[0];
        let ndim = (leaves.len() - 1) / 2;
        let left = self.load(Ty::I64, state, 0, STATE);
        let more = self.icmp_imm(IntCc::Ne, left, 0);
        let (zero, one) = (self.i64(0), self.i64(1));
        let step = self.select(more, one, zero);
        let fewer = self.isub(left, step);
        self.store(state, 0, fewer, STATE);
        let mut index = vec![zero; ndim];
        let mut carry = more;
        for axis in (0..ndim).rev() {
            let place = 8 * (axis as i32 + 1);
            let now = self.load(Ty::I64, state, place, STATE);
            let after = self.iadd(now, one);
            let full = self.icmp(IntCc::Sge, after, leaves[1 + axis]);
            let wrapped = self.select(full, zero, after);
            let next = self.select(carry, wrapped, now);
            self.store(state, place, next, STATE);
            carry = self.and(carry, full);
            index[axis] = now;
        }
        index.push(more);
        index
    }
}
