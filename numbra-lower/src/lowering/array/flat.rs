//! `x.flat`: the elements in C order.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::iterate::STATE;
use super::element::ArrayRef;
use numbra_ir::{ArrayType, Layout, Type, TypeKind};
use numbra_lir::{BinaryOp, IntCc, Ty, Value};

/// Byte of the offset of the present row in the state of an iterator over an array of several axes.
const ROW: i32 = 8;

/// Byte of the number of rows behind the present one.
const BEHIND: i32 = 16;

/// Byte of the index of the present row, a word for each axis but the last.
const INDEX: i32 = 24;

impl Fx<'_, '_> {
    /// The address of element `index` in C order.
    fn flat_address(&mut self, array: &ArrayRef, index: &Val) -> Res<Value> {
        let num = self.num(index)?;
        let at = self.int_to(num.re, Ty::I64, num.is_signed());
        let size = self.array_size(array);
        let at = self.wrap_index(at, num.is_signed(), None, size)?;
        if array.ty.layout == Layout::C || array.shape.len() == 1 {
            let stride = match array.strides.last() {
                Some(stride) => *stride,
                None => self.i64(0),
            };
            let offset = self.imul(at, stride);
            return Ok(self.ptr_add(array.data, offset));
        }
        let mut left = at;
        let mut data = array.data;
        for axis in (0..array.shape.len()).rev() {
            let position = if axis == 0 {
                left
            } else {
                self.ibin(BinaryOp::URem, left, array.shape[axis])
            };
            left = self.ibin(BinaryOp::UDiv, left, array.shape[axis]);
            let offset = self.imul(position, array.strides[axis]);
            data = self.ptr_add(data, offset);
        }
        Ok(data)
    }

    /// `x.flat[i]`
    pub(in super::super) fn flat_get(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let [array, index] = args else {
            return Err(Fault::bug("`flat[i]` with another number of operands"));
        };
        let array = self.array(array)?;
        let at = self.flat_address(&array, index)?;
        let item = self.load_element(&array, at)?;
        self.cast(&item, ret)
    }

    /// `x.flat[i] = v`
    pub(in super::super) fn flat_set(&mut self, args: &[Val]) -> Res<()> {
        let [array, index, value] = args else {
            return Err(Fault::bug("`flat[i] = v` with another number of operands"));
        };
        let array = self.array(array)?;
        let at = self.flat_address(&array, index)?;
        let value = self.cast(value, array.ty.dtype)?;
        self.store_element(&array, at, &value);
        Ok(())
    }

    /// `iter(x.flat)`, and `np.ndenumerate(x)` if the type says so. Nothing is copied: the elements are read when it is their
    /// turn.
    pub(in super::super) fn flat_iter(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        let array = self.array(value)?;
        let leaves = match self.types.kind(ret) {
            TypeKind::FlatIter { indexed, .. } => return Ok(self.rows_iter(array, *indexed)),
            TypeKind::ArrayIter(_) if array.ty.ndim == 1 => array.leaves(),
            TypeKind::ArrayIter(_) if array.ty.ndim == 0 || array.ty.layout == Layout::C => {
                let size = self.array_size(&array);
                let step = self.i64(array.item_size());
                vec![array.data, array.owner, size, step]
            }
            _ => {
                return Err(Fault::bug(format!("`flat` iterates as {}", self.show(ret))));
            }
        };
        Ok(self.array_iter(&leaves))
    }

    /// An iterator over the elements of an array of several axes, row by row. Without indices, elements without gaps are one row.
    fn rows_iter(&mut self, mut array: ArrayRef, indexed: bool) -> Vec<Value> {
        let size = self.array_size(&array);
        let last = array.shape.len() - 1;
        if !indexed && array.ty.layout == Layout::A {
            let dense = self.is_contiguous(&array, Layout::C);
            let (one, step) = (self.i64(1), self.i64(array.item_size()));
            for axis in 0..last {
                array.shape[axis] = self.select(dense, one, array.shape[axis]);
            }
            array.shape[last] = self.select(dense, size, array.shape[last]);
            array.strides[last] = self.select(dense, step, array.strides[last]);
        }
        // Where there are no elements, there is one row without any.
        let (zero, one) = (self.i64(0), self.i64(1));
        let empty = self.icmp_imm(IntCc::Eq, size, 0);
        array.shape[last] = self.select(empty, zero, array.shape[last]);
        let rows = self.product(&array.shape[..last]);
        let behind = self.isub(rows, one);
        let behind = self.select(empty, zero, behind);
        let mut words = vec![zero; INDEX as usize / 8 + last];
        words[BEHIND as usize / 8] = behind;
        let mut out = vec![self.state(&words)];
        out.extend(array.leaves());
        out
    }

