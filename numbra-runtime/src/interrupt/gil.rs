//! How the main thread gets the GIL to handle a signal, while another thread computes with it.
//!
//! In CPython a thread that computes gives the GIL up every 5 ms to those that wait. Compiled code does not: as in Numba,
//! the GIL keeps all else out for the length of a call, and programs may rely on it as on a lock (two threads that count in
//! one array, where compiled code may keep a count in a register from one poll to the next). So it is only after a signal
//! that threads with the GIL give it up for a moment, once a tick, until the main thread is in compiled code itself or no
//! compiled code has held the GIL for a while. The main thread then raises, cleans up, and prints, as slowly as it gets its
//! turns, while the others go on.
//!
//! That is safe for memory as `nogil=True` is, which gives the GIL up for the whole call, and for the same reasons. What
//! compiled code borrows the caller's frame holds: arrays, whose memory NumPy does not resize while someone else refers to
//! them; strings and bytes, which do not change; buffers, which are exported for the length of the call. Lists and sets are
//! copied in and written back. Streams of random numbers are each thread's own, counts of references are atomic, and a
//! generator that runs refuses to be entered.

use super::signal::SignalHooks;
use super::ticks;
use super::word::{self, GIL, SIGNAL};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Threads give way at each tick.
static GIVING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The last tick at which this thread has given way.
    static GAVE_AT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Gives the main thread its turn if it may wait for one. For other threads, which hold the GIL. `why` is the word.
pub(super) fn give_way(hooks: &SignalHooks, why: u32) {
    // The bit of the signal stays: of many threads that wait for the GIL, each passes it on until the main thread has it.
    if why & (SIGNAL | GIL) == 0 {
        return;
    }
    word::clear(GIL);
    let now = Some(ticks::count());
    if GAVE_AT.replace(now) != now {
        GIVING.store(true, Ordering::Relaxed);
        (hooks.give_way)();
    }
}

/// The main thread is about to wait for the GIL.
pub(super) fn ask() {
    GIVING.store(true, Ordering::Relaxed);
    word::set(GIL);
}

/// The main thread computes, with the GIL, or nobody does.
pub(super) fn stop() {
    GIVING.store(false, Ordering::Relaxed);
    word::clear(GIL);
}

/// At a tick.
pub(super) fn ask_at_tick() {
    if GIVING.load(Ordering::Relaxed) {
        word::set(GIL);
    }
}
