//! Makes the control flow graph small.
//!
//! - A branch on a constant, or to one place both ways, is a jump; a branch on `inot x` branches on `x`.
//! - A branch into a block that only branches on goes there directly, also when the argument decides the branch.
//! - A two-way branch to one block with different arguments is a `select`, unless that would wait for a load.
//! - A parameter that always receives the same value is that value.
//! - A block with one predecessor that only jumps to it is part of that.
//!
//! ```text
//! before                          after
//!   brif v0, block1, block2         v3 = select v0, v1, v2
//! block1:                           return v3
//!   jump block3(v1)
//! block2:
//!   jump block3(v2)
//! block3(v3: i64):
//!   return v3
//! ```
//!
//! Only blocks without instructions are bypassed, so nothing is duplicated. Iterations are linear, at most 8.

use crate::analyses::{Analyses, Changed};
use crate::edit::rename::Renames;
use crate::flow::select::waits_for_load;
use crate::scalar::dce::remove_params;
use cranelift_entity::SecondaryMap;
use numbra_lir::analysis::{Cfg, use_counts};
use numbra_lir::{
    Block, BlockCall, Func, InstKind, Module, Terminator, Ty, UnaryOp, Value, ValueDef,
};

pub(crate) fn simplify_cfg(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let mut any = false;
    for _ in 0..8 {
        let mut flow = fold_terminators(func);
        flow |= bypass(func);
        known.note(Changed::flow(flow));
        flow |= branches_to_selects(func, known);
        // What follows changes no edges between reachable blocks before `merge`.
        let cfg = known.cfg(func);
        let mut changed = flow | drop_unreachable(func, &cfg);
        changed |= same_params(func, &cfg);
        known.note(Changed::insts(changed));
        let merged = merge(func, &cfg);
        known.note(Changed::flow(merged));
        if !(changed | merged) {
            break;
        }
        any = true;
    }
    Changed::noted(any)
}

/// The constant that a value is.
pub(crate) fn constant(func: &Func, value: Value) -> Option<i128> {
    match func.values[value].def {
        ValueDef::Result(inst, _) => match func.insts[inst].kind {
            InstKind::IConst(n) => Some(n),
            _ => None,
        },
        ValueDef::Param(..) => None,
    }
}

/// `x` of `inot x`.
fn negated(func: &Func, value: Value) -> Option<Value> {
    match func.values[value].def {
        ValueDef::Result(inst, _) => match func.insts[inst].kind {
            InstKind::Unary {
                op: UnaryOp::INot,
                arg,
            } => Some(arg),
            _ => None,
        },
        ValueDef::Param(..) => None,
    }
}

fn fold_terminators(func: &mut Func) -> bool {
    let mut changed = false;
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        while let Some(new) = func.blocks[block]
            .term
            .as_ref()
            .and_then(|t| folded(func, t))
        {
            func.blocks[block].term = Some(new);
            changed = true;
        }
    }
    changed
}

fn folded(func: &Func, term: &Terminator) -> Option<Terminator> {
    match term {
        Terminator::Brif { cond, then, other } => {
            if then == other {
                return Some(Terminator::Jump(then.clone()));
            }
            if let Some(n) = constant(func, *cond) {
                let to = if n & 1 != 0 { then } else { other };
                return Some(Terminator::Jump(to.clone()));
            }
            negated(func, *cond).map(|cond| Terminator::Brif {
                cond,
                then: other.clone(),
                other: then.clone(),
            })
        }
        Terminator::Guard { cond, ok, err, .. } => {
            if ok == err {
                return Some(Terminator::Jump(ok.clone()));
            }
            constant(func, *cond).map(|n| {
                let to = if n & 1 != 0 { ok } else { err };
                Terminator::Jump(to.clone())
            })
        }
        Terminator::Switch {
            index,
            cases,
            default,
        } => {
            if cases.iter().all(|case| case == default) {
                return Some(Terminator::Jump(default.clone()));
            }
            let n = constant(func, *index)?;
            let bits = func.ty(*index).int_bits()?;
            let n = n as u128 & ((1 << bits) - 1);
            let to = usize::try_from(n)
                .ok()
                .and_then(|n| cases.get(n))
                .unwrap_or(default);
            Some(Terminator::Jump(to.clone()))
        }
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Fail => None,
    }
}

