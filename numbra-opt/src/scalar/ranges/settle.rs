//! Settles loops side by side one after the other.
//!
//! ```text
//! block1(v1: i64):                  v1 starts at 0
//!   v2 = icmp slt v1, v0
//!   brif v2, block2, block3         block3: v0 <= v1
//! ...
//! block4(v4: i64):                  v4 starts at 0
//!   v5 = icmp slt v4, v0            true only for a v0 above 0, which block3 rules out while v1 is assumed to be 0
//!   brif v5, block5, block6
//! ```
//!
//! Behind the first loop is known what its end tells, under what is assumed of its counter so far. Were all loops to grow at
//! once, each would begin to grow when the one before has settled, and a function with many would take as many walks over
//! all its blocks. So where a loop, or the function, holds several, the walk goes over the blocks of each until nothing
//! grows, and only then on to what follows (as in Bourdoncle 1993, "Efficient chaotic iteration strategies with widenings").
//! One inside another grows with it.

use super::*;
use numbra_lir::analysis::LoopId;

/// Loops in more loops than this settle with the one around them.
const MAX_SETTLED_DEPTH: u32 = 16;

/// The loops that are settled by themselves: those with others beside them.
pub(super) struct Siblings<'a> {
    loops: &'a Loops,
    /// By header.
    of: SecondaryMap<Block, Option<LoopId>>,
    /// The revisions of the assumptions under which a loop has settled.
    settled: SecondaryMap<LoopId, Option<u32>>,
}

impl<'a> Siblings<'a> {
    pub(super) fn new(loops: &'a Loops) -> Siblings<'a> {
        let mut inner: SecondaryMap<LoopId, u32> = SecondaryMap::new();
        let mut outermost = 0;
        for (_, data) in loops.iter() {
            match data.parent {
                Some(parent) => inner[parent] += 1,
                None => outermost += 1,
            }
        }
        let mut of = SecondaryMap::new();
        for (id, data) in loops.iter() {
            let beside = data.parent.map_or(outermost, |parent| inner[parent]);
            if beside > 1 && data.depth <= MAX_SETTLED_DEPTH {
                of[data.header] = Some(id);
            }
        }
        Siblings {
            loops,
            of,
            settled: SecondaryMap::new(),
        }
    }
}

impl Walk<'_> {
    /// As [`Walk::run`], and settles loops on the way.
    pub(super) fn run_settling(&mut self, doms: &Dominators, siblings: &mut Siblings<'_>) {
        // Revisions are counted by walk.
        siblings.settled.clear();
        self.run_from(self.func.entry(), None, doms, siblings);
    }

    /// Walks over the blocks that `start` dominates, of a loop only if one is given.
    fn run_from(
        &mut self,
        start: Block,
        within: Option<LoopId>,
        doms: &Dominators,
        siblings: &mut Siblings<'_>,
    ) {
        let base = self.stack.len();
        self.stack.push(Step::Enter(start));
        while self.stack.len() > base
            && let Some(step) = self.stack.pop()
        {
            let Some(block) = self.leave(step) else {
                continue;
            };
            if let Some(id) = siblings.of[block].filter(|&id| Some(id) != within)
                && siblings.settled[id] != Some(self.revisions)
            {
                self.settle(id, doms, siblings);
            }
            self.block(block, doms);
            let loops = siblings.loops;
            self.enter_children(doms, block, |child| {
                within.is_none_or(|id| loops.contains(id, child))
            });
        }
    }

    /// Walks over a loop until its parameters are as assumed; those that do not come to that may be anything.
    fn settle(&mut self, id: LoopId, doms: &Dominators, siblings: &mut Siblings<'_>) {
        let data = siblings.loops.get(id);
        for _ in 0..MAX_ITERATIONS {
            self.run_from(data.header, Some(id), doms, siblings);
            if !self.grow(&data.blocks) {
                siblings.settled[id] = Some(self.revisions);
                return;
            }
        }
        self.revise(&data.blocks, |_, _, full| full);
    }
}

#[cfg(test)]
mod tests {
    use crate::Pass;
    use numbra_lir::text::{self, Form};
    use std::fmt::Write;

    #[test]
    fn many_loops_side_by_side_settle() {
        let count = 3 * super::MAX_ITERATIONS;
        let mut source = String::from(
            "function export @f(i64) -> (i64) {\nblock0(v0: i64):\n  v1: i64 = iconst 0\n  v2: i64 = iconst 1\n  jump block1(v1)\n",
        );
        // Each counts from 0 to v0 and asks whether the counter is negative.
        for n in 0..count {
            let (head, body, next) = (2 * n + 1, 2 * n + 2, 2 * n + 3);
            let v = 10 * (n + 1);
            let _ = write!(
                source,
                "block{head}(v{v}: i64):\n  v{} = icmp slt v{v}, v0\n  brif v{}, block{body}, block{next}(v1)\n\
                 block{body}:\n  v{} = icmp slt v{v}, v1\n  v{}: i64 = select v{}, v2, v{v}\n  v{} = iadd v{}, v2\n  jump block{head}(v{})\n",
                v + 1,
                v + 1,
                v + 2,
                v + 3,
                v + 2,
                v + 4,
                v + 3,
                v + 4,
            );
        }
        let last = 2 * count + 1;
        let _ = write!(source, "block{last}(v3: i64):\n  return v0\n}}\n");
        let mut module = text::parse(&source).expect("it is LIR");
        assert!(Pass::Ranges.run(&mut module));
        Pass::Dce.run(&mut module);
        assert!(!text::print(&module, Form::Plain).contains("select"));
    }
}
