//! Post-dominator tree.

use crate::{Digraph, Dominators, FlowGraph, Node};
use cranelift_entity::EntityRef;
use std::marker::PhantomData;

/// Immediate post-dominators: the dominators of the graph with all edges turned round and one more node, the exit, behind all
/// that have no successors. A node from which no such node is reached has none and post-dominates nothing but itself.
#[derive(Clone, Debug)]
pub struct PostDominators<N> {
    tree: Dominators<Node>,
    exit: Node,
    nodes: PhantomData<N>,
}

impl<N: EntityRef + Ord> PostDominators<N> {
    /// The tree of what the entry reaches.
    pub fn new(graph: &impl FlowGraph<Node = N>) -> PostDominators<N> {
        let count = graph.node_count();
        let exit = Node::new(count);
        let order = graph.order();
        let all = || order.nodes().iter().copied();
        let ends = all().filter(|&node| graph.successors(node).next().is_none());
        let ends: Vec<Node> = ends.map(|node| Node::new(node.index())).collect();
        let nodes = all().map(|node| Node::new(node.index()));
        let turned = Digraph::new(
            count + 1,
            Some(exit),
            nodes.chain([exit]),
            |node, out| match node == exit {
                true => out.extend_from_slice(&ends),
                false => out.extend(
                    graph
                        .predecessors(N::new(node.index()))
                        .map(|pred| Node::new(pred.index())),
                ),
            },
        );
        PostDominators {
            tree: Dominators::new(&turned),
            exit,
            nodes: PhantomData,
        }
    }

    /// The nearest other node that every path from here to an end passes; `None` where there is none, or no end is reached.
    pub fn immediate(&self, node: N) -> Option<N> {
        let found = self.tree.idom(Node::new(node.index()))?;
        (found != self.exit).then(|| N::new(found.index()))
    }

    /// True if every path from `b` to an end passes `a`, and there is one; a node post-dominates itself.
    pub fn post_dominates(&self, a: N, b: N) -> bool {
        a == b || {
            let [a, b] = [a, b].map(|node| Node::new(node.index()));
            self.tree.dominates(a, b)
        }
    }
}
