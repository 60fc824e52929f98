//! What tests of several crates share: golden text in files, cases in child processes, one NaN for all, and running machine code against the runtime.
//!
//! Tests alone use this crate; no product code links it.

pub mod children;
#[cfg(feature = "lir")]
pub mod filetest;
pub mod golden;
#[cfg(feature = "machine-code")]
pub mod machine_code;
pub mod nans;
#[cfg(feature = "lir")]
pub mod random_lir;
