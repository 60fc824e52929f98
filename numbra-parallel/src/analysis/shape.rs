//! The parts of loops over `prange` and `pndindex`, and the blocks of their iterations.

use super::context::Context;
use crate::LoopShape;
use numbra_base::FxHashSet;
use numbra_ir::analysis::{Cfg, DefUse, Dominators, Loop, Loops};
use numbra_ir::{Block, Expr, Rhs, StmtKind, Var};
use numbra_library::Op;

/// The loops of a function over `prange` and `pndindex`.
pub(crate) struct ParallelLoops<'a> {
    pub(crate) cx: Context<'a>,
    pub(crate) cfg: Cfg,
    pub(crate) dominators: Dominators,
    pub(crate) uses: DefUse,
    /// Outer ones before inner ones, each with its natural loop.
    pub(crate) loops: Vec<(LoopShape, Loop)>,
}

impl<'a> ParallelLoops<'a> {
    /// None at once if the function makes no such range.
    pub(crate) fn of(cx: Context<'a>) -> Option<ParallelLoops<'a>> {
        let func = &cx.typed.func;
        let is_range = |inst: &numbra_ir::Inst| {
            matches!(
                cx.intrinsic_of(*inst),
                Some(Op::ParallelRangeNew | Op::ParallelNdIndexNew)
            )
        };
        let insts = func
            .layout
            .iter()
            .flat_map(|block| &func.blocks[*block].insts);
        let made = insts.filter(|inst| is_range(inst));
        let ranges: Vec<Var> = made
            .filter_map(|inst| func.insts[*inst].kind.def())
            .collect();
        if ranges.is_empty() {
            return None;
        }
        let cfg = Cfg::new(func);
        let dominators = Dominators::new(&cfg);
        let uses = DefUse::new(func);
        let natural = Loops::new(&cfg, &dominators);
        let shaped = natural.iter().filter_map(|(_, one)| {
            let shape = shape_of(&cx, one.header, &ranges, &uses)?;
            Some((shape, one.clone()))
        });
        let loops = shaped.collect();
        Some(ParallelLoops {
            cx,
            cfg,
            dominators,
            uses,
            loops,
        })
    }

    /// The blocks of an iteration in reverse post-order, the header first: those of the natural loop, and those that leave it
    /// only to raise.
    pub(crate) fn iteration(&self, shape: &LoopShape, natural: &Loop) -> Vec<Block> {
        let mut inside: FxHashSet<Block> = natural.blocks.iter().copied().collect();
        let handler = self.handler(shape);
        loop {
            let mut more = Vec::new();
            for &block in self.cfg.rpo() {
                if inside.contains(&block) || block == shape.exit || Some(block) == handler {
                    continue;
                }
                let mut preds = self.cfg.all_preds(block).peekable();
                let entered_here = preds.peek().is_some() && preds.all(|p| inside.contains(&p));
                if entered_here && self.is_only_raising(block) {
                    more.push(block);
                }
            }
            if more.is_empty() {
                break;
            }
            inside.extend(more);
        }
        let rpo = self.cfg.rpo().iter().copied();
        rpo.filter(|block| inside.contains(block)).collect()
    }

    /// True if something that an iteration of these blocks computes is read outside of them, carried variables apart.
    pub(crate) fn has_live_out(&self, shape: &LoopShape, inside: &FxHashSet<Block>) -> bool {
        let func = &self.cx.typed.func;
        let body = inside.iter().filter(|block| **block != shape.header);
        let insts = body.flat_map(|block| &func.blocks[*block].insts);
        let made = insts.filter_map(|inst| func.insts[*inst].kind.def());
        let is_outside = |user: &numbra_ir::Inst| {
            let block = self.uses.block_of[*user];
            block.is_some_and(|block| !inside.contains(&block))
        };
        let mut vars = made.chain(shape.item);
        vars.any(|var| self.uses.uses(var).iter().any(is_outside))
    }

    /// What an iteration assigned and the handler around the loop reads: the handler sees the variables as they were before the
    /// loop, for threads have none in common.
    pub(crate) fn read_by_handler(
        &self,
        shape: &LoopShape,
        inside: &FxHashSet<Block>,
    ) -> Option<Var> {
        let func = &self.cx.typed.func;
        let insts = func.blocks[self.handler(shape)?].insts.iter();
        let phis = insts.filter_map(|inst| match &func.insts[*inst].kind {
            StmtKind::Assign {
                value: Rhs::Expr(Expr::Phi(incoming)),
                ..
            } => Some(incoming),
            _ => None,
        });
        let within = phis.flatten().filter(|(from, _)| inside.contains(from));
        let mut vars = within.filter_map(|(_, var)| *var);
        vars.find(|var| {
            let def = self
                .uses
                .only_def(*var)
                .and_then(|def| self.uses.block_of[def]);
            def.is_none_or(|block| inside.contains(&block))
        })
    }

    /// The handler around a loop.
    pub(crate) fn handler(&self, shape: &LoopShape) -> Option<Block> {
        let data = &self.cx.typed.func.blocks[shape.header];
        data.handler.map(|handler| handler.block)
    }

    /// The phis of a loop's header that have types, in order.
    pub(crate) fn phis(&self, shape: &LoopShape) -> Vec<Var> {
        let func = &self.cx.typed.func;
        let insts = func.blocks[shape.header].insts.iter();
        let phis = insts.filter_map(|inst| match &func.insts[*inst].kind {
            StmtKind::Assign {
                target,
                value: Rhs::Expr(Expr::Phi(_)),
            } => Some(*target),
            _ => None,
        });
        phis.filter(|var| self.cx.var_type(*var).is_some())
            .collect()
    }

    /// True if every way on from a block ends in a raise.
    fn is_only_raising(&self, block: Block) -> bool {
        let func = &self.cx.typed.func;
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            if seen.len() > 64 || matches!(func.terminator(block), Some(StmtKind::Return(_))) {
                return false;
            }
            work.extend(self.cfg.all_succs(block));
        }
        // A cycle without a raise never ends; where it stands makes no difference.
        true
    }
}

