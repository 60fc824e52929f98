//! Polls, by which compiled code learns that it is to leave.

pub mod interrupts;
pub(crate) mod safepoints;
