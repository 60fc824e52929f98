//! Passes over LIR. One file, one transformation; [`LIR_PASSES`] names them all and [`PIPELINE`] orders them.
//! [`interrupts`] says how compiled code learns that it is to leave.
//!
//! All respect [`numbra_lir::analysis::effects`]: what is not removable stays, what is not speculatable is not executed where
//! the program does not, convergent operations are neither moved over control flow, merged nor duplicated, and guards
//! are hoisted only past code that nobody can observe.
#![forbid(unsafe_code)]

mod block_copies;
mod carry_stores;
mod cold;
mod conditions;
mod copies;
mod counters;
mod dce;
mod dead_errors;
mod differences;
mod edges;
mod floor_divisions;
mod fold;
mod frames;
mod generators;
mod guards;
mod gvn;
mod host_bfloat;
mod host_depth;
mod host_library;
mod host_spins;
mod host_threads;
mod if_convert;
mod inline;
pub mod interrupts;
mod keep_best;
mod large_frames;
mod late_keeps;
mod licm;
mod loop_tests;
mod manager;
mod pack_stores;
mod place_refs;
mod prune_refs;
mod ranges;
mod ref_roots;
mod rename;
mod rotate_loops;
mod safepoints;
mod select;
mod simplify_cfg;
mod sink;
mod special_floats;
mod speculate;
mod sroa;
mod ssa;
mod stack_checks;
mod stepping;
mod strips;
mod thread_jumps;
mod unroll;
mod vectorize;
mod version_loops;
mod version_strides;

pub use generators::{FrameLayout, split_generator};
pub use host_threads::{HostNeeds, host_gap, host_needs};
pub use manager::{
    CRANELIFT, DEVICE, LIR_PASSES, LLVM, LirPass, ORDER, PIPELINE, PassError, Run,
    cranelift_pipeline, default_pipeline, device_pipeline, host_threads_pipeline, llvm_pipeline,
    optimize, run_pass, verified_pipeline,
};
