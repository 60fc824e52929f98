//! Finds the intervals that integers lie in, and removes what they decide.
//!
//! ```text
//! before                               after
//! block1(v1: i64):                     block1(v1: i64):
//!   v2 = icmp slt v1, v0                 v2 = icmp slt v1, v0
//!   brif v2, block2, block3              brif v2, block2, block3
//! block2:                              block2:
//!   v4 = icmp slt v1, v3  (v3 = 0)       v4: i1 = iconst 0
//!   v5 = iadd v1, v0                     v5 = iadd v1, v0
//!   v6 = select v4, v5, v1               v7 = iadd v1, v8 nsw nuw
//!   v7 = iadd v6, v8      (v8 = 1)       jump block1(v7)
//!   jump block1(v7)
//! ```
//!
//! - Comparisons, selects, guards and branches that are decided go: the wrap-around of indices, bounds checks of counted
//!   loops, tests that repeat another.
//! - Indices that could only be negative by wrapping around far below zero do not count from the end (`positions`).
//! - Signed division of non-negative numbers becomes unsigned; Python's remainder by a positive number needs no test of
//!   the divisor's sign; additions, subtractions and products that cannot wrap around get facts, also those that would
//!   take years to (`slow_inductions`).
//! - Parameters that are always the same constant are that constant.
//!
//! The signature says which parameters are extents of arrays. A branch tells about its operands where it leads; differences `x - y <= n` of two values are remembered too. Loop
//! parameters start with what enters the loop and grow by widening until nothing changes. Of loops side by side each is
//! settled before the next is looked at, because what one tells about its bound holds in those after it ([`settle`]). Wants
//! loops that test at the top, so it runs before `rotate_loops`. Each iteration is linear, at most [`MAX_ITERATIONS`].

mod assume;
mod evaluate;
mod positions;
mod rewrite;
mod rising;
mod settle;
mod slow_inductions;
mod starts;

use crate::analyses::{Analyses, Changed};
use crate::edit::rename::Renames;
use crate::scalar::fold::{constant_kind, integer};
use cranelift_entity::SecondaryMap;
use numbra_base::{FxHashMap, FxHashSet};
use numbra_lir::analysis::{Cfg, Dominators, Interval, Loops, effects, use_counts};
use numbra_lir::interp::LirValue;
use numbra_lir::{
    BinaryOp, Block, ConvertOp, Facts, Func, Inst, InstKind, IntCc, Module, OverflowOp, Param,
    Terminator, Ty, UnaryOp, Value, ValueDef,
};
use rising::Rising;
use settle::Siblings;
use starts::Start;

/// Iterations after which nothing is assumed. Nests of loops need few: each bound of a parameter grows at most five times.
const MAX_ITERATIONS: usize = 20;
/// Times that assumptions are narrowed. Two reach the bounds of two nested loops.
const MAX_NARROWINGS: usize = 2;

pub(crate) fn ranges(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let (cfg, doms) = (known.cfg(func), known.doms(func));
    let counters = LoopCounters {
        slow: slow_inductions::slow_inductions(func, &cfg),
        rising: rising::rising(func, &cfg),
        starts: starts::starts(func, &cfg),
    };
    let loops = known.loops(func);
    let mut siblings = Siblings::new(&loops);
    let mut assumed: SecondaryMap<Value, Interval> = SecondaryMap::with_default(Interval::EMPTY);
    let mut buffers = Buffers::default();
    // Where nothing leads back, nothing is assumed.
    if cfg.rpo()[1..].iter().any(|&b| has_back_edge(&cfg, b)) {
        let mut iterations = 0..MAX_ITERATIONS;
        let holds = iterations.any(|_| {
            let mut walk = Walk::new(func, &cfg, &counters, &mut assumed, &mut buffers);
            walk.run_settling(&doms, &mut siblings);
            !walk.grow(cfg.rpo())
        });
        if !holds {
            return Changed::Nothing;
        }
        narrow(func, &cfg, &doms, &counters, &mut assumed, &mut buffers);
    }
    let uses = use_counts(func);
    let mut walk = Walk::new(func, &cfg, &counters, &mut assumed, &mut buffers);
    walk.rewrites = true;
    walk.uses = uses;
    walk.run(&doms);
    let Walk {
        mut renames,
        changed,
        decided,
        ..
    } = walk;
    let changed = changed || !renames.is_empty();
    renames.apply(func);
    Changed::insts(changed) | Changed::flow(decided)
}

