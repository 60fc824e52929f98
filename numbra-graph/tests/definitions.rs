//! Every analysis against its definition, on random graphs.

use numbra_graph::{
    Digraph, Dominators, EntityRef, FlowGraph, Loops, Node, PostDominators, back_edges, components,
    is_cyclic,
};
use std::collections::BTreeSet;

/// xorshift64*, so that the graphs are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// A graph as lists of successors; its entry is 0.
struct Example {
    succs: Vec<Vec<Node>>,
    graph: Digraph<Node>,
}

impl Example {
    fn new(succs: Vec<Vec<Node>>) -> Example {
        let nodes = (0..succs.len()).map(Node::new);
        let graph = Digraph::new(succs.len(), Some(Node::new(0)), nodes, |from, out| {
            out.extend_from_slice(&succs[from.index()]);
        });
        Example { succs, graph }
    }

    fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.succs.len()).map(Node::new)
    }

    /// Nodes on paths from one that do not pass another.
    fn reach(&self, from: Node, without: Option<Node>) -> BTreeSet<Node> {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(node) = work.pop() {
            if Some(node) != without && seen.insert(node) {
                work.extend(&self.succs[node.index()]);
            }
        }
        seen
    }

    fn live(&self) -> BTreeSet<Node> {
        self.reach(Node::new(0), None)
    }

    /// Whether every path from the entry to `b` passes `a`.
    fn dominates(&self, a: Node, b: Node) -> bool {
        let live = self.live();
        let avoids = a != b && self.reach(Node::new(0), Some(a)).contains(&b);
        live.contains(&a) && live.contains(&b) && !avoids
    }

    /// Whether every path from `b` to an end passes `a`, and there is one.
    fn post_dominates(&self, a: Node, b: Node) -> bool {
        let ends = |without| {
            let reached = self.reach(b, without);
            reached
                .iter()
                .any(|node| self.succs[node.index()].is_empty())
        };
        ends(None) && (a == b || !ends(Some(a)))
    }
}

fn examples() -> impl Iterator<Item = Example> {
    let mut random = Random(0x6e75_6d62_7261);
    (0..600).map(move |_| {
        let n = 1 + random.below(12);
        let succs = (0..n).map(|_| {
            let list = (0..random.below(4)).map(|_| Node::new(random.below(n)));
            list.collect()
        });
        Example::new(succs.collect())
    })
}

#[test]
fn the_order_has_what_is_reached() {
    for example in examples() {
        let order = example.graph.order();
        let listed: BTreeSet<Node> = order.nodes().iter().copied().collect();
        assert_eq!(listed, example.live());
        assert_eq!(listed.len(), order.nodes().len());
        for (at, &node) in order.nodes().iter().enumerate() {
            assert_eq!(order.index(node) as usize, at);
        }
        for node in example.nodes() {
            assert_eq!(order.is_reachable(node), listed.contains(&node));
        }
    }
}

#[test]
fn predecessors_are_successors_turned_round() {
    for example in examples() {
        let order = example.graph.order();
        for to in example.nodes() {
            let expected = order.nodes().iter().flat_map(|&from| {
                let targets = example.succs[from.index()].iter();
                targets.filter(move |&&t| t == to).map(move |_| from)
            });
            assert_eq!(example.graph.preds(to), expected.collect::<Vec<_>>());
        }
    }
}

#[test]
fn dominators_are_what_every_path_passes() {
    for example in examples() {
        let doms = Dominators::new(&example.graph);
        for b in example.nodes() {
            for a in example.nodes() {
                assert_eq!(doms.dominates(a, b), example.dominates(a, b), "{a} {b}");
            }
            // All others that dominate a node dominate its immediate dominator.
            let strict: Vec<Node> = example
                .nodes()
                .filter(|&a| a != b && example.dominates(a, b))
                .collect();
            let nearest = strict
                .iter()
                .copied()
                .find(|&d| strict.iter().all(|&a| example.dominates(a, d)));
            assert_eq!(doms.idom(b), nearest);
            if let Some(up) = nearest {
                assert!(doms.children(up).contains(&b));
            }
        }
        let mut before = BTreeSet::new();
        for &node in doms.preorder() {
            assert!(doms.idom(node).is_none_or(|up| before.contains(&up)));
            before.insert(node);
        }
        assert_eq!(before, example.live());
    }
}

