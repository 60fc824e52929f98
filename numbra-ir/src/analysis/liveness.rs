//! Which variables are still needed where.

use super::{Cfg, VarSet};
use crate::{Block, Expr, Func, Rhs, SecondaryMap, StmtKind};

/// Live variables at the borders of blocks.
///
/// A phi defines at the start of its block. It reads the value for a normal predecessor at that block's end,
/// and the value for a protected block at that block's start.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Live before the first statement. Targets of phis are not live in, their operands live out of predecessors.
    pub live_in: SecondaryMap<Block, VarSet>,
    /// Live after the terminator.
    pub live_out: SecondaryMap<Block, VarSet>,
}

impl Liveness {
    /// Backward data flow to a fixed point; a few rounds over the blocks.
    pub fn new(func: &Func, cfg: &Cfg) -> Liveness {
        let len = func.vars.len();
        let empty = VarSet::new(len);
        let mut live_in = SecondaryMap::with_default(empty.clone());
        let mut live_out: SecondaryMap<Block, VarSet> = SecondaryMap::with_default(empty.clone());
        let mut gen_kill = SecondaryMap::with_default((empty.clone(), empty.clone()));
        // What phis read of each predecessor, at its end and at its start.
        let mut at_end = SecondaryMap::with_default(empty.clone());
        let mut at_start = SecondaryMap::with_default(empty.clone());
        let mut phi_defs = SecondaryMap::with_default(empty);
        for &block in cfg.rpo() {
            let (uses, defs) = &mut gen_kill[block];
            for &inst in func.blocks[block].insts.iter().rev() {
                let kind = &func.insts[inst].kind;
                if let Some(var) = kind.def() {
                    defs.insert(var);
                    uses.remove(var);
                }
                if let StmtKind::Assign {
                    value: Rhs::Expr(Expr::Phi(incoming)),
                    ..
                } = kind
                {
                    phi_defs[block].extend(kind.def());
                    for (pred, var) in incoming {
                        let Some(var) = var else { continue };
                        let exceptional = cfg.handler(*pred) == Some(block);
                        let set = if exceptional {
                            &mut at_start
                        } else {
                            &mut at_end
                        };
                        set[*pred].insert(*var);
                    }
                } else {
                    kind.for_each_use(|var| {
                        uses.insert(var);
                    });
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.rpo().iter().rev() {
                let mut out = at_end[block].clone();
                for &succ in cfg.succs(block) {
                    out.union(&live_in[succ]);
                }
                let (uses, defs) = &gen_kill[block];
                let mut into = out.clone();
                into.subtract(defs);
                into.union(uses);
                let mut raised = at_start[block].clone();
                if let Some(handler) = cfg.handler(block) {
                    raised.union(&live_in[handler]);
                }
                raised.subtract(&phi_defs[block]);
                into.union(&raised);
                live_out[block] = out;
                changed |= live_in[block].union(&into);
            }
        }
        Liveness { live_in, live_out }
    }
}