    /// The next element, behind its index if `indexed`, and whether there is one.
    ///
    /// A row is left where its end is met, not before, so that a `for` statement is a loop over a row in a loop over the rows.
    pub(in super::super) fn flat_next(
        &mut self,
        state: Value,
        array: &ArrayRef,
        indexed: bool,
    ) -> Res<Vec<Value>> {
        let last = array.shape.len() - 1;
        let (zero, one) = (self.i64(0), self.i64(1));
        let [head, inside, end, next, none, done] = [(); 6].map(|()| self.new_block());
        self.jump(head, Vec::new());
        self.enter(head);
        let at = self.load(Ty::I64, state, 0, STATE);
        let more = self.icmp(IntCc::Slt, at, array.shape[last]);
        self.brif(more, (inside, Vec::new()), (end, Vec::new()));

        self.enter(end);
        self.mark_cold();
        let behind = self.load(Ty::I64, state, BEHIND, STATE);
        let some = self.icmp_imm(IntCc::Ne, behind, 0);
        self.brif(some, (next, Vec::new()), (none, Vec::new()));

        self.enter(next);
        self.mark_cold();
        let behind = self.isub(behind, one);
        self.store(state, BEHIND, behind, STATE);
        self.store(state, 0, zero, STATE);
        self.step_row(state, &array.shape[..last])?;
        let mut row = zero;
        for axis in 0..last {
            let at = self.load(Ty::I64, state, INDEX + 8 * axis as i32, STATE);
            let offset = self.imul(at, array.strides[axis]);
            row = self.iadd(row, offset);
        }
        self.store(state, ROW, row, STATE);
        self.jump(head, Vec::new());

        self.enter(inside);
        let after = self.iadd(at, one);
        self.store(state, 0, after, STATE);
        let mut out = Vec::new();
        if indexed {
            for axis in 0..last {
                out.push(self.load(Ty::I64, state, INDEX + 8 * axis as i32, STATE));
            }
            out.push(at);
        }
        let row = self.load(Ty::I64, state, ROW, STATE);
        let data = self.ptr_add(array.data, row);
        let offset = self.imul(at, array.strides[last]);
        let data = self.ptr_add(data, offset);
        out.extend(self.load_element(array, data)?.leaves);
        out.push(self.bool(true));
        let tys: Vec<Ty> = out.iter().map(|value| self.ty(*value)).collect();
        self.jump(done, out);

        self.enter(none);
        let zeros = tys.iter().map(|ty| self.zero(*ty)).collect();
        self.jump(done, zeros);

        self.enter(done);
        Ok(tys
            .into_iter()
            .map(|ty| self.func.push_param(done, ty))
            .collect())
    }

    /// Steps the index of the row, of which there is another.
    fn step_row(&mut self, state: Value, extents: &[Value]) -> Res<()> {
        let Some((&extent, outer)) = extents.split_last() else {
            return Ok(());
        };
        let place = INDEX + 8 * outer.len() as i32;
        let one = self.i64(1);
        let now = self.load(Ty::I64, state, place, STATE);
        let after = self.iadd(now, one);
        if outer.is_empty() {
            self.store(state, place, after, STATE);
            return Ok(());
        }
        let full = self.icmp(IntCc::Sge, after, extent);
        self.if_else(
            full,
            &[],
            |fx| {
                let zero = fx.i64(0);
                fx.store(state, place, zero, STATE);
                fx.step_row(state, outer)?;
                Ok::<_, Fault>(Vec::new())
            },
            |fx| {
                fx.store(state, place, after, STATE);
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    /// The elements in C order as an array of one axis: a view where that is possible, else a copy.
    pub(in super::super) fn flattened(
        &mut self,
        array: &ArrayRef,
        to: ArrayType,
    ) -> Res<Vec<Value>> {
        let size = self.array_size(array);
        let step = self.i64(array.item_size());
        let view = vec![array.data, array.owner, size, step];
        if array.ty.layout == Layout::C {
            return Ok(view);
        }
        let contiguous = self.is_contiguous(array, Layout::C);
        let tys = [Ty::PTR, Ty::Ref, Ty::I64, Ty::I64];
        self.if_else(
            contiguous,
            &tys,
            |_| Ok(view),
            |fx| Ok(fx.copy_to(array, to)?.leaves()),
        )
    }
}
