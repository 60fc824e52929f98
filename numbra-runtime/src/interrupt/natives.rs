//! What loops call that find the word set.

use super::word::{self, AGAIN, GIL, SIGNAL, TICK};
use super::{cancel, gil, signal, ticks};
use crate::error::{raise, with_error};
use crate::keeping::keeping;
use crate::stack::raise_if_full;
use numbra_abi::status;
use std::cell::Cell;

/// The class under which an interrupt is pending; numbra-py keeps the exception itself.
pub const INTERRUPT: &str = "numbra.interrupt";

thread_local! {
    /// This thread is on its way out of functions without status: see [`numbra_rt_leave`].
    static LEAVING: Cell<bool> = const { Cell::new(false) };
}

/// True if what is pending in this thread is an interrupt. Handlers of compiled code do not see interrupts.
pub fn is_interrupt() -> bool {
    let class = INTERRUPT.as_bytes();
    let starts = |text: &[u8]| text.windows(class.len()).take(16).any(|part| part == class);
    with_error(|error| error.address() == 0 && starts(error.description())).unwrap_or(false)
}

keeping! {
    /// `interrupt() -> status`: raises if this thread is to leave what it is doing.
    numbra_rt_interrupt => interrupt
}

extern "C" fn interrupt() -> i32 {
    if LEAVING.get() {
        LEAVING.set(false);
        word::release_other();
        return status::RAISED;
    }
    match asked() {
        true => status::RAISED,
        false => status::OK,
    }
}

keeping! {
    /// `leave() -> i32`: 1 if this thread is to leave; it must then come to [`numbra_rt_interrupt`] without doing anything
    /// that can be observed. For functions without status: what they return meanwhile means nothing.
    numbra_rt_leave => leave
}

extern "C" fn leave() -> i32 {
    if LEAVING.get() {
        return 1;
    }
    if !raise_if_full() && !asked() {
        return 0;
    }
    LEAVING.set(true);
    word::hold_other();
    1
}

/// `is_interrupt() -> i32`: 1 if what is pending is an interrupt.
pub(crate) extern "C" fn numbra_rt_is_interrupt() -> i32 {
    is_interrupt().into()
}

/// Looks at why the word is set; true if this thread is to leave, with an exception pending.
pub(crate) fn asked() -> bool {
    let mut why = word::load();
    if why & TICK != 0 {
        word::clear(TICK);
        ticks::start();
        if signal::look_after_handlers() {
            why |= word::set(SIGNAL) | SIGNAL;
        }
    }
    if cancel::current().is_some_and(|loop_| loop_.is_cancelled()) {
        raise(INTERRUPT, "");
        return true;
    }
    let Some(hooks) = signal::hooks() else {
        return false;
    };
    if why & (SIGNAL | TICK | GIL) == 0 && !signal::is_pending() {
        return false;
    }
    let has_gil = (hooks.has_gil)();
    if !signal::is_main_thread() {
        if has_gil {
            gil::give_way(hooks, why);
        }
        return false;
    }
    if has_gil {
        gil::stop();
    }
    if why & SIGNAL != 0 {
        word::clear(SIGNAL);
        if !has_gil {
            gil::ask();
        }
    } else if !has_gil && !signal::is_pending() {
        // Not worth waiting for the GIL.
        return false;
    }
    signal::forget_pending();
    if (hooks.check)() {
        raise(INTERRUPT, "");
        return true;
    }
    false
}

/// Whether the word is set.
pub fn is_asked() -> bool {
    word::load() != 0
}

/// For threads that wait or call compiled code over and over: true if this thread is to leave what it is doing, with the
/// interrupt pending.
pub fn interrupted() -> bool {
    (is_asked() || signal::is_pending()) && asked()
}

/// Keeps the word set for a while after an interrupt, for a caller of compiled code that goes on calling it.
pub fn ask_again() {
    word::set(AGAIN);
    // Takes it away, should this thread have nothing more to look for.
    ticks::start();
}

/// Ends what [`ask_again`] has begun.
pub fn stop_asking() {
    word::clear(AGAIN);
}
