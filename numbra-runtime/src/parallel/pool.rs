//! The threads that help with parallel loops.
//!
//! Loops that want help stand in one list. A thread that runs a loop takes chunks itself, so each loop goes on whoever
//! helps: loops inside bodies and loops of many threads at once need no rules of their own. Idle workers help with any
//! loop in the list. Workers are made when they are first needed and never joined: at the end of the process they sleep.
//!
//! After a fork the child has no workers. It forgets the parent's pool, locks and all, and makes its own when it needs one.

use super::job::{Job, Work};
use super::settings;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread;

/// How often an idle thread looks for work before it sleeps: some microseconds.
const SPINS: u32 = 2_000;

/// Bytes of a worker's stack: as much as the main thread has.
const STACK: usize = 8 << 20;

struct Pool {
    state: Mutex<State>,
    wake: Condvar,
    /// Loops that were ever put into the list.
    jobs: AtomicUsize,
    /// How often threads that wait spin: not at all on one processor.
    spins: u32,
}

#[derive(Default)]
struct State {
    jobs: Vec<Arc<Job>>,
    workers: usize,
    asleep: usize,
}

/// The pool of this process; null until there is one.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// Before and after a wait for other threads: `before` gives what `after` takes.
type Before = fn() -> usize;
type After = fn(usize);

/// Read without a lock: a fork may come at any time.
static HOOKS: OnceLock<(Before, After)> = OnceLock::new();

/// Has `before` and `after` run around each parallel loop, in the thread that runs it: CPython's lock is given up there.
pub fn set_parallel_hooks(before: Before, after: After) {
    // The first to set them stays: there is one CPython.
    let _ = HOOKS.set((before, after));
}

/// Set by the first loop that could have run in parallel, and when a function with one is compiled.
static STARTED: AtomicBool = AtomicBool::new(false);

/// True once a parallel loop has run in this process, however small.
pub fn is_started() -> bool {
    STARTED.load(Ordering::Relaxed)
}

/// Has parallel loops count as started.
pub fn note_start() {
    if !STARTED.load(Ordering::Relaxed) {
        STARTED.store(true, Ordering::Relaxed);
    }
}

extern "C" fn forget_parent() {
    POOL.store(ptr::null_mut(), Ordering::Release);
}

fn pool() -> &'static Pool {
    let known = POOL.load(Ordering::Acquire);
    if !known.is_null() {
        // SAFETY: pools are never freed.
        return unsafe { &*known };
    }
    static AT_FORK: Once = Once::new();
    AT_FORK.call_once(|| {
        // SAFETY: the handler stores one word. Without memory for it, forked children must not run parallel loops.
        unsafe { libc::pthread_atfork(None, None, Some(forget_parent)) };
    });
    let alone = thread::available_parallelism().map_or(1, usize::from) == 1;
    let made = Box::into_raw(Box::new(Pool {
        state: Mutex::new(State::default()),
        wake: Condvar::new(),
        jobs: AtomicUsize::new(0),
        spins: if alone { 0 } else { SPINS },
    }));
    let null = ptr::null_mut();
    match POOL.compare_exchange(null, made, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: pools are never freed.
        Ok(_) => unsafe { &*made },
        Err(first) => {
            // SAFETY: nobody has seen this one.
            drop(unsafe { Box::from_raw(made) });
            // SAFETY: as above.
            unsafe { &*first }
        }
    }
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a loop into the list and wakes or makes up to `helpers` workers.
    fn publish(&'static self, job: &Arc<Job>, helpers: usize) {
        let mut state = self.lock();
        state.jobs.push(job.clone());
        self.jobs.fetch_add(1, Ordering::Release);
        while state.workers < helpers {
            let made = thread::Builder::new()
                .name("numbra".to_owned())
                .stack_size(STACK)
                .spawn(move || self.work());
            if made.is_err() {
                break; // The threads that there are do it all.
            }
            state.workers += 1;
        }
        let asleep = state.asleep;
        drop(state);
        for _ in 0..helpers.min(asleep) {
            self.wake.notify_one();
        }
    }

    /// Takes a loop out of the list.
    fn retract(&self, job: &Arc<Job>) {
        self.lock().jobs.retain(|other| !Arc::ptr_eq(other, job));
    }

    /// A worker's life.
    fn work(&self) {
        loop {
            let seen = self.jobs.load(Ordering::Acquire);
            // The newest first: inner loops finish before the loops around them go on.
            let found = self
                .lock()
                .jobs
                .iter()
                .rev()
                .find(|j| j.wants_help())
                .cloned();
            match found {
                Some(job) => job.take_part(),
                None => self.rest(seen),
            }
        }
    }

    /// Waits for a loop that was published after the first `seen` ones.
    fn rest(&self, seen: usize) {
        for _ in 0..self.spins {
            if self.jobs.load(Ordering::Acquire) != seen {
                return;
            }
            std::hint::spin_loop();
        }
        let mut state = self.lock();
        while self.jobs.load(Ordering::Acquire) == seen {
            state.asleep += 1;
            state = self
                .wake
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.asleep -= 1;
        }
    }
}

/// Runs a loop; its status.
pub(super) fn run(work: Work) -> i32 {
    let threads = settings::num_threads();
    let helpers = threads.min(usize::try_from(work.chunks).unwrap_or(threads)) - 1;
    let job = Arc::new(Job::new(work, threads, settings::current()));
    let pool = pool();
    let hooks = HOOKS.get();
    let token = hooks.map(|(before, _)| before());
    if helpers > 0 {
        pool.publish(&job, helpers);
    }
    job.take_part();
    if helpers > 0 {
        pool.retract(&job);
    }
    let status = job.wait(pool.spins);
    if let (Some((_, after)), Some(token)) = (hooks, token) {
        after(token);
    }
    status
}
