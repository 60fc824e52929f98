//! Kernels on the CPU: the threads of a block as fibers of one thread of the operating system.
//!
//! A fiber runs threads of a block one after the other. When one has to wait, for the block at a barrier or for its warp,
//! the fiber keeps that thread's stack, and another fiber goes on with the next thread: a block whose threads never wait
//! needs one fiber, a kernel without such operations none. Blocks run one after the other, in as many threads of the
//! operating system as parallel loops have; those of a grid that synchronises as a whole are all begun, in one, before any
//! of them ends.
//!
//! When nobody can go on and not all threads have ended, the launch ends with [`LaunchError::Deadlock`]. All code runs on
//! stacks of ours ([`strand`]), so that an interrupt or a recursion without end stops it where it is.

mod blocks;
mod fiber;
mod grid;
mod libdevice;
mod natives;
mod output;
mod plain;
mod stacks;
mod strand;
mod team;
#[cfg(test)]
mod tests;
mod warp;

pub(crate) use libdevice::numbra_rt_device_library;
pub(crate) use natives::{
    numbra_rt_device_active_mask, numbra_rt_device_barrier, numbra_rt_device_clock,
    numbra_rt_device_enter, numbra_rt_device_grid_barrier, numbra_rt_device_look,
    numbra_rt_device_match_all, numbra_rt_device_match_any, numbra_rt_device_print,
    numbra_rt_device_relax, numbra_rt_device_shuffle, numbra_rt_device_spin,
    numbra_rt_device_sync_warp, numbra_rt_device_thread, numbra_rt_device_vote,
};

use crate::error::PendingError;
use numbra_abi::DeviceThread;
use std::fmt;
use std::time::Instant;

/// Most threads of a block.
pub const MAX_BLOCK_THREADS: u32 = 1024;
/// Most threads of a grid that synchronises as a whole: each has a stack.
pub const MAX_RESIDENT_THREADS: u32 = 16 * MAX_BLOCK_THREADS;

/// The code of a kernel: `(parameters, thread)`. Parameters are words, each with a parameter in its low bytes.
pub type DeviceEntry = unsafe extern "C" fn(*const u64, *mut DeviceThread);

/// A compiled kernel.
#[derive(Clone, Copy, Debug)]
pub struct DeviceKernel {
    /// Its code.
    pub entry: DeviceEntry,
    /// Bytes of shared memory whose size it knows; what the launch adds follows.
    pub shared: u32,
    /// Whether a thread of it may wait for others.
    pub waits: bool,
    /// Whether its grid synchronises as a whole.
    pub cooperative: bool,
    /// Whether one call of it runs a row of threads. Then none of them waits or raises.
    pub rows: bool,
    /// Bytes of stack that a thread needs.
    pub stack: usize,
    /// Whether functions of it may call themselves.
    pub deep: bool,
    /// Whether its last launch took long: then other threads are asked for help at once.
    pub long: bool,
}

/// One launch.
#[derive(Clone, Copy, Debug)]
pub struct DeviceLaunch<'a> {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of shared memory beyond what the kernel knows.
    pub dynamic_shared: u32,
    /// The kernel's parameters.
    pub params: &'a [u64],
}

/// What a thread has raised.
#[derive(Debug)]
pub struct Raised {
    /// The exception.
    pub error: PendingError,
    /// Index of the thread, x first.
    pub thread: [u32; 3],
    /// Index of the block.
    pub block: [u32; 3],
}

/// Why a launch did not run to its end.
#[derive(Debug)]
pub enum LaunchError {
    /// Sizes that no device has.
    Shape,
    /// The grid synchronises, and has more threads than can be begun at once.
    TooLarge,
    /// No memory for stacks.
    Stack(std::io::Error),
    /// Some threads wait for others that do not come; the text names them.
    Deadlock(String),
    /// The first exception of a thread, of the first block with one; all others ran on.
    Raised(Box<Raised>),
    /// A function called itself too often.
    TooDeep {
        /// Its name.
        function: String,
        /// Index of the thread, x first.
        thread: [u32; 3],
        /// Index of the block.
        block: [u32; 3],
    },
    /// By a signal; what its handler raised is this.
    Interrupted(PendingError),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Shape => f.write_str("invalid sizes of a grid or block"),
            LaunchError::TooLarge => {
                write!(
                    f,
                    "a grid that synchronises has at most {MAX_RESIDENT_THREADS} threads"
                )
            }
            LaunchError::Stack(error) => write!(f, "no memory for a thread's stack: {error}"),
            LaunchError::Deadlock(text) => f.write_str(text),
            LaunchError::TooDeep {
                function,
                thread,
                block,
            } => {
                let (thread, block) = (place_text(thread), place_text(block));
                write!(
                    f,
                    "{function} calls itself too often for the stack of a thread: tid=[{thread}] ctaid=[{block}]"
                )
            }
            LaunchError::Interrupted(_) => f.write_str("the launch was interrupted"),
            LaunchError::Raised(raised) => write!(
                f,
                "an exception in thread {:?} of block {:?}",
                raised.thread, raised.block
            ),
        }
    }
}

