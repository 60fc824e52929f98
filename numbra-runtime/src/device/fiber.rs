//! A fiber: the stack on which threads of a kernel run, one after the other.

use super::DeviceKernel;
use super::grid::Grid;
use super::strand::{Stop, Strand};
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
}

/// Rounds of a loop that only looks like one that waits.
const SPINS: u32 = 1000;

/// A fiber and its stack.
pub(super) struct Owned {
    strand: Strand,
    fiber: Box<Fiber>,
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
        kernel: &DeviceKernel,
    ) -> std::io::Result<Owned> {
        thread.fiber = std::ptr::null_mut();
        let fiber = Box::new(Fiber {
            thread: UnsafeCell::new(thread),
            grid,
            id,
            team: Cell::new(0),
            number: Cell::new(0),
            spins: Cell::new(0),
        });
        let at: *const Fiber = &raw const *fiber;
        // SAFETY: nobody else has the new fiber.
        unsafe { (*fiber.thread.get()).fiber = at.cast_mut().cast() };
        let main = move || {
            // SAFETY: the box is dropped after the strand, and the caller says the same of the grid.
            let (fiber, grid) = unsafe { (&*at, &*(*at).grid) };
            grid.work(fiber);
        };
        // SAFETY: what the closure refers to outlives it, as argued there.
        let strand = unsafe { Strand::new(kernel.stack, kernel.deep, main)? };
        Ok(Owned { strand, fiber })
    }

    pub(super) fn fiber(&self) -> &Fiber {
        &self.fiber
    }

    /// Runs it until it stops.
    pub(super) fn resume(&mut self) -> Stop {
        self.strand.resume()
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
}
