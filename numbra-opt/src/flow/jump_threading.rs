//! Sends a branch straight to where a second branch that it decides would lead.
//!
//! ```text
//! before                             after
//!   brif v0, block1, block2            brif v0, block1, block2
//! block1:                            block1:
//!   v3 = load v1                       v3 = load v1
//!   jump block3(v3)                    jump block4(v3)
//! block2:                            block2:
//!   jump block3(v2)                    jump block5
//! block3(v4: i64):                   block4(v4: i64):
//!   brif v0, block4, block5
//! block4:
//! ```
//!
//! The block between is copied into the edge, so it must be short and hold nothing convergent. Loop headers stay: a
//! loop would get a second entry. A test is decided by branches on the way and by constants among the arguments. What
//! iterators say about their end is tested once instead of twice an iteration.
//!
//! A switch whose index every edge knows goes, in a loop header, too: then no edge leads there any more. So the state of
//! a generator (see `frames`) becomes the place where its loop goes on. Linear.

use crate::analyses::{Analyses, Changed};
use crate::edit::block_copies::{BlockCopy, copy_blocks};
use crate::edit::edges;
use crate::flow::conditions::{Condition, decided, normal};
use crate::scalar::fold::integer;
use cranelift_entity::SecondaryMap;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{Cfg, Dominators, effects};
use numbra_lir::interp::{LirValue, ops};
use numbra_lir::{Block, BlockCall, Func, InstKind, Module, Terminator, Value};

/// Blocks of up to this many instructions are copied.
const MAX_INSTS: usize = 8;

/// Edge number `n` of `from` leads to a test that goes to its target number `target`.
struct Decided {
    from: Block,
    n: usize,
    target: usize,
}

type Known = FxHashMap<Condition, bool>;

pub(crate) fn jump_threading(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let cfg = known.cfg(func);
    let mut tests: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut any = false;
    for &block in &cfg.rpo()[1..] {
        tests[block] = is_copied(func, &cfg, block);
        any |= tests[block];
    }
    if !any {
        return Changed::Nothing;
    }
    let doms = known.doms(func);
    let mut edges = find(func, &cfg, &doms, &tests);
    keep_undecided_switches(func, &cfg, &mut edges);
    if edges.is_empty() {
        return Changed::Nothing;
    }
    let mut copies = Vec::with_capacity(edges.len());
    for edge in &edges {
        let block = func.term(edge.from).targets()[edge.n].block;
        let into = match func.term(edge.from) {
            Terminator::Jump(_) => edge.from,
            _ => edges::split(func, edge.from, edge.n, "jump_threading"),
        };
        copies.push(BlockCopy { block, into });
    }
    copy_blocks(func, &copies, |n, term| {
        Terminator::Jump(term.targets()[edges[n].target].clone())
    });
    Changed::Flow
}

/// A switch stays unless all edges to it are decided.
fn keep_undecided_switches(func: &Func, cfg: &Cfg, edges: &mut Vec<Decided>) {
    let leads_to = |edge: &Decided| func.term(edge.from).targets()[edge.n].block;
    let mut decided: SecondaryMap<Block, usize> = SecondaryMap::new();
    for edge in edges.iter() {
        decided[leads_to(edge)] += 1;
    }
    let total = |block: Block| -> usize {
        let mut preds = cfg.preds(block).to_vec();
        preds.sort();
        preds.dedup();
        let targets = preds.iter().flat_map(|&p| func.term(p).targets());
        targets.filter(|to| to.block == block).count()
    };
    edges.retain(|edge| {
        let block = leads_to(edge);
        let switch = matches!(func.term(block), Terminator::Switch { .. });
        !switch || decided[block] == total(block)
    });
}

