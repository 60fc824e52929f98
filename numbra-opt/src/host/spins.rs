//! Loops of kernels that wait for what another thread writes.
//!
//! On a GPU the other threads run meanwhile. On the CPU they run when the waiting one lets them, so `host_threads` puts a
//! call at the end of each iteration of such loops. A loop is one if it reads what others change, by an atomic operation or
//! around a fence; sums by atomic operations, whose results nobody reads, are none, nor are those loops that lowering makes
//! to exchange a value until nobody was faster.

use numbra_lir::analysis::{Cfg, Dominators, Loop, Loops, use_counts};
use numbra_lir::{Block, Func, Inst, InstKind, Value};

/// The blocks that end an iteration of such a loop.
pub(crate) fn iterations(func: &Func) -> Vec<Block> {
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    let uses = use_counts(func);
    let mut found = Vec::new();
    for (_, data) in loops.iter() {
        if is_wait_loop(func, data, |value| uses[value] > 0) {
            found.extend(data.latches.iter().copied());
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the loop exchanges a value until nobody was faster: it ends soon.
pub(crate) fn is_exchange_loop(func: &Func, data: &Loop) -> bool {
    insts(func, data).any(|inst| {
        let data_of = &func.insts[inst];
        let result = data_of.results.first().copied();
        matches!(data_of.kind, InstKind::AtomicCas { .. })
            && result.is_some_and(|r| is_next_iteration_value(func, data, r))
    })
}

fn insts<'a>(func: &'a Func, data: &'a Loop) -> impl Iterator<Item = Inst> + 'a {
    let blocks = data.blocks.iter();
    blocks.flat_map(|&block| func.blocks[block].insts().iter().copied())
}

fn is_wait_loop(func: &Func, data: &Loop, is_used: impl Fn(Value) -> bool) -> bool {
    if is_exchange_loop(func, data) {
        return false;
    }
    let mut reads = false;
    for inst in insts(func, data) {
        let result = func.insts[inst].results.first().copied();
        match &func.insts[inst].kind {
            InstKind::AtomicCas { .. } | InstKind::AtomicRmw { .. } => {
                reads |= result.is_some_and(&is_used);
            }
            InstKind::AtomicLoad { .. } | InstKind::Fence { .. } => reads = true,
            _ => {}
        }
    }
    reads
}

/// Whether a value begins the next iteration.
fn is_next_iteration_value(func: &Func, data: &Loop, value: Value) -> bool {
    let targets = data
        .latches
        .iter()
        .flat_map(|&latch| func.term(latch).targets());
    let mut back = targets.filter(|target| target.block == data.header);
    back.any(|target| target.args.contains(&value))
}
