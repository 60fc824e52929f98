//! Removes instructions and block parameters whose values nobody needs, and unreachable blocks.
//!
//! ```text
//! before                      after
//!   v2 = iadd v0, v1            v3 = imul v0, v1
//!   v3 = imul v0, v1            jump block1(v3)
//!   jump block1(v2, v3)
//! ```
//!
//! A reference parameter stays while a pointer parameter of its block is needed: it may own what the pointer points to
//! (see `place_refs`). Linear.

use crate::analyses::{Analyses, Changed};
use cranelift_entity::SecondaryMap;
use numbra_lir::analysis::effects;
use numbra_lir::{Block, Func, Module, Ty, Value, ValueDef};

pub(crate) fn dce(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let cfg = known.cfg(func);
    let mut live: SecondaryMap<Value, bool> = SecondaryMap::new();
    live.resize(func.values.len());
    let mut work: Vec<Value> = Vec::new();
    for &block in cfg.rpo() {
        let data = &func.blocks[block];
        for &inst in data.insts() {
            let inst = &func.insts[inst];
            if !effects(&inst.kind).removable {
                inst.kind.visit_operands(|v| work.push(v));
            }
        }
        if let Some(term) = &data.term {
            term_roots(term, &mut work);
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut live[value], true) {
            continue;
        }
        match func.values[value].def {
            ValueDef::Result(inst, _) => {
                func.insts[inst].kind.visit_operands(|v| work.push(v));
            }
            ValueDef::Param(block, n) => {
                for &pred in cfg.preds(block) {
                    for target in func.term(pred).targets() {
                        if target.block == block {
                            work.push(target.args[usize::from(n)]);
                        }
                    }
                }
                if matches!(func.ty(value), Ty::Ptr(_)) {
                    for &param in &func.blocks[block].params {
                        if func.ty(param) == Ty::Ref {
                            work.push(param);
                        }
                    }
                }
            }
        }
    }

    let mut changed = func.layout.len() != cfg.rpo().len();
    func.layout.retain(|block| cfg.is_reachable(block));
    let entry = func.entry();
    let mut dead_params: SecondaryMap<Block, Vec<usize>> = SecondaryMap::new();
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        changed |= func.retain_insts(block, |_, data| {
            !effects(&data.kind).removable || data.results.iter().any(|&v| live[v])
        });
        if block != entry {
            for (n, &param) in func.blocks[block].params.iter().enumerate() {
                if !live[param] {
                    dead_params[block].push(n);
                }
            }
        }
    }
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        if !dead_params[block].is_empty() {
            changed = true;
            remove_params(func, block, &dead_params[block]);
        }
        if let Some(term) = &mut func.blocks[block].term {
            for target in term.targets_mut() {
                let dead = &dead_params[target.block];
                if !dead.is_empty() {
                    let mut n = 0;
                    target.args.retain(|_| {
                        n += 1;
                        !dead.contains(&(n - 1))
                    });
                }
            }
        }
    }
    if !func.slots.is_empty() {
        crate::scalar::sroa::compact(func);
    }
    Changed::insts(changed)
}

/// What a terminator needs by itself: all but block arguments.
fn term_roots(term: &numbra_lir::Terminator, work: &mut Vec<Value>) {
    use numbra_lir::Terminator;
    match term {
        Terminator::Jump(_) | Terminator::Fail => {}
        Terminator::Brif { cond, .. } | Terminator::Guard { cond, .. } => work.push(*cond),
        Terminator::Switch { index, .. } => work.push(*index),
        Terminator::Return(values) => work.extend_from_slice(values),
    }
}

/// Removes parameters by index from a block; callers remove the arguments.
pub(crate) fn remove_params(func: &mut Func, block: Block, dead: &[usize]) {
    let mut n = 0;
    func.blocks[block].params.retain(|_| {
        n += 1;
        !dead.contains(&(n - 1))
    });
    for (n, &param) in func.blocks[block].params.iter().enumerate() {
        func.values[param].def = ValueDef::Param(block, n as u16);
    }
}
