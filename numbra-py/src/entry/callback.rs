//! C callbacks: a compiled function as a function of the platform's C convention, without status.
//!
//! ```text
//! double callback(double, double)
//! ```
//!
//! Each argument and the result are one machine value, a boolean a byte. An exception cannot reach the caller: it is
//! printed as CPython prints those of destructors, and the result is 0.

use super::builder::Entry;
use numbra_ir::{Type, Types};
use numbra_lir::{
    ConvertOp, Data, FuncRef, InstBuilder, InstKind, IntCc, Module, Signature, Terminator, Ty,
    Value,
};
use numbra_lower::lowering::leaves;

/// The machine value of a type in C.
fn passed(types: &Types, ty: Type, what: &str) -> Result<Ty, String> {
    match leaves(types, ty)?.as_slice() {
        [Ty::I1] => Ok(Ty::I8),
        [leaf] if *leaf != Ty::Ref => Ok(*leaf),
        _ => Err(format!(
            "a C callback cannot have {what} of type {}",
            types.display(ty)
        )),
    }
}

/// Why there is no C function of these types, if there is none.
pub(crate) fn refusal(types: &Types, params: &[Type], ret: Type) -> Option<String> {
    let mut parts = params.iter().map(|ty| passed(types, *ty, "a parameter"));
    let bad = parts.find_map(Result::err);
    bad.or_else(|| match ret {
        Type::NONE => None,
        _ => passed(types, ret, "a result").err(),
    })
}

/// Adds the callback for `root` to `module` and returns its symbol name.
pub(crate) fn build(
    types: &Types,
    module: &mut Module,
    root: FuncRef,
    params: &[Type],
    ret: Type,
) -> Result<String, String> {
    let name = format!("{}.callback", module.functions[root].name);
    let takes: Vec<Ty> = params
        .iter()
        .map(|ty| passed(types, *ty, "a parameter"))
        .collect::<Result<_, _>>()?;
    let gives: Vec<Ty> = match ret {
        Type::NONE => Vec::new(),
        _ => vec![passed(types, ret, "a result")?],
    };
    let sig = Signature::new(&takes, &gives, false);
    if sig.has_argument_block() {
        return Err(format!("a C callback with {} parameters", params.len()));
    }
    let mut b = Entry::new(types, module, sig);
    let given = b.params();
    let mut args: Vec<Value> = Vec::new();
    for (&value, &ty) in given.iter().zip(params) {
        args.push(if leaves(types, ty)? == [Ty::I1] {
            let zero = b.iconst(Ty::I8, 0);
            b.icmp(IntCc::Ne, value, zero)
        } else {
            value
        });
    }
    let (status, results) = b.call_root(root, args);
    if let Some(status) = status {
        let fine = b.succeeded(status);
        let (then, other) = b.branch(fine, true);
        b.block = other;
        let text = Data::c_string(format!("{name}.name"), &name);
        let text = b.module.data.push(text);
        let text = b.one(InstKind::DataAddr(text), Ty::PTR);
        b.import_call("numbra_py_callback_error", &[text], None);
        let nothing: Vec<Value> = gives.iter().map(|&ty| b.zero(ty)).collect();
        b.term(other, Terminator::Return(nothing));
        b.block = then;
    }
    let out: Vec<Value> = results
        .into_iter()
        .zip(&gives)
        .map(|(value, &ty)| b.convert(ConvertOp::ZExt, value, ty))
        .collect();
    let last = b.block;
    b.term(last, Terminator::Return(out));
    b.finish(&name);
    Ok(name)
}
