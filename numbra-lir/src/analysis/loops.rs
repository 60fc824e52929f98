//! Natural loops.

use super::{Cfg, Dominators, callees};
use crate::{Block, Func, FuncRef, Module, Value};
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// A natural loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// Blocks that reach a back edge to `header` without passing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub header: Block,
    pub parent: Option<LoopId>,
    /// 1 for outermost loops.
    pub depth: u32,
    /// Sources of back edges.
    pub latches: Vec<Block>,
    /// All blocks, those of inner loops included, the header first.
    pub blocks: Vec<Block>,
}

impl Loop {
    /// Whether the loop defines a value.
    pub fn defines(&self, func: &Func, value: Value) -> bool {
        func.def_block(value)
            .is_some_and(|block| self.blocks.contains(&block))
    }
}

/// The loop forest. Cycles that their header does not dominate are not loops.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: PrimaryMap<LoopId, Loop>,
    innermost: SecondaryMap<Block, Option<LoopId>>,
}

/// True if one call of a function of the module may run code many times: loops, recursion.
pub fn has_repetition(module: &Module) -> bool {
    let bodies = || module.functions.values().filter_map(|f| f.body.as_ref());
    bodies().any(has_loop) || is_recursive(module)
}

/// True if control flow may come to a block again.
pub fn has_loop(body: &Func) -> bool {
    let cfg = Cfg::new(body);
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    cfg.rpo().iter().any(|&block| {
        seen[block] = true;
        cfg.succs(block).iter().any(|&next| seen[next])
    })
}

/// True if a function may call itself, directly or through others.
fn is_recursive(module: &Module) -> bool {
    // Functions that call none but settled ones are settled; a cycle never is.
    let mut settled: SecondaryMap<FuncRef, bool> = SecondaryMap::new();
    let mut left: Vec<(FuncRef, Vec<FuncRef>)> = module
        .functions
        .iter()
        .map(|(func, decl)| {
            (
                func,
                decl.body
                    .as_ref()
                    .map_or_else(Vec::new, |body| callees(body).collect()),
            )
        })
        .collect();
    loop {
        let before = left.len();
        left.retain(|(func, callees)| {
            settled[*func] = callees.iter().all(|callee| settled[*callee]);
            !settled[*func]
        });
        if left.len() == before {
            return !left.is_empty();
        }
    }
}

impl Loops {
    pub fn new(cfg: &Cfg, doms: &Dominators) -> Loops {
        let mut out = Loops {
            loops: PrimaryMap::new(),
            innermost: SecondaryMap::new(),
        };
        // Outer headers come first in reverse post-order, so an inner loop overwrites `innermost` of its blocks.
        for &header in cfg.rpo() {
            let mut latches: Vec<Block> = Vec::new();
            for &pred in cfg.preds(header) {
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
                work.extend_from_slice(cfg.preds(block));
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
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// Loops that hold no others.
    pub fn iter_innermost(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        let mut outer: SecondaryMap<LoopId, bool> = SecondaryMap::new();
        for parent in self.loops.values().filter_map(|one| one.parent) {
            outer[parent] = true;
        }
        self.loops.iter().filter(move |(id, _)| !outer[*id])
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost[block]
    }

    /// True if the loop, or one inside it, holds the block.
    pub fn contains(&self, id: LoopId, block: Block) -> bool {
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
