//! Parallel loops: how many threads, how iterations are cut into chunks, and the pool that runs them.
//!
//! A loop of `n` iterations is cut into chunks that depend on `n` and the number of threads alone, so that what is combined
//! chunk by chunk is the same in each run. Threads take the chunks of a loop in order, one after another.

mod job;
mod natives;
mod parts;
mod pool;
mod settings;

pub(crate) use natives::in_threads;
pub(crate) use natives::{
    do_scheduling, numbra_rt_get_num_threads, numbra_rt_get_parallel_chunksize,
    numbra_rt_get_thread_id, numbra_rt_parallel_chunks, numbra_rt_set_num_threads,
    numbra_rt_set_parallel_chunksize,
};
pub use natives::{spread, spread_interruptible};
pub(crate) use parts::{Parts, Threads};
pub use pool::{is_started, note_start, set_parallel_hooks};
pub use settings::{
    available_threads, chunksize, max_threads, num_threads, set_chunksize, set_max_threads,
    set_num_threads, thread_id,
};
