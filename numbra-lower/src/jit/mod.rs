//! Artifacts in memory: loading, linking, running, and what debuggers and profilers see of them.
//!
//! [`load`] places the sections of an [`Artifact`](numbra_lir::artifact::Artifact) in executable memory, resolves its
//! relocations by symbol name and seals the memory: pages are never writable and executable at once. A
//! [`LoadedArtifact`] owns its memory and keeps the artifacts it is linked to; dropping the last reference frees it.

mod arena;
mod disassemble;
mod execute;
mod gdb;
mod image;
mod loaded;
mod loader;
mod module;
mod perf;
mod registry;
mod symbols;

pub use arena::code_bytes;
pub use disassemble::disassemble;
pub use execute::{CodeExecutor, RuntimeEdge};
pub use loaded::{JitFunction, LoadedArtifact};
pub use loader::{LoadError, load};
pub use registry::{CodeMemory, CodePosition, Moved, find_code, keep_code, moved_line};
pub use symbols::SymbolLookup;
