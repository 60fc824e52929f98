//! numbra-abi
