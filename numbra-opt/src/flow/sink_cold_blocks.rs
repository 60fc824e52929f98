//! Marks blocks that run only on errors: the error edges of guards, what ends in `fail`, and what only such blocks reach.
//!
//! ```text
//! before                               after
//!   guard v0 null, block1, block2        guard v0 null, block1, block2
//! block2:                              block2 cold:
//!   fail                                 fail
//! ```
//!
//! Cold blocks go to the end of the layout, in order. Linear.

use crate::analyses::{Analyses, Changed};
use cranelift_entity::SecondaryMap;
use numbra_lir::{Block, Func, Module, Terminator};

pub(crate) fn sink_cold_blocks(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let cfg = known.cfg(func);
    let mut cold: SecondaryMap<Block, bool> = SecondaryMap::new();
    let entry = func.entry();
    // Backwards: what leads to cold blocks only.
    for &block in cfg.rpo().iter().rev() {
        let data = &func.blocks[block];
        let succs = cfg.succs(block);
        let leads = !succs.is_empty() && succs.iter().all(|&s| cold[s]);
        cold[block] =
            block != entry && (data.cold || leads || matches!(data.term, Some(Terminator::Fail)));
    }
    // Forwards: what only cold blocks and error edges reach.
    for &block in cfg.rpo() {
        if block == entry || cold[block] {
            continue;
        }
        cold[block] = cfg.preds(block).iter().all(|&pred| {
            cold[pred]
                || matches!(
                    &func.blocks[pred].term,
                    Some(Terminator::Guard { ok, err, .. })
                        if err.block == block && ok.block != block
                )
        });
    }
    let mut changed = false;
    for &block in cfg.rpo() {
        changed |= func.blocks[block].cold != cold[block];
        func.blocks[block].cold = cold[block];
    }
    changed |= func.layout.move_back(|block| cold[block]);
    Changed::insts(changed)
}
