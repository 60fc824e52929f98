//! Natural loops and their nesting.

use crate::{Dominators, FlowGraph};
use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

/// A natural loop of one graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// The blocks that reach a back edge to `header` without passing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop<N> {
    /// The one block by which the loop is entered.
    pub header: N,
    /// The loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for outermost loops.
    pub depth: u32,
    /// Sources of back edges, each once.
    pub latches: Vec<N>,
    /// All blocks, those of inner loops included, the header first.
    pub blocks: Vec<N>,
}

impl<N: EntityRef + Ord> Loop<N> {
    /// The loop of a block that leads to itself, seen alone.
    pub fn of_block(block: N) -> Loop<N> {
        Loop {
            header: block,
            parent: None,
            depth: 1,
            latches: vec![block],
            blocks: vec![block],
        }
    }

    /// Whether a block is in the loop or in one inside it.
    pub fn contains(&self, block: N) -> bool {
        self.blocks.contains(&block)
    }

    /// Blocks outside from which the header is entered, each as often as it branches there.
    pub fn entries(&self, graph: &impl FlowGraph<Node = N>) -> Vec<N> {
        let preds = graph.predecessors(self.header);
        preds.filter(|&pred| !self.contains(pred)).collect()
    }

    /// Blocks outside to which the loop branches, each once.
    pub fn exits(&self, graph: &impl FlowGraph<Node = N>) -> Vec<N> {
        let mut exits = Vec::new();
        for &block in &self.blocks {
            for to in graph.successors(block) {
                if !self.contains(to) && !exits.contains(&to) {
                    exits.push(to);
                }
            }
        }
        exits
    }
}

/// The loop forest. Cycles that no header dominates are no loops.
#[derive(Clone, Debug)]
pub struct Loops<N: EntityRef> {
    loops: PrimaryMap<LoopId, Loop<N>>,
    innermost: SecondaryMap<N, Option<LoopId>>,
}

impl<N: EntityRef + ReservedValue + Ord> Loops<N> {
    /// Finds loops by their back edges.
    pub fn new(graph: &impl FlowGraph<Node = N>, doms: &Dominators<N>) -> Loops<N> {
        let mut out = Loops {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
        };
        // Outer headers come first in reverse post-order, so an inner loop overwrites `innermost` of its blocks.
        for &header in graph.order().nodes() {
            let mut latches: Vec<N> = Vec::new();
            for pred in graph.predecessors(header) {
                if doms.dominates(header, pred) && !latches.contains(&pred) {
                    latches.push(pred);
                }
            }
            if latches.is_empty() {
                continue;
            }
            let parent = out.innermost[header];
            let depth = parent.map_or(0, |p| out.loops[p].depth) + 1;
            let id = out.loops.next_key();
            let mut blocks = vec![header];
            out.innermost[header] = Some(id);
            let mut work = latches.clone();
            while let Some(block) = work.pop() {
                if out.innermost[block] == Some(id) {
                    continue;
                }
                out.innermost[block] = Some(id);
                blocks.push(block);
                work.extend(graph.predecessors(block));
            }
            out.loops.push(Loop {
                header,
                parent,
                depth,
                latches,
                blocks,
            });
        }
        out
    }

    /// Loops, each after the one that holds it.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (LoopId, &Loop<N>)> {
        self.loops.iter()
    }

    /// What is known of a loop.
    pub fn get(&self, id: LoopId) -> &Loop<N> {
        &self.loops[id]
    }

    /// Loops that hold no others.
    pub fn iter_innermost(&self) -> impl Iterator<Item = (LoopId, &Loop<N>)> {
        let mut outer: SecondaryMap<LoopId, bool> = SecondaryMap::new();
        for parent in self.loops.values().filter_map(|one| one.parent) {
            outer[parent] = true;
        }
        self.loops.iter().filter(move |(id, _)| !outer[*id])
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: N) -> Option<LoopId> {
        self.innermost[block]
    }

    /// How many loops are around a block.
    pub fn depth(&self, block: N) -> u32 {
        self.innermost[block].map_or(0, |id| self.loops[id].depth)
    }

    /// True if the loop, or one inside it, holds the block.
    pub fn contains(&self, id: LoopId, block: N) -> bool {
        let mut at = self.innermost[block];
        while let Some(found) = at {
            if found == id {
                return true;
            }
            at = self.loops[found].parent;
        }
        false
    }
}
