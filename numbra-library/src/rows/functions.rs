//! Functions as values: calls of one whose signature alone is known, and which of several one is.

use crate::row_macro::rule;
use crate::{Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Signature, Type, TypeKind};

library! {
    /// A call of the function that a value is.
    step pointer.call(*operands) {
        effects: Effects::READ.and(Effects::WRITE).and(Effects::IO).and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], call, Op::CallPointer)],
    }
}

/// A call of the body of a `with objmode` statement: the body, then its inputs.
fn object_block(cx: &ResultCx<'_>, outputs: Type) -> Result<Signature, Mismatch> {
    let params: Vec<Type> = (0..cx.args.len()).map(|i| cx.plain(i)).collect();
    for (i, param) in params.iter().enumerate().skip(1) {
        let what = match cx.types.kind(*param) {
            TypeKind::List { .. } => "list",
            TypeKind::Function { .. }
            | TypeKind::Dispatcher { .. }
            | TypeKind::Closure { .. }
            | TypeKind::BoundMethod { .. }
            | TypeKind::FunctionChoice(_)
            | TypeKind::FunctionType { .. } => "function",
            _ => continue,
        };
        return Err(Mismatch::rejected(format!(
            "Does not support {what} type inputs into with-context for arg {i}"
        )));
    }
    Ok(Signature {
        params,
        ret: outputs,
    })
}

/// A call of a function of one signature, or of the body of a `with objmode` statement: the callee, then its arguments.
fn call(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if let TypeKind::ObjectBlock(outputs) = cx.types.kind(cx.plain(0)) {
        return object_block(cx, *outputs);
    }
    let TypeKind::FunctionType { ret, params } = cx.types.kind(cx.plain(0)) else {
        return Err(Mismatch::rejected("the callee is no function"));
    };
    if cx.args.len() != params.len() + 1 {
        return Err(Mismatch::rejected(format!(
            "takes {} arguments",
            params.len()
        )));
    }
    for (i, param) in params.iter().enumerate() {
        let given = cx.plain(i + 1);
        if cx.can_convert(given, *param).is_none() {
            return Err(Mismatch::rejected(format!(
                "argument {} is {}, not {}",
                i + 1,
                cx.show(given),
                cx.show(*param)
            )));
        }
    }
    let mut all = vec![cx.plain(0)];
    all.extend(params);
    Ok(Signature {
        params: all,
        ret: *ret,
    })
}

/// `f is g`: of their common type, where they have one.
pub(crate) fn same(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.unify(cx.plain(0), cx.plain(1)) {
        Some(common) => Ok(Signature {
            params: vec![common; 2],
            ret: Type::BOOL,
        }),
        None => Err(Mismatch::rejected("functions without a common signature")),
    }
}
