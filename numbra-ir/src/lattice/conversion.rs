//! Implicit conversion between types, with its cost.

use super::promotion::is_weak_twin;
use crate::types::Kind;
use crate::{DispatcherId, Scalar, Type, TypeKind, Types};

/// Cost of an implicit conversion, cheapest first.
// ORDER: overload ranking compares by this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Conversion {
    /// Same representation.
    Exact,
    /// Same kind, wider.
    Promote,
    /// Other kind, value kept.
    Safe,
    /// May lose the value.
    Unsafe,
}

/// Rules of extension types, asked when the built-in rules have no answer.
pub trait ExtRules {
    /// The cost of `from` to `to`, at least one of which is an extension type; or of a jitted function to the type of functions
    /// of one signature, where it can be compiled at that.
    fn can_convert(&self, from: Type, to: Type) -> Option<Conversion>;
    /// The common type of `a` and `b`, at least one of which is an extension type.
    fn unify(&self, a: Type, b: Type) -> Option<Type>;

    /// The type of the objects that a jitted function makes which stands for their class.
    fn made_by(&self, constructor: DispatcherId) -> Option<Type> {
        let _ = constructor;
        None
    }
}

/// No extension types.
pub struct NoExt;

impl ExtRules for NoExt {
    fn can_convert(&self, _from: Type, _to: Type) -> Option<Conversion> {
        None
    }

    fn unify(&self, _a: Type, _b: Type) -> Option<Type> {
        None
    }
}

/// The cost of converting a value of type `from` to type `to`; `None` if there is no implicit conversion.
pub fn can_convert(types: &Types, from: Type, to: Type) -> Option<Conversion> {
    can_convert_with(types, &NoExt, from, to)
}

/// [`can_convert`], with rules for extension types.
pub fn can_convert_with(
    types: &Types,
    ext: &dyn ExtRules,
    from: Type,
    to: Type,
) -> Option<Conversion> {
    Lattice { types, ext }.convert(from, to)
}

/// True if a dictionary with keys or values of type `to` takes those of type `from`: what converts without loss, numbers of
/// one kind whatever their widths, integers as floats, and tuples of these. Numba cuts floats in tuples to integers.
pub fn is_stored_as(types: &Types, ext: &dyn ExtRules, from: Type, to: Type) -> bool {
    let Some(cost) = can_convert_with(types, ext, from, to) else {
        return false;
    };
    if let (Some(from), Some(to)) = (types.tuple_items(from), types.tuple_items(to)) {
        let mut pairs = from.iter().zip(&to);
        return pairs.all(|(from, to)| is_stored_as(types, ext, *from, *to));
    }
    let (Some(from), Some(to)) = (types.as_scalar(from), types.as_scalar(to)) else {
        return cost <= Conversion::Safe;
    };
    cost <= Conversion::Safe
        || (from.is_int() && (to.is_int() || to.is_float()))
        || (from.is_float() && to.is_float())
        || (from.is_complex() && to.is_complex())
}

/// The types with the rules of those that Python code defines.
pub(crate) struct Lattice<'a> {
    pub(crate) types: &'a Types,
    pub(crate) ext: &'a dyn ExtRules,
}

