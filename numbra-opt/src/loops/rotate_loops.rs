//! Moves loop tests to the bottom: a loop that tests at the top becomes a test before it and one at its end.
//!
//! ```text
//! before                             after
//!   jump block1(v1)                    v5 = icmp slt v1, v0
//! block1(v2: i64):                     brif v5, block2(v1), block3
//!   v3 = icmp slt v2, v0             block2(v2: i64):
//!   brif v3, block2, block3            v4 = iadd v2, v9
//! block2:                              v3 = icmp slt v4, v0
//!   v4 = iadd v2, v9                   brif v3, block2(v4), block3
//!   jump block1(v4)                  block3:
//! block3:
//! ```
//!
//! The header is copied to the end of the one block that jumps back, so it must be short and hold nothing convergent;
//! `sink` has moved away what it computes for the body alone. Loops that test at the bottom already are left alone.
//! Linear.

use crate::analyses::{Analyses, Changed};
use crate::edit::block_copies::{BlockCopy, copy_blocks};
use crate::edit::edges::{self, LayoutPosition};
use numbra_lir::analysis::effects;
use numbra_lir::{Block, Func, Module, Terminator};

const NAME: &str = "rotate_loops";

/// Headers of up to this many instructions are copied.
const MAX_HEADER: usize = 12;

/// A loop to be rotated.
struct Candidate {
    header: Block,
    latch: Block,
}

pub(crate) fn rotate_loops(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let loops = known.loops(func);
    let mut candidates = Vec::new();
    for (id, data) in loops.iter() {
        let header = data.header;
        if header == func.entry() {
            continue;
        }
        let Some(Terminator::Brif { then, other, .. }) = &func.blocks[header].term else {
            continue;
        };
        let inside = (
            loops.contains(id, then.block),
            loops.contains(id, other.block),
        );
        let body = match inside {
            (true, false) => then.block,
            (false, true) => other.block,
            _ => continue,
        };
        if body == header || data.latches.contains(&header) {
            continue;
        }
        let fits = func.blocks[header].insts().len() <= MAX_HEADER
            && func.blocks[header].insts().iter().all(|&inst| {
                let does = effects(&func.insts[inst].kind);
                does.removable && !does.convergent
            });
        if fits {
            candidates.push((header, data.latches.clone()));
        }
    }
    if candidates.is_empty() {
        return Changed::Nothing;
    }
    let candidates: Vec<Candidate> = candidates
        .into_iter()
        .map(|(header, latches)| Candidate {
            header,
            latch: one_latch(func, header, &latches),
        })
        .collect();
    for candidate in &candidates {
        own_targets(func, candidate);
    }
    let copies: Vec<BlockCopy> = candidates
        .iter()
        .map(|candidate| BlockCopy {
            block: candidate.header,
            into: candidate.latch,
        })
        .collect();
    copy_blocks(func, &copies, |_, term| term);
    Changed::Flow
}

/// A block that jumps back to the header, and is the only one to do so.
fn one_latch(func: &mut Func, header: Block, latches: &[Block]) -> Block {
    if let [latch] = *latches
        && matches!(func.blocks[latch].term, Some(Terminator::Jump(_)))
    {
        return latch;
    }
    let last = latches[latches.len() - 1];
    let latch = edges::merge_edges(func, latches, header, LayoutPosition::After(last), NAME);
    // Not cold even where the header is: it stands in the loop.
    func.blocks[latch].cold = false;
    latch
}

/// Gives the header's branch targets of its own, so that they are dominated by their edge.
fn own_targets(func: &mut Func, candidate: &Candidate) {
    let count = func.term(candidate.header).targets().len();
    for n in 0..count {
        edges::split(func, candidate.header, n, NAME);
    }
}
