//! Fields of records and of arrays of records: rules of subscripts.

use crate::rules::{array, check_mutable};
use crate::{Mismatch, ResultCx};
use numbra_ir::{ArrayType, Const, Layout, RecordField, RecordType, Signature, Type, TypeKind};

/// The field that a constant argument names: by its name, or by its position in memory.
fn field<'r>(
    cx: &ResultCx<'_>,
    record: &'r RecordType,
    i: usize,
) -> Result<&'r RecordField, Mismatch> {
    match cx.types.kind(cx.arg(i)) {
        TypeKind::Literal(Const::Str(name)) => record.field(name).ok_or_else(|| {
            let names: Vec<String> = record
                .fields
                .iter()
                .map(|field| format!("'{}'", field.name))
                .collect();
            let comma = if names.len() == 1 { "," } else { "" };
            Mismatch::error(format!(
                "Field '{name}' was not found in record with fields ({}{comma})",
                names.join(", ")
            ))
        }),
        TypeKind::Literal(Const::Int(at)) => usize::try_from(*at)
            .ok()
            .and_then(|at| record.fields.get(at))
            .ok_or_else(|| Mismatch::error(format!("Requested index {at} is out of range"))),
        _ => Err(Mismatch::rejected("the name of the field is no constant")),
    }
}

fn record<'t>(cx: &ResultCx<'t>, i: usize) -> Result<&'t RecordType, Mismatch> {
    cx.types
        .as_record(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no record")))
}

/// True if the values of a field stand at multiples of their alignment wherever the record does at its own.
fn is_aligned(cx: &ResultCx<'_>, record: &RecordType, field: &RecordField) -> bool {
    let align = cx.types.alignment(field.ty);
    align <= 1
        || (record.aligned
            && field.offset.is_multiple_of(align)
            && record.size.is_multiple_of(align))
}

/// The type that reading a field gives: an array of a nested one.
fn value_type(cx: &ResultCx<'_>, record: &RecordType, field: &RecordField) -> Type {
    match cx.types.kind(field.ty) {
        TypeKind::NestedArray { dtype, shape } => cx.types.intern(TypeKind::Array(ArrayType {
            dtype: *dtype,
            ndim: shape.len() as u8,
            layout: Layout::C,
            mutable: true,
            aligned: is_aligned(cx, record, field),
        })),
        _ => field.ty,
    }
}

/// `r['name']`, `r.name`, `r[0]`
pub(crate) fn get(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let record = record(cx, 0)?;
    let field = field(cx, record, 1)?;
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: value_type(cx, record, field),
    })
}

/// `r['name'] = v`: into a nested array as `r['name'][:] = v`.
pub(crate) fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let record = record(cx, 0)?;
    let field = field(cx, record, 1)?;
    let given = cx.plain(2);
    let rejected = || {
        Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(given),
            cx.show(field.ty)
        ))
    };
    let value = match (cx.types.kind(field.ty), cx.types.as_array(given)) {
        (TypeKind::NestedArray { dtype, shape }, Some(value)) => {
            let fits = usize::from(value.ndim) <= shape.len()
                && cx.can_convert(value.dtype, *dtype).is_some();
            fits.then_some(given).ok_or_else(rejected)?
        }
        (TypeKind::NestedArray { dtype, .. }, None) => {
            cx.can_convert(given, *dtype).ok_or_else(rejected)?;
            *dtype
        }
        _ => {
            cx.can_convert(given, field.ty).ok_or_else(rejected)?;
            field.ty
        }
    };
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1), value],
        ret: Type::NONE,
    })
}

/// `x['name']`, `x.name` of a structured array: a view; the axes of a nested array come last.
pub(crate) fn array_field(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let whole = array(cx, 0)?;
    let record = cx
        .types
        .as_record(whole.dtype)
        .ok_or_else(|| Mismatch::rejected("the elements are no records"))?;
    let field = field(cx, record, 1)?;
    let (dtype, nested) = match cx.types.kind(field.ty) {
        TypeKind::NestedArray { dtype, shape } => (*dtype, shape.len()),
        _ => (field.ty, 0),
    };
    let ndim = u8::try_from(usize::from(whole.ndim) + nested)
        .map_err(|_| Mismatch::error("too many dimensions"))?;
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: cx.types.intern(TypeKind::Array(ArrayType {
            dtype,
            ndim,
            layout: Layout::A,
            aligned: whole.aligned && is_aligned(cx, record, field),
            ..whole
        })),
    })
}

/// `x['name'] = v` of a structured array: as `x['name'][...] = v`.
pub(crate) fn set_array_field(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    check_mutable(cx, cx.plain(0))?;
    let view = array_field(cx)?;
    let target = cx
        .types
        .as_array(view.ret)
        .ok_or_else(|| Mismatch::rejected("the field is no array"))?;
    let given = cx.plain(2);
    let (dtype, ndim) = match cx.types.as_array(given) {
        Some(value) => (value.dtype, value.ndim),
        None => (given, 0),
    };
    if ndim > target.ndim || cx.can_convert(dtype, target.dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(given),
            cx.show(target.dtype)
        )));
    }
    let value = match cx.types.as_array(given) {
        Some(_) => given,
        None => target.dtype,
    };
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1), value],
        ret: Type::NONE,
    })
}
