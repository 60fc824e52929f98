//! numbra-llvm
