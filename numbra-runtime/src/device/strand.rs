//! Stacks of our own that compiled code runs on, so that a launch can stop it anywhere.
//!
//! What goes on, and whether, is decided on the launch's stack: code that wants to know leaves a question and suspends. A
//! strand that is not resumed is given up with all that is on it.

use super::stacks;
use crate::interrupt;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, Yielder};
use std::cell::Cell;
use std::ffi::{CStr, c_char};

/// Why a strand has stopped.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It waits, or has ended.
    Waits,
    /// The interrupt word is set.
    Look,
    /// This function was called where its stack is nearly full.
    TooDeep(String),
}

/// What code on the strand needs to know.
struct Place {
    yielder: Cell<*const Yielder<(), ()>>,
    /// Where recursion ends.
    floor: usize,
    stop: Cell<Stop>,
}

thread_local! {
    /// The strand that this thread of the operating system runs.
    static CURRENT: Cell<*const Place> = const { Cell::new(std::ptr::null()) };
}

/// A stack and what runs on it.
pub(super) struct Strand {
    coroutine: Option<Coroutine<(), (), (), DefaultStack>>,
    place: Box<Place>,
}

impl Strand {
    /// A strand that has not begun, for code with so many bytes of local memory, which may call itself if `deep`.
    ///
    /// # Safety
    /// What `main` refers to lives until the strand is dropped. What it owns while it suspends may be forgotten.
    pub(super) unsafe fn new(
        local: usize,
        deep: bool,
        main: impl FnOnce() + 'static,
    ) -> std::io::Result<Strand> {
        let stack = stacks::take(local, deep)?;
        let place = Box::new(Place {
            yielder: Cell::new(std::ptr::null()),
            floor: stack.limit().get() + stacks::reserve(local),
            stop: Cell::new(Stop::Waits),
        });
        let at: *const Place = &raw const *place;
        let main = move |yielder: &Yielder<(), ()>, ()| {
            // SAFETY: the box is dropped after the coroutine.
            unsafe { (*at).yielder.set(yielder) };
            main();
        };
        // SAFETY: what the closure refers to outlives it, as argued there and by the caller.
        let coroutine = unsafe { Coroutine::with_stack_unchecked(stack, main) };
        Ok(Strand {
            coroutine: Some(coroutine),
            place,
        })
    }

    /// Runs it until it stops.
    pub(super) fn resume(&mut self) -> Stop {
        if let Some(coroutine) = &mut self.coroutine
            && !coroutine.done()
        {
            let around = CURRENT.replace(&raw const *self.place);
            coroutine.resume(());
            CURRENT.set(around);
        }
        self.place.stop.replace(Stop::Waits)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.coroutine.as_ref().is_none_or(Coroutine::done)
    }
}

impl Drop for Strand {
    fn drop(&mut self) {
        let Some(mut coroutine) = self.coroutine.take() else {
            return;
        };
        if coroutine.started() && !coroutine.done() {
            // SAFETY: what is given up are frames of compiled code and of natives that wait, which own nothing.
            unsafe { coroutine.force_reset() };
        }
        if coroutine.done() {
            stacks::give(coroutine.into_stack());
        }
    }
}

/// Stops the strand that calls this until it is resumed.
///
/// # Safety
/// Called on a strand.
pub(super) unsafe fn suspend() {
    // SAFETY: the strand is running, so its place and yielder live.
    unsafe { (*(*CURRENT.get()).yielder.get()).suspend(()) };
}

/// Has the launch look whether it is interrupted.
pub(super) fn look() {
    let place = CURRENT.get();
    if place.is_null() || !interrupt::is_asked() {
        return;
    }
    // SAFETY: the strand that calls this is running.
    unsafe {
        (*place).stop.set(Stop::Look);
        suspend();
    }
}

/// A function begins that may call itself.
///
/// # Safety
/// `function` is a C string.
pub(super) unsafe fn enter(function: *const c_char) {
    let here = 0_u8;
    let place = CURRENT.get();
    if place.is_null() {
        return;
    }
    // SAFETY: the strand that calls this is running; the caller says what the name is.
    unsafe {
        if (&raw const here).addr() >= (*place).floor {
            return look();
        }
        let name = CStr::from_ptr(function).to_string_lossy().into_owned();
        (*place).stop.set(Stop::TooDeep(name));
        loop {
            // Nobody resumes it.
            suspend();
        }
    }
}
