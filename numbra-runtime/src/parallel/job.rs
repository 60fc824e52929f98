//! One loop on its way through the pool.

use super::settings::{self, Settings};
use crate::error::{PendingError, put_error, take_error};
use crate::interrupt::{self, Cancel};
use crate::kept::{Kept, put_kept, take_kept};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often a thread that waits looks whether it is interrupted.
const LOOK: Duration = Duration::from_millis(20);

/// A loop's body: block of captured values, room for partial results, first iteration, end. Gives a status.
pub(super) type Task = unsafe extern "C" fn(*mut u8, *mut u8, i64, i64) -> i32;

/// A body and what it works on.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) task: Task,
    pub(super) context: *mut u8,
    /// Partial results of chunk `k` are at byte `k * stride`.
    pub(super) partials: *mut u8,
    pub(super) stride: usize,
    pub(super) iterations: i64,
    pub(super) chunks: i64,
    /// May end before all iterations have run, with an exception.
    pub(super) interruptible: bool,
}

// SAFETY: compiled code makes bodies that may run in any thread on the memory they are given.
unsafe impl Send for Work {}
// SAFETY: as above; a body may run in several threads at once.
unsafe impl Sync for Work {}

/// An exception on its way from one thread to another.
struct Failure {
    chunk: i64,
    error: Option<PendingError>,
    kept: Option<Kept>,
}

pub(super) struct Job {
    work: Work,
    settings: Settings,
    /// Threads that may take part.
    threads: usize,
    /// Threads that have.
    joined: AtomicUsize,
    next: AtomicI64,
    finished: AtomicI64,
    /// Set with the failure: what comes later need not run.
    failed: AtomicBool,
    /// Whether what runs is to end.
    cancel: Arc<Cancel>,
    failure: Mutex<Option<Failure>>,
    done: Condvar,
}

impl Job {
    pub(super) fn new(work: Work, threads: usize, settings: Settings) -> Job {
        Job {
            work,
            settings,
            threads,
            joined: AtomicUsize::new(0),
            next: AtomicI64::new(0),
            finished: AtomicI64::new(0),
            failed: AtomicBool::new(false),
            cancel: Arc::new(Cancel::new()),
            failure: Mutex::new(None),
            done: Condvar::new(),
        }
    }

    /// True while there are chunks that nobody has taken, and room for one more thread.
    pub(super) fn wants_help(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.work.chunks
            && self.joined.load(Ordering::Relaxed) < self.threads
    }

    /// Takes chunks until there are none left.
    pub(super) fn take_part(&self) {
        let id = self.joined.fetch_add(1, Ordering::Relaxed);
        if id >= self.threads {
            return;
        }
        let outer = settings::current();
        settings::replace(Settings {
            id,
            chunksize: 0,
            ..self.settings
        });
        let around = interrupt::replace(Some(self.cancel.clone()));
        loop {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.work.chunks {
                break;
            }
            self.run(chunk);
            if self.finished.fetch_add(1, Ordering::AcqRel) + 1 == self.work.chunks {
                // The lock orders this with a caller that is about to sleep.
                drop(self.lock());
                self.done.notify_all();
            }
        }
        interrupt::replace(around);
        settings::replace(outer);
    }

    /// Iterations before a chunk.
    fn start(&self, chunk: i64) -> i64 {
        let cut = i128::from(chunk) * i128::from(self.work.iterations);
        (cut / i128::from(self.work.chunks)) as i64
    }

    fn run(&self, chunk: i64) {
        // Chunks are taken in order: those before the one that failed run to their ends.
        if self.failed.load(Ordering::Relaxed) {
            return;
        }
        let Work {
            task,
            context,
            partials,
            stride,
            ..
        } = self.work;
        let at = partials.wrapping_add(stride * chunk as usize);
        // SAFETY: compiled code that calls `parallel_for` says that the body takes these.
        let status = unsafe { task(context, at, self.start(chunk), self.start(chunk + 1)) };
        if status == 0 {
            return;
        }
        self.fail(chunk);
    }

    /// The pending exception becomes the loop's, if it is that of the first chunk so far, or an interrupt.
    fn fail(&self, chunk: i64) {
        let interrupted = interrupt::is_interrupt();
        let error = take_error();
        let mut failure = self.lock();
        let earlier = failure.as_ref().is_none_or(|first| chunk < first.chunk);
        // The others that an interrupt ends have nothing to tell.
        let ours = match interrupted {
            true => self.cancel.cancel(),
            false => earlier && !self.cancel.is_cancelled(),
        };
        if ours {
            *failure = Some(Failure {
                chunk,
                error,
                kept: take_kept(),
            });
        }
        self.failed.store(true, Ordering::Relaxed);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire) >= self.work.chunks
    }

    /// Waits for the chunks that other threads have taken; the status of the loop. The exception of the first chunk that
    /// failed is then this thread's.
    pub(super) fn wait(&self, spins: u32) -> i32 {
        for _ in 0..spins {
            if self.is_finished() {
                break;
            }
            std::hint::spin_loop();
        }
        let mut failure = self.lock();
        while !self.is_finished() {
            let waited = self.done.wait_timeout(failure, LOOK);
            failure = waited.unwrap_or_else(PoisonError::into_inner).0;
            if self.work.interruptible && !self.is_finished() {
                drop(failure);
                if interrupt::interrupted() {
                    self.fail(-1);
                }
                failure = self.lock();
            }
        }
        let Some(Failure { error, kept, .. }) = failure.take() else {
            return 0;
        };
        if let Some(error) = error {
            put_error(error);
        }
        if let Some(kept) = kept {
            put_kept(kept);
        }
        1
    }
}
