//! The internal ABI of `numbra_lir::Signature` as LLVM function types.

use super::names::quote;
use super::types::memory_type;
use crate::Target;
use numbra_abi::{CType, Native};
use numbra_lir::analysis::returns_new_memory;
use numbra_lir::{FuncDecl, NativeFn, Signature, Ty};

/// Return type and parameter types of machine code of `sig`.
pub(super) fn function_type(sig: &Signature, target: &Target) -> (String, Vec<String>) {
    let mut params = Vec::new();
    if sig.has_result_block() {
        params.push("ptr".to_owned());
    }
    if sig.has_argument_block() {
        params.push("ptr".to_owned());
    } else {
        params.extend(sig.params.iter().map(|p| memory_type(p.ty, target)));
    }
    (return_type(sig, target), params)
}

/// A leaf that blocks cannot hold: leaves are 16 bytes apart there.
pub(super) fn oversized_leaf(sig: &Signature) -> Option<Ty> {
    let params = sig.params.iter().map(|p| p.ty);
    let mut leaves = params.chain(sig.results.iter().copied());
    leaves.find(|ty| ty.size() > Signature::BLOCK_STRIDE)
}

/// What a function returns in registers.
pub(super) fn return_type(sig: &Signature, target: &Target) -> String {
    let leaf = if sig.has_result_block() {
        None
    } else {
        sig.results.first().map(|&ty| memory_type(ty, target))
    };
    match (sig.raises, leaf) {
        (false, None) => "void".into(),
        (false, Some(leaf)) => leaf,
        (true, None) => "i32".into(),
        (true, Some(leaf)) => format!("{{ i32, {leaf} }}"),
    }
}

/// The `declare` line of a function defined elsewhere.
pub(super) fn declaration(decl: &FuncDecl, target: &Target) -> String {
    let (ret, params) = function_type(&decl.sig, target);
    format!(
        "declare {ret} @{}({}) nounwind{}",
        quote(&decl.name),
        params.join(", "),
        if target.is_gpu() { " convergent" } else { "" }
    )
}

/// A C type.
pub(super) fn c_type(ty: CType) -> &'static str {
    match ty {
        CType::Void => "void",
        CType::I8 => "i8",
        CType::I16 => "i16",
        CType::I32 => "i32",
        CType::I64 => "i64",
        CType::F32 => "float",
        CType::F64 => "double",
        CType::Ptr | CType::Ref => "ptr",
    }
}

/// Return type of a runtime symbol: status first when it raises.
pub(super) fn native_return(native: &Native) -> String {
    match (native.effects.raises, native.ret) {
        (false, ret) => c_type(ret).into(),
        (true, CType::Void) => "i32".into(),
        (true, ret) => format!("{{ i32, {} }}", c_type(ret)),
    }
}

/// The `declare` line of a runtime symbol. C callees rely on the caller to extend narrow integers.
pub(super) fn native_declaration(callee: &NativeFn) -> String {
    let native = callee.row();
    let params: Vec<String> = native.params.iter().map(|&p| native_param(p)).collect();
    let effects = native.effects;
    let memory = match (effects.reads, effects.writes || effects.allocates) {
        (false, false) if effects.raises || effects.python => {
            " memory(inaccessiblemem: readwrite) cold"
        }
        (false, false) => " memory(none)",
        (true, false) => " memory(read)",
        (_, true) => "",
    };
    let fresh = if returns_new_memory(callee) {
        "noalias "
    } else {
        ""
    };
    format!(
        "declare {}{fresh}{} @{}({}) nounwind nobuiltin{memory}",
        native_convention(native),
        native_return(native),
        callee.symbol(),
        params.join(", ")
    )
}

/// The calling convention of a native, where it is not that of C.
pub(super) fn native_convention(native: &Native) -> &'static str {
    if native.keeps_registers {
        "preserve_mostcc "
    } else {
        ""
    }
}

/// A parameter type with its extension.
pub(super) fn native_param(ty: CType) -> String {
    match ty {
        CType::I8 | CType::I16 => format!("{} signext", c_type(ty)),
        CType::Void
        | CType::I32
        | CType::I64
        | CType::F32
        | CType::F64
        | CType::Ptr
        | CType::Ref => c_type(ty).into(),
    }
}
