//! What a thread of a kernel that runs on the CPU knows of its place.

use core::ffi::c_void;

/// One thread of a kernel on the CPU: compiled code reads it, the runtime writes it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DeviceThread {
    /// Index in the block, x first.
    pub thread: [u32; 3],
    /// Index of the block.
    pub block: [u32; 3],
    /// Threads of a block.
    pub block_dim: [u32; 3],
    /// Blocks of the grid.
    pub grid_dim: [u32; 3],
    /// Number in the warp; in rows, of the first.
    pub lane: u32,
    /// Bytes of shared memory that the launch asked for.
    pub dynamic_shared: u32,
    /// Threads that one call runs, if the kernel runs rows of them: from index 0 along x.
    pub row: u32,
    /// Memory that the block shares.
    pub shared: *mut u8,
    /// The status with which the thread ended: 0, or there is a pending exception.
    pub status: i32,
    /// The runtime's.
    pub fiber: *mut c_void,
}

impl DeviceThread {
    /// Bytes to which the block's shared memory is aligned.
    pub const SHARED_ALIGN: u32 = 256;
}
