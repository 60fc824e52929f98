//! New arrays.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::raise::Raise;
use super::element::ArrayRef;
use super::nest::Walk;
use numbra_abi::{HEADER, NativeId};
use numbra_ir::{ArrayType, Layout, Type};
use numbra_library::Fill;
use numbra_lir::{
    AliasClass, ConvertOp, GuardKind, InstKind, IntCc, MemFlags, Ty, Value, ValueDef,
};

/// Alignment of array data: a cache line.
const ALIGN: i64 = 64;
/// Field of [`HEADER`] with the address of the data.
const HEADER_DATA: usize = 3;

impl Fx<'_, '_> {
    /// A new array of this type; its elements are zero bits if `zeroed`, else anything.
    pub(in super::super) fn new_array(
        &mut self,
        ty: ArrayType,
        shape: Vec<Value>,
        zeroed: bool,
    ) -> Res<ArrayRef> {
        let item = self.item_kind(ty.dtype)?;
        if shape.len() != usize::from(ty.ndim) {
            return Err(Fault::bug("a new array of another rank than its type has"));
        }
        let (bytes, strides) = self.contiguous(ty.layout, &shape, i64::from(item.size()))?;
        let symbol = if zeroed {
            NativeId::AllocZeroed
        } else {
            NativeId::Alloc
        };
        let align = self.i64(ALIGN);
        let owner = self.native_value(symbol, vec![bytes, align])?;
        let header = self.convert(ConvertOp::RefToPtr, owner, Ty::PTR);
        self.guard_allocated(header)?;
        let flags = MemFlags {
            readonly: true,
            ..flags(AliasClass::HEADER, 8)
        };
        let data = self.load(Ty::PTR, header, HEADER.offset(HEADER_DATA) as i32, flags);
        Ok(ArrayRef {
            ty,
            item,
            data,
            owner,
            shape,
            strides,
        })
    }

    /// Bytes and strides of a contiguous array of non-negative extents. ValueError where the bytes do not fit into an `i64`; as
    /// with NumPy, an extent of 0 does not hide that the others are too large.
    pub(in super::super) fn contiguous(
        &mut self,
        layout: Layout,
        shape: &[Value],
        item_size: i64,
    ) -> Res<(Value, Vec<Value>)> {
        let mut bytes = self.i64(item_size);
        let mut strides = vec![bytes; shape.len()];
        let mut overflow = self.bool(false);
        let axes: Vec<usize> = match layout {
            Layout::F => (0..shape.len()).collect(),
            Layout::C | Layout::A => (0..shape.len()).rev().collect(),
        };
        for &axis in &axes {
            strides[axis] = bytes;
            let (product, over) = self.checked_times(bytes, shape[axis]);
            bytes = product;
            overflow = self.or(overflow, over);
        }
        // Where only one extent is unknown, no other can be too large.
        let unknown = |fx: &Self, extent: &&Value| fx.const_of(**extent).is_none_or(|n| n == 0);
        if shape.iter().filter(|extent| unknown(self, extent)).count() > 1 {
            let empty = self.icmp_imm(IntCc::Eq, bytes, 0);
            let hidden = self.if_else(
                empty,
                &[Ty::I1],
                |fx| Ok::<_, Fault>(vec![fx.too_many(shape, item_size)]),
                |fx| Ok(vec![fx.bool(false)]),
            )?;
            overflow = self.or(overflow, hidden[0]);
        }
        self.guard_fits(overflow)?;
        Ok((bytes, strides))
    }

    /// ValueError where a shape has more bytes than an `i64` holds. Who makes a view that repeats elements checks it: whoever
    /// works with arrays counts elements without a check.
    pub(in super::super) fn guard_size(&mut self, shape: &[Value], item_size: i64) -> Res<()> {
        let overflow = self.too_many(shape, item_size);
        self.guard_fits(overflow)
    }

    /// Whether the elements have more bytes than an `i64` holds.
    fn too_many(&mut self, shape: &[Value], item_size: i64) -> Value {
        let size = self.i64(item_size);
        let extents: Vec<Value> = shape.iter().copied().chain([size]).collect();
        self.checked_product(&extents).1
    }

    fn guard_fits(&mut self, overflow: Value) -> Res<()> {
        let fits = self.not(overflow);
        self.guard(
            fits,
            GuardKind::Overflow,
            Raise::value(
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
            ),
        )
    }

    /// MemoryError when an allocation gave null.
    pub(in super::super) fn guard_allocated(&mut self, header: Value) -> Res<()> {
        let null = self.zero(Ty::PTR);
        let some = self.icmp(IntCc::Ne, header, null);
        let raise = Raise::new("MemoryError", "Allocation failed (probably too large).");
        self.guard(some, GuardKind::Null, raise)
    }

