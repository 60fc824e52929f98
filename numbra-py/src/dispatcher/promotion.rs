//! Tier `auto`: signatures that turn out to be hot are compiled again by LLVM, in the background, and later calls take the
//! new code.
//!
//! The entry wrapper of a function with loops counts its calls down in a cell. When the cell is empty it misses, and the
//! slow path measures how long this one call runs; the calls before, which no one measured, count as much. So a call costs
//! a nanosecond more, long calls are measured each, and no clock is read on the fast path. Superseded code lives as long
//! as the signature: a call may still be running in it.
//!
//! Inner loops of ufuncs, which NumPy calls, count their elements instead.
//!
//! With `NUMBRA_PROMOTE_AFTER=n` nothing depends on time: the `n`-th call of a signature, or of an inner loop, ends with
//! LLVM's code in place, for which it waits.

use super::registry::with;
use super::state::Entry;
use crate::entry::COUNTDOWN;
use crate::session::session;
use crate::ufunc_parallel::InnerLoop;
use numbra_driver::{Compiled, Promoted, Tier};
use pyo3::ffi;
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Run time after which a signature is hot: less than LLVM takes for most functions.
const HOT: Duration = Duration::from_millis(2);

/// A call is measured about once in this time, or each [`MOST_CALLS`].
const INTERVAL: Duration = Duration::from_millis(1);
const MOST_CALLS: i64 = 1000;

/// Elements that an inner loop computes before it is hot; and what a call of it counts beside its elements.
const HOT_ELEMENTS: i64 = 100_000;
const ELEMENTS_OF_A_CALL: i64 = 16;

/// Bytes of the background thread's stack.
const STACK: usize = 64 << 20;

/// What `NUMBRA_PROMOTE_AFTER` gives, or 0.
static PROMOTE_AFTER: AtomicI64 = AtomicI64::new(0);

/// The number of calls that decides alone, if one does.
fn promote_after() -> Option<i64> {
    Some(PROMOTE_AFTER.load(Ordering::Relaxed)).filter(|calls| *calls > 0)
}

/// Has this number of calls decide, or, where it is 0, time. For what is compiled from now on.
#[pyfunction]
pub(crate) fn _set_promote_after(calls: i64) {
    PROMOTE_AFTER.store(calls, Ordering::Relaxed);
}

/// The code that a signature is entered by.
pub(super) struct Wrapper {
    /// A `vectorcallfunc`, or the inner loop of a ufunc.
    current: AtomicPtr<()>,
    /// Of a signature that may be promoted.
    heat: Option<Heat>,
    asked: AtomicBool,
    promoted: OnceLock<Option<Promoted>>,
}

/// How a signature is found to be hot.
enum Heat {
    Calls(Countdown),
    /// How many more elements until then.
    Elements(AtomicI64),
}

/// See the module's documentation.
struct Countdown {
    /// Address of the cell; lives as long as the compiled code, which the entry keeps.
    cell: *const AtomicI64,
    /// Calls from one measured one to the next.
    period: AtomicI64,
    /// Nanoseconds that all calls have taken, about.
    total: AtomicU64,
}

// SAFETY: the cell is plain memory that this side accesses atomically.
unsafe impl Send for Countdown {}
// SAFETY: as above.
unsafe impl Sync for Countdown {}

/// A call that is being measured.
pub(super) struct Measured<'a> {
    wrapper: &'a Wrapper,
    countdown: &'a Countdown,
    start: Instant,
}

impl Wrapper {
    /// One that never changes.
    pub(super) fn fixed(function: ffi::vectorcallfunc) -> Wrapper {
        Wrapper::new(function as *mut (), None)
    }

    fn new(function: *mut (), heat: Option<Heat>) -> Wrapper {
        Wrapper {
            current: AtomicPtr::new(function),
            heat,
            asked: AtomicBool::new(false),
            promoted: OnceLock::new(),
        }
    }

    /// The entry function of what was compiled, which has the vectorcall signature.
    pub(super) fn of(compiled: &Compiled) -> Wrapper {
        // Promoted code from the cache counts too, but is as good as code gets.
        let cell = match compiled.generator {
            Tier::Llvm => None,
            Tier::Cranelift | Tier::Auto => compiled.loaded.address(COUNTDOWN),
        };
        let heat = cell.map(|cell| {
            Heat::Calls(Countdown {
                cell: cell.cast(),
                period: AtomicI64::new(1),
                total: AtomicU64::new(0),
            })
        });
        Wrapper::new(compiled.entry_address().cast_mut().cast(), heat)
    }

