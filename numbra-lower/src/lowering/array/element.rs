//! Array values and their elements.

use super::super::emit::flags;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::model::part;
use numbra_abi::ArrayLayout;
use numbra_ir::{ArrayType, Layout, Scalar, Storage, Type, TypeKind};
use numbra_lir::{AliasClass, IntCc, MemFlags, OverflowOp, Ty, Value};

/// An array by its parts. The stride of the contiguous axis of a C or F array is a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct ArrayRef {
    pub(in super::super) ty: ArrayType,
    pub(in super::super) item: Storage,
    pub(in super::super) data: Value,
    pub(in super::super) owner: Value,
    pub(in super::super) shape: Vec<Value>,
    pub(in super::super) strides: Vec<Value>,
}

impl ArrayRef {
    /// The leaves of the array.
    pub(in super::super) fn leaves(&self) -> Vec<Value> {
        let mut out = vec![self.data, self.owner];
        out.extend(&self.shape);
        out.extend(&self.strides);
        out
    }

    /// The first item of so many leading axes.
    pub(super) fn without_leading(&self, count: usize) -> ArrayRef {
        let rank = self.shape.len() - count;
        let layout = match self.ty.layout {
            Layout::C => Layout::C,
            Layout::F | Layout::A => Layout::A,
        };
        ArrayRef {
            ty: ArrayType {
                ndim: rank as u8,
                layout,
                ..self.ty
            },
            shape: self.shape[count..].to_vec(),
            strides: self.strides[count..].to_vec(),
            ..self.clone()
        }
    }

    /// Bytes of an element.
    pub(in super::super) fn item_size(&self) -> i64 {
        i64::from(self.item.size())
    }
}

fn stored_flags(leaf: Ty, aligned: bool) -> MemFlags {
    flags(AliasClass::ARRAY, if aligned { leaf.size() } else { 1 })
}

impl Fx<'_, '_> {
    /// The array behind a value; bound attributes stand for their receiver.
    pub(in super::super) fn array(&mut self, value: &Val) -> Res<ArrayRef> {
        let ty = match self.types.kind(value.ty) {
            TypeKind::BoundMethod { receiver, .. } => *receiver,
            _ => value.ty,
        };
        let Some(array) = self.types.as_buffer(ty) else {
            return Err(Fault::bug(format!("{} is not an array", self.show(ty))));
        };
        self.array_of(array, &value.leaves)
    }

    /// An array from its leaves.
    pub(in super::super) fn array_of(&mut self, ty: ArrayType, leaves: &[Value]) -> Res<ArrayRef> {
        let item = self.item_kind(ty.dtype)?;
        let ndim = usize::from(ty.ndim);
        let layout = ArrayLayout {
            ndim: u32::from(ty.ndim),
        };
        if leaves.len() != layout.leaves() {
            return Err(Fault::bug(
                "an array with another number of leaves than its type has",
            ));
        }
        let shape = leaves[2..2 + ndim].to_vec();
        let mut strides = leaves[2 + ndim..].to_vec();
        let inner = match ty.layout {
            Layout::C => strides.last_mut(),
            Layout::F => strides.first_mut(),
            Layout::A => None,
        };
        if let Some(stride) = inner {
            *stride = self.i64(i64::from(item.size()));
        }
        Ok(ArrayRef {
            ty,
            item,
            data: leaves[ArrayLayout::DATA],
            owner: leaves[ArrayLayout::OWNER],
            shape,
            strides,
        })
    }

    /// How elements of an array are kept.
    pub(in super::super) fn item_kind(&self, dtype: Type) -> Res<Storage> {
        self.types
            .element(dtype)
            .ok_or_else(|| Fault::unsupported(format!("arrays of {}", self.show(dtype))))
    }

    /// True if elements of the two types stand in memory alike.
    pub(in super::super) fn same_items(&self, a: ArrayType, b: ArrayType) -> bool {
        a.dtype == b.dtype
            || match (self.types.element(a.dtype), self.types.element(b.dtype)) {
                (Some(Storage::Scalar(x)), Some(Storage::Scalar(y))) => x == y,
                _ => false,
            }
    }

    /// The element at an address.
    pub(in super::super) fn load_element(&mut self, array: &ArrayRef, addr: Value) -> Res<Val> {
        self.load_stored(array.ty.dtype, addr, array.owner, array.ty.aligned)
    }

