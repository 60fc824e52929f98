//! Records: their fields, and fields of whole arrays of them.

use super::array::{ArrayRef, View};
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_abi::{HEADER, NativeId};
use numbra_ir::{ArrayType, Const, Layout, RecordField, Type, TypeKind};
use numbra_lir::{AliasClass, ConvertOp, InstKind, MemFlags, Ty, Value};

/// Field of [`HEADER`] with the address of the data.
const HEADER_DATA: usize = 3;

impl Fx<'_, '_> {
    /// The value of a type that is kept as bytes: of a record or nested array the memory itself, of a char sequence a copy.
    pub(super) fn refer_to(&mut self, ty: Type, addr: Value, owner: Value, size: u32) -> Res<Val> {
        match self.types.kind(ty) {
            TypeKind::NestedArray { dtype, shape } => {
                let array = ArrayType {
                    dtype: *dtype,
                    ndim: shape.len() as u8,
                    layout: Layout::C,
                    mutable: true,
                    aligned: false,
                };
                let shape: Vec<Value> = shape.iter().map(|n| self.i64(i64::from(*n))).collect();
                let item = self.item_kind(*dtype)?;
                let mut leaves = vec![addr, owner];
                let strides = self.c_strides(&shape, i64::from(item.size()));
                leaves.extend(shape);
                leaves.extend(strides);
                let ty = self.types.intern(TypeKind::Array(array));
                Ok(Val::new(ty, leaves))
            }
            TypeKind::CharSeq(_) | TypeKind::UnicodeCharSeq(_) => {
                let (data, made) = self.new_bytes(size)?;
                self.copy_bytes(data, addr, size);
                Ok(Val::new(ty, vec![data, made]))
            }
            _ => Ok(Val::new(ty, vec![addr, owner])),
        }
    }

    /// True for fields that are a part of the record's memory and may be written.
    pub(super) fn is_part_of_record(&self, field: Type) -> bool {
        matches!(
            self.types.kind(field),
            TypeKind::Record(_) | TypeKind::Array(_) | TypeKind::NestedArray { .. }
        )
    }

    /// A record of the same values, in memory of its own.
    pub(super) fn copied_record(&mut self, record: &Val) -> Res<Val> {
        let (addr, _) = address(record)?;
        let size = self.item_kind(record.ty)?.size();
        let (data, owner) = self.new_bytes(size)?;
        self.copy_bytes(data, addr, size);
        Ok(Val::new(record.ty, vec![data, owner]))
    }

    /// New memory and its owner.
    pub(super) fn new_bytes(&mut self, size: u32) -> Res<(Value, Value)> {
        let (size, align) = (self.i64(i64::from(size)), self.i64(16));
        let owner = self.native_value(NativeId::Alloc, vec![size, align])?;
        let header = self.convert(ConvertOp::RefToPtr, owner, Ty::PTR);
        self.guard_allocated(header)?;
        let flags = MemFlags {
            readonly: true,
            ..super::emit::flags(AliasClass::HEADER, 8)
        };
        let data = self.load(Ty::PTR, header, HEADER.offset(HEADER_DATA) as i32, flags);
        Ok((data, owner))
    }

    /// Copies bytes between places that may be the same.
    pub(super) fn copy_bytes(&mut self, to: Value, from: Value, size: u32) {
        let len = self.i64(i64::from(size));
        let kind = InstKind::MemCopy {
            dst: to,
            src: from,
            len,
            overlap: true,
            alias: AliasClass::ARRAY,
        };
        self.inst(kind, &[]);
    }

    /// The field of a record type that a constant names.
    fn field(&self, record: Type, key: Type) -> Res<&RecordField> {
        let fields = self.types.as_record(record);
        let found = match (fields, self.types.kind(key)) {
            (Some(record), TypeKind::Literal(Const::Str(name))) => record.field(name),
            (Some(record), TypeKind::Literal(Const::Int(at))) => usize::try_from(*at)
                .ok()
                .and_then(|at| record.fields.get(at)),
            _ => None,
        };
        found.ok_or_else(|| {
            Fault::bug(format!(
                "{} has no field {}",
                self.show(record),
                self.show(key)
            ))
        })
    }