#[test]
fn frontiers_are_where_dominance_ends() {
    for example in examples() {
        let doms = Dominators::new(&example.graph);
        let frontiers = doms.frontiers(&example.graph);
        let live = example.live();
        for a in example.nodes() {
            let is_end = |&b: &Node| {
                let over_pred =
                    |p: &Node| example.succs[p.index()].contains(&b) && example.dominates(a, *p);
                live.iter().any(over_pred) && (a == b || !example.dominates(a, b))
            };
            let expected: BTreeSet<Node> = live.iter().copied().filter(is_end).collect();
            let found: BTreeSet<Node> = frontiers[a].iter().copied().collect();
            assert_eq!(found, expected, "{a}");
        }
    }
}

#[test]
fn one_node_enters_but_for_back_edges() {
    for example in examples() {
        let doms = Dominators::new(&example.graph);
        for node in example.live() {
            let preds = example.graph.preds(node).iter().copied();
            let entering: Vec<Node> = preds.filter(|&p| !example.dominates(node, p)).collect();
            let expected = match entering[..] {
                [one] => Some(one),
                _ => None,
            };
            assert_eq!(doms.entering(&example.graph, node), expected);
        }
    }
}

#[test]
fn post_dominators_are_what_every_path_to_an_end_passes() {
    for example in examples() {
        let post = PostDominators::new(&example.graph);
        for b in example.live() {
            for &a in &example.live() {
                let expected = a == b || example.post_dominates(a, b);
                assert_eq!(post.post_dominates(a, b), expected, "{a} {b}");
            }
            let live = example.live();
            let strict = live.iter().copied();
            let strict: Vec<Node> = strict
                .filter(|&a| a != b && example.post_dominates(a, b))
                .collect();
            let nearest = strict
                .iter()
                .copied()
                .find(|&d| strict.iter().all(|&a| example.post_dominates(a, d)));
            assert_eq!(post.immediate(b), nearest, "{b}");
        }
    }
}

#[test]
fn loops_are_what_reaches_a_back_edge() {
    for example in examples() {
        let (graph, live) = (&example.graph, example.live());
        let doms = Dominators::new(graph);
        let loops = Loops::new(graph, &doms);
        let mut headers = BTreeSet::new();
        for (id, one) in loops.iter() {
            headers.insert(one.header);
            let is_latch = |&&p: &&Node| {
                example.succs[p.index()].contains(&one.header) && example.dominates(one.header, p)
            };
            let latches: BTreeSet<Node> = live.iter().filter(is_latch).copied().collect();
            assert_eq!(
                one.latches.iter().copied().collect::<BTreeSet<_>>(),
                latches
            );
            let is_inside = |&&b: &&Node| {
                let reached = example.reach(b, Some(one.header));
                b == one.header || latches.iter().any(|latch| reached.contains(latch))
            };
            let blocks: BTreeSet<Node> = live.iter().filter(is_inside).copied().collect();
            assert_eq!(one.blocks.iter().copied().collect::<BTreeSet<_>>(), blocks);
            assert_eq!(one.blocks.len(), blocks.len());
            assert_eq!(one.blocks[0], one.header);
            for node in example.nodes() {
                assert_eq!(one.contains(node), blocks.contains(&node));
                assert_eq!(loops.contains(id, node), blocks.contains(&node));
            }
            let exits = blocks
                .iter()
                .flat_map(|b| &example.succs[b.index()])
                .copied();
            let exits: BTreeSet<Node> = exits.filter(|to| !blocks.contains(to)).collect();
            assert_eq!(one.exits(graph).into_iter().collect::<BTreeSet<_>>(), exits);
            let mut entries = one.entries(graph).into_iter();
            assert!(entries.all(|p| !blocks.contains(&p)));
            if let Some(parent) = one.parent {
                assert!(parent < id && loops.get(parent).contains(one.header));
                assert_eq!(loops.get(parent).depth + 1, one.depth);
            } else {
                assert_eq!(one.depth, 1);
            }
        }
        for node in live.iter().copied() {
            let around = loops.iter().filter(|(_, one)| one.contains(node));
            assert_eq!(loops.depth(node) as usize, around.count());
            let is_header = example
                .graph
                .preds(node)
                .iter()
                .any(|&p| example.dominates(node, p));
            assert_eq!(headers.contains(&node), is_header);
        }
        for (id, one) in loops.iter_innermost() {
            assert!(loops.iter().all(|(_, other)| other.parent != Some(id)));
            assert!(one.blocks.iter().all(|&b| loops.innermost(b) == Some(id)));
        }
    }
}

