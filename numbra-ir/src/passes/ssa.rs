//! `reconstruct_ssa`.

use super::context::PassContext;
use super::ssa_handlers::isolate_handler_defs;
use super::surgery::{insert_stmt, phi_mut, remove_unreachable};
use crate::analysis::{Cfg, DefUse, Dominators, Liveness};
use crate::pipeline::{Changed, PassResult};
use crate::{Block, Expr, FreshNames, Func, Inst, Rhs, SecondaryMap, StmtKind, Var};

const NAME: &str = "reconstruct_ssa";

/// Gives each variable one assignment: pruned SSA, phis only where a variable is still needed.
///
/// ```text
///   before                   after
///   bb0:                     bb0:
///     t = const(int, 0)        t = const(int, 0)
///     jump bb1                 jump bb1
///   bb1:                     bb1:
///     branch c, bb2, bb3       t.2 = phi(bb0: t, bb2: t.1)
///   bb2:                       branch c, bb2, bb3
///     t = t += x             bb2:
///     jump bb1                 t.1 = t.2 += x
///   bb3:                       jump bb1
///     return t               bb3:
///                              return t.2
/// ```
///
/// Names as in Numba: the first assignment keeps the name, later ones get `x.1`, `x.2`, .. in layout order, then phis.
/// A variable without a value on a path is `undef` in the phi; one without a value on all paths is assigned `undefined`.
/// Protected blocks are split first (see `ssa_handlers`). Dominance frontiers as in Cytron et al. 1991.
pub fn reconstruct_ssa(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let mut any = remove_unreachable(func);
    if isolate_handler_defs(func) {
        any = true;
        // A region whose last raising statement moved out has no handler any more.
        remove_unreachable(func);
    }
    let cfg = Cfg::new(func);
    let liveness = Liveness::new(func, &cfg);
    let defs = DefUse::new(func);
    let Some(entry) = func.entry() else {
        return Ok(Changed::No);
    };
    let renamed: Vec<Var> = func
        .vars
        .keys()
        .filter(|var| defs.defs(*var).len() > 1 || liveness.is_live_in(entry, *var))
        .collect();
    if renamed.is_empty() {
        return Ok(Changed::from(any));
    }
    let mut names = FreshNames::new(func);
    let mut rename = Rename {
        is_renamed: SecondaryMap::new(),
        version_of_def: SecondaryMap::new(),
        phis: SecondaryMap::new(),
        current: SecondaryMap::new(),
        undefined: SecondaryMap::new(),
    };
    for &var in &renamed {
        rename.is_renamed[var] = true;
        for (i, &inst) in defs.defs(var).iter().enumerate() {
            let version = if i == 0 {
                var
            } else {
                names.version(func, var)
            };
            rename.version_of_def[inst] = Some(version);
        }
    }
    let dominators = Dominators::new(&cfg);
    let frontiers = dominators.frontiers(&cfg);
    for &var in &renamed {
        for block in phi_blocks(func, &defs, &frontiers, &liveness, var) {
            let version = names.version(func, var);
            rename.phis[block].push(Phi {
                base: var,
                version,
                incoming: Vec::new(),
            });
        }
    }
    rename.walk(func, &cfg, &dominators, &mut names, entry);
    rename.insert_phis(func, &cfg);
    Ok(Changed::Yes)
}

/// Iterated dominance frontier of a variable's assignments, where it is live; in layout order.
fn phi_blocks(
    func: &Func,
    defs: &DefUse,
    frontiers: &SecondaryMap<Block, Vec<Block>>,
    liveness: &Liveness,
    var: Var,
) -> Vec<Block> {
    let mut work: Vec<Block> = defs
        .defs(var)
        .iter()
        .filter_map(|inst| defs.block_of[*inst])
        .collect();
    let mut found: Vec<Block> = Vec::new();
    while let Some(block) = work.pop() {
        for &join in &frontiers[block] {
            if liveness.is_live_in(join, var) && !found.contains(&join) {
                found.push(join);
                work.push(join);
            }
        }
    }
    if found.len() > 1 {
        let mut position: SecondaryMap<Block, usize> = SecondaryMap::new();
        for (i, &block) in func.layout.iter().enumerate() {
            position[block] = i;
        }
        found.sort_by_key(|b| position[*b]);
    }
    found
}

#[derive(Clone)]
struct Phi {
    base: Var,
    version: Var,
    incoming: Vec<(Block, Option<Var>)>,
}

struct Rename {
    is_renamed: SecondaryMap<Var, bool>,
    version_of_def: SecondaryMap<Inst, Option<Var>>,
    phis: SecondaryMap<Block, Vec<Phi>>,
    /// The version of each variable that is valid here.
    current: SecondaryMap<Var, Option<Var>>,
    /// Versions that hold no value, made on demand.
    undefined: SecondaryMap<Var, Option<Var>>,
}

