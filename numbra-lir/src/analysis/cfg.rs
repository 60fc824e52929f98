//! Control flow graph.

use crate::{Block, Func};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::ReservedValue;

/// Predecessors, successors and reverse post-order of the blocks that the entry reaches.
#[derive(Clone, Debug)]
pub struct Cfg {
    preds: Edges,
    succs: Edges,
    rpo: Vec<Block>,
    index: SecondaryMap<Block, u32>,
}

/// Lists of blocks, one after another: a graph is made often, and its lists are short.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    all: Vec<Block>,
    /// Where the list of a block begins and ends.
    lists: SecondaryMap<Block, (u32, u32)>,
}

impl Edges {
    /// Each block under the one that `under` says for it, in the order given; `blocks` is how many the function has.
    pub(super) fn group(
        order: &[Block],
        blocks: usize,
        under: impl Fn(Block) -> Option<Block>,
    ) -> Edges {
        let mut edges = Edges::default();
        edges.lists.resize(blocks);
        for above in order.iter().filter_map(|&block| under(block)) {
            edges.lists[above].1 += 1;
        }
        let mut start = 0;
        for &block in order {
            let length = edges.lists[block].1;
            edges.lists[block] = (start, start);
            start += length;
        }
        edges.all.resize(start as usize, Block::reserved_value());
        for &block in order {
            if let Some(above) = under(block) {
                edges.all[edges.lists[above].1 as usize] = block;
                edges.lists[above].1 += 1;
            }
        }
        edges
    }

    pub(super) fn of(&self, block: Block) -> &[Block] {
        let (start, end) = self.lists[block];
        &self.all[start as usize..end as usize]
    }
}

impl Cfg {
    /// Blocks without terminator have no successors.
    pub fn new(func: &Func) -> Cfg {
        let mut cfg = Cfg {
            preds: Edges::default(),
            succs: Edges::default(),
            rpo: Vec::with_capacity(func.layout.len()),
            index: SecondaryMap::with_default(u32::MAX),
        };
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        cfg.index.resize(func.blocks.len());
        cfg.preds.lists.resize(func.blocks.len());
        cfg.succs.lists.resize(func.blocks.len());
        seen.resize(func.blocks.len());
        for block in &func.layout {
            if let Some(term) = &func.blocks[block].term {
                let start = cfg.succs.all.len() as u32;
                term.visit_targets(|to| cfg.succs.all.push(to.block));
                cfg.succs.lists[block] = (start, cfg.succs.all.len() as u32);
            }
        }
        let Some(entry) = func.layout.first() else {
            return cfg;
        };
        seen[entry] = true;
        let mut stack = vec![(entry, 0)];
        while let Some((block, next)) = stack.last_mut() {
            // The last successor is visited first, so that the first comes first in the order.
            let succs = cfg.succs.of(*block);
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
        cfg.number_and_invert();
        cfg
    }

    /// Positions of the blocks in the order, and from the successors the predecessors.
    fn number_and_invert(&mut self) {
        let Edges { all, lists } = &mut self.preds;
        for (index, &block) in self.rpo.iter().enumerate() {
            self.index[block] = index as u32;
            for &succ in self.succs.of(block) {
                lists[succ].1 += 1;
            }
        }
        let mut start = 0;
        for &block in &self.rpo {
            let length = lists[block].1;
            lists[block] = (start, start);
            start += length;
        }
        all.resize(start as usize, Block::reserved_value());
        for &block in &self.rpo {
            for &succ in self.succs.of(block) {
                all[lists[succ].1 as usize] = block;
                lists[succ].1 += 1;
            }
        }
    }

    /// Predecessors that the entry reaches; one that branches here twice is listed twice.
    pub fn preds(&self, block: Block) -> &[Block] {
        self.preds.of(block)
    }

    /// Successors in the order of the terminator's targets.
    pub fn succs(&self, block: Block) -> &[Block] {
        self.succs.of(block)
    }

    /// Reachable blocks, each before its successors but for back edges.
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }

    /// Position in [`Cfg::rpo`]; `u32::MAX` for unreachable blocks.
    pub fn rpo_index(&self, block: Block) -> u32 {
        self.index[block]
    }

    /// True if the same blocks are reached by the same edges.
    pub fn is_same(&self, other: &Cfg) -> bool {
        self.rpo == other.rpo && self.rpo.iter().all(|&b| self.succs(b) == other.succs(b))
    }

    /// Blocks of the function, reachable or not.
    pub(super) fn block_count(&self) -> usize {
        self.preds.lists.keys().len()
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.index[block] != u32::MAX
    }
}
