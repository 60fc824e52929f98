//! The control-flow graph.

use crate::{Block, EntityRef, Func, SecondaryMap};
use numbra_base::Lists;

/// Edges between the blocks of a function, and their reverse post-order.
///
/// An edge is *normal* (a branch) or *exceptional* (from a protected block to its handler). An exceptional edge
/// leaves before any statement of its block but phis takes effect: it carries the values at the block's start.
#[derive(Clone, Debug)]
pub struct Cfg {
    entry: Option<Block>,
    succs: Lists<Block>,
    preds: Lists<Block>,
    handler: SecondaryMap<Block, Option<Block>>,
    protected: Lists<Block>,
    rpo: Vec<Block>,
    rpo_index: SecondaryMap<Block, Option<u32>>,
}

impl Cfg {
    /// The graph of a function. Targets that do not exist are left out. Linear in edges.
    pub fn new(func: &Func) -> Cfg {
        let (mut succs, mut preds, mut protected) = (Vec::new(), Vec::new(), Vec::new());
        let mut handler = SecondaryMap::new();
        for &block in &func.layout {
            if !func.blocks.is_valid(block) {
                continue;
            }
            for succ in func.successors(block) {
                if func.blocks.is_valid(succ) {
                    succs.push((block.as_u32(), succ));
                    preds.push((succ.as_u32(), block));
                }
            }
            if let Some(to) = func.blocks[block].handler
                && func.blocks.is_valid(to.block)
            {
                handler[block] = Some(to.block);
                protected.push((to.block.as_u32(), block));
            }
        }
        let mut cfg = Cfg {
            entry: func.entry(),
            succs: Lists::of_pairs(&succs),
            preds: Lists::of_pairs(&preds),
            handler,
            protected: Lists::of_pairs(&protected),
            rpo: Vec::new(),
            rpo_index: SecondaryMap::new(),
        };
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
            let (normal, handler) = (self.succs(*block), self.handler[*block]);
            let all = normal.iter().copied().chain(handler);
            match all.rev().nth(*next) {
                Some(succ) => {
                    *next += 1;
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
        self.succs.get(block.index())
    }

    /// Blocks that branch here.
    pub fn preds(&self, block: Block) -> &[Block] {
        self.preds.get(block.index())
    }

    /// Where exceptions raised in `block` go.
    pub fn handler(&self, block: Block) -> Option<Block> {
        self.handler[block]
    }

    /// Blocks whose exceptions come here.
    pub fn protected(&self, handler: Block) -> &[Block] {
        self.protected.get(handler.index())
    }

    /// Normal successors, then the handler.
    pub fn all_succs(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.succs(block).iter().copied().chain(self.handler[block])
    }

    /// Normal predecessors, then protected blocks: the blocks that a phi names, in this order.
    pub fn all_preds(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let normal = self.preds(block).iter().copied();
        normal.chain(self.protected(block).iter().copied())
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
