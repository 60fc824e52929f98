//! Calls of the runtime, which code for GPUs cannot make.

use crate::{Func, InstKind, Module};
use numbra_base::Span;

/// A call of a function of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuntimeCall<'a> {
    /// The symbol that is called.
    pub name: &'a str,
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
    let blocks = func.layout.iter().map(|&block| &func.blocks[block]);
    let insts = blocks.flat_map(|block| block.insts.iter().map(|&inst| &func.insts[inst]));
    insts.filter_map(|data| match &data.kind {
        InstKind::CallNative { name, .. } if numbra_abi::native(name).is_some() => {
            Some(RuntimeCall {
                name,
                span: data.span,
            })
        }
        _ => None,
    })
}
