//! What compiled code calls.

use super::job::{Task, Work};
use super::{pool, settings};
use crate::error::raise;

/// Work below which no thread is worth its waking, in instructions: about 10 microseconds.
const SMALL: i64 = 30_000;

/// Instructions for an element of an array that a chunk makes for itself.
const ELEMENT: i64 = 4;

/// Chunks of a loop for each thread, so that those that finish early take more.
const CHUNKS_PER_THREAD: i64 = 8;

/// `parallel_chunks(n, weight, room) -> chunks`; `room` is 0, or the number of elements of arrays that each chunk but the first
/// makes for itself, plus 1.
pub(crate) extern "C" fn numbra_rt_parallel_chunks(n: i64, weight: i64, room: i64) -> i64 {
    pool::note_start();
    let size = settings::chunksize();
    if n <= 1 {
        return 1;
    }
    let threads = settings::num_threads() as i64;
    if size > 0 {
        let chunks = (n as u64).div_ceil(size) as i64;
        return if room > 0 {
            chunks.min(threads)
        } else {
            chunks
        };
    }
    if threads == 1 || n.saturating_mul(weight) < SMALL {
        return 1;
    }
    let each = if room > 0 { 1 } else { CHUNKS_PER_THREAD };
    // No chunk is so small that taking it, or making and combining its arrays, is much of its work.
    let cost = room.saturating_mul(ELEMENT).saturating_add(SMALL / 8);
    let most = n.saturating_mul(weight) / cost;
    n.min(threads * each).min(most).max(1)
}

/// `do_scheduling(task, context, partials, stride, n, chunks)`
///
/// # Safety
/// `task` is a function of the internal ABI with the signature `(ptr, ptr, i64, i64) raises`; `context` is what it takes and
/// `partials` is room for `chunks` times `stride` bytes.
pub(crate) unsafe extern "C" fn do_scheduling(
    task: *const u8,
    context: *mut u8,
    partials: *mut u8,
    stride: i64,
    n: i64,
    chunks: i64,
) -> i32 {
    // SAFETY: the caller says what `task` is.
    let task = unsafe { std::mem::transmute::<*const u8, Task>(task) };
    pool::run(Work {
        task,
        context,
        partials,
        stride: usize::try_from(stride).unwrap_or(0),
        iterations: n,
        chunks: chunks.max(1),
        interruptible: true,
    })
}

/// Runs `work(start, end)` for chunks of `n` iterations of about `weight` instructions, in several threads if there is
/// enough to do.
pub fn spread(n: i64, weight: i64, work: &(dyn Fn(i64, i64) + Sync)) {
    let always = |start, end| {
        work(start, end);
        true
    };
    run_spread(n, weight, &always, false);
}

/// As [`spread`], for work that an interrupt may end: it returns false then, with the interrupt pending. So does this.
pub fn spread_interruptible(n: i64, weight: i64, work: &(dyn Fn(i64, i64) -> bool + Sync)) -> bool {
    run_spread(n, weight, work, true)
}

/// Runs `work` in up to so many threads at once, each of which ends when there is nothing left to do. What it returns is as
/// for [`spread_interruptible`].
pub(crate) fn in_threads(threads: i64, work: &(dyn Fn() -> bool + Sync)) -> bool {
    run_chunks(threads, threads, &|_, _| work(), true)
}

fn run_spread(
    n: i64,
    weight: i64,
    work: &(dyn Fn(i64, i64) -> bool + Sync),
    interruptible: bool,
) -> bool {
    let chunks = numbra_rt_parallel_chunks(n, weight, 0);
    if chunks <= 1 {
        return work(0, n);
    }
    run_chunks(n, chunks, work, interruptible)
}

fn run_chunks(
    n: i64,
    chunks: i64,
    work: &(dyn Fn(i64, i64) -> bool + Sync),
    interruptible: bool,
) -> bool {
    /// # Safety
    /// `context` points to the `work` of a call of `run_chunks` that is waiting.
    unsafe extern "C" fn task(context: *mut u8, _: *mut u8, start: i64, end: i64) -> i32 {
        // SAFETY: the caller's promise.
        let work = unsafe { &*context.cast::<&(dyn Fn(i64, i64) -> bool + Sync)>() };
        (!work(start, end)).into()
    }
    pool::run(Work {
        task,
        context: (&raw const work).cast_mut().cast(),
        partials: std::ptr::null_mut(),
        stride: 0,
        iterations: n,
        chunks,
        interruptible,
    }) == 0
}

