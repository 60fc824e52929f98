//! Branches where a loop keeps the least or greatest number so far.
//!
//! ```text
//! before                              after
//!   v3 = fcmp lt v2, v1                 v3 = fcmp lt v2, v1
//!   v4 = select v3, v2, v1              brif v3, block3, block2(v1, v5)
//!   v6 = select v3, v7, v5            block2(v4: f64, v6: i64):
//!   jump block1(v4, v6)                 jump block1(v4, v6)
//!                                     block3 cold:
//!                                       jump block2(v2, v7)
//! ```
//!
//! With a select each iteration waits for the comparison of the one before. The branch is predicted: among `n` numbers in no
//! order there are about `ln n` that are better than all before. So only where there may be many: a loop that begins anew in
//! each iteration of another one may go over short rows. There, what not each iteration computes has its branch, for it waits for
//! one anyway. What is a branch already, LLVM would make a select; from a cold block it
//! knows better. An integer of which nothing else is kept is for LLVM, which compares as many at a time as a vector has, and
//! Cranelift makes branches of selects of floats by itself. Only innermost loops: others do much else in an iteration. Linear in
//! the selects of a block.

use crate::analyses::{Analyses, Changed};
use crate::calls::inline::adopt_param;
use crate::edit::edges::split;
use numbra_base::{FxHashMap, FxHashSet, Origin};
use numbra_lir::analysis::{Cfg, Loop, Loops};
use numbra_lir::{
    Block, BlockCall, FastMath, Func, Inst, InstKind, Module, Terminator, Ty, Value, ValueDef,
};
use std::rc::Rc;

const PASS: &str = "select_to_branch";

pub(crate) fn select_to_branch(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let mut todo: Vec<(Block, Rc<FxHashMap<Value, Value>>)> = Vec::new();
    for (_, one) in loops.iter_innermost() {
        let of_rounds = Rc::new(kept(func, &cfg, one, |n| {
            is_carried_from_outer_loops(func, &cfg, &loops, one, n)
        }));
        let of_some = Rc::new(kept(func, &cfg, one, |_| true));
        for &block in one.blocks.iter().filter(|b| !func.blocks[**b].cold) {
            let mut latches = one.latches.iter();
            let each_round = latches.all(|&latch| doms.dominates(block, latch));
            let kept = if each_round { &of_rounds } else { &of_some };
            todo.push((block, Rc::clone(kept)));
        }
    }
    let mut changed = false;
    while let Some((block, kept)) = todo.pop() {
        if let Some(best) = Best::first_in(func, block, &kept) {
            todo.push((best.branch(func, block), kept));
            changed = true;
        } else if let Some(n) = better_way(func, block, &kept) {
            let middle = split(func, block, n, PASS);
            func.blocks[middle].cold = true;
            changed = true;
        }
    }
    Changed::flow(changed)
}

/// Which way of a block's branch brings the better of the two numbers that it compares.
fn better_way(func: &Func, block: Block, kept: &FxHashMap<Value, Value>) -> Option<usize> {
    let Terminator::Brif { cond, then, other } = func.term(block) else {
        return None;
    };
    let (lhs, rhs) = compared(func, *cond)?;
    let replaces = |old: Value, new: Value, to: &BlockCall| {
        let next = kept.get(&old).copied();
        next.is_some_and(|next| handed(func, to).any(|pair| pair == (next, new)))
    };
    let ways = [then, other];
    let way = ways
        .iter()
        .position(|to| replaces(lhs, rhs, to) || replaces(rhs, lhs, to))?;
    let alone = then.block == other.block && then.args.len() == 1;
    let vectors = alone && !func.ty(lhs).is_float();
    (!vectors && !func.blocks[ways[way].block].cold).then_some(way)
}

/// Parameters of the block that a branch goes to, and what they get.
fn handed<'a>(func: &'a Func, to: &'a BlockCall) -> impl Iterator<Item = (Value, Value)> + 'a {
    let params = func.blocks[to.block].params.iter();
    params.copied().zip(to.args.iter().copied())
}

/// The numbers that a condition compares; floats of which one may be NaN: else LLVM has such loops in vectors.
fn compared(func: &Func, cond: Value) -> Option<(Value, Value)> {
    let ValueDef::Result(test, _) = func.values[cond].def else {
        return None;
    };
    match func.insts[test].kind {
        InstKind::Fcmp { lhs, rhs, .. } if !func.insts[test].fast.contains(FastMath::NNAN) => {
            Some((lhs, rhs))
        }
        InstKind::Icmp { lhs, rhs, .. } => Some((lhs, rhs)),
        _ => None,
    }
}

/// What the next iteration has in the place of each number that a loop keeps, on all its ways back.
fn kept(
    func: &Func,
    cfg: &Cfg,
    one: &Loop,
    wanted: impl Fn(usize) -> bool,
) -> FxHashMap<Value, Value> {
    let params = func.blocks[one.header].params.iter().enumerate();
    params
        .filter(|(n, _)| wanted(*n))
        .filter_map(|(n, &param)| Some((param, incoming(func, cfg, one, n, true)?)))
        .collect()
}

