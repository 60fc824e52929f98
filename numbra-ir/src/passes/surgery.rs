//! Changes to blocks that several passes make.

use crate::analysis::Cfg;
use crate::{Block, BlockData, Expr, Func, Inst, Rhs, SecondaryMap, Stmt, StmtKind};
use numbra_base::{Origin, Span};

/// Moves the statements from `at` on to a new block, which stands after `block` and has the same handler.
/// `block` is left without a terminator; phis of the old successors now name the new block.
pub(super) fn split_block(func: &mut Func, block: Block, at: usize) -> Block {
    let rest = func.blocks[block].insts.split_off(at);
    let handler = func.blocks[block].handler;
    let new = func.blocks.push(BlockData {
        insts: rest,
        handler,
    });
    insert_after(func, block, &[new]);
    for succ in func.successors(new) {
        rename_predecessor(func, succ, block, new);
    }
    new
}

/// Puts blocks into the layout after `block`.
pub(super) fn insert_after(func: &mut Func, block: Block, new: &[Block]) {
    let at = func
        .layout
        .iter()
        .position(|b| *b == block)
        .map_or(func.layout.len(), |i| i + 1);
    func.layout.splice(at..at, new.iter().copied());
}

/// In phis of `block`, calls the predecessor `old` by the name `new`.
pub(super) fn rename_predecessor(func: &mut Func, block: Block, old: Block, new: Block) {
    for inst in func.blocks[block].insts.clone() {
        if let Some(incoming) = phi_mut(&mut func.insts[inst].kind) {
            for (from, _) in incoming {
                if *from == old {
                    *from = new;
                }
            }
        }
    }
}

/// The incoming values of a phi.
pub(super) fn phi_mut(kind: &mut StmtKind) -> Option<&mut Vec<(Block, Option<crate::Var>)>> {
    match kind {
        StmtKind::Assign {
            value: Rhs::Expr(Expr::Phi(incoming)),
            ..
        } => Some(incoming),
        _ => None,
    }
}

/// True for phis.
pub(super) fn is_phi(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Assign {
            value: Rhs::Expr(Expr::Phi(_)),
            ..
        }
    )
}

/// Appends a jump.
pub(super) fn jump(func: &mut Func, from: Block, to: Block, span: Span, pass: &'static str) {
    func.push_stmt(from, StmtKind::Jump(to), span, Origin::Pass(pass));
}

/// A new statement at a position of a block.
pub(super) fn insert_stmt(
    func: &mut Func,
    block: Block,
    at: usize,
    kind: StmtKind,
    span: Span,
    pass: &'static str,
) -> Inst {
    let inst = func.insts.push(Stmt {
        kind,
        span,
        origin: Origin::Pass(pass),
    });
    func.blocks[block].insts.insert(at, inst);
    inst
}

/// Takes blocks that cannot be reached out of the layout, and what phis say about them. True if there were any.
pub(super) fn remove_unreachable(func: &mut Func) -> bool {
    let cfg = Cfg::new(func);
    let before = func.layout.len();
    func.layout.retain(|b| cfg.is_reachable(*b));
    if func.layout.len() == before {
        return false;
    }
    for &block in &func.layout.clone() {
        for inst in func.blocks[block].insts.clone() {
            if let Some(incoming) = phi_mut(&mut func.insts[inst].kind) {
                incoming.retain(|(from, _)| cfg.is_reachable(*from));
            }
        }
    }
    true
}

/// Drops what phis of `block` say about `pred`, after the last edge from there went.
pub(super) fn forget_predecessor(func: &mut Func, block: Block, pred: Block) {
    for inst in func.blocks[block].insts.clone() {
        if let Some(incoming) = phi_mut(&mut func.insts[inst].kind) {
            incoming.retain(|(from, _)| *from != pred);
        }
    }
}

/// Takes statements out of their blocks.
pub(super) fn remove_insts(func: &mut Func, dead: &SecondaryMap<Inst, bool>) {
    for &block in &func.layout {
        func.blocks[block].insts.retain(|inst| !dead[*inst]);
    }
}
