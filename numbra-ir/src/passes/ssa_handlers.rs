//! Preparation of protected blocks for SSA.

use super::context::{Effect, plain_effect};
use super::surgery::{is_phi, jump, split_block};
use crate::analysis::{Cfg, Liveness};
use crate::{Block, FreshNames, Func, Inst, Rhs, Stmt, StmtKind};
use numbra_base::Origin;

const NAME: &str = "reconstruct_ssa";

/// Splits protected blocks so that none assigns a variable that its handler needs.
///
/// ```text
///   before                       after
///   bb1 handler bb5:             bb1 handler bb5:
///     x = call f()                 $9 = call f()
///     y = call g(x)                jump bb6
///     jump bb2                   bb6:
///                                  x = $9
///                                  jump bb7
///                                bb7 handler bb5:
///                                  y = call g(x)
///                                  jump bb2
/// ```
///
/// The values at the end of a protected block are then those at its start, as far as the handler can tell,
/// and the edge to the handler is like any other.
pub(super) fn isolate_handler_defs(func: &mut Func) -> bool {
    if func
        .layout
        .iter()
        .all(|b| func.blocks[*b].handler.is_none())
    {
        return false;
    }
    let cfg = Cfg::new(func);
    let liveness = Liveness::new(func, &cfg);
    let mut names = FreshNames::new(func);
    let mut any = false;
    for block in func.layout.clone() {
        let Some(handler) = func.blocks[block].handler else {
            continue;
        };
        let mut rest = Some(block);
        while let Some(block) = rest.take() {
            let Some(mut at) = func.blocks[block].insts.iter().position(|inst| {
                let kind = &func.insts[*inst].kind;
                // Phis take effect before anything can raise.
                !is_phi(kind)
                    && kind
                        .def()
                        .is_some_and(|var| liveness.is_live_in(handler.block, var))
            }) else {
                break;
            };
            any = true;
            let inst = func.blocks[block].insts[at];
            if may_raise(func, inst) {
                copy_through_temporary(func, &mut names, block, at);
                at += 1;
            }
            let quiet = if at == 0 { block } else { cut(func, block, at) };
            func.blocks[quiet].handler = None;
            let raising = func.blocks[quiet]
                .insts
                .iter()
                .position(|i| may_raise(func, *i));
            if let Some(at) = raising {
                let next = cut(func, quiet, at);
                func.blocks[next].handler = Some(handler);
                rest = Some(next);
            }
        }
    }
    any
}

/// Splits and joins the halves by a jump.
fn cut(func: &mut Func, block: Block, at: usize) -> Block {
    let span = func.insts[func.blocks[block].insts[at]].span;
    let new = split_block(func, block, at);
    jump(func, block, new, span, NAME);
    new
}

/// True if the statement may leave for the handler of its block.
pub(super) fn may_raise(func: &Func, inst: Inst) -> bool {
    match &func.insts[inst].kind {
        StmtKind::Assign { .. } => plain_effect(func, inst) != Effect::None,
        StmtKind::Del(_)
        | StmtKind::PopBlock
        | StmtKind::SetFreeVar { .. }
        | StmtKind::Return(_)
        | StmtKind::Jump(_)
        | StmtKind::Branch { .. } => false,
        StmtKind::SetItem { .. }
        | StmtKind::StaticSetItem { .. }
        | StmtKind::DelItem { .. }
        | StmtKind::SetAttr { .. }
        | StmtKind::DelAttr { .. }
        | StmtKind::StoreMap { .. }
        | StmtKind::Print { .. }
        | StmtKind::EnterWith { .. }
        | StmtKind::CheckAssigned { .. }
        | StmtKind::Raise(_)
        | StmtKind::StaticRaise { .. }
        | StmtKind::DynamicRaise { .. } => true,
    }
}

/// `x = call f()` becomes `$9 = call f(); x = $9`.
fn copy_through_temporary(func: &mut Func, names: &mut FreshNames, block: Block, at: usize) {
    let inst = func.blocks[block].insts[at];
    let temp = names.temp(func);
    let StmtKind::Assign { target, .. } = &mut func.insts[inst].kind else {
        return;
    };
    let target = std::mem::replace(target, temp);
    let copy = func.insts.push(Stmt {
        kind: StmtKind::Assign {
            target,
            value: Rhs::Var(temp),
        },
        span: func.insts[inst].span,
        origin: Origin::Pass(NAME),
    });
    func.blocks[block].insts.insert(at + 1, copy);
}
