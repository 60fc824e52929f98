//! Kernels of the processor, by handles like those of loaded modules.

use core::ffi::{c_int, c_uint, c_void};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::device::{MULTIPROCESSOR_THREADS, MULTIPROCESSORS, SHARED_MEMORY};
use super::{
    COOPERATIVE_LAUNCH_TOO_LARGE, INVALID_HANDLE, INVALID_VALUE, LAUNCH_FAILED, SUCCESS, context,
    give, stream,
};
use crate::module::Function;

/// What a kernel takes of a multiprocessor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostLimits {
    /// Bytes of static shared memory.
    pub shared: u32,
    /// Bytes of constant memory.
    pub constant: u32,
    /// Bytes of local memory of a thread.
    pub local: u32,
    /// Parameters: words of eight bytes.
    pub params: usize,
}

/// A launch of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct HostLaunch<'a> {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Parameters.
    pub params: &'a [u64],
}

/// Why a launch failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostFailure {
    /// The grid synchronises, and has more threads than can be there at once.
    TooLarge,
    /// The kernel did not run to its end.
    Failed,
}

type Run = dyn Fn(&HostLaunch<'_>) -> Result<(), HostFailure> + Send + Sync;

struct Known {
    limits: HostLimits,
    run: Box<Run>,
}

#[derive(Default)]
struct Functions {
    last: usize,
    known: BTreeMap<usize, Arc<Known>>,
}

/// Distance of handles: they look like addresses.
const STEP: usize = 64;

static FUNCTIONS: Mutex<Functions> = Mutex::new(Functions {
    last: 1 << 20,
    known: BTreeMap::new(),
});

fn functions() -> MutexGuard<'static, Functions> {
    FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn known(function: usize) -> Option<Arc<Known>> {
    functions().known.get(&function).cloned()
}

/// A kernel that launches run by calling a function. Its handle is good as long as it lives.
pub struct HostFunction {
    handle: usize,
}

impl HostFunction {
    /// A kernel that takes so much.
    pub fn new(
        limits: HostLimits,
        run: impl Fn(&HostLaunch<'_>) -> Result<(), HostFailure> + Send + Sync + 'static,
    ) -> HostFunction {
        let run = Box::new(run);
        let mut all = functions();
        all.last += STEP;
        let handle = all.last;
        all.known.insert(handle, Arc::new(Known { limits, run }));
        HostFunction { handle }
    }

    /// The kernel as the driver's functions take it.
    pub fn function(&self) -> Function {
        Function(self.handle)
    }
}

impl Drop for HostFunction {
    fn drop(&mut self) {
        functions().known.remove(&self.handle);
    }
}

unsafe extern "C" fn attribute(value: *mut c_int, attribute: c_int, function: usize) -> c_int {
    let Some(known) = known(function) else {
        return INVALID_HANDLE;
    };
    let limits = known.limits;
    let number = match attribute {
        0 => 1024,                     // MAX_THREADS_PER_BLOCK
        1 => limits.shared as c_int,   // SHARED_SIZE_BYTES
        2 => limits.constant as c_int, // CONST_SIZE_BYTES
        3 => limits.local as c_int,    // LOCAL_SIZE_BYTES
        4 => 16,                       // NUM_REGS, of x86-64
        5 | 6 => 90,                   // PTX_VERSION, BINARY_VERSION
        8 => SHARED_MEMORY,            // MAX_DYNAMIC_SHARED_SIZE_BYTES
        7 | 9..20 => 0,
        _ => return INVALID_VALUE,
    };
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(value, number) }
}

/// Settings of caches and of shared memory mean nothing here.
extern "C" fn set_attribute(function: usize, attribute: c_int, _: c_int) -> c_int {
    match known(function) {
        None => INVALID_HANDLE,
        Some(_) if (0..20).contains(&attribute) => SUCCESS,
        Some(_) => INVALID_VALUE,
    }
}

extern "C" fn set_cache_config(function: usize, preference: c_int) -> c_int {
    match known(function) {
        None => INVALID_HANDLE,
        Some(_) if (0..=3).contains(&preference) => SUCCESS,
        Some(_) => INVALID_VALUE,
    }
}

unsafe extern "C" fn active_blocks(
    blocks: *mut c_int,
    function: usize,
    size: c_int,
    _: usize,
    _: c_uint,
) -> c_int {
    if known(function).is_none() {
        return INVALID_HANDLE;
    }
    if size <= 0 {
        return INVALID_VALUE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(blocks, (MULTIPROCESSOR_THREADS / size).min(32)) }
}

unsafe extern "C" fn potential_block_size(
    grid: *mut c_int,
    block: *mut c_int,
    function: usize,
    _: *mut c_void,
    _: usize,
    limit: c_int,
    _: c_uint,
) -> c_int {
    if known(function).is_none() {
        return INVALID_HANDLE;
    }
    let size = if limit > 0 { limit.min(1024) } else { 1024 };
    // SAFETY: the driver's callers pass places for the results.
    unsafe {
        give(grid, MULTIPROCESSORS * (MULTIPROCESSOR_THREADS / size));
        give(block, size)
    }
}

/// What both kinds of launches do.
unsafe fn start(
    function: usize,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: usize,
    params: *const *const u64,
) -> c_int {
    for code in [context::check(), stream::check(stream)] {
        if code != SUCCESS {
            return code;
        }
    }
    let Some(known) = known(function) else {
        return INVALID_HANDLE;
    };
    let [_, grid_y, grid_z] = grid;
    let [x, y, z] = block;
    let threads = u64::from(x)
        .saturating_mul(u64::from(y))
        .saturating_mul(u64::from(z));
    let static_shared = known.limits.shared;
    if grid.contains(&0)
        || grid[0] > i32::MAX as u32
        || grid_y > 65535
        || grid_z > 65535
        || threads == 0
        || threads > 1024
        || z > 64
        || shared.saturating_add(static_shared) > SHARED_MEMORY as u32
    {
        return INVALID_VALUE;
    }
    let words = |n: usize| {
        // SAFETY: the driver's callers pass an address for each parameter of the kernel, of eight bytes as `HostLimits` says.
        unsafe { (*params.add(n)).read_unaligned() }
    };
    let params: Vec<u64> = (0..known.limits.params).map(words).collect();
    let launch = HostLaunch {
        grid,
        block,
        shared,
        params: &params,
    };
    match (known.run)(&launch) {
        Ok(()) => SUCCESS,
        Err(HostFailure::TooLarge) => COOPERATIVE_LAUNCH_TOO_LARGE,
        Err(HostFailure::Failed) => LAUNCH_FAILED,
    }
}

unsafe extern "C" fn launch(
    function: usize,
    gx: u32,
    gy: u32,
    gz: u32,
    bx: u32,
    by: u32,
    bz: u32,
    shared: u32,
    stream: usize,
    params: *const *const u64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the driver's callers promise the same.
    unsafe { start(function, [gx, gy, gz], [bx, by, bz], shared, stream, params) }
}

unsafe extern "C" fn launch_cooperative(
    function: usize,
    gx: u32,
    gy: u32,
    gz: u32,
    bx: u32,
    by: u32,
    bz: u32,
    shared: u32,
    stream: usize,
    params: *const *const u64,
) -> c_int {
    // SAFETY: the driver's callers promise the same.
    unsafe { start(function, [gx, gy, gz], [bx, by, bz], shared, stream, params) }
}

pub(super) fn entry(name: &str) -> Option<*mut c_void> {
    Some(match name {
        "cuFuncGetAttribute" => attribute as *mut c_void,
        "cuFuncSetAttribute" => set_attribute as *mut c_void,
        "cuFuncSetCacheConfig" => set_cache_config as *mut c_void,
        "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => active_blocks as *mut c_void,
        "cuOccupancyMaxPotentialBlockSizeWithFlags" => potential_block_size as *mut c_void,
        "cuLaunchKernel" => launch as *mut c_void,
        "cuLaunchCooperativeKernel" => launch_cooperative as *mut c_void,
        _ => return None,
    })
}