    /// `r['name']`
    pub(super) fn record_get(&mut self, record: &Val, key: &Val, ret: Type) -> Res<Vec<Value>> {
        let value = self.field_value(record, key)?;
        self.cast(&value, ret)
    }

    fn field_value(&mut self, record: &Val, key: &Val) -> Res<Val> {
        let (addr, owner) = address(record)?;
        let field = self.field(record.ty, key.ty)?.clone();
        let offset = self.i64(i64::from(field.offset));
        let at = self.ptr_add(addr, offset);
        let aligned = self.is_aligned(record.ty);
        self.load_stored(field.ty, at, owner, aligned)
    }

    /// Whether the fields of a record stand where their types want them. Records of the host may begin anywhere, which it
    /// does not mind.
    fn is_aligned(&self, record: Type) -> bool {
        let record = self.types.as_record(record);
        self.mx.options.device && record.is_some_and(|record| record.aligned)
    }

    /// `r['name'] = v`
    pub(super) fn record_set(&mut self, args: &[Val]) -> Res<()> {
        let [record, key, value] = args else {
            return Err(Fault::bug(
                "a field assignment with another number of operands",
            ));
        };
        let (addr, _) = address(record)?;
        let field = self.field(record.ty, key.ty)?.clone();
        if let TypeKind::NestedArray { .. } = self.types.kind(field.ty) {
            let nested = self.field_value(record, key)?;
            return self.assign_all(&nested, value);
        }
        let leaves = self.cast(value, field.ty)?;
        let item = self.item_kind(field.ty)?;
        let offset = self.i64(i64::from(field.offset));
        let at = self.ptr_add(addr, offset);
        let aligned = self.is_aligned(record.ty);
        self.store_stored(item, at, &leaves, aligned);
        Ok(())
    }

    /// `x['name']` of an array of records.
    pub(super) fn array_field(&mut self, array: &Val, key: &Val) -> Res<Val> {
        let array = self.array(array)?;
        let field = self.field(array.ty.dtype, key.ty)?.clone();
        let offset = self.i64(i64::from(field.offset));
        let data = self.ptr_add(array.data, offset);
        let (mut shape, mut strides) = (array.shape, array.strides);
        let mut dtype = field.ty;
        if let TypeKind::NestedArray { .. } = self.types.kind(field.ty) {
            let nested = self.load_stored(field.ty, data, array.owner, false)?;
            let nested = self.array(&nested)?;
            dtype = nested.ty.dtype;
            shape.extend(nested.shape);
            strides.extend(nested.strides);
        }
        let ty = self.types.intern(TypeKind::Array(ArrayType {
            dtype,
            ndim: shape.len() as u8,
            layout: Layout::A,
            mutable: array.ty.mutable,
            aligned: false,
        }));
        let mut leaves = vec![data, array.owner];
        leaves.extend(shape);
        leaves.extend(strides);
        Ok(Val::new(ty, leaves))
    }

    /// `x['name'] = v` of an array of records.
    pub(super) fn array_field_set(&mut self, args: &[Val]) -> Res<()> {
        let [array, key, value] = args else {
            return Err(Fault::bug(
                "a field assignment with another number of operands",
            ));
        };
        let field = self.array_field(array, key)?;
        self.assign_all(&field, value)
    }

    /// `x[...] = v`
    fn assign_all(&mut self, array: &Val, value: &Val) -> Res<()> {
        let array = self.array(array)?;
        let view = View {
            data: array.data,
            shape: array.shape.clone(),
            strides: array.strides.clone(),
        };
        if self.types.as_array(value.ty).is_none() {
            let leaves = self.cast(value, array.ty.dtype)?;
            return self.fill_view(&array, &view, &leaves);
        }
        let value: ArrayRef = self.array(value)?;
        self.assign_view(&array, view, &value)
    }
}

/// The address of a record and what owns its memory.
fn address(record: &Val) -> Res<(Value, Value)> {
    match *record.leaves {
        [addr, owner] => Ok((addr, owner)),
        _ => Err(Fault::bug(
            "a record of other leaves than an address and an owner",
        )),
    }
}