    /// A new array like another type's, for the type of a result.
    pub(in super::super) fn result_array(&self, ret: Type) -> Res<ArrayType> {
        self.types
            .as_array(ret)
            .ok_or_else(|| Fault::bug(format!("{} is not an array", self.show(ret))))
    }

    /// Extents from an integer or a tuple of integers; ValueError when one is negative.
    pub(in super::super) fn shape_of(&mut self, shape: &Val) -> Res<Vec<Value>> {
        let items = match self.types.tuple_items(shape.ty) {
            Some(_) => self.items(shape)?,
            None => vec![shape.clone()],
        };
        let mut out = Vec::with_capacity(items.len());
        for item in &items {
            let extent = self.extent_value(item)?;
            let valid = self.icmp_imm(IntCc::Sge, extent, 0);
            let raise = Raise::value("negative dimensions not allowed");
            self.guard(valid, GuardKind::Check, raise)?;
            out.push(extent);
        }
        Ok(out)
    }

    /// An extent as `i64`; ValueError where none is as large.
    pub(in super::super) fn extent_value(&mut self, value: &Val) -> Res<Value> {
        self.count_value(value, Raise::value("Maximum allowed dimension exceeded"))
    }

    /// `np.empty`, `np.zeros`, `np.ones`, `np.full`: operands are the shape, the value for [`Fill::Value`], types.
    pub(in super::super) fn array_new(
        &mut self,
        fill: Fill,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let ty = self.result_array(ret)?;
        let shape = match args.first() {
            Some(shape) => self.shape_of(shape)?,
            None => return Err(Fault::bug("a new array without a shape")),
        };
        self.filled(ty, shape, fill, args.get(1))
    }

    /// `np.empty_like` and its kin: operands are the model, the value for [`Fill::Value`], types.
    pub(in super::super) fn array_new_like(
        &mut self,
        fill: Fill,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let ty = self.result_array(ret)?;
        let shape = match args.first() {
            Some(model) if self.types.as_array(model.ty).is_some() => self.array(model)?.shape,
            Some(_) => Vec::new(),
            None => return Err(Fault::bug("a new array without a model")),
        };
        self.filled(ty, shape, fill, args.get(1))
    }

    fn filled(
        &mut self,
        ty: ArrayType,
        shape: Vec<Value>,
        fill: Fill,
        value: Option<&Val>,
    ) -> Res<Vec<Value>> {
        let array = self.new_array(ty, shape, fill == Fill::Zero)?;
        let value = match fill {
            Fill::Uninit | Fill::Zero => return Ok(array.leaves()),
            Fill::One => match array.item.scalar() {
                Some(scalar) => self.unit_element(scalar, 1),
                None => {
                    let dtype = self.show(ty.dtype);
                    return Err(Fault::unsupported(format!("an array of ones of {dtype}")));
                }
            },
            Fill::Value => {
                let value = value.ok_or_else(|| Fault::bug("a fill without a value"))?;
                self.cast(value, ty.dtype)?
            }
        };
        self.fill_contiguous(&array, &value)?;
        Ok(array.leaves())
    }

    /// Writes one value to every element of a contiguous array.
    fn fill_contiguous(&mut self, array: &ArrayRef, value: &[Value]) -> Res<()> {
        let count = self.array_size(array);
        if let Some(byte) = self.repeated_byte(value) {
            let size = self.i64(array.item_size());
            let len = self.imul(count, size);
            let kind = InstKind::MemSet {
                dst: array.data,
                byte,
                len,
                alias: AliasClass::ARRAY,
            };
            self.inst(kind, &[]);
            return Ok(());
        }
        self.note_elements(&array.shape);
        self.flat_spread(count, &[(array.data, array.item_size())], &mut |fx, at| {
            fx.store_element(array, at[0], value);
            Ok(())
        })
    }

    /// The byte that an element consists of, if it is known that all are the same.
    fn repeated_byte(&mut self, value: &[Value]) -> Option<Value> {
        if let [one] = *value {
            match self.ty(one) {
                Ty::I8 => return Some(one),
                Ty::I1 => return Some(self.convert(ConvertOp::ZExt, one, Ty::I8)),
                _ => {}
            }
        }
        let zero = |fx: &Self, value: Value| match fx.func.values[value].def {
            ValueDef::Result(inst, _) => {
                matches!(
                    fx.func.insts[inst].kind,
                    InstKind::IConst(0) | InstKind::FConst(0)
                )
            }
            ValueDef::Param(..) => false,
        };
        let all_zero = value.iter().all(|&v| zero(self, v));
        all_zero.then(|| self.iconst(Ty::I8, 0))
    }

