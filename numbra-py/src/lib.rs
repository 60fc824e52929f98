//! numbra-py
