//! numbra-runtime
