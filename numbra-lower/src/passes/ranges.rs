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
//! - Signed division of non-negative numbers becomes unsigned; Python's remainder by a positive number needs no test of
//!   the divisor's sign; additions, subtractions and products that cannot wrap around get facts.
//!
//! A branch tells about its operands where it leads; differences `x - y <= n` of two values are remembered too. Loop
//! parameters start with what enters the loop and grow by widening until nothing changes. Wants loops that test at the
//! top, so it runs before `rotate_loops`. Each round is linear, at most [`MAX_ROUNDS`].

use super::fold::constant_kind;
use super::rename::Renames;
use crate::analysis::{Cfg, Dominators, Interval, effects};
use crate::interp::LirValue;
use crate::lir::{
    BinaryOp, Block, ConvertOp, Facts, Func, Inst, InstKind, IntCc, Module, OverflowOp, Terminator,
    Ty, UnaryOp, Value, ValueDef,
};
use cranelift_entity::SecondaryMap;
use numbra_base::{FxHashMap, FxHashSet};

/// Rounds after which nothing is assumed. Nests of loops need few: each bound of a parameter grows at most three times.
const MAX_ROUNDS: usize = 16;
/// Times that assumptions are narrowed. Two reach the bounds of two nested loops.
const NARROWINGS: usize = 2;

pub(super) fn ranges(func: &mut Func, _: &Module) -> bool {
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let mut assumed: SecondaryMap<Value, Interval> = SecondaryMap::with_default(Interval::EMPTY);
    let mut rounds = 0..MAX_ROUNDS;
    let holds = rounds.any(|_| {
        let mut walk = Walk::new(func, &cfg, &mut assumed, false);
        walk.run(&doms);
        !walk.grow()
    });
    if !holds {
        return false;
    }
    narrow(func, &cfg, &doms, &mut assumed);
    let mut walk = Walk::new(func, &cfg, &mut assumed, true);
    walk.run(&doms);
    let Walk {
        mut renames,
        changed,
        ..
    } = walk;
    let changed = changed || !renames.is_empty();
    renames.apply(func);
    changed
}

