//! Calls of the runtime, which code for GPUs cannot make.

use crate::{Func, InstKind, Module, NativeFn};
use numbra_base::Span;

/// A call of a function of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuntimeCall<'a> {
    /// What is called.
    pub callee: &'a NativeFn,
    /// What of the source it is made for: of library code, its call.
    pub span: Span,
}

/// The first call of the runtime, one whose place is known before all others.
pub fn runtime_call(module: &Module) -> Option<RuntimeCall<'_>> {
    let bodies = module.functions.values().filter_map(|f| f.body.as_ref());
    let mut first = None;
    for call in bodies.flat_map(calls) {
        if call.span.is_known() {
            return Some(call);
        }
        first = first.or(Some(call));
    }
    first
}

fn calls(func: &Func) -> impl Iterator<Item = RuntimeCall<'_>> {
    let blocks = func.layout.iter().map(|block| &func.blocks[block]);
    let insts = blocks.flat_map(|block| block.insts().iter().map(|&inst| &func.insts[inst]));
    insts.filter_map(|data| match &data.kind {
        InstKind::CallNative { callee, .. } => Some(RuntimeCall {
            callee,
            span: data.span,
        }),
        _ => None,
    })
}
