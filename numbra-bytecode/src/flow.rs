//! Control flow between numbered blocks, as Numba lists it: dominators, post-dominators, back edges, loops.
//!
//! Blocks are `0..n`, entry 0. The algorithms are those of `numbra_graph`.

use numbra_graph::{Digraph, Dominators, EntityRef, Loops, Node, PostDominators};
use std::collections::{BTreeMap, BTreeSet};

/// A flow graph of numbered blocks.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    /// Its lists of successors are backwards: the depth-first search of the order takes the first successor first.
    graph: Digraph<Node>,
    len: usize,
    /// Blocks from which the function is left.
    exits: Vec<usize>,
    rpo: Vec<usize>,
}

/// A natural loop: a header that dominates the source of a back edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub header: usize,
    /// Blocks outside from which the header is entered.
    pub entries: BTreeSet<usize>,
    /// Blocks outside to which the body leaves.
    pub exits: BTreeSet<usize>,
    /// The header included.
    pub body: BTreeSet<usize>,
}

impl FlowGraph {
    /// The graph of `successors[block]`; order matters only for the order of traversal.
    pub fn new(successors: &[Vec<usize>]) -> FlowGraph {
        let len = successors.len();
        let nodes = (0..len).map(Node::new);
        let entry = (len > 0).then(|| Node::new(0));
        let graph = Digraph::new(len, entry, nodes, |from, out| {
            let mut seen = BTreeSet::new();
            let targets = successors[from.index()].iter().copied();
            let once: Vec<usize> = targets.filter(|&to| to < len && seen.insert(to)).collect();
            out.extend(once.into_iter().rev().map(Node::new));
        });
        let rpo: Vec<usize> = graph.order().nodes().iter().map(|n| n.index()).collect();
        let mut flow = FlowGraph {
            graph,
            len,
            exits: Vec::new(),
            rpo,
        };
        let ends = flow.rpo.iter().copied();
        flow.exits = ends
            .filter(|&b| flow.successors(b).next().is_none())
            .collect();
        flow.exits.sort_unstable();
        flow
    }

    /// Number of blocks, unreachable ones included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there is no block.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Successors without repetition, in the order given.
    pub fn successors(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        let list = self.graph.succs(Node::new(block)).iter().rev();
        list.map(|to| to.index())
    }

    /// Reachable predecessors, ascending.
    pub fn predecessors(&self, block: usize) -> Vec<usize> {
        numbers_of(self.graph.preds(Node::new(block)))
            .into_iter()
            .collect()
    }

    /// True if the entry reaches the block.
    pub fn is_reachable(&self, block: usize) -> bool {
        block < self.len && self.graph.order().is_reachable(Node::new(block))
    }

    /// Reachable blocks without successors, ascending.
    pub fn exits(&self) -> &[usize] {
        &self.exits
    }

    /// Reachable blocks in reverse post-order of a depth-first search that takes successors in order.
    pub fn reverse_postorder(&self) -> &[usize] {
        &self.rpo
    }

    /// The dominator tree.
    pub fn dominator_tree(&self) -> DominatorTree {
        DominatorTree(Dominators::new(&self.graph))
    }

    /// Immediate dominator of each block; `None` for the entry and unreachable blocks.
    pub fn immediate_dominators(&self) -> Vec<Option<usize>> {
        let tree = Dominators::new(&self.graph);
        self.immediate(|block| tree.idom(block))
    }

    /// Immediate post-dominator; `None` where only the virtual exit post-dominates, or no exit is reached.
    pub fn immediate_post_dominators(&self) -> Vec<Option<usize>> {
        let tree = PostDominators::new(&self.graph);
        self.immediate(|block| tree.immediate(block))
    }

    fn immediate(&self, up: impl Fn(Node) -> Option<Node>) -> Vec<Option<usize>> {
        let blocks = (0..self.len).map(Node::new);
        blocks.map(|block| up(block).map(|up| up.index())).collect()
    }

    /// Dominators of each reachable block, itself included. Quadratic: for dumps.
    pub fn dominators(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let tree = Dominators::new(&self.graph);
        self.chains(|block| tree.idom(block))
    }

    /// Post-dominators of each reachable block, itself included. Quadratic: for dumps.
    /// A block that reaches no exit has itself only.
    pub fn post_dominators(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let tree = PostDominators::new(&self.graph);
        self.chains(|block| tree.immediate(block))
    }

    /// For each reachable block, it and all above it.
    fn chains(&self, up: impl Fn(Node) -> Option<Node>) -> BTreeMap<usize, BTreeSet<usize>> {
        let nodes = self.graph.order().nodes().iter();
        let chain = |&node: &Node| {
            let above = std::iter::successors(Some(node), |&node| up(node));
            (node.index(), above.map(|node| node.index()).collect())
        };
        nodes.map(chain).collect()
    }

    /// Edges to a block that is being visited by the depth-first search.
    pub fn back_edges(&self) -> Vec<(usize, usize)> {
        let edges = numbra_graph::back_edges(&self.graph);
        edges.map(|(from, to)| (from.index(), to.index())).collect()
    }

    /// Natural loops by header. Irreducible cycles (whose target does not dominate the source) are no loops.
    pub fn loops(&self) -> BTreeMap<usize, Loop> {
        let loops = Loops::new(&self.graph, &Dominators::new(&self.graph));
        let described = loops.iter().map(|(_, one)| {
            let header = one.header.index();
            let entry = Loop {
                header,
                entries: numbers_of(&one.entries(&self.graph)),
                exits: numbers_of(&one.exits(&self.graph)),
                body: numbers_of(&one.blocks),
            };
            (header, entry)
        });
        described.collect()
    }

    /// Headers of the loops around each reachable block, innermost first.
    pub fn loops_of_blocks(&self, loops: &BTreeMap<usize, Loop>) -> BTreeMap<usize, Vec<usize>> {
        let mut by_size: Vec<&Loop> = loops.values().collect();
        by_size.sort_by_key(|l| (l.body.len(), l.header));
        let mut map: BTreeMap<usize, Vec<usize>> =
            self.rpo.iter().map(|&b| (b, Vec::new())).collect();
        for entry in by_size {
            for block in &entry.body {
                if let Some(list) = map.get_mut(block) {
                    list.push(entry.header);
                }
            }
        }
        map
    }

    /// Blocks that every run that ends passes and that are in no loop body except as header: the entry's
    /// post-dominators.
    pub fn backbone(&self) -> BTreeSet<usize> {
        let tree = PostDominators::new(&self.graph);
        let entry = self.graph.order().nodes().first().copied();
        let chain = std::iter::successors(entry, |&node| tree.immediate(node));
        chain.map(|node| node.index()).collect()
    }
}

fn numbers_of(nodes: &[Node]) -> BTreeSet<usize> {
    nodes.iter().map(|node| node.index()).collect()
}

/// The dominator tree of a [`FlowGraph`], with constant-time queries.
#[derive(Clone, Debug)]
pub struct DominatorTree(Dominators<Node>);

impl DominatorTree {
    /// True if every path from the entry to `b` passes `a`. False if either is unreachable.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        self.0.dominates(Node::new(a), Node::new(b))
    }
}