    /// The inner loop of a ufunc that was compiled, which is promoted when it is hot if `auto` says so.
    pub(super) fn of_loop(compiled: &Compiled, auto: bool) -> Wrapper {
        let heat = (auto && compiled.generator != Tier::Llvm)
            .then(|| promote_after().map_or(HOT_ELEMENTS, |calls| calls - 1))
            .map(|left| Heat::Elements(AtomicI64::new(left)));
        Wrapper::new(compiled.entry_address().cast_mut().cast(), heat)
    }

    /// What the call that follows runs, and its measurement if it is to be measured.
    pub(super) fn enter(&self) -> (ffi::vectorcallfunc, Option<Measured<'_>>) {
        let measured = match &self.heat {
            Some(Heat::Calls(countdown)) => self.measure(countdown),
            Some(Heat::Elements(_)) | None => None,
        };
        // Read after the cell was filled: whoever exchanges the code empties the cell afterwards.
        let current = self.current.load(Ordering::SeqCst);
        // SAFETY: `current` is the address of a function of this type.
        let function = unsafe { std::mem::transmute::<*mut (), ffi::vectorcallfunc>(current) };
        (function, measured)
    }

    /// True once LLVM's code is in use.
    pub(super) fn is_promoted(&self) -> bool {
        matches!(self.promoted.get(), Some(Some(_)))
    }

    fn measure<'a>(&'a self, countdown: &'a Countdown) -> Option<Measured<'a>> {
        if self.asked.load(Ordering::Relaxed) {
            countdown.fill(i64::MAX);
            return None;
        }
        countdown.fill(countdown.period.load(Ordering::Relaxed));
        Some(Measured {
            wrapper: self,
            countdown,
            start: Instant::now(),
        })
    }

    /// Compiles and exchanges the code. In the background thread.
    fn promote(&self, entry: &Entry) {
        let compiled = &*entry.compiled;
        // Code from the cache has no LIR yet.
        if compiled.stages.get().is_none() {
            let made = with(entry.owner, |d| d.make_stages(compiled).is_ok());
            if made != Some(true) {
                let _ = self.promoted.set(None);
                return;
            }
        }
        let symbols = |name: &str| crate::symbols::address(&compiled.types, name);
        let promoted = session().promote(compiled.made_from(), &symbols).ok();
        let artifact = promoted.as_ref().map(|p| Arc::clone(&p.artifact));
        let address = promoted
            .as_ref()
            .and_then(|p| p.loaded.address(compiled.entry_name()));
        let _ = self.promoted.set(promoted);
        let Some(address) = address else {
            return;
        };
        let address = address.cast_mut().cast();
        self.current.store(address, Ordering::SeqCst);
        if let Some(Heat::Calls(countdown)) = &self.heat {
            // The next call but one misses and finds the new code. Not the next: a call that is just being made must hit.
            countdown.fill(1);
        }
        if let (Some(artifact), Some(kept)) = (artifact, &entry.kept) {
            with(entry.owner, |d| {
                if let Some(cache) = d.cache.get() {
                    Python::attach(|py| cache.replace(py, kept, &artifact));
                }
            });
        }
    }
}

impl Entry {
    /// True if the code may change while the signature is in use.
    pub(crate) fn may_change(&self) -> bool {
        self.wrapper.heat.is_some()
    }

    /// The inner loop of a ufunc, which is about to compute so many elements.
    pub(crate) fn inner_loop(self: &Arc<Entry>, elements: isize) -> InnerLoop {
        let wrapper = &self.wrapper;
        if let Some(Heat::Elements(left)) = &wrapper.heat
            && !wrapper.asked.load(Ordering::Relaxed)
        {
            let count = match promote_after() {
                Some(_) => 1,
                None => (elements as i64).saturating_add(ELEMENTS_OF_A_CALL),
            };
            let hot = left.fetch_sub(count, Ordering::Relaxed) < count;
            if hot && !wrapper.asked.swap(true, Ordering::Relaxed) {
                Python::attach(|py| QUEUE.push_and_wait(py, self.clone()));
            }
        }
        let current = wrapper.current.load(Ordering::Acquire);
        // SAFETY: the entry of a ufunc's signature is the address of a function of this type.
        unsafe { std::mem::transmute::<*mut (), InnerLoop>(current) }
    }
}

