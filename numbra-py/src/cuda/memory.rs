//! Memory and copies.
//!
//! Addresses of the host come from live buffers that the callers in `numbra.cuda.cudadrv` hold; addresses of devices are
//! checked by the driver.
#![allow(non_snake_case, reason = "the driver's own names")]

use numbra_cuda::{self as cuda, DevicePtr, Stream};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::errors::{add, attached, detached};

pub(super) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(
        m,
        cuMemAlloc,
        cuMemAllocManaged,
        cuMemAllocAsync,
        cuMemFree,
        cuMemFreeAsync,
        cuMemHostAlloc,
        cuMemFreeHost,
        cuMemHostRegister,
        cuMemHostUnregister,
        cuMemHostGetDevicePointer,
        cuMemGetInfo,
        cuMemGetAddressRange,
        cuPointerGetAttribute,
        cuMemcpyHtoD,
        cuMemcpyHtoDAsync,
        cuMemcpyDtoH,
        cuMemcpyDtoHAsync,
        cuMemcpyDtoD,
        cuMemcpyDtoDAsync,
        cuMemsetD8,
        cuMemsetD8Async,
        cuIpcGetMemHandle,
        cuIpcOpenMemHandle,
        cuIpcCloseMemHandle,
    );
    Ok(())
}

/// New memory on the current device.
#[pyfunction]
fn cuMemAlloc(py: Python<'_>, size: usize) -> PyResult<DevicePtr> {
    detached(py, || cuda::alloc(size))
}

/// New memory on the current device that the host reaches as well.
#[pyfunction]
fn cuMemAllocManaged(py: Python<'_>, size: usize, flags: u32) -> PyResult<DevicePtr> {
    detached(py, || cuda::alloc_managed(size, flags))
}

/// New memory from the device's pool.
#[pyfunction]
fn cuMemAllocAsync(py: Python<'_>, size: usize, stream: usize) -> PyResult<DevicePtr> {
    // SAFETY: numbra.cuda passes streams that it holds, of a context that was not reset.
    detached(py, || unsafe { cuda::alloc_async(size, Stream(stream)) })
}

/// Frees memory of the device.
#[pyfunction]
fn cuMemFree(py: Python<'_>, pointer: DevicePtr) -> PyResult<()> {
    // SAFETY: called when nothing refers to the memory any more.
    detached(py, || unsafe { cuda::free(pointer) })
}

/// Gives memory back to the device's pool.
#[pyfunction]
fn cuMemFreeAsync(py: Python<'_>, pointer: DevicePtr, stream: usize) -> PyResult<()> {
    // SAFETY: as for cuMemFree and cuMemAllocAsync.
    detached(py, || unsafe { cuda::free_async(pointer, Stream(stream)) })
}

/// New page-locked memory.
#[pyfunction]
fn cuMemHostAlloc(py: Python<'_>, size: usize, flags: u32) -> PyResult<usize> {
    detached(py, || cuda::alloc_host(size, flags))
}

/// Frees page-locked memory.
#[pyfunction]
fn cuMemFreeHost(py: Python<'_>, pointer: usize) -> PyResult<()> {
    // SAFETY: called when nothing refers to the memory any more.
    detached(py, || unsafe { cuda::free_host(pointer) })
}

/// Page-locks memory.
#[pyfunction]
fn cuMemHostRegister(py: Python<'_>, pointer: usize, size: usize, flags: u32) -> PyResult<()> {
    // SAFETY: callers hold the owner of the memory until they unregister it.
    detached(py, || unsafe { cuda::register_host(pointer, size, flags) })
}

/// Unlocks it.
#[pyfunction]
fn cuMemHostUnregister(py: Python<'_>, pointer: usize) -> PyResult<()> {
    detached(py, || cuda::unregister_host(pointer))
}

/// Where the device sees mapped memory.
#[pyfunction]
#[pyo3(signature = (pointer, flags = 0))]
fn cuMemHostGetDevicePointer(py: Python<'_>, pointer: usize, flags: u32) -> PyResult<DevicePtr> {
    attached(py, || cuda::host_device_pointer(pointer, flags))
}

/// Free and total bytes.
#[pyfunction]
fn cuMemGetInfo(py: Python<'_>) -> PyResult<(usize, usize)> {
    attached(py, cuda::memory_info)
}

/// Start and size of the allocation around an address.
#[pyfunction]
fn cuMemGetAddressRange(py: Python<'_>, pointer: DevicePtr) -> PyResult<(DevicePtr, usize)> {
    attached(py, || cuda::address_range(pointer))
}

