//! Graphs of code: order, dominators, post-dominators, loops, strongly connected components.
//!
//! Bytecode, Numba IR, LIR and LLVM's IR have blocks of their own; what is asked about the edges between them is the same.
//! Whoever has a graph describes it ([`FlowGraph`]), or has [`Digraph`] keep its edges, and asks:
//!
//! ```
//! use numbra_graph::{Digraph, Dominators, EntityRef, Loops, Node, PostDominators};
//!
//! // 0 -> 1 -> 2 -> 1, 1 -> 3: a loop of 1 and 2.
//! let succs = [&[1][..], &[2, 3], &[1], &[]];
//! let node = Node::new;
//! let graph = Digraph::new(4, Some(node(0)), (0..4).map(node), |from, out| {
//!     out.extend(succs[from.index()].iter().map(|&to| node(to)));
//! });
//! assert_eq!(graph.order().nodes(), [0, 1, 2, 3].map(node));
//!
//! let doms = Dominators::new(&graph);
//! assert!(doms.dominates(node(1), node(3)) && !doms.dominates(node(2), node(3)));
//! assert_eq!(PostDominators::new(&graph).immediate(node(2)), Some(node(1)));
//!
//! let loops = Loops::new(&graph, &doms);
//! let (_, one) = loops.iter().next().expect("there is one");
//! assert_eq!((one.header, &one.latches[..]), (node(1), &[node(2)][..]));
//! assert_eq!(one.exits(&graph), [node(3)]);
//!
//! // Callees come before their callers; functions that call each other are one component.
//! let groups = numbra_graph::components((0..4).map(node), |from| {
//!     succs[from.index()].iter().map(|&to| node(to)).collect::<Vec<_>>()
//! });
//! assert_eq!(groups, [vec![node(3)], vec![node(1), node(2)], vec![node(0)]]);
//! ```
//!
//! Nodes are entities (`cranelift_entity`), so that facts about them are side tables. A node that the entry does not reach is
//! in no order, dominates nothing and is in no loop. All is iterative: no depth of nesting overflows the stack.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod components;
mod digraph;
mod dominators;
mod loops;
mod order;
mod post_dominators;

pub use components::components;
pub use cranelift_entity::EntityRef;
pub use digraph::Digraph;
pub use dominators::Dominators;
pub use loops::{Loop, LoopId, Loops};
pub use order::Order;
pub use post_dominators::PostDominators;

/// A node of a graph whose owner has no entity of its own for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);
cranelift_entity::entity_impl!(Node, "node");

/// A graph with one entry, as the analyses see it.
pub trait FlowGraph {
    /// What it has edges between.
    type Node: EntityRef + Ord;

    /// More than the greatest index of a node.
    fn node_count(&self) -> usize;

    /// The nodes that the entry reaches, each before its successors but for back edges.
    fn order(&self) -> &Order<Self::Node>;

    /// Where edges lead from a node, one edge after the other.
    fn successors(&self, node: Self::Node) -> impl Iterator<Item = Self::Node>;

    /// Whence edges lead to a node, from nodes that the entry reaches; one that has two is listed twice.
    fn predecessors(&self, node: Self::Node) -> impl Iterator<Item = Self::Node>;
}

/// True if control flow may come to a node again.
pub fn is_cyclic(graph: &impl FlowGraph) -> bool {
    back_edges(graph).next().is_some()
}

/// Edges to a node that stands no later in the order than the one that they come from: without them there is no cycle. Those
/// whose target dominates their source make natural loops.
pub fn back_edges<G: FlowGraph>(graph: &G) -> impl Iterator<Item = (G::Node, G::Node)> {
    let order = graph.order();
    order.nodes().iter().flat_map(move |&from| {
        let targets = graph.successors(from);
        let back = targets.filter(move |&to| order.index(to) <= order.index(from));
        back.map(move |to| (from, to))
    })
}
