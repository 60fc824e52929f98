//! What differs between the precisions.

use crate::kept::Plans;
use realfft::{ComplexToReal, RealToComplex};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum};
use std::cell::RefCell;
use std::sync::Arc;

/// A float that transforms are computed of: `f32` and `f64`. What its methods call is compiled in this crate: they are of one
/// type each.
pub trait Float: FftNum {
    /// What a transform of `n` points is multiplied by.
    fn factor(scaling: Scaling, n: usize) -> Self;

    /// Multiplies complex numbers.
    fn scale_complex(numbers: &mut [Complex<Self>], factor: Self);

    /// Multiplies real numbers.
    fn scale(numbers: &mut [Self], factor: Self);

    /// Of complex rows.
    #[doc(hidden)]
    fn rows(n: usize, direction: FftDirection) -> Arc<dyn Fft<Self>>;

    /// Of real rows to the first halves of their spectra.
    #[doc(hidden)]
    fn real_rows(n: usize) -> Arc<dyn RealToComplex<Self>>;

    /// Of first halves of spectra to real rows.
    #[doc(hidden)]
    fn half_spectra(n: usize) -> Arc<dyn ComplexToReal<Self>>;
}

/// By how much a transform is scaled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scaling {
    /// Not at all.
    One,
    /// So that there and back are scaled alike: by the root of the number of points.
    Root,
    /// By the number of points.
    Whole,
}

macro_rules! floats {
    ($($float:ident $plans:ident;)*) => {
        $(thread_local! {
            static $plans: RefCell<Plans<$float>> = const { RefCell::new(Plans::new()) };
        }

        impl Float for $float {
            fn factor(scaling: Scaling, n: usize) -> $float {
                match scaling {
                    Scaling::One => 1.0,
                    Scaling::Root => 1.0 / (n as $float).sqrt(),
                    Scaling::Whole => 1.0 / n as $float,
                }
            }

            fn scale_complex(numbers: &mut [Complex<$float>], factor: $float) {
                for z in numbers {
                    *z = z.scale(factor);
                }
            }

            fn scale(numbers: &mut [$float], factor: $float) {
                for x in numbers {
                    *x *= factor;
                }
            }

            fn rows(n: usize, direction: FftDirection) -> Arc<dyn Fft<$float>> {
                $plans.with_borrow_mut(|plans| plans.rows(n, direction))
            }

            fn real_rows(n: usize) -> Arc<dyn RealToComplex<$float>> {
                $plans.with_borrow_mut(|plans| plans.real_rows(n))
            }

            fn half_spectra(n: usize) -> Arc<dyn ComplexToReal<$float>> {
                $plans.with_borrow_mut(|plans| plans.half_spectra(n))
            }
        })*
    };
}

floats! {
    f32 SINGLE;
    f64 DOUBLE;
}
