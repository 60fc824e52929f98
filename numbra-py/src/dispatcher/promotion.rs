//! Tier `auto`: signatures that turn out to be hot are compiled again by LLVM, in the background, and later calls take the
//! new code.
//!
//! The entry wrapper of a function with loops counts its calls down in a cell. When the cell is empty it misses, and the
//! slow path measures how long this one call runs; the calls before, which no one measured, count as much. So a call costs
//! a nanosecond more, long calls are measured each, and no clock is read on the fast path. The code is exchanged under the
//! GIL, together with the dispatcher's slot if that holds the old code, which is freed when no call is in it any more
//! ([`super::superseded`]).
//!
//! What the steps take that Python asks a generator for counts as run time of its function: one step in sixteen is
//! measured. A generator ends in the code that it began in; the next one is made by the new code.
//!
//! Inner loops of ufuncs, which NumPy calls, count their elements instead. They run without the GIL, so each call is
//! counted as long as the code may change.
//!
//! With `NUMBRA_PROMOTE_AFTER=n` nothing depends on time: the `n`-th call of a signature, or of an inner loop, ends with
//! LLVM's code in place, for which it waits.

use super::registry::with;
use super::state::{Entry, Needs};
use super::superseded::{self, Users};
use crate::captured::Captured;
use crate::entry::COUNTDOWN;
use crate::session::session;
use crate::ufunc_parallel::InnerLoop;
use numbra_driver::{Compiled, Promoted, Tier};
use pyo3::ffi;
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering,
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
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

/// How long the background thread waits before it looks whether superseded code can be freed: at first, and at most.
const SHORT_PAUSE: Duration = Duration::from_millis(20);
const LONG_PAUSE: Duration = Duration::from_secs(10);

/// Bytes of the background thread's stack, and what it takes besides at first.
const STACK: usize = 64 << 20;
const ROOM_OF_A_THREAD: usize = 32 << 20;

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
    /// LLVM's code, once it is known whether there is any.
    promoted: OnceLock<Option<Promoted>>,
}

/// How a signature is found to be hot.
enum Heat {
    Calls(Countdown),
    Elements(Elements),
}

/// Of an inner loop.
struct Elements {
    /// How many more elements until it is hot.
    left: AtomicI64,
    /// Calls that are in it, while its code may change.
    inside: AtomicUsize,
}

/// The code of an inner loop, which is there as long as this value.
pub(crate) struct LoopCode<'a> {
    pub(crate) run: InnerLoop,
    counted: Option<&'a AtomicUsize>,
}

