//! The control-flow graph.

use crate::{Block, EntityRef, Func, SecondaryMap};
use numbra_base::Lists;
use numbra_graph::{FlowGraph, Order};

/// Edges between the blocks of a function, and their reverse post-order.
///
/// An edge is *normal* (a branch) or *exceptional* (from a protected block to its handler). An exceptional edge
/// leaves before any statement of its block but phis takes effect: it carries the values at the block's start.
#[derive(Clone, Debug)]
pub struct Cfg {
    entry: Option<Block>,
    block_count: usize,
    succs: Lists<Block>,
    preds: Lists<Block>,
    handler: SecondaryMap<Block, Option<Block>>,
    protected: Lists<Block>,
    order: Order<Block>,
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
        let succs = Lists::of_pairs(&succs);
        // The handler comes after what the terminator names.
        let order = Order::new(func.blocks.len(), func.entry(), |block: Block| {
            let normal = succs.get(block.index()).iter().copied();
            normal.chain(handler[block])
        });
        Cfg {
            entry: func.entry(),
            block_count: func.blocks.len(),
            succs,
            preds: Lists::of_pairs(&preds),
            handler,
            protected: Lists::of_pairs(&protected),
            order,
        }
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
        self.order.nodes()
    }

    /// Position in [`Cfg::rpo`]; `None` for unreachable blocks.
    pub fn rpo_index(&self, block: Block) -> Option<u32> {
        Some(self.order.index(block)).filter(|_| self.is_reachable(block))
    }

    /// Can this block run?
    pub fn is_reachable(&self, block: Block) -> bool {
        self.order.is_reachable(block)
    }
}

/// Normal and exceptional edges alike.
impl FlowGraph for Cfg {
    type Node = Block;

    fn node_count(&self) -> usize {
        self.block_count
    }

    fn order(&self) -> &Order<Block> {
        &self.order
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.all_succs(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.all_preds(block)
            .filter(|&pred| self.is_reachable(pred))
    }
}
