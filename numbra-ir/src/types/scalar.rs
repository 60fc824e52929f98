//! Numbers and booleans, and the classes and dtypes of them.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::Parse;
use crate::{Type, TypeKind};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// A machine scalar of Numba's type system.
#[allow(missing_docs, reason = "the names say what they are")]
// ORDER: the promotion tables are indexed by this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
    /// The upper half of a `Float32`. Kernels alone know it: NumPy has no such type, so it is not one of [`Scalar::ALL`].
    BFloat16,
}

impl Scalar {
    /// Those of NumPy, in order.
    pub const ALL: [Scalar; 14] = [
        Scalar::Bool,
        Scalar::Int8,
        Scalar::Int16,
        Scalar::Int32,
        Scalar::Int64,
        Scalar::UInt8,
        Scalar::UInt16,
        Scalar::UInt32,
        Scalar::UInt64,
        Scalar::Float16,
        Scalar::Float32,
        Scalar::Float64,
        Scalar::Complex64,
        Scalar::Complex128,
    ];

    /// The one of this name, of NumPy or not.
    pub fn named(name: &str) -> Option<Scalar> {
        let all = Scalar::ALL.into_iter().chain([Scalar::BFloat16]);
        all.into_iter().find(|s| s.name() == name)
    }

    /// Numba's name: `bool`, `int64`, `complex128`.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int8 => "int8",
            Scalar::Int16 => "int16",
            Scalar::Int32 => "int32",
            Scalar::Int64 => "int64",
            Scalar::UInt8 => "uint8",
            Scalar::UInt16 => "uint16",
            Scalar::UInt32 => "uint32",
            Scalar::UInt64 => "uint64",
            Scalar::Float16 => "float16",
            Scalar::Float32 => "float32",
            Scalar::Float64 => "float64",
            Scalar::Complex64 => "complex64",
            Scalar::Complex128 => "complex128",
            Scalar::BFloat16 => "__nv_bfloat16",
        }
    }

    /// Size in memory, in bytes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::Int8 | Scalar::UInt8 => 1,
            Scalar::Int16 | Scalar::UInt16 | Scalar::Float16 | Scalar::BFloat16 => 2,
            Scalar::Int32 | Scalar::UInt32 | Scalar::Float32 => 4,
            Scalar::Int64 | Scalar::UInt64 | Scalar::Float64 | Scalar::Complex64 => 8,
            Scalar::Complex128 => 16,
        }
    }

    /// Signed integers. `bool` is not one.
    pub fn is_signed_int(self) -> bool {
        matches!(
            self,
            Scalar::Int8 | Scalar::Int16 | Scalar::Int32 | Scalar::Int64
        )
    }

    /// Unsigned integers. `bool` is not one.
    pub fn is_unsigned_int(self) -> bool {
        matches!(
            self,
            Scalar::UInt8 | Scalar::UInt16 | Scalar::UInt32 | Scalar::UInt64
        )
    }

    /// Signed or unsigned integers. `bool` is not one.
    pub fn is_int(self) -> bool {
        self.is_signed_int() || self.is_unsigned_int()
    }

    /// Real floating-point of NumPy: `BFloat16` is none.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float16 | Scalar::Float32 | Scalar::Float64)
    }

    /// Complex.
    pub fn is_complex(self) -> bool {
        matches!(self, Scalar::Complex64 | Scalar::Complex128)
    }
}

/// Whose scalar it is. Under Numba's rules there is one `int64` (`Numpy`); the `nep50` promotion switch keeps
/// Python's `int`, `float`, `bool` and `complex` apart as weakly typed scalars.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum Flavor {
    /// NumPy's, and the only one under Numba's rules.
    #[default]
    Numpy,
    /// Python's own, weakly typed under `nep50`.
    Python,
}

/// `int64`, or `py_int64` of Python's flavour.
pub(super) fn scalar_named(word: &str) -> Option<TypeKind> {
    let (word, flavor) = match word.strip_prefix("py_") {
        Some(word) => (word, Flavor::Python),
        None => (word, Flavor::Numpy),
    };
    Some(TypeKind::Scalar(Scalar::named(word)?, flavor))
}

impl Kind for kinds::Scalar<'_> {
    fn is_word(word: &str) -> bool {
        scalar_named(word).is_some()
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        match scalar_named(word) {
            Some(kind) => Ok(kind),
            None => r.c.error(format!("`{word}` is not a scalar type")),
        }
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if *self.flavor == Flavor::Python {
            w.write_str("py_")?;
        }
        w.write_str(self.scalar.name())
    }

    fn noun(&self) -> Option<&'static str> {
        Some(match self.scalar {
            Scalar::Bool => "a bool",
            _ => "a number",
        })
    }

    fn has_truth(&self) -> bool {
        true
    }

    fn family(&self) -> Option<&'static str> {
        Some(match self.scalar {
            Scalar::Bool => "bool",
            scalar if scalar.is_int() => "int",
            scalar if scalar.is_float() => "float",
            _ => "complex",
        })
    }
}

impl Kind for kinds::NumberClass<'_> {
    one_part!(NumberClass, "class", ty);

    fn family(&self) -> Option<&'static str> {
        Some("dtype")
    }
}

impl Kind for kinds::DType<'_> {
    one_part!(DType, "dtype", ty);

    fn family(&self) -> Option<&'static str> {
        Some("dtype")
    }
}
