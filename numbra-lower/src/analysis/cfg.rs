//! Control flow graph.

use crate::lir::{Block, Func};
use cranelift_entity::SecondaryMap;

/// Predecessors, successors and reverse post-order of the blocks that the entry reaches.
#[derive(Clone, Debug)]
pub struct Cfg {
    preds: SecondaryMap<Block, Vec<Block>>,
    succs: SecondaryMap<Block, Vec<Block>>,
    rpo: Vec<Block>,
    index: SecondaryMap<Block, u32>,
}

impl Cfg {
    /// Blocks without terminator have no successors.
    pub fn new(func: &Func) -> Cfg {
        let mut cfg = Cfg {
            preds: SecondaryMap::new(),
            succs: SecondaryMap::new(),
            rpo: Vec::new(),
            index: SecondaryMap::with_default(u32::MAX),
        };
        for &block in &func.layout {
            if let Some(term) = &func.blocks[block].term {
                cfg.succs[block] = term.targets().iter().map(|to| to.block).collect();
            }
        }
        let Some(&entry) = func.layout.first() else {
            return cfg;
        };
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        seen[entry] = true;
        let mut stack = vec![(entry, 0)];
        while let Some((block, next)) = stack.last_mut() {
            // The last successor is visited first, so that the first comes first in the order.
            let succs = &cfg.succs[*block];
            match succs.len().checked_sub(*next + 1).map(|i| succs[i]) {
                Some(succ) => {
                    *next += 1;
                    if !seen[succ] {
                        seen[succ] = true;
                        stack.push((succ, 0));
                    }
                }
                None => {
                    cfg.rpo.push(*block);
                    stack.pop();
                }
            }
        }
        cfg.rpo.reverse();
        for (index, &block) in cfg.rpo.iter().enumerate() {
            cfg.index[block] = index as u32;
            for at in 0..cfg.succs[block].len() {
                let succ = cfg.succs[block][at];
                cfg.preds[succ].push(block);
            }
        }
        cfg
    }

    /// Predecessors that the entry reaches; one that branches here twice is listed twice.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block]
    }

    /// Successors in the order of the terminator's targets.
    pub fn succs(&self, block: Block) -> &[Block] {
        &self.succs[block]
    }

    /// Reachable blocks, each before its successors but for back edges.
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }

    /// Position in [`Cfg::rpo`]; `u32::MAX` for unreachable blocks.
    pub fn rpo_index(&self, block: Block) -> u32 {
        self.index[block]
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.index[block] != u32::MAX
    }
}