impl Drop for LoopCode<'_> {
    fn drop(&mut self) {
        if let Some(inside) = self.counted {
            inside.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// See the module's documentation.
struct Countdown {
    /// Address of the cell in the code that counts; null once that is superseded. Used under the GIL.
    cell: AtomicPtr<AtomicI64>,
    /// Calls from one measured one to the next.
    period: AtomicI64,
    /// Nanoseconds that all calls have taken, about.
    total: AtomicU64,
}

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
            Tier::Cranelift | Tier::Auto => {
                compiled.loaded().and_then(|code| code.address(COUNTDOWN))
            }
        };
        let heat = cell.map(|cell| {
            Heat::Calls(Countdown {
                cell: AtomicPtr::new(cell.cast_mut().cast()),
                period: AtomicI64::new(1),
                total: AtomicU64::new(0),
            })
        });
        Wrapper::new(entry_of(compiled), heat)
    }

    /// The inner loop of a ufunc that was compiled, which is promoted when it is hot if `auto` says so.
    pub(super) fn of_loop(compiled: &Compiled, auto: bool) -> Wrapper {
        let heat = (auto && compiled.generator != Tier::Llvm)
            .then(|| promote_after().map_or(HOT_ELEMENTS, |calls| calls - 1))
            .map(|left| {
                Heat::Elements(Elements {
                    left: AtomicI64::new(left),
                    inside: AtomicUsize::new(0),
                })
            });
        Wrapper::new(entry_of(compiled), heat)
    }

    /// What the call that follows runs, and its measurement if it is to be measured. The caller enters it before anything
    /// else can run.
    pub(super) fn enter(&self, _py: Python<'_>) -> (ffi::vectorcallfunc, Option<Measured<'_>>) {
        let measured = match &self.heat {
            Some(Heat::Calls(countdown)) => self.measure(countdown),
            Some(Heat::Elements(_)) | None => None,
        };
        let current = self.current.load(Ordering::Acquire);
        // SAFETY: `current` is the address of a function of this type.
        let function = unsafe { std::mem::transmute::<*mut (), ffi::vectorcallfunc>(current) };
        (function, measured)
    }

    /// True once LLVM's code is in use.
    pub(super) fn is_promoted(&self) -> bool {
        matches!(self.promoted.get(), Some(Some(_)))
    }

    /// How many calls are in the code of an inner loop that may change, or has changed.
    pub(super) fn loops_inside(&self) -> usize {
        match &self.heat {
            Some(Heat::Elements(elements)) => elements.inside.load(Ordering::SeqCst),
            Some(Heat::Calls(_)) | None => 0,
        }
    }

    fn measure<'a>(&'a self, countdown: &'a Countdown) -> Option<Measured<'a>> {
        if self.asked.load(Ordering::Relaxed) || self.promoted.get().is_some() {
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
    fn promote(&self, entry: &Arc<Entry>) {
        let compiled = &*entry.compiled;
        // Code from the cache has no LIR yet.
        if compiled.stages.get().is_none() {
            let made = with(entry.owner, |d| d.make_same_stages(entry));
            if made != Some(true) {
                let _ = self.promoted.set(None);
                return;
            }
        }
        let symbols = |name: &str| crate::symbols::address(&compiled.types, name);
        let artifact = QUEUE.leavable(|| session().generate_second(compiled.made_from()));
        let promoted = artifact
            .and_then(|made| session().load_second(made, &symbols))
            .ok();
        let address = promoted
            .as_ref()
            .and_then(|p| p.loaded.address(compiled.entry_name()));
        let (Some(promoted), Some(address)) = (promoted, address) else {
            let _ = self.promoted.set(None);
            return;
        };
        promoted.loaded.keep(Box::new(Needs {
            _types: compiled.types.clone(),
            captured: entry.captured().cloned().collect(),
            entry: Weak::new(),
        }));
        let artifact = Arc::clone(&promoted.artifact);
        crate::python::enter(|py| self.exchange(py, entry, promoted, address));
        if let Some(kept) = &entry.kept {
            with(entry.owner, |d| {
                if let Some(cache) = d.cache.get() {
                    crate::python::enter(|py| cache.replace(py, kept, &artifact));
                }
            });
        }
    }

    /// Has calls enter the code at `address` from now on.
    fn exchange(&self, py: Python<'_>, entry: &Arc<Entry>, code: Promoted, address: *const u8) {
        let compiled = &entry.compiled;
        let address = address.cast_mut().cast();
        // Counted loops that are about to read the old address are seen below, later ones read this one.
        let old = self.current.swap(address, Ordering::SeqCst);
        let _ = self.promoted.set(Some(code));
        let code = compiled.supersede();
        let users = match &self.heat {
            Some(Heat::Calls(countdown)) => {
                countdown
                    .cell
                    .store(std::ptr::null_mut(), Ordering::Relaxed);
                with(entry.owner, |d| d.exchange_slot(py, old, address));
                code.clone().map(Users::Calls)
            }
            Some(Heat::Elements(_)) => Some(Users::Loops(entry.clone())),
            None => None,
        };
        if let (Some(code), Some(users)) = (code, users) {
            superseded::free_later(py, code, users);
        }
        superseded::sweep(py);
    }
}

/// The entry of code that was just made.
fn entry_of(compiled: &Compiled) -> *mut () {
    let entry = compiled.entry_address();
    entry.expect("it exports its entry").cast_mut().cast()
}

impl Entry {
    /// What its code refers to, and what it was made from later.
    pub(crate) fn captured(&self) -> impl Iterator<Item = &Arc<Captured>> {
        [&self.captured]
            .into_iter()
            .chain(self.captured_by_stages.get())
    }

    /// The calls in the code that is entered now.
    pub(super) fn users(&self) -> Option<Users> {
        let code = match self.wrapper.promoted.get() {
            Some(Some(promoted)) => Some(promoted.loaded.clone()),
            Some(None) | None => self.compiled.loaded(),
        };
        code.map(Users::Calls)
    }

    /// The code of this signature has run for so many nanoseconds, in calls or in steps of the generators that they made.
    pub(crate) fn spent(self: &Arc<Entry>, py: Python<'_>, nanoseconds: u64) {
        let wrapper = &self.wrapper;
        let (Some(Heat::Calls(countdown)), None) = (&wrapper.heat, promote_after()) else {
            return;
        };
        let before = countdown.total.load(Ordering::Relaxed);
        let total = nanoseconds.saturating_add(before);
        countdown.total.store(total, Ordering::Relaxed);
        let hot = u128::from(total) >= HOT.as_nanos();
        if hot && !wrapper.asked.swap(true, Ordering::Relaxed) {
            QUEUE.push(py, self.clone());
        }
    }

    /// True once it is decided whether LLVM compiles this signature.
    pub(crate) fn is_settled(&self) -> bool {
        self.wrapper.heat.is_none() || self.wrapper.asked.load(Ordering::Relaxed)
    }

    /// True if the code may change while the signature is in use.
    pub(crate) fn may_change(&self) -> bool {
        self.wrapper.heat.is_some()
    }

    /// The inner loop of a ufunc, which is about to compute so many elements.
    pub(crate) fn inner_loop(self: &Arc<Entry>, elements: isize) -> LoopCode<'_> {
        let wrapper = &self.wrapper;
        let mut counted = None;
        if let Some(Heat::Elements(heat)) = &wrapper.heat {
            if !wrapper.asked.load(Ordering::Relaxed) {
                let count = match promote_after() {
                    Some(_) => 1,
                    None => (elements as i64).saturating_add(ELEMENTS_OF_A_CALL),
                };
                let hot = heat.left.fetch_sub(count, Ordering::Relaxed) < count;
                if hot && !wrapper.asked.swap(true, Ordering::Relaxed) {
                    crate::python::enter(|py| QUEUE.push_and_wait(py, self.clone()));
                }
            }
            if wrapper.promoted.get().is_none() {
                // Before the address is read: see `Wrapper::exchange`.
                heat.inside.fetch_add(1, Ordering::SeqCst);
                counted = Some(&heat.inside);
            }
        }
        let current = wrapper.current.load(Ordering::SeqCst);
        // SAFETY: the entry of a ufunc's signature is the address of a function of this type.
        let run = unsafe { std::mem::transmute::<*mut (), InnerLoop>(current) };
        LoopCode { run, counted }
    }
}

