//! The artifact as data. The model is that of an x86-64 ELF object, cut down to what generators emit.

use crate::artifact::CpuLevel;
use cranelift_entity::{PrimaryMap, entity_impl};
use numbra_base::Span;
use serde::{Deserialize, Serialize};

/// A section of one [`Artifact`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SectionId(u32);
entity_impl!(SectionId, "section");

/// A symbol of one [`Artifact`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SymbolId(u32);
entity_impl!(SymbolId, "symbol");

/// How a section is mapped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum SectionKind {
    /// Machine code: readable and executable.
    Text,
    /// Constants, jump tables, exception descriptions: readable.
    Rodata,
    /// Cells: readable and writable.
    Cells,
    /// `.eh_frame`: readable, registered with the unwinder when the platform has one.
    Unwind,
}

/// Bytes that are mapped together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Section {
    /// As in an object file: `.text`, `.rodata.cst8`.
    pub name: String,
    pub kind: SectionKind,
    /// Power of two, at most 4096.
    pub align: u32,
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
    /// Zero bytes that follow `bytes` in memory (`.bss`).
    pub zero_fill: u32,
}

impl Section {
    /// Bytes in memory.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.zero_fill as usize
    }
}

/// Who sees a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum SymbolLinkage {
    /// This artifact only.
    Local,
    /// Artifacts that link to this one.
    Export,
    /// Defined elsewhere: another artifact or the runtime.
    Import,
}

/// What a symbol names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum SymbolKind {
    Function,
    Data,
}

/// Where a symbol is defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Definition {
    pub section: SectionId,
    pub offset: u32,
    pub size: u32,
}

/// A name for an address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    pub linkage: SymbolLinkage,
    /// `None` exactly for imports.
    pub place: Option<Definition>,
}

/// How the address of a symbol `S`, with addend `A`, is written at place `P`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum RelocKind {
    /// `S + A` in 8 bytes. ELF `R_X86_64_64`.
    Abs8,
    /// `S + A - P` in 4 bytes; the symbol is in this artifact. ELF `R_X86_64_PC32`.
    PcRel4,
    /// `S + A - P` in 8 bytes. ELF `R_X86_64_PC64`.
    PcRel8,
    /// `S + A - P` in 4 bytes, for calls and jumps: goes through a stub when `S` is out of reach. ELF `R_X86_64_PLT32`.
    CallPcRel4,
    /// `G + A - P` in 4 bytes, where the 8 bytes at `G` hold `S`. ELF `R_X86_64_GOTPCREL`, `..GOTPCRELX`,
    /// `..REX_GOTPCRELX`.
    GotPcRel4,
}

impl RelocKind {
    pub const ALL: [RelocKind; 5] = [
        RelocKind::Abs8,
        RelocKind::PcRel4,
        RelocKind::PcRel8,
        RelocKind::CallPcRel4,
        RelocKind::GotPcRel4,
    ];

    /// Bytes written.
    pub fn size(self) -> usize {
        match self {
            RelocKind::Abs8 | RelocKind::PcRel8 => 8,
            RelocKind::PcRel4 | RelocKind::CallPcRel4 | RelocKind::GotPcRel4 => 4,
        }
    }
}

/// A place that the loader fills.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Relocation {
    pub section: SectionId,
    pub offset: u32,
    pub kind: RelocKind,
    pub symbol: SymbolId,
    pub addend: i64,
}

/// Machine code bytes `start..end` of a section come from `span`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LineRow {
    pub section: SectionId,
    pub start: u32,
    pub end: u32,
    pub span: Span,
}

/// Machine code with everything needed to load it, and no address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Artifact {
    /// Of the LIR module.
    pub name: String,
    pub cpu: CpuLevel,
    pub sections: PrimaryMap<SectionId, Section>,
    pub symbols: PrimaryMap<SymbolId, Symbol>,
    pub relocations: Vec<Relocation>,
    /// Sorted by section and start; ranges do not overlap.
    pub lines: Vec<LineRow>,
    /// Source files by `FileId`; index 0 is unknown.
    pub files: Vec<String>,
}

impl Artifact {
    /// An artifact without sections.
    pub fn new(name: &str, cpu: CpuLevel) -> Artifact {
        Artifact {
            name: name.to_owned(),
            cpu,
            sections: PrimaryMap::new(),
            symbols: PrimaryMap::new(),
            relocations: Vec::new(),
            lines: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Defined functions, in the order of the symbol table.
    pub fn functions(&self) -> impl Iterator<Item = (SymbolId, &Symbol, Definition)> {
        self.symbols
            .iter()
            .filter_map(|(id, symbol)| match symbol.kind {
                SymbolKind::Function => symbol.place.map(|place| (id, symbol, place)),
                SymbolKind::Data => None,
            })
    }

    /// The symbol with this name that is defined here.
    pub fn defined(&self, name: &str) -> Option<(SymbolId, Definition)> {
        self.symbols
            .iter()
            .find_map(|(id, s)| s.place.filter(|_| s.name == name).map(|place| (id, place)))
    }

    /// Names that must come from elsewhere, in the order of the symbol table.
    pub fn imports(&self) -> impl Iterator<Item = &str> {
        self.symbols
            .values()
            .filter_map(|s| (s.linkage == SymbolLinkage::Import).then_some(s.name.as_str()))
    }

    /// Machine code of a defined function.
    pub fn code(&self, place: Definition) -> &[u8] {
        let start = place.offset as usize;
        self.sections
            .get(place.section)
            .and_then(|s| s.bytes.get(start..start + place.size as usize))
            .unwrap_or(&[])
    }

    /// The span that the byte at `offset` of a section comes from.
    pub fn span_at(&self, section: SectionId, offset: u32) -> Option<Span> {
        let after = self
            .lines
            .partition_point(|row| (row.section, row.start) <= (section, offset));
        let row = self.lines.get(after.checked_sub(1)?)?;
        (row.section == section && offset < row.end).then_some(row.span)
    }
}
