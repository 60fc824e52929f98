//! A compiled function as a value of compiled code: a function of the internal ABI that always has a status, as a call of
//! which nobody knows the callee takes it for granted.

use super::builder::Entry;
use numbra_ir::{Type, Types};
use numbra_lir::{FuncRef, Module, Signature, Terminator, Ty};
use numbra_lower::lowering::leaves;

/// Adds the function that calls `root` to `module` and returns its symbol name.
pub(crate) fn build(
    types: &Types,
    module: &mut Module,
    root: FuncRef,
    params: &[Type],
    ret: Type,
) -> Result<String, String> {
    let name = format!("{}.value", module.functions[root].name);
    let mut takes: Vec<Ty> = Vec::new();
    for param in params {
        takes.extend(leaves(types, *param)?);
    }
    let sig = Signature::new(&takes, &leaves(types, ret)?, true);
    let mut b = Entry::new(types, module, sig);
    let args = b.params();
    let (status, results) = b.call_root(root, args);
    if let Some(status) = status {
        let fine = b.succeeded(status);
        let (then, other) = b.branch(fine, true);
        b.term(other, Terminator::Fail);
        b.block = then;
    }
    let last = b.block;
    b.term(last, Terminator::Return(results));
    b.finish(&name);
    Ok(name)
}
