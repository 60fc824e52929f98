//! Iteration over every index of a shape: `np.ndindex`, `np.ndenumerate`.
//!
//! The state holds how many indices there were and the next index; the iterator's other leaves are the extents. It counts as
//! iterators of arrays do, so that an index and the element there have one counter.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::iterate::STATE;
use super::raise::Raise;
use numbra_ir::{Type, TypeKind};
use numbra_lir::{GuardKind, IntCc, Ty, Value};

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
        self.guard_size(&shape, 1)?;
        let leaves = self.indices_of(&shape);
        if leaves.len() != self.leaf_count(ret)? {
            return Err(Fault::bug("an index of another rank than its type has"));
        }
        Ok(leaves)
    }

    /// `np.ndenumerate(x)`
    pub(super) fn nd_enumerate(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let parts = match self.types.kind(ret) {
            TypeKind::Zip(parts) => parts,
            TypeKind::FlatIter { .. } => {
                let array = args
                    .first()
                    .ok_or_else(|| Fault::bug("ndenumerate() without an array"))?;
                return self.flat_iter(array, ret);
            }
            _ => {
                return Err(Fault::bug(format!(
                    "ndenumerate() of type {}",
                    self.show(ret)
                )));
            }
        };
        let (Some(array), Some(&elements)) = (args.first(), parts.get(1)) else {
            return Err(Fault::bug("ndenumerate() without an array"));
        };
        let shape = self.array(array)?.shape;
        let mut out = self.indices_of(&shape);
        out.extend(self.flat_iter(array, elements)?);
        // As many of both.
        out.push(self.bool(false));
        Ok(out)
    }

    pub(super) fn indices_of(&mut self, shape: &[Value]) -> Vec<Value> {
        let words = vec![self.i64(0); shape.len() + 1];
        let mut out = vec![self.state(&words)];
        out.extend(shape);
        out.extend(shape);
        out
    }

    /// The next index and whether there is one; the last axis runs fastest.
    pub(super) fn nd_index_next(&mut self, leaves: &[Value]) -> Res<Vec<Value>> {
        let state = leaves[0];
        let extents = &leaves[1..leaves.len().div_ceil(2)];
        let count = self.product(extents);
        let position = self.load(Ty::I64, state, 0, STATE);
        let more = self.icmp(IntCc::Slt, position, count);
        let mut index: Vec<Value> = (1..=extents.len() as i32)
            .map(|word| self.load(Ty::I64, state, 8 * word, STATE))
            .collect();
        self.if_else(
            more,
            &[],
            |fx| {
                let one = fx.i64(1);
                let next = fx.iadd(position, one);
                fx.store(state, 0, next, STATE);
                fx.step_index(state, &index, extents)
            },
            |_| Ok(Vec::new()),
        )?;
        index.push(more);
        Ok(index)
    }

    /// Steps the last axis of the index, and the others where it ends.
    fn step_index(&mut self, state: Value, index: &[Value], extents: &[Value]) -> Res<Vec<Value>> {
        let (Some((&now, outer)), Some((&extent, outer_extents))) =
            (index.split_last(), extents.split_last())
        else {
            return Ok(Vec::new());
        };
        let place = 8 * index.len() as i32;
        let one = self.i64(1);
        let after = self.iadd(now, one);
        if outer.is_empty() {
            self.store(state, place, after, STATE);
            return Ok(Vec::new());
        }
        let full = self.icmp(IntCc::Sge, after, extent);
        self.if_else(
            full,
            &[],
            |fx| {
                // Once in many: a select would make each index wait for the one before.
                fx.mark_cold();
                let zero = fx.i64(0);
                fx.store(state, place, zero, STATE);
                fx.step_index(state, outer, outer_extents)
            },
            |fx| {
                fx.store(state, place, after, STATE);
                Ok(Vec::new())
            },
        )
    }
}