/// Takes back what widening assumed too much: under assumptions that hold, what parameters receive holds too.
fn narrow(
    func: &mut Func,
    cfg: &Cfg,
    doms: &Dominators,
    counters: &LoopCounters,
    assumed: &mut SecondaryMap<Value, Interval>,
    buffers: &mut Buffers,
) {
    let mut walk = Walk::new(func, cfg, counters, assumed, buffers);
    walk.run(doms);
    for _ in 0..MAX_NARROWINGS {
        let before = walk.assumed.clone();
        if !walk.shrink(cfg.rpo()) {
            return;
        }
        // Were a transfer function not monotonic, the narrower assumption might not hold. Where it does, what this walk has
        // received narrows it again.
        walk.forget();
        walk.run(doms);
        if walk.grow(cfg.rpo()) {
            *walk.assumed = before;
            return;
        }
    }
}

/// `x - y <= n`, by `(x, y)`.
type Differences = FxHashMap<(Value, Value), i128>;

/// How to leave a block.
enum Step {
    Enter(Block),
    Range(Value, Interval),
    Difference((Value, Value), Option<i128>),
    Nonzero(Value),
}

/// What the shape of loops tells about their counters.
struct LoopCounters {
    /// Those of `slow_inductions`.
    slow: FxHashSet<Value>,
    /// Those of `rising`.
    rising: FxHashMap<Value, Rising>,
    /// Those of `starts`.
    starts: FxHashMap<Value, Start>,
}

/// Memory for one walk after the other.
struct Buffers {
    range: SecondaryMap<Value, Interval>,
    received: SecondaryMap<Value, Interval>,
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers {
            range: SecondaryMap::with_default(Interval::EMPTY),
            received: SecondaryMap::with_default(Interval::EMPTY),
        }
    }
}

/// One walk over the dominator tree.
struct Walk<'a> {
    func: &'a mut Func,
    cfg: &'a Cfg,
    /// What each value is here: by its definition and by the branches on the way.
    range: &'a mut SecondaryMap<Value, Interval>,
    differences: Differences,
    /// What branches say is not zero, where no interval says so.
    nonzero: FxHashSet<Value>,
    counters: &'a LoopCounters,
    /// What loop parameters are taken to be.
    assumed: &'a mut SecondaryMap<Value, Interval>,
    /// What block parameters have received in this walk.
    received: &'a mut SecondaryMap<Value, Interval>,
    stack: Vec<Step>,
    /// The last walk, in which nothing changes but the code.
    rewrites: bool,
    /// How often values are used; only for that walk.
    uses: SecondaryMap<Value, u32>,
    /// What more than addresses is made of, once somebody has asked.
    told: Option<FxHashSet<Value>>,
    renames: Renames,
    /// Constants made for the block at hand.
    constants: Vec<Inst>,
    changed: bool,
    /// Whether a branch goes one way only.
    decided: bool,
    /// How often assumptions have changed.
    revisions: u32,
}

