//! What every numbra crate needs, and nothing else: source spans, provenance, diagnostics, fast maps and lists.
//!
//! This crate knows no compiler concept.

#![forbid(unsafe_code)]

mod diagnostic;
mod lists;
mod near;
mod origin;
mod span;

pub use diagnostic::{Code, Diagnostic, ErrorClass, Label, Severity, SourceCache, render};
pub use lists::Lists;
pub use near::nearest_name;
pub use origin::Origin;
pub use span::{FileId, Span};

/// Hash map with a fast, deterministic hash. Iterate it only where order cannot be observed.
pub type FxHashMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// Hash set with a fast, deterministic hash. Iterate it only where order cannot be observed.
pub type FxHashSet<K> = rustc_hash::FxHashSet<K>;
/// The hasher behind [`FxHashMap`].
pub type FxHasher = rustc_hash::FxHasher;
