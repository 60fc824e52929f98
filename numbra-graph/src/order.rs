//! Reverse post-order.

use cranelift_entity::{EntityRef, SecondaryMap};

/// The nodes that an entry reaches, in reverse post-order: a node stands before its successors but for back edges, so before
/// all that it dominates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order<N: EntityRef> {
    nodes: Vec<N>,
    index: SecondaryMap<N, u32>,
}

impl<N: EntityRef> Order<N> {
    /// The order of a depth-first search that takes the last successor first, so that the first one comes first.
    pub fn new<I: DoubleEndedIterator<Item = N>>(
        node_count: usize,
        entry: Option<N>,
        successors: impl Fn(N) -> I,
    ) -> Order<N> {
        let mut nodes = Vec::with_capacity(node_count);
        let mut index = SecondaryMap::with_default(u32::MAX);
        index.resize(node_count);
        let mut seen: SecondaryMap<N, bool> = SecondaryMap::new();
        seen.resize(node_count);
        let mut stack = Vec::new();
        if let Some(entry) = entry {
            seen[entry] = true;
            stack.push((entry, successors(entry)));
        }
        while let Some((node, rest)) = stack.last_mut() {
            match rest.next_back() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    stack.push((next, successors(next)));
                }
                Some(_) => {}
                None => {
                    nodes.push(*node);
                    stack.pop();
                }
            }
        }
        nodes.reverse();
        for (at, &node) in nodes.iter().enumerate() {
            index[node] = at as u32;
        }
        Order { nodes, index }
    }

    /// The nodes in order, the entry first.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }

    /// Position of a node; `u32::MAX` if the entry does not reach it.
    pub fn index(&self, node: N) -> u32 {
        self.index[node]
    }

    /// True if the entry reaches the node.
    pub fn is_reachable(&self, node: N) -> bool {
        self.index[node] != u32::MAX
    }
}
