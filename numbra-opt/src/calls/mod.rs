//! Calls: inlining, room on the stack, generators.

pub(crate) mod frames;
pub(crate) mod generators;
pub(crate) mod inline;
pub(crate) mod large_frames;
pub(crate) mod stack_checks;
