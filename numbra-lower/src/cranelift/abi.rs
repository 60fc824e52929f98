//! The internal ABI of `numbra_lir::Signature` in Cranelift's terms.

use cranelift_codegen::ir::{self, AbiParam, ArgumentExtension, types};
use cranelift_codegen::isa::CallConv;
use numbra_abi::{CType, Native};
use numbra_lir::{Lane, Signature, Ty};

/// The type that a scalar leaf has in registers: `i1` is 0 or 1 in an `i8`, `f16` is its bits in an `i16`.
/// `None` for vectors.
pub(super) fn scalar_type(ty: Ty) -> Option<ir::Type> {
    match ty {
        Ty::I1 | Ty::I8 => Some(types::I8),
        Ty::I16 | Ty::F16 => Some(types::I16),
        Ty::I32 => Some(types::I32),
        Ty::I64 | Ty::Ptr(_) | Ty::Ref => Some(types::I64),
        Ty::I128 => Some(types::I128),
        Ty::F32 => Some(types::F32),
        Ty::F64 => Some(types::F64),
        Ty::Vec(..) => None,
    }
}

/// The 128-bit vector that holds lanes of this kind.
pub(super) fn piece_type(lane: Lane) -> ir::Type {
    match lane {
        Lane::I8 => types::I8X16,
        Lane::I16 => types::I16X8,
        Lane::I32 => types::I32X4,
        Lane::I64 => types::I64X2,
        Lane::F32 => types::F32X4,
        Lane::F64 => types::F64X2,
    }
}

/// Lanes in one piece.
pub(super) fn lanes_per_piece(lane: Lane) -> u32 {
    16 / lane.ty().size()
}

/// The Cranelift values that a leaf takes: one scalar, or the 128-bit pieces of a vector. A vector shorter than
/// 128 bits sits in the low lanes of one piece; the rest is unspecified.
pub(super) fn value_types(ty: Ty) -> (ir::Type, usize) {
    match ty {
        Ty::Vec(lane, _) => (piece_type(lane), ty.size().div_ceil(16) as usize),
        Ty::I1
        | Ty::I8
        | Ty::I16
        | Ty::I32
        | Ty::I64
        | Ty::I128
        | Ty::F16
        | Ty::F32
        | Ty::F64
        | Ty::Ptr(_)
        | Ty::Ref => (scalar_type(ty).unwrap_or(types::I64), 1),
    }
}

/// A leaf that blocks cannot hold: leaves are 16 bytes apart there.
pub(super) fn oversized_leaf(sig: &Signature) -> Option<Ty> {
    let params = sig.params.iter().map(|p| p.ty);
    let mut leaves = params.chain(sig.results.iter().copied());
    leaves.find(|ty| ty.size() > Signature::BLOCK_STRIDE)
}

/// The signature that machine code of `sig` has. With a result block its address comes first; with an argument block
/// that address is the only other parameter.
pub(super) fn signature(sig: &Signature) -> ir::Signature {
    let mut out = ir::Signature::new(CallConv::SystemV);
    if sig.has_result_block() {
        out.params.push(AbiParam::new(types::I64));
    }
    if sig.has_argument_block() {
        out.params.push(AbiParam::new(types::I64));
    } else {
        let leaves = sig.params.iter().map(|p| value_types(p.ty).0);
        out.params.extend(leaves.map(AbiParam::new));
    }
    if sig.raises {
        out.returns.push(AbiParam::new(types::I32));
    }
    if !sig.has_result_block() {
        let leaves = sig.results.iter().map(|&ty| value_types(ty).0);
        out.returns.extend(leaves.map(AbiParam::new));
    }
    out
}

/// The signature of a runtime function. C callees rely on the caller to extend narrow integers.
pub(super) fn native_signature(native: &Native) -> ir::Signature {
    let mut out = ir::Signature::new(CallConv::SystemV);
    out.params
        .extend(native.params.iter().filter_map(|&p| native_param(p)));
    if native.effects.raises {
        out.returns.push(AbiParam::new(types::I32));
    }
    out.returns
        .extend(native_type(native.ret).map(AbiParam::new));
    out
}

fn native_param(ty: CType) -> Option<AbiParam> {
    let param = AbiParam::new(native_type(ty)?);
    Some(match ty {
        CType::I8 | CType::I16 => AbiParam {
            extension: ArgumentExtension::Sext,
            ..param
        },
        CType::Void
        | CType::I32
        | CType::I64
        | CType::F32
        | CType::F64
        | CType::Ptr
        | CType::Ref => param,
    })
}

fn native_type(ty: CType) -> Option<ir::Type> {
    match ty {
        CType::Void => None,
        CType::I8 => Some(types::I8),
        CType::I16 => Some(types::I16),
        CType::I32 => Some(types::I32),
        CType::I64 | CType::Ptr | CType::Ref => Some(types::I64),
        CType::F32 => Some(types::F32),
        CType::F64 => Some(types::F64),
    }
}
