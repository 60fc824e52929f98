//! The blocks of a launch: which of them are begun, by which threads of the operating system, and what became of them.
//!
//! The launch's thread begins alone; a grid that is not done soon gets the help of the pool, unless it synchronises as a whole.
//! Blocks are begun in order, so whoever waits for an earlier block waits for one that runs or is done.

use super::output;
use super::{DeviceKernel, DeviceLaunch, LaunchError, Raised, grid, plain, volume};
use crate::error::{put_error, take_error};
use crate::parallel;
use numbra_abi::DeviceThread;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a launch goes on alone: what waking other threads costs, a few times.
const ALONE: Duration = Duration::from_micros(100);

/// Whether a launch that took this long wants help from its beginning.
pub(super) fn is_long(took: Duration) -> bool {
    took > 2 * ALONE
}

/// Bytes of output that are kept until the launch ends, to be written in the order of blocks.
const OUTPUT: usize = 1 << 20;

/// The blocks of a launch.
pub(super) struct Blocks {
    count: u64,
    next: AtomicU64,
    /// No more of them are begun.
    over: AtomicBool,
    /// Until when the launch's thread works alone; `None` if it works to the end.
    alone_until: Option<Instant>,
    shared: AtomicBool,
    became: Mutex<Became>,
}

#[derive(Default)]
struct Became {
    /// The first exception of the first block with one.
    raised: Option<Box<Raised>>,
    /// Why the launch ends early.
    failed: Option<LaunchError>,
    /// What was printed, by the numbers of blocks.
    output: Vec<(u64, String)>,
    output_len: usize,
}

impl Blocks {
    fn new(kernel: &DeviceKernel, launch: &DeviceLaunch<'_>) -> Blocks {
        let count = volume(launch.grid);
        let together = kernel.cooperative || count == 1 || parallel::num_threads() == 1;
        Blocks {
            count,
            next: AtomicU64::new(0),
            over: AtomicBool::new(false),
            alone_until: (!together).then(|| Instant::now() + ALONE),
            shared: AtomicBool::new(kernel.long && !together),
            became: Mutex::default(),
        }
    }

    /// The number of a block that was not begun, which now is.
    pub(super) fn take(&self) -> Option<u64> {
        if self.over.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.count).then_some(number)
    }

    /// Whether who has run a block runs the next one.
    pub(super) fn go_on(&self) -> bool {
        match self.alone_until {
            Some(until) if !self.shared.load(Ordering::Relaxed) => Instant::now() < until,
            _ => true,
        }
    }

    fn became(&self) -> MutexGuard<'_, Became> {
        self.became.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what a thread has raised, unless one of its block or of an earlier one has.
    pub(super) fn note_raised(&self, thread: &DeviceThread) {
        let Some(error) = take_error() else {
            return;
        };
        let order = |[x, y, z]: [u32; 3]| [z, y, x];
        let mut became = self.became();
        let first = became.raised.as_ref();
        if first.is_none_or(|first| order(thread.block) < order(first.block)) {
            became.raised = Some(Box::new(Raised {
                error,
                thread: thread.thread,
                block: thread.block,
            }));
        }
    }

    /// Takes what the threads of a block have printed.
    pub(super) fn note_output(&self, block: u64) {
        let text = output::take();
        if text.is_empty() {
            return;
        }
        let mut became = self.became();
        became.output_len += text.len();
        became.output.push((block, text));
        if became.output_len > OUTPUT {
            let texts = became.take_output();
            drop(became);
            output::write(&texts);
        }
    }

    /// Ends the launch.
    fn fail(&self, error: LaunchError) {
        self.over.store(true, Ordering::Relaxed);
        self.became().failed.get_or_insert(error);
    }
}

impl Became {
    fn take_output(&mut self) -> String {
        self.output_len = 0;
        // Texts of one block stay in order.
        self.output.sort_by_key(|(block, _)| *block);
        self.output.drain(..).map(|(_, text)| text).collect()
    }
}

/// Runs all blocks of a launch.
///
/// # Safety
/// As for [`super::launch_device`].
pub(super) unsafe fn run(
    kernel: &DeviceKernel,
    launch: &DeviceLaunch<'_>,
) -> Result<(), LaunchError> {
    let blocks = Blocks::new(kernel, launch);
    let work = || {
        // SAFETY: the caller's promise is the same.
        let outcome = unsafe {
            match kernel.waits {
                true => grid::run(kernel, launch, &blocks),
                false => plain::run(kernel, launch, &blocks),
            }
        };
        blocks.note_output(u64::MAX);
        match outcome {
            Ok(()) => true,
            Err(LaunchError::Interrupted(error)) => {
                blocks.over.store(true, Ordering::Relaxed);
                put_error(error);
                false
            }
            Err(error) => {
                blocks.fail(error);
                true
            }
        }
    };
    let mut ended = blocks.shared.load(Ordering::Relaxed) || work();
    if ended && blocks.alone_until.is_some() {
        blocks.shared.store(true, Ordering::Relaxed);
        let left = blocks
            .count
            .saturating_sub(blocks.next.load(Ordering::Relaxed));
        let threads = left.min(parallel::num_threads() as u64);
        if threads > 0 {
            ended = parallel::in_threads(threads as i64, &work);
        }
    }
    let mut became = blocks.became();
    let text = became.take_output();
    let (failed, raised) = (became.failed.take(), became.raised.take());
    drop(became);
    output::write(&text);
    if !ended && let Some(error) = take_error() {
        return Err(LaunchError::Interrupted(error));
    }
    match (failed, raised) {
        (Some(error), _) => Err(error),
        (None, Some(raised)) => Err(LaunchError::Raised(raised)),
        (None, None) => Ok(()),
    }
}
