//! Result types that follow from operands and signatures. Text omits those; the verifier checks them.

use crate::ops::result_types;
use crate::{Func, InstKind, Lane, Module, Signature, Ty};
use numbra_abi::CType;

/// `i1`, or a mask of integer lanes as wide as those compared.
pub(crate) fn comparison_type(ty: Ty) -> Ty {
    match ty {
        Ty::Vec(Lane::I8, n) => Ty::Vec(Lane::I8, n),
        Ty::Vec(Lane::I16, n) => Ty::Vec(Lane::I16, n),
        Ty::Vec(Lane::I32 | Lane::F32, n) => Ty::Vec(Lane::I32, n),
        Ty::Vec(Lane::I64 | Lane::F64, n) => Ty::Vec(Lane::I64, n),
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
        | Ty::Ref => Ty::I1,
    }
}

pub(crate) fn call_results(sig: &Signature) -> Vec<Ty> {
    let status = sig.raises.then_some(Ty::I32);
    status
        .into_iter()
        .chain(sig.results.iter().copied())
        .collect()
}

/// The type of a value of the C interface.
pub fn c_type(c: CType) -> Option<Ty> {
    match c {
        CType::Void => None,
        CType::I8 => Some(Ty::I8),
        CType::I16 => Some(Ty::I16),
        CType::I32 => Some(Ty::I32),
        CType::I64 => Some(Ty::I64),
        CType::F32 => Some(Ty::F32),
        CType::F64 => Some(Ty::F64),
        CType::Ptr => Some(Ty::PTR),
        CType::Ref => Some(Ty::Ref),
    }
}

impl Func {
    /// Types of the results of `kind` in this function; see [`result_types`].
    pub fn result_types(&self, kind: &InstKind, module: &Module) -> Option<Vec<Ty>> {
        result_types(kind, module, |v| self.values.get(v).map(|data| data.ty))
    }
}
