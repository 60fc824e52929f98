//! numbra-ir
