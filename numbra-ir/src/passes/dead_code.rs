//! `dead_code_elimination`.

use super::context::{Effect, PassContext};
use super::surgery::remove_insts;
use crate::analysis::DefUse;
use crate::pipeline::{Changed, PassResult};
use crate::{Func, Inst, Rhs, SecondaryMap, StmtKind};

/// Drops assignments that nobody reads and that do nothing else ([`PassContext::effect`] is `None`).
///
/// ```text
///   before                 after
///     x = const(int, 1)      y = const(int, 2)
///     y = const(int, 2)      return y
///     return y
/// ```
///
/// Parameters stay, as in Numba's dumps. Before SSA a variable counts as read if any of its versions is. Linear.
pub fn dead_code_elimination(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    let defs = DefUse::new(func);
    let mut live: SecondaryMap<Inst, bool> = SecondaryMap::new();
    let mut work: Vec<Inst> = Vec::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let keep = match &func.insts[inst].kind {
                StmtKind::Assign {
                    value: Rhs::Arg(_), ..
                } => true,
                // A `del` stays with what it deletes.
                StmtKind::Del(_) => false,
                _ => (cx.effect)(func, inst) != Effect::None,
            };
            if keep {
                live[inst] = true;
                work.push(inst);
            }
        }
    }
    while let Some(inst) = work.pop() {
        func.insts[inst].kind.for_each_use(|var| {
            for &def in defs.defs(var) {
                if !live[def] {
                    live[def] = true;
                    work.push(def);
                }
            }
        });
    }
    let mut dead: SecondaryMap<Inst, bool> = SecondaryMap::new();
    let mut any = false;
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let keep = match &func.insts[inst].kind {
                StmtKind::Del(var) => defs.defs(*var).iter().any(|def| live[*def]),
                _ => live[inst],
            };
            if !keep {
                dead[inst] = true;
                any = true;
            }
        }
    }
    if any {
        remove_insts(func, &dead);
    }
    Ok(Changed::from(any))
}
