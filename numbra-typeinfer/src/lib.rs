//! Type inference: from untyped Numba IR and argument types to a typed program whose callees are ids.
//!
//! ```text
//! Func + argument types ── Network (one constraint per statement, worklist)
//!                            │ calls ── fold ── resolve ── library row | user overload | jitted function | closure
//!                            │                     └── further functions, inferred once per source and argument types
//!                            └── finish ── TypedProgram, or diagnostics
//! ```
//!
//! What Python knows comes through a [`Host`]. What functions exist comes from [`numbra_library`]: nothing here names one.
//! It never panics on user code and never emits machine-level detail.
#![forbid(unsafe_code)]

mod annotate;
mod attributes;
mod calls;
mod choices;
mod closures;
pub mod codes;
mod context;
mod enums;
mod eval;
mod failure;
mod finish;
mod fold;
mod fold_const;
mod host;
mod infer;
mod initial;
mod network;
mod patterns;
mod program;
mod report;
mod resolve;
mod special;
mod stencil;
mod subscripts;
mod test_host;
mod trace;
mod ufuncs;
mod values;

pub use annotate::annotate;
pub use host::{
    DispatcherForm, DispatcherInfo, Host, HostError, NamedTupleClass, Overload, OverloadBody,
    OverloadQuery, OverloadTarget, Reader,
};
pub use infer::{Inference, Options, infer, infer_full};
pub use test_host::{TestDispatcher, TestHost, TestOverload};