impl Lattice<'_> {
    /// The cost of converting `from` to `to`: the rules between kinds, then those of the one kind that both are of.
    pub(crate) fn convert(&self, from: Type, to: Type) -> Option<Conversion> {
        use TypeKind as K;
        if from == to {
            return Some(Conversion::Exact);
        }
        let types = self.types;
        let (from_kind, to_kind) = (types.kind(from), types.kind(to));
        match (from_kind, to_kind) {
            (K::Scalar(a, fa), K::Scalar(b, fb)) => {
                if a == b && fa != fb {
                    Some(Conversion::Promote)
                } else {
                    scalar_conversion(*a, *b)
                }
            }
            (K::None, K::Optional(_)) => Some(Conversion::Promote),
            (K::EnumMember { dtype, is_int, .. }, K::Scalar(..)) if *is_int => {
                Some(self.convert(*dtype, to)?.max(Conversion::Safe))
            }
            (K::Optional(a), K::Optional(b)) => {
                Some(self.convert(*a, *b)?.max(Conversion::Promote))
            }
            (K::Optional(a), _) => Some(self.convert(*a, to)?.max(Conversion::Safe)),
            (_, K::Optional(b)) => Some(self.convert(from, *b)?.max(Conversion::Promote)),
            (K::Literal(_), K::Literal(_) | K::Omitted(_)) => None,
            (K::Literal(value), _) => {
                let base = types.unliteral(from);
                if base == from {
                    return None;
                }
                let at_least = match value {
                    crate::Const::Str(_) => Conversion::Safe,
                    _ => Conversion::Promote,
                };
                Some(self.convert(base, to)?.max(at_least))
            }
            (
                K::UniTuple(..) | K::Tuple(_) | K::StarArgTuple(_),
                K::UniTuple(..) | K::Tuple(_) | K::StarArgTuple(_),
            ) => {
                let (a, b) = (types.tuple_items(from)?, types.tuple_items(to)?);
                if a.len() != b.len() {
                    return None;
                }
                let mut worst = Conversion::Exact;
                for (x, y) in a.into_iter().zip(b) {
                    worst = worst.max(self.convert(x, y)?);
                }
                Some(worst)
            }
            (K::UnicodeCharSeq(_), K::UnicodeCharSeq(_) | K::Unicode)
            | (K::Unicode, K::UnicodeCharSeq(_))
            | (K::Bytes, K::CharSeq(_)) => Some(Conversion::Safe),
            // `a.ctypes` where C takes the address of the elements.
            (K::BoundMethod { receiver, method }, K::Pointer(to)) if method == "ctypes" => {
                let fits = types
                    .as_array(*receiver)
                    .is_some_and(|a| to.is_none_or(|to| to == a.dtype));
                fits.then_some(Conversion::Safe)
            }
            (K::Scalar(Scalar::UInt64, _), K::Pointer(None)) => Some(Conversion::Safe),
            (K::Pointer(None), K::Scalar(Scalar::UInt64, _)) => Some(Conversion::Unsafe),
            (K::Ext { .. }, _) | (_, K::Ext { .. }) => self.ext.can_convert(from, to),
            (K::Dispatcher { .. }, K::FunctionType { .. }) => self.ext.can_convert(from, to),
            (K::Dispatcher { .. } | K::FunctionChoice(_), K::FunctionChoice(members)) => {
                let is_one = |member: &Type| members.contains(member);
                let fits = types.jitted_functions(from).iter().all(is_one);
                fits.then_some(Conversion::Promote)
            }
            (K::FunctionChoice(members), K::FunctionType { .. }) => {
                let mut worst = Conversion::Exact;
                for member in members {
                    worst = worst.max(self.convert(*member, to)?);
                }
                Some(worst)
            }
            _ if is_weak_twin(types, from, to) => Some(Conversion::Promote),
            _ => with_same_kind!(from_kind, to_kind, (a, b) => a.convert(&b, self)).flatten(),
        }
    }
}

// Rows are the source, columns the target, both in `Scalar` order.
// `=` exact, `p` promote, `s` safe, `u` unsafe, `-` none. Measured on Numba 0.68.1.
const SCALARS: [&[u8; 14]; 14] = [
    b"=sssssssssssss",
    b"u=pppuuuusssss",
    b"uu=ppuuuuussss",
    b"uuu=puuuuuusus",
    b"uuuu=uuuuuusus",
    b"uusss=pppussss",
    b"uuussu=ppuusus",
    b"uuuusuu=puusus",
    b"uuuuuuuu=uusus",
    b"uuuuuuuuu=ppss",
    b"uuuuuuuuuu=pss",
    b"uuuuuuuuuuu=us",
    b"------------=p",
    b"------------u=",
];

fn scalar_conversion(from: Scalar, to: Scalar) -> Option<Conversion> {
    match (from, to) {
        (Scalar::BFloat16, Scalar::BFloat16) => return Some(Conversion::Exact),
        (_, Scalar::BFloat16) => return to_bfloat(from),
        (Scalar::BFloat16, _) => return from_bfloat(to),
        _ => {}
    }
    match SCALARS[from as usize][to as usize] {
        b'=' => Some(Conversion::Exact),
        b'p' => Some(Conversion::Promote),
        b's' => Some(Conversion::Safe),
        b'u' => Some(Conversion::Unsafe),
        _ => None,
    }
}

/// numba-cuda's rules of bfloat16: every integer of 8 bits is one; booleans and complex numbers do not convert.
fn to_bfloat(from: Scalar) -> Option<Conversion> {
    match from {
        Scalar::Int8 | Scalar::UInt8 => Some(Conversion::Safe),
        _ if from.is_int() || from.is_float() => Some(Conversion::Unsafe),
        _ => None,
    }
}

fn from_bfloat(to: Scalar) -> Option<Conversion> {
    match to {
        Scalar::Float32 | Scalar::Float64 => Some(Conversion::Safe),
        _ if to.is_int() || to.is_float() => Some(Conversion::Unsafe),
        _ => None,
    }
}
