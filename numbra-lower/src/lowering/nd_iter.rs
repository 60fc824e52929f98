//! `np.nditer`: the elements of arrays that are broadcast together, each as an array without axes.
//!
//! An iterator over the indices of the common shape (see `nd_index`), whose axes stand in the order of iteration, and the
//! strides of each operand along them: 0 where it is broadcast.

use super::array::ArrayRef;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::part;
use numbra_ir::{ArrayType, Layout, Type};
use numbra_lir::{AliasClass, IntCc, Ty, Value};

impl Fx<'_, '_> {
    /// `np.nditer(x)`, `np.nditer((x, y, ..))`
    pub(super) fn nd_iter(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let given = match args {
            [one] if self.types.tuple_items(one.ty).is_some() => self.items(one)?,
            many => many.to_vec(),
        };
        let mut operands = Vec::with_capacity(given.len());
        for value in &given {
            operands.push(match self.types.as_array(value.ty) {
                Some(_) => self.array(value)?,
                None => self.number_in_memory(value)?,
            });
        }
        let shapes: Vec<Vec<Value>> = operands.iter().map(|a| a.shape.clone()).collect();
        let mut shape = self.broadcast_shapes(&shapes)?;
        let rank = shape.len();
        let mut whole = operands.iter().filter(|a| a.shape.len() == rank);
        let reversed = rank > 1 && whole.all(|a| a.ty.layout == Layout::F);
        let mut strides = Vec::with_capacity(operands.len());
        for operand in &operands {
            strides.push(self.broadcast_strides(operand, rank));
        }
        if reversed {
            shape.reverse();
            strides.iter_mut().for_each(|s| s.reverse());
        }
        let mut leaves = self.indices_of(&shape);
        for (operand, strides) in operands.iter().zip(strides) {
            leaves.extend([operand.data, operand.owner]);
            leaves.extend(strides);
        }
        if leaves.len() != self.leaf_count(ret)? {
            return Err(Fault::bug("nditer() of other operands than its type has"));
        }
        Ok(leaves)
    }

    /// A number as an array without axes, in this function's frame.
    fn number_in_memory(&mut self, value: &Val) -> Res<ArrayRef> {
        let num = self.num(value)?;
        let size = part(num.kind).size();
        let leaves = num.leaves();
        let slot = self.slot(size * leaves.len() as u32, size, Vec::new());
        let data = self.slot_addr(slot);
        for (i, leaf) in leaves.into_iter().enumerate() {
            let flags = super::emit::flags(AliasClass::ARRAY, size);
            self.store(data, i as i32 * size as i32, leaf, flags);
        }
        let owner = self.zero(Ty::Ref);
        let ty = ArrayType {
            dtype: self.types.scalar(num.kind),
            ndim: 0,
            layout: Layout::C,
            mutable: true,
            aligned: true,
        };
        self.array_of(ty, &[data, owner])
    }

    /// Strides along the axes of the common shape.
    fn broadcast_strides(&mut self, array: &ArrayRef, rank: usize) -> Vec<Value> {
        let zero = self.i64(0);
        let mut strides = vec![zero; rank - array.shape.len()];
        for (extent, stride) in array.shape.iter().zip(&array.strides) {
            let single = self.icmp_imm(IntCc::Eq, *extent, 1);
            strides.push(self.select(single, zero, *stride));
        }
        strides
    }

    /// The next elements and whether there are any.
    pub(super) fn nd_iter_next(
        &mut self,
        leaves: &[Value],
        rank: usize,
        count: usize,
    ) -> Res<Vec<Value>> {
        let (indices, operands) = leaves.split_at(1 + 2 * rank);
        let mut index = self.nd_index_next(indices)?;
        let more = index.pop();
        let mut out = Vec::with_capacity(2 * count + 1);
        for operand in operands.chunks(2 + rank) {
            let mut data = operand[0];
            for (at, stride) in index.iter().zip(&operand[2..]) {
                let offset = self.imul(*at, *stride);
                data = self.ptr_add(data, offset);
            }
            out.extend([data, operand[1]]);
        }
        out.extend(more);
        Ok(out)
    }
}