impl Countdown {
    fn fill(&self, calls: i64) {
        // SAFETY: the cell is aligned memory of the loaded code; compiled code reads and writes it whole.
        unsafe { &*self.cell }.store(calls, Ordering::SeqCst);
    }
}

impl Measured<'_> {
    /// The call is over.
    pub(super) fn left(self, py: Python<'_>, entry: &Arc<Entry>) {
        let took = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let countdown = self.countdown;
        if let Some(limit) = promote_after() {
            // The period stays 1: each call is seen.
            let calls = countdown.total.fetch_add(1, Ordering::Relaxed) + 1;
            if calls >= limit.unsigned_abs() && !self.wrapper.asked.swap(true, Ordering::Relaxed) {
                QUEUE.push_and_wait(py, entry.clone());
            }
            return;
        }
        let calls = countdown.period.load(Ordering::Relaxed).unsigned_abs();
        let before = countdown.total.load(Ordering::Relaxed);
        let total = took.saturating_mul(calls).saturating_add(before);
        countdown.total.store(total, Ordering::Relaxed);
        let next = INTERVAL.as_nanos() as u64 / took.max(1);
        let next = i64::try_from(next).unwrap_or(MOST_CALLS);
        countdown
            .period
            .store(next.clamp(1, MOST_CALLS), Ordering::Relaxed);
        let hot = u128::from(total) >= HOT.as_nanos();
        if hot && !self.wrapper.asked.swap(true, Ordering::Relaxed) {
            QUEUE.push(py, entry.clone());
        }
    }
}

/// Signatures to promote, and the thread that does it.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    entries: VecDeque<Arc<Entry>>,
    /// The process whose thread it is: a forked child has none.
    owner: Option<u32>,
    busy: bool,
    closed: bool,
}

static QUEUE: Queue = Queue {
    state: Mutex::new(State {
        entries: VecDeque::new(),
        owner: None,
        busy: false,
        closed: false,
    }),
    changed: Condvar::new(),
};

impl Queue {
    /// Takes an entry in. The call that found it hot may have raised: its exception stays pending.
    fn push(&'static self, py: Python<'_>, entry: Arc<Entry>) {
        let pending = PyErr::take(py);
        self.take_in(py, entry);
        if let Some(error) = pending {
            error.restore(py);
        }
    }

    /// As [`Queue::push`]; where the number of calls alone decides, the code is there afterwards.
    fn push_and_wait(&'static self, py: Python<'_>, entry: Arc<Entry>) {
        self.push(py, entry);
        if promote_after().is_some() {
            py.detach(|| self.settle(false));
        }
    }

    fn take_in(&'static self, py: Python<'_>, entry: Arc<Entry>) {
        // A fork while the lock is held leaves it held in the child: nothing is promoted there.
        let Ok(mut state) = self.state.try_lock() else {
            return;
        };
        let here = std::process::id();
        if state.owner != Some(here) {
            // LLVM was at work when this process was forked: its state is not to be trusted.
            if state.busy || state.closed {
                return;
            }
            let thread = thread::Builder::new()
                .name("numbra-llvm".to_owned())
                .stack_size(STACK);
            if thread.spawn(|| self.work()).is_err() || stop_at_exit(py).is_err() {
                return;
            }
            state.entries.clear();
            state.owner = Some(here);
        }
        state.entries.push_back(entry);
        self.changed.notify_all();
    }

    fn work(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.closed {
            let Some(entry) = state.entries.pop_front() else {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.busy = true;
            drop(state);
            entry.wrapper.promote(&entry);
            drop(entry);
            state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.busy = false;
            self.changed.notify_all();
        }
    }

    /// Waits until nothing is left to do; with `close` until what is being done is done, and does no more.
    fn settle(&self, close: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.owner != Some(std::process::id()) {
            return;
        }
        state.closed |= close;
        self.changed.notify_all();
        while state.busy || !(state.closed || state.entries.is_empty()) {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// LLVM must not be at work while the process tears its libraries down.
fn stop_at_exit(py: Python<'_>) -> PyResult<()> {
    let stop = wrap_pyfunction!(_stop_promotions, py)?;
    py.import("atexit")?.call_method1("register", (stop,))?;
    Ok(())
}

/// Ends the background thread after what it is doing.
#[pyfunction]
fn _stop_promotions(py: Python<'_>) {
    py.detach(|| QUEUE.settle(true));
}

/// Waits until every signature that is known to be hot has been compiled.
#[pyfunction]
pub(crate) fn _wait_for_promotions(py: Python<'_>) {
    py.detach(|| QUEUE.settle(false));
}
