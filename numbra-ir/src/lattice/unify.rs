//! The common type of two types: of the assignments to a variable, of list elements, of return values.

use super::conversion::{Conversion, ExtRules, Lattice, NoExt};
use super::promotion::result_type;
use crate::types::{Kind, Unified};
use crate::{Flavor, Scalar, Type, TypeKind, Types};

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
    Lattice { types, ext }.unify(a, b)
}

impl Lattice<'_> {
    /// The rules between kinds, then those of the one kind that both are of.
    pub(crate) fn unify(&self, a: Type, b: Type) -> Option<Type> {
        use TypeKind as K;
        if a == b {
            return Some(a);
        }
        let types = self.types;
        let (ka, kb) = (types.kind(a), types.kind(b));
        match (ka, kb) {
            (K::Undefined, _) => Some(b),
            (_, K::Undefined) => Some(a),
            (K::None, K::Optional(_)) => Some(b),
            (K::Optional(_), K::None) => Some(a),
            (K::None, _) => Some(types.optional(types.unliteral(b))),
            (_, K::None) => Some(types.optional(types.unliteral(a))),
            (K::Optional(x), K::Optional(y)) => Some(types.optional(self.unify(*x, *y)?)),
            (K::Optional(x), _) => Some(types.optional(self.unify(*x, types.unliteral(b))?)),
            (_, K::Optional(y)) => Some(types.optional(self.unify(types.unliteral(a), *y)?)),
            (K::Literal(_) | K::SliceLiteral(_), _) | (_, K::Literal(_) | K::SliceLiteral(_)) => {
                let (x, y) = (types.unliteral(a), types.unliteral(b));
                if (x, y) == (a, b) {
                    return None;
                }
                self.unify(x, y)
            }
            (K::Scalar(x, _), K::Scalar(y, _)) if [*x, *y].contains(&Scalar::BFloat16) => {
                self.by_conversion(a, b)
            }
            (K::Scalar(x, fx), K::Scalar(y, fy)) => {
                let joined = result_type(*x, *y);
                let flavor = if fx == fy { *fx } else { Flavor::Numpy };
                Some(types.intern(K::Scalar(joined, flavor)))
            }
            (K::EnumMember { dtype, is_int, .. }, K::Scalar(..)) if *is_int => {
                self.unify(*dtype, b)
            }
            (K::Scalar(..), K::EnumMember { dtype, is_int, .. }) if *is_int => {
                self.unify(a, *dtype)
            }
            (K::Ext { .. }, _) | (_, K::Ext { .. }) => {
                let by_hooks = self.ext.unify(a, b);
                by_hooks.or_else(|| self.by_conversion(a, b))
            }
            (
                K::Dispatcher { .. } | K::FunctionChoice(_),
                K::Dispatcher { .. } | K::FunctionChoice(_),
            ) => {
                let mut members = types.jitted_functions(a);
                members.extend(types.jitted_functions(b));
                Some(types.function_choice(members))
            }
            _ => match with_same_kind!(ka, kb, (x, y) => x.unify(&y, self)) {
                Some(Unified::To(ty)) => ty,
                _ if types.is_tuple(a) && types.is_tuple(b) => self.unify_tuples(a, b),
                _ => self.by_conversion(a, b),
            },
        }
    }

    /// Tuples unify item by item. Named ones do with none but their own type: Numba joins them with tuples of several types,
    /// too, and has no conversion to what comes out.
    fn unify_tuples(&self, a: Type, b: Type) -> Option<Type> {
        let types = self.types;
        let (x, y) = (types.tuple_items(a)?, types.tuple_items(b)?);
        let is_named = |ty: Type| matches!(types.kind(ty), TypeKind::NamedTuple(..));
        if x.len() != y.len() || is_named(a) || is_named(b) {
            return None;
        }
        let mut items = Vec::with_capacity(x.len());
        for (s, t) in x.into_iter().zip(y) {
            items.push(self.unify(s, t)?);
        }
        Some(types.tuple(&items))
    }

    /// One side, if the other converts to it without loss.
    fn by_conversion(&self, a: Type, b: Type) -> Option<Type> {
        let lossless = |from, to| {
            self.convert(from, to)
                .is_some_and(|cost| cost <= Conversion::Safe)
        };
        if lossless(a, b) {
            Some(b)
        } else {
            lossless(b, a).then_some(a)
        }
    }
}
