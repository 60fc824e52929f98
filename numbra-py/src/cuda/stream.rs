//! Streams and events.
#![allow(non_snake_case, reason = "the driver's own names")]

use core::ffi::{c_int, c_void};

use numbra_cuda::{self as cuda, DriverError, Epoch, Event, Stream};
use pyo3::prelude::*;

use super::context::parse_epoch;
use super::driver_error;
use super::errors::{add, attached, count_callback, detached};

pub(super) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<StreamBase>()?;
    add!(
        m,
        cuStreamCreate,
        cuStreamDestroy,
        cuStreamSynchronize,
        cuStreamQuery,
        cuStreamWaitEvent,
        cuStreamAddCallback,
        cuEventCreate,
        cuEventDestroy,
        cuEventRecord,
        cuEventQuery,
        cuEventSynchronize,
        cuEventElapsedTime,
    );
    Ok(())
}

/// What a stream object keeps where launches read it without Python.
#[pyclass(subclass, frozen, module = "numbra.cuda.cudadrv.driver")]
pub(crate) struct StreamBase {
    stream: Stream,
    /// `None` for streams that are always there and for those of others.
    epoch: Option<Epoch>,
}

#[pymethods]
impl StreamBase {
    #[new]
    #[pyo3(signature = (pointer, epoch = None))]
    fn new(pointer: usize, epoch: Option<u64>) -> PyResult<Self> {
        Ok(StreamBase {
            stream: Stream(pointer),
            epoch: epoch.map(parse_epoch).transpose()?,
        })
    }

    /// The stream's address; raises `CudaAPIError` if its context was reset.
    #[getter]
    fn pointer(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.stream(py)?.0)
    }
}

impl StreamBase {
    /// How long the stream is good; `None` for the driver's own streams and those of others.
    pub(crate) fn epoch(&self) -> Option<Epoch> {
        self.epoch
    }

    /// The stream, unless its context was reset.
    fn stream(&self, py: Python<'_>) -> PyResult<Stream> {
        match self.epoch {
            Some(epoch) if !epoch.is_running() => {
                Err(driver_error(py, DriverError::destroyed("cuStreamGetCtx")))
            }
            _ => Ok(self.stream),
        }
    }
}

/// A new stream.
#[pyfunction]
fn cuStreamCreate(py: Python<'_>, flags: u32) -> PyResult<usize> {
    Ok(detached(py, || cuda::create_stream(flags))?.0)
}

/// Lets go of a stream.
#[pyfunction]
fn cuStreamDestroy(py: Python<'_>, stream: usize) -> PyResult<()> {
    // SAFETY: called once, when the stream's object is gone and its epoch runs.
    detached(py, || unsafe { cuda::destroy_stream(Stream(stream)) })
}

/// Waits for a stream.
#[pyfunction]
fn cuStreamSynchronize(py: Python<'_>, stream: usize) -> PyResult<()> {
    // SAFETY: `Stream` in Python gives its address only while its epoch runs.
    detached(py, || unsafe { cuda::synchronize_stream(Stream(stream)) })
}

/// Whether a stream's work is done.
#[pyfunction]
fn cuStreamQuery(py: Python<'_>, stream: usize) -> PyResult<bool> {
    // SAFETY: as above.
    attached(py, || unsafe { cuda::query_stream(Stream(stream)) })
}

/// Has a stream wait for an event.
#[pyfunction]
fn cuStreamWaitEvent(py: Python<'_>, stream: usize, event: usize, flags: u32) -> PyResult<()> {
    // SAFETY: as above, for events as well.
    attached(py, || unsafe {
        cuda::wait_event(Stream(stream), Event(event), flags)
    })
}

/// Calls `function(status)` on a thread of the driver's once the work before it is done.
#[pyfunction]
fn cuStreamAddCallback(py: Python<'_>, stream: usize, function: Py<PyAny>) -> PyResult<()> {
    let data = Box::into_raw(Box::new(function));
    let address = data as usize;
    count_callback(true);
    // SAFETY: the stream is as above; the data is a boxed callable, and the driver calls back once. Without the GIL,
    // because another thread may run callbacks, which take it, while the driver holds its own lock.
    let added = detached(py, || unsafe {
        cuda::add_callback(Stream(stream), call_back, address as *mut c_void)
    });
    if added.is_err() {
        count_callback(false);
        // SAFETY: the driver did not take it.
        drop(unsafe { Box::from_raw(data) });
    }
    added
}

/// # Safety
/// `data` is a boxed callable, given up by its owner.
unsafe extern "C" fn call_back(_stream: *mut c_void, status: c_int, data: *mut c_void) {
    // SAFETY: as the caller promises.
    let function = unsafe { Box::from_raw(data.cast::<Py<PyAny>>()) };
    let called = crate::python::try_enter(|py| {
        if let Err(error) = function.call1(py, (status,)) {
            error.write_unraisable(py, Some(function.bind(py)));
        }
    });
    count_callback(false);
    if called.is_none() {
        // The interpreter is going down, so nothing may be dropped.
        core::mem::forget(function);
    }
}

/// A new event.
#[pyfunction]
fn cuEventCreate(py: Python<'_>, flags: u32) -> PyResult<usize> {
    Ok(attached(py, || cuda::create_event(flags))?.0)
}

/// Lets go of an event.
#[pyfunction]
fn cuEventDestroy(py: Python<'_>, event: usize) -> PyResult<()> {
    // SAFETY: called once, when the event's object is gone and its epoch runs.
    attached(py, || unsafe { cuda::destroy_event(Event(event)) })
}

/// Marks the end of what is in a stream.
#[pyfunction]
fn cuEventRecord(py: Python<'_>, event: usize, stream: usize) -> PyResult<()> {
    // SAFETY: `Event` in Python gives its address only while its epoch runs.
    attached(py, || unsafe {
        cuda::record_event(Event(event), Stream(stream))
    })
}

/// Whether the work before the mark is done.
#[pyfunction]
fn cuEventQuery(py: Python<'_>, event: usize) -> PyResult<bool> {
    // SAFETY: as above.
    attached(py, || unsafe { cuda::query_event(Event(event)) })
}

/// Waits for the work before the mark.
#[pyfunction]
fn cuEventSynchronize(py: Python<'_>, event: usize) -> PyResult<()> {
    // SAFETY: as above.
    detached(py, || unsafe { cuda::synchronize_event(Event(event)) })
}

/// Milliseconds between two marks.
#[pyfunction]
fn cuEventElapsedTime(py: Python<'_>, start: usize, end: usize) -> PyResult<f32> {
    // SAFETY: as above.
    attached(py, || unsafe {
        cuda::elapsed_time(Event(start), Event(end))
    })
}