/// Matches `for item in prange(..)` at a loop's header.
fn shape_of(cx: &Context<'_>, header: Block, ranges: &[Var], uses: &DefUse) -> Option<LoopShape> {
    let func = &cx.typed.func;
    let (mut range, mut item, mut ends) = (None, None, None);
    let (mut pair, mut more) = (None, None);
    for &inst in &func.blocks[header].insts {
        match &func.insts[inst].kind {
            StmtKind::Assign { target, value } => match value {
                Rhs::Expr(Expr::Phi(_)) => {}
                Rhs::Expr(Expr::IterNext(iter)) if pair.is_none() => {
                    range = Some(range_of(cx, *iter, ranges, uses)?);
                    pair = Some(*target);
                }
                Rhs::Expr(Expr::PairFirst(of)) if Some(*of) == pair => item = Some(*target),
                Rhs::Expr(Expr::PairSecond(of)) if Some(*of) == pair => more = Some(*target),
                // Computed anew in each step, and used by nobody who could tell.
                _ => return None,
            },
            StmtKind::Branch { cond, then, other } if Some(*cond) == more => {
                ends = Some((*then, *other));
            }
            _ => return None,
        }
    }
    if uses.uses(pair?).len() > 2 || uses.uses(more?).len() > 1 {
        return None;
    }
    let (first, exit) = ends?;
    Some(LoopShape {
        header,
        range: range?,
        item,
        first,
        exit,
    })
}

/// The `prange` that an iterator goes through, if nothing else advances it.
fn range_of(cx: &Context<'_>, iter: Var, ranges: &[Var], uses: &DefUse) -> Option<Var> {
    if uses.uses(iter).len() != 1 {
        return None;
    }
    let func = &cx.typed.func;
    let StmtKind::Assign { value, .. } = &func.insts[uses.only_def(iter)?].kind else {
        return None;
    };
    let Rhs::Expr(Expr::GetIter(of)) = value else {
        return None;
    };
    let mut of = *of;
    for _ in 0..func.insts.len() {
        if ranges.contains(&of) {
            return Some(of);
        }
        let StmtKind::Assign {
            value: Rhs::Var(next),
            ..
        } = &func.insts[uses.only_def(of)?].kind
        else {
            return None;
        };
        of = *next;
    }
    None
}