/// `get_num_threads() -> n`
pub(crate) extern "C" fn numbra_rt_get_num_threads() -> i64 {
    settings::num_threads() as i64
}

/// `set_num_threads(n)`
pub(crate) extern "C" fn numbra_rt_set_num_threads(threads: i64) -> i32 {
    if settings::set_num_threads(threads) {
        return 0;
    }
    let max = settings::max_threads();
    let message = format!("The number of threads must be between 1 and {max}");
    raise("builtins.ValueError", &message);
    1
}

/// `get_thread_id() -> id`
pub(crate) extern "C" fn numbra_rt_get_thread_id() -> i64 {
    settings::thread_id() as i64
}

/// `get_parallel_chunksize() -> size`
pub(crate) extern "C" fn numbra_rt_get_parallel_chunksize() -> i64 {
    settings::chunksize() as i64
}

/// `set_parallel_chunksize(size) -> old`
pub(crate) extern "C" fn numbra_rt_set_parallel_chunksize(size: i64) -> i64 {
    settings::set_chunksize(u64::try_from(size).unwrap_or(0)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::take_error;
    use std::sync::atomic::{AtomicI64, Ordering};

    /// Adds the numbers of its iterations to a counter and to its partial result.
    unsafe extern "C" fn add(context: *mut u8, partials: *mut u8, start: i64, end: i64) -> i32 {
        // SAFETY: the tests pass a counter.
        let total = unsafe { &*context.cast::<AtomicI64>() };
        let sum: i64 = (start..end).sum();
        total.fetch_add(sum, Ordering::Relaxed);
        // SAFETY: the tests pass 16 bytes for each chunk.
        unsafe { partials.cast::<i64>().write(sum) };
        0
    }

    /// Runs a loop in each iteration.
    unsafe extern "C" fn nested(context: *mut u8, _: *mut u8, start: i64, end: i64) -> i32 {
        for _ in start..end {
            let mut partials = [0_i64; 2 * 16];
            let partials = partials.as_mut_ptr().cast();
            // SAFETY: what `add` takes.
            let status = unsafe { do_scheduling(add as *const u8, context, partials, 16, 100, 16) };
            assert_eq!(status, 0);
        }
        0
    }

    /// Fails from iteration 30 on.
    unsafe extern "C" fn fail(_: *mut u8, _: *mut u8, start: i64, end: i64) -> i32 {
        if end <= 30 {
            return 0;
        }
        raise("builtins.ValueError", &format!("{}", start.max(30)));
        1
    }

    fn run(task: Task, n: i64, chunks: i64) -> (i32, i64, Vec<i64>) {
        let total = AtomicI64::new(0);
        let mut partials = vec![0_i64; 2 * chunks as usize];
        let context = (&raw const total).cast_mut().cast();
        let room = partials.as_mut_ptr().cast();
        // SAFETY: what the tasks of these tests take.
        let status = unsafe { do_scheduling(task as *const u8, context, room, 16, n, chunks) };
        let partials = partials.into_iter().step_by(2).collect();
        (status, total.into_inner(), partials)
    }

    #[test]
    fn iterations_run_once_in_fixed_chunks() {
        for _ in 0..200 {
            let (status, total, partials) = run(add, 1000, 7);
            assert_eq!((status, total), (0, 999 * 500));
            let cut = |k: i64| k * 1000 / 7;
            let expected: Vec<i64> = (0..7).map(|k| (cut(k)..cut(k + 1)).sum()).collect();
            assert_eq!(partials, expected);
        }
    }

    #[test]
    fn loops_run_inside_of_loops_and_in_many_threads() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let (status, total, _) = run(nested, 64, 16);
                    assert_eq!((status, total), (0, 64 * 4950));
                });
            }
        });
    }

    #[test]
    fn the_exception_of_the_first_chunk_that_fails_is_raised() {
        for _ in 0..50 {
            let (status, ..) = run(fail, 100, 20);
            assert_eq!(status, 1);
            let error = take_error().expect("one is pending");
            assert!(String::from_utf8_lossy(error.description()).contains("\\\"30\\\""));
        }
    }
}
