//! `simplify_cfg`.

use super::context::PassContext;
use super::surgery::{forget_predecessor, is_phi, phi_mut, remove_unreachable, rename_predecessor};
use crate::analysis::Cfg;
use crate::pipeline::{Changed, PassResult};
use crate::{Block, Func, SecondaryMap, StmtKind};

/// Merges a block with its only successor, passes over blocks that only jump, and drops unreachable blocks.
///
/// ```text
///   before          after
///   bb0:            bb0:
///     x = arg(0)      x = arg(0)
///     jump bb1        return x
///   bb1:
///     jump bb2
///   bb2:
///     return x
/// ```
///
/// Blocks of different handlers are not merged, and handlers keep their own entry. Works before and after SSA;
/// a jump is not passed over where a phi would lose a distinction.
pub fn simplify_cfg(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let mut any = remove_unreachable(func);
    loop {
        let changed = skip_jumps(func) | merge_chains(func);
        any |= changed;
        if !changed {
            return Ok(Changed::from(any));
        }
        remove_unreachable(func);
    }
}

/// Makes predecessors of `bb1: jump bb2` branch to bb2. A block next to one that changed waits for the next round.
fn skip_jumps(func: &mut Func) -> bool {
    let cfg = Cfg::new(func);
    let named = named_blocks(func);
    let mut touched: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut gone: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut any = false;
    for block in func.layout.clone() {
        let &[only] = func.blocks[block].insts.as_slice() else {
            continue;
        };
        let StmtKind::Jump(to) = func.insts[only].kind else {
            continue;
        };
        let preds: Vec<Block> = cfg.preds(block).to_vec();
        let has_phis = func.blocks[to]
            .insts
            .first()
            .is_some_and(|i| is_phi(&func.insts[*i].kind));
        let near = preds.iter().chain([&block, &to]).any(|b| touched[*b]);
        if near
            || to == block
            || preds.is_empty()
            || named[block]
            || !cfg.protected(block).is_empty()
            || func.blocks[block]
                .handler
                .is_some_and(|h| has_phis_at(func, h.block))
            || (has_phis && preds.len() > 1)
            || (has_phis && cfg.preds(to).contains(&preds[0]))
        {
            continue;
        }
        for &pred in &preds {
            touched[pred] = true;
            if let Some(&last) = func.blocks[pred].insts.last() {
                func.insts[last].kind.for_each_block_mut(|b| {
                    if *b == block {
                        *b = to;
                    }
                });
                if let StmtKind::Branch { then, other, .. } = func.insts[last].kind
                    && then == other
                {
                    func.insts[last].kind = StmtKind::Jump(then);
                }
            }
        }
        if has_phis {
            rename_predecessor(func, to, block, preds[0]);
        }
        touched[block] = true;
        touched[to] = true;
        gone[block] = true;
        any = true;
    }
    func.layout.retain(|b| !gone[*b]);
    any
}

fn has_phis_at(func: &Func, block: Block) -> bool {
    func.blocks[block]
        .insts
        .first()
        .is_some_and(|i| is_phi(&func.insts[*i].kind))
}

/// Blocks that `with` statements name.
fn named_blocks(func: &Func) -> SecondaryMap<Block, bool> {
    let mut named = SecondaryMap::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let StmtKind::EnterWith { begin, end, .. } = func.insts[inst].kind {
                named[begin] = true;
                named[end] = true;
            }
        }
    }
    named
}

/// Appends a block to its only predecessor, whose only successor it is.
fn merge_chains(func: &mut Func) -> bool {
    let cfg = Cfg::new(func);
    let named = named_blocks(func);
    let mut gone: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut any = false;
    // Later blocks first: a chain then collapses from its end in one walk.
    for block in func.layout.clone().into_iter().rev() {
        let Some(StmtKind::Jump(to)) = func.terminator(block).cloned() else {
            continue;
        };
        let mergeable = to != block
            && Some(to) != func.entry()
            && cfg.preds(to) == [block]
            && cfg.protected(to).is_empty()
            && func.blocks[block].handler == func.blocks[to].handler
            && !named[to];
        if !mergeable {
            continue;
        }
        func.blocks[block].insts.pop();
        let moved = std::mem::take(&mut func.blocks[to].insts);
        for inst in moved {
            // A phi of one predecessor is a copy.
            let kind = &mut func.insts[inst].kind;
            if let Some(incoming) = phi_mut(kind) {
                let value = incoming.first().and_then(|(_, var)| *var);
                if let StmtKind::Assign { value: rhs, .. } = kind {
                    *rhs = value.map_or(crate::Rhs::Undefined, crate::Rhs::Var);
                }
            }
            func.blocks[block].insts.push(inst);
        }
        for succ in func.successors(block) {
            rename_predecessor(func, succ, to, block);
        }
        if let Some(handler) = func.blocks[to].handler {
            // Both had a value in the handler's phis; the merged block keeps the first's.
            forget_predecessor(func, handler.block, to);
        }
        gone[to] = true;
        any = true;
    }
    func.layout.retain(|b| !gone[*b]);
    any
}
