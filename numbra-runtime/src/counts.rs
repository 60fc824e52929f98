//! How many objects were made and freed. Each thread counts for itself: a counter for all would be what threads wait for.
//!
//! Counters stand in a list that only grows, without a lock that a fork could leave held. A thread that ends leaves its
//! counter, with what it has counted, to the next that begins.
//!
//! What a thread keeps of small objects stands beside its counter, so that both are found at once.

use crate::object::Header;
use crate::spares::{Class, Spares};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

/// What a thread has counted, and the threads before it.
#[derive(Default)]
struct Counter {
    allocated: AtomicU64,
    freed: AtomicU64,
    /// A thread counts here.
    taken: AtomicBool,
    next: Option<&'static Counter>,
}

/// The newest counter.
static NEWEST: AtomicPtr<Counter> = AtomicPtr::new(ptr::null_mut());

/// For threads that have given up their counter: destructors of other things of theirs may free objects.
static ENDED: Counter = Counter {
    allocated: AtomicU64::new(0),
    freed: AtomicU64::new(0),
    taken: AtomicBool::new(true),
    next: None,
};

impl Counter {
    /// Adds 1; nobody else writes to `count`.
    #[inline]
    fn add(count: &AtomicU64) {
        let more = count.load(Ordering::Relaxed).wrapping_add(1);
        count.store(more, Ordering::Relaxed);
    }
}

/// A thread's hold of its counter, and its spares.
struct Own {
    counter: &'static Counter,
    spares: Spares,
}

impl Drop for Own {
    fn drop(&mut self) {
        self.counter.taken.store(false, Ordering::Release);
    }
}

thread_local! {
    static OWN: Own = Own {
        counter: take(),
        spares: Spares::new(),
    };
}

/// An object of a class that this thread has freed, counted as made.
#[inline]
pub(crate) fn reuse(class: Class) -> Option<*mut Header> {
    let reused = OWN.try_with(|own| {
        let object = own.spares.take(class)?;
        Counter::add(&own.counter.allocated);
        Some(object)
    });
    reused.ok().flatten()
}

/// Keeps an object and counts it as freed, or does neither.
///
/// # Safety
/// As for [`Spares::keep`].
#[inline]
pub(crate) unsafe fn keep(class: Class, object: *mut Header) -> bool {
    let kept = OWN.try_with(|own| {
        // SAFETY: the caller's promise.
        let kept = unsafe { own.spares.keep(class, object) };
        if kept {
            Counter::add(&own.counter.freed);
        }
        kept
    });
    kept.unwrap_or(false)
}

/// Counts an object that was made.
#[inline]
pub(crate) fn count_allocated() {
    count(|counter| &counter.allocated);
}

/// Counts an object that was freed.
#[inline]
pub(crate) fn count_freed() {
    count(|counter| &counter.freed);
}

#[inline]
fn count(which: fn(&Counter) -> &AtomicU64) {
    let own = OWN.try_with(|own| Counter::add(which(own.counter)));
    if own.is_err() {
        which(&ENDED).fetch_add(1, Ordering::Relaxed);
    }
}

/// Objects allocated and freed since the start of the process. What other threads do meanwhile may be in it or not.
pub fn allocation_counts() -> (u64, u64) {
    let (mut allocated, mut freed) = (0u64, 0u64);
    for counter in counters().chain([&ENDED]) {
        freed = freed.wrapping_add(counter.freed.load(Ordering::Relaxed));
        allocated = allocated.wrapping_add(counter.allocated.load(Ordering::Relaxed));
    }
    (allocated, freed)
}

/// Objects that are alive.
pub fn live_objects() -> i64 {
    let (allocated, freed) = allocation_counts();
    allocated.wrapping_sub(freed) as i64
}

fn counters() -> impl Iterator<Item = &'static Counter> {
    // SAFETY: null, or a counter that is never freed, and was whole when it was stored.
    let newest = unsafe { NEWEST.load(Ordering::Acquire).as_ref() };
    std::iter::successors(newest, |counter| counter.next)
}

/// A counter of nobody's, or a new one.
fn take() -> &'static Counter {
    let free = |counter: &&'static Counter| {
        let (from, to) = (false, true);
        let swap = counter
            .taken
            .compare_exchange(from, to, Ordering::Acquire, Ordering::Relaxed);
        swap.is_ok()
    };
    if let Some(counter) = counters().find(free) {
        return counter;
    }
    let new = Box::leak(Box::new(Counter {
        taken: AtomicBool::new(true),
        ..Counter::default()
    }));
    let place: *mut Counter = new;
    loop {
        let newest = NEWEST.load(Ordering::Acquire);
        // SAFETY: `new` is nobody else's until it is stored; what stands there is null or a counter, as in `counters`.
        unsafe { (*place).next = newest.as_ref() };
        let stored = NEWEST.compare_exchange(newest, place, Ordering::AcqRel, Ordering::Relaxed);
        if stored.is_ok() {
            // SAFETY: it is never freed, and from here on nobody writes to it but through its atomics.
            return unsafe { &*place };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn threads_hand_their_counters_on() {
        let before = counters().count();
        for _ in 0..500 {
            thread::spawn(count_allocated).join().expect("counts");
        }
        // Other tests of this process have threads of their own, but not hundreds.
        assert!(counters().count() < before + 250);
    }

    #[test]
    fn nothing_that_a_thread_counted_is_lost() {
        let of = |counter: &Counter| counter.allocated.load(Ordering::Relaxed);
        let before: u64 = counters().map(of).sum();
        let threads: Vec<_> = (0..8)
            .map(|_| thread::spawn(|| (0..1000).for_each(|_| count_allocated())))
            .collect();
        for thread in threads {
            thread.join().expect("counts");
        }
        assert!(counters().map(of).sum::<u64>() >= before + 8000);
    }
}
