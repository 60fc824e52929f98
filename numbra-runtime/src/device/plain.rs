//! Kernels whose threads never wait: a loop.

use super::natives::Current;
use super::{DeviceKernel, DeviceLaunch, LaunchError, SharedMemory, note_error, output, thread_of};

/// # Safety
/// As for [`super::launch_device`]; the kernel waits nowhere.
pub(super) unsafe fn run(
    kernel: &DeviceKernel,
    launch: &DeviceLaunch<'_>,
) -> Result<(), LaunchError> {
    let mut memory = SharedMemory::new(kernel, launch);
    let mut thread = thread_of(launch);
    thread.shared = memory.start();
    let mut raised = None;
    let params = launch.params.as_ptr();
    let [gx, gy, gz] = launch.grid;
    let [bx, by, bz] = launch.block;
    let step = if kernel.rows { bx } else { 1 };
    thread.row = step;
    let state = &raw mut thread;
    let _current = Current::enter(state);
    let blocks = (0..gz).flat_map(|z| (0..gy).flat_map(move |y| (0..gx).map(move |x| [x, y, z])));
    for block in blocks {
        let mut number = 0;
        for z in 0..bz {
            for y in 0..by {
                for x in (0..bx).step_by(step as usize) {
                    // SAFETY: the state is this function's own, and nobody else looks at it between two threads; the
                    // caller says what the code is.
                    unsafe {
                        (*state).block = block;
                        (*state).thread = [x, y, z];
                        (*state).lane = number % 32;
                        (*state).status = 0;
                        (kernel.entry)(params, state);
                        if (*state).status != 0 {
                            note_error(&mut raised, &*state);
                        }
                    }
                    number += step;
                }
            }
        }
        output::flush_if_full();
    }
    match raised {
        Some(raised) => Err(LaunchError::Raised(raised)),
        None => Ok(()),
    }
}
