//! Result types of array functions: what their arguments are as arrays, and shapes that follow from ranks.

mod creation;
mod joining;
mod selection;
mod shapes;

pub(crate) use creation::*;
pub use creation::{shape_of_neighbours, shape_of_numbers};
pub(crate) use joining::*;
pub(crate) use selection::*;
pub(crate) use shapes::*;

use crate::pattern::plain;
use crate::rules::arrays::{array, check_mutable, dtype_arg};
use crate::{Mismatch, ResultCx};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Signature, TimeType, Type, TypeKind, Types};

/// The outcome of a rule.
pub(crate) type Typed = Result<Signature, Mismatch>;

/// Element type and rank of argument `i` as an array: an array, a number, or nested tuples and lists of these.
pub(crate) fn like(cx: &ResultCx<'_>, i: usize) -> Result<(Type, u8), Mismatch> {
    like_of(cx, cx.arg(i))
}

/// As [`like`], of a type.
pub(crate) fn like_of(cx: &ResultCx<'_>, ty: Type) -> Result<(Type, u8), Mismatch> {
    let ty = plain(cx.types, ty);
    let shown = match cx.types.kind(ty) {
        TypeKind::LiteralList(_) => "a list of items of several types".to_owned(),
        _ => cx.show(ty),
    };
    let reject = || Mismatch::rejected(format!("{shown} is no array of numbers"));
    if let Some(array) = cx.types.as_array(ty) {
        if !is_element(cx, array.dtype) {
            return Err(reject());
        }
        return Ok((array.dtype, array.ndim));
    }
    if is_element(cx, ty) {
        return Ok((ty, 0));
    }
    if let Some((dtype, _)) = cx.types.as_list(ty) {
        if crate::native::kind_word(cx.types, ty).is_none() {
            return Err(reject());
        }
        let (dtype, ndim) = like_of(cx, dtype)?;
        return Ok((dtype, ndim + 1));
    }
    let items = cx.types.tuple_items(ty).ok_or_else(reject)?;
    let mut common: Option<(Type, u8)> = None;
    for item in items {
        let (dtype, ndim) = like_of(cx, item)?;
        common = Some(match common {
            None => (dtype, ndim),
            Some((other, rank)) if rank == ndim => (promoted(cx, other, dtype)?, ndim),
            Some(_) => return Err(reject()),
        });
    }
    let (dtype, ndim) = common.unwrap_or((Type::FLOAT64, 0));
    Ok((dtype, ndim + 1))
}

/// True for the types of elements that the body takes.
fn is_element(cx: &ResultCx<'_>, ty: Type) -> bool {
    cx.types.as_scalar(ty).is_some()
        || (cx.moves && cx.types.element(ty).is_some())
        || time(cx, ty).is_some()
}

/// The date or duration behind an element type, where the body takes these.
pub(crate) fn time(cx: &ResultCx<'_>, ty: Type) -> Option<TimeType> {
    cx.types.as_time(ty).filter(|_| cx.times)
}

/// The type of a difference of elements, if they are times.
pub(crate) fn difference(cx: &ResultCx<'_>, ty: Type) -> Option<Type> {
    let time = time(cx, ty)?;
    Some(cx.types.time(TimeType {
        is_date: false,
        ..time
    }))
}

/// Fails where one of two element types is a time and the other is not the same: their counts do not compare.
pub(crate) fn want_one_unit(cx: &ResultCx<'_>, a: Type, b: Type) -> Result<(), Mismatch> {
    if a == b || (time(cx, a).is_none() && time(cx, b).is_none()) {
        return Ok(());
    }
    Err(Mismatch::error(format!(
        "{} and {} are not counted in one unit",
        cx.show(a),
        cx.show(b)
    )))
}

/// Fails with Numba's text where an argument is not what the function takes.
pub(crate) fn want(holds: bool, message: &str) -> Result<(), Mismatch> {
    if holds {
        Ok(())
    } else {
        Err(Mismatch::error(message))
    }
}

fn scalar_is(cx: &ResultCx<'_>, i: usize, test: fn(Scalar) -> bool) -> bool {
    cx.types.as_scalar(cx.plain(i)).is_some_and(test)
}

/// True if argument `i` is an integer.
pub(crate) fn is_int(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, Scalar::is_int)
}

/// True if argument `i` is a number, not a boolean.
pub(crate) fn is_number(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, |s| s != Scalar::Bool)
}

