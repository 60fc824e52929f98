//! numbra-library
