//! Loops over the elements of arrays in functions compiled with `parallel=True`.
//!
//! Elementwise code computes each element from those of the same index, so chunks of elements need nothing of each other.
//! Inside of parallel loops and in library bodies the loops stay as they are.

use super::super::array::Walk;
use super::super::error::Res;
use super::super::function::Fx;
use super::region::Chunked;
use numbra_lir::Value;
use numbra_parallel::{LoopKind, LoopReport};

/// What runs for an element, whose address in each operand is given.
type Body<'a, 'f, 'm> = &'a mut dyn FnMut(&mut Fx<'f, 'm>, &[Value]) -> Res<()>;

impl<'f, 'm> Fx<'f, 'm> {
    /// True where loops over elements are cut into chunks for several threads.
    pub(in super::super) fn is_spread(&self) -> bool {
        self.mx.parallel && !self.in_task && self.site.is_none() && !self.typed.func.is_generator
    }

    /// Reports the loop over elements of this shape that follows as parallel, if it is. Of no axes there is one element.
    pub(in super::super) fn note_elements(&mut self, shape: &[Value]) {
        if !shape.is_empty() {
            self.note_spread(LoopKind::Elements);
        }
    }

    /// As [`Fx::note_elements`], of a loop of any kind.
    pub(in super::super) fn note_spread(&mut self, kind: LoopKind) {
        if self.is_spread() {
            let report = LoopReport::of_elements(&self.typed.func.name, self.span, kind);
            self.mx.element_loops.push(report);
        }
    }

    fn chunks_of(&self, count: Value, inner: Option<Value>) -> Chunked {
        Chunked {
            count,
            init: Vec::new(),
            room: None,
            inner,
            name: format!("{}.parallel", self.typed.func.name),
        }
    }

    /// As [`Fx::flat_loop`], in any order of elements.
    pub(in super::super) fn flat_spread(
        &mut self,
        count: Value,
        operands: &[(Value, i64)],
        body: Body<'_, 'f, 'm>,
    ) -> Res<()> {
        if !self.is_spread() {
            return self.flat_loop(count, operands, body);
        }
        let chunked = self.chunks_of(count, None);
        self.chunked(
            chunked,
            |fx, start, end, _| {
                let mut from = Vec::with_capacity(operands.len());
                for (base, size) in operands {
                    let bytes = fx.i64(*size);
                    let offset = fx.imul(start, bytes);
                    from.push((fx.ptr_add(*base, offset), *size));
                }
                let count = fx.isub(end, start);
                fx.flat_loop(count, &from, body)?;
                Ok(Vec::new())
            },
            |_| Ok(Vec::new()),
            |_, _, _| Ok(Vec::new()),
        )?;
        Ok(())
    }

    /// As [`Fx::nest`], in any order of elements: the outermost axis is cut into chunks.
    pub(in super::super) fn nest_spread(
        &mut self,
        shape: &[Value],
        axes: &[usize],
        operands: &[Walk],
        body: Body<'_, 'f, 'm>,
    ) -> Res<()> {
        let Some((&axis, inner)) = axes.split_first() else {
            return self.nest(shape, axes, operands, body);
        };
        if !self.is_spread() {
            return self.nest(shape, axes, operands, body);
        }
        let mut iterations = self.i64(1);
        for &axis in inner {
            iterations = self.imul(iterations, shape[axis]);
        }
        let iterations = (!inner.is_empty()).then_some(iterations);
        let chunked = self.chunks_of(shape[axis], iterations);
        self.chunked(
            chunked,
            |fx, start, end, _| {
                let mut part = shape.to_vec();
                part[axis] = fx.isub(end, start);
                let mut from = Vec::with_capacity(operands.len());
                for operand in operands {
                    let offset = fx.imul(start, operand.strides[axis]);
                    from.push(Walk {
                        data: fx.ptr_add(operand.data, offset),
                        strides: operand.strides.clone(),
                    });
                }
                fx.nest(&part, axes, &from, body)?;
                Ok(Vec::new())
            },
            |_| Ok(Vec::new()),
            |_, _, _| Ok(Vec::new()),
        )?;
        Ok(())
    }
}
