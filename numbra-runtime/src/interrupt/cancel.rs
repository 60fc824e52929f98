//! Work that other threads do for an interrupted one, and which is to end.

use super::{signal, word};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a parallel loop is to end.
#[derive(Debug)]
pub(crate) struct Cancel {
    cancelled: AtomicBool,
    /// The main thread runs it.
    is_main: bool,
    /// The loop that this one runs in.
    outer: Option<Arc<Cancel>>,
}

impl Cancel {
    /// For a loop of this thread.
    pub(crate) fn new() -> Cancel {
        let is_main = signal::is_main_thread();
        if is_main {
            signal::begin_loop();
        }
        Cancel {
            cancelled: AtomicBool::new(false),
            is_main,
            outer: current(),
        }
    }

    /// Has the loop's threads leave it; true the first time.
    pub(crate) fn cancel(&self) -> bool {
        let first = !self.cancelled.swap(true, Ordering::SeqCst);
        if first {
            word::hold_other();
        }
        first
    }

    /// True if this loop or one around it is to end.
    pub(crate) fn is_cancelled(&self) -> bool {
        let mut at = Some(self);
        while let Some(cancel) = at {
            if cancel.cancelled.load(Ordering::SeqCst) {
                return true;
            }
            at = cancel.outer.as_deref();
        }
        false
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        if *self.cancelled.get_mut() {
            word::release_other();
        }
        if self.is_main {
            signal::end_loop();
        }
    }
}

thread_local! {
    /// The loop that this thread works for.
    static CURRENT: RefCell<Option<Arc<Cancel>>> = const { RefCell::new(None) };
}

pub(crate) fn current() -> Option<Arc<Cancel>> {
    CURRENT.try_with(|c| c.borrow().clone()).unwrap_or(None)
}

/// Sets the loop that this thread works for; the one before.
pub(crate) fn replace(cancel: Option<Arc<Cancel>>) -> Option<Arc<Cancel>> {
    CURRENT.try_with(|c| c.replace(cancel)).unwrap_or(None)
}
