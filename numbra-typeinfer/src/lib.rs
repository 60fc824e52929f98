//! numbra-typeinfer
