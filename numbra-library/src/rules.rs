//! What rules of several areas say: arguments as arrays, numbers, dtypes and shapes.

use crate::pattern::{count, plain};
use crate::{Effects, Mismatch, ResultCx, dtype_or, named_dtype};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Signature, TimeType, Type, TypeKind};

/// What functions do that make an array.
pub(crate) const NEW: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);

/// The array behind argument `i`.
pub(crate) fn array(cx: &ResultCx<'_>, i: usize) -> Result<ArrayType, Mismatch> {
    cx.types
        .as_buffer(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no array")))
}

/// Refuses a read-only array, in Numba's words.
pub(crate) fn check_mutable(cx: &ResultCx<'_>, ty: Type) -> Result<(), Mismatch> {
    match cx.types.as_buffer(ty) {
        Some(array) if !array.mutable => Err(Mismatch::error(format!(
            "Cannot modify readonly array of type: {}",
            cx.show(ty)
        ))),
        _ => Ok(()),
    }
}

pub(crate) fn intern(cx: &ResultCx<'_>, array: ArrayType) -> Type {
    cx.types.intern(TypeKind::Array(array))
}

pub(crate) fn fresh(cx: &ResultCx<'_>, dtype: Type, ndim: u8, layout: Layout) -> Type {
    cx.types.array(dtype, ndim, layout)
}

/// The order of a copy.
pub(crate) fn tight(layout: Layout) -> Layout {
    match layout {
        Layout::A => Layout::C,
        kept => kept,
    }
}

/// The normalised type of a shape and its rank.
pub(crate) fn shape_of(cx: &ResultCx<'_>, ty: Type) -> Result<(Type, u8), Mismatch> {
    let int = |ty: Type| {
        cx.types
            .as_scalar(plain(cx.types, ty))
            .is_some_and(Scalar::is_int)
    };
    if int(ty) {
        return Ok((count(cx.types, ty), 1));
    }
    match cx.types.tuple_items(ty) {
        Some(items) if items.iter().all(|t| int(*t)) => {
            let rank =
                u8::try_from(items.len()).map_err(|_| Mismatch::error("too many dimensions"))?;
            let items: Vec<Type> = items.iter().map(|ty| count(cx.types, *ty)).collect();
            Ok((cx.types.tuple(&items), rank))
        }
        _ => Err(Mismatch::rejected(format!(
            "a shape is an integer or a tuple of integers, not {}",
            cx.show(ty)
        ))),
    }
}

/// The element type that argument `i` names, `default` for `None`.
pub(crate) fn dtype_arg(cx: &ResultCx<'_>, i: usize, default: Type) -> Result<Type, Mismatch> {
    if let TypeKind::Literal(Const::Str(text)) = cx.types.kind(cx.arg(i))
        && named_dtype(cx.types, cx.arg(i)).is_none()
    {
        return Err(Mismatch::error(format!(
            "Invalid NumPy dtype specified: '{text}'"
        )));
    }
    if cx.plain(i) == Type::UNICODE && !matches!(cx.types.kind(cx.arg(i)), TypeKind::Literal(_)) {
        return Err(Mismatch::error(match cx.row.strip_prefix("numpy.") {
            Some(name) => format!("If np.{name} dtype is a string it must be a string constant."),
            None => format!("{} if dtype is a string it must be constant", cx.row),
        }));
    }
    dtype_or(cx.types, cx.arg(i), default)
        .ok_or_else(|| Mismatch::rejected("the dtype is not a known scalar type"))
}

pub(crate) fn scalar_at(cx: &ResultCx<'_>, i: usize) -> Result<Scalar, Mismatch> {
    cx.types
        .as_scalar(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no number")))
}

/// A fixed result; parameters are the plain argument types.
macro_rules! returns {
    ($($(#[$doc:meta])* $name:ident => $ty:expr;)*) => {
        $($(#[$doc])* pub(crate) fn $name(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
            cx.returns($ty)
        })*
    };
}

returns! {
    /// `bool`
    to_bool => Type::BOOL;
    /// `int64`
    to_int64 => Type::INT64;
    /// `bytes`
    to_bytes => Type::BYTES;
    /// `none`
    to_none => Type::NONE;
}

/// The scalar of argument `i` as an array.
pub(crate) fn kind(cx: &ResultCx<'_>, i: usize) -> Result<Scalar, Mismatch> {
    scalar(cx, like(cx, i)?.0)
}

/// The complex type of a complex number, else float64.
pub(crate) fn double(cx: &ResultCx<'_>, kinds: &[Scalar]) -> Type {
    if kinds.iter().any(|k| k.is_complex()) {
        cx.types.scalar(Scalar::Complex128)
    } else {
        Type::FLOAT64
    }
}

/// A float or complex type as it is, else float64.
pub(crate) fn inexact(cx: &ResultCx<'_>, kind: Scalar) -> Type {
    if kind.is_float() || kind.is_complex() {
        cx.types.scalar(kind)
    } else {
        Type::FLOAT64
    }
}

/// A number for a number, else a new array of that rank.
pub(crate) fn ranked(cx: &ResultCx<'_>, dtype: Type, ndim: u8) -> Type {
    if ndim == 0 {
        dtype
    } else {
        new(cx, dtype, ndim)
    }
}

/// As [`ranked`]; an array without axes stays one, an array in Fortran order gives such a one.
pub(crate) fn shaped(cx: &ResultCx<'_>, dtype: Type, i: usize) -> Result<Type, Mismatch> {
    let (_, ndim) = like(cx, i)?;
    Ok(match cx.types.as_array(cx.plain(i)) {
        Some(array) => cx.types.array(dtype, ndim, tight(array.layout)),
        None => ranked(cx, dtype, ndim),
    })
}

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

pub(crate) fn scalar_is(cx: &ResultCx<'_>, i: usize, test: fn(Scalar) -> bool) -> bool {
    cx.types.as_scalar(cx.plain(i)).is_some_and(test)
}

/// True if argument `i` is an integer.
pub(crate) fn is_int(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, Scalar::is_int)
}

/// True if argument `i` is a real number, not a boolean.
pub(crate) fn is_real(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, |s| s != Scalar::Bool && !s.is_complex())
}

/// True if argument `i` is an array, a number, or nested tuples and lists of these.
pub(crate) fn is_like(cx: &ResultCx<'_>, i: usize) -> bool {
    like(cx, i).is_ok()
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

pub(crate) fn view(cx: &ResultCx<'_>, array: ArrayType) -> Type {
    cx.types.intern(TypeKind::Array(array))
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

pub(crate) fn checked_rank(cx: &ResultCx<'_>, n: usize) -> Result<u8, Mismatch> {
    u8::try_from(n)
        .map_err(|_| Mismatch::error(format!("too many dimensions for {}", cx.show(cx.plain(0)))))
}

pub(crate) fn check_int(cx: &ResultCx<'_>, i: usize, message: &str) -> Result<(), Mismatch> {
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

/// A new array with one axis and the argument's element type.
pub(crate) fn one_axis(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    cx.returns(new(cx, dtype, 1))
}
