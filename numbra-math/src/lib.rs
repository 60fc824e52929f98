//! Mathematical functions: scalar and on vectors, with the same bits in both.
//!
//! On processors with FMA every function is numbra's own, compiled from C: `exp`, `exp2`, `log`, `log2` and `pow` in double
//! precision by the algorithms of Arm's Optimized Routines, whose bits are the GNU C library's; the hyperbolic
//! functions and their inverses, `erf`, `erfc`, `tgamma`, `lgamma`, `expm1` and `hypot`, in double precision `log10`,
//! `log1p`, the circular functions and their inverses, and in single precision `exp`, `exp2`, `log`, `log2`, `sin`, `cos`
//! and `pow`, by code of ours (`own`); all others are SLEEF's.
//! A scalar call and each lane of a vector call give the same bits, so it does not matter which loops a compiler
//! vectorises.
//! Other processors (before 2013) compute with the platform's library, one lane after the other: code for their CPU levels
//! calls no vector function.
//!
//! The platform's library is also there by name, for `math='libm'`.

mod level;
#[cfg(target_arch = "x86_64")]
mod own;
mod platform;
#[cfg(target_arch = "x86_64")]
mod sleef;
mod table;

pub use level::has_fma;
pub use table::{double, single, symbol, symbol_names};