#[test]
fn without_back_edges_there_is_no_cycle() {
    for example in examples() {
        let back: BTreeSet<(Node, Node)> = back_edges(&example.graph).collect();
        assert_eq!(is_cyclic(&example.graph), !back.is_empty());
        let in_cycle = |node: &Node| {
            let next = example.succs[node.index()].iter();
            next.into_iter()
                .any(|&to| example.reach(to, None).contains(node))
        };
        assert_eq!(example.live().iter().any(in_cycle), !back.is_empty());
        let left = example.nodes().map(|from| {
            let targets = example.succs[from.index()].iter().copied();
            targets.filter(|&to| !back.contains(&(from, to))).collect()
        });
        assert!(!is_cyclic(&Example::new(left.collect()).graph));
    }
}

#[test]
fn components_are_nodes_that_reach_each_other() {
    for example in examples() {
        let groups = components(example.nodes(), |node| example.succs[node.index()].clone());
        let mut before: BTreeSet<Node> = BTreeSet::new();
        for group in &groups {
            assert!(group.is_sorted());
            for &a in group {
                let reached = example.reach(a, None);
                let both = |&b: &Node| reached.contains(&b) && example.reach(b, None).contains(&a);
                let expected: Vec<Node> = example.nodes().filter(both).collect();
                assert_eq!(group, &expected);
            }
            // What it leads to came before.
            before.extend(group);
            let led = group.iter().flat_map(|a| &example.succs[a.index()]);
            assert!(led.into_iter().all(|to| before.contains(to)));
        }
        assert_eq!(before.len(), example.nodes().count());
    }
}

#[test]
fn components_end_in_the_order_of_a_walk() {
    // 0 -> 2, 1, 3; 1 -> 4.
    let succs = [&[2, 1, 3][..], &[4], &[], &[], &[]];
    let node = Node::new;
    let groups = components((0..5).map(node), |from| {
        let targets = succs[from.index()].iter();
        targets.map(|&to| node(to)).collect::<Vec<_>>()
    });
    let order: Vec<Node> = groups.into_iter().flatten().collect();
    assert_eq!(order, [2, 4, 1, 3, 0].map(node));
}

/// A million nodes in a row: nothing recurses.
#[test]
fn depth_does_not_overflow_the_stack() {
    let count = 1_000_000;
    let next = |node: Node| (node.index() + 1 < count).then(|| Node::new(node.index() + 1));
    let nodes = || (0..count).map(Node::new);
    let graph = Digraph::new(count, Some(Node::new(0)), nodes(), |node, out| {
        out.extend(next(node));
    });
    let doms = Dominators::new(&graph);
    assert!(doms.dominates(Node::new(1), Node::new(count - 1)));
    assert_eq!(
        PostDominators::new(&graph).immediate(Node::new(0)),
        Some(Node::new(1))
    );
    assert!(Loops::new(&graph, &doms).iter().next().is_none());
    assert_eq!(components(nodes(), next).len(), count);
    assert_eq!(graph.node_count(), count);
}
