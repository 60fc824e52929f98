//! Control flow graph.

use crate::{Block, Func};
use numbra_graph::{Digraph, FlowGraph, Order};

/// Predecessors, successors and reverse post-order of the blocks that the entry reaches.
#[derive(Clone, Debug)]
pub struct Cfg(Digraph<Block>);

impl Cfg {
    /// Blocks without terminator have no successors.
    pub fn new(func: &Func) -> Cfg {
        let (count, entry) = (func.blocks.len(), func.layout.first());
        let graph = Digraph::new(count, entry, &func.layout, |block, succs| {
            if let Some(term) = &func.blocks[block].term {
                term.visit_targets(|to| succs.push(to.block));
            }
        });
        Cfg(graph)
    }

    /// Predecessors that the entry reaches; one that branches here twice is listed twice.
    pub fn preds(&self, block: Block) -> &[Block] {
        self.0.preds(block)
    }

    /// Successors in the order of the terminator's targets.
    pub fn succs(&self, block: Block) -> &[Block] {
        self.0.succs(block)
    }

    /// Reachable blocks, each before its successors but for back edges.
    pub fn rpo(&self) -> &[Block] {
        self.0.order().nodes()
    }

    /// Position in [`Cfg::rpo`]; `u32::MAX` for unreachable blocks.
    pub fn rpo_index(&self, block: Block) -> u32 {
        self.0.order().index(block)
    }

    /// True if the same blocks are reached by the same edges.
    pub fn is_same(&self, other: &Cfg) -> bool {
        self.0.is_same(&other.0)
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.0.order().is_reachable(block)
    }
}

impl FlowGraph for Cfg {
    type Node = Block;

    fn node_count(&self) -> usize {
        self.0.node_count()
    }

    fn order(&self) -> &Order<Block> {
        self.0.order()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.0.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.0.predecessors(block)
    }
}
