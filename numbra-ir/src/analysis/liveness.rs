//! Which variables are still needed where.

use super::Cfg;
use crate::{Block, Expr, Func, Rhs, SecondaryMap, StmtKind, Var};

/// Live variables at the borders of blocks.
///
/// A phi defines at the start of its block. It reads the value for a normal predecessor at that block's end,
/// and the value for a protected block at that block's start.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: SecondaryMap<Block, Vec<Var>>,
    live_out: SecondaryMap<Block, Vec<Var>>,
}

impl Liveness {
    /// Walks back from each use, so the cost is the length of the live ranges (Boissinot et al. 2008, section 4).
    pub fn new(func: &Func, cfg: &Cfg) -> Liveness {
        let reads = Reads::new(func, cfg);
        let mut walk = Walk {
            cfg,
            live: Liveness {
                live_in: SecondaryMap::new(),
                live_out: SecondaryMap::new(),
            },
            in_mark: SecondaryMap::new(),
            out_mark: SecondaryMap::new(),
            def_mark: SecondaryMap::new(),
            work: Vec::new(),
        };
        for var in func.vars.keys() {
            if reads.of[var].is_empty() {
                continue;
            }
            for &(block, by_phi) in &reads.defs[var] {
                // A block that assigns by a phi does so before anything can raise.
                let before = walk.def_mark[block].filter(|(of, _)| *of == var);
                walk.def_mark[block] = Some((var, by_phi || before.is_some_and(|(_, phi)| phi)));
            }
            for &(block, place) in &reads.of[var] {
                match place {
                    ReadPoint::Inside => walk.enter(block, var),
                    ReadPoint::End => walk.leave(block, var),
                    ReadPoint::Start => walk.raise(block, var),
                }
            }
            while let Some(block) = walk.work.pop() {
                walk.step(block, var);
            }
        }
        walk.live
    }

    /// Live before the first statement, in ascending order. Targets of phis are not live in, their operands live out of
    /// predecessors.
    pub fn live_in(&self, block: Block) -> &[Var] {
        &self.live_in[block]
    }

    /// Live after the terminator, in ascending order.
    pub fn live_out(&self, block: Block) -> &[Var] {
        &self.live_out[block]
    }

    /// True if the variable is live before the first statement.
    pub fn is_live_in(&self, block: Block, var: Var) -> bool {
        self.live_in[block].binary_search(&var).is_ok()
    }
}

/// Where a block needs a variable that it has not assigned itself.
#[derive(Clone, Copy)]
enum ReadPoint {
    /// A statement reads it.
    Inside,
    /// A phi of a successor does.
    End,
    /// A phi of the handler does.
    Start,
}

/// The reads of variables that reach over the borders of blocks, and the assignments to these variables.
struct Reads {
    of: SecondaryMap<Var, Vec<(Block, ReadPoint)>>,
    /// By blocks, and whether a phi assigns.
    defs: SecondaryMap<Var, Vec<(Block, bool)>>,
}

impl Reads {
    fn new(func: &Func, cfg: &Cfg) -> Reads {
        let mut reads = Reads {
            of: SecondaryMap::new(),
            defs: SecondaryMap::new(),
        };
        // The blocks whose statements so far have assigned a variable, or read it before.
        let mut seen: SecondaryMap<Var, Option<Block>> = SecondaryMap::new();
        let kinds = |block: Block| {
            let insts = func.blocks[block].insts.iter();
            insts.map(|&inst| &func.insts[inst].kind)
        };
        for &block in cfg.rpo() {
            for kind in kinds(block) {
                if let Some(incoming) = phi(kind) {
                    for (pred, var) in incoming {
                        let Some(var) = var.filter(|_| cfg.is_reachable(*pred)) else {
                            continue;
                        };
                        let exceptional = cfg.handler(*pred) == Some(block);
                        let place = if exceptional {
                            ReadPoint::Start
                        } else {
                            ReadPoint::End
                        };
                        reads.of[var].push((*pred, place));
                    }
                } else {
                    kind.for_each_use(|var| {
                        if seen[var].replace(block) != Some(block) {
                            reads.of[var].push((block, ReadPoint::Inside));
                        }
                    });
                }
                if let Some(var) = kind.def() {
                    seen[var] = Some(block);
                }
            }
        }
        for &block in cfg.rpo() {
            for kind in kinds(block) {
                if let Some(var) = kind.def()
                    && !reads.of[var].is_empty()
                {
                    reads.defs[var].push((block, phi(kind).is_some()));
                }
            }
        }
        reads
    }
}

/// What a phi reads of each predecessor.
fn phi(kind: &StmtKind) -> Option<&Vec<(Block, Option<Var>)>> {
    match kind {
        StmtKind::Assign {
            value: Rhs::Expr(Expr::Phi(incoming)),
            ..
        } => Some(incoming),
        _ => None,
    }
}

/// Back from the reads of one variable after the other.
struct Walk<'a> {
    cfg: &'a Cfg,
    live: Liveness,
    /// The last variable that was found to be live in.
    in_mark: SecondaryMap<Block, Option<Var>>,
    out_mark: SecondaryMap<Block, Option<Var>>,
    /// The last variable that the block is known to assign, and whether by a phi.
    def_mark: SecondaryMap<Block, Option<(Var, bool)>>,
    work: Vec<Block>,
}

impl Walk<'_> {
    /// The variable is live at the start of a block.
    fn enter(&mut self, block: Block, var: Var) {
        if self.in_mark[block].replace(var) != Some(var) {
            self.live.live_in[block].push(var);
            self.work.push(block);
        }
    }

    /// The variable is live at the end of a block.
    fn leave(&mut self, block: Block, var: Var) {
        if self.out_mark[block].replace(var) == Some(var) {
            return;
        }
        self.live.live_out[block].push(var);
        if self.def_mark[block].is_none_or(|(of, _)| of != var) {
            self.enter(block, var);
        }
    }

    /// The variable is live where a statement of a block raises.
    fn raise(&mut self, block: Block, var: Var) {
        if self.def_mark[block] != Some((var, true)) {
            self.enter(block, var);
        }
    }

    /// What is live at the start of a block is live where control flow comes from.
    fn step(&mut self, block: Block, var: Var) {
        for &pred in self.cfg.preds(block) {
            if self.cfg.is_reachable(pred) {
                self.leave(pred, var);
            }
        }
        for &protected in self.cfg.protected(block) {
            if self.cfg.is_reachable(protected) {
                self.raise(protected, var);
            }
        }
    }
}