impl Countdown {
    fn fill(&self, calls: i64) {
        // SAFETY: the cell is aligned memory of the loaded code, which is there as long as its address; compiled code
        // reads and writes it whole.
        if let Some(cell) = unsafe { self.cell.load(Ordering::Relaxed).as_ref() } {
            cell.store(calls, Ordering::Relaxed);
        }
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
        let next = INTERVAL.as_nanos() as u64 / took.max(1);
        let next = i64::try_from(next).unwrap_or(MOST_CALLS);
        countdown
            .period
            .store(next.clamp(1, MOST_CALLS), Ordering::Relaxed);
        entry.spent(py, took.saturating_mul(calls));
    }
}

/// Signatures to promote, and the thread that does it.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    /// The process whose thread it is, or 0: a forked child has none.
    owner: AtomicU32,
}

struct State {
    /// Those of functions that are gone by their turn are not promoted.
    entries: VecDeque<Weak<Entry>>,
    work: Option<Work>,
    /// The process ends: nothing more is begun.
    closed: bool,
}

/// What the background thread is doing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// May ask Python, so the interpreter has to wait for it before it ends.
    Python,
    /// Knows nothing of Python. At the end of the process it is left as it is: seconds may be missing.
    Leavable,
}

static QUEUE: Queue = Queue {
    state: Mutex::new(State {
        entries: VecDeque::new(),
        work: None,
        closed: false,
    }),
    changed: Condvar::new(),
    owner: AtomicU32::new(0),
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
        if let Some(mut state) = self.running(py) {
            state.entries.push_back(Arc::downgrade(&entry));
            self.changed.notify_all();
        }
    }

    /// The state, with the background thread there to see what is changed in it; `None` where there can be none.
    fn running(&'static self, py: Python<'_>) -> Option<MutexGuard<'static, State>> {
        if self.is_here() {
            return Some(self.state.lock().unwrap_or_else(PoisonError::into_inner));
        }
        // A fork while the lock is held leaves it held in the child: nothing is promoted there.
        let mut state = self.state.try_lock().ok()?;
        // LLVM was at work when this process was forked: its state is not to be trusted.
        if state.work.is_some() || state.closed {
            return None;
        }
        // glibc ends the process where a new thread finds no memory for its own variables.
        if !crate::room::has_room(STACK + ROOM_OF_A_THREAD) {
            return None;
        }
        let thread = thread::Builder::new()
            .name("numbra-llvm".to_owned())
            .stack_size(STACK);
        if thread.spawn(|| self.work()).is_err() || stop_at_exit(py).is_err() {
            return None;
        }
        state.entries.clear();
        self.owner.store(std::process::id(), Ordering::Release);
        Some(state)
    }

    /// True if the background thread is one of this process, and so is who holds the lock.
    fn is_here(&self) -> bool {
        self.owner.load(Ordering::Acquire) == std::process::id()
    }

    fn work(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pause = SHORT_PAUSE;
        while !state.closed {
            let next = state.entries.pop_front();
            let entry = next.as_ref().and_then(Weak::upgrade);
            if next.is_some() && entry.is_none() {
                self.changed.notify_all();
                continue;
            }
            if entry.is_none() {
                // While no code waits to be freed there is nothing to look for.
                let pause_now = if superseded::is_any() {
                    pause
                } else {
                    Duration::MAX
                };
                let (woken, waited) = self
                    .changed
                    .wait_timeout(state, pause_now)
                    .unwrap_or_else(PoisonError::into_inner);
                state = woken;
                if !waited.timed_out() {
                    pause = SHORT_PAUSE;
                    continue;
                }
            }
            state.work = Some(Work::Python);
            drop(state);
            match entry {
                Some(entry) => {
                    entry.wrapper.promote(&entry);
                    pause = SHORT_PAUSE;
                }
                None => {
                    crate::python::enter(superseded::sweep);
                    pause = (2 * pause).min(LONG_PAUSE);
                }
            }
            state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.work = None;
            self.changed.notify_all();
        }
    }

    /// Runs a part of the work that the process may end without. Does not return if it does.
    fn leavable<R>(&self, run: impl FnOnce() -> R) -> R {
        self.turn_to(Work::Leavable);
        let made = run();
        self.turn_to(Work::Python);
        made
    }

    fn turn_to(&self, work: Work) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            state.work = Some(Work::Leavable);
            self.changed.notify_all();
            drop(state);
            loop {
                thread::park();
            }
        }
        state.work = Some(work);
    }

    /// Waits until nothing is left to do; with `close` until what may ask Python is done, and does no more.
    fn settle(&self, close: bool) {
        if !self.is_here() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed |= close;
        self.changed.notify_all();
        while match state.work {
            Some(Work::Python) => true,
            Some(Work::Leavable) => !state.closed,
            None => !(state.closed || state.entries.is_empty()),
        } {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Has the background thread see that code waits to be freed, where some does: calls may never look again.
pub(super) fn watch_superseded(py: Python<'_>) {
    if superseded::is_any()
        && let Some(_state) = QUEUE.running(py)
    {
        QUEUE.changed.notify_all();
    }
}

/// No thread may ask Python while the interpreter ends. LLVM may be at work for as long as there is a process: its library
/// leaves no destructors to run at exit (`numbra-llvm/cdylib/exit.c`).
fn stop_at_exit(py: Python<'_>) -> PyResult<()> {
    let stop = wrap_pyfunction!(_stop_promotions, py)?;
    py.import("atexit")?.call_method1("register", (stop,))?;
    Ok(())
}

/// Ends the background thread, without waiting for LLVM.
#[pyfunction]
fn _stop_promotions(py: Python<'_>) {
    py.detach(|| QUEUE.settle(true));
}

/// Waits until every signature that is known to be hot has been compiled.
#[pyfunction]
pub(crate) fn _wait_for_promotions(py: Python<'_>) {
    py.detach(|| QUEUE.settle(false));
}
