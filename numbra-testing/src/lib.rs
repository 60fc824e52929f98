//! What tests of several crates share: golden text in files, cases in child processes, random numbers, damaged texts, one NaN for all, and running machine code against the runtime.
//!
//! Tests alone use this crate; no product code links it.

pub mod children;
#[cfg(feature = "damage")]
pub mod damage;
#[cfg(feature = "lir")]
pub mod filetest;
pub mod golden;
#[cfg(feature = "machine-code")]
pub mod machine_code;
pub mod nans;
pub mod random;
#[cfg(feature = "lir")]
pub mod random_lir;