/// Sends branches into empty blocks on to where those go.
fn bypass(func: &mut Func) -> bool {
    let mut counts = None;
    let mut own: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut empty: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut any = false;
    for block in func.layout.iter().skip(1) {
        let data = &func.blocks[block];
        let Some(term) = data.term.as_ref().filter(|_| data.insts().is_empty()) else {
            continue;
        };
        // A parameter of an empty block may be used by its terminator only; else the block is its definition elsewhere.
        empty[block] = data.params.is_empty() || {
            let counts = counts.get_or_insert_with(|| use_counts(func));
            term.visit_operands(|v| own[v] += 1);
            let alone = data.params.iter().all(|&p| counts[p] == own[p]);
            term.visit_operands(|v| own[v] = 0);
            alone
        };
        any |= empty[block];
    }
    if !any {
        return false;
    }
    let mut changed = false;
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        let mut passes = false;
        if let Some(term) = &func.blocks[block].term {
            term.visit_targets(|to| passes |= empty[to.block]);
        }
        let Some(mut term) = passes.then(|| func.term(block).clone()) else {
            continue;
        };
        let mut moved = false;
        for target in term.targets_mut() {
            // A chain longer than this is a cycle of empty blocks, or waits for the next iteration.
            for _ in 0..16 {
                if !empty[target.block] || target.block == block {
                    break;
                }
                let Some(next) = onward(func, target) else {
                    break;
                };
                *target = next;
                moved = true;
            }
        }
        if moved {
            func.blocks[block].term = Some(term);
            changed = true;
        }
    }
    changed
}

/// Where a branch to an empty block ends up.
fn onward(func: &Func, to: &BlockCall) -> Option<BlockCall> {
    let data = &func.blocks[to.block];
    let actual = |v: Value| match data.params.iter().position(|&p| p == v) {
        Some(n) => to.args[n],
        None => v,
    };
    let next = match data.term.as_ref()? {
        Terminator::Jump(next) => next,
        Terminator::Brif { cond, then, other } => match constant(func, actual(*cond))? & 1 {
            0 => other,
            _ => then,
        },
        Terminator::Guard { cond, ok, err, .. } => match constant(func, actual(*cond))? & 1 {
            0 => err,
            _ => ok,
        },
        Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Fail => return None,
    };
    if next.block == to.block {
        return None;
    }
    Some(BlockCall {
        block: next.block,
        args: next.args.iter().map(|&v| actual(v)).collect(),
    })
}

fn branches_to_selects(func: &mut Func, known: &mut Analyses) -> bool {
    let joins = |func: &Func, block: Block| matches!(&func.blocks[block].term, Some(Terminator::Brif { then, other, .. }) if then.block == other.block);
    let blocks = func.layout.iter();
    let todo: Vec<Block> = blocks.filter(|&block| joins(func, block)).collect();
    if todo.is_empty() {
        return false;
    }
    let cfg = known.cfg(func);
    let mut changed = false;
    for block in todo {
        let Some(Terminator::Brif { cond, then, other }) = &func.blocks[block].term else {
            continue;
        };
        let (cond, then, other) = (*cond, then.clone(), other.clone());
        let differ = |(a, b): (&Value, &Value)| a != b;
        let pairs = || then.args.iter().zip(&other.args);
        // A selected reference would have two owners to count.
        let counted = pairs().any(|(a, b)| a != b && func.ty(*a) == Ty::Ref);
        let slow = pairs().any(|(&a, &b)| a != b && waits_for_load(func, &cfg, cond, [a, b]));
        if counted || slow || pairs().filter(|&p| differ(p)).count() > 2 {
            continue;
        }
        let (span, origin) = (func.blocks[block].term_span, func.blocks[block].term_origin);
        let mut args = Vec::new();
        for (&a, &b) in then.args.iter().zip(&other.args) {
            args.push(if a == b {
                a
            } else {
                let kind = InstKind::Select {
                    cond,
                    then: a,
                    other: b,
                };
                let ty = func.ty(a);
                let inst = func.push_inst(block, kind, &[ty], span, origin);
                func.insts[inst].results[0]
            });
        }
        let block_call = BlockCall {
            block: then.block,
            args,
        };
        func.blocks[block].term = Some(Terminator::Jump(block_call));
        changed = true;
    }
    known.note(Changed::flow(changed));
    changed
}