/// Takes back what widening assumed too much: under assumptions that hold, what parameters receive holds too.
fn narrow(
    func: &mut Func,
    cfg: &Cfg,
    doms: &Dominators,
    assumed: &mut SecondaryMap<Value, Interval>,
) {
    for _ in 0..NARROWINGS {
        let before = assumed.clone();
        let mut walk = Walk::new(func, cfg, assumed, false);
        walk.run(doms);
        if !walk.shrink() {
            return;
        }
        // Were a transfer function not monotonic, the narrower assumption might not hold.
        let mut walk = Walk::new(func, cfg, assumed, false);
        walk.run(doms);
        if walk.grow() {
            *assumed = before;
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

/// One walk over the dominator tree.
struct Walk<'a> {
    func: &'a mut Func,
    cfg: &'a Cfg,
    /// What each value is here: by its definition and by the branches on the way.
    range: SecondaryMap<Value, Interval>,
    differences: Differences,
    /// What branches say is not zero, where no interval says so.
    nonzero: FxHashSet<Value>,
    /// What loop parameters are taken to be.
    assumed: &'a mut SecondaryMap<Value, Interval>,
    /// What block parameters have received in this walk.
    received: SecondaryMap<Value, Interval>,
    stack: Vec<Step>,
    /// The last walk, in which nothing changes but the code.
    rewrites: bool,
    renames: Renames,
    /// Constants made for the block at hand.
    constants: Vec<Inst>,
    changed: bool,
}

impl<'a> Walk<'a> {
    fn new(
        func: &'a mut Func,
        cfg: &'a Cfg,
        assumed: &'a mut SecondaryMap<Value, Interval>,
        rewrites: bool,
    ) -> Walk<'a> {
        Walk {
            func,
            cfg,
            range: SecondaryMap::with_default(Interval::EMPTY),
            differences: Differences::default(),
            nonzero: FxHashSet::default(),
            assumed,
            received: SecondaryMap::with_default(Interval::EMPTY),
            stack: Vec::new(),
            rewrites,
            renames: Renames::new(),
            constants: Vec::new(),
            changed: false,
        }
    }

    fn run(&mut self, doms: &Dominators) {
        self.stack.push(Step::Enter(self.func.entry()));
        while let Some(step) = self.stack.pop() {
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
                Step::Enter(block) => {
                    self.block(block, doms);
                    // In reverse post-order: the predecessors of a block come before it, back edges apart.
                    let children = doms.children(block).iter().rev();
                    self.stack.extend(children.map(|&b| Step::Enter(b)));
                }
            }
        }
    }

    fn has_back_edge(&self, block: Block) -> bool {
        let own = self.cfg.rpo_index(block);
        self.cfg
            .preds(block)
            .iter()
            .any(|&p| self.cfg.rpo_index(p) >= own)
    }

    /// Extends assumptions that did not hold; false if all did.
    fn grow(&mut self) -> bool {
        self.revise(|old, got, full| match old.contains(got) {
            true => old,
            false => old.widen(old.union(got), full),
        })
    }

    /// Assumes no more than was received; false if that changes nothing.
    fn shrink(&mut self) -> bool {
        self.revise(|old, got, _| old.intersect(got))
    }

    /// Changes the assumptions by what loop parameters have received in this walk; false if none changed.
    fn revise(&mut self, new: impl Fn(Interval, Interval, Interval) -> Interval) -> bool {
        let mut changed = false;
        for &block in self.cfg.rpo() {
            if block == self.func.entry() || !self.has_back_edge(block) {
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
        changed
    }

    fn block(&mut self, block: Block, doms: &Dominators) {
        let entry = block == self.func.entry();
        let back = self.has_back_edge(block);
        for n in 0..self.func.blocks[block].params.len() {
            let param = self.func.blocks[block].params[n];
            let Some(full) = Interval::full(self.func.ty(param)) else {
                continue;
            };
            self.range[param] = if entry {
                full
            } else if back {
                let old = self.assumed[param];
                let got = self.received[param];
                if !old.contains(got) {
                    self.assumed[param] = old.widen(old.union(got), full);
                }
                self.assumed[param]
            } else {
                self.received[param]
            };
        }
        if let Some(pred) = doms.entering(self.cfg, block) {
            self.assume_edge(pred, block);
        }
        for n in 0..self.func.blocks[block].insts.len() {
            let inst = self.func.blocks[block].insts[n];
            self.inst(inst);
        }
        let mut constants = std::mem::take(&mut self.constants);
        if !constants.is_empty() {
            constants.append(&mut self.func.blocks[block].insts);
            self.func.blocks[block].insts = constants;
        }
        if self.rewrites {
            self.decide_term(block);
        }
        self.send(block);
    }

    /// Records what the successors receive, under the condition of each edge.
    fn send(&mut self, block: Block) {
        let Some(term) = self.func.blocks[block].term.clone() else {
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
    }

    fn undo(&mut self, mark: usize) {
        while self.stack.len() > mark {
            match self.stack.pop() {
                Some(Step::Range(value, range)) => self.range[value] = range,
                Some(Step::Difference(pair, Some(n))) => {
                    self.differences.insert(pair, n);
                }
                Some(Step::Difference(pair, None)) => {
                    self.differences.remove(&pair);
                }
                Some(Step::Nonzero(value)) => {
                    self.nonzero.remove(&value);
                }
                Some(Step::Enter(_)) | None => {}
            }
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

    /// Narrows what follows from a condition being true or false.
    fn assume(&mut self, cond: Value, when: bool, depth: u32) {
        self.narrow(cond, Interval::point(when.into()));
        let Some(kind) = self.def(cond).cloned() else {
            return;
        };
        match kind {
            InstKind::Icmp { cc, lhs, rhs } => {
                let cc = if when { cc } else { cc.negated() };
                let ty = self.func.ty(lhs);
                if Interval::full(ty).is_none() || ty == Ty::I1 {
                    return;
                }
                let (x, y) = (self.range[lhs], self.range[rhs]);
                self.narrow_through(lhs, Interval::refine(cc, x, y));
                self.narrow_through(rhs, Interval::refine(cc.swapped(), y, x));
                self.assume_difference(cc, lhs, rhs);
                if matches!(cc, IntCc::Slt | IntCc::Sge) && y.as_point() == Some(0) {
                    self.assume_sign(lhs, cc == IntCc::Slt);
                }
                if cc == IntCc::Ne && y.as_point() == Some(0) && self.nonzero.insert(lhs) {
                    self.stack.push(Step::Nonzero(lhs));
                }
            }
            InstKind::Unary {
                op: UnaryOp::INot,
                arg,
            } if depth > 0 => self.assume(arg, !when, depth - 1),
            InstKind::Binary { op, lhs, rhs }
                if depth > 0
                    && ((op == BinaryOp::And && when) || (op == BinaryOp::Or && !when)) =>
            {
                self.assume(lhs, when, depth - 1);
                self.assume(rhs, when, depth - 1);
            }
            // Not both `x != 0` and `x < 0`: not the latter.
            InstKind::Binary {
                op: BinaryOp::And,
                lhs,
                rhs,
            } if depth > 0 => {
                if let Some(&InstKind::Icmp {
                    cc: IntCc::Ne,
                    lhs: x,
                    rhs: zero,
                }) = self.def(lhs)
                    && self.range[zero].as_point() == Some(0)
                    && self.negative(rhs) == Some(x)
                {
                    self.assume(rhs, false, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// What the sign of `a ^ b` tells about one where the other's is known.
    fn assume_sign(&mut self, value: Value, negative: bool) {
        let signed = self.with_sign_of(value);
        if let Some(full) = Interval::full(self.func.ty(value)).filter(|_| signed != value) {
            let (lo, hi) = if negative {
                (full.lo, -1)
            } else {
                (0, full.hi)
            };
            self.narrow(signed, Interval { lo, hi });
        }
    }

    /// `a` for `a ^ b` with a non-negative `b`; others are themselves.
    fn with_sign_of(&self, value: Value) -> Value {
        let Some(&InstKind::Binary {
            op: BinaryOp::Xor,
            lhs,
            rhs,
        }) = self.def(value)
        else {
            return value;
        };
        match [lhs, rhs].map(|v| self.range[v].is_nonnegative()) {
            [_, true] => lhs,
            [true, false] => rhs,
            [false, false] => value,
        }
    }

    /// What a condition tests for being negative.
    fn negative(&self, cond: Value) -> Option<Value> {
        match *self.def(cond)? {
            InstKind::Icmp {
                cc: IntCc::Slt,
                lhs,
                rhs,
            } if self.range[rhs].as_point() == Some(0) => Some(self.with_sign_of(lhs)),
            _ => None,
        }
    }

    fn narrow(&mut self, value: Value, to: Interval) {
        let old = self.range[value];
        let new = old.intersect(to);
        if new != old {
            self.stack.push(Step::Range(value, old));
            self.range[value] = new;
        }
    }

    /// Narrows a value, and the one that it is an extension of or a constant away from.
    fn narrow_through(&mut self, value: Value, to: Interval) {
        let old = self.range[value];
        self.narrow(value, to);
        if let Some((base, n)) = self.offset(value) {
            let now = self.range[value];
            if now != old && base != value && !now.is_empty() {
                self.narrow(
                    base,
                    Interval {
                        lo: now.lo - n,
                        hi: now.hi - n,
                    },
                );
            }
        }
        if let Some(&InstKind::Convert {
            op: ConvertOp::SExt,
            arg,
        }) = self.def(value)
            && self.func.ty(arg) != Ty::I1
            && Interval::full(self.func.ty(arg)).is_some()
        {
            self.narrow(arg, self.range[value]);
        }
    }

    /// `value = base + n` without wrap-around.
    fn offset(&self, value: Value) -> Option<(Value, i128)> {
        let Some(&InstKind::Binary { op, lhs, rhs }) = self.def(value) else {
            return None;
        };
        let n = self.range[rhs].as_point()?;
        let n = match op {
            BinaryOp::IAdd => n,
            BinaryOp::ISub => -n,
            _ => return None,
        };
        let full = Interval::full(self.func.ty(value)).filter(|_| self.func.ty(value) != Ty::I1)?;
        let base = self.range[lhs];
        let fits = !base.is_empty() && base.lo + n >= full.lo && base.hi + n <= full.hi;
        fits.then_some((lhs, n))
    }

    fn assume_difference(&mut self, cc: IntCc, lhs: Value, rhs: Value) {
        let (x, y, most) = match cc {
            IntCc::Slt => (lhs, rhs, -1),
            IntCc::Sle => (lhs, rhs, 0),
            IntCc::Sgt => (rhs, lhs, -1),
            IntCc::Sge => (rhs, lhs, 0),
            IntCc::Ult if self.range[rhs].is_nonnegative() => (lhs, rhs, -1),
            IntCc::Ule if self.range[rhs].is_nonnegative() => (lhs, rhs, 0),
            IntCc::Ugt if self.range[lhs].is_nonnegative() => (rhs, lhs, -1),
            IntCc::Uge if self.range[lhs].is_nonnegative() => (rhs, lhs, 0),
            IntCc::Eq | IntCc::Ne | IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => return,
        };
        let (x, n) = self.offset(x).unwrap_or((x, 0));
        let (y, m) = self.offset(y).unwrap_or((y, 0));
        let most = most + m - n;
        let old = self.differences.get(&(x, y)).copied();
        if old.is_none_or(|old| most < old) {
            self.stack.push(Step::Difference((x, y), old));
            self.differences.insert((x, y), most);
        }
    }

    /// The greatest that `x - y` can be, as far as branches tell.
    fn difference(&self, x: Value, y: Value) -> Option<i128> {
        if x == y {
            return Some(0);
        }
        let (x, n) = self.offset(x).unwrap_or((x, 0));
        let (y, m) = self.offset(y).unwrap_or((y, 0));
        let most = if x == y {
            0
        } else {
            *self.differences.get(&(x, y))?
        };
        Some(most + n - m)
    }

    fn def(&self, value: Value) -> Option<&InstKind> {
        super::fold::def(self.func, value)
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
        match self.def(value) {
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

    fn evaluate(&mut self, inst: Inst, result: usize, full: Interval) -> Interval {
        match self.func.insts[inst].kind {
            InstKind::IConst(n) => {
                let value = LirValue::int(self.func.ty(self.func.insts[inst].results[0]), n);
                let bits = value.bits();
                let signed = crate::interp::ops::signed(value.ty(), bits);
                Interval::point(if full.hi == 1 {
                    (bits & 1) as i128
                } else {
                    signed
                })
            }
            InstKind::Binary { op, lhs, rhs } => {
                let logical = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                if full.hi == 1 && !logical {
                    return full;
                }
                let (x, y) = (self.range[lhs], self.range[rhs]);
                self.binary(op, (lhs, x), (rhs, y), full).unwrap_or(full)
            }
            InstKind::Unary { op, arg } => self.unary(op, self.range[arg], full),
            InstKind::Convert { op, arg } => self.convert(op, arg, full),
            InstKind::Icmp { cc, lhs, rhs } => match self.compare(cc, lhs, rhs) {
                Some(true) => Interval::point(1),
                Some(false) => Interval::point(0),
                None => full,
            },
            InstKind::Select { cond, then, other } => {
                if self.func.ty(cond) != Ty::I1 {
                    return full;
                }
                let arm = |walk: &mut Self, value: Value, when: bool| {
                    let mark = walk.stack.len();
                    walk.assume(cond, when, 2);
                    let range = if walk.range[cond].is_empty() {
                        Interval::EMPTY
                    } else {
                        walk.at_use(value, 2)
                    };
                    walk.undo(mark);
                    range
                };
                arm(self, then, true).union(arm(self, other, false))
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (x, y) = (self.range[lhs], self.range[rhs]);
                match (exact(op, x, y).filter(|r| full.contains(*r)), result) {
                    (Some(range), 0) => range,
                    (None, 0) => full,
                    (_, _) => {
                        let ty = Interval::full(self.func.ty(lhs));
                        let fits = exact(op, x, y)
                            .is_some_and(|r| ty.is_some_and(|full| full.contains(r)));
                        if fits { Interval::point(0) } else { full }
                    }
                }
            }
            _ => full,
        }
    }

    /// The interval of a binary operation on values with these intervals.
    fn binary(
        &self,
        op: BinaryOp,
        (lhs, x): (Value, Interval),
        (rhs, y): (Value, Interval),
        full: Interval,
    ) -> Option<Interval> {
        let range = Interval::binary(op, x, y, full)?;
        // A remainder and its divisor, `|r| < d`: where `r + d` cannot wrap, it is positive.
        let remainder = |of: Value, by: Value| matches!(self.def(of), Some(&InstKind::Binary { op: BinaryOp::SRem, rhs, .. }) if rhs == by);
        let fits = !x.is_empty() && !y.is_empty() && x.hi + y.hi <= full.hi;
        if op == BinaryOp::IAdd && fits && y.lo > 0 && remainder(lhs, rhs) {
            let positive = Interval { lo: 1, hi: full.hi };
            return Some(range.intersect(positive));
        }
        Some(range)
    }

    fn unary(&self, op: UnaryOp, x: Interval, full: Interval) -> Interval {
        if x.is_empty() {
            return x;
        }
        let bits = i128::from(128 - (full.hi - full.lo).leading_zeros());
        match op {
            UnaryOp::INeg if full.hi > 1 => Interval {
                lo: -x.hi,
                hi: -x.lo,
            }
            .within(full),
            UnaryOp::INot if full.hi == 1 => Interval {
                lo: 1 - x.hi,
                hi: 1 - x.lo,
            },
            UnaryOp::INot => Interval {
                lo: -1 - x.hi,
                hi: -1 - x.lo,
            },
            UnaryOp::IAbs if full.hi > 1 => {
                let top = x.lo.abs().max(x.hi.abs());
                let low = if x.is_nonnegative() { x.lo } else { 0 };
                Interval { lo: low, hi: top }.within(full)
            }
            UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Popcnt if full.hi > 1 => {
                Interval { lo: 0, hi: bits }
            }
            UnaryOp::INeg
            | UnaryOp::IAbs
            | UnaryOp::Clz
            | UnaryOp::Ctz
            | UnaryOp::Popcnt
            | UnaryOp::Bswap
            | UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::Sqrt
            | UnaryOp::Floor
            | UnaryOp::Ceil
            | UnaryOp::Trunc
            | UnaryOp::Nearest => full,
        }
    }

    fn convert(&self, op: ConvertOp, arg: Value, full: Interval) -> Interval {
        let from = self.func.ty(arg);
        let Some(all) = Interval::full(from) else {
            return full;
        };
        let x = self.range[arg];
        match op {
            ConvertOp::SExt if from == Ty::I1 => Interval { lo: -1, hi: 0 },
            ConvertOp::SExt => x,
            ConvertOp::ZExt if x.is_nonnegative() || x.is_empty() => x,
            ConvertOp::ZExt => Interval {
                lo: 0,
                hi: all.hi - all.lo,
            }
            .within(full),
            ConvertOp::Trunc if full.hi > 1 => x.within(full),
            ConvertOp::Trunc
            | ConvertOp::SiToFp
            | ConvertOp::UiToFp
            | ConvertOp::FpToSi
            | ConvertOp::FpToUi
            | ConvertOp::FpExt
            | ConvertOp::FpTrunc
            | ConvertOp::Bitcast
            | ConvertOp::PtrToInt
            | ConvertOp::IntToPtr
            | ConvertOp::RefToPtr
            | ConvertOp::AddrSpaceCast => full,
        }
    }

    fn compare(&self, cc: IntCc, lhs: Value, rhs: Value) -> Option<bool> {
        let ty = self.func.ty(lhs);
        Interval::full(ty)?;
        let (x, y) = (self.range[lhs], self.range[rhs]);
        let equality = matches!(cc, IntCc::Eq | IntCc::Ne);
        // A truth value is -1 or 0 where its sign counts.
        if (ty != Ty::I1 || equality)
            && let Some(known) = Interval::compare(cc, x, y)
        {
            return Some(known);
        }
        if ty == Ty::I1 || x.is_empty() || y.is_empty() {
            return None;
        }
        let nonnegative = x.is_nonnegative() && y.is_nonnegative();
        let (xy, yx) = (self.difference(lhs, rhs), self.difference(rhs, lhs));
        let below = xy.is_some_and(|n| n < 0);
        let at_most = xy.is_some_and(|n| n <= 0);
        let above = yx.is_some_and(|n| n < 0);
        let at_least = yx.is_some_and(|n| n <= 0);
        let decide = |yes: bool, no: bool| match (yes, no) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match cc {
            IntCc::Eq => decide(false, below || above),
            IntCc::Ne => decide(below || above, false),
            IntCc::Slt => decide(below, at_least),
            IntCc::Sle => decide(at_most, above),
            IntCc::Sgt => decide(above, at_most),
            IntCc::Sge => decide(at_least, below),
            // A non-negative number below another: that one is not negative either.
            IntCc::Ult if x.is_nonnegative() && below => Some(true),
            IntCc::Ule if x.is_nonnegative() && at_most => Some(true),
            IntCc::Ult if nonnegative => decide(below, at_least),
            IntCc::Ule if nonnegative => decide(at_most, above),
            IntCc::Ugt if nonnegative => decide(above, at_most),
            IntCc::Uge if nonnegative => decide(at_least, below),
            IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => None,
        }
    }

    fn rewrite(&mut self, inst: Inst) {
        let data = &self.func.insts[inst];
        let results = data.results.clone();
        if let [value] = results[..]
            && !matches!(data.kind, InstKind::IConst(_))
            && effects(&data.kind).removable
            && let Some(n) = self.range[value].as_point()
            && let Some(kind) = constant_kind(&LirValue::int(self.func.ty(value), n))
        {
            let data = &mut self.func.insts[inst];
            data.kind = kind;
            data.facts = Facts::empty();
            self.changed = true;
            return;
        }
        match data.kind {
            InstKind::Select { cond, then, other } => {
                if let (Some(n), [value]) = (self.range[cond].as_point(), &results[..]) {
                    self.renames
                        .replace(*value, if n == 0 { other } else { then });
                }
            }
            InstKind::Binary { op, lhs, rhs } => self.strengthen(inst, op, lhs, rhs),
            InstKind::Icmp {
                cc: cc @ (IntCc::Slt | IntCc::Sge),
                lhs,
                rhs,
            } if self.range[rhs].as_point() == Some(0) => self.simplify_sign(inst, cc, lhs, rhs),
            InstKind::Overflow { op, lhs, rhs } => {
                if let [_, flag] = results[..]
                    && self.range[flag].as_point() == Some(0)
                {
                    self.drop_flag(inst, flag, op, lhs, rhs);
                }
            }
            _ => {}
        }
    }

    /// The sign of `a ^ b` with a non-negative `b` is that of `a`.
    fn simplify_sign(&mut self, inst: Inst, cc: IntCc, value: Value, zero: Value) {
        let signed = self.with_sign_of(value);
        if signed != value {
            self.func.insts[inst].kind = InstKind::Icmp {
                cc,
                lhs: signed,
                rhs: zero,
            };
            self.changed = true;
        }
    }

    /// Makes an operation that never overflows a plain one, and its flag a constant.
    fn drop_flag(&mut self, inst: Inst, flag: Value, op: OverflowOp, lhs: Value, rhs: Value) {
        let (op, facts) = match op {
            OverflowOp::SAdd => (BinaryOp::IAdd, Facts::NSW),
            OverflowOp::SSub => (BinaryOp::ISub, Facts::NSW),
            OverflowOp::SMul => (BinaryOp::IMul, Facts::NSW),
            OverflowOp::UAdd => (BinaryOp::IAdd, Facts::NUW),
            OverflowOp::USub => (BinaryOp::ISub, Facts::NUW),
            OverflowOp::UMul => (BinaryOp::IMul, Facts::NUW),
        };
        let (span, origin) = (self.func.insts[inst].span, self.func.insts[inst].origin);
        let constant = self.func.make_inst(InstKind::IConst(0), &[], span, origin);
        self.func.insts[constant].results.push(flag);
        self.func.values[flag].def = ValueDef::Result(constant, 0);
        self.constants.push(constant);
        let data = &mut self.func.insts[inst];
        data.kind = InstKind::Binary { op, lhs, rhs };
        data.results.truncate(1);
        data.facts = facts;
        self.changed = true;
    }

    /// Facts, and unsigned division.
    fn strengthen(&mut self, inst: Inst, op: BinaryOp, lhs: Value, rhs: Value) {
        let ty = self.func.ty(lhs);
        let (Some(full), Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64) = (Interval::full(ty), ty) else {
            return;
        };
        let (x, y) = (self.range[lhs], self.range[rhs]);
        if x.is_empty() || y.is_empty() {
            return;
        }
        let nonnegative = x.is_nonnegative() && y.is_nonnegative();
        let overflow = match op {
            BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::UDiv | BinaryOp::URem => {
                let mut facts = Facts::empty();
                if !y.contains(Interval::point(0)) || self.nonzero.contains(&rhs) {
                    facts |= Facts::NONZERO;
                }
                let overflows = x.lo == full.lo && y.contains(Interval::point(-1));
                if op == BinaryOp::SDiv && !nonnegative && !overflows {
                    facts |= Facts::NSW;
                }
                self.know(inst, facts);
                if nonnegative && matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    let unsigned = match op {
                        BinaryOp::SDiv => BinaryOp::UDiv,
                        _ => BinaryOp::URem,
                    };
                    self.func.insts[inst].kind = InstKind::Binary {
                        op: unsigned,
                        lhs,
                        rhs,
                    };
                    self.changed = true;
                }
                return;
            }
            BinaryOp::IAdd => OverflowOp::SAdd,
            BinaryOp::ISub => OverflowOp::SSub,
            BinaryOp::IMul => OverflowOp::SMul,
            _ => return,
        };
        let Some(result) = exact(overflow, x, y).filter(|r| full.contains(*r)) else {
            return;
        };
        let mut facts = Facts::NSW;
        if nonnegative && result.is_nonnegative() {
            facts |= Facts::NUW;
        }
        self.know(inst, facts);
    }

    fn know(&mut self, inst: Inst, facts: Facts) {
        let data = &mut self.func.insts[inst];
        if !data.facts.contains(facts) {
            data.facts |= facts;
            self.changed = true;
        }
    }

    fn decide_term(&mut self, block: Block) {
        let Some(Terminator::Brif { cond, .. } | Terminator::Guard { cond, .. }) =
            self.func.blocks[block].term
        else {
            return;
        };
        let Some(n) = self.range[cond].as_point() else {
            return;
        };
        if let Some(term) = &self.func.blocks[block].term {
            let to = term.targets()[usize::from(n == 0)].clone();
            self.func.blocks[block].term = Some(Terminator::Jump(to));
            self.changed = true;
        }
    }
}

/// The interval of a result that does not wrap; `None` for unsigned operations on what may be negative.
fn exact(op: OverflowOp, x: Interval, y: Interval) -> Option<Interval> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let nonnegative = x.is_nonnegative() && y.is_nonnegative();
    let op = match op {
        OverflowOp::SAdd => BinaryOp::IAdd,
        OverflowOp::SSub => BinaryOp::ISub,
        OverflowOp::SMul => BinaryOp::IMul,
        OverflowOp::UAdd if nonnegative => BinaryOp::IAdd,
        OverflowOp::USub if nonnegative && x.lo >= y.hi => BinaryOp::ISub,
        OverflowOp::UMul if nonnegative => BinaryOp::IMul,
        OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => return None,
    };
    let corner = |f: fn(i128, i128) -> i128| {
        let c = [f(x.lo, y.lo), f(x.lo, y.hi), f(x.hi, y.lo), f(x.hi, y.hi)];
        c.into_iter()
            .fold(Interval::EMPTY, |i, n| i.union(Interval::point(n)))
    };
    Some(match op {
        BinaryOp::IAdd => corner(|a, b| a + b),
        BinaryOp::ISub => corner(|a, b| a - b),
        _ => corner(|a, b| a * b),
    })
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
