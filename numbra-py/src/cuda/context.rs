//! Devices, contexts and the epochs of their handles.
#![allow(non_snake_case, reason = "the driver's own names")]

use numbra_cuda::{self as cuda, Context, Device, Epoch, Kind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::llvm;

use super::errors::{add, attached, detached, ready};

pub(super) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(
        m,
        init,
        is_loaded,
        cuDriverGetVersion,
        cuDeviceGetCount,
        cuDeviceGet,
        cuDeviceGetName,
        cuDeviceGetUuid,
        cuDeviceGetPCIBusId,
        cuDeviceTotalMem,
        cuDeviceGetAttribute,
        cuDeviceCanAccessPeer,
        cuDevicePrimaryCtxRetain,
        cuDevicePrimaryCtxRelease,
        cuDevicePrimaryCtxReset,
        cuCtxPushCurrent,
        cuCtxPopCurrent,
        cuCtxGetCurrent,
        cuCtxSetCurrent,
        cuCtxGetDevice,
        cuCtxSynchronize,
        cuCtxEnablePeerAccess,
        cuProfilerStart,
        cuProfilerStop,
        cuGetErrorName,
        epoch,
        end_allocations,
        is_running,
    );
    Ok(())
}

/// Loads the driver, or raises `CudaSupportError`.
#[pyfunction]
fn init(py: Python<'_>) -> PyResult<()> {
    ready(py)
}

/// Whether loading the driver was tried.
#[pyfunction]
fn is_loaded() -> bool {
    cuda::is_loaded()
}

/// The driver's version: 1000 times the major, 10 times the minor.
#[pyfunction]
fn cuDriverGetVersion(py: Python<'_>) -> PyResult<i32> {
    let (major, minor) = attached(py, cuda::version)?;
    Ok(major * 1000 + minor * 10)
}

/// How many devices this process may use.
#[pyfunction]
fn cuDeviceGetCount(py: Python<'_>) -> PyResult<i32> {
    attached(py, cuda::device_count)
}

/// The device of an ordinal.
#[pyfunction]
fn cuDeviceGet(py: Python<'_>, ordinal: i32) -> PyResult<i32> {
    Ok(attached(py, || cuda::device(ordinal))?.0)
}

/// A device's name.
#[pyfunction]
fn cuDeviceGetName(py: Python<'_>, device: i32) -> PyResult<String> {
    attached(py, || cuda::device_name(Device(device)))
}

/// A device's 16 bytes of identity.
#[pyfunction]
fn cuDeviceGetUuid(py: Python<'_>, device: i32) -> PyResult<Py<PyBytes>> {
    let uuid = attached(py, || cuda::device_uuid(Device(device)))?;
    Ok(PyBytes::new(py, &uuid).unbind())
}

/// A device's place on the bus.
#[pyfunction]
fn cuDeviceGetPCIBusId(py: Python<'_>, device: i32) -> PyResult<String> {
    attached(py, || cuda::pci_bus_id(Device(device)))
}

/// Bytes of a device's memory.
#[pyfunction]
fn cuDeviceTotalMem(py: Python<'_>, device: i32) -> PyResult<usize> {
    attached(py, || cuda::total_memory(Device(device)))
}

/// The attribute of a number.
#[pyfunction]
fn cuDeviceGetAttribute(py: Python<'_>, attribute: i32, device: i32) -> PyResult<i32> {
    attached(py, || cuda::attribute(Device(device), attribute))
}

/// Whether kernels on one device can read memory of the other.
#[pyfunction]
fn cuDeviceCanAccessPeer(py: Python<'_>, device: i32, peer: i32) -> PyResult<bool> {
    attached(py, || cuda::can_access_peer(Device(device), Device(peer)))
}

/// A device's primary context.
#[pyfunction]
fn cuDevicePrimaryCtxRetain(py: Python<'_>, device: i32) -> PyResult<usize> {
    if !cuda::is_host() {
        cuda::read_ahead(llvm::path());
    }
    Ok(detached(py, || cuda::retain_primary(Device(device)))?.0)
}

