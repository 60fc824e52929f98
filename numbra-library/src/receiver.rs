//! Families of types by which attributes and methods are named: `array.shape`, `complex.real`.

use crate::pattern::plain;
use numbra_ir::{Scalar, Type, TypeKind, Types};

/// The family of a receiver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Receiver {
    /// Arrays: `array.*`
    Array,
    /// `bool`: `bool.*`
    Bool,
    /// Integers: `int.*`
    Int,
    /// Floats: `float.*`
    Float,
    /// Complex numbers: `complex.*`
    Complex,
    /// Tuples of any kind: `tuple.*`
    Tuple,
    /// Ranges: `range.*`
    Range,
    /// Slices: `slice.*`
    Slice,
    /// Dtypes: `dtype.*`
    DType,
    /// Lists: `list.*`
    List,
    /// List displays of items without a common type: `literal_list.*`
    LiteralList,
    /// Sets: `set.*`
    Set,
    /// NumPy's `Generator`: `generator.*`
    RandomGenerator,
    /// NumPy's `Polynomial`: `polynomial.*`
    Polynomial,
    /// `array.flags`, which is the array bound to the name `flags`: `flags.*`
    Flags,
    /// `array.flat`, likewise: `flat.*`
    Flat,
    /// `array.ctypes`, likewise: `ctypes.*`
    Ctypes,
    /// Buffers that are no arrays: `buffer.*`
    Buffer,
    /// Strings, bytes and char sequences: `str.*`
    Text,
}

impl Receiver {
    /// The family of a type. Optional types are looked at by the caller, which unwraps them.
    pub fn of(types: &Types, ty: Type) -> Option<Receiver> {
        let ty = plain(types, ty);
        if let Some(scalar) = types.as_scalar(ty) {
            return Some(match scalar {
                Scalar::Bool => Receiver::Bool,
                s if s.is_int() => Receiver::Int,
                s if s.is_float() => Receiver::Float,
                _ => Receiver::Complex,
            });
        }
        Some(match types.kind(ty) {
            TypeKind::Array(_) => Receiver::Array,
            TypeKind::UniTuple(..)
            | TypeKind::Tuple(_)
            | TypeKind::NamedTuple(..)
            | TypeKind::StarArgTuple(_) => Receiver::Tuple,
            TypeKind::Range(_) => Receiver::Range,
            TypeKind::List { .. } => Receiver::List,
            TypeKind::LiteralList(_) => Receiver::LiteralList,
            TypeKind::Set { .. } => Receiver::Set,
            TypeKind::RandomGenerator => Receiver::RandomGenerator,
            TypeKind::Polynomial(_) => Receiver::Polynomial,
            TypeKind::Slice2 | TypeKind::Slice3 => Receiver::Slice,
            TypeKind::DType(_) | TypeKind::NumberClass(_) => Receiver::DType,
            TypeKind::BoundMethod { method, .. } if method == "flags" => Receiver::Flags,
            TypeKind::BoundMethod { method, .. } if method == "flat" => Receiver::Flat,
            TypeKind::BoundMethod { method, .. } if method == "ctypes" => Receiver::Ctypes,
            TypeKind::Buffer { .. } => Receiver::Buffer,
            TypeKind::Unicode
            | TypeKind::Bytes
            | TypeKind::CharSeq(_)
            | TypeKind::UnicodeCharSeq(_) => Receiver::Text,
            _ => return None,
        })
    }

    /// The prefix of row names.
    pub fn name(self) -> &'static str {
        match self {
            Receiver::Array => "array",
            Receiver::Bool => "bool",
            Receiver::Int => "int",
            Receiver::Float => "float",
            Receiver::Complex => "complex",
            Receiver::Tuple => "tuple",
            Receiver::Range => "range",
            Receiver::List => "list",
            Receiver::LiteralList => "literal_list",
            Receiver::Set => "set",
            Receiver::Slice => "slice",
            Receiver::DType => "dtype",
            Receiver::RandomGenerator => "generator",
            Receiver::Polynomial => "polynomial",
            Receiver::Flags => "flags",
            Receiver::Flat => "flat",
            Receiver::Ctypes => "ctypes",
            Receiver::Buffer => "buffer",
            Receiver::Text => "str",
        }
    }
}
