//! The few objects that untyped passes recognise, by qualified name. No pass names one elsewhere.

use crate::analysis::DefUse;
use crate::{Expr, Func, ObjDesc, ObjKind, Rhs, Var};

pub(super) const BOOL: &[&str] = &["builtins.bool"];
pub(super) const FLOAT: &[&str] = &["builtins.float"];
pub(super) const LEN: &[&str] = &["builtins.len"];
pub(super) const RANGE: &[&str] = &["builtins.range"];
pub(super) const PRINT: &[&str] = &["builtins.print"];
pub(crate) const SLICE: &[&str] = &["builtins.slice"];
pub(super) const LITERALLY: &[&str] = &[
    "numbra.literally",
    "numbra.misc.special.literally",
    "numba.literally",
    "numba.misc.special.literally",
];
pub(super) const LITERAL_UNROLL: &[&str] = &[
    "numbra.literal_unroll",
    "numbra.misc.special.literal_unroll",
    "numba.literal_unroll",
    "numba.misc.special.literal_unroll",
];

/// The object that a variable always holds, if it is a global or free variable.
pub(super) fn object<'f>(func: &'f Func, defs: &DefUse, var: Var) -> Option<&'f ObjDesc> {
    match defs.definition(func, var)? {
        Rhs::Global(obj) | Rhs::FreeVar { obj, .. } => func.objects.get(*obj),
        _ => None,
    }
}

/// Is the variable always one of these library functions or classes, which may be read as an attribute of its module?
pub(crate) fn is_object(func: &Func, defs: &DefUse, var: Var, names: &[&str]) -> bool {
    if let Some(Rhs::Expr(Expr::GetAttr { value, attr })) = defs.definition(func, var) {
        return object(func, defs, *value).is_some_and(|module| {
            module.kind == ObjKind::Module
                && names
                    .iter()
                    .any(|name| name.rsplit_once('.') == Some((&module.name, attr)))
        });
    }
    object(func, defs, var).is_some_and(|desc| {
        matches!(desc.kind, ObjKind::Function | ObjKind::Class)
            && names.iter().any(|name| desc.name == *name)
    })
}
