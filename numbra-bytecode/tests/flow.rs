//! Dominators, post-dominators and loops against definitions, on random graphs.

use numbra_bytecode::FlowGraph;
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

fn graphs() -> impl Iterator<Item = Vec<Vec<usize>>> {
    let mut random = Random(0x6e75_6d62_7261);
    (0..600).map(move |_| {
        let n = 1 + random.below(12);
        (0..n)
            .map(|_| (0..random.below(4)).map(|_| random.below(n)).collect())
            .collect()
    })
}

/// Blocks reached from `from` without passing `without`.
fn reach(successors: &[Vec<usize>], from: usize, without: Option<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if Some(block) != without && seen.insert(block) {
            work.extend(&successors[block]);
        }
    }
    seen
}

#[test]
fn dominators_are_what_every_path_passes() {
    for successors in graphs() {
        let flow = FlowGraph::new(&successors);
        let dominators = flow.dominators();
        let tree = flow.dominator_tree();
        let live = reach(&successors, 0, None);
        assert_eq!(dominators.keys().copied().collect::<BTreeSet<_>>(), live);
        for &b in &live {
            let expected: BTreeSet<usize> = live
                .iter()
                .copied()
                .filter(|&a| a == b || !reach(&successors, 0, Some(a)).contains(&b))
                .collect();
            assert_eq!(dominators[&b], expected, "{successors:?} block {b}");
            for a in 0..successors.len() {
                assert_eq!(
                    tree.dominates(a, b),
                    expected.contains(&a),
                    "{successors:?} {a} {b}"
                );
            }
        }
    }
}

#[test]
fn post_dominators_are_what_every_path_to_an_exit_passes() {
    for successors in graphs() {
        let flow = FlowGraph::new(&successors);
        let exits: BTreeSet<usize> = flow.exits().iter().copied().collect();
        for (b, set) in flow.post_dominators() {
            let reaches_exit = |without| !reach(&successors, b, without).is_disjoint(&exits);
            if reaches_exit(None) {
                let live = reach(&successors, 0, None);
                let expected: BTreeSet<usize> = live
                    .into_iter()
                    .filter(|&a| a == b || !reaches_exit(Some(a)))
                    .collect();
                assert_eq!(set, expected, "{successors:?} block {b}");
            } else {
                assert_eq!(set, BTreeSet::from([b]));
            }
        }
    }
}

#[test]
fn loops_are_natural() {
    for successors in graphs() {
        let flow = FlowGraph::new(&successors);
        let dominators = flow.dominators();
        for (header, l) in flow.loops() {
            for b in &l.body {
                assert!(
                    dominators[b].contains(&header),
                    "{successors:?}: {b} in loop of {header}"
                );
                assert!(reach(&successors, *b, None).contains(&header));
            }
            assert!(l.entries.is_disjoint(&l.body) && l.exits.is_disjoint(&l.body));
        }
        let back = flow.back_edges();
        for (from, to) in &back {
            assert!(successors[*from].contains(to));
        }
        // Without back edges the graph has no cycle.
        let acyclic: Vec<Vec<usize>> = (0..successors.len())
            .map(|b| {
                successors[b]
                    .iter()
                    .copied()
                    .filter(|&t| !back.contains(&(b, t)))
                    .collect()
            })
            .collect();
        assert!(FlowGraph::new(&acyclic).back_edges().is_empty());
    }
}

#[test]
fn reverse_postorder_puts_dominators_first() {
    for successors in graphs() {
        let flow = FlowGraph::new(&successors);
        let mut position = vec![usize::MAX; successors.len()];
        for (i, &b) in flow.reverse_postorder().iter().enumerate() {
            position[b] = i;
        }
        for (b, set) in flow.dominators() {
            assert!(
                set.iter().all(|&a| position[a] <= position[b]),
                "{successors:?}"
            );
        }
    }
}
