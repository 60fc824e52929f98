//! Transforms of rows that lie one behind another.

use crate::{Complex, Float, Scaling};
use numbra_memory::filled;
use realfft::{ComplexToReal, RealToComplex};
use rustfft::{Fft, FftDirection};
use std::sync::Arc;

/// Complex rows to their spectra, or back.
pub struct Rows<T: Float> {
    plan: Arc<dyn Fft<T>>,
    scratch: Vec<Complex<T>>,
    factor: T,
}

/// Real rows to the first halves of their spectra: the others are these conjugated.
pub struct RealRows<T: Float> {
    plan: Arc<dyn RealToComplex<T>>,
    scratch: Vec<Complex<T>>,
    factor: T,
}

/// First halves of spectra to real rows.
pub struct HalfSpectra<T: Float> {
    plan: Arc<dyn ComplexToReal<T>>,
    scratch: Vec<Complex<T>>,
    factor: T,
}

impl<T: Float> Rows<T> {
    /// Of `n` points, at least one.
    pub fn new(n: usize, inverse: bool, scaling: Scaling) -> Rows<T> {
        let direction = if inverse {
            FftDirection::Inverse
        } else {
            FftDirection::Forward
        };
        let plan = T::rows(n, direction);
        Rows {
            scratch: zeros(plan.get_inplace_scratch_len()),
            plan,
            factor: T::factor(scaling, n),
        }
    }

    /// Transforms each of these rows in place.
    pub fn transform(&mut self, rows: &mut [Complex<T>]) {
        self.plan.process_with_scratch(rows, &mut self.scratch);
        scale(rows, self.factor);
    }
}

impl<T: Float> RealRows<T> {
    /// Of `n` points, at least one.
    pub fn new(n: usize, scaling: Scaling) -> RealRows<T> {
        let plan = T::real_rows(n);
        RealRows {
            scratch: zeros(plan.get_scratch_len()),
            plan,
            factor: T::factor(scaling, n),
        }
    }

    /// Writes the first `n / 2 + 1` points of the spectrum of each of these rows, which are written over.
    pub fn transform(&mut self, rows: &mut [T], spectra: &mut [Complex<T>]) {
        let (n, half) = (self.plan.len(), self.plan.complex_len());
        for (row, spectrum) in rows.chunks_exact_mut(n).zip(spectra.chunks_exact_mut(half)) {
            let done = self
                .plan
                .process_with_scratch(row, spectrum, &mut self.scratch);
            done.expect("slices of the lengths that the plan has");
        }
        scale(spectra, self.factor);
    }
}

impl<T: Float> HalfSpectra<T> {
    /// Of `n` real points, at least one.
    pub fn new(n: usize, scaling: Scaling) -> HalfSpectra<T> {
        let plan = T::half_spectra(n);
        HalfSpectra {
            scratch: zeros(plan.get_scratch_len()),
            plan,
            factor: T::factor(scaling, n),
        }
    }

    /// Writes the row of which the first `n / 2 + 1` points of each of these spectra are, which are written over. Imaginary
    /// parts that real rows do not have are passed over.
    pub fn transform(&mut self, spectra: &mut [Complex<T>], rows: &mut [T]) {
        let (n, half) = (self.plan.len(), self.plan.complex_len());
        for (spectrum, row) in spectra.chunks_exact_mut(half).zip(rows.chunks_exact_mut(n)) {
            spectrum[0].im = T::zero();
            if n.is_multiple_of(2) {
                spectrum[half - 1].im = T::zero();
            }
            let done = self
                .plan
                .process_with_scratch(spectrum, row, &mut self.scratch);
            done.expect("slices of the lengths that the plan has");
        }
        if self.factor != T::one() {
            T::scale(rows, self.factor);
        }
    }
}

fn scale<T: Float>(points: &mut [Complex<T>], factor: T) {
    if factor != T::one() {
        T::scale_complex(points, factor);
    }
}

fn zeros<T: Float>(n: usize) -> Vec<Complex<T>> {
    filled(n, Complex::new(T::zero(), T::zero()))
}
