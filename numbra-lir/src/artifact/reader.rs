//! Reads the binary form of artifacts.

use crate::artifact::checksum::checksum;
use crate::artifact::codec::{
    ARTIFACT_VERSION, HEADER_LEN, MAGIC, cpu_tag, reloc_tag, section_tag,
};
use crate::artifact::{
    Artifact, CpuLevel, LineRow, Place, RelocKind, Relocation, Section, SectionId, SectionKind,
    Symbol, SymbolId, SymbolKind, SymbolLinkage,
};
use cranelift_entity::PrimaryMap;
use numbra_base::{FileId, Span};
use std::fmt;

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
                write!(
                    f,
                    "artifact of version {found}, expected {ARTIFACT_VERSION}"
                )
            }
            ArtifactError::Damaged(what) => write!(f, "damaged artifact: {what}"),
            ArtifactError::Inconsistent(what) => write!(f, "inconsistent artifact: {what}"),
        }
    }
}

impl std::error::Error for ArtifactError {}

pub(super) fn read(bytes: &[u8]) -> Result<Artifact, ArtifactError> {
    let header = bytes
        .get(..HEADER_LEN)
        .ok_or(ArtifactError::NotAnArtifact)?;
    if header[..8] != MAGIC {
        return Err(ArtifactError::NotAnArtifact);
    }
    let word = |at: usize| {
        header[at..at + 8]
            .iter()
            .rev()
            .fold(0, |w, &b| w << 8 | u64::from(b))
    };
    let version = word(8) as u32;
    if version != ARTIFACT_VERSION {
        return Err(ArtifactError::Version(version));
    }
    let payload = &bytes[HEADER_LEN..];
    if word(12) != payload.len() as u64 {
        return Err(ArtifactError::Damaged("length"));
    }
    if word(20) != checksum(payload) {
        return Err(ArtifactError::Damaged("checksum"));
    }
    let mut reader = Reader { rest: payload };
    let artifact = reader.artifact()?;
    match reader.rest {
        [] => Ok(artifact),
        _ => Err(ArtifactError::Damaged("bytes after the end")),
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

type Read<T> = Result<T, ArtifactError>;

impl<'a> Reader<'a> {
    fn artifact(&mut self) -> Read<Artifact> {
        let name = self.string()?;
        let cpu = self.tag(CpuLevel::ALL, cpu_tag)?;
        let mut sections = PrimaryMap::new();
        for _ in 0..self.len()? {
            sections.push(self.section()?);
        }
        let mut symbols = PrimaryMap::new();
        for _ in 0..self.len()? {
            symbols.push(self.symbol()?);
        }
        let count = self.len()?;
        let mut relocations = Vec::with_capacity(count);
        for _ in 0..count {
            relocations.push(Relocation {
                section: SectionId::from_u32(self.index()?),
                offset: self.u32()?,
                kind: self.tag(RelocKind::ALL, reloc_tag)?,
                symbol: SymbolId::from_u32(self.index()?),
                addend: self.signed()?,
            });
        }
        let lines = self.lines()?;
        let mut files = Vec::new();
        for _ in 0..self.len()? {
            files.push(self.string()?);
        }
        Ok(Artifact {
            name,
            cpu,
            sections,
            symbols,
            relocations,
            lines,
            files,
        })
    }

    fn section(&mut self) -> Read<Section> {
        let name = self.string()?;
        let kinds = [
            SectionKind::Text,
            SectionKind::Rodata,
            SectionKind::Cells,
            SectionKind::Unwind,
        ];
        let kind = self.tag(kinds, section_tag)?;
        let align = self.u32()?;
        let len = self.len()?;
        let bytes = self.take(len)?.to_vec();
        let zero_fill = self.u32()?;
        Ok(Section {
            name,
            kind,
            align,
            bytes,
            zero_fill,
        })
    }

    fn symbol(&mut self) -> Read<Symbol> {
        let name = self.string()?;
        let kind = match self.byte()? {
            0 => SymbolKind::Function,
            1 => SymbolKind::Data,
            _ => return Err(ArtifactError::Damaged("symbol kind")),
        };
        let linkage = match self.byte()? {
            0 => SymbolLinkage::Local,
            1 => SymbolLinkage::Export,
            2 => SymbolLinkage::Import,
            _ => return Err(ArtifactError::Damaged("symbol linkage")),
        };
        let place = match self.byte()? {
            0 => None,
            1 => Some(Place {
                section: SectionId::from_u32(self.index()?),
                offset: self.u32()?,
                size: self.u32()?,
            }),
            _ => return Err(ArtifactError::Damaged("symbol place")),
        };
        Ok(Symbol {
            name,
            kind,
            linkage,
            place,
        })
    }

    fn lines(&mut self) -> Read<Vec<LineRow>> {
        let count = self.len()?;
        let mut rows = Vec::with_capacity(count);
        let (mut end, mut line) = (0_u32, 0_u32);
        for _ in 0..count {
            let section = SectionId::from_u32(self.index()?);
            let start = self.moved(end)?;
            end = start
                .checked_add(self.u32()?)
                .ok_or(ArtifactError::Damaged("line row"))?;
            let file = FileId(self.u32()?);
            line = self.moved(line)?;
            let col = self.u32()?;
            let end_line = self.moved(line)?;
            let end_col = self.u32()?;
            rows.push(LineRow {
                section,
                start,
                end,
                span: Span {
                    file,
                    line,
                    col,
                    end_line,
                    end_col,
                },
            });
        }
        Ok(rows)
    }

    /// `from` moved by a signed difference.
    fn moved(&mut self, from: u32) -> Read<u32> {
        i64::from(from)
            .checked_add(self.signed()?)
            .and_then(|to| u32::try_from(to).ok())
            .ok_or(ArtifactError::Damaged("line row"))
    }

    fn tag<T: Copy, const N: usize>(&mut self, all: [T; N], tag: fn(T) -> u8) -> Read<T> {
        let byte = self.byte()?;
        let found = all.into_iter().find(|&x| tag(x) == byte);
        found.ok_or(ArtifactError::Damaged("tag"))
    }

    fn string(&mut self) -> Read<String> {
        let len = self.len()?;
        let bytes = self.take(len)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(ArtifactError::Damaged("text is not UTF-8")),
        }
    }

    /// A count of things that take at least one byte each: it cannot exceed the bytes that are left.
    fn len(&mut self) -> Read<usize> {
        let len = self.unsigned()?;
        match usize::try_from(len) {
            Ok(len) if len <= self.rest.len() => Ok(len),
            _ => Err(ArtifactError::Damaged("count")),
        }
    }

    /// An entity number; `u32::MAX` is reserved.
    fn index(&mut self) -> Read<u32> {
        match self.u32()? {
            u32::MAX => Err(ArtifactError::Damaged("index")),
            index => Ok(index),
        }
    }

    fn u32(&mut self) -> Read<u32> {
        u32::try_from(self.unsigned()?).map_err(|_| ArtifactError::Damaged("number"))
    }

    fn signed(&mut self) -> Read<i64> {
        let zigzag = self.unsigned()?;
        Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    fn unsigned(&mut self) -> Read<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(ArtifactError::Damaged("number"))
    }

    fn byte(&mut self) -> Read<u8> {
        Ok(self.take(1)?[0])
    }

    fn take(&mut self, len: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self
            .rest
            .split_at_checked(len)
            .ok_or(ArtifactError::Damaged("cut short"))?;
        self.rest = rest;
        Ok(taken)
    }
}
