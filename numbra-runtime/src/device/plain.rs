//! Kernels whose threads never wait: a loop.

use super::blocks::Blocks;
use super::natives::Current;
use super::strand::{Stop, Strand, look};
use super::{DeviceKernel, DeviceLaunch, LaunchError, SharedMemory, interrupted, place, thread_of};
use numbra_abi::DeviceThread;

/// What the loop works on.
struct Work<'a> {
    kernel: &'a DeviceKernel,
    launch: &'a DeviceLaunch<'a>,
    blocks: &'a Blocks,
    thread: *mut DeviceThread,
}

/// Runs blocks until none are left, or until it has taken long enough.
///
/// # Safety
/// As for [`super::launch_device`]; the kernel waits nowhere.
pub(super) unsafe fn run(
    kernel: &DeviceKernel,
    launch: &DeviceLaunch<'_>,
    blocks: &Blocks,
) -> Result<(), LaunchError> {
    let mut memory = SharedMemory::new(kernel, launch);
    let mut thread = thread_of(launch);
    thread.shared = memory.start();
    thread.row = if kernel.rows { launch.block[0] } else { 1 };
    let thread = &raw mut thread;
    let work = Work {
        kernel,
        launch,
        blocks,
        thread,
    };
    let at: *const Work<'_> = &raw const work;
    let at = at.cast::<()>();
    let main = move || {
        // SAFETY: the work is in the frame below, and the caller says what the code is.
        unsafe { (*at.cast::<Work<'_>>()).run() }
    };
    // SAFETY: the strand is dropped before the work; a frame of the loop owns nothing.
    let mut strand =
        unsafe { Strand::new(kernel.stack, kernel.deep, main) }.map_err(LaunchError::Stack)?;
    let _current = Current::enter(thread);
    loop {
        match strand.resume() {
            Stop::Waits if strand.has_ended() => return Ok(()),
            Stop::Waits | Stop::Look => interrupted()?,
            Stop::TooDeep(function) => {
                // SAFETY: the strand is stopped.
                return Err(LaunchError::too_deep(function, unsafe { &*thread }));
            }
        }
    }
}

impl Work<'_> {
    /// # Safety
    /// As for [`run`], on a strand.
    unsafe fn run(&self) {
        let [width, height, depth] = self.launch.block;
        let params = self.launch.params.as_ptr();
        // SAFETY: nobody else looks at the thread's state while the strand runs.
        let step = unsafe { (*self.thread).row };
        while let Some(block) = self.blocks.take() {
            let mut number = 0;
            let at = place(block, self.launch.grid);
            for z in 0..depth {
                for y in 0..height {
                    for x in (0..width).step_by(step as usize) {
                        // SAFETY: as above; the caller says what the code is.
                        unsafe {
                            (*self.thread).block = at;
                            (*self.thread).thread = [x, y, z];
                            (*self.thread).lane = number % 32;
                            (*self.thread).status = 0;
                            (self.kernel.entry)(params, self.thread);
                            if (*self.thread).status != 0 {
                                self.blocks.note_raised(&*self.thread);
                            }
                        }
                        number += step;
                        look();
                    }
                }
            }
            self.blocks.note_output(block);
            if !self.blocks.go_on() {
                break;
            }
        }
    }
}
