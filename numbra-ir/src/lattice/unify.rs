//! The common type of two types: of the assignments to a variable, of list elements, of return values.

use super::conversion::{Conversion, ExtRules, NoExt, can_convert_with};
use super::promotion::result_type;
use crate::{ArrayType, Flavor, Layout, Scalar, Type, TypeKind, Types};

/// The type that values of `a` and of `b` both become; `None` if there is none. Commutative.
pub fn unify(types: &Types, a: Type, b: Type) -> Option<Type> {
    unify_with(types, &NoExt, a, b)
}

/// The common type of several. Numbers are joined from narrow to wide, as Numba does, so that order does not matter
/// where pairwise unification is not associative.
pub fn unify_all(types: &Types, ext: &dyn ExtRules, all: &[Type]) -> Option<Type> {
    let mut sorted = all.to_vec();
    sorted.sort_by_key(|t| match types.kind(*t) {
        TypeKind::Scalar(scalar, _) if scalar.size() > 0 => scalar.size() * 8,
        TypeKind::Literal(crate::Const::Int(_)) => 64,
        _ => 0,
    });
    let mut sorted = sorted.into_iter();
    let first = sorted.next()?;
    sorted.try_fold(first, |acc, t| unify_with(types, ext, acc, t))
}

/// [`unify`], with rules for extension types.
pub fn unify_with(types: &Types, ext: &dyn ExtRules, a: Type, b: Type) -> Option<Type> {
    use TypeKind as K;
    if a == b {
        return Some(a);
    }
    let (ka, kb) = (types.kind(a), types.kind(b));
    match (ka, kb) {
        (K::Undefined, _) => Some(b),
        (_, K::Undefined) => Some(a),
        (K::None, K::Optional(_)) => Some(b),
        (K::Optional(_), K::None) => Some(a),
        (K::None, _) => Some(types.optional(types.unliteral(b))),
        (_, K::None) => Some(types.optional(types.unliteral(a))),
        (K::Optional(x), K::Optional(y)) => Some(types.optional(unify_with(types, ext, *x, *y)?)),
        (K::Optional(x), _) => {
            let y = types.unliteral(b);
            Some(types.optional(unify_with(types, ext, *x, y)?))
        }
        (_, K::Optional(y)) => {
            let x = types.unliteral(a);
            Some(types.optional(unify_with(types, ext, x, *y)?))
        }
        (K::Literal(_) | K::SliceLiteral(_), _) | (_, K::Literal(_) | K::SliceLiteral(_)) => {
            let (x, y) = (types.unliteral(a), types.unliteral(b));
            if (x, y) == (a, b) {
                return None;
            }
            unify_with(types, ext, x, y)
        }
        (K::Scalar(x, _), K::Scalar(y, _)) if [*x, *y].contains(&Scalar::BFloat16) => {
            by_conversion(types, ext, a, b)
        }
        (K::Scalar(x, fx), K::Scalar(y, fy)) => {
            let joined = result_type(*x, *y);
            let flavor = if fx == fy { *fx } else { Flavor::Numpy };
            Some(types.intern(K::Scalar(joined, flavor)))
        }
        (K::UniTuple(x, n), K::UniTuple(y, m)) => {
            let item = (n == m).then(|| unify_with(types, ext, *x, *y))??;
            Some(types.intern(K::UniTuple(item, *n)))
        }
        (
            K::UniTuple(..) | K::Tuple(_) | K::StarArgTuple(_) | K::NamedTuple(..),
            K::UniTuple(..) | K::Tuple(_) | K::StarArgTuple(_) | K::NamedTuple(..),
        ) => unify_tuples(types, ext, a, b),
        (K::Array(x), K::Array(y)) => unify_arrays(types, *x, *y),
        (
            K::List {
                dtype: x,
                reflected: rx,
            },
            K::List {
                dtype: y,
                reflected: ry,
            },
        ) => Some(types.intern(K::List {
            dtype: unify_with(types, ext, *x, *y)?,
            reflected: *rx || *ry,
        })),
        (
            K::Set {
                dtype: x,
                reflected: rx,
            },
            K::Set {
                dtype: y,
                reflected: ry,
            },
        ) => Some(types.intern(K::Set {
            dtype: unify_with(types, ext, *x, *y)?,
            reflected: *rx || *ry,
        })),
        (
            K::EnumMember {
                dtype: x,
                is_int: true,
                ..
            },
            K::EnumMember {
                dtype: y,
                is_int: true,
                ..
            },
        ) => unify_with(types, ext, *x, *y),
        (
            K::EnumMember {
                dtype,
                is_int: true,
                ..
            },
            K::Scalar(..),
        ) => unify_with(types, ext, *dtype, b),
        (
            K::Scalar(..),
            K::EnumMember {
                dtype,
                is_int: true,
                ..
            },
        ) => unify_with(types, ext, a, *dtype),
        (K::LiteralList(x), K::LiteralList(y)) if x.len() == y.len() => {
            let items: Option<Vec<Type>> = x
                .iter()
                .zip(y)
                .map(|(s, t)| unify_with(types, ext, *s, *t))
                .collect();
            Some(types.intern(K::LiteralList(items?)))
        }
        (K::Range(x), K::Range(y)) => {
            unify_bounds(types, ext, *x, *y).map(|t| types.intern(K::Range(t)))
        }
        (K::RangeIter(x), K::RangeIter(y)) => {
            unify_bounds(types, ext, *x, *y).map(|t| types.intern(K::RangeIter(t)))
        }
        (K::Pair(first, second), K::Pair(other_first, other_second)) => {
            let first = unify_with(types, ext, *first, *other_first)?;
            let second = unify_with(types, ext, *second, *other_second)?;
            Some(types.intern(K::Pair(first, second)))
        }
        (
            K::BoundMethod {
                receiver: x,
                method,
            },
            K::BoundMethod {
                receiver: y,
                method: other,
            },
        ) if method == other => Some(types.intern(K::BoundMethod {
            receiver: unify_with(types, ext, *x, *y)?,
            method: method.clone(),
        })),
        (K::Ext { .. }, _) | (_, K::Ext { .. }) => {
            ext.unify(a, b).or_else(|| by_conversion(types, ext, a, b))
        }
        _ => by_conversion(types, ext, a, b),
    }
}

