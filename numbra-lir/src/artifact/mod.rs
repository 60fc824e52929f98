//! Artifacts: what every code generator yields. Machine code and data in sections, relocations by symbol name, line
//! table; no addresses, so that an artifact can be stored, sent and loaded anywhere with a fitting CPU.

mod checksum;
mod codec;
mod cpu;
mod model;
mod reader;
mod validate;

pub use checksum::checksum;
pub use codec::ARTIFACT_VERSION;
pub use cpu::CpuLevel;
pub use model::{
    Artifact, LineRow, Place, RelocKind, Relocation, Section, SectionId, SectionKind, Symbol,
    SymbolId, SymbolKind, SymbolLinkage,
};
pub use reader::ArtifactError;
