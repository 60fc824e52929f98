//! The binary form of artifacts: [`sealed`](super::sealed) with the fields of [`Artifact`].

use crate::artifact::Artifact;
use crate::artifact::sealed::{FORMAT_VERSION, Unsealed, open, seal};
use std::fmt;

const KIND: [u8; 8] = *b"numbra\0A";

impl Artifact {
    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(&KIND, self)
    }

    /// Reads the binary form. Any bytes are safe: what does not hold together is an error.
    pub fn from_bytes(bytes: &[u8]) -> Result<Artifact, ArtifactError> {
        let artifact: Artifact = open(&KIND, bytes)?;
        artifact.validate()?;
        Ok(artifact)
    }
}

/// Why bytes are not an artifact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArtifactError {
    /// The bytes do not start like an artifact.
    NotAnArtifact,
    /// Written by another version of numbra.
    Version(u32),
    /// Cut short or damaged.
    Damaged(&'static str),
    /// The parts contradict each other.
    Inconsistent(&'static str),
}

impl fmt::Display for ArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArtifactError::NotAnArtifact => f.write_str("not an artifact"),
            ArtifactError::Version(found) => {
                write!(f, "artifact of version {found}, expected {FORMAT_VERSION}")
            }
            ArtifactError::Damaged(what) => write!(f, "damaged artifact: {what}"),
            ArtifactError::Inconsistent(what) => write!(f, "inconsistent artifact: {what}"),
        }
    }
}

impl std::error::Error for ArtifactError {}

impl From<Unsealed> for ArtifactError {
    fn from(why: Unsealed) -> ArtifactError {
        match why {
            Unsealed::CutShort | Unsealed::OtherKind => ArtifactError::NotAnArtifact,
            Unsealed::Version(found) => ArtifactError::Version(found),
            Unsealed::Damaged(what) => ArtifactError::Damaged(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::sealed::{HEADER_LEN, forge};
    use crate::artifact::{
        CpuLevel, Definition, LineRow, RelocKind, Relocation, Section, SectionId, SectionKind,
        Symbol, SymbolId, SymbolKind, SymbolLinkage,
    };
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
            place: Some(Definition {
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
        for at in 0..bytes.len() - HEADER_LEN {
            for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let forged = forge(&bytes, |payload| payload[at] = value);
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
