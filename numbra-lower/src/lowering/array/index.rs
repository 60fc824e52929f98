//! Basic indexing: integers, slices, `None`, `...`.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::message::Piece;
use super::element::ArrayRef;
use numbra_ir::{Const, Type, TypeKind};
use numbra_lir::{GuardKind, IntCc, Ty, Value};

/// The part of an array that an index names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct View {
    pub(in super::super) data: Value,
    pub(in super::super) shape: Vec<Value>,
    pub(in super::super) strides: Vec<Value>,
}

/// One part of an index.
enum Part {
    /// The value and whether it may be negative.
    At(Value, bool),
    Slice(Val),
    NewAxis,
    Ellipsis,
}

impl Fx<'_, '_> {
    /// `x[i]`: the element, or the leaves of the view.
    pub(in super::super) fn array_get(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let [array, index] = args else {
            return Err(Fault::bug("an array index with another number of operands"));
        };
        let array = self.array(array)?;
        let view = self.view(&array, index)?;
        if self.types.as_buffer(ret).is_some() {
            let mut leaves = vec![view.data, array.owner];
            leaves.extend(view.shape);
            leaves.extend(view.strides);
            return Ok(leaves);
        }
        let item = self.load_element(&array, view.data)?;
        self.cast(&item, ret)
    }

    /// The view that a basic index names.
    pub(in super::super) fn view(&mut self, array: &ArrayRef, index: &Val) -> Res<View> {
        let parts = self.index_parts(index)?;
        let ndim = array.shape.len();
        let used = parts
            .iter()
            .filter(|p| matches!(p, Part::At(..) | Part::Slice(_)))
            .count();
        if used > ndim {
            return Err(Fault::bug("more indices than axes"));
        }
        let mut view = View {
            data: array.data,
            shape: Vec::new(),
            strides: Vec::new(),
        };
        let mut axis = 0;
        let mut rest = Some(ndim - used);
        for part in parts {
            match part {
                Part::At(at, signed) => {
                    let at = self.wrap_index(at, signed, Some(axis), array.shape[axis])?;
                    let offset = self.imul(at, array.strides[axis]);
                    view.data = self.ptr_add(view.data, offset);
                    axis += 1;
                }
                Part::Slice(slice) => {
                    self.slice_axis(array, axis, &slice, &mut view)?;
                    axis += 1;
                }
                Part::NewAxis => {
                    view.shape.push(self.i64(1));
                    view.strides.push(self.i64(0));
                }
                Part::Ellipsis => {
                    for _ in 0..rest.take().unwrap_or(0) {
                        view.shape.push(array.shape[axis]);
                        view.strides.push(array.strides[axis]);
                        axis += 1;
                    }
                }
            }
        }
        view.shape.extend(&array.shape[axis..]);
        view.strides.extend(&array.strides[axis..]);
        Ok(view)
    }

    fn index_parts(&mut self, index: &Val) -> Res<Vec<Part>> {
        let items = match self.types.tuple_items(index.ty) {
            Some(_) => self.items(index)?,
            None => vec![index.clone()],
        };
        items
            .into_iter()
            .map(|item| self.index_part(item))
            .collect()
    }

    fn index_part(&mut self, item: Val) -> Res<Part> {
        Ok(match self.types.kind(item.ty) {
            TypeKind::Slice2 | TypeKind::Slice3 | TypeKind::SliceLiteral(_) => Part::Slice(item),
            TypeKind::None | TypeKind::Literal(Const::None) => Part::NewAxis,
            TypeKind::Ellipsis | TypeKind::Literal(Const::Ellipsis) => Part::Ellipsis,
            _ => {
                let num = self.num(&item)?;
                if !num.kind.is_int() {
                    return Err(Fault::unsupported(format!(
                        "an array index of type {}",
                        self.show(item.ty)
                    )));
                }
                let at = self.int_to(num.re, Ty::I64, num.is_signed());
                Part::At(at, num.is_signed())
            }
        })
    }

    /// An index as a position: negative ones count from the end. IndexError under `boundscheck`, which names the axis if
    /// there is one.
    pub(in super::super) fn wrap_index(
        &mut self,
        given: Value,
        signed: bool,
        axis: Option<usize>,
        extent: Value,
    ) -> Res<Value> {
        let at = given;
        let at = match self.const_of(at) {
            Some(known) if known >= 0 || !signed => at,
            Some(_) => self.iadd(at, extent),
            None if !signed => at,
            None => {
                let negative = self.icmp_imm(IntCc::Slt, at, 0);
                let wrapped = self.iadd(at, extent);
                self.select(negative, wrapped, at)
            }
        };
        if self.mx.own.boundscheck {
            let inside = self.icmp(IntCc::Ult, at, extent);
            let axis = axis.map_or(String::new(), |axis| format!("axis {axis} with "));
            self.guard_message(
                inside,
                GuardKind::Bounds,
                "IndexError",
                "index is out of bounds",
                &[
                    Piece::Text("index "),
                    Piece::Number(given, signed),
                    Piece::Text(" is out of bounds for "),
                    Piece::Text(&axis),
                    Piece::Text("size "),
                    Piece::Number(extent, true),
                ],
            )?;
        }
        Ok(at)
    }

    fn slice_axis(
        &mut self,
        array: &ArrayRef,
        axis: usize,
        slice: &Val,
        view: &mut View,
    ) -> Res<()> {
        let (extent, stride) = (array.shape[axis], array.strides[axis]);
        let parts = self.slice_parts(slice)?;
        let clamped = self.slice_clamp(parts, extent)?;
        let whole = self.const_of(clamped.start) == Some(0)
            && clamped.stop == extent
            && self.const_of(clamped.step) == Some(1);
        if whole {
            view.shape.push(extent);
            view.strides.push(stride);
            return Ok(());
        }
        let offset = self.imul(clamped.start, stride);
        view.data = self.ptr_add(view.data, offset);
        // All of it backwards is as long, which a loop over both should see.
        let all = self.const_of(parts.start) == Some(i128::from(i64::MAX))
            && self.const_of(parts.stop) == Some(i128::from(i64::MIN))
            && self.const_of(parts.step) == Some(-1);
        let length = match all {
            true => extent,
            false => self.slice_length(clamped),
        };
        view.shape.push(length);
        let stride = self.imul(stride, clamped.step);
        view.strides.push(stride);
        Ok(())
    }
}
