//! Machine types.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Memory that a pointer points to. On the CPU all are the same memory.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum AddrSpace {
    #[default]
    Generic,
    Global,
    Shared,
    Const,
    Local,
}

/// Element of a short vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Lane {
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Lane {
    /// The scalar type of one lane.
    pub fn ty(self) -> Ty {
        match self {
            Lane::I8 => Ty::I8,
            Lane::I16 => Ty::I16,
            Lane::I32 => Ty::I32,
            Lane::I64 => Ty::I64,
            Lane::F32 => Ty::F32,
            Lane::F64 => Ty::F64,
        }
    }
}

/// Type of a [`crate::Value`]: one leaf.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Ty {
    /// A truth value, 0 or 1. Not storable: memory holds booleans as `I8`.
    I1,
    I8,
    I16,
    I32,
    I64,
    I128,
    F16,
    F32,
    F64,
    /// An address.
    Ptr(AddrSpace),
    /// A counted reference: null or the address of a `numbra_abi::HEADER`. Owned or borrowed, see the ownership rules.
    Ref,
    /// `n` lanes, n a power of two from 2 to 64.
    Vec(Lane, u8),
}

impl Ty {
    /// A generic pointer.
    pub const PTR: Ty = Ty::Ptr(AddrSpace::Generic);

    /// Size in memory, in bytes (`I1` has none of its own and counts 1).
    pub fn size(self) -> u32 {
        match self {
            Ty::I1 | Ty::I8 => 1,
            Ty::I16 | Ty::F16 => 2,
            Ty::I32 | Ty::F32 => 4,
            Ty::I64 | Ty::F64 | Ty::Ptr(_) | Ty::Ref => 8,
            Ty::I128 => 16,
            Ty::Vec(lane, n) => lane.ty().size() * u32::from(n),
        }
    }

    /// Width of an integer in bits; `None` for other types.
    pub fn int_bits(self) -> Option<u32> {
        match self {
            Ty::I1 => Some(1),
            Ty::I8 => Some(8),
            Ty::I16 => Some(16),
            Ty::I32 => Some(32),
            Ty::I64 => Some(64),
            Ty::I128 => Some(128),
            Ty::F16 | Ty::F32 | Ty::F64 | Ty::Ptr(_) | Ty::Ref | Ty::Vec(..) => None,
        }
    }

    /// True for integers, `I1` included.
    pub fn is_int(self) -> bool {
        self.int_bits().is_some()
    }

    /// True for `F16`, `F32`, `F64`.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F16 | Ty::F32 | Ty::F64)
    }

    /// True for pointers and references.
    pub fn is_address(self) -> bool {
        matches!(self, Ty::Ptr(_) | Ty::Ref)
    }

    /// The lane type of a vector, the type itself otherwise.
    pub fn lane_ty(self) -> Ty {
        match self {
            Ty::Vec(lane, _) => lane.ty(),
            other => other,
        }
    }
}

/// `i64`, `f32`, `ptr`, `ptr.shared`, `ref`, `f64x4`.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::I1 => f.write_str("i1"),
            Ty::I8 => f.write_str("i8"),
            Ty::I16 => f.write_str("i16"),
            Ty::I32 => f.write_str("i32"),
            Ty::I64 => f.write_str("i64"),
            Ty::I128 => f.write_str("i128"),
            Ty::F16 => f.write_str("f16"),
            Ty::F32 => f.write_str("f32"),
            Ty::F64 => f.write_str("f64"),
            Ty::Ptr(AddrSpace::Generic) => f.write_str("ptr"),
            Ty::Ptr(AddrSpace::Global) => f.write_str("ptr.global"),
            Ty::Ptr(AddrSpace::Shared) => f.write_str("ptr.shared"),
            Ty::Ptr(AddrSpace::Const) => f.write_str("ptr.const"),
            Ty::Ptr(AddrSpace::Local) => f.write_str("ptr.local"),
            Ty::Ref => f.write_str("ref"),
            Ty::Vec(lane, n) => write!(f, "{}x{n}", lane.ty()),
        }
    }
}
