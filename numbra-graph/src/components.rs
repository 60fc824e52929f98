//! Strongly connected components.

use cranelift_entity::packed_option::{PackedOption, ReservedValue};
use cranelift_entity::{EntityRef, SecondaryMap};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;

/// Nodes that reach each other, in order of their numbers; each component after those that it leads to, and else as a
/// depth-first walk that takes nodes and successors in order comes to its end. Edges to nodes that are not listed do not count.
///
/// Of petgraph's two algorithms this uses the one that needs no recursion.
pub fn components<N: EntityRef + ReservedValue + Ord, I: IntoIterator<Item = N>>(
    nodes: impl IntoIterator<Item = N>,
    mut successors: impl FnMut(N) -> I,
) -> Vec<Vec<N>> {
    let mut graph: DiGraph<N, ()> = DiGraph::new();
    let mut number: SecondaryMap<N, PackedOption<Position>> = SecondaryMap::new();
    for node in nodes {
        number[node] = Position(graph.add_node(node).index() as u32).into();
    }
    let index = |at: Position| NodeIndex::new(at.0 as usize);
    for from in graph.node_indices() {
        for to in successors(graph[from]) {
            if let Some(to) = number[to].expand() {
                graph.add_edge(from, index(to), ());
            }
        }
    }
    let ends = ends(&graph);
    let mut groups = kosaraju_scc(&graph);
    groups.sort_by_cached_key(|group| group.iter().map(|at| ends[at.index()]).max());
    let groups = groups.into_iter().map(|group| {
        let mut group: Vec<N> = group.into_iter().map(|at| graph[at]).collect();
        group.sort_unstable();
        group
    });
    groups.collect()
}

/// When a depth-first walk leaves each node. A component is left when the first of its nodes is to which the walk came: after
/// all that it leads to.
fn ends<N>(graph: &DiGraph<N, ()>) -> Vec<u32> {
    let mut ends = vec![0; graph.node_count()];
    let mut clock = 0..;
    let mut walk = DfsPostOrder::empty(graph);
    for root in graph.node_indices() {
        walk.move_to(root);
        while let Some(node) = walk.next(graph) {
            ends[node.index()] = clock.next().unwrap_or(u32::MAX);
        }
    }
    ends
}

/// Number of a node in petgraph's graph.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Position(u32);
cranelift_entity::entity_impl!(Position);