impl Rename {
    /// Visits the dominator tree, without recursion: functions may be thousands of blocks deep.
    fn walk(
        &mut self,
        func: &mut Func,
        cfg: &Cfg,
        dominators: &Dominators,
        names: &mut FreshNames,
        entry: Block,
    ) {
        enum Step {
            Enter(Block),
            Restore(Vec<(Var, Option<Var>)>),
        }
        let mut stack = vec![Step::Enter(entry)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Enter(block) => {
                    let undo = self.block(func, cfg, names, block);
                    stack.push(Step::Restore(undo));
                    for &child in dominators.children(block).iter().rev() {
                        stack.push(Step::Enter(child));
                    }
                }
                Step::Restore(undo) => {
                    for (var, before) in undo.into_iter().rev() {
                        self.current[var] = before;
                    }
                }
            }
        }
    }

    fn set(&mut self, undo: &mut Vec<(Var, Option<Var>)>, var: Var, version: Option<Var>) {
        undo.push((var, self.current[var]));
        self.current[var] = version;
    }

    /// Renames in one block and tells its successors. Returns what to restore.
    fn block(
        &mut self,
        func: &mut Func,
        cfg: &Cfg,
        names: &mut FreshNames,
        block: Block,
    ) -> Vec<(Var, Option<Var>)> {
        let mut undo = Vec::new();
        let own: Vec<(Var, Var)> = self.phis[block]
            .iter()
            .map(|phi| (phi.base, phi.version))
            .collect();
        for (base, version) in own {
            self.set(&mut undo, base, Some(version));
        }
        if let Some(handler) = cfg.handler(block) {
            self.tell(func, handler, block);
        }
        for inst in func.blocks[block].insts.clone() {
            let mut kind = func.insts[inst].kind.clone();
            // Phis that are there already read at the ends of predecessors.
            if phi_mut(&mut kind).is_none() {
                kind.for_each_use_mut(|var| {
                    if self.is_renamed[*var] {
                        *var = match self.current[*var] {
                            Some(version) => version,
                            None => self.undefined_version(func, names, *var),
                        };
                    }
                });
            }
            if let (StmtKind::Assign { target, value }, Some(version)) =
                (&mut kind, self.version_of_def[inst])
            {
                let base = *target;
                *target = version;
                // After `del x` there is no value, as before the first assignment.
                let holds = !matches!(value, Rhs::Undefined);
                self.set(&mut undo, base, holds.then_some(version));
            }
            func.insts[inst].kind = kind;
        }
        for &succ in cfg.succs(block) {
            self.tell(func, succ, block);
        }
        undo
    }

    /// Gives the phis of `succ` their values for `block`.
    fn tell(&mut self, func: &mut Func, succ: Block, block: Block) {
        for i in 0..self.phis[succ].len() {
            let value = self.current[self.phis[succ][i].base];
            self.phis[succ][i].incoming.push((block, value));
        }
        for inst in func.blocks[succ].insts.clone() {
            let Some(incoming) = phi_mut(&mut func.insts[inst].kind) else {
                break;
            };
            for (from, value) in incoming {
                if *from == block
                    && let Some(var) = *value
                    && self.is_renamed[var]
                {
                    *value = self.current[var];
                }
            }
        }
    }

    /// A version that is assigned `undefined` at the start of the function.
    fn undefined_version(&mut self, func: &mut Func, names: &mut FreshNames, var: Var) -> Var {
        if let Some(version) = self.undefined[var] {
            return version;
        }
        let version = names.version(func, var);
        self.undefined[var] = Some(version);
        version
    }

    fn insert_phis(&mut self, func: &mut Func, cfg: &Cfg) {
        for block in func.layout.clone() {
            let span = match func.blocks[block].insts.first() {
                Some(first) => func.insts[*first].span,
                None => func.span,
            };
            for (i, phi) in std::mem::take(&mut self.phis[block])
                .into_iter()
                .enumerate()
            {
                let incoming = cfg
                    .all_preds(block)
                    .map(|pred| {
                        let value = phi.incoming.iter().find(|(from, _)| *from == pred);
                        (pred, value.and_then(|(_, var)| *var))
                    })
                    .collect();
                let kind = StmtKind::Assign {
                    target: phi.version,
                    value: Rhs::Expr(Expr::Phi(incoming)),
                };
                insert_stmt(func, block, i, kind, span, NAME);
            }
        }
        let Some(entry) = func.entry() else { return };
        let vars: Vec<Var> = func.vars.keys().collect();
        let undefined = vars.into_iter().filter_map(|var| self.undefined[var]);
        for (i, target) in undefined.enumerate() {
            let kind = StmtKind::Assign {
                target,
                value: Rhs::Undefined,
            };
            insert_stmt(func, entry, i, kind, func.span, NAME);
        }
    }
}
