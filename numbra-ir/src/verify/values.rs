//! Rules on definitions, uses and phis, by forward data flow.

use super::{Found, Phase};
use crate::analysis::{Cfg, VarSet};
use crate::{Block, Expr, Inst, Location, Rhs, SecondaryMap, StmtKind, Var};

pub(super) fn check(found: &mut Found<'_>, cfg: &Cfg, phase: Phase) {
    let func = found.func;
    if phase == Phase::Ssa {
        check_single_assignment(found);
        check_phis(found, cfg);
    }
    let must = Assigned::new(found, cfg);
    for &block in cfg.rpo() {
        let mut on_all = must.at_start[block].clone();
        for &inst in &func.blocks[block].insts {
            let kind = &func.insts[inst].kind;
            let mut read = |var: Var| {
                let name = func.var_name(var);
                let strict = phase == Phase::Ssa || func.vars[var].is_temp();
                if strict && !on_all.contains(var) {
                    let message = format!("`{name}` is not assigned on every path to here");
                    found.add(Location::Inst(inst), message);
                }
            };
            if let StmtKind::Del(var) = kind {
                read(*var);
            }
            match phi(kind) {
                Some(incoming) => check_incoming(found, cfg, &must, block, inst, incoming),
                None => kind.for_each_use(read),
            }
            step(&mut on_all, kind);
        }
    }
}

fn phi(kind: &StmtKind) -> Option<&[(Block, Option<Var>)]> {
    match kind {
        StmtKind::Assign {
            value: Rhs::Expr(Expr::Phi(incoming)),
            ..
        } => Some(incoming),
        _ => None,
    }
}

/// What a statement does to the set of assigned variables.
fn step(set: &mut VarSet, kind: &StmtKind) {
    if let Some(var) = kind.def() {
        set.insert(var);
    }
    if let StmtKind::Del(var) = kind {
        set.remove(*var);
    }
}

/// Variables that are assigned on every path to the borders of blocks.
struct Assigned {
    at_start: SecondaryMap<Block, VarSet>,
    after_phis: SecondaryMap<Block, VarSet>,
    at_end: SecondaryMap<Block, VarSet>,
}

impl Assigned {
    fn new(found: &Found<'_>, cfg: &Cfg) -> Assigned {
        let func = found.func;
        let len = func.vars.len();
        let start = VarSet::full(len);
        let mut at_start = SecondaryMap::with_default(start.clone());
        let mut after_phis = SecondaryMap::with_default(start.clone());
        let mut at_end = SecondaryMap::with_default(start);
        if let Some(entry) = cfg.entry() {
            at_start[entry] = VarSet::new(len);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.rpo() {
                let mut set = at_start[block].clone();
                let normal = cfg.preds(block).iter().map(|p| &at_end[*p]);
                // An exception leaves after the phis of its block and before its other statements.
                let exceptional = cfg.protected(block).iter().map(|p| &after_phis[*p]);
                for other in normal.chain(exceptional) {
                    set.intersect(other);
                }
                at_start[block] = set.clone();
                let mut phis = set.clone();
                for &inst in &func.blocks[block].insts {
                    let kind = &func.insts[inst].kind;
                    if phi(kind).is_some() {
                        step(&mut phis, kind);
                    }
                    step(&mut set, kind);
                }
                changed |= after_phis[block] != phis;
                after_phis[block] = phis;
                changed |= at_end[block] != set;
                at_end[block] = set;
            }
        }
        Assigned {
            at_start,
            after_phis,
            at_end,
        }
    }
}

fn check_single_assignment(found: &mut Found<'_>) {
    let func = found.func;
    let mut seen = VarSet::new(func.vars.len());
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let Some(var) = func.insts[inst].kind.def()
                && !seen.insert(var)
            {
                let message = format!("`{}` is assigned twice", func.var_name(var));
                found.add(Location::Inst(inst), message);
            }
        }
    }
}

fn check_phis(found: &mut Found<'_>, cfg: &Cfg) {
    let func = found.func;
    for &block in &func.layout {
        let preds: Vec<Block> = cfg.all_preds(block).collect();
        let mut others = false;
        for &inst in &func.blocks[block].insts {
            let Some(incoming) = phi(&func.insts[inst].kind) else {
                others = true;
                continue;
            };
            if others {
                found.add(Location::Inst(inst), "phi after another statement");
            }
            for (i, (from, _)) in incoming.iter().enumerate() {
                if !preds.contains(from) {
                    found.add(Location::Inst(inst), format!("{from} is not a predecessor"));
                } else if incoming[..i].iter().any(|(b, _)| b == from) {
                    found.add(Location::Inst(inst), format!("{from} is named twice"));
                }
            }
            for pred in &preds {
                if !incoming.iter().any(|(b, _)| b == pred) {
                    let message = format!("no value for the predecessor {pred}");
                    found.add(Location::Inst(inst), message);
                }
            }
        }
    }
}

fn check_incoming(
    found: &mut Found<'_>,
    cfg: &Cfg,
    must: &Assigned,
    block: Block,
    inst: Inst,
    incoming: &[(Block, Option<Var>)],
) {
    for (from, var) in incoming {
        let Some(var) = var else { continue };
        let exceptional = cfg.handler(*from) == Some(block);
        let (set, border) = if exceptional {
            (&must.after_phis[*from], "start")
        } else {
            (&must.at_end[*from], "end")
        };
        if cfg.is_reachable(*from) && !set.contains(*var) {
            let name = found.func.var_name(*var);
            let message = format!("`{name}` is not assigned by the {border} of {from}");
            found.add(Location::Inst(inst), message);
        }
    }
}
