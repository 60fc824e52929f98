//! Dominator tree.

use crate::FlowGraph;
use crate::digraph::Lists;
use cranelift_entity::packed_option::{PackedOption, ReservedValue};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::collections::BinaryHeap;

/// Immediate dominators with constant-time queries. Nodes that the entry does not reach have none and dominate nothing.
///
/// Cooper, Harvey, Kennedy 2001, "A simple, fast dominance algorithm".
#[derive(Clone, Debug)]
pub struct Dominators<N: EntityRef + ReservedValue> {
    idom: SecondaryMap<N, PackedOption<N>>,
    children: Lists<N>,
    /// Entry and exit times of a walk over the tree; 0 for nodes that the entry does not reach.
    times: SecondaryMap<N, (u32, u32)>,
    preorder: Vec<N>,
}

impl<N: EntityRef + ReservedValue + Ord> Dominators<N> {
    /// The tree of a graph. Near linear for graphs of programs.
    pub fn new(graph: &impl FlowGraph<Node = N>) -> Dominators<N> {
        let (count, nodes) = (graph.node_count(), graph.order().nodes());
        let mut idom: SecondaryMap<N, PackedOption<N>> = SecondaryMap::new();
        idom.resize(count);
        if let Some(&entry) = nodes.first() {
            idom[entry] = entry.into();
            let mut changed = true;
            while changed {
                changed = false;
                for &node in &nodes[1..] {
                    let found = common(graph, &idom, node).into();
                    changed |= idom[node] != found;
                    idom[node] = found;
                }
            }
            idom[entry] = None.into();
        }
        let children = Lists::group(count, nodes, |node, pair| {
            if let Some(up) = idom[node].expand() {
                pair(up, node);
            }
        });
        let mut out = Dominators {
            idom,
            children,
            times: SecondaryMap::new(),
            preorder: Vec::with_capacity(nodes.len()),
        };
        out.times.resize(count);
        out.walk(nodes.first().copied());
        out
    }

    fn walk(&mut self, entry: Option<N>) {
        let mut clock = 1;
        let mut stack = Vec::new();
        let mut enter = |times: &mut SecondaryMap<N, (u32, u32)>, node, clock| {
            times[node].0 = clock;
            self.preorder.push(node);
        };
        if let Some(entry) = entry {
            enter(&mut self.times, entry, clock);
            stack.push((entry, 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            clock += 1;
            match self.children.of(*node).get(*next).copied() {
                Some(child) => {
                    *next += 1;
                    enter(&mut self.times, child, clock);
                    stack.push((child, 0));
                }
                None => {
                    self.times[*node].1 = clock;
                    stack.pop();
                }
            }
        }
    }

    /// The nearest node that dominates both.
    pub fn intersect(&self, graph: &impl FlowGraph<Node = N>, a: N, b: N) -> N {
        intersect(graph, &self.idom, a, b)
    }

    /// The immediate dominator; `None` for the entry and what it does not reach.
    pub fn idom(&self, node: N) -> Option<N> {
        self.idom[node].expand()
    }

    /// Nodes immediately dominated, in reverse post-order.
    pub fn children(&self, node: N) -> &[N] {
        self.children.of(node)
    }

    /// The nodes that the entry reaches, each after its immediate dominator.
    pub fn preorder(&self) -> &[N] {
        &self.preorder
    }

    /// The one node from which a node is entered, but for back edges to it. What a branch there has decided about values holds
    /// here: they do not change before that branch runs again.
    pub fn entering(&self, graph: &impl FlowGraph<Node = N>, node: N) -> Option<N> {
        let mut from = None;
        for pred in graph.predecessors(node) {
            if self.dominates(node, pred) {
                continue;
            }
            // One that branches here twice is listed twice, and decides nothing.
            if from.replace(pred).is_some() {
                return None;
            }
        }
        from
    }

    /// True if every path from the entry to `b` passes `a`; a node dominates itself.
    pub fn dominates(&self, a: N, b: N) -> bool {
        let ((a_in, a_out), (b_in, b_out)) = (self.times[a], self.times[b]);
        a_in != 0 && b_in != 0 && a_in <= b_in && b_out <= a_out
    }

    /// Dominance frontiers: for each node the joins where its dominance ends, in reverse post-order.
    pub fn frontiers(&self, graph: &impl FlowGraph<Node = N>) -> SecondaryMap<N, Vec<N>> {
        let mut frontiers: SecondaryMap<N, Vec<N>> = SecondaryMap::new();
        for &node in graph.order().nodes() {
            let idom = self.idom(node);
            // The entry's implicit edge from outside makes it a join as soon as anything branches to it.
            if idom.is_some() && graph.predecessors(node).nth(1).is_none() {
                continue;
            }
            for pred in graph.predecessors(node) {
                let mut runner = Some(pred);
                while let Some(at) = runner
                    && runner != idom
                {
                    if frontiers[at].last() != Some(&node) {
                        frontiers[at].push(node);
                    }
                    runner = self.idom(at);
                }
            }
        }
        frontiers
    }
}

/// The nearest node that dominates all predecessors of a node whose dominators are known so far.
///
/// Of more than two, the one that is furthest from the entry gives way to its dominator until one is left, so that a join of
/// many branches walks each path up the tree once.
fn common<N: EntityRef + ReservedValue + Ord>(
    graph: &impl FlowGraph<Node = N>,
    idom: &SecondaryMap<N, PackedOption<N>>,
    node: N,
) -> Option<N> {
    let known = || graph.predecessors(node).filter(|&p| idom[p].is_some());
    if graph.predecessors(node).nth(2).is_none() {
        return known().reduce(|a, b| intersect(graph, idom, a, b));
    }
    let order = graph.order();
    let mut open: BinaryHeap<(u32, N)> = known().map(|n| (order.index(n), n)).collect();
    while let Some((_, furthest)) = open.pop() {
        while open.peek().is_some_and(|(_, other)| *other == furthest) {
            open.pop();
        }
        match idom[furthest].expand() {
            Some(up) if !open.is_empty() => open.push((order.index(up), up)),
            Some(_) | None => return Some(furthest),
        }
    }
    None
}

fn intersect<N: EntityRef + ReservedValue>(
    graph: &impl FlowGraph<Node = N>,
    idom: &SecondaryMap<N, PackedOption<N>>,
    mut a: N,
    mut b: N,
) -> N {
    let order = graph.order();
    while a != b {
        while order.index(a) > order.index(b) {
            match idom[a].expand() {
                Some(up) => a = up,
                None => return b,
            }
        }
        while order.index(b) > order.index(a) {
            match idom[b].expand() {
                Some(up) => b = up,
                None => return a,
            }
        }
    }
    a
}
