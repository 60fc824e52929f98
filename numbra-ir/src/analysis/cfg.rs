//! The control-flow graph.

use crate::{Block, Func, SecondaryMap};

/// Edges between the blocks of a function, and their reverse post-order.
///
/// An edge is *normal* (a branch) or *exceptional* (from a protected block to its handler). An exceptional edge
/// leaves before any statement of its block but phis takes effect: it carries the values at the block's start.
#[derive(Clone, Debug)]
pub struct Cfg {
    entry: Option<Block>,
    succs: SecondaryMap<Block, Vec<Block>>,
    preds: SecondaryMap<Block, Vec<Block>>,
    handler: SecondaryMap<Block, Option<Block>>,
    protected: SecondaryMap<Block, Vec<Block>>,
    rpo: Vec<Block>,
    rpo_index: SecondaryMap<Block, Option<u32>>,
}

impl Cfg {
    /// The graph of a function. Targets that do not exist are left out. Linear in edges.
    pub fn new(func: &Func) -> Cfg {
        let mut cfg = Cfg {
            entry: func.entry(),
            succs: SecondaryMap::new(),
            preds: SecondaryMap::new(),
            handler: SecondaryMap::new(),
            protected: SecondaryMap::new(),
            rpo: Vec::new(),
            rpo_index: SecondaryMap::new(),
        };
        for &block in &func.layout {
            if !func.blocks.is_valid(block) {
                continue;
            }
            for succ in func.successors(block) {
                if func.blocks.is_valid(succ) {
                    cfg.succs[block].push(succ);
                    cfg.preds[succ].push(block);
                }
            }
            if let Some(handler) = func.blocks[block].handler
                && func.blocks.is_valid(handler.block)
            {
                cfg.handler[block] = Some(handler.block);
                cfg.protected[handler.block].push(block);
            }
        }
        cfg.number();
        cfg
    }

    /// Depth-first search without recursion; blocks in reverse order of finishing.
    fn number(&mut self) {
        let Some(entry) = self.entry else {
            return;
        };
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut stack = vec![(entry, 0)];
        seen[entry] = true;
        let mut post = Vec::new();
        while let Some((block, next)) = stack.last_mut() {
            // Later successors first, so that the first one comes first in the reversed order.
            let all: Vec<Block> = self.all_succs(*block).collect();
            match all.len().checked_sub(*next + 1) {
                Some(at) => {
                    *next += 1;
                    let succ = all[at];
                    if !seen[succ] {
                        seen[succ] = true;
                        stack.push((succ, 0));
                    }
                }
                None => {
                    post.push(*block);
                    stack.pop();
                }
            }
        }
        post.reverse();
        for (i, block) in post.iter().enumerate() {
            self.rpo_index[*block] = Some(i as u32);
        }
        self.rpo = post;
    }

    /// The entry block.
    pub fn entry(&self) -> Option<Block> {
        self.entry
    }

    /// Targets of the terminator.
    pub fn succs(&self, block: Block) -> &[Block] {
        &self.succs[block]
    }

    /// Blocks that branch here.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block]
    }

    /// Where exceptions raised in `block` go.
    pub fn handler(&self, block: Block) -> Option<Block> {
        self.handler[block]
    }

    /// Blocks whose exceptions come here.
    pub fn protected(&self, handler: Block) -> &[Block] {
        &self.protected[handler]
    }

    /// Normal successors, then the handler.
    pub fn all_succs(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.succs[block].iter().copied().chain(self.handler[block])
    }

    /// Normal predecessors, then protected blocks: the blocks that a phi names, in this order.
    pub fn all_preds(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let normal = self.preds[block].iter().copied();
        normal.chain(self.protected[block].iter().copied())
    }

    /// Reachable blocks in reverse post-order.
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }

    /// Position in [`Cfg::rpo`]; `None` for unreachable blocks.
    pub fn rpo_index(&self, block: Block) -> Option<u32> {
        self.rpo_index[block]
    }

    /// Can this block run?
    pub fn is_reachable(&self, block: Block) -> bool {
        self.rpo_index[block].is_some()
    }
}
