//! Streams: queues of work.

use core::ffi::{c_int, c_void};
use core::ptr;

use cust::sys::CUstream;

use crate::call::call;
use crate::driver::DriverError;
use crate::event::Event;

/// A stream's address, or one of the driver's own: 0 the default, 1 the legacy one, 2 that of the thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stream(pub usize);

impl Stream {
    pub(crate) fn raw(self) -> CUstream {
        self.0 as CUstream
    }
}

/// What a stream calls when it comes to the callback: stream, error code, the data given.
pub type StreamCallback =
    unsafe extern "C" fn(stream: *mut c_void, status: c_int, data: *mut c_void);

/// A new stream; with flags 1 it does not wait for the default stream.
pub fn create_stream(flags: u32) -> Result<Stream, DriverError> {
    let mut stream = ptr::null_mut();
    // SAFETY: writes one handle.
    unsafe { call!(cuStreamCreate(&mut stream, flags)) }?;
    Ok(Stream(stream as usize))
}

/// Lets go of the stream: its work still runs to the end.
///
/// # Safety
/// The stream came from [`create_stream`], is not used again, and its context was not reset.
pub unsafe fn destroy_stream(stream: Stream) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuStreamDestroy_v2(stream.raw())) }
}

/// Waits for all work in the stream.
///
/// # Safety
/// The stream exists and its context was not reset.
pub unsafe fn synchronize_stream(stream: Stream) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuStreamSynchronize(stream.raw())) }
}

/// Whether all work in the stream is done.
///
/// # Safety
/// As for [`synchronize_stream`].
pub unsafe fn query_stream(stream: Stream) -> Result<bool, DriverError> {
    // SAFETY: as the caller promises.
    crate::event::unless_not_ready(unsafe { call!(cuStreamQuery(stream.raw())) })
}

/// Has later work in the stream wait for the event.
///
/// # Safety
/// Stream and event exist and their contexts were not reset.
pub unsafe fn wait_event(stream: Stream, event: Event, flags: u32) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuStreamWaitEvent(stream.raw(), event.raw(), flags)) }
}

/// Calls a function on a thread of the driver's once the work before it is done.
///
/// # Safety
/// As for [`synchronize_stream`]; the function may be called with the data on any thread, and calls nothing of the driver.
pub unsafe fn add_callback(
    stream: Stream,
    callback: StreamCallback,
    data: *mut c_void,
) -> Result<(), DriverError> {
    // SAFETY: as the caller promises; flags must be 0.
    unsafe { call!(in sys, cuStreamAddCallback(stream.raw(), callback, data, 0)) }
}

mod sys {
    //! In cust's declaration the callback's status is an enum, and not all codes are in it.
    use core::ffi::{c_int, c_uint, c_void};
    use cust::sys::CUstream;

    unsafe extern "C" {
        pub(super) fn cuStreamAddCallback(
            stream: CUstream,
            callback: super::StreamCallback,
            data: *mut c_void,
            flags: c_uint,
        ) -> c_int;
    }
}
