//! Result types that follow from operands and signatures. Text omits those; the verifier checks them.

use crate::{Func, InstKind, Lane, MathFn, Module, Signature, Ty, Value};
use numbra_abi::CType;

/// Types of the results of `kind`, or `None` when the instruction itself must say (constants, conversions, loads) or
/// when an operand makes no sense there.
pub fn result_types(
    kind: &InstKind,
    module: &Module,
    type_of: impl Fn(Value) -> Option<Ty>,
) -> Option<Vec<Ty>> {
    let one = |ty: Option<Ty>| ty.map(|ty| vec![ty]);
    match kind {
        InstKind::IConst(_)
        | InstKind::FConst(_)
        | InstKind::Null
        | InstKind::Convert { .. }
        | InstKind::Load { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::Splat(_) => None,
        InstKind::Binary { lhs, .. } => one(type_of(*lhs)),
        InstKind::Unary { arg, .. } => one(type_of(*arg)),
        InstKind::Icmp { lhs, .. } | InstKind::Fcmp { lhs, .. } => {
            one(type_of(*lhs).map(comparison_type))
        }
        InstKind::Select { then, .. } => one(type_of(*then)),
        InstKind::Overflow { lhs, .. } => type_of(*lhs).map(|ty| vec![ty, Ty::I1]),
        InstKind::Fma { a, .. } => one(type_of(*a)),
        InstKind::Math { args, .. } => one(args.first().and_then(|&v| type_of(v))),
        InstKind::SlotAddr(_)
        | InstKind::StackPointer
        | InstKind::DataAddr(_)
        | InstKind::FuncAddr(_) => Some(vec![Ty::PTR]),
        InstKind::PtrAdd { base, .. } => one(type_of(*base)),
        InstKind::Store { .. }
        | InstKind::MemCopy { .. }
        | InstKind::MemSet { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::Fence { .. }
        | InstKind::Retain(_)
        | InstKind::Release(_)
        | InstKind::SetError { .. }
        | InstKind::Safepoint { .. } => Some(Vec::new()),
        InstKind::AtomicRmw { value, .. } | InstKind::AtomicCas { value, .. } => {
            one(type_of(*value))
        }
        InstKind::Call { func, .. } => module.functions.get(*func).map(|f| call_results(&f.sig)),
        InstKind::CallIndirect { sig, .. } => {
            module.signatures.get(*sig as usize).map(call_results)
        }
        InstKind::CallNative { name, .. } => native_signature(name).map(|sig| call_results(&sig)),
        InstKind::Device { op, .. } => Some(op.results()),
        InstKind::ExtractLane { vector, .. } => one(type_of(*vector).map(Ty::lane_ty)),
        InstKind::InsertLane { vector, .. } => one(type_of(*vector)),
    }
}

/// `i1`, or a mask of integer lanes as wide as those compared.
fn comparison_type(ty: Ty) -> Ty {
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

fn call_results(sig: &Signature) -> Vec<Ty> {
    let status = sig.raises.then_some(Ty::I32);
    status
        .into_iter()
        .chain(sig.results.iter().copied())
        .collect()
}

/// The signature of a runtime symbol: a row of `numbra_abi::NATIVES` or one of the `numbra_math_*` family.
pub fn native_signature(name: &str) -> Option<Signature> {
    if let Some(row) = numbra_abi::native(name) {
        let params: Option<Vec<Ty>> = row.params.iter().map(|&c| c_type(c)).collect();
        let results: Vec<Ty> = c_type(row.ret).into_iter().collect();
        return Some(Signature::new(&params?, &results, row.effects.raises));
    }
    let base = name.strip_prefix("numbra_math_")?;
    let find = |name: &str| MathFn::ALL.into_iter().find(|f| f.name() == name);
    let (math, ty) = match find(base) {
        Some(math) => (math, Ty::F64),
        None => (find(base.strip_suffix('f')?)?, Ty::F32),
    };
    Some(Signature::new(&vec![ty; math.arity()], &[ty], false))
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