/// The integer that bounds of ranges become. Signed and unsigned ones of 64 bits would be floats, which ranges do not take.
fn unify_bounds(types: &Types, ext: &dyn ExtRules, a: Type, b: Type) -> Option<Type> {
    unify_with(types, ext, a, b).filter(|ty| types.as_scalar(*ty).is_some_and(|s| s.is_int()))
}

/// Tuples unify item by item. Named ones do with none but their own type: Numba joins them with tuples of several types, too,
/// and has no conversion to what comes out.
fn unify_tuples(types: &Types, ext: &dyn ExtRules, a: Type, b: Type) -> Option<Type> {
    let (x, y) = (types.tuple_items(a)?, types.tuple_items(b)?);
    let is_named = |t: Type| matches!(types.kind(t), TypeKind::NamedTuple(..));
    if x.len() != y.len() || is_named(a) || is_named(b) {
        return None;
    }
    let mut items = Vec::with_capacity(x.len());
    for (s, t) in x.into_iter().zip(y) {
        items.push(unify_with(types, ext, s, t)?);
    }
    Some(types.tuple(&items))
}

fn unify_arrays(types: &Types, a: ArrayType, b: ArrayType) -> Option<Type> {
    if a.ndim != b.ndim {
        return None;
    }
    let dtype = if a.dtype == Type::UNDEFINED {
        b.dtype
    } else if b.dtype == Type::UNDEFINED || a.dtype == b.dtype {
        a.dtype
    } else {
        return None;
    };
    Some(types.intern(TypeKind::Array(ArrayType {
        dtype,
        ndim: a.ndim,
        layout: if a.layout == b.layout {
            a.layout
        } else {
            Layout::A
        },
        mutable: a.mutable && b.mutable,
        aligned: a.aligned && b.aligned,
    })))
}

/// One side, if the other converts to it without loss.
fn by_conversion(types: &Types, ext: &dyn ExtRules, a: Type, b: Type) -> Option<Type> {
    let lossless =
        |from, to| can_convert_with(types, ext, from, to).is_some_and(|c| c <= Conversion::Safe);
    if lossless(a, b) {
        Some(b)
    } else if lossless(b, a) {
        Some(a)
    } else {
        None
    }
}
