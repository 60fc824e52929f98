//! Functions at addresses: C functions that Python knows by their signature.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use crate::lir::{InstKind, Signature, Ty, Value};
use numbra_ir::{Type, TypeKind};

impl Fx<'_, '_> {
    /// Calls the function that the first operand is the address of, in the platform's C convention.
    ///
    /// That is the internal ABI of a function that does not raise, as long as every argument and the result are one leaf.
    pub(super) fn call_pointer(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let Some((callee, args)) = args.split_first() else {
            return Err(Fault::bug("a call of no function"));
        };
        let TypeKind::FunctionType { .. } = self.types.kind(callee.ty) else {
            return Err(Fault::bug(format!(
                "{} is no address",
                self.show(callee.ty)
            )));
        };
        let simple = |fx: &Self, ty: Type| fx.leaf_count(ty).is_ok_and(|n| n == 1);
        let none = ret == Type::NONE;
        if !args.iter().all(|arg| simple(self, arg.ty)) || !(none || simple(self, ret)) {
            let what = format!("a call of {}", self.show(callee.ty));
            return Err(Fault::unsupported(what));
        }
        let values: Vec<Value> = args.iter().map(|arg| arg.leaves[0]).collect();
        let params: Vec<Ty> = values.iter().map(|v| self.ty(*v)).collect();
        let results = self.leaf_types(ret)?;
        let sig = Signature::new(&params, &results, false);
        if sig.has_argument_block() || sig.has_result_block() {
            let what = format!("a call of {}", self.show(callee.ty));
            return Err(Fault::unsupported(what));
        }
        let sig = self.mx.signature(sig);
        let kind = InstKind::CallIndirect {
            sig,
            callee: callee.leaves[0],
            args: values,
        };
        Ok(self.inst(kind, &results))
    }
}
