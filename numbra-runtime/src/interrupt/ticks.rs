//! The thread that ticks while compiled code runs.
//!
//! It knows by the tick that a loop takes away. When nobody has taken one for a while it ends, and the next loop that finds
//! the tick makes a new one: a process that computes nothing has no thread of ours that wakes.

use super::word::{self, AGAIN, GIL, SIGNAL, TICK};
use super::{gil, signal};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// Time between ticks. A handler that replaced ours is noticed after it.
pub(super) const PERIOD: Duration = Duration::from_millis(50);
/// Ticks in a row that nobody takes until the thread ends.
const IDLE: u32 = 20;
/// Periods after which a signal is forgotten that the main thread has not come to look for: it was in Python, which has
/// handled it. So for the GIL that no thread has come to give up.
const STALE: u32 = 20;

static RUNNING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Ticks so far.
pub(super) fn count() -> u32 {
    COUNT.load(Ordering::Relaxed)
}

/// Makes the thread if there is none.
pub(super) fn start() {
    if RUNNING.load(Ordering::Relaxed) || RUNNING.swap(true, Ordering::SeqCst) {
        return;
    }
    static AT_FORK: Once = Once::new();
    AT_FORK.call_once(|| {
        // SAFETY: the handler stores two words. Without memory for it, forked children are interrupted later.
        unsafe { libc::pthread_atfork(None, None, Some(forget_parent)) };
    });
    let made = thread::Builder::new()
        .name("numbra-ticks".to_owned())
        .stack_size(64 << 10)
        .spawn(tick);
    if made.is_err() {
        RUNNING.store(false, Ordering::SeqCst);
    }
}

extern "C" fn forget_parent() {
    RUNNING.store(false, Ordering::SeqCst);
    gil::stop();
    signal::reset();
    word::reset();
}

fn tick() {
    let (mut idle, mut waiting, mut unheeded) = (0, 0, 0);
    let mut deferred = false;
    while idle < IDLE {
        thread::sleep(PERIOD);
        word::clear(AGAIN);
        signal::forget_stale();
        let (compiles, keeps) = signal::deferred();
        if deferred && keeps {
            signal::deliver_signals();
        }
        deferred = keeps;
        let before = word::set(TICK);
        idle = if before & TICK == 0 || compiles {
            0
        } else {
            idle + 1
        };
        waiting = if before & SIGNAL == 0 { 0 } else { waiting + 1 };
        if waiting >= STALE {
            word::clear(SIGNAL);
            waiting = 0;
        }
        unheeded = if before & GIL == 0 { 0 } else { unheeded + 1 };
        if unheeded >= STALE {
            gil::stop();
        }
        COUNT.fetch_add(1, Ordering::Relaxed);
        gil::ask_at_tick();
    }
    gil::stop();
    RUNNING.store(false, Ordering::SeqCst);
    // Who finds this one starts another thread.
    word::set(TICK);
}
