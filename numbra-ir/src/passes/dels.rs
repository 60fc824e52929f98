//! `del` statements, as Numba's annotations show them.

use super::context::PassContext;
use super::surgery::{insert_stmt, remove_insts};
use crate::analysis::{Cfg, Liveness, VarSet};
use crate::pipeline::{Changed, PassResult};
use crate::{Block, Func, Inst, SecondaryMap, StmtKind, Var};

const NAME: &str = "post_proc";

/// Inserts `del x` after the last use of each variable, and at the start of blocks that do not need it any more.
///
/// ```text
///   before            after
///     $0 = x + y        $0 = x + y
///     z = $0            del x
///     return z          del y
///                       z = $0
///                       del $0
///                       return z
/// ```
///
/// Not in SSA form: phis have been replaced by copies. Variables that a handler needs live as long as its region.
pub fn insert_dels(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let cfg = Cfg::new(func);
    let liveness = Liveness::new(func, &cfg);
    let mut any = false;
    for &block in cfg.rpo() {
        // What the handler needs lives through the whole block.
        let kept = cfg.handler(block).map(|handler| liveness.live_in(handler));
        let mut live: VarSet = liveness.live_out(block).iter().copied().collect();
        live.extend(kept.into_iter().flatten().copied());
        let insts = func.blocks[block].insts.clone();
        for (i, &inst) in insts.iter().enumerate().rev() {
            let kind = func.insts[inst].kind.clone();
            let mut last: Vec<Var> = Vec::new();
            let mut see = |var: Var, live: &VarSet| {
                if !live.contains(var) && !last.contains(&var) {
                    last.push(var);
                }
            };
            kind.def().into_iter().for_each(|var| see(var, &live));
            kind.for_each_use(|var| see(var, &live));
            if let Some(var) = kind.def()
                && kept.is_none_or(|kept| kept.binary_search(&var).is_err())
            {
                live.remove(var);
            }
            kind.for_each_use(|var| {
                live.insert(var);
            });
            if kind.is_terminator() {
                continue;
            }
            last.sort_unstable();
            let span = func.insts[inst].span;
            for (n, var) in last.into_iter().enumerate() {
                insert_stmt(func, block, i + 1 + n, StmtKind::Del(var), span, NAME);
                any = true;
            }
        }
        any |= dels_at_start(func, &cfg, &liveness, block);
    }
    Ok(Changed::from(any))
}

/// Deletes what every predecessor still had and this block does not need.
fn dels_at_start(func: &mut Func, cfg: &Cfg, liveness: &Liveness, block: Block) -> bool {
    let mut had: Option<VarSet> = None;
    for &pred in cfg.preds(block) {
        let mut end: VarSet = liveness.live_out(pred).iter().copied().collect();
        if let Some(terminator) = func.terminator(pred) {
            terminator.for_each_use(|var| {
                end.insert(var);
            });
        }
        match &mut had {
            Some(had) => {
                had.intersect(&end);
            }
            None => had = Some(end),
        }
    }
    let mut dead = had.unwrap_or_default();
    for needed in [Some(block), cfg.handler(block)].into_iter().flatten() {
        for &var in liveness.live_in(needed) {
            dead.remove(var);
        }
    }
    let span = match func.blocks[block].insts.first() {
        Some(first) => func.insts[*first].span,
        None => func.span,
    };
    let list: Vec<Var> = dead.iter().collect();
    for (n, &var) in list.iter().enumerate() {
        insert_stmt(func, block, n, StmtKind::Del(var), span, NAME);
    }
    !list.is_empty()
}

/// Takes all `del` statements out.
pub fn remove_dels(func: &mut Func, _: &PassContext<'_>) -> PassResult {
    let mut dead: SecondaryMap<Inst, bool> = SecondaryMap::new();
    let mut any = false;
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if matches!(func.insts[inst].kind, StmtKind::Del(_)) {
                dead[inst] = true;
                any = true;
            }
        }
    }
    remove_insts(func, &dead);
    Ok(Changed::from(any))
}
