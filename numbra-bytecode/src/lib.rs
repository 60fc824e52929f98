//! numbra-bytecode
