//! The binary form of artifacts.
//!
//! Header: 8 bytes magic, u32 version, u64 payload length, u64 checksum of the payload, little-endian. The payload is
//! LEB128 numbers, length-prefixed strings and byte runs, in the order of the fields of [`Artifact`].

use crate::artifact::checksum::checksum;
use crate::artifact::{
    Artifact, ArtifactError, CpuLevel, LineRow, RelocKind, Section, SectionKind, Symbol,
    SymbolKind, SymbolLinkage, reader,
};

/// Version of the binary form; another version is rejected.
pub const ARTIFACT_VERSION: u32 = 1;

pub(super) const MAGIC: [u8; 8] = *b"numbra\0A";
pub(super) const HEADER_LEN: usize = 28;

impl Artifact {
    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Writer(Vec::new());
        payload.artifact(self);
        let payload = payload.0;
        let mut out = Vec::with_capacity(HEADER_LEN + payload.len());
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&ARTIFACT_VERSION.to_le_bytes());
        out.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        out.extend_from_slice(&checksum(&payload).to_le_bytes());
        out.extend_from_slice(&payload);
        out
    }

    /// Reads the binary form. Any bytes are safe: what does not hold together is an error.
    pub fn from_bytes(bytes: &[u8]) -> Result<Artifact, ArtifactError> {
        let artifact = reader::read(bytes)?;
        artifact.validate()?;
        Ok(artifact)
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn artifact(&mut self, artifact: &Artifact) {
        self.string(&artifact.name);
        self.0.push(cpu_tag(artifact.cpu));
        self.len(artifact.sections.len());
        artifact.sections.values().for_each(|s| self.section(s));
        self.len(artifact.symbols.len());
        artifact.symbols.values().for_each(|s| self.symbol(s));
        self.len(artifact.relocations.len());
        for reloc in &artifact.relocations {
            self.unsigned(u64::from(reloc.section.as_u32()));
            self.unsigned(u64::from(reloc.offset));
            self.0.push(reloc_tag(reloc.kind));
            self.unsigned(u64::from(reloc.symbol.as_u32()));
            self.signed(reloc.addend);
        }
        self.lines(&artifact.lines);
        self.len(artifact.files.len());
        artifact.files.iter().for_each(|file| self.string(file));
    }

    fn section(&mut self, section: &Section) {
        self.string(&section.name);
        self.0.push(section_tag(section.kind));
        self.unsigned(u64::from(section.align));
        self.len(section.bytes.len());
        self.0.extend_from_slice(&section.bytes);
        self.unsigned(u64::from(section.zero_fill));
    }

    fn symbol(&mut self, symbol: &Symbol) {
        self.string(&symbol.name);
        self.0.push(match symbol.kind {
            SymbolKind::Function => 0,
            SymbolKind::Data => 1,
        });
        self.0.push(match symbol.linkage {
            SymbolLinkage::Local => 0,
            SymbolLinkage::Export => 1,
            SymbolLinkage::Import => 2,
        });
        match symbol.place {
            None => self.0.push(0),
            Some(place) => {
                self.0.push(1);
                self.unsigned(u64::from(place.section.as_u32()));
                self.unsigned(u64::from(place.offset));
                self.unsigned(u64::from(place.size));
            }
        }
    }

    /// Positions as differences from the row before: most take one byte.
    fn lines(&mut self, rows: &[LineRow]) {
        self.len(rows.len());
        let (mut end, mut line) = (0, 0);
        for row in rows {
            self.unsigned(u64::from(row.section.as_u32()));
            self.signed(i64::from(row.start) - end);
            self.unsigned(u64::from(row.end - row.start));
            self.unsigned(u64::from(row.span.file.0));
            self.signed(i64::from(row.span.line) - line);
            self.unsigned(u64::from(row.span.col));
            self.signed(i64::from(row.span.end_line) - i64::from(row.span.line));
            self.unsigned(u64::from(row.span.end_col));
            end = i64::from(row.end);
            line = i64::from(row.span.line);
        }
    }

    fn string(&mut self, text: &str) {
        self.len(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn len(&mut self, len: usize) {
        self.unsigned(len as u64);
    }

    fn unsigned(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn signed(&mut self, value: i64) {
        self.unsigned(((value << 1) ^ (value >> 63)) as u64);
    }
}

pub(super) fn cpu_tag(cpu: CpuLevel) -> u8 {
    match cpu {
        CpuLevel::V1 => 1,
        CpuLevel::V2 => 2,
        CpuLevel::V3 => 3,
        CpuLevel::V4 => 4,
        CpuLevel::IceLake => 5,
    }
}

pub(super) fn section_tag(kind: SectionKind) -> u8 {
    match kind {
        SectionKind::Text => 0,
        SectionKind::Rodata => 1,
        SectionKind::Cells => 2,
        SectionKind::Unwind => 3,
    }
}

pub(super) fn reloc_tag(kind: RelocKind) -> u8 {
    match kind {
        RelocKind::Abs8 => 0,
        RelocKind::PcRel4 => 1,
        RelocKind::PcRel8 => 2,
        RelocKind::CallPcRel4 => 3,
        RelocKind::GotPcRel4 => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::{Place, Relocation, SectionId, SymbolId};
    use numbra_base::{FileId, Span};

    fn sample() -> Artifact {
        let mut artifact = Artifact::new("m", CpuLevel::V3);
        let text = artifact.sections.push(Section {
            name: ".text".to_owned(),
            kind: SectionKind::Text,
            align: 64,
            bytes: (0..40).collect(),
            zero_fill: 0,
        });
        artifact.sections.push(Section {
            name: ".data".to_owned(),
            kind: SectionKind::Cells,
            align: 8,
            bytes: Vec::new(),
            zero_fill: 24,
        });
        artifact.symbols.push(Symbol {
            name: "f".to_owned(),
            kind: SymbolKind::Function,
            linkage: SymbolLinkage::Export,
            place: Some(Place {
                section: text,
                offset: 0,
                size: 40,
            }),
        });
        let import = artifact.symbols.push(Symbol {
            name: "numbra_rt_raise".to_owned(),
            kind: SymbolKind::Function,
            linkage: SymbolLinkage::Import,
            place: None,
        });
        artifact.relocations.push(Relocation {
            section: text,
            offset: 36,
            kind: RelocKind::CallPcRel4,
            symbol: import,
            addend: -4,
        });
        for (start, end, line) in [(0, 10, 7), (10, 36, 5)] {
            artifact.lines.push(LineRow {
                section: text,
                start,
                end,
                span: Span {
                    file: FileId(1),
                    line,
                    col: 4,
                    end_line: line,
                    end_col: 300,
                },
            });
        }
        artifact.files = vec![String::new(), "f.py".to_owned()];
        artifact
    }

    #[test]
    fn round_trip() {
        let artifact = sample();
        let bytes = artifact.to_bytes();
        assert_eq!(Artifact::from_bytes(&bytes), Ok(artifact.clone()));
        assert_eq!(bytes, artifact.to_bytes(), "the same bytes each time");
        let json = serde_json::to_string(&artifact).expect("artifacts are plain data");
        assert_eq!(serde_json::from_str::<Artifact>(&json).ok(), Some(artifact));
    }

    #[test]
    fn damage_is_an_error() {
        let bytes = sample().to_bytes();
        for len in 0..bytes.len() {
            assert!(Artifact::from_bytes(&bytes[..len]).is_err(), "cut at {len}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            assert!(Artifact::from_bytes(&damaged).is_err(), "damaged at {at}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(Artifact::from_bytes(&longer).is_err());
    }

    /// Damage that the checksum agrees with: each payload byte changed to every value must give an error or a valid artifact.
    #[test]
    fn forged_payloads_never_panic() {
        let bytes = sample().to_bytes();
        for at in HEADER_LEN..bytes.len() {
            for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let mut forged = bytes.clone();
                forged[at] = value;
                let sum = checksum(&forged[HEADER_LEN..]);
                forged[20..28].copy_from_slice(&sum.to_le_bytes());
                if let Ok(artifact) = Artifact::from_bytes(&forged) {
                    assert_eq!(artifact.validate(), Ok(()));
                }
            }
        }
    }

    #[test]
    fn bad_references_are_errors() {
        let mut artifact = sample();
        artifact.relocations[0].offset = 37;
        assert!(artifact.validate().is_err());
        artifact.relocations[0].offset = 36;
        artifact.relocations[0].symbol = SymbolId::from_u32(9);
        assert!(artifact.validate().is_err());
        artifact.relocations.clear();
        artifact.lines[0].section = SectionId::from_u32(5);
        assert!(artifact.validate().is_err());
    }
}
