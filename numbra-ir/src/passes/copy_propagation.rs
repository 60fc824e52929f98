//! `copy_propagation`.

use super::context::PassContext;
use crate::analysis::{Cfg, DefUse, Dominators};
use crate::pipeline::{Changed, PassResult};
use crate::{Func, Rhs, SecondaryMap, StmtKind, Var};

/// Reads through copies: uses of `x` become uses of `y` where `x = y` and both have one assignment.
/// The copies themselves stay; `dead_code_elimination` drops them.
///
/// ```text
///   before          after
///     x = y           x = y
///     z = x + x       z = y + y
/// ```
///
/// On untyped functions only: a typed copy may convert. A copy of a variable that is not assigned on every path
/// to it is left alone. Linear.
pub fn copy_propagation(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let defs = DefUse::new(func);
    let cfg = Cfg::new(func);
    let dominators = Dominators::new(&cfg);
    let mut position: SecondaryMap<crate::Inst, usize> = SecondaryMap::new();
    for &block in &func.layout {
        for (i, &inst) in func.blocks[block].insts.iter().enumerate() {
            position[inst] = i;
        }
    }
    let dominates = |a: crate::Inst, b: crate::Inst| match (defs.block_of[a], defs.block_of[b]) {
        (Some(x), Some(y)) if x == y => position[a] < position[b],
        (Some(x), Some(y)) => dominators.dominates(x, y),
        _ => false,
    };
    let mut source: SecondaryMap<Var, Option<Var>> = SecondaryMap::new();
    // Reverse post-order: the source of a copy is resolved before the copy, where it dominates.
    for &block in cfg.rpo() {
        for &inst in &func.blocks[block].insts {
            if let StmtKind::Assign {
                target,
                value: Rhs::Var(from),
            } = func.insts[inst].kind
                && defs.only_def(target).is_some()
                && let Some(def) = defs.only_def(from)
                && dominates(def, inst)
            {
                source[target] = Some(source[from].unwrap_or(from));
            }
        }
    }
    let mut any = false;
    for block in func.layout.clone() {
        for inst in func.blocks[block].insts.clone() {
            let is_phi = super::surgery::is_phi(&func.insts[inst].kind);
            let mut kind = func.insts[inst].kind.clone();
            kind.for_each_use_mut(|var| {
                let Some(from) = source[*var] else {
                    return;
                };
                // Before SSA a use need not follow the copy.
                let follows = defs
                    .only_def(*var)
                    .is_some_and(|copy| dominates(copy, inst));
                if is_phi || follows {
                    *var = from;
                    any = true;
                }
            });
            func.insts[inst].kind = kind;
        }
    }
    Ok(Changed::from(any))
}
