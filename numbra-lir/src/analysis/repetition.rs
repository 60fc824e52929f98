//! Repetition: loops and recursion.

use super::{Cfg, callees};
use crate::{Func, FuncRef, Module};
use numbra_graph::{components, is_cyclic};

/// True if one call of a function of the module may run code many times: loops, recursion.
pub fn has_repetition(module: &Module) -> bool {
    let bodies = || module.functions.values().filter_map(|f| f.body.as_ref());
    bodies().any(has_loop) || is_recursive(module)
}

/// True if control flow may come to a block again.
pub fn has_loop(body: &Func) -> bool {
    is_cyclic(&Cfg::new(body))
}

/// True if a function may call itself, directly or through others.
fn is_recursive(module: &Module) -> bool {
    let called = |id: FuncRef| {
        let body = module.functions[id].body.as_ref();
        body.into_iter().flat_map(callees)
    };
    let groups = components(module.functions.keys(), called);
    groups.iter().any(|group| match group[..] {
        [one] => called(one).any(|callee| callee == one),
        _ => true,
    })
}
