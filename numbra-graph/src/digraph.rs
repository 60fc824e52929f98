//! Edges in lists.

use crate::{FlowGraph, Order};
use cranelift_entity::{EntityRef, SecondaryMap};

/// Successors, predecessors and order of the nodes of a graph.
#[derive(Clone, Debug)]
pub struct Digraph<N: EntityRef> {
    succs: Lists<N>,
    preds: Lists<N>,
    order: Order<N>,
}

/// Lists of nodes, one after another: a graph is made often, and its lists are short.
#[derive(Clone, Debug)]
pub(crate) struct Lists<N: EntityRef> {
    all: Vec<N>,
    /// Where the list of a node begins and ends.
    bounds: SecondaryMap<N, (u32, u32)>,
}

impl<N: EntityRef> Lists<N> {
    fn new(node_count: usize) -> Lists<N> {
        let mut bounds = SecondaryMap::new();
        bounds.resize(node_count);
        Lists {
            all: Vec::new(),
            bounds,
        }
    }

    /// For each pair that `pairs` gives `under, node`, the node in the list of `under`, in that order. It is asked twice.
    pub(crate) fn group(
        node_count: usize,
        nodes: &[N],
        pairs: impl Fn(N, &mut dyn FnMut(N, N)),
    ) -> Lists<N> {
        let mut lists = Lists::new(node_count);
        let bounds = &mut lists.bounds;
        for &node in nodes {
            pairs(node, &mut |under, _| bounds[under].1 += 1);
        }
        let mut start = 0;
        for &node in nodes {
            let length = bounds[node].1;
            bounds[node] = (start, start);
            start += length;
        }
        let Some(&filler) = nodes.first() else {
            return lists;
        };
        lists.all.resize(start as usize, filler);
        for &node in nodes {
            pairs(node, &mut |under, node| {
                lists.all[lists.bounds[under].1 as usize] = node;
                lists.bounds[under].1 += 1;
            });
        }
        lists
    }

    pub(crate) fn of(&self, node: N) -> &[N] {
        let (start, end) = self.bounds[node];
        &self.all[start as usize..end as usize]
    }
}

impl<N: EntityRef> Digraph<N> {
    /// The graph with these nodes, whose numbers are below `node_count`; `successors` appends to a list where the edges of a
    /// node lead. Nodes that are not listed have none.
    pub fn new(
        node_count: usize,
        entry: Option<N>,
        nodes: impl IntoIterator<Item = N>,
        mut successors: impl FnMut(N, &mut Vec<N>),
    ) -> Digraph<N> {
        let mut succs = Lists::new(node_count);
        for node in nodes {
            let start = succs.all.len() as u32;
            successors(node, &mut succs.all);
            succs.bounds[node] = (start, succs.all.len() as u32);
        }
        let order = Order::new(node_count, entry, |node| succs.of(node).iter().copied());
        let preds = Lists::group(node_count, order.nodes(), |from, pair| {
            succs.of(from).iter().for_each(|&to| pair(to, from));
        });
        Digraph {
            succs,
            preds,
            order,
        }
    }

    /// Where the edges of a node lead, in the order given.
    pub fn succs(&self, node: N) -> &[N] {
        self.succs.of(node)
    }

    /// Whence edges lead to a node, in reverse post-order, from nodes that the entry reaches; one that has two edges here is
    /// listed twice.
    pub fn preds(&self, node: N) -> &[N] {
        self.preds.of(node)
    }

    /// The nodes that the entry reaches.
    pub fn order(&self) -> &Order<N> {
        &self.order
    }

    /// True if the same nodes are reached by the same edges.
    pub fn is_same(&self, other: &Digraph<N>) -> bool {
        let nodes = self.order.nodes();
        nodes == other.order.nodes() && nodes.iter().all(|&n| self.succs(n) == other.succs(n))
    }
}

impl<N: EntityRef + Ord> FlowGraph for Digraph<N> {
    type Node = N;

    fn node_count(&self) -> usize {
        self.preds.bounds.keys().len()
    }

    fn order(&self) -> &Order<N> {
        &self.order
    }

    fn successors(&self, node: N) -> impl Iterator<Item = N> {
        self.succs(node).iter().copied()
    }

    fn predecessors(&self, node: N) -> impl Iterator<Item = N> {
        self.preds(node).iter().copied()
    }
}
