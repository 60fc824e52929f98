//! Control-flow analyses over any graph of blocks: dominators, post-dominators, back edges, loops.
//!
//! Blocks are `0..n`, entry 0. The same analyses serve the bytecode CFG and Numba IR.

use petgraph::algo::dominators;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// A flow graph. Node weights are the caller's block numbers, edge weights its kinds of edge.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    graph: DiGraph<(), ()>,
    /// Blocks from which the function is left.
    exits: Vec<usize>,
    reachable: Vec<bool>,
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
        let mut graph = DiGraph::with_capacity(successors.len(), successors.len() * 2);
        for _ in successors {
            graph.add_node(());
        }
        for (from, list) in successors.iter().enumerate() {
            let mut seen = BTreeSet::new();
            // petgraph lists the newest edge first.
            for &to in list
                .iter()
                .filter(|&&to| to < successors.len() && seen.insert(to))
                .collect::<Vec<_>>()
                .iter()
                .rev()
            {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(*to), ());
            }
        }
        let mut flow = FlowGraph {
            graph,
            exits: Vec::new(),
            reachable: Vec::new(),
            rpo: Vec::new(),
        };
        flow.rpo = flow.compute_rpo();
        flow.reachable = vec![false; flow.len()];
        for &block in &flow.rpo {
            flow.reachable[block] = true;
        }
        flow.exits = flow
            .rpo
            .iter()
            .copied()
            .filter(|&b| flow.successors(b).next().is_none())
            .collect();
        flow.exits.sort_unstable();
        flow
    }

    /// Number of blocks, unreachable ones included.
    pub fn len(&self) -> usize {
        self.graph.node_count()
    }

    /// True if there is no block.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Successors without repetition, in the order given.
    pub fn successors(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        self.graph
            .neighbors(NodeIndex::new(block))
            .map(NodeIndex::index)
    }

    /// Reachable predecessors, ascending.
    pub fn predecessors(&self, block: usize) -> Vec<usize> {
        let incoming = self
            .graph
            .neighbors_directed(NodeIndex::new(block), petgraph::Direction::Incoming);
        let mut list: Vec<usize> = incoming
            .map(NodeIndex::index)
            .filter(|&b| self.reachable[b])
            .collect();
        list.sort_unstable();
        list
    }

    /// True if the entry reaches the block.
    pub fn is_reachable(&self, block: usize) -> bool {
        self.reachable.get(block).copied().unwrap_or(false)
    }

    /// Reachable blocks without successors, ascending.
    pub fn exits(&self) -> &[usize] {
        &self.exits
    }

    /// Reachable blocks in reverse post-order of a depth-first search that takes successors in order.
    pub fn reverse_postorder(&self) -> &[usize] {
        &self.rpo
    }

    fn compute_rpo(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.len());
        if self.is_empty() {
            return order;
        }
        let mut seen = vec![false; self.len()];
        seen[0] = true;
        let mut stack = vec![(0, self.successors(0).collect::<Vec<_>>().into_iter())];
        while let Some((block, rest)) = stack.last_mut() {
            match rest.next() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, self.successors(next).collect::<Vec<_>>().into_iter()));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Immediate dominator of each block; `None` for the entry and unreachable blocks.
    pub fn immediate_dominators(&self) -> Vec<Option<usize>> {
        if self.is_empty() {
            return Vec::new();
        }
        let tree = dominators::simple_fast(&self.graph, NodeIndex::new(0));
        (0..self.len())
            .map(|b| {
                tree.immediate_dominator(NodeIndex::new(b))
                    .map(NodeIndex::index)
            })
            .collect()
    }

    /// Immediate post-dominator; `None` where only the virtual exit post-dominates, or no exit is reached.
    pub fn immediate_post_dominators(&self) -> Vec<Option<usize>> {
        let n = self.len();
        let mut reversed: DiGraph<(), ()> =
            DiGraph::with_capacity(n + 1, self.graph.edge_count() + 1);
        for _ in 0..=n {
            reversed.add_node(());
        }
        for &block in &self.rpo {
            for next in self.successors(block) {
                reversed.add_edge(NodeIndex::new(next), NodeIndex::new(block), ());
            }
        }
        for &exit in &self.exits {
            reversed.add_edge(NodeIndex::new(n), NodeIndex::new(exit), ());
        }
        let tree = dominators::simple_fast(&reversed, NodeIndex::new(n));
        let immediate = |b: usize| {
            tree.immediate_dominator(NodeIndex::new(b))
                .map(NodeIndex::index)
        };
        (0..n).map(|b| immediate(b).filter(|&d| d != n)).collect()
    }

    /// Dominators of each reachable block, itself included. Quadratic: for dumps.
    pub fn dominators(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        chains(&self.rpo, &self.immediate_dominators())
    }

    /// Post-dominators of each reachable block, itself included. Quadratic: for dumps.
    /// A block that reaches no exit has itself only.
    pub fn post_dominators(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        chains(&self.rpo, &self.immediate_post_dominators())
    }

    /// Edges to a block that is being visited by the depth-first search, in order of discovery.
    pub fn back_edges(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        if self.is_empty() {
            return edges;
        }
        let (mut seen, mut on_stack) = (vec![false; self.len()], vec![false; self.len()]);
        let mut stack = vec![(0, self.successors(0).collect::<Vec<_>>().into_iter())];
        (seen[0], on_stack[0]) = (true, true);
        while let Some((block, rest)) = stack.last_mut() {
            let block = *block;
            match rest.next() {
                Some(next) if on_stack[next] => edges.push((block, next)),
                Some(next) if !seen[next] => {
                    (seen[next], on_stack[next]) = (true, true);
                    stack.push((next, self.successors(next).collect::<Vec<_>>().into_iter()));
                }
                Some(_) => {}
                None => {
                    on_stack[block] = false;
                    stack.pop();
                }
            }
        }
        edges
    }

    /// Natural loops by header. Irreducible cycles (whose target does not dominate the source) are no loops.
    pub fn loops(&self) -> BTreeMap<usize, Loop> {
        let idoms = self.immediate_dominators();
        let dominated_by = DominatorTree::new(&idoms, &self.rpo);
        let mut loops: BTreeMap<usize, Loop> = BTreeMap::new();
        for (source, header) in self.back_edges() {
            if !dominated_by.dominates(header, source) {
                continue;
            }
            let entry = loops.entry(header).or_insert_with(|| Loop {
                header,
                entries: BTreeSet::new(),
                exits: BTreeSet::new(),
                body: BTreeSet::from([header]),
            });
            let mut work = vec![source];
            while let Some(block) = work.pop() {
                if entry.body.insert(block) {
                    work.extend(self.predecessors(block));
                }
            }
        }
        for entry in loops.values_mut() {
            entry.entries = self
                .predecessors(entry.header)
                .into_iter()
                .filter(|b| !entry.body.contains(b))
                .collect();
            entry.exits = entry
                .body
                .iter()
                .flat_map(|&b| self.successors(b))
                .filter(|b| !entry.body.contains(b))
                .collect();
        }
        loops
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
        let ipdoms = self.immediate_post_dominators();
        let mut set = BTreeSet::new();
        let mut at = (!self.is_empty()).then_some(0);
        while let Some(block) = at {
            set.insert(block);
            at = ipdoms[block];
        }
        set
    }
}