    /// `x.fill(v)`: writes one value to every element.
    pub(in super::super) fn array_fill(&mut self, array: &Val, value: &Val) -> Res<()> {
        let array = self.array(array)?;
        let value = self.cast(value, array.ty.dtype)?;
        if array.ty.layout != Layout::A {
            return self.fill_contiguous(&array, &value);
        }
        let walk = Walk {
            data: array.data,
            strides: array.strides.clone(),
        };
        let axes: Vec<usize> = (0..array.shape.len()).collect();
        self.note_elements(&array.shape);
        self.nest_spread(&array.shape, &axes, &[walk], &mut |fx, at| {
            fx.store_element(&array, at[0], &value);
            Ok(())
        })
    }

    /// A new array with the converted elements of another, of the same shape or flattened.
    pub(in super::super) fn array_copy(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let to = self.result_array(ret)?;
        let from = match args.first() {
            Some(from) => self.array(from)?,
            None => return Err(Fault::bug("a copy of nothing")),
        };
        Ok(self.copy_to(&from, to)?.leaves())
    }

    /// See [`Fx::array_copy`].
    pub(in super::super) fn copy_to(&mut self, from: &ArrayRef, to: ArrayType) -> Res<ArrayRef> {
        if to.ndim == from.ty.ndim {
            let made = self.new_array(to, from.shape.clone(), false)?;
            self.copy_elements(&made, from)?;
            return Ok(made);
        }
        if to.ndim != 1 {
            return Err(Fault::bug("a copy of another rank"));
        }
        let size = self.array_size(from);
        let made = self.new_array(to, vec![size], false)?;
        // In C order: as if the new array had the old one's shape.
        let shaped = ArrayRef {
            ty: ArrayType {
                ndim: from.ty.ndim,
                layout: Layout::C,
                ..to
            },
            shape: from.shape.clone(),
            strides: self.c_strides(&from.shape, made.item_size()),
            ..made.clone()
        };
        self.copy_elements(&shaped, from)?;
        Ok(made)
    }

    /// Strides of a C-contiguous array.
    pub(in super::super) fn c_strides(&mut self, shape: &[Value], item_size: i64) -> Vec<Value> {
        let mut bytes = self.i64(item_size);
        let mut strides = vec![bytes; shape.len()];
        for axis in (0..shape.len()).rev() {
            strides[axis] = bytes;
            bytes = self.imul(bytes, shape[axis]);
        }
        strides
    }

    /// `x` itself if it has the result's element type and is contiguous in its layout, else a copy.
    pub(in super::super) fn array_as_layout(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let to = self.result_array(ret)?;
        let Some(value) = args.first() else {
            return Err(Fault::bug("a layout change of nothing"));
        };
        let from = self.array(value)?;
        if !self.same_items(from.ty, to) || from.ty.ndim != to.ndim {
            return Ok(self.copy_to(&from, to)?.leaves());
        }
        let one_axis = to.ndim <= 1 && from.ty.layout != Layout::A;
        if from.ty.layout == to.layout || one_axis {
            return Ok(value.leaves.clone());
        }
        let contiguous = self.is_contiguous(&from, to.layout);
        let tys = self.leaf_types(ret)?;
        let leaves = value.leaves.clone();
        self.if_else(
            contiguous,
            &tys,
            |_| Ok(leaves),
            |fx| Ok(fx.copy_to(&from, to)?.leaves()),
        )
    }

    /// True if the elements lie one after the other in this order; axes of one element have any stride, and an array
    /// without elements is contiguous.
    pub(in super::super) fn is_contiguous(&mut self, array: &ArrayRef, layout: Layout) -> Value {
        if array.ty.layout == layout || (array.ty.ndim <= 1 && array.ty.layout != Layout::A) {
            return self.bool(true);
        }
        let mut expected = self.i64(array.item_size());
        let mut ok = self.bool(true);
        let axes: Vec<usize> = match layout {
            Layout::F => (0..array.shape.len()).collect(),
            Layout::C | Layout::A => (0..array.shape.len()).rev().collect(),
        };
        let mut empty = self.bool(false);
        for axis in axes {
            let extent = array.shape[axis];
            let single = self.icmp_imm(IntCc::Eq, extent, 1);
            let matches = self.icmp(IntCc::Eq, array.strides[axis], expected);
            let fine = self.or(single, matches);
            ok = self.and(ok, fine);
            let none = self.icmp_imm(IntCc::Eq, extent, 0);
            empty = self.or(empty, none);
            expected = self.imul(expected, extent);
        }
        self.or(ok, empty)
    }
}
