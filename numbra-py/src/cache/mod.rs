//! The cache of compiled code at the edge of Python: what of live objects an entry depends on.
//!
//! Compiling is a function of the code object, the argument types, the options, and of what the [`Host`] answers. So an
//! entry keeps the questions that its compilation asked ([`trace`]) and digests of the answers ([`ask`]), and looking it up
//! asks them again. Nothing is inferred, and no IR is built.
//!
//! [`Host`]: numbra_typeinfer::Host

mod ask;
mod content;
mod keep;
mod kernel;
mod methods;
mod trace;

pub(crate) use keep::{Cache, Found, Kept, Outcome};
pub(crate) use kernel::{FoundKernel, KeptKernel, MadeKernel};
pub(crate) use methods::{
    _cache_entries, _cache_events, _carry_cache, _enable_cache, _flush_cache, _has_dynamic_globals,
};
pub(crate) use trace::TracingHost;
