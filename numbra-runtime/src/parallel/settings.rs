//! What a thread has set for its parallel loops: the number of threads and the size of chunks.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A thread's settings, which the workers of its loops take over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settings {
    /// Threads of a loop; 0 is all.
    pub(super) threads: usize,
    /// Iterations of a chunk; 0 leaves it to the runtime, as it does for loops inside of loops.
    pub(super) chunksize: u64,
    /// Which of its loop's threads this one is.
    pub(super) id: usize,
}

thread_local! {
    static SETTINGS: Cell<Settings> = const {
        Cell::new(Settings { threads: 0, chunksize: 0, id: 0 })
    };
}

/// Threads that there may be at all; 0 while nobody has asked.
static MAX: AtomicUsize = AtomicUsize::new(0);

/// More are never made.
const LIMIT: usize = 1024;

pub(super) fn current() -> Settings {
    SETTINGS.try_with(Cell::get).unwrap_or_default()
}

pub(super) fn replace(settings: Settings) {
    // Gone only while the thread ends.
    let _ = SETTINGS.try_with(|cell| cell.set(settings));
}

/// The processors that affinity and cgroups leave us.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The largest number of threads of a loop: what [`set_max_threads`] has set, else [`available_threads`].
pub fn max_threads() -> usize {
    match MAX.load(Ordering::Relaxed) {
        0 => {
            let max = available_threads().min(LIMIT);
            MAX.store(max, Ordering::Relaxed);
            max
        }
        max => max,
    }
}

/// Changes [`max_threads`]; for use before the first parallel loop.
pub fn set_max_threads(max: usize) {
    MAX.store(max.clamp(1, LIMIT), Ordering::Relaxed);
}

/// Threads of this thread's parallel loops.
pub fn num_threads() -> usize {
    let max = max_threads();
    match current().threads {
        0 => max,
        threads => threads.min(max),
    }
}

/// Sets the number of threads; false unless it is from 1 to [`max_threads`].
pub fn set_num_threads(threads: i64) -> bool {
    match usize::try_from(threads) {
        Ok(threads) if (1..=max_threads()).contains(&threads) => {
            replace(Settings {
                threads,
                ..current()
            });
            true
        }
        Ok(_) | Err(_) => false,
    }
}

/// Which of its loop's threads this one is, from 0; 0 outside.
pub fn thread_id() -> usize {
    current().id
}

/// Iterations of a chunk of this thread's loops; 0 leaves it to the runtime.
pub fn chunksize() -> u64 {
    current().chunksize
}

/// Sets the size of chunks, of 32 bits at most; the old one.
pub fn set_chunksize(chunksize: u64) -> u64 {
    let settings = current();
    replace(Settings {
        chunksize: chunksize.min(u32::MAX.into()),
        ..settings
    });
    settings.chunksize
}
