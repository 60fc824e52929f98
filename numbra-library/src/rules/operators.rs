//! Result types of operators that signatures alone cannot say.

use crate::pattern::plain;
use crate::{Mismatch, ResultCx, TypePattern as P};
use numbra_ir::{Const, Signature, Type, TypeKind, Types};

pub(crate) use super::to_bool;

/// What has a truth value.
pub(crate) const TRUTHY: P = P::HasTruth;

/// Char sequences and `bytes`, or a char sequence of characters and a string.
pub(crate) fn char_seqs(types: &Types, args: &[Type]) -> bool {
    let [a, b] = args else { return false };
    let matches = |pattern: P| pattern.matches(types, *a) && pattern.matches(types, *b);
    let bytes = |ty: Type| matches!(types.kind(ty), TypeKind::CharSeq(_) | TypeKind::Bytes);
    (bytes(*a) && bytes(*b))
        || (matches(P::Text) && (P::CharSeq.matches(types, *a) || P::CharSeq.matches(types, *b)))
}

/// `bool`, with the arguments as they are: the operation looks at an optional.
pub(crate) fn keep_to_bool(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::BOOL)
}

/// A comparison of pointers by their addresses.
pub(crate) fn addresses(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![Type::UINT64; cx.args.len()],
        ret: Type::BOOL,
    })
}

/// `x ** constant`: the base takes the type that `**` computes in; the exponent stays a literal.
pub(crate) fn static_pow(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let Some(base) = cx.types.as_scalar(cx.plain(0)) else {
        return Err(Mismatch::rejected("the base is no number"));
    };
    let ty = match base {
        s if s.is_float() => cx.types.scalar(s),
        s if s.is_complex() => Type::COMPLEX128,
        _ => Type::INT64,
    };
    Ok(Signature {
        params: vec![ty, cx.arg(1)],
        ret: ty,
    })
}

/// The element types that a dtype and another one, or a class, name.
fn dtypes(types: &Types, args: &[Type]) -> Option<(Type, Type)> {
    let named = |ty: &Type| match types.kind(*ty) {
        TypeKind::DType(item) | TypeKind::NumberClass(item) => Some(*item),
        _ => None,
    };
    let is_dtype = |ty: &Type| matches!(types.kind(*ty), TypeKind::DType(_));
    match args {
        [a, b] if is_dtype(a) || is_dtype(b) => Some((named(a)?, named(b)?)),
        _ => None,
    }
}

/// Both arguments are the same constant, or name the same dtype.
pub(crate) fn same_constant(types: &Types, args: &[Type]) -> bool {
    constants(types, args).is_some_and(|(a, b)| a == b)
        || dtypes(types, args).is_some_and(|(a, b)| a == b)
        || args.iter().all(|ty| plain(types, *ty) == Type::NONE)
}

/// A result that is true whatever the values are.
pub(crate) fn always(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.intern(TypeKind::Literal(Const::Bool(true))))
}

/// A result that is false whatever the values are.
pub(crate) fn never(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.intern(TypeKind::Literal(Const::Bool(false))))
}

/// The arguments are constants of one type, or dtypes, that differ, or of types no values of which are equal.
pub(crate) fn never_equal(types: &Types, args: &[Type]) -> bool {
    if let Some((a, b)) = constants(types, args) {
        return a != b;
    }
    if let Some((a, b)) = dtypes(types, args) {
        return a != b;
    }
    let none = |ty: &Type| plain(types, *ty) == Type::NONE;
    let optional = |ty: &Type| matches!(types.kind(*ty), TypeKind::Optional(_));
    if args.iter().any(optional) {
        return false;
    }
    if args.iter().any(none) {
        return !args.iter().all(none);
    }
    match args {
        [a, b] => match (family(types, *a), family(types, *b)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        },
        _ => false,
    }
}

/// An argument is optional, and none is `None` or compares element by element.
pub(crate) fn with_optional(types: &Types, args: &[Type]) -> bool {
    let compares = |ty: &Type| {
        let ty = match types.kind(*ty) {
            TypeKind::Optional(inner) => *inner,
            _ => plain(types, *ty),
        };
        ty != Type::NONE && !P::OneOf(&[P::Array, P::Buffer]).matches(types, ty)
    };
    args.iter()
        .any(|ty| matches!(types.kind(*ty), TypeKind::Optional(_)))
        && args.iter().all(compares)
}

/// The family of types whose values may be equal to each other, but to no others.
fn family(types: &Types, ty: Type) -> Option<&'static str> {
    let ty = plain(types, ty);
    match types.kind(ty) {
        TypeKind::Scalar(..) => Some("number"),
        kind @ (TypeKind::Unicode | TypeKind::List { .. } | TypeKind::Dict { .. }) => kind.family(),
        kind if types.is_tuple(ty) => kind.family(),
        _ => None,
    }
}

fn constants<'a>(types: &'a Types, args: &[Type]) -> Option<(&'a Const, &'a Const)> {
    let text = |ty: &Type| match types.kind(*ty) {
        TypeKind::Literal(value @ Const::Str(_)) | TypeKind::Omitted(value @ Const::Str(_)) => {
            Some(value)
        }
        _ => None,
    };
    match args {
        [a, b] => Some((text(a)?, text(b)?)),
        _ => None,
    }
}

/// The arguments have one type.
pub(crate) fn same_type(types: &Types, args: &[Type]) -> bool {
    matches!(args, [a, b] if plain(types, *a) == plain(types, *b))
}

/// The arguments have one type, which has a single value: classes, dtypes, functions, modules.
pub(crate) fn same_singleton(types: &Types, args: &[Type]) -> bool {
    same_type(types, args)
        && args.iter().all(|ty| {
            matches!(
                types.kind(*ty),
                TypeKind::Ellipsis
                    | TypeKind::Function { .. }
                    | TypeKind::Module(_)
                    | TypeKind::NumberClass(_)
                    | TypeKind::DType(_)
                    | TypeKind::TypeRef(_)
                    | TypeKind::Class(_)
                    | TypeKind::ExceptionClass(_)
                    | TypeKind::Dispatcher { .. }
            )
        })
}

/// The arguments have different types, neither of which is optional.
pub(crate) fn other_type(types: &Types, args: &[Type]) -> bool {
    let optional = |ty: &Type| matches!(types.kind(*ty), TypeKind::Optional(_));
    !same_type(types, args) && !args.iter().any(optional)
}
