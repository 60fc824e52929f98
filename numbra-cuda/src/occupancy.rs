//! How many blocks of a kernel fit.

use crate::call::call;
use crate::driver::DriverError;
use crate::module::Function;

/// How many blocks of so many threads one multiprocessor holds at once.
///
/// # Safety
/// The kernel's module is loaded and its context was not reset.
pub unsafe fn active_blocks_per_multiprocessor(
    function: Function,
    block_size: i32,
    shared_bytes: usize,
    flags: u32,
) -> Result<i32, DriverError> {
    let mut blocks = 0;
    // SAFETY: as the caller promises; writes one int.
    unsafe {
        call!(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &mut blocks,
            function.raw(),
            block_size,
            shared_bytes,
            flags,
        ))
    }?;
    Ok(blocks)
}

/// Sizes of the smallest grid and of the block that fill the device: `(grid, block)`. A limit of 0 is none.
///
/// # Safety
/// As for [`active_blocks_per_multiprocessor`].
pub unsafe fn max_potential_block_size(
    function: Function,
    shared_bytes: usize,
    block_size_limit: i32,
    flags: u32,
) -> Result<(i32, i32), DriverError> {
    let (mut grid, mut block) = (0, 0);
    // SAFETY: as the caller promises; no callback is given, since the bytes of shared memory are one number; writes two
    // ints.
    unsafe {
        call!(cuOccupancyMaxPotentialBlockSizeWithFlags(
            &mut grid,
            &mut block,
            function.raw(),
            None,
            shared_bytes,
            block_size_limit,
            flags,
        ))
    }?;
    Ok((grid, block))
}
