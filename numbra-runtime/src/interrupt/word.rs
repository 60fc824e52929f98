//! The word that loops look at.

use std::sync::atomic::{AtomicU32, Ordering};

/// Someone wants to know whether compiled code runs. Any thread takes it away.
pub(super) const TICK: u32 = 1;
/// A signal has come. The main thread takes it away.
pub(super) const SIGNAL: u32 = 2;
/// Loops of a ufunc are to return at once, for it was interrupted and its caller calls them all. Each tick takes it away,
/// and who still needs it sets it again.
pub(super) const AGAIN: u32 = 4;
/// The main thread may wait for the GIL to handle a signal: who holds it takes this away, and gives the GIL up for a moment.
pub(super) const GIL: u32 = 8;
/// A signal other than SIGINT has come while the main thread runs a parallel loop. It takes this away, and so does the end
/// of the loop.
pub(super) const PENDING: u32 = 16;
/// Once for each thing else that some threads must look at: a parallel loop that is to end, a recursion on its way out.
const OTHER: u32 = 32;

/// 0 while loops may go on. The first loop of a process finds it set, and sets all up.
pub(crate) static WORD: AtomicU32 = AtomicU32::new(TICK);

pub(super) fn load() -> u32 {
    WORD.load(Ordering::SeqCst)
}

/// Sets bits; the word before. Safe in signal handlers.
pub(super) fn set(bits: u32) -> u32 {
    WORD.fetch_or(bits, Ordering::SeqCst)
}

/// Takes bits away; the word before.
pub(super) fn clear(bits: u32) -> u32 {
    WORD.fetch_and(!bits, Ordering::SeqCst)
}

/// Keeps the word set until [`release_other`].
pub(super) fn hold_other() {
    WORD.fetch_add(OTHER, Ordering::SeqCst);
}

pub(super) fn release_other() {
    WORD.fetch_sub(OTHER, Ordering::SeqCst);
}

/// In a forked child, which has one thread: nothing is on its way out, and nobody ticks.
pub(super) fn reset() {
    WORD.store(TICK, Ordering::SeqCst);
}