/// Constant-time dominance queries by interval numbers of the dominator tree.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    /// Entry and exit time of a walk over the tree; `(1, 0)` where unreachable.
    times: Vec<(u32, u32)>,
}

impl DominatorTree {
    /// From immediate dominators and a reverse post-order.
    pub fn new(idoms: &[Option<usize>], rpo: &[usize]) -> DominatorTree {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); idoms.len()];
        for &block in rpo {
            if let Some(parent) = idoms[block] {
                children[parent].push(block);
            }
        }
        let mut times = vec![(1, 0); idoms.len()];
        let mut clock = 0;
        let mut stack: Vec<(usize, usize)> =
            rpo.first().map(|&root| (root, 0)).into_iter().collect();
        while let Some((block, next)) = stack.last_mut() {
            if *next == 0 {
                times[*block] = (clock, clock);
                clock += 1;
            }
            match children[*block].get(*next) {
                Some(&child) => {
                    *next += 1;
                    stack.push((child, 0));
                }
                None => {
                    times[*block].1 = clock;
                    clock += 1;
                    stack.pop();
                }
            }
        }
        DominatorTree { times }
    }

    /// True if every path from the entry to `b` passes `a`. False if either is unreachable.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        let ((a_in, a_out), (b_in, b_out)) = (self.times[a], self.times[b]);
        b_in <= b_out && a_in <= b_in && b_out <= a_out
    }
}

fn chains(rpo: &[usize], parents: &[Option<usize>]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut map = BTreeMap::new();
    for &block in rpo {
        let mut set = BTreeSet::new();
        let mut at = Some(block);
        while let Some(b) = at {
            set.insert(b);
            at = parents[b];
        }
        map.insert(block, set);
    }
    map
}
