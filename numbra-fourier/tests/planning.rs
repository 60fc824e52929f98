//! How much memory plans take.

use numbra_fourier::{HalfSpectra, RealRows, Rows, Scaling};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts bytes that are taken.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let now = NOW.fetch_sub(layout.size(), Ordering::Relaxed) - layout.size();
        if layout.size() == LARGEST.load(Ordering::Relaxed) {
            MOST.store(now, Ordering::Relaxed);
        }
        // SAFETY: the caller's promise is the same.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The first allocation that depends on the length asks for all that the plan takes: it is the largest, and what follows
/// stays below it.
fn check(name: &str, n: usize, plan: impl FnOnce()) {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    LARGEST.store(0, Ordering::Relaxed);
    plan();
    let (most, asked) = (
        MOST.load(Ordering::Relaxed) - before,
        LARGEST.load(Ordering::Relaxed),
    );
    if std::env::var_os("SHOW").is_some() {
        println!(
            "{name} {n}: {most} of {asked}, {} points",
            most as f64 / n as f64 / 16.0
        );
    }
    assert!(
        most <= asked,
        "{name} of {n}: {most} bytes, asked for {asked}"
    );
}

#[test]
fn plans_take_no_more_than_was_asked_for() {
    let lengths = (1..300).chain([
        1 << 16,
        1 << 17,
        1 << 18,
        3 << 15,
        59_049,
        15_625,
        16_807,
        14_641,
        5 * 7 * 11 * 64,
        65_537,
        65_539,
        104_729,
        131_071,
        2 * 50_021,
        4 * 32_771,
        211 * 223,
        1009 * 101,
        3 * 40_961,
        12_289,
        25 * 4_001,
    ]);
    for n in lengths {
        check("rows", n, || drop(Rows::<f64>::new(n, false, Scaling::One)));
        check("single rows", n, || {
            drop(Rows::<f32>::new(n, true, Scaling::One))
        });
        check("real rows", n, || {
            drop(RealRows::<f64>::new(n, Scaling::One))
        });
        check("half spectra", n, || {
            drop(HalfSpectra::<f32>::new(n, Scaling::One))
        });
    }
}
