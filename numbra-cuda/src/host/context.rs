//! The device's primary context, and which context is current on a thread.

use core::ffi::{c_int, c_uint, c_void};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::device::is_device;
use super::{
    CONTEXT_IS_DESTROYED, INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, PEER_ACCESS_UNSUPPORTED,
    SUCCESS, give, memory, stream,
};

/// How often the primary context is retained. Its address is the context's handle.
static RETAINED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Contexts of this thread, the current one last. Null stands for none.
    static STACK: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

fn primary() -> usize {
    (&raw const RETAINED).addr()
}

fn current_handle() -> usize {
    STACK.with_borrow(|stack| stack.last().copied().unwrap_or(0))
}

/// `SUCCESS` if a context is current.
pub(super) fn check() -> c_int {
    if current_handle() == 0 {
        INVALID_CONTEXT
    } else if RETAINED.load(Ordering::Relaxed) == 0 {
        CONTEXT_IS_DESTROYED
    } else {
        SUCCESS
    }
}

unsafe extern "C" fn retain(context: *mut usize, device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    RETAINED.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(context, primary()) }
}

extern "C" fn release(device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    let less = |n: usize| n.checked_sub(1);
    match RETAINED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
        Ok(_) => SUCCESS,
        Err(_) => INVALID_CONTEXT,
    }
}

extern "C" fn reset(device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    stream::finish();
    RETAINED.store(0, Ordering::Relaxed);
    memory::free_all();
    stream::forget_all();
    SUCCESS
}

extern "C" fn push(context: usize) -> c_int {
    if context != primary() {
        return INVALID_CONTEXT;
    }
    STACK.with_borrow_mut(|stack| stack.push(context));
    SUCCESS
}

unsafe extern "C" fn pop(context: *mut usize) -> c_int {
    match STACK.with_borrow_mut(Vec::pop) {
        // SAFETY: the driver's callers pass a place for the result.
        Some(top) => unsafe { give(context, top) },
        None => INVALID_CONTEXT,
    }
}

unsafe extern "C" fn current(context: *mut usize) -> c_int {
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(context, current_handle()) }
}

extern "C" fn set_current(context: usize) -> c_int {
    if context != 0 && context != primary() {
        return INVALID_CONTEXT;
    }
    STACK.with_borrow_mut(|stack| {
        stack.pop();
        if context != 0 {
            stack.push(context);
        }
    });
    SUCCESS
}

unsafe extern "C" fn current_device(device: *mut c_int) -> c_int {
    match check() {
        // SAFETY: the driver's callers pass a place for the result.
        SUCCESS => unsafe { give(device, 0) },
        code => code,
    }
}

extern "C" fn synchronize() -> c_int {
    let code = check();
    if code == SUCCESS {
        stream::finish();
    }
    code
}

extern "C" fn enable_peer_access(_: usize, flags: c_uint) -> c_int {
    if flags == 0 {
        PEER_ACCESS_UNSUPPORTED
    } else {
        INVALID_VALUE
    }
}

pub(super) fn entry(name: &str) -> Option<*mut c_void> {
    Some(match name {
        "cuDevicePrimaryCtxRetain" => retain as *mut c_void,
        "cuDevicePrimaryCtxRelease_v2" => release as *mut c_void,
        "cuDevicePrimaryCtxReset_v2" => reset as *mut c_void,
        "cuCtxPushCurrent_v2" => push as *mut c_void,
        "cuCtxPopCurrent_v2" => pop as *mut c_void,
        "cuCtxGetCurrent" => current as *mut c_void,
        "cuCtxSetCurrent" => set_current as *mut c_void,
        "cuCtxGetDevice" => current_device as *mut c_void,
        "cuCtxSynchronize" => synchronize as *mut c_void,
        "cuCtxEnablePeerAccess" => enable_peer_access as *mut c_void,
        "cuProfilerStart" | "cuProfilerStop" => check_entry as *mut c_void,
        _ => return None,
    })
}

extern "C" fn check_entry() -> c_int {
    check()
}
