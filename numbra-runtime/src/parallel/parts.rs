//! Native bodies whose work is cut into parts for several threads.

use super::{natives::spread, settings};
use smallvec::{SmallVec, smallvec};
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Whether a native body may use several threads: compiled code says so where its function is parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Threads {
    One,
    Many,
}

/// What was made of consecutive parts: one of most.
pub(crate) type Parts<T> = SmallVec<[T; 1]>;

/// Elements of a unit of work. A body that is vectorised takes about [`UNIT_WEIGHT`] instructions for one.
const UNIT: usize = 64;
const UNIT_WEIGHT: i64 = 32;

/// Fewer elements are no part of their own.
const LEAST: usize = 8192;

impl Threads {
    /// What `map` gives for consecutive parts of `0..n`, in their order. Parts depend on `n` and the number of threads alone.
    pub(crate) fn parts<T: Send + Sync>(
        self,
        n: usize,
        map: impl Fn(Range<usize>) -> T + Sync,
    ) -> Parts<T> {
        let count = self.count(n);
        if count == 1 {
            return smallvec![map(0..n)];
        }
        let cut = |part: usize| (part as u128 * n as u128 / count as u128) as usize;
        each(count, |part| map(cut(part)..cut(part + 1)))
    }

    /// What `map` gives for consecutive parts of `0..n`, joined in their order.
    #[inline]
    pub(crate) fn joined<T: Send + Sync>(
        self,
        n: usize,
        map: impl Fn(Range<usize>) -> T + Sync,
        join: impl Fn(T, T) -> T,
    ) -> T {
        if self == Threads::One || n < 2 * LEAST {
            return map(0..n);
        }
        let joined = self.parts(n, &map).into_iter().reduce(join);
        joined.unwrap_or_else(|| map(0..n))
    }

    /// Combines a run of `n` elements as a binary tree: `cut` says where `n` elements are halved, `leaf` combines a part, `join`
    /// two neighbours. The result does not depend on the number of threads.
    pub(crate) fn halves<T: Copy + Send + Sync>(
        self,
        n: usize,
        cut: fn(usize) -> usize,
        leaf: impl Fn(Range<usize>) -> T + Sync,
        join: fn(T, T) -> T,
    ) -> T {
        fn leaves(
            part: Range<usize>,
            depth: u32,
            cut: fn(usize) -> usize,
            out: &mut Vec<Range<usize>>,
        ) {
            if depth == 0 {
                return out.push(part);
            }
            let middle = part.start + cut(part.len());
            leaves(part.start..middle, depth - 1, cut, out);
            leaves(middle..part.end, depth - 1, cut, out);
        }
        fn joined<T: Copy>(parts: &[T], join: fn(T, T) -> T) -> T {
            match parts {
                [one] => *one,
                many => {
                    let (low, high) = many.split_at(many.len() / 2);
                    join(joined(low, join), joined(high, join))
                }
            }
        }
        let depth = self.count(n).ilog2();
        if depth == 0 {
            return leaf(0..n);
        }
        let mut parts = Vec::new();
        leaves(0..n, depth, cut, &mut parts);
        joined(&each(parts.len(), |part| leaf(parts[part].clone())), join)
    }

    /// Parts of a range of `n` elements: 1 if there is little to do.
    fn count(self, n: usize) -> usize {
        match self {
            Threads::One => 1,
            Threads::Many => {
                let units = (n / UNIT) as i64;
                let chunks = super::natives::numbra_rt_parallel_chunks(units, UNIT_WEIGHT, 0);
                (chunks as usize)
                    .clamp(1, (n / LEAST).max(1))
                    .min(MOST * settings::num_threads())
            }
        }
    }
}

/// Parts for each thread, where chunk sizes would make more.
const MOST: usize = 64;

/// What `map` gives for each number below `count`, in several threads.
fn each<T: Send + Sync>(count: usize, map: impl Fn(usize) -> T + Sync) -> Parts<T> {
    let failure: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);
    let slots: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    // Each part is worth a thread.
    spread(count as i64, i64::MAX / 2, &|start, end| {
        for part in start..end {
            let slot = &slots[part as usize];
            // Nothing unwinds through compiled code that shares out the parts.
            match catch_unwind(AssertUnwindSafe(|| map(part as usize))) {
                Ok(made) => drop(slot.set(made)),
                Err(caught) => {
                    let mut first = failure.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(caught);
                }
            }
        }
    });
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(caught) = failure {
        resume_unwind(caught);
    }
    slots.into_iter().filter_map(OnceLock::into_inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_range_in_order() {
        for threads in [Threads::One, Threads::Many] {
            for n in [0, 1, 5, 100_000, 1_000_003] {
                let parts = threads.parts(n, |part| part);
                assert_eq!(parts.first().map(|p| p.start), Some(0));
                assert_eq!(parts.last().map(|p| p.end), Some(n));
                assert!(parts.windows(2).all(|p| p[0].end == p[1].start));
            }
        }
    }

    #[test]
    fn trees_are_joined_where_they_were_cut() {
        let cut = |n: usize| n / 2;
        let all = Threads::Many.halves(
            3_000_001,
            cut,
            |part| (part.start, part.end),
            |low, high| {
                assert_eq!(low.1, high.0);
                assert_eq!(low.1 - low.0, (high.1 - low.0) / 2);
                (low.0, high.1)
            },
        );
        assert_eq!(all, (0, 3_000_001));
    }
}
