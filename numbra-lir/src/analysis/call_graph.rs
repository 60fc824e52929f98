//! Who calls whom.

use crate::{Func, FuncRef, InstKind, Module};
use cranelift_entity::SecondaryMap;

/// Functions after those that they lead to, each with the number of its strongly connected component.
pub fn components(
    module: &Module,
    leads_to: impl Fn(FuncRef) -> Vec<FuncRef>,
) -> Vec<(FuncRef, u32)> {
    // Tarjan 1972, without recursion.
    let mut index: SecondaryMap<FuncRef, u32> = SecondaryMap::new();
    let mut low: SecondaryMap<FuncRef, u32> = SecondaryMap::new();
    let mut on_stack: SecondaryMap<FuncRef, bool> = SecondaryMap::new();
    let (mut clock, mut component) = (0, 0);
    let mut path: Vec<FuncRef> = Vec::new();
    let mut out = Vec::new();
    for root in module.functions.keys() {
        if index[root] != 0 {
            continue;
        }
        let mut stack = vec![(root, leads_to(root), 0)];
        while let Some((id, next, at)) = stack.last_mut() {
            let id = *id;
            if *at == 0 && index[id] == 0 {
                clock += 1;
                (index[id], low[id]) = (clock, clock);
                path.push(id);
                on_stack[id] = true;
            }
            if let Some(&callee) = next.get(*at) {
                *at += 1;
                if index[callee] == 0 {
                    stack.push((callee, leads_to(callee), 0));
                } else if on_stack[callee] {
                    low[id] = low[id].min(index[callee]);
                }
                continue;
            }
            stack.pop();
            if let Some((parent, ..)) = stack.last() {
                low[*parent] = low[*parent].min(low[id]);
            }
            if low[id] == index[id] {
                while let Some(member) = path.pop() {
                    on_stack[member] = false;
                    out.push((member, component));
                    if member == id {
                        break;
                    }
                }
                component += 1;
            }
        }
    }
    out
}

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