fn drop_unreachable(func: &mut Func, cfg: &Cfg) -> bool {
    let before = func.layout.len();
    func.layout.retain(|block| cfg.is_reachable(block));
    func.layout.len() != before
}

/// Replaces parameters that receive one value on every edge (but themselves).
fn same_params(func: &mut Func, cfg: &Cfg) -> bool {
    let mut renames = Renames::new();
    let mut incoming: Vec<Option<Value>> = Vec::new();
    let mut differs: Vec<bool> = Vec::new();
    loop {
        let mut found = false;
        for &block in &cfg.rpo()[1..] {
            let params = &func.blocks[block].params;
            if params.is_empty() {
                continue;
            }
            incoming.clear();
            incoming.resize(params.len(), None);
            differs.clear();
            differs.resize(params.len(), false);
            let mut last = None;
            for &pred in cfg.preds(block) {
                // A predecessor that branches here twice is listed twice, one after the other.
                if last.replace(pred) == Some(pred) {
                    continue;
                }
                for target in func.term(pred).targets() {
                    if target.block != block {
                        continue;
                    }
                    for (n, &arg) in target.args.iter().enumerate() {
                        let arg = renames.resolve(arg);
                        if arg == params[n] || incoming[n] == Some(arg) {
                            continue;
                        }
                        differs[n] |= incoming[n].replace(arg).is_some();
                    }
                }
            }
            let mut dead = Vec::new();
            for (n, &param) in params.iter().enumerate() {
                if let Some(value) = incoming[n].filter(|_| !differs[n]) {
                    renames.replace(param, value);
                    dead.push(n);
                }
            }
            if dead.is_empty() {
                continue;
            }
            found = true;
            remove_params(func, block, &dead);
            let mut preds = cfg.preds(block).to_vec();
            preds.sort();
            preds.dedup();
            for pred in preds {
                if let Some(term) = &mut func.blocks[pred].term {
                    for target in term.targets_mut().into_iter().filter(|t| t.block == block) {
                        let mut n = 0;
                        target.args.retain(|_| {
                            n += 1;
                            !dead.contains(&(n - 1))
                        });
                    }
                }
            }
        }
        if !found {
            break;
        }
    }
    let changed = !renames.is_empty();
    renames.apply(func);
    changed
}

/// Appends blocks to their only predecessor where that only jumps to them.
fn merge(func: &mut Func, cfg: &Cfg) -> bool {
    let mut renames = Renames::new();
    let before = func.layout.len();
    let mut at = func.layout.first();
    while let Some(block) = at {
        while let Some(Terminator::Jump(to)) = &func.blocks[block].term {
            let next = to.block;
            if cfg.preds(next).len() != 1 || next == func.entry() || next == block {
                break;
            }
            let args = to.args.clone();
            for (&param, &arg) in func.blocks[next].params.iter().zip(&args) {
                renames.replace(param, arg);
            }
            func.move_insts(next, block);
            let data = &mut func.blocks[next];
            let (term, span, origin) = (data.term.take(), data.term_span, data.term_origin);
            let cold = data.cold;
            let into = &mut func.blocks[block];
            (into.term, into.term_span, into.term_origin) = (term, span, origin);
            into.cold &= cold;
            func.layout.remove(next);
        }
        at = func.layout.next(block);
    }
    renames.apply(func);
    func.layout.len() != before
}
