//! What cust's build scripts call, doing nothing: `numbra-cuda-shim` defines the driver's symbols.
#![forbid(unsafe_code)]

/// Links nothing.
pub fn include_cuda() {}
