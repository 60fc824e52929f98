//! Loops that call mathematical functions.
//!
//! LLVM interleaves rounds of vectorised loops, which gains nothing where each round calls functions: all values live
//! across the calls go to memory and back. Such loops ask for one vector at a time.

use numbra_base::FxHashMap;
use numbra_lower::analysis::{Cfg, Dominators, Loop, Loops};
use numbra_lower::lir::{Block, Func, InstKind};

/// The metadata node that asks for it.
pub(super) const ONE_AT_A_TIME: &str = "!83";

/// True if code of the loop calls a mathematical function.
pub(super) fn calls_math(func: &Func, one: &Loop) -> bool {
    one.blocks
        .iter()
        .any(|&block| block_calls_math(func, block))
}

fn block_calls_math(func: &Func, block: Block) -> bool {
    let mut insts = func.blocks[block].insts.iter();
    insts.any(|&inst| matches!(func.insts[inst].kind, InstKind::Math { .. }))
}

/// The headers of such loops, by the blocks that begin their next rounds.
pub(super) fn math_loops(func: &Func) -> FxHashMap<Block, Block> {
    let mut latches = FxHashMap::default();
    // Most functions have none, and no need of an analysis.
    if !func
        .layout
        .iter()
        .any(|&block| block_calls_math(func, block))
    {
        return latches;
    }
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    for (_, one) in Loops::new(&cfg, &doms).iter() {
        if calls_math(func, one) {
            latches.extend(one.latches.iter().map(|&latch| (latch, one.header)));
        }
    }
    latches
}
