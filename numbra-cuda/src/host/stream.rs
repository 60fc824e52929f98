//! Streams and events: all work is done when its call returns, but for callbacks, which have a thread each.

use core::ffi::{c_int, c_uint, c_void};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use super::{INVALID_HANDLE, INVALID_VALUE, SUCCESS, context, give};

/// An event.
#[derive(Clone, Copy)]
struct Event {
    timed: bool,
    recorded: Option<Instant>,
}

#[derive(Default)]
struct Handles {
    /// The last handle that was given; none is given twice.
    last: usize,
    streams: Vec<usize>,
    events: BTreeMap<usize, Event>,
}

/// Distance of handles: they look like addresses.
const STEP: usize = 16;
/// Below are the driver's own streams: 0, the legacy one and that of each thread.
const FIRST: usize = 1 << 12;

static HANDLES: Mutex<Handles> = Mutex::new(Handles {
    last: FIRST,
    streams: Vec::new(),
    events: BTreeMap::new(),
});
static CALLBACKS: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

fn handles() -> MutexGuard<'static, Handles> {
    HANDLES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Handles {
    fn next(&mut self) -> usize {
        self.last += STEP;
        self.last
    }
}

/// Waits for callbacks.
pub(super) fn finish() {
    let running = std::mem::take(&mut *CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner));
    for thread in running {
        // A callback that panicked has ended too.
        let _ = thread.join();
    }
}

/// Forgets all streams and events.
pub(super) fn forget_all() {
    let mut known = handles();
    known.streams.clear();
    known.events.clear();
}

/// `SUCCESS` if the stream is there.
pub(super) fn check(stream: usize) -> c_int {
    if stream <= 2 || handles().streams.contains(&stream) {
        SUCCESS
    } else {
        INVALID_HANDLE
    }
}

unsafe extern "C" fn create(stream: *mut usize, flags: c_uint) -> c_int {
    match context::check() {
        SUCCESS if flags > 1 => INVALID_VALUE,
        SUCCESS => {
            let mut known = handles();
            let handle = known.next();
            known.streams.push(handle);
            // SAFETY: the driver's callers pass a place for the result.
            unsafe { give(stream, handle) }
        }
        code => code,
    }
}

extern "C" fn destroy(stream: usize) -> c_int {
    let mut known = handles();
    match known.streams.iter().position(|&one| one == stream) {
        Some(at) => {
            known.streams.swap_remove(at);
            SUCCESS
        }
        None => INVALID_HANDLE,
    }
}

extern "C" fn synchronize(stream: usize) -> c_int {
    let code = check(stream);
    if code == SUCCESS {
        finish();
    }
    code
}

extern "C" fn query(stream: usize) -> c_int {
    check(stream)
}

extern "C" fn wait_event(stream: usize, event: usize, flags: c_uint) -> c_int {
    if !handles().events.contains_key(&event) {
        INVALID_HANDLE
    } else if flags != 0 {
        INVALID_VALUE
    } else {
        check(stream)
    }
}

type Callback = unsafe extern "C" fn(usize, c_int, *mut c_void);

/// The data of a callback, for the thread that calls it.
struct Data(*mut c_void);
// SAFETY: the driver calls callbacks on threads of its own, as its callers know.
unsafe impl Send for Data {}

unsafe extern "C" fn add_callback(
    stream: usize,
    callback: Callback,
    data: *mut c_void,
    flags: c_uint,
) -> c_int {
    let code = check(stream);
    if code != SUCCESS || flags != 0 {
        return if code == SUCCESS { INVALID_VALUE } else { code };
    }
    let data = Data(data);
    let call = move || {
        let data = data;
        // SAFETY: the driver's callers pass a function that may be called with this data on any thread.
        unsafe { callback(stream, SUCCESS, data.0) };
    };
    let mut running = CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner);
    running.retain(|thread| !thread.is_finished());
    match std::thread::Builder::new().spawn(call) {
        Ok(thread) => {
            running.push(thread);
            SUCCESS
        }
        Err(_) => super::OUT_OF_MEMORY,
    }
}

unsafe extern "C" fn create_event(event: *mut usize, flags: c_uint) -> c_int {
    match context::check() {
        SUCCESS => {
            let mut known = handles();
            let handle = known.next();
            let made = Event {
                timed: flags & 2 == 0,
                recorded: None,
            };
            known.events.insert(handle, made);
            // SAFETY: the driver's callers pass a place for the result.
            unsafe { give(event, handle) }
        }
        code => code,
    }
}

extern "C" fn destroy_event(event: usize) -> c_int {
    match handles().events.remove(&event) {
        Some(_) => SUCCESS,
        None => INVALID_HANDLE,
    }
}

extern "C" fn record_event(event: usize, stream: usize) -> c_int {
    let code = check(stream);
    match handles().events.get_mut(&event) {
        Some(event) if code == SUCCESS => {
            event.recorded = Some(Instant::now());
            SUCCESS
        }
        _ => INVALID_HANDLE,
    }
}

extern "C" fn query_event(event: usize) -> c_int {
    if handles().events.contains_key(&event) {
        SUCCESS
    } else {
        INVALID_HANDLE
    }
}

unsafe extern "C" fn elapsed(milliseconds: *mut f32, start: usize, end: usize) -> c_int {
    let known = handles();
    let at = |event: usize| known.events.get(&event).filter(|e| e.timed)?.recorded;
    let (Some(start), Some(end)) = (at(start), at(end)) else {
        return INVALID_HANDLE;
    };
    let seconds = end.saturating_duration_since(start).as_secs_f32()
        - start.saturating_duration_since(end).as_secs_f32();
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(milliseconds, 1e3 * seconds) }
}

pub(super) fn entry(name: &str) -> Option<*mut c_void> {
    Some(match name {
        "cuStreamCreate" => create as *mut c_void,
        "cuStreamDestroy_v2" => destroy as *mut c_void,
        "cuStreamSynchronize" => synchronize as *mut c_void,
        "cuStreamQuery" => query as *mut c_void,
        "cuStreamWaitEvent" => wait_event as *mut c_void,
        "cuStreamAddCallback" => add_callback as *mut c_void,
        "cuEventCreate" => create_event as *mut c_void,
        "cuEventDestroy_v2" => destroy_event as *mut c_void,
        "cuEventRecord" => record_event as *mut c_void,
        "cuEventQuery" => query_event as *mut c_void,
        "cuEventSynchronize" => query_event as *mut c_void,
        "cuEventElapsedTime" => elapsed as *mut c_void,
        _ => return None,
    })
}
