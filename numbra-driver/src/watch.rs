//! Long work that somebody may not want any more.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Between two questions whether the work is wanted.
const MOMENT: Duration = Duration::from_millis(20);
/// What generators want of a stack, and more.
const STACK: usize = 8 << 20;

/// The result of `work`, which a thread of its own does while this one asks `stop`; `None` once that says true: the work
/// goes on, for no generator can be stopped, and what it gives is dropped. Without a thread the work is done here.
pub(crate) fn watched<R: Send + 'static>(
    stop: &dyn Fn() -> bool,
    work: impl FnOnce() -> R + Send + 'static,
) -> Option<R> {
    let work = Arc::new(Mutex::new(Some(work)));
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (send, receive) = sync_channel(1);
    let theirs = Arc::clone(&work);
    let started = thread::Builder::new()
        .name("numbra-generate".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            if let Some(work) = take(&theirs) {
                // Who has gone wants no answer.
                let _ = send.send(work());
            }
        });
    let Ok(worker) = started else {
        return take(&work).map(|work| work());
    };
    loop {
        match receive.recv_timeout(MOMENT) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) if stop() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => return None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::watched;
    use std::time::{Duration, Instant};

    #[test]
    fn what_is_wanted_is_waited_for() {
        assert_eq!(watched(&|| false, || 3), Some(3));
        let slow = || std::thread::sleep(Duration::from_millis(50));
        assert_eq!(watched(&|| false, slow), Some(()));
    }

    #[test]
    fn what_nobody_wants_is_left() {
        let start = Instant::now();
        let long = || std::thread::sleep(Duration::from_secs(60));
        assert_eq!(watched(&|| true, long), None);
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    #[should_panic(expected = "seen here")]
    fn a_panic_comes_here() {
        watched(&|| false, || panic!("seen here"));
    }
}
