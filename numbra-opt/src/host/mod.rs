//! Kernels for the CPU: what GPU threads do, by reads of their state and calls of the runtime.

pub(crate) mod bfloat;
pub(crate) mod depth;
pub(crate) mod library;
pub(crate) mod spins;
pub(crate) mod threads;
