//! LIR types in LLVM's words.

use crate::Target;
use numbra_lir::{AddrSpace, Ty};

/// The LLVM type of a value.
pub(super) fn llvm_type(ty: Ty, target: &Target) -> String {
    match ty {
        Ty::I1 => "i1".into(),
        Ty::I8 => "i8".into(),
        Ty::I16 => "i16".into(),
        Ty::I32 => "i32".into(),
        Ty::I64 => "i64".into(),
        Ty::I128 => "i128".into(),
        Ty::F16 => "half".into(),
        Ty::F32 => "float".into(),
        Ty::F64 => "double".into(),
        Ty::Ref => "ptr".into(),
        Ty::Ptr(space) => match address_space(space, target) {
            0 => "ptr".into(),
            n => format!("ptr addrspace({n})"),
        },
        Ty::Vec(lane, n) => format!("<{n} x {}>", llvm_type(lane.ty(), target)),
    }
}

/// The type that a leaf has in memory and at calls: booleans are bytes.
pub(super) fn memory_type(ty: Ty, target: &Target) -> String {
    if ty == Ty::I1 {
        "i8".into()
    } else {
        llvm_type(ty, target)
    }
}

/// LLVM's number of an address space; all are one on a CPU.
fn address_space(space: AddrSpace, target: &Target) -> u32 {
    if !target.is_gpu() {
        return 0;
    }
    match space {
        AddrSpace::Generic => 0,
        AddrSpace::Global => 1,
        AddrSpace::Shared => 3,
        AddrSpace::Const => 4,
        AddrSpace::Local => 5,
    }
}

/// Suffix of overloaded intrinsics: `f64`, `v4i32`, `p0`.
pub(super) fn suffix(ty: Ty) -> String {
    match ty {
        Ty::I1 => "i1".into(),
        Ty::I8 => "i8".into(),
        Ty::I16 => "i16".into(),
        Ty::I32 => "i32".into(),
        Ty::I64 => "i64".into(),
        Ty::I128 => "i128".into(),
        Ty::F16 => "f16".into(),
        Ty::F32 => "f32".into(),
        Ty::F64 => "f64".into(),
        Ty::Ref | Ty::Ptr(_) => "p0".into(),
        Ty::Vec(lane, n) => format!("v{n}{}", suffix(lane.ty())),
    }
}

/// A float constant, by bits: LLVM writes `float` as the double of the same value.
pub(super) fn float_constant(ty: Ty, bits: u64) -> String {
    match ty {
        Ty::F16 => format!("0xH{:04X}", bits as u16),
        Ty::F32 => format!("0x{:016X}", single_as_double(bits as u32)),
        _ => format!("0x{bits:016X}"),
    }
}

/// Widens the bits of a single exactly, signalling NaNs included.
fn single_as_double(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        return sign | 0x7FF0_0000_0000_0000 | (u64::from(bits & 0x007F_FFFF) << 29);
    }
    f64::from(value).to_bits()
}

/// A vector constant with all lanes `lane`, or the scalar itself.
pub(super) fn splat(ty: Ty, lane: &str, target: &Target) -> String {
    match ty {
        Ty::Vec(kind, n) => {
            let item = format!("{} {lane}", llvm_type(kind.ty(), target));
            format!("<{}>", vec![item; usize::from(n)].join(", "))
        }
        _ => lane.to_owned(),
    }
}
