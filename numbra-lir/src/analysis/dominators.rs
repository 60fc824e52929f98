//! Dominator tree.

use super::Cfg;
use super::cfg::Edges;
use crate::Block;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use std::collections::BinaryHeap;

/// Immediate dominators with constant-time queries. Unreachable blocks have none and dominate nothing.
///
/// Cooper, Harvey, Kennedy 2001, "A simple, fast dominance algorithm".
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: SecondaryMap<Block, PackedOption<Block>>,
    children: Edges,
    /// Entry and exit times of a walk over the tree; 0 for unreachable blocks.
    enter: SecondaryMap<Block, u32>,
    exit: SecondaryMap<Block, u32>,
    preorder: Vec<Block>,
}

impl Dominators {
    pub fn new(cfg: &Cfg) -> Dominators {
        let mut out = Dominators {
            idom: SecondaryMap::new(),
            children: Edges::default(),
            enter: SecondaryMap::new(),
            exit: SecondaryMap::new(),
            preorder: Vec::with_capacity(cfg.rpo().len()),
        };
        let blocks = cfg.block_count();
        out.idom.resize(blocks);
        out.enter.resize(blocks);
        out.exit.resize(blocks);
        let Some(&entry) = cfg.rpo().first() else {
            return out;
        };
        out.idom[entry] = entry.into();
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &cfg.rpo()[1..] {
                let idom = out.common(cfg, cfg.preds(block));
                if out.idom[block].expand() != idom {
                    out.idom[block] = idom.into();
                    changed = true;
                }
            }
        }
        out.idom[entry] = None.into();
        out.children = Edges::group(cfg.rpo(), blocks, |block| out.idom[block].expand());
        let mut clock = 1;
        out.enter[entry] = clock;
        out.preorder.push(entry);
        let mut stack = vec![(entry, 0)];
        while let Some((block, next)) = stack.last_mut() {
            clock += 1;
            match out.children.of(*block).get(*next).copied() {
                Some(child) => {
                    *next += 1;
                    out.enter[child] = clock;
                    out.preorder.push(child);
                    stack.push((child, 0));
                }
                None => {
                    out.exit[*block] = clock;
                    stack.pop();
                }
            }
        }
        out
    }

    /// The nearest block that dominates all of `blocks` whose dominators are known so far.
    ///
    /// The block that is furthest from the entry gives way to its dominator until one is left, so that a join of many
    /// branches walks each path up the tree once.
    fn common(&self, cfg: &Cfg, blocks: &[Block]) -> Option<Block> {
        let known = blocks.iter().copied().filter(|b| self.idom[*b].is_some());
        if let [_, _] | [_] = blocks {
            return known.reduce(|a, b| self.intersect(cfg, a, b));
        }
        let mut open: BinaryHeap<(u32, Block)> = known.map(|b| (cfg.rpo_index(b), b)).collect();
        while let Some((_, furthest)) = open.pop() {
            while open.peek().is_some_and(|(_, other)| *other == furthest) {
                open.pop();
            }
            match self.idom[furthest].expand() {
                Some(up) if !open.is_empty() => open.push((cfg.rpo_index(up), up)),
                Some(_) | None => return Some(furthest),
            }
        }
        None
    }

    /// The nearest block that dominates both.
    pub fn intersect(&self, cfg: &Cfg, mut a: Block, mut b: Block) -> Block {
        while a != b {
            while cfg.rpo_index(a) > cfg.rpo_index(b) {
                match self.idom[a].expand() {
                    Some(up) => a = up,
                    None => return b,
                }
            }
            while cfg.rpo_index(b) > cfg.rpo_index(a) {
                match self.idom[b].expand() {
                    Some(up) => b = up,
                    None => return a,
                }
            }
        }
        a
    }

    /// The immediate dominator; `None` for the entry and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block].expand()
    }

    /// Blocks immediately dominated, in reverse post-order.
    pub fn children(&self, block: Block) -> &[Block] {
        self.children.of(block)
    }

    /// Reachable blocks, each after its immediate dominator.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// The one block from which a block is entered, but for back edges to it. What the branch there has decided about
    /// values holds in the block: they do not change before that branch runs again.
    pub fn entering(&self, cfg: &Cfg, block: Block) -> Option<Block> {
        let mut from = None;
        for &pred in cfg.preds(block) {
            if self.dominates(block, pred) {
                continue;
            }
            // One that branches here twice is listed twice, and decides nothing.
            if from.replace(pred).is_some() {
                return None;
            }
        }
        from
    }

    /// True if every path from the entry to `b` passes `a`; a block dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.enter[a] != 0
            && self.enter[b] != 0
            && self.enter[a] <= self.enter[b]
            && self.exit[b] <= self.exit[a]
    }
}
