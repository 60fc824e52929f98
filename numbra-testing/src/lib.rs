//! What tests of several crates share: golden text in files, and running machine code against the runtime.
//!
//! Tests alone use this crate; no product code links it.

pub mod golden;
#[cfg(feature = "machine-code")]
pub mod machine_code;
