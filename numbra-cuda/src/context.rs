//! Primary contexts, and the stack of contexts that each thread has.

use core::ptr;

use cust::sys::CUcontext;

use crate::call::call;
use crate::device::Device;
use crate::driver::DriverError;
use crate::epoch::{Epoch, Kind};

/// A context's address; 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context(pub usize);

impl Context {
    fn raw(self) -> CUcontext {
        self.0 as CUcontext
    }
}

/// The device's primary context, which [`release_primary`] gives back.
pub fn retain_primary(device: Device) -> Result<Context, DriverError> {
    let mut context = ptr::null_mut();
    // SAFETY: writes one handle.
    unsafe { call!(cuDevicePrimaryCtxRetain(&mut context, device.0)) }?;
    Ok(Context(context as usize))
}

/// Gives back what [`retain_primary`] got.
pub fn release_primary(device: Device) -> Result<(), DriverError> {
    // SAFETY: takes a device.
    unsafe { call!(cuDevicePrimaryCtxRelease_v2(device.0)) }
}

/// Destroys everything that any library has in the device's primary context, and ends its epochs.
pub fn reset_primary(device: Device) -> Result<(), DriverError> {
    Epoch::end(device.0 as u32, Kind::Context);
    // SAFETY: takes a device.
    unsafe { call!(cuDevicePrimaryCtxReset_v2(device.0)) }
}

/// Makes the context current on this thread, above the one that was.
///
/// # Safety
/// The context is one that the driver gave and that was not destroyed.
pub unsafe fn push(context: Context) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuCtxPushCurrent_v2(context.raw())) }
}

/// Removes the current context from this thread's stack and gives it.
pub fn pop() -> Result<Context, DriverError> {
    let mut context = ptr::null_mut();
    // SAFETY: writes one handle.
    unsafe { call!(cuCtxPopCurrent_v2(&mut context)) }?;
    Ok(Context(context as usize))
}

/// The context that is current on this thread, 0 if none is.
#[inline]
pub fn current() -> Result<Context, DriverError> {
    let mut context = ptr::null_mut();
    // SAFETY: writes one handle.
    unsafe { call!(cuCtxGetCurrent(&mut context)) }?;
    Ok(Context(context as usize))
}

/// Replaces the context that is current on this thread.
///
/// # Safety
/// The context is one that the driver gave and that was not destroyed, or 0.
pub unsafe fn set_current(context: Context) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuCtxSetCurrent(context.raw())) }
}

/// The device of the current context.
pub fn current_device() -> Result<Device, DriverError> {
    let mut device = 0;
    // SAFETY: writes one int.
    unsafe { call!(cuCtxGetDevice(&mut device)) }?;
    Ok(Device(device))
}

/// Waits for all work of the current context.
pub fn synchronize() -> Result<(), DriverError> {
    // SAFETY: takes nothing.
    unsafe { call!(cuCtxSynchronize()) }
}

/// Lets kernels of the current context read memory of another.
///
/// # Safety
/// As for [`push`].
pub unsafe fn enable_peer_access(peer: Context, flags: u32) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuCtxEnablePeerAccess(peer.raw(), flags)) }
}

/// Has profilers collect from now on.
pub fn profiler_start() -> Result<(), DriverError> {
    // SAFETY: takes nothing.
    unsafe { call!(cuProfilerStart()) }
}

/// Ends what [`profiler_start`] began.
pub fn profiler_stop() -> Result<(), DriverError> {
    // SAFETY: takes nothing.
    unsafe { call!(cuProfilerStop()) }
}
