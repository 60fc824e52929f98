//! NumPy's type promotion: the result type of two dtypes, casting rules, and weak Python scalars.

use crate::{Flavor, Scalar, Type, TypeKind, Types};

/// Whose rules promote scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Promotion {
    /// Numba's: integers compute in 64 bits (NBEP 1), Python and NumPy scalars are the same.
    #[default]
    Numba,
    /// NumPy 2's: Python scalars are weak and take the type of what they meet (NEP 50).
    Nep50,
}

/// An operand of a ufunc.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operand {
    /// Element type.
    pub scalar: Scalar,
    /// A Python scalar under [`Promotion::Nep50`].
    pub weak: bool,
}

/// What a ufunc sees of an argument: the element type of an array, or the scalar itself.
pub fn operand(types: &Types, ty: Type) -> Option<Operand> {
    match types.kind(ty) {
        TypeKind::Array(array) => operand(types, array.dtype).map(|o| Operand { weak: false, ..o }),
        TypeKind::Optional(inner) => operand(types, *inner),
        // NumPy promotes no bfloat16.
        TypeKind::Scalar(Scalar::BFloat16, _) => None,
        TypeKind::Scalar(scalar, flavor) => Some(Operand {
            scalar: *scalar,
            weak: *flavor == Flavor::Python,
        }),
        TypeKind::Literal(_) => types.as_scalar(ty).map(|scalar| Operand {
            scalar,
            weak: false,
        }),
        _ => None,
    }
}

/// `np.result_type(a, b)`, which is also what Numba unifies two scalars to. Both are NumPy's.
pub fn result_type(a: Scalar, b: Scalar) -> Scalar {
    RESULT[a as usize][b as usize]
}

/// `np.can_cast(from, to, "safe")`
pub fn can_cast_safe(from: Scalar, to: Scalar) -> bool {
    from == to || (both_of_numpy(from, to) && result_type(from, to) == to)
}

fn both_of_numpy(a: Scalar, b: Scalar) -> bool {
    a != Scalar::BFloat16 && b != Scalar::BFloat16
}

/// `np.can_cast(from, to, "same_kind")`
pub fn can_cast_same_kind(from: Scalar, to: Scalar) -> bool {
    let unsigned_from_signed = from.is_signed_int() && to.is_unsigned_int();
    can_cast_safe(from, to)
        || (both_of_numpy(from, to) && kind(from) <= kind(to) && !unsigned_from_signed)
}

/// Numba's casting rule of ufunc inputs: when integer and inexact inputs are mixed, integers cast to any inexact
/// type, so that `float32 ** int32` computes in float32.
pub fn ufunc_can_cast(from: Scalar, to: Scalar, has_mixed_inputs: bool) -> bool {
    (has_mixed_inputs && from.is_int() && (to.is_float() || to.is_complex()))
        || can_cast_safe(from, to)
}

/// `np.result_type` of operands of which some are weak Python scalars (NEP 50): a weak scalar raises the kind of the
/// others but never their width. `None` for no operand.
pub fn weak_result_type(operands: &[Operand]) -> Option<Scalar> {
    let strong = operands
        .iter()
        .filter(|o| !o.weak)
        .map(|o| o.scalar)
        .reduce(result_type);
    let weak = operands
        .iter()
        .filter(|o| o.weak)
        .map(|o| o.scalar)
        .reduce(result_type);
    match (strong, weak) {
        (None, None) => None,
        (Some(only), None) | (None, Some(only)) => Some(only),
        (Some(strong), Some(weak)) => Some(if kind(weak) <= kind(strong) {
            strong
        } else if kind(weak) == Kind::Complex && strong.is_float() {
            match strong {
                Scalar::Float16 | Scalar::Float32 => Scalar::Complex64,
                _ => Scalar::Complex128,
            }
        } else {
            weak
        }),
    }
}

/// True if the two differ only in whose scalar they are.
pub(super) fn is_weak_twin(types: &Types, a: Type, b: Type) -> bool {
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Scalar(x, fx), TypeKind::Scalar(y, fy)) => x == y && fx != fy,
        _ => false,
    }
}

// ORDER: `same_kind` casting goes up this list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Bool,
    Int,
    Float,
    Complex,
}

fn kind(scalar: Scalar) -> Kind {
    match scalar {
        Scalar::Bool => Kind::Bool,
        s if s.is_int() => Kind::Int,
        s if s.is_float() => Kind::Float,
        _ => Kind::Complex,
    }
}

use Scalar::{
    Bool as B1, Complex64 as C8, Complex128 as C16, Float16 as F2, Float32 as F4, Float64 as F8,
    Int8 as I1, Int16 as I2, Int32 as I4, Int64 as I8, UInt8 as U1, UInt16 as U2, UInt32 as U4,
    UInt64 as U8,
};

// ORDER: rows and columns in `Scalar` order. Measured: `np.result_type` and Numba's `unify_pairs` agree on all of it.
#[rustfmt::skip]
const RESULT: [[Scalar; 14]; 14] = [
    [ B1,  I1,  I2,  I4,  I8,  U1,  U2,  U4,  U8,  F2,  F4,  F8,  C8, C16],
    [ I1,  I1,  I2,  I4,  I8,  I2,  I4,  I8,  F8,  F2,  F4,  F8,  C8, C16],
    [ I2,  I2,  I2,  I4,  I8,  I2,  I4,  I8,  F8,  F4,  F4,  F8,  C8, C16],
    [ I4,  I4,  I4,  I4,  I8,  I4,  I4,  I8,  F8,  F8,  F8,  F8, C16, C16],
    [ I8,  I8,  I8,  I8,  I8,  I8,  I8,  I8,  F8,  F8,  F8,  F8, C16, C16],
    [ U1,  I2,  I2,  I4,  I8,  U1,  U2,  U4,  U8,  F2,  F4,  F8,  C8, C16],
    [ U2,  I4,  I4,  I4,  I8,  U2,  U2,  U4,  U8,  F4,  F4,  F8,  C8, C16],
    [ U4,  I8,  I8,  I8,  I8,  U4,  U4,  U4,  U8,  F8,  F8,  F8, C16, C16],
    [ U8,  F8,  F8,  F8,  F8,  U8,  U8,  U8,  U8,  F8,  F8,  F8, C16, C16],
    [ F2,  F2,  F4,  F8,  F8,  F2,  F4,  F8,  F8,  F2,  F4,  F8,  C8, C16],
    [ F4,  F4,  F4,  F8,  F8,  F4,  F4,  F8,  F8,  F4,  F4,  F8,  C8, C16],
    [ F8,  F8,  F8,  F8,  F8,  F8,  F8,  F8,  F8,  F8,  F8,  F8, C16, C16],
    [ C8,  C8,  C8, C16, C16,  C8,  C8, C16, C16,  C8,  C8, C16,  C8, C16],
    [C16, C16, C16, C16, C16, C16, C16, C16, C16, C16, C16, C16, C16, C16],
];
