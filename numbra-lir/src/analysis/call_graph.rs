//! Who calls whom.

use crate::{Func, FuncRef, InstKind};

/// The functions that a function calls by name.
pub fn callees(func: &Func) -> impl Iterator<Item = FuncRef> + '_ {
    kinds(func).filter_map(|kind| match kind {
        InstKind::Call { func, .. } => Some(*func),
        _ => None,
    })
}

/// What the instructions of a function are.
pub fn kinds(func: &Func) -> impl Iterator<Item = &InstKind> {
    let insts = func.layout.iter().flat_map(|b| func.blocks[b].insts());
    insts.map(|&inst| &func.insts[inst].kind)
}
