//! What leads into blocks while a pass adds blocks.

use super::Cfg;
use crate::{Block, Func};
use cranelift_entity::{EntityRef, SecondaryMap};

/// The predecessors of blocks, kept while a pass puts new blocks in front of some: each block is looked at once, where a
/// graph for each loop would make the time of a pass the square of the number of loops.
///
/// Edges may only be moved to new blocks, and a new block has its terminator when the next question is asked.
pub struct Leading {
    into: SecondaryMap<Block, Vec<Block>>,
    /// Blocks with lower numbers have been looked at.
    seen: usize,
}

impl Leading {
    pub fn new(func: &Func, cfg: &Cfg) -> Leading {
        let mut into: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        into.resize(func.blocks.len());
        for &block in cfg.rpo() {
            into[block].extend_from_slice(cfg.preds(block));
        }
        Leading {
            into,
            seen: func.blocks.len(),
        }
    }

    /// The predecessors of a block as they are now, each once.
    pub fn into(&mut self, func: &Func, block: Block) -> Vec<Block> {
        for new in (self.seen..func.blocks.len()).map(Block::new) {
            if let Some(term) = &func.blocks[new].term {
                term.visit_targets(|to| self.into[to.block].push(new));
            }
        }
        self.seen = func.blocks.len();
        let mut out: Vec<Block> = Vec::new();
        for &from in &self.into[block] {
            let term = func.blocks[from].term.as_ref();
            let leads = term.is_some_and(|term| {
                let mut leads = false;
                term.visit_targets(|to| leads |= to.block == block);
                leads
            });
            if leads && !out.contains(&from) {
                out.push(from);
            }
        }
        out
    }
}