/// Gives back a primary context.
#[pyfunction]
fn cuDevicePrimaryCtxRelease(py: Python<'_>, device: i32) -> PyResult<()> {
    detached(py, || cuda::release_primary(Device(device)))
}

/// Destroys everything in a device's primary context.
#[pyfunction]
fn cuDevicePrimaryCtxReset(py: Python<'_>, device: i32) -> PyResult<()> {
    detached(py, || cuda::reset_primary(Device(device)))
}

/// Makes a context current.
#[pyfunction]
fn cuCtxPushCurrent(py: Python<'_>, context: usize) -> PyResult<()> {
    // SAFETY: numbra.cuda pushes what cuDevicePrimaryCtxRetain gave; the driver keeps primary contexts' handles.
    attached(py, || unsafe { cuda::push(Context(context)) })
}

/// Removes the current context and returns it.
#[pyfunction]
fn cuCtxPopCurrent(py: Python<'_>) -> PyResult<usize> {
    Ok(attached(py, cuda::pop)?.0)
}

/// The current context, or 0.
#[pyfunction]
fn cuCtxGetCurrent(py: Python<'_>) -> PyResult<usize> {
    Ok(attached(py, cuda::current)?.0)
}

/// Replaces the current context.
#[pyfunction]
fn cuCtxSetCurrent(py: Python<'_>, context: usize) -> PyResult<()> {
    // SAFETY: as for cuCtxPushCurrent.
    attached(py, || unsafe { cuda::set_current(Context(context)) })
}

/// The current context's device.
#[pyfunction]
fn cuCtxGetDevice(py: Python<'_>) -> PyResult<i32> {
    Ok(attached(py, cuda::current_device)?.0)
}

/// Waits for all work of the current context.
#[pyfunction]
fn cuCtxSynchronize(py: Python<'_>) -> PyResult<()> {
    detached(py, cuda::synchronize)
}

/// Lets kernels of the current context read memory of another.
#[pyfunction]
fn cuCtxEnablePeerAccess(py: Python<'_>, peer: usize, flags: u32) -> PyResult<()> {
    // SAFETY: as for cuCtxPushCurrent.
    attached(py, || unsafe {
        cuda::enable_peer_access(Context(peer), flags)
    })
}

/// Has profilers collect.
#[pyfunction]
fn cuProfilerStart(py: Python<'_>) -> PyResult<()> {
    attached(py, cuda::profiler_start)
}

/// Has profilers collect no more.
#[pyfunction]
fn cuProfilerStop(py: Python<'_>) -> PyResult<()> {
    attached(py, cuda::profiler_stop)
}

/// The name of an error code.
#[pyfunction]
fn cuGetErrorName(py: Python<'_>, code: i32) -> PyResult<String> {
    ready(py)?;
    Ok(cuda::error_name(code).into_owned())
}

/// The epoch of a device that runs now: of its context, or of what its memory manager holds.
#[pyfunction]
#[pyo3(signature = (device, allocations = false))]
fn epoch(device: u32, allocations: bool) -> u64 {
    let kind = if allocations {
        Kind::Allocations
    } else {
        Kind::Context
    };
    Epoch::now(device, kind).to_bits()
}

/// Ends the epoch of what a device's memory manager holds.
#[pyfunction]
fn end_allocations(device: u32) {
    Epoch::end(device, Kind::Allocations);
}

/// Whether an epoch still runs.
#[pyfunction]
fn is_running(epoch: u64) -> PyResult<bool> {
    parse_epoch(epoch).map(Epoch::is_running)
}

/// The epoch that `epoch` gave out as a number.
pub(super) fn parse_epoch(epoch: u64) -> PyResult<Epoch> {
    Epoch::from_bits(epoch).ok_or_else(|| PyValueError::new_err(format!("{epoch:#x} is no epoch")))
}
