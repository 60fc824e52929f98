//! Memory of devices, memory of the host that devices reach, and copies.

use core::ffi::{c_int, c_void};
use core::ptr;

use crate::call::call;
use crate::driver::DriverError;
use crate::stream::Stream;

/// An address on a device.
pub type DevicePtr = u64;

/// New memory on the current device.
pub fn alloc(bytes: usize) -> Result<DevicePtr, DriverError> {
    let mut pointer = 0;
    // SAFETY: writes one address.
    unsafe { call!(cuMemAlloc_v2(&mut pointer, bytes)) }?;
    Ok(pointer)
}

/// New memory on the current device that both sides reach: flags 1 from any stream, 2 from the host first.
pub fn alloc_managed(bytes: usize, flags: u32) -> Result<DevicePtr, DriverError> {
    let mut pointer = 0;
    // SAFETY: writes one address.
    unsafe { call!(cuMemAllocManaged(&mut pointer, bytes, flags)) }?;
    Ok(pointer)
}

/// New memory from the device's pool, in the order of a stream.
///
/// # Safety
/// The stream exists and its context was not reset.
pub unsafe fn alloc_async(bytes: usize, stream: Stream) -> Result<DevicePtr, DriverError> {
    let mut pointer = 0;
    // SAFETY: as the caller promises; writes one address.
    unsafe { call!(cuMemAllocAsync(&mut pointer, bytes, stream.raw())) }?;
    Ok(pointer)
}

/// Frees what [`alloc`] or [`alloc_managed`] gave.
///
/// # Safety
/// Nobody reads or writes the memory afterwards.
pub unsafe fn free(pointer: DevicePtr) -> Result<(), DriverError> {
    // SAFETY: as the caller promises; other addresses are an error.
    unsafe { call!(cuMemFree_v2(pointer)) }
}

/// Frees what [`alloc_async`] gave, in the order of a stream.
///
/// # Safety
/// As for [`free`] and [`alloc_async`].
pub unsafe fn free_async(pointer: DevicePtr, stream: Stream) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuMemFreeAsync(pointer, stream.raw())) }
}

/// New page-locked memory of the host: flags 1 for all contexts, 2 mapped, 4 write-combined.
pub fn alloc_host(bytes: usize, flags: u32) -> Result<usize, DriverError> {
    let mut pointer = ptr::null_mut();
    // SAFETY: writes one address.
    unsafe { call!(cuMemHostAlloc(&mut pointer, bytes, flags)) }?;
    Ok(pointer as usize)
}

/// Frees what [`alloc_host`] gave.
///
/// # Safety
/// Nobody reads or writes the memory afterwards.
pub unsafe fn free_host(pointer: usize) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuMemFreeHost(pointer as *mut c_void)) }
}

/// Page-locks memory of the host: flags 1 for all contexts, 2 mapped.
///
/// # Safety
/// The memory stays until [`unregister_host`].
pub unsafe fn register_host(pointer: usize, bytes: usize, flags: u32) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuMemHostRegister_v2(pointer as *mut c_void, bytes, flags)) }
}

/// Undoes [`register_host`].
pub fn unregister_host(pointer: usize) -> Result<(), DriverError> {
    // SAFETY: other addresses are an error.
    unsafe { call!(cuMemHostUnregister(pointer as *mut c_void)) }
}

/// Where the device sees mapped memory of the host.
pub fn host_device_pointer(pointer: usize, flags: u32) -> Result<DevicePtr, DriverError> {
    let mut device = 0;
    // SAFETY: writes one address; memory that is not mapped is an error.
    unsafe {
        call!(cuMemHostGetDevicePointer_v2(
            &mut device,
            pointer as *mut c_void,
            flags
        ))
    }?;
    Ok(device)
}

/// Free and total bytes of the current device.
pub fn memory_info() -> Result<(usize, usize), DriverError> {
    let (mut free, mut total) = (0, 0);
    // SAFETY: writes two sizes.
    unsafe { call!(cuMemGetInfo_v2(&mut free, &mut total)) }?;
    Ok((free, total))
}

/// Start and size of the allocation that holds an address.
pub fn address_range(pointer: DevicePtr) -> Result<(DevicePtr, usize), DriverError> {
    let (mut base, mut size) = (0, 0);
    // SAFETY: writes an address and a size; unknown addresses are an error.
    unsafe { call!(cuMemGetAddressRange_v2(&mut base, &mut size, pointer)) }?;
    Ok((base, size))
}

/// A `CU_POINTER_ATTRIBUTE_*` of an address, those of at most eight bytes.
pub fn pointer_attribute(attribute: i32, pointer: DevicePtr) -> Result<u64, DriverError> {
    // Tokens for RDMA are two words: no attribute is larger.
    let mut value = [0u64; 2];
    // SAFETY: writes at most two words; unknown addresses and attributes are an error.
    unsafe { call!(in sys, cuPointerGetAttribute(value.as_mut_ptr().cast(), attribute, pointer)) }?;
    Ok(value[0])
}

/// Copies from the host; without a stream it is done on return (for pageable memory, read on return).
///
/// # Safety
/// The host's bytes are there until the copy is done; the stream exists.
pub unsafe fn copy_to_device(
    to: DevicePtr,
    from: *const u8,
    bytes: usize,
    stream: Option<Stream>,
) -> Result<(), DriverError> {
    // SAFETY: as the caller promises; the driver checks the device's address.
    unsafe {
        match stream {
            None => call!(cuMemcpyHtoD_v2(to, from.cast(), bytes)),
            Some(stream) => call!(cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, stream.raw())),
        }
    }
}

/// Copies to the host; without a stream it is done on return.
///
/// # Safety
/// As for [`copy_to_device`], and the host's bytes may be written.
pub unsafe fn copy_to_host(
    to: *mut u8,
    from: DevicePtr,
    bytes: usize,
    stream: Option<Stream>,
) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe {
        match stream {
            None => call!(cuMemcpyDtoH_v2(to.cast(), from, bytes)),
            Some(stream) => call!(cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, stream.raw())),
        }
    }
}

/// Copies on the device.
///
/// # Safety
/// Nobody else writes the bytes until the copy is done; the stream exists.
pub unsafe fn copy_on_device(
    to: DevicePtr,
    from: DevicePtr,
    bytes: usize,
    stream: Option<Stream>,
) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe {
        match stream {
            None => call!(cuMemcpyDtoD_v2(to, from, bytes)),
            Some(stream) => call!(cuMemcpyDtoDAsync_v2(to, from, bytes, stream.raw())),
        }
    }
}

/// Sets bytes of the device.
///
/// # Safety
/// As for [`copy_on_device`].
pub unsafe fn set_bytes(
    to: DevicePtr,
    byte: u8,
    count: usize,
    stream: Option<Stream>,
) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe {
        match stream {
            None => call!(cuMemsetD8_v2(to, byte, count)),
            Some(stream) => call!(cuMemsetD8Async(to, byte, count, stream.raw())),
        }
    }
}

mod sys {
    //! cust declares it with an enum for a parameter, and not all attributes are in it.
    use super::{c_int, c_void};

    unsafe extern "C" {
        pub(super) fn cuPointerGetAttribute(
            data: *mut c_void,
            attribute: c_int,
            pointer: u64,
        ) -> c_int;
    }
}
