//! A fiber: the stack on which threads of a kernel run, one after the other.

use super::grid::Grid;
use super::stacks;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, Yielder};
use numbra_abi::DeviceThread;
use std::cell::{Cell, UnsafeCell};

/// What a fiber and the thread on it know. Compiled code has the address of `thread`.
pub(super) struct Fiber {
    pub(super) thread: UnsafeCell<DeviceThread>,
    pub(super) grid: *const Grid,
    /// Its number in the grid's list.
    pub(super) id: usize,
    /// The block of its thread, as a number in the grid's list.
    pub(super) team: Cell<usize>,
    /// Its thread's number in the block.
    pub(super) number: Cell<u32>,
    /// Rounds that its thread has spun.
    spins: Cell<u32>,
    yielder: Cell<*const Yielder<(), ()>>,
}

/// Rounds of a loop that only looks like one that waits.
const SPINS: u32 = 1000;

/// A fiber and its stack.
pub(super) struct Owned {
    fiber: Box<Fiber>,
    coroutine: Option<Coroutine<(), (), (), DefaultStack>>,
}

impl Owned {
    /// A fiber that has not begun.
    ///
    /// # Safety
    /// `grid` stays where it is and lives until the fiber is dropped.
    pub(super) unsafe fn new(
        grid: *const Grid,
        id: usize,
        mut thread: DeviceThread,
        local: usize,
    ) -> std::io::Result<Owned> {
        let stack = stacks::take(local)?;
        thread.fiber = std::ptr::null_mut();
        let fiber = Box::new(Fiber {
            thread: UnsafeCell::new(thread),
            grid,
            id,
            team: Cell::new(0),
            number: Cell::new(0),
            spins: Cell::new(0),
            yielder: Cell::new(std::ptr::null()),
        });
        let at: *const Fiber = &raw const *fiber;
        // SAFETY: nobody else has the new fiber.
        unsafe { (*fiber.thread.get()).fiber = at.cast_mut().cast() };
        let main = move |yielder: &Yielder<(), ()>, ()| {
            // SAFETY: the box is dropped after the coroutine has ended, and the caller says the same of the grid.
            let (fiber, grid) = unsafe { (&*at, &*(*at).grid) };
            fiber.yielder.set(yielder);
            grid.work(fiber);
        };
        // SAFETY: what the closure refers to outlives it, as argued there.
        let coroutine = unsafe { Coroutine::with_stack_unchecked(stack, main) };
        Ok(Owned {
            fiber,
            coroutine: Some(coroutine),
        })
    }

    pub(super) fn fiber(&self) -> &Fiber {
        &self.fiber
    }

    /// Runs it until it waits or has nothing to do.
    pub(super) fn resume(&mut self) {
        if let Some(coroutine) = &mut self.coroutine
            && !coroutine.done()
        {
            coroutine.resume(());
        }
    }
}

impl Fiber {
    /// A thread begins.
    pub(super) fn begin(&self, team: usize, number: u32) {
        self.team.set(team);
        self.number.set(number);
        self.spins.set(0);
    }

    /// Another round; whether it is time for others.
    pub(super) fn has_spun(&self) -> bool {
        self.spins.set(self.spins.get().saturating_add(1));
        self.spins.get() > SPINS
    }

    /// Stops here until the grid resumes this fiber.
    ///
    /// # Safety
    /// Called on this fiber's stack.
    pub(super) unsafe fn suspend(&self) {
        // SAFETY: the yielder lives as long as the fiber's main function runs, which called the caller.
        unsafe { (*self.yielder.get()).suspend(()) };
    }
}

impl Drop for Owned {
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
