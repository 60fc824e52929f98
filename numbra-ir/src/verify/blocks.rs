//! Rules on blocks and their graph.

use super::Found;
use crate::analysis::Cfg;
use crate::{Block, Expr, Inst, Location, Rhs, SecondaryMap, StmtKind};

pub(super) fn check(found: &mut Found<'_>) {
    let func = found.func;
    let Some(entry) = func.entry() else {
        found.add(Location::Func, "a function needs a block");
        return;
    };
    let mut in_layout: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in &func.layout {
        if !func.blocks.is_valid(block) {
            found.add(Location::Func, format!("{block} does not exist"));
            return;
        }
        if in_layout[block] {
            found.add(
                Location::Block(block),
                format!("{block} is in the layout twice"),
            );
        }
        in_layout[block] = true;
    }
    let mut owner: SecondaryMap<Inst, Option<Block>> = SecondaryMap::new();
    for &block in &func.layout {
        let insts = &func.blocks[block].insts;
        for (i, &inst) in insts.iter().enumerate() {
            let Some(stmt) = func.insts.get(inst) else {
                found.add(Location::Block(block), format!("{inst} does not exist"));
                return;
            };
            if let Some(other) = owner[inst].replace(block) {
                found.add(Location::Inst(inst), format!("statement is in {other} too"));
            }
            if stmt.kind.is_terminator() && i + 1 != insts.len() {
                found.add(Location::Inst(inst), "terminator before the last statement");
            }
            for target in targets(&stmt.kind) {
                if !in_layout[target] {
                    found.add(
                        Location::Inst(inst),
                        format!("{target} is not in the layout"),
                    );
                }
            }
        }
        if func.terminator(block).is_none() {
            found.add(Location::Block(block), "missing block terminator");
        }
        if let Some(handler) = func.blocks[block].handler
            && !in_layout[handler.block]
        {
            let message = format!("handler {} is not in the layout", handler.block);
            found.add(Location::Block(block), message);
        }
    }
    if !found.errors.is_empty() {
        return;
    }
    let cfg = Cfg::new(func);
    if cfg.all_preds(entry).next().is_some() {
        found.add(Location::Block(entry), "the entry block is a target");
    }
    for &block in &func.layout {
        if !cfg.is_reachable(block) {
            found.add(Location::Block(block), "block cannot be reached");
        }
        if !cfg.protected(block).is_empty() && !cfg.preds(block).is_empty() {
            let from = cfg.preds(block)[0];
            let message = format!("{from} branches to a handler, which only exceptions enter");
            found.add(Location::Block(block), message);
        }
    }
}

/// Every block that a statement names.
fn targets(kind: &StmtKind) -> Vec<Block> {
    match kind {
        StmtKind::Jump(to) => vec![*to],
        StmtKind::Branch { then, other, .. } => vec![*then, *other],
        StmtKind::EnterWith { begin, end, .. } => vec![*begin, *end],
        StmtKind::Assign {
            value: Rhs::Expr(Expr::Phi(incoming)),
            ..
        } => incoming.iter().map(|(block, _)| *block).collect(),
        StmtKind::Assign { .. }
        | StmtKind::Del(_)
        | StmtKind::SetItem { .. }
        | StmtKind::StaticSetItem { .. }
        | StmtKind::DelItem { .. }
        | StmtKind::SetAttr { .. }
        | StmtKind::DelAttr { .. }
        | StmtKind::StoreMap { .. }
        | StmtKind::Print { .. }
        | StmtKind::PopBlock
        | StmtKind::CheckAssigned { .. }
        | StmtKind::SetFreeVar { .. }
        | StmtKind::Return(_)
        | StmtKind::Raise(_)
        | StmtKind::StaticRaise { .. }
        | StmtKind::DynamicRaise { .. } => Vec::new(),
    }
}
