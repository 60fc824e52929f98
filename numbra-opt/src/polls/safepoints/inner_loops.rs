//! Strip-mines inner loops, with a poll between strips, where references are placed already: for generators that do not do it
//! themselves.
//!
//! Such a poll fails as the next poll after the loop does: it runs the same releases, then goes to the same exit. The loop is
//! left as it is where other references are counted on the way to that exit, or it needs values that the loop does not have.

use super::counted::{is_entry_within_bound, is_strip_representable};
use super::work::is_call;
use super::{STRIP_ITERATIONS, bound, entering};
use crate::analyses::{Analyses, Changed};
use crate::polls::interrupts::{self, Polls};
use numbra_base::{FxHashSet, Origin};
use numbra_lir::analysis::{Cfg, Dominators, Leading, Loop, use_counts};
use numbra_lir::{Block, BlockCall, Func, Inst, InstKind, Module, Terminator, Value};
use std::collections::VecDeque;

const ORIGIN: Origin = Origin::Pass("poll_inner_loops");
/// Blocks after an inner loop that are searched for a poll.
const MAX_SEARCHED_BLOCKS: usize = 64;

/// How an inner loop exits on an interrupt: it releases references, and goes on as the next poll does.
struct PollExit {
    releases: Vec<Value>,
    to: BlockCall,
}

pub(crate) fn poll_inner_loops(func: &mut Func, module: &Module, known: &mut Analyses) -> Changed {
    let Some(cell) = interrupts::known_cell(module) else {
        return Changed::Nothing;
    };
    let asking = asking(func);
    if asking.is_empty() {
        return Changed::Nothing;
    }
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let inductions = known.inductions(func);
    let mut found = Vec::new();
    for (id, data) in loops.iter_innermost() {
        let cold = |&block: &Block| func.blocks[block].cold;
        let strips = |parent| loops.get(parent).latches.iter().all(cold);
        let polls = data.blocks.iter().any(|block| asking.contains(block));
        if data.parent.is_none_or(strips) || polls || data.header == func.entry() {
            continue;
        }
        if let Some(counted) = inductions.of(id).counted(func, data)
            && is_strip_representable(func, &counted, STRIP_ITERATIONS.1)
            && counted
                .trip_count(func, &cfg, data.header)
                .is_none_or(|trip| trip > STRIP_ITERATIONS.1)
            && let Some(exit) = way_out(func, &cfg, &doms, data, &asking)
        {
            found.push((id, counted, exit));
        }
    }
    if found.is_empty() {
        return Changed::Nothing;
    }
    let uses = use_counts(func);
    let mut leading = Leading::new(func, &cfg);
    for (id, counted, exit) in found {
        let data = loops.get(id);
        let span = func.blocks[data.header].term_span;
        let out = func.push_block();
        func.blocks[out].cold = true;
        for value in exit.releases {
            func.push_inst(out, InstKind::Release(value), &[], span, ORIGIN);
        }
        func.set_term(out, Terminator::Jump(exit.to), span, ORIGIN);
        let mut polls = Polls::leaving(func, cell, out, ORIGIN);
        let entering = entering(&mut leading, polls.func, data.header, &data.latches);
        let tested = is_entry_within_bound(polls.func, &cfg, data.header, &entering, &counted);
        // Of as many elements, where they are in vectors.
        let iterations = STRIP_ITERATIONS.1 / counted.step.unsigned_abs().clamp(1, 64) as u64;
        bound(
            &mut polls,
            data.header,
            &entering,
            (&counted, tested),
            (iterations, &[]),
            &uses,
        );
    }
    Changed::Flow
}

/// The blocks that ask the runtime whether to exit.
fn asking(func: &Func) -> FxHashSet<Block> {
    let asks = |&block: &Block| exit(func, block).is_some();
    func.layout.iter().filter(asks).collect()
}

/// The way that a block which asks the runtime takes if it is to exit.
fn exit(func: &Func, block: Block) -> Option<&BlockCall> {
    let asks = |inst: Inst| func.insts[inst].kind.native_id() == Some(interrupts::ASK);
    match func.term(block) {
        Terminator::Guard { err, .. } => {
            let mut insts = func.blocks[block].insts().iter();
            insts.any(|&inst| asks(inst)).then_some(err)
        }
        _ => None,
    }
}

/// How the next poll after a loop exits, if that needs nothing but what the loop has.
fn way_out(
    func: &Func,
    cfg: &Cfg,
    doms: &Dominators,
    inner: &Loop,
    asking: &FxHashSet<Block>,
) -> Option<PollExit> {
    let before = |value: Value| {
        func.def_block(value)
            .is_some_and(|home| !inner.blocks.contains(&home) && doms.dominates(home, inner.header))
    };
    let mut seen = FxHashSet::default();
    let ways = inner.blocks.iter().flat_map(|&block| cfg.succs(block));
    let ways = ways.filter(|to| !inner.blocks.contains(to));
    let mut todo: VecDeque<(Block, Vec<Value>)> = ways.map(|&to| (to, Vec::new())).collect();
    'blocks: while let Some((block, mut releases)) = todo.pop_front() {
        if seen.len() > MAX_SEARCHED_BLOCKS || inner.blocks.contains(&block) || !seen.insert(block)
        {
            continue;
        }
        if let Some(to) = exit(func, block).filter(|_| asking.contains(&block)) {
            if releases.iter().all(|&value| before(value))
                && to.args.iter().all(|&value| before(value))
                && is_out(func, cfg, to.block, inner, |value, out| {
                    before(value)
                        || func
                            .def_block(value)
                            .is_some_and(|home| out.contains(&home))
                })
            {
                return Some(PollExit {
                    releases,
                    to: to.clone(),
                });
            }
        } else {
            for &inst in func.blocks[block].insts() {
                match func.insts[inst].kind {
                    InstKind::Release(value) => releases.push(value),
                    InstKind::Retain(_) => continue 'blocks,
                    ref kind if is_call(kind) => continue 'blocks,
                    _ => {}
                }
            }
        }
        todo.extend(cfg.succs(block).iter().map(|&to| (to, releases.clone())));
    }
    None
}

/// True if what follows a block has all that it needs, and does not come back.
fn is_out(
    func: &Func,
    cfg: &Cfg,
    first: Block,
    inner: &Loop,
    has: impl Fn(Value, &FxHashSet<Block>) -> bool,
) -> bool {
    let mut out = FxHashSet::default();
    let mut todo = vec![first];
    while let Some(block) = todo.pop() {
        if out.insert(block) {
            todo.extend(cfg.succs(block));
        }
    }
    let comes_back =
        |block: &Block| inner.blocks.contains(block) || cfg.succs(*block).contains(&first);
    if out.iter().any(comes_back) {
        return false;
    }
    let mut all = true;
    let blocks = func.layout.iter().filter(|block| out.contains(block));
    for block in blocks {
        for &inst in func.blocks[block].insts() {
            func.insts[inst]
                .kind
                .visit_operands(|value| all &= has(value, &out));
        }
        func.term(block)
            .visit_operands(|value| all &= has(value, &out));
    }
    all
}