impl<'a> Walk<'a> {
    fn new(
        func: &'a mut Func,
        cfg: &'a Cfg,
        counters: &'a LoopCounters,
        assumed: &'a mut SecondaryMap<Value, Interval>,
        buffers: &'a mut Buffers,
    ) -> Walk<'a> {
        let Buffers { range, received } = buffers;
        let mut walk = Walk {
            func,
            cfg,
            range,
            differences: Differences::default(),
            nonzero: FxHashSet::default(),
            counters,
            assumed,
            received,
            stack: Vec::new(),
            rewrites: false,
            uses: SecondaryMap::new(),
            told: None,
            renames: Renames::new(),
            constants: Vec::new(),
            changed: false,
            decided: false,
            revisions: 0,
        };
        walk.forget();
        walk
    }

    /// Is as before the walk, but for the assumptions.
    fn forget(&mut self) {
        for map in [&mut *self.range, &mut *self.received] {
            map.clear();
            map.resize(self.func.values.len());
        }
        self.differences.clear();
        self.nonzero.clear();
    }

    fn run(&mut self, doms: &Dominators) {
        self.stack.push(Step::Enter(self.func.entry()));
        while let Some(step) = self.stack.pop() {
            if let Some(block) = self.leave(step) {
                self.block(block, doms);
                self.enter_children(doms, block, |_| true);
            }
        }
    }

    /// Those of the blocks that a block dominates which are wanted come next. In reverse post-order: the predecessors of a block
    /// come before it, back edges apart.
    fn enter_children(&mut self, doms: &Dominators, block: Block, wanted: impl Fn(Block) -> bool) {
        let children = doms.children(block).iter().rev();
        let children = children.filter(|&&child| wanted(child));
        self.stack.extend(children.map(|&child| Step::Enter(child)));
    }

    /// Takes back what held in a block that the walk leaves; gives the block that it enters instead.
    fn leave(&mut self, step: Step) -> Option<Block> {
        match step {
            Step::Range(value, range) => self.range[value] = range,
            Step::Difference(pair, Some(n)) => {
                self.differences.insert(pair, n);
            }
            Step::Difference(pair, None) => {
                self.differences.remove(&pair);
            }
            Step::Nonzero(value) => {
                self.nonzero.remove(&value);
            }
            Step::Enter(block) => return Some(block),
        }
        None
    }

    /// Extends assumptions about parameters of these blocks that did not hold; false if all did.
    fn grow(&mut self, blocks: &[Block]) -> bool {
        self.revise(blocks, |old, got, full| match old.contains(got) {
            true => old,
            false => old.widen(old.union(got), full),
        })
    }

    /// Assumes no more of these blocks' parameters than was received; false if that changes nothing.
    fn shrink(&mut self, blocks: &[Block]) -> bool {
        self.revise(blocks, |old, got, _| old.intersect(got))
    }

    /// Changes the assumptions by what loop parameters have received in this walk; false if none changed.
    fn revise(
        &mut self,
        blocks: &[Block],
        new: impl Fn(Interval, Interval, Interval) -> Interval,
    ) -> bool {
        let mut changed = false;
        for &block in blocks {
            if block == self.func.entry() || !has_back_edge(self.cfg, block) {
                continue;
            }
            for &param in &self.func.blocks[block].params {
                let Some(full) = Interval::full(self.func.ty(param)) else {
                    continue;
                };
                let old = self.assumed[param];
                let now = new(old, self.received[param], full);
                self.assumed[param] = now;
                changed |= now != old;
            }
        }
        self.revisions += u32::from(changed);
        changed
    }

    fn block(&mut self, block: Block, doms: &Dominators) {
        let entry = block == self.func.entry();
        let back = has_back_edge(self.cfg, block);
        for n in 0..self.func.blocks[block].params.len() {
            let param = self.func.blocks[block].params[n];
            let Some(full) = Interval::full(self.func.ty(param)) else {
                continue;
            };
            self.range[param] = if entry {
                // What a signature says of a parameter.
                match self.func.sig.params.get(n).and_then(Param::most) {
                    Some(most) => full.intersect(Interval {
                        lo: 0,
                        hi: most.into(),
                    }),
                    None => full,
                }
            } else if back {
                let old = self.assumed[param];
                let got = self.received[param];
                if !old.contains(got) {
                    self.assumed[param] = old.widen(old.union(got), full);
                    self.revisions += 1;
                }
                self.assumed[param]
            } else {
                self.received[param]
            };
            if self.rewrites && !entry && self.uses[param] > 0 {
                self.replace_constant(block, param);
            }
        }
        if let Some(pred) = doms.entering(self.cfg, block) {
            self.assume_edge(pred, block);
        }
        if back && !entry {
            for n in 0..self.func.blocks[block].params.len() {
                let param = self.func.blocks[block].params[n];
                if let Some(full) = Interval::full(self.func.ty(param)) {
                    self.assume_start(param, full);
                }
            }
        }
        for n in 0..self.func.blocks[block].insts().len() {
            let inst = self.func.blocks[block].insts()[n];
            self.inst(inst);
        }
        if !self.constants.is_empty() {
            self.func.insert_insts(block, 0, self.constants.drain(..));
        }
        if self.rewrites {
            self.decide_term(block);
        }
        self.send(block);
    }

    /// Records what the successors receive, under the condition of each edge.
    fn send(&mut self, block: Block) {
        let Some(term) = self.func.blocks[block].term.take() else {
            return;
        };
        for (n, target) in term.targets().into_iter().enumerate() {
            if target.args.is_empty() {
                continue;
            }
            let mark = self.stack.len();
            if let Some((cond, when)) = decision(&term, n) {
                self.assume(cond, when, 4);
            }
            for (at, &arg) in target.args.iter().enumerate() {
                let param = self.func.blocks[target.block].params[at];
                if Interval::full(self.func.ty(param)).is_some() {
                    let range = self.at_use(arg, 2);
                    self.received[param] = self.received[param].union(range);
                }
            }
            self.undo(mark);
        }
        self.func.blocks[block].term = Some(term);
    }

    fn undo(&mut self, mark: usize) {
        while self.stack.len() > mark
            && let Some(step) = self.stack.pop()
        {
            self.leave(step);
        }
    }

    fn assume_edge(&mut self, from: Block, to: Block) {
        let known = match &self.func.blocks[from].term {
            Some(Terminator::Brif { cond, then, other }) if then.block != other.block => {
                Some((*cond, then.block == to))
            }
            Some(Terminator::Guard { cond, ok, err, .. }) if ok.block != err.block => {
                Some((*cond, ok.block == to))
            }
            _ => None,
        };
        if let Some((cond, when)) = known {
            self.assume(cond, when, 4);
        }
    }

    /// What a value is where it is used: branches may have told more about its operands than was known at its
    /// definition.
    fn at_use(&self, value: Value, depth: u32) -> Interval {
        let known = self.range[value];
        let Some(full) = Interval::full(self.func.ty(value)) else {
            return known;
        };
        if depth == 0 || known.as_point().is_some() {
            return known;
        }
        match self.func.def(value) {
            Some(&InstKind::Binary { op, lhs, rhs }) if full.hi > 1 => {
                let (x, y) = (self.at_use(lhs, depth - 1), self.at_use(rhs, depth - 1));
                match self.binary(op, (lhs, x), (rhs, y), full) {
                    Some(again) => known.intersect(again),
                    None => known,
                }
            }
            _ => known,
        }
    }

    /// Says what an instruction gives, and rewrites it in the last walk.
    fn inst(&mut self, inst: Inst) {
        let results = self.func.insts[inst].results.len();
        for n in 0..results {
            let value = self.func.insts[inst].results[n];
            if let Some(full) = Interval::full(self.func.ty(value)) {
                let range = self.evaluate(inst, n, full);
                self.range[value] = range.intersect(full);
            }
        }
        if self.rewrites {
            self.rewrite(inst);
        }
    }
}

fn has_back_edge(cfg: &Cfg, block: Block) -> bool {
    let own = cfg.rpo_index(block);
    cfg.preds(block).iter().any(|&p| cfg.rpo_index(p) >= own)
}

/// What is known of the 64-bit parameters of loop headers, by header and position.
fn of_loops<T>(
    func: &Func,
    cfg: &Cfg,
    known: impl Fn(Block, usize) -> Option<T>,
) -> FxHashMap<Value, T> {
    let mut found = FxHashMap::default();
    for &block in &cfg.rpo()[1..] {
        let own = cfg.rpo_index(block);
        if cfg.preds(block).iter().all(|&p| cfg.rpo_index(p) < own) {
            continue;
        }
        for (n, &param) in func.blocks[block].params.iter().enumerate() {
            if func.ty(param) == Ty::I64
                && let Some(known) = known(block, n)
            {
                found.insert(param, known);
            }
        }
    }
    found
}

/// The condition under which a terminator goes to its target number `n`.
fn decision(term: &Terminator, n: usize) -> Option<(Value, bool)> {
    match term {
        Terminator::Brif { cond, .. } | Terminator::Guard { cond, .. } => Some((*cond, n == 0)),
        Terminator::Jump(_)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Fail => None,
    }
}
