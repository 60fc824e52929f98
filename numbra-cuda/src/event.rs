//! Events: marks in streams.

use core::ptr;

use cust::sys::CUevent;

use crate::call::call;
use crate::driver::DriverError;
use crate::stream::Stream;

/// An event's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event(pub usize);

impl Event {
    pub(crate) fn raw(self) -> CUevent {
        self.0 as CUevent
    }
}

/// A new event; with flags 2 it takes no times.
pub fn create_event(flags: u32) -> Result<Event, DriverError> {
    let mut event = ptr::null_mut();
    // SAFETY: writes one handle.
    unsafe { call!(cuEventCreate(&mut event, flags)) }?;
    Ok(Event(event as usize))
}

/// Lets go of the event.
///
/// # Safety
/// The event came from [`create_event`], is not used again, and its context was not reset.
pub unsafe fn destroy_event(event: Event) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuEventDestroy_v2(event.raw())) }
}

/// Puts the mark at the end of what is in the stream now.
///
/// # Safety
/// Event and stream exist and their contexts were not reset.
pub unsafe fn record_event(event: Event, stream: Stream) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuEventRecord(event.raw(), stream.raw())) }
}

/// Whether the work before the mark is done.
///
/// # Safety
/// The event exists and its context was not reset.
pub unsafe fn query_event(event: Event) -> Result<bool, DriverError> {
    // SAFETY: as the caller promises.
    unless_not_ready(unsafe { call!(cuEventQuery(event.raw())) })
}

/// Waits for the work before the mark.
///
/// # Safety
/// As for [`query_event`].
pub unsafe fn synchronize_event(event: Event) -> Result<(), DriverError> {
    // SAFETY: as the caller promises.
    unsafe { call!(cuEventSynchronize(event.raw())) }
}

/// Milliseconds between two marks.
///
/// # Safety
/// As for [`query_event`], of both.
pub unsafe fn elapsed_time(start: Event, end: Event) -> Result<f32, DriverError> {
    let mut milliseconds = 0.0;
    // SAFETY: as the caller promises; writes one float.
    unsafe {
        call!(cuEventElapsedTime(
            &mut milliseconds,
            start.raw(),
            end.raw()
        ))
    }?;
    Ok(milliseconds)
}

/// `false` for the code that says that work is still going on.
pub(crate) fn unless_not_ready(outcome: Result<(), DriverError>) -> Result<bool, DriverError> {
    match outcome {
        Ok(()) => Ok(true),
        Err(error) if error.code == DriverError::NOT_READY => Ok(false),
        Err(error) => Err(error),
    }
}