/// An attribute of an address, by its number.
#[pyfunction]
fn cuPointerGetAttribute(py: Python<'_>, attribute: i32, pointer: DevicePtr) -> PyResult<u64> {
    attached(py, || cuda::pointer_attribute(attribute, pointer))
}

/// Copies from the host.
#[pyfunction]
fn cuMemcpyHtoD(py: Python<'_>, to: DevicePtr, from: usize, size: usize) -> PyResult<()> {
    // SAFETY: the caller holds `size` bytes at `from`.
    detached(py, || unsafe {
        cuda::copy_to_device(to, from as *const u8, size, None)
    })
}

/// Copies from the host, in the order of a stream.
#[pyfunction]
fn cuMemcpyHtoDAsync(
    py: Python<'_>,
    to: DevicePtr,
    from: usize,
    size: usize,
    stream: usize,
) -> PyResult<()> {
    let stream = Some(Stream(stream));
    // SAFETY: the caller holds `size` bytes at `from`, and says to users that it must stay so until the copy is done.
    detached(py, || unsafe {
        cuda::copy_to_device(to, from as *const u8, size, stream)
    })
}

/// Copies to the host.
#[pyfunction]
fn cuMemcpyDtoH(py: Python<'_>, to: usize, from: DevicePtr, size: usize) -> PyResult<()> {
    // SAFETY: the caller holds `size` bytes at `to` that may be written.
    detached(py, || unsafe {
        cuda::copy_to_host(to as *mut u8, from, size, None)
    })
}

/// Copies to the host, in the order of a stream.
#[pyfunction]
fn cuMemcpyDtoHAsync(
    py: Python<'_>,
    to: usize,
    from: DevicePtr,
    size: usize,
    stream: usize,
) -> PyResult<()> {
    let stream = Some(Stream(stream));
    // SAFETY: as for cuMemcpyDtoH and cuMemcpyHtoDAsync.
    detached(py, || unsafe {
        cuda::copy_to_host(to as *mut u8, from, size, stream)
    })
}

/// Copies on the device.
#[pyfunction]
fn cuMemcpyDtoD(py: Python<'_>, to: DevicePtr, from: DevicePtr, size: usize) -> PyResult<()> {
    // SAFETY: the caller holds both arrays.
    detached(py, || unsafe { cuda::copy_on_device(to, from, size, None) })
}

/// Copies on the device, in the order of a stream.
#[pyfunction]
fn cuMemcpyDtoDAsync(
    py: Python<'_>,
    to: DevicePtr,
    from: DevicePtr,
    size: usize,
    stream: usize,
) -> PyResult<()> {
    let stream = Some(Stream(stream));
    // SAFETY: the caller holds both arrays.
    detached(py, || unsafe {
        cuda::copy_on_device(to, from, size, stream)
    })
}

/// Sets bytes.
#[pyfunction]
fn cuMemsetD8(py: Python<'_>, to: DevicePtr, byte: u8, count: usize) -> PyResult<()> {
    // SAFETY: the caller holds the array.
    detached(py, || unsafe { cuda::set_bytes(to, byte, count, None) })
}

/// Sets bytes, in the order of a stream.
#[pyfunction]
fn cuMemsetD8Async(
    py: Python<'_>,
    to: DevicePtr,
    byte: u8,
    count: usize,
    stream: usize,
) -> PyResult<()> {
    let stream = Some(Stream(stream));
    // SAFETY: the caller holds the array.
    detached(py, || unsafe { cuda::set_bytes(to, byte, count, stream) })
}

/// The handle of an allocation, for other processes.
#[pyfunction]
fn cuIpcGetMemHandle(py: Python<'_>, pointer: DevicePtr) -> PyResult<Py<PyBytes>> {
    let handle = attached(py, || cuda::mem_handle(pointer))?;
    Ok(PyBytes::new(py, &handle).unbind())
}

/// Maps another process's allocation.
#[pyfunction]
fn cuIpcOpenMemHandle(py: Python<'_>, handle: &[u8], flags: u32) -> PyResult<DevicePtr> {
    let handle = handle.try_into().map_err(|_| {
        PyValueError::new_err(format!("an IPC handle has 64 bytes, not {}", handle.len()))
    })?;
    detached(py, || cuda::open_mem_handle(handle, flags))
}

/// Unmaps it.
#[pyfunction]
fn cuIpcCloseMemHandle(py: Python<'_>, pointer: DevicePtr) -> PyResult<()> {
    // SAFETY: the caller drops its arrays first, as documented.
    detached(py, || unsafe { cuda::close_mem_handle(pointer) })
}
