//! Result types of bodies of `with objmode` statements.

use crate::{Mismatch, ResultCx};
use numbra_ir::{Signature, Type, TypeKind};

/// A call of the body of a `with objmode` statement: the body, then its inputs.
pub(crate) fn call(cx: &ResultCx<'_>, outputs: Type) -> Result<Signature, Mismatch> {
    let params: Vec<Type> = (0..cx.args.len()).map(|i| cx.plain(i)).collect();
    for (i, param) in params.iter().enumerate().skip(1) {
        let what = match cx.types.kind(*param) {
            TypeKind::List { .. } => "list",
            TypeKind::Function { .. }
            | TypeKind::Dispatcher { .. }
            | TypeKind::Closure { .. }
            | TypeKind::BoundMethod { .. }
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
