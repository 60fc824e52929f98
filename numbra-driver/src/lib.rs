//! numbra-driver
