//! Result types of operators that signatures alone cannot say.

use crate::pattern::plain;
use crate::{Mismatch, ResultCx, TypePattern as P};
use numbra_ir::{Const, Signature, Type, TypeKind, Types};

pub(crate) use super::to_bool;

/// What has a truth value.
pub(crate) const TRUTHY: P = P::OneOf(&[
    P::Scalar,
    P::None,
    P::Optional,
    P::Tuple,
    P::Range,
    P::Array,
    P::List,
    P::Set,
    P::AnyText,
]);

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

/// Both arguments are the same constant.
pub(crate) fn same_constant(types: &Types, args: &[Type]) -> bool {
    constants(types, args).is_some_and(|(a, b)| a == b)
        || args.iter().all(|ty| plain(types, *ty) == Type::NONE)
}

/// The arguments are constants of one type that differ, or one of them is `None` and the other never is.
pub(crate) fn other_constant(types: &Types, args: &[Type]) -> bool {
    if let Some((a, b)) = constants(types, args) {
        return a != b;
    }
    let none = |ty: &Type| plain(types, *ty) == Type::NONE;
    let optional = |ty: &Type| matches!(types.kind(*ty), TypeKind::Optional(_));
    args.iter().any(none) && !args.iter().all(none) && !args.iter().any(optional)
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
