//! numbra-lower
