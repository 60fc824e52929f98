//! A driver whose one device is the processor: memory is the host's, and all is done when a call returns.
//!
//! [`entry`] has its functions by the driver's names, for the slots of numbra-cuda-shim. So everything above the driver is
//! what it is for a GPU. Kernels are [`HostFunction`]s, whose addresses are handles like those of loaded modules; PTX
//! cannot be loaded or linked, and what is not here returns `CUDA_ERROR_NOT_SUPPORTED`.
//!
//! Handles are looked up before they are used: a wrong one is an error.

mod context;
mod device;
mod function;
mod memory;
mod stream;

pub use function::{HostFailure, HostFunction, HostLaunch, HostLimits};

use core::ffi::{c_char, c_int, c_void};

pub(super) const SUCCESS: c_int = 0;
pub(super) const INVALID_VALUE: c_int = 1;
pub(super) const OUT_OF_MEMORY: c_int = 2;
pub(super) const NOT_INITIALIZED: c_int = 3;
pub(super) const INVALID_DEVICE: c_int = 101;
pub(super) const INVALID_CONTEXT: c_int = 201;
pub(super) const PEER_ACCESS_UNSUPPORTED: c_int = 217;
pub(super) const INVALID_HANDLE: c_int = 400;
pub(super) const HOST_MEMORY_ALREADY_REGISTERED: c_int = 712;
pub(super) const HOST_MEMORY_NOT_REGISTERED: c_int = 713;
pub(super) const CONTEXT_IS_DESTROYED: c_int = 709;
pub(super) const NOT_FOUND: c_int = 500;
const LAUNCH_FAILED: c_int = 719;
const COOPERATIVE_LAUNCH_TOO_LARGE: c_int = 720;

/// Names of the codes that this driver returns.
const NAMES: &[(c_int, &core::ffi::CStr)] = &[
    (INVALID_VALUE, c"CUDA_ERROR_INVALID_VALUE"),
    (OUT_OF_MEMORY, c"CUDA_ERROR_OUT_OF_MEMORY"),
    (NOT_INITIALIZED, c"CUDA_ERROR_NOT_INITIALIZED"),
    (INVALID_DEVICE, c"CUDA_ERROR_INVALID_DEVICE"),
    (INVALID_CONTEXT, c"CUDA_ERROR_INVALID_CONTEXT"),
    (
        PEER_ACCESS_UNSUPPORTED,
        c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
    ),
    (INVALID_HANDLE, c"CUDA_ERROR_INVALID_HANDLE"),
    (NOT_FOUND, c"CUDA_ERROR_NOT_FOUND"),
    (600, c"CUDA_ERROR_NOT_READY"),
    (CONTEXT_IS_DESTROYED, c"CUDA_ERROR_CONTEXT_IS_DESTROYED"),
    (
        HOST_MEMORY_ALREADY_REGISTERED,
        c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
    ),
    (
        HOST_MEMORY_NOT_REGISTERED,
        c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
    ),
    (LAUNCH_FAILED, c"CUDA_ERROR_LAUNCH_FAILED"),
    (
        COOPERATIVE_LAUNCH_TOO_LARGE,
        c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
    ),
    (801, c"CUDA_ERROR_NOT_SUPPORTED"),
];

/// Writes through a pointer of the caller's.
///
/// # Safety
/// `at` is null or good for one write.
pub(super) unsafe fn give<T>(at: *mut T, value: T) -> c_int {
    if at.is_null() {
        return INVALID_VALUE;
    }
    // SAFETY: as the caller promises.
    unsafe { at.write_unaligned(value) };
    SUCCESS
}

unsafe extern "C" fn error_name(code: c_int, name: *mut *const c_char) -> c_int {
    match NAMES.iter().find(|(known, _)| *known == code) {
        // SAFETY: the driver's callers pass a place for the result.
        Some((_, text)) => unsafe { give(name, text.as_ptr()) },
        None => INVALID_VALUE,
    }
}

extern "C" fn init(flags: u32) -> c_int {
    if flags == 0 { SUCCESS } else { INVALID_VALUE }
}

unsafe extern "C" fn version(version: *mut c_int) -> c_int {
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(version, 12_080) }
}

/// The address of an entry point, by the name of its symbol.
pub(crate) fn entry(name: &str) -> Option<*mut c_void> {
    let own = match name {
        "cuInit" => init as *mut c_void,
        "cuDriverGetVersion" => version as *mut c_void,
        "cuGetErrorName" => error_name as *mut c_void,
        _ => {
            return device::entry(name)
                .or_else(|| context::entry(name))
                .or_else(|| memory::entry(name))
                .or_else(|| stream::entry(name))
                .or_else(|| function::entry(name));
        }
    };
    Some(own)
}