/// True if argument `i` is a real number, not a boolean.
pub(crate) fn is_real(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, |s| s != Scalar::Bool && !s.is_complex())
}

/// True if argument `i` is an array, a number, or nested tuples and lists of these.
pub(crate) fn is_like(cx: &ResultCx<'_>, i: usize) -> bool {
    like(cx, i).is_ok()
}

/// True if argument `i` is an array, not one number.
pub(crate) fn is_sequence(cx: &ResultCx<'_>, i: usize) -> bool {
    is_like(cx, i) && cx.types.as_scalar(cx.plain(i)).is_none()
}

/// True if argument `i` is an array.
pub(crate) fn is_array(cx: &ResultCx<'_>, i: usize) -> bool {
    cx.types.as_array(cx.plain(i)).is_some()
}

/// The common element type of two.
pub(crate) fn promoted(cx: &ResultCx<'_>, a: Type, b: Type) -> Result<Type, Mismatch> {
    if a == b && is_element(cx, a) {
        return Ok(a);
    }
    cx.unify(a, b)
        .filter(|ty| cx.types.as_scalar(*ty).is_some())
        .ok_or_else(|| {
            Mismatch::rejected(format!(
                "{} and {} have no common dtype",
                cx.show(a),
                cx.show(b)
            ))
        })
}

/// The scalar behind an element type.
pub(crate) fn scalar(cx: &ResultCx<'_>, ty: Type) -> Result<Scalar, Mismatch> {
    cx.types
        .as_scalar(ty)
        .ok_or_else(|| Mismatch::rejected(format!("{} is no number", cx.show(ty))))
}

/// A new array in C order.
pub(crate) fn new(cx: &ResultCx<'_>, dtype: Type, ndim: u8) -> Type {
    cx.types.array(dtype, ndim, Layout::C)
}

fn view(cx: &ResultCx<'_>, array: ArrayType) -> Type {
    cx.types.intern(TypeKind::Array(array))
}

/// The array behind an argument, or the type that its elements have as one.
fn array_or_like(cx: &ResultCx<'_>, i: usize) -> Result<ArrayType, Mismatch> {
    if let Ok(array) = array(cx, i) {
        return Ok(array);
    }
    let (dtype, ndim) = like(cx, i)?;
    Ok(ArrayType {
        dtype,
        ndim,
        layout: Layout::C,
        mutable: true,
        aligned: true,
    })
}

/// Number of entries of an integer or a tuple of integers.
pub(crate) fn count_of(cx: &ResultCx<'_>, i: usize) -> Result<u8, Mismatch> {
    let ty = cx.plain(i);
    if cx.types.as_scalar(ty).is_some_and(Scalar::is_int) {
        return Ok(1);
    }
    let items = cx
        .types
        .tuple_items(ty)
        .filter(|items| {
            let int = |t: &Type| {
                cx.types
                    .as_scalar(plain(cx.types, *t))
                    .is_some_and(Scalar::is_int)
            };
            items.iter().all(int)
        })
        .ok_or_else(|| Mismatch::rejected(format!("{} is no tuple of integers", cx.show(ty))))?;
    u8::try_from(items.len()).map_err(|_| Mismatch::error("too many dimensions"))
}

/// An argument that is `None` or left out.
pub(crate) fn is_none(cx: &ResultCx<'_>, i: usize) -> bool {
    cx.plain(i) == Type::NONE
}

fn ranked(cx: &ResultCx<'_>, n: usize) -> Result<u8, Mismatch> {
    u8::try_from(n)
        .map_err(|_| Mismatch::error(format!("too many dimensions for {}", cx.show(cx.plain(0)))))
}

fn check_int(cx: &ResultCx<'_>, i: usize, message: &str) -> Result<(), Mismatch> {
    if cx.types.as_scalar(cx.plain(i)).is_some_and(Scalar::is_int) {
        return Ok(());
    }
    Err(Mismatch::error(message))
}

/// The constant integer that argument `i` is, also as a default.
pub(crate) fn literal_int(cx: &ResultCx<'_>, i: usize) -> Option<i64> {
    match cx.types.kind(cx.arg(i)) {
        TypeKind::Literal(Const::Int(v)) | TypeKind::Omitted(Const::Int(v)) => Some(*v),
        _ => None,
    }
}