impl std::error::Error for LaunchError {}

impl LaunchError {
    fn too_deep(function: String, thread: &DeviceThread) -> LaunchError {
        LaunchError::TooDeep {
            function,
            thread: thread.thread,
            block: thread.block,
        }
    }
}

/// Numbers of a place, as exceptions of kernels have them: z first.
fn place_text([x, y, z]: &[u32; 3]) -> String {
    format!("{z}, {y}, {x}")
}

/// An error if this thread of the operating system is to end what it does.
fn interrupted() -> Result<(), LaunchError> {
    if !crate::interrupt::interrupted() {
        return Ok(());
    }
    let error = crate::error::take_error();
    error.map_or(Ok(()), |error| Err(LaunchError::Interrupted(error)))
}

/// Runs a kernel to its end; whether it took long, which is [`DeviceKernel::long`] of the next launch.
///
/// # Safety
/// The kernel's code is loaded and takes these parameters; addresses among them are good for what it does with them.
pub unsafe fn launch_device(
    kernel: &DeviceKernel,
    launch: &DeviceLaunch<'_>,
) -> Result<bool, LaunchError> {
    let start = Instant::now();
    let threads = volume(launch.block);
    let blocks = volume(launch.grid);
    if threads == 0 || blocks == 0 || threads > u64::from(MAX_BLOCK_THREADS) {
        return Err(LaunchError::Shape);
    }
    if kernel.cooperative && blocks.saturating_mul(threads) > u64::from(MAX_RESIDENT_THREADS) {
        return Err(LaunchError::TooLarge);
    }
    // SAFETY: the caller's promise is the same.
    unsafe { blocks::run(kernel, launch)? };
    Ok(blocks::is_long(start.elapsed()))
}

/// Product of the extents.
fn volume(extents: [u32; 3]) -> u64 {
    let [x, y, z] = extents.map(u64::from);
    x.saturating_mul(y).saturating_mul(z)
}

/// The place with this number, counted with x first.
fn place(number: u64, extents: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = extents.map(u64::from);
    [
        (number % x) as u32,
        (number / x % y) as u32,
        (number / x / y) as u32,
    ]
}

/// Memory that blocks share, aligned as [`DeviceThread::SHARED_ALIGN`] says.
struct SharedMemory {
    bytes: Vec<u8>,
}

impl SharedMemory {
    fn new(kernel: &DeviceKernel, launch: &DeviceLaunch<'_>) -> SharedMemory {
        let size = kernel.shared as usize + launch.dynamic_shared as usize;
        SharedMemory {
            bytes: vec![0; size + DeviceThread::SHARED_ALIGN as usize],
        }
    }

    fn start(&mut self) -> *mut u8 {
        let base = self.bytes.as_mut_ptr();
        let skip = base.align_offset(DeviceThread::SHARED_ALIGN as usize);
        // SAFETY: so many bytes more than its size are allocated.
        unsafe { base.add(skip.min(DeviceThread::SHARED_ALIGN as usize)) }
    }
}

/// A thread that is in no block yet.
fn thread_of(launch: &DeviceLaunch<'_>) -> DeviceThread {
    DeviceThread {
        thread: [0; 3],
        block: [0; 3],
        block_dim: launch.block,
        grid_dim: launch.grid,
        lane: 0,
        dynamic_shared: launch.dynamic_shared,
        row: 1,
        shared: std::ptr::null_mut(),
        status: 0,
        fiber: std::ptr::null_mut(),
    }
}
