//! Artifacts: what every code generator yields. Machine code and data in sections, relocations by symbol name, line
//! table; no addresses, so that an artifact can be stored, sent and loaded anywhere with a fitting CPU.

mod codec;
mod cpu;
mod model;
pub mod sealed;
mod validate;

pub use codec::ArtifactError;
pub use cpu::CpuLevel;
pub use model::{
    Artifact, Definition, LineRow, RelocKind, Relocation, Section, SectionId, SectionKind, Symbol,
    SymbolId, SymbolKind, SymbolLinkage,
};
