//! Plans, which cost as much as some transforms: a thread keeps the latest.

use crate::Float;
use numbra_memory::room;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner};
use std::sync::Arc;

/// The plans of one precision that a thread keeps.
pub(crate) struct Plans<T: Float> {
    rows: Kept<(usize, FftDirection), dyn Fft<T>>,
    real_rows: Kept<usize, dyn RealToComplex<T>>,
    half_spectra: Kept<usize, dyn ComplexToReal<T>>,
}

impl<T: Float> Plans<T> {
    pub(crate) const fn new() -> Plans<T> {
        Plans {
            rows: Kept::new(),
            real_rows: Kept::new(),
            half_spectra: Kept::new(),
        }
    }

    /// Of complex rows.
    pub(crate) fn rows(&mut self, n: usize, direction: FftDirection) -> Arc<dyn Fft<T>> {
        let make = || FftPlanner::new().plan_fft(n, direction);
        self.rows.find((n, direction), bytes::<T>(n), make)
    }

    /// Of real rows to the first halves of their spectra.
    pub(crate) fn real_rows(&mut self, n: usize) -> Arc<dyn RealToComplex<T>> {
        let make = || RealFftPlanner::new().plan_fft_forward(n);
        self.real_rows.find(n, bytes::<T>(n), make)
    }

    /// Of first halves of spectra to real rows.
    pub(crate) fn half_spectra(&mut self, n: usize) -> Arc<dyn ComplexToReal<T>> {
        let make = || RealFftPlanner::new().plan_fft_inverse(n);
        self.half_spectra.find(n, bytes::<T>(n), make)
    }
}

/// Plans of one kind, the latest last.
struct Kept<K, P: ?Sized> {
    plans: Vec<Plan<K, P>>,
}

struct Plan<K, P: ?Sized> {
    key: K,
    bytes: usize,
    steps: Arc<P>,
}

/// So many plans of a kind are kept.
const MOST: usize = 16;

/// Of so many bytes together.
const MOST_BYTES: usize = 64 << 20;

impl<K: Copy + PartialEq, P: ?Sized> Kept<K, P> {
    const fn new() -> Kept<K, P> {
        Kept { plans: Vec::new() }
    }

    /// The plan of this key; one of at most so many bytes is made if there is none.
    fn find(&mut self, key: K, bytes: usize, make: impl FnOnce() -> Arc<P>) -> Arc<P> {
        if let Some(at) = self.plans.iter().rposition(|plan| plan.key == key) {
            self.plans[at..].rotate_left(1);
        } else {
            // rustfft would end the process if there were no memory. It is given back before the plan takes it, so that
            // another thread may be faster.
            drop(room::<u8>(bytes));
            let steps = make();
            if bytes > MOST_BYTES {
                return steps;
            }
            self.plans.push(Plan { key, bytes, steps });
            while self.plans.len() > MOST || self.bytes() > MOST_BYTES {
                self.plans.remove(0);
            }
        }
        Arc::clone(&self.plans[self.plans.len() - 1].steps)
    }

    fn bytes(&self) -> usize {
        self.plans.iter().map(|plan| plan.bytes).sum()
    }
}

/// At least as many bytes as making a plan of `n` points takes, and more than it keeps: `tests/planning.rs` counts them.
fn bytes<T>(n: usize) -> usize {
    /// What small transforms take, whatever their length.
    const LEAST: usize = 64 << 10;
    let points = if is_smooth(n) {
        n.saturating_mul(3)
    } else {
        n.saturating_mul(20)
    };
    points
        .saturating_mul(size_of::<Complex<T>>())
        .saturating_add(LEAST)
}

/// A product of primes up to 11: others are transformed by longer transforms.
fn is_smooth(mut n: usize) -> bool {
    for prime in [2, 3, 5, 7, 11] {
        while n > 1 && n.is_multiple_of(prime) {
            n /= prime;
        }
    }
    n <= 1
}
