//! Loops over the elements of operands of one shape.

use super::super::error::Res;
use super::super::function::Fx;
use numbra_lir::{IntCc, Value};

/// Memory that a loop nest walks: where it starts, and bytes from one index to the next for each axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Walk {
    pub(in super::super) data: Value,
    pub(in super::super) strides: Vec<Value>,
}

impl Fx<'_, '_> {
    /// Runs `body` for each index of `shape`, in the order of `axes` from the outermost in, with the address of the
    /// element in each operand.
    pub(in super::super) fn nest(
        &mut self,
        shape: &[Value],
        axes: &[usize],
        operands: &[Walk],
        body: &mut dyn FnMut(&mut Self, &[Value]) -> Res<()>,
    ) -> Res<()> {
        let start: Vec<Value> = operands.iter().map(|o| o.data).collect();
        let mut shape = shape.to_vec();
        if let Some((&outer, inner)) = axes.split_first() {
            shape[outer] =
                self.none_where_empty(shape[outer], inner.iter().map(|&axis| shape[axis]));
        }
        self.nest_from(&shape, axes, operands, &start, body)
    }

    /// `count`, or zero where one of the `inner` extents is: an array without elements may have 2^60 rows, which a
    /// loop need not visit.
    fn none_where_empty(&mut self, count: Value, inner: impl Iterator<Item = Value>) -> Value {
        let mut empty = None;
        for extent in inner {
            if self.const_of(extent).is_some_and(|extent| extent != 0) {
                continue;
            }
            let here = self.icmp_imm(IntCc::Eq, extent, 0);
            empty = Some(match empty {
                Some(empty) => self.or(empty, here),
                None => here,
            });
        }
        let Some(empty) = empty else {
            return count;
        };
        let none = self.i64(0);
        self.select(empty, none, count)
    }

    fn nest_from(
        &mut self,
        shape: &[Value],
        axes: &[usize],
        operands: &[Walk],
        at: &[Value],
        body: &mut dyn FnMut(&mut Self, &[Value]) -> Res<()>,
    ) -> Res<()> {
        let Some((&axis, inner)) = axes.split_first() else {
            return body(self, at);
        };
        self.count_loop(shape[axis], Vec::new(), |fx, index, _| {
            let mut next = Vec::with_capacity(at.len());
            for (operand, base) in operands.iter().zip(at) {
                let offset = fx.imul(index, operand.strides[axis]);
                next.push(fx.ptr_add(*base, offset));
            }
            fx.nest_from(shape, inner, operands, &next, body)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Runs `body` for each of `count` consecutive elements of every operand, whose elements have these sizes.
    pub(in super::super) fn flat_loop(
        &mut self,
        count: Value,
        operands: &[(Value, i64)],
        body: &mut dyn FnMut(&mut Self, &[Value]) -> Res<()>,
    ) -> Res<()> {
        self.count_loop(count, Vec::new(), |fx, index, _| {
            let mut at = Vec::with_capacity(operands.len());
            for (base, size) in operands {
                let size = fx.i64(*size);
                let offset = fx.imul(index, size);
                at.push(fx.ptr_add(*base, offset));
            }
            body(fx, &at)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
