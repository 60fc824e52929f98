//! Dominators and dominance frontiers.

use super::Cfg;
use crate::{Block, SecondaryMap};

/// The dominator tree over all edges, exceptional ones included.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: SecondaryMap<Block, Option<Block>>,
    children: SecondaryMap<Block, Vec<Block>>,
    /// Interval of a depth-first walk of the tree: `a` dominates `b` if it contains it.
    interval: SecondaryMap<Block, (u32, u32)>,
}

impl Dominators {
    /// Cooper, Harvey and Kennedy 2001, "A Simple, Fast Dominance Algorithm".
    pub fn new(cfg: &Cfg) -> Dominators {
        let mut idom: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        let mut changed = cfg.entry().is_some();
        if let Some(entry) = cfg.entry() {
            idom[entry] = Some(entry);
        }
        while changed {
            changed = false;
            for &block in cfg.rpo().iter().skip(1) {
                let new = cfg
                    .all_preds(block)
                    .filter(|p| idom[*p].is_some())
                    .reduce(|a, b| intersect(cfg, &idom, a, b));
                if idom[block] != new {
                    idom[block] = new;
                    changed = true;
                }
            }
        }
        let mut children: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &block in cfg.rpo().iter().skip(1) {
            if let Some(parent) = idom[block] {
                children[parent].push(block);
            }
        }
        if let Some(entry) = cfg.entry() {
            idom[entry] = None;
        }
        let mut dominators = Dominators {
            idom,
            children,
            interval: SecondaryMap::new(),
        };
        dominators.number(cfg);
        dominators
    }

    fn number(&mut self, cfg: &Cfg) {
        let mut clock = 0;
        let mut stack: Vec<(Block, usize)> = cfg.entry().map(|b| (b, 0)).into_iter().collect();
        while let Some((block, next)) = stack.last_mut() {
            if *next == 0 {
                clock += 1;
                self.interval[*block].0 = clock;
            }
            match self.children[*block].get(*next) {
                Some(&child) => {
                    *next += 1;
                    stack.push((child, 0));
                }
                None => {
                    clock += 1;
                    self.interval[*block].1 = clock;
                    stack.pop();
                }
            }
        }
    }

    /// The closest strict dominator; `None` for the entry and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block]
    }

    /// Blocks whose immediate dominator this is, in reverse post-order.
    pub fn children(&self, block: Block) -> &[Block] {
        &self.children[block]
    }

    /// Does every path to `b` pass through `a`? A block dominates itself. False for unreachable blocks.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let ((a0, a1), (b0, b1)) = (self.interval[a], self.interval[b]);
        a0 != 0 && b0 != 0 && a0 <= b0 && b1 <= a1
    }

    /// Dominance frontiers: for each block, the joins where its dominance ends.
    pub fn frontiers(&self, cfg: &Cfg) -> SecondaryMap<Block, Vec<Block>> {
        let mut frontiers: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            let preds: Vec<Block> = cfg
                .all_preds(block)
                .filter(|p| cfg.is_reachable(*p))
                .collect();
            // The entry's implicit edge from outside makes it a join as soon as anything branches to it.
            if preds.len() < 2 && self.idom[block].is_some() {
                continue;
            }
            for pred in preds {
                let mut runner = Some(pred);
                while let Some(at) = runner
                    && runner != self.idom[block]
                {
                    if frontiers[at].last() != Some(&block) {
                        frontiers[at].push(block);
                    }
                    runner = self.idom[at];
                }
            }
        }
        frontiers
    }
}

fn intersect(
    cfg: &Cfg,
    idom: &SecondaryMap<Block, Option<Block>>,
    mut a: Block,
    mut b: Block,
) -> Block {
    while a != b {
        while cfg.rpo_index(a) > cfg.rpo_index(b) {
            a = idom[a].unwrap_or(a);
        }
        while cfg.rpo_index(b) > cfg.rpo_index(a) {
            b = idom[b].unwrap_or(b);
        }
    }
    a
}
