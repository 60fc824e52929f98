//! What holds of every artifact that may be loaded.

use crate::artifact::{Artifact, ArtifactError, SymbolLinkage};

/// Largest alignment of a section: a page.
const MAX_ALIGN: u32 = 4096;
/// Largest sum of section sizes: the reach of 4-byte differences, with room for stubs.
const MAX_SIZE: usize = 1 << 30;

impl Artifact {
    /// Checks that sections, symbols, relocations and line rows refer to what exists:
    /// - alignments are powers of two up to 4096; all sections together take less than 1 GiB;
    /// - a symbol has a place inside a section unless it is an import;
    /// - a relocation writes inside the bytes of its section;
    /// - line rows are sorted and do not overlap.
    pub fn validate(&self) -> Result<(), ArtifactError> {
        let fail = |what| Err(ArtifactError::Inconsistent(what));
        let mut total = 0_usize;
        for section in self.sections.values() {
            if !section.align.is_power_of_two() || section.align > MAX_ALIGN {
                return fail("section alignment");
            }
            total = total.saturating_add(section.size());
        }
        if total > MAX_SIZE {
            return fail("sections too large");
        }
        for symbol in self.symbols.values() {
            match symbol.place {
                None if symbol.linkage == SymbolLinkage::Import => {}
                Some(place) if symbol.linkage != SymbolLinkage::Import => {
                    let end = place.offset as usize + place.size as usize;
                    match self.sections.get(place.section) {
                        Some(section) if end <= section.size() => {}
                        _ => return fail("symbol outside its section"),
                    }
                }
                _ => return fail("symbol place and linkage disagree"),
            }
        }
        for reloc in &self.relocations {
            let end = reloc.offset as usize + reloc.kind.size();
            match self.sections.get(reloc.section) {
                Some(section) if end <= section.bytes.len() => {}
                _ => return fail("relocation outside its section"),
            }
            if self.symbols.get(reloc.symbol).is_none() {
                return fail("relocation without symbol");
            }
        }
        let mut reached = None;
        for row in &self.lines {
            if self.sections.get(row.section).is_none() || row.start > row.end {
                return fail("line row outside its section");
            }
            if reached > Some((row.section, row.start)) {
                return fail("line rows out of order");
            }
            reached = Some((row.section, row.end));
        }
        Ok(())
    }
}
