//! Natural loops and their nesting.

use super::{Cfg, Dominators};
use crate::{Block, EntityRef, PrimaryMap, SecondaryMap};
use cranelift_entity::entity_impl;

/// A natural loop of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A natural loop: the blocks that reach a back edge without leaving through the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The one block that is entered from outside.
    pub header: Block,
    /// All blocks, in reverse post-order; the header is first.
    pub body: Vec<Block>,
    /// Sources of back edges.
    pub latches: Vec<Block>,
    /// Blocks outside that branch to the header.
    pub entries: Vec<Block>,
    /// Blocks outside that the body branches to.
    pub exits: Vec<Block>,
    /// The loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for outermost loops.
    pub depth: u32,
}

/// The loops of a function, outer ones before inner ones.
#[derive(Clone, Debug)]
pub struct Loops {
    /// All loops.
    pub loops: PrimaryMap<LoopId, Loop>,
    innermost: SecondaryMap<Block, Option<LoopId>>,
}

impl Loops {
    /// Finds loops by their back edges. Irreducible cycles have no header and are not listed.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut found = Loops {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
        };
        // Headers in reverse post-order: outer loops come first.
        for &header in cfg.rpo() {
            let latches: Vec<Block> = cfg
                .all_preds(header)
                .filter(|p| dominators.dominates(header, *p))
                .collect();
            if !latches.is_empty() {
                found.add(cfg, header, latches);
            }
        }
        found
    }

    fn add(&mut self, cfg: &Cfg, header: Block, latches: Vec<Block>) {
        let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
        inside[header] = true;
        let mut body = vec![header];
        let mut work = latches.clone();
        while let Some(block) = work.pop() {
            if !inside[block] {
                inside[block] = true;
                body.push(block);
                work.extend(cfg.all_preds(block).filter(|p| cfg.is_reachable(*p)));
            }
        }
        body.sort_by_key(|b| cfg.rpo_index(*b));
        let entries = cfg
            .all_preds(header)
            .filter(|p| !inside[*p] && cfg.is_reachable(*p))
            .collect();
        let mut exits = Vec::new();
        for &block in &body {
            for succ in cfg.all_succs(block) {
                if !inside[succ] && !exits.contains(&succ) {
                    exits.push(succ);
                }
            }
        }
        let parent = self.innermost[header];
        let id = LoopId::new(self.loops.len());
        for &block in &body {
            self.innermost[block] = Some(id);
        }
        self.loops.push(Loop {
            header,
            body,
            latches,
            entries,
            exits,
            parent,
            depth: parent.map_or(1, |p| self.loops[p].depth + 1),
        });
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost[block]
    }

    /// How many loops are around a block.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost[block].map_or(0, |l| self.loops[l].depth)
    }
}
