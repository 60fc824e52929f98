//! Memory of other processes.

use cust::sys::CUipcMemHandle;

use crate::call::call;
use crate::driver::DriverError;
use crate::memory::DevicePtr;

/// What another process opens: 64 bytes that may be sent anywhere on the machine.
pub type IpcMemHandle = [u8; 64];

/// A handle of the allocation that begins at an address.
pub fn mem_handle(pointer: DevicePtr) -> Result<IpcMemHandle, DriverError> {
    let mut handle = CUipcMemHandle { reserved: [0; 64] };
    // SAFETY: writes one handle; other addresses are an error.
    unsafe { call!(cuIpcGetMemHandle(&mut handle, pointer)) }?;
    Ok(handle.reserved.map(|b| b as u8))
}

/// Maps another process's allocation; flags 1 to enable peer access where it is needed.
pub fn open_mem_handle(handle: IpcMemHandle, flags: u32) -> Result<DevicePtr, DriverError> {
    let mut pointer = 0;
    let handle = CUipcMemHandle {
        reserved: handle.map(|b| b as _),
    };
    // SAFETY: writes one address; bytes that are no handle are an error.
    unsafe { call!(cuIpcOpenMemHandle_v2(&mut pointer, handle, flags)) }?;
    Ok(pointer)
}

/// Undoes [`open_mem_handle`].
///
/// # Safety
/// Nobody reads or writes the memory through this address afterwards.
pub unsafe fn close_mem_handle(pointer: DevicePtr) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuIpcCloseMemHandle(pointer)) }
}
