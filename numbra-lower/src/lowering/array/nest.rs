//! Loops over the elements of operands of one shape.

use super::super::error::Res;
use super::super::function::Fx;
use crate::lir::Value;

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
        self.nest_from(shape, axes, operands, &start, body)
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
