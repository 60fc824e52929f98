//! Threads of parallel loops.

use crate::row_macro::rule;
use crate::rules::threads as th;
use crate::{Effects, Op, Targets, ThreadOp, TypePattern as P};

library! {
    /// Threads that this thread's parallel loops have.
    fn numbra.get_num_threads() {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[], th::number, Op::Threads(ThreadOp::Count))],
    }
    /// Sets the number of threads of this thread's parallel loops; ValueError unless it is from 1 to `NUMBA_NUM_THREADS`.
    fn numbra.set_num_threads(n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], th::set, Op::Threads(ThreadOp::SetCount))],
    }
    /// Which of its parallel loop's threads this one is, from 0; 0 outside.
    fn numbra.get_thread_id() {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[], th::number, Op::Threads(ThreadOp::Id))],
    }
    /// Iterations of a chunk of this thread's parallel loops; 0 leaves it to the runtime.
    fn numbra.get_parallel_chunksize() {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[], th::chunksize, Op::Threads(ThreadOp::Chunksize))],
    }
    /// Sets the iterations of a chunk of this thread's parallel loops, and gives the old number.
    fn numbra.set_parallel_chunksize(n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], th::exchange, Op::Threads(ThreadOp::SetChunksize))],
    }
    /// `with parallel_chunksize(n):` sets the iterations of a chunk for a block.
    fn numbra.parallel_chunksize(n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], th::outside_of_with, Op::Threads(ThreadOp::SetChunksize))],
    }
    /// Enters `with manager(n):`; the old number of iterations, which `numbra.set_parallel_chunksize` sets again.
    step with.parallel_chunksize(manager, n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], th::enter, Op::Threads(ThreadOp::SetChunksize))],
    }
}