/// Whether parameter `n` of a loop has from all outer loops what they keep.
fn is_carried_from_outer_loops(
    func: &Func,
    cfg: &Cfg,
    loops: &Loops,
    one: &Loop,
    n: usize,
) -> bool {
    let Some(outer) = one.parent.map(|id| loops.get(id)) else {
        return true;
    };
    let outer_params = &func.blocks[outer.header].params;
    let first = incoming(func, cfg, one, n, false);
    let place = first.and_then(|first| outer_params.iter().position(|param| *param == first));
    place.is_some_and(|n| is_carried_from_outer_loops(func, cfg, loops, outer, n))
}

/// What parameter `n` of a loop receives on its ways back, or on those into it, if that is one value.
fn incoming(func: &Func, cfg: &Cfg, one: &Loop, n: usize, back: bool) -> Option<Value> {
    let preds = cfg.preds(one.header).iter();
    let ways = preds.filter(|pred| one.latches.contains(pred) == back);
    let targets = ways.flat_map(|&pred| func.term(pred).targets());
    let mut values = targets
        .filter(|to| to.block == one.header)
        .map(|to| to.args[n]);
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Selects of a block by one comparison, one of which keeps the better number.
struct Best {
    cond: Value,
    /// The new float is what the selects have if the condition is true.
    when: bool,
    /// Where the block is split.
    at: usize,
    selects: Vec<Inst>,
}

impl Best {
    fn first_in(func: &Func, block: Block, kept: &FxHashMap<Value, Value>) -> Option<Best> {
        let insts = func.blocks[block].insts().iter();
        insts
            .copied()
            .find_map(|inst| Best::by(func, block, inst, kept))
    }

    /// All selects of a block by the condition of one that keeps the better number. An integer alone is for vectors.
    fn by(
        func: &Func,
        block: Block,
        keeping: Inst,
        kept: &FxHashMap<Value, Value>,
    ) -> Option<Best> {
        let InstKind::Select { cond, then, other } = func.insts[keeping].kind else {
            return None;
        };
        let (lhs, rhs) = compared(func, cond)?;
        if (lhs, rhs) != (then, other) && (lhs, rhs) != (other, then) {
            return None;
        }
        let next = *func.insts[keeping].results.first()?;
        let keeps = |value: Value| {
            kept.get(&value).is_some_and(|&param| {
                let onward = func.term(block).targets();
                let mut pairs = onward.into_iter().flat_map(|to| handed(func, to));
                param == next || pairs.any(|pair| pair == (param, next))
            })
        };
        let when = keeps(other);
        if !when && !keeps(then) {
            return None;
        }
        let insts = func.blocks[block].insts();
        let is_by = |inst: &Inst| matches!(func.insts[*inst].kind, InstKind::Select { cond: by, .. } if by == cond);
        let at = insts.iter().position(is_by)?;
        // What is computed behind the split cannot be handed over there.
        let tail: FxHashSet<Inst> = insts[at..].iter().copied().collect();
        let before = |value: Value| match func.values[value].def {
            ValueDef::Result(inst, _) => !tail.contains(&inst),
            ValueDef::Param(..) => true,
        };
        let selects = insts[at..].iter().copied().filter(|&inst| {
            matches!(
                func.insts[inst].kind,
                InstKind::Select { cond: by, then, other }
                    // A reference that is handed over has two owners to count.
                    if by == cond && before(then) && before(other) && func.ty(then) != Ty::Ref
            )
        });
        let selects: Vec<Inst> = selects.collect();
        (selects.len() > 1 || func.ty(next).is_float()).then_some(Best {
            cond,
            when,
            at,
            selects,
        })
    }

    /// Splits the block; what was the rest of it.
    fn branch(&self, func: &mut Func, block: Block) -> Block {
        let rest = func.split_block(block, self.at);
        let better = func.push_block();
        func.blocks[better].cold = true;
        func.retain_insts(rest, |inst, _| !self.selects.contains(&inst));
        let span = func.blocks[block].term_span;
        let (mut new, mut old) = (Vec::new(), Vec::new());
        for &inst in &self.selects {
            let InstKind::Select { then, other, .. } = func.insts[inst].kind else {
                continue;
            };
            let (ours, kept) = if self.when {
                (then, other)
            } else {
                (other, then)
            };
            new.push(ours);
            old.push(kept);
            let result = func.insts[inst].results[0];
            adopt_param(func, rest, result);
        }
        let onward = |args| BlockCall { block: rest, args };
        let there = BlockCall {
            block: better,
            args: Vec::new(),
        };
        func.set_term(
            better,
            Terminator::Jump(onward(new)),
            span,
            Origin::Pass(PASS),
        );
        let (then, other) = match self.when {
            true => (there, onward(old)),
            false => (onward(old), there),
        };
        let cond = self.cond;
        let term = Terminator::Brif { cond, then, other };
        func.set_term(block, term, span, Origin::Pass(PASS));
        rest
    }
}