    /// The value of type `ty` that stands at an address in memory of `owner`.
    pub(in super::super) fn load_stored(
        &mut self,
        ty: Type,
        addr: Value,
        owner: Value,
        aligned: bool,
    ) -> Res<Val> {
        let scalar = match self.item_kind(ty)? {
            Storage::Scalar(scalar) => scalar,
            Storage::Bytes(size) => return self.refer_to(ty, addr, owner, size),
        };
        let leaf = part(scalar);
        let flags = stored_flags(leaf, aligned);
        let mut leaves = vec![self.load(leaf, addr, 0, flags)];
        if scalar.is_complex() {
            leaves.push(self.load(leaf, addr, leaf.size() as i32, flags));
        }
        Ok(Val::new(ty, leaves))
    }

    /// Writes an element, whose leaves are of the array's element type.
    pub(in super::super) fn store_element(
        &mut self,
        array: &ArrayRef,
        addr: Value,
        leaves: &[Value],
    ) {
        self.store_stored(array.item, addr, leaves, array.ty.aligned);
    }

    /// Writes a value, whose leaves are of a type kept so.
    pub(in super::super) fn store_stored(
        &mut self,
        item: Storage,
        addr: Value,
        leaves: &[Value],
        aligned: bool,
    ) {
        let scalar = match item {
            Storage::Scalar(scalar) => scalar,
            Storage::Bytes(size) => return self.copy_bytes(addr, leaves[0], size),
        };
        let leaf = part(scalar);
        let flags = stored_flags(leaf, aligned);
        for (i, value) in leaves.iter().enumerate() {
            self.store(addr, i as i32 * leaf.size() as i32, *value, flags);
        }
    }

    /// The zero element, or the one with value 1.
    pub(in super::super) fn unit_element(&mut self, kind: Scalar, value: i64) -> Vec<Value> {
        let unit = super::super::number::Num::real(Scalar::Int64, self.i64(value));
        self.as_kind(unit, kind).leaves()
    }

    /// Number of elements.
    pub(in super::super) fn array_size(&mut self, array: &ArrayRef) -> Value {
        self.product(&array.shape)
    }

    /// The product of integers; 1 for none.
    pub(in super::super) fn product(&mut self, factors: &[Value]) -> Value {
        match factors.split_first() {
            None => self.i64(1),
            Some((first, rest)) => {
                let mut product = *first;
                for factor in rest {
                    product = self.imul(product, *factor);
                }
                product
            }
        }
    }

    /// Leaf types of a row of an array, as iteration gives them, with the row's type.
    pub(in super::super) fn row_type(&mut self, array: &ArrayRef) -> Res<(Type, Vec<Ty>)> {
        let ty = array.ty.row(self.types);
        Ok((ty, self.leaf_types(ty)?))
    }

    /// The product of extents, and whether it is more than an `i64` holds. An extent of 0 hides no overflow of the others, as
    /// in NumPy.
    pub(in super::super) fn checked_product(&mut self, extents: &[Value]) -> (Value, Value) {
        let one = self.i64(1);
        let (mut product, mut overflow, mut none) = (one, self.bool(false), self.bool(false));
        for &extent in extents {
            let is_zero = self.icmp_imm(IntCc::Eq, extent, 0);
            none = self.or(none, is_zero);
            let factor = self.select(is_zero, one, extent);
            let (next, over) = self.checked_times(product, factor);
            product = next;
            overflow = self.or(overflow, over);
        }
        let zero = self.i64(0);
        (self.select(none, zero, product), overflow)
    }

    /// `a * b`, and whether it is more than an `i64` holds.
    pub(in super::super) fn checked_times(&mut self, a: Value, b: Value) -> (Value, Value) {
        let known = self.const_of(a).zip(self.const_of(b));
        match known.map(|(a, b)| i64::try_from(a * b)) {
            Some(Ok(product)) => (self.i64(product), self.bool(false)),
            Some(Err(_)) => (self.i64(0), self.bool(true)),
            None => self.overflow(OverflowOp::SMul, a, b),
        }
    }

    /// `x[at]` for an index in range.
    pub(in super::super) fn array_row(
        &mut self,
        array: &ArrayRef,
        at: Value,
        row: Type,
    ) -> Res<Vec<Value>> {
        let offset = self.imul(at, array.strides[0]);
        let data = self.ptr_add(array.data, offset);
        if array.ty.ndim == 1 {
            let item = self.load_element(array, data)?;
            return self.cast(&item, row);
        }
        let mut leaves = vec![data, array.owner];
        leaves.extend(&array.shape[1..]);
        leaves.extend(&array.strides[1..]);
        Ok(leaves)
    }
}