/// A short test that several edges lead to, none of them back; or a short switch.
fn is_copied(func: &Func, cfg: &Cfg, block: Block) -> bool {
    let data = &func.blocks[block];
    let own = cfg.rpo_index(block);
    let copied = match data.term {
        Some(Terminator::Brif { .. } | Terminator::Guard { .. }) => {
            cfg.preds(block).len() > 1 && cfg.preds(block).iter().all(|&p| cfg.rpo_index(p) < own)
        }
        Some(Terminator::Switch { .. }) => !cfg.preds(block).contains(&block),
        _ => false,
    };
    copied
        && data.insts().len() <= MAX_INSTS
        && !data.cold
        && data
            .insts()
            .iter()
            .all(|&inst| !effects(&func.insts[inst].kind).convergent)
}

/// Walks the dominator tree with what the branches on the way have decided.
fn find(
    func: &Func,
    cfg: &Cfg,
    doms: &Dominators,
    tests: &SecondaryMap<Block, bool>,
) -> Vec<Decided> {
    let mut known = Known::default();
    let mut found = Vec::new();
    enum Step {
        Enter(Block),
        Forget(Condition, Option<bool>),
    }
    let mut stack = vec![Step::Enter(func.entry())];
    while let Some(step) = stack.pop() {
        let block = match step {
            Step::Enter(block) => block,
            Step::Forget(condition, Some(before)) => {
                known.insert(condition, before);
                continue;
            }
            Step::Forget(condition, None) => {
                known.remove(&condition);
                continue;
            }
        };
        if let Some(pred) = doms.entering(cfg, block)
            && let Some((cond, when)) = decided(func, pred, block)
        {
            let (condition, positive) = normal(func, cond, |v| v);
            let before = known.insert(condition, when == positive);
            stack.push(Step::Forget(condition, before));
        }
        for (n, to) in func.term(block).targets().into_iter().enumerate() {
            if !tests[to.block] || func.blocks[block].cold {
                continue;
            }
            let own = decided(func, block, to.block).map(|(cond, when)| {
                let (condition, positive) = normal(func, cond, |v| v);
                (condition, when == positive)
            });
            if let Some(target) = decide(func, &known, own, to) {
                found.push(Decided {
                    from: block,
                    n,
                    target,
                });
            }
        }
        stack.extend(doms.children(block).iter().rev().map(|&b| Step::Enter(b)));
    }
    found
}

/// The number of the target that the test at the end of an edge chooses, if `known`, the edge's own condition or its
/// arguments tell.
fn decide(
    func: &Func,
    known: &Known,
    own: Option<(Condition, bool)>,
    to: &BlockCall,
) -> Option<usize> {
    let params = &func.blocks[to.block].params;
    let actual = |value: Value| match params.iter().position(|&p| p == value) {
        Some(n) => to.args[n],
        None => value,
    };
    let cond = match func.term(to.block) {
        Terminator::Brif { cond, .. } | Terminator::Guard { cond, .. } => cond,
        Terminator::Switch { index, cases, .. } => {
            let index = integer(func, actual(*index))?;
            let case = usize::try_from(index).ok().filter(|&n| n < cases.len());
            return Some(case.unwrap_or(cases.len()));
        }
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Fail => return None,
    };
    if let Some(holds) = constant(func, actual(*cond), actual) {
        return Some(usize::from(!holds));
    }
    let (condition, positive) = normal(func, *cond, actual);
    let own = own.filter(|(c, _)| *c == condition).map(|(_, holds)| holds);
    let holds = own.or_else(|| known.get(&condition).copied())?;
    Some(usize::from(holds != positive))
}

/// A condition that is a constant, or compares constants.
fn constant(func: &Func, cond: Value, actual: impl Fn(Value) -> Value) -> Option<bool> {
    if let Some(n) = integer(func, cond) {
        return Some(n & 1 != 0);
    }
    let &InstKind::Icmp { cc, lhs, rhs } = func.def(cond)? else {
        return None;
    };
    let (lhs, rhs) = (actual(lhs), actual(rhs));
    let ty = func.ty(lhs);
    ty.int_bits()?;
    let bits = |value: Value| Some(LirValue::int(ty, integer(func, value)?).bits());
    Some(ops::icmp(cc, ty, bits(lhs)?, bits(rhs)?))
}
