//! An artifact laid out for memory: where its sections, stubs and global offset table go, and their relocated bytes.

use crate::jit::arena::PAGE;
use crate::jit::loader::LoadError;
use cranelift_entity::SecondaryMap;
use numbra_lir::artifact::{Artifact, RelocKind, SectionId, SectionKind, SymbolId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// `jmp *2(%rip); ud2; .quad target`
const STUB: [u8; 8] = [0xff, 0x25, 2, 0, 0, 0, 0x0f, 0x0b];
const STUB_LEN: usize = 16;

/// Offsets of an image: code pages first (text, constants, stubs, global offset table), then pages of cells.
pub(super) struct Layout {
    pub(super) sections: SecondaryMap<SectionId, usize>,
    stubs: usize,
    got: usize,
    /// Bytes that become executable.
    pub(super) code_len: usize,
    pub(super) len: usize,
    /// Slot of each import in stubs and table.
    slots: FxHashMap<SymbolId, usize>,
}

/// Lays out an artifact, with a stub for every imported function and a table entry for every symbol that is addressed
/// through the table.
pub(super) fn layout(artifact: &Artifact) -> Layout {
    let mut sections = SecondaryMap::new();
    let mut at = 0_usize;
    let in_code = |kind| match kind {
        SectionKind::Text | SectionKind::Rodata | SectionKind::Unwind => true,
        SectionKind::Cells => false,
    };
    for (id, section) in artifact.sections.iter() {
        if in_code(section.kind) {
            at = at.next_multiple_of(section.align as usize);
            sections[id] = at;
            at += section.size();
        }
    }
    let mut slots = FxHashMap::default();
    for reloc in &artifact.relocations {
        let import = artifact.symbols[reloc.symbol].place.is_none();
        if import || reloc.kind == RelocKind::GotPcRel4 {
            let next = slots.len();
            slots.entry(reloc.symbol).or_insert(next);
        }
    }
    let stubs = at.next_multiple_of(STUB_LEN);
    let got = stubs + STUB_LEN * slots.len();
    let code_len = got + 8 * slots.len();
    let mut at = code_len.next_multiple_of(PAGE);
    for (id, section) in artifact.sections.iter() {
        if !in_code(section.kind) && section.size() > 0 {
            at = at.next_multiple_of(section.align as usize);
            sections[id] = at;
            at += section.size();
        }
    }
    Layout {
        sections,
        stubs,
        got,
        code_len,
        len: at,
        slots,
    }
}

/// The bytes of the image when it is loaded at `base`; `imports` has the address of every import.
pub(super) fn relocate(
    artifact: &Artifact,
    layout: &Layout,
    base: usize,
    imports: &FxHashMap<SymbolId, usize>,
) -> Result<Vec<u8>, LoadError> {
    let mut image = vec![0; layout.len];
    for (id, section) in artifact.sections.iter() {
        let at = layout.sections[id];
        if !section.bytes.is_empty() {
            put(&mut image, at, &section.bytes)?;
        }
    }
    let address = |symbol: SymbolId| match artifact.symbols[symbol].place {
        Some(place) => Some(base + layout.sections[place.section] + place.offset as usize),
        None => imports.get(&symbol).copied(),
    };
    for (symbol, slot) in sorted(&layout.slots) {
        let name = || LoadError::Unresolved(artifact.symbols[symbol].name.clone());
        let target = address(symbol).ok_or_else(name)? as u64;
        let stub = layout.stubs + slot * STUB_LEN;
        put(&mut image, stub, &STUB)?;
        put(&mut image, stub + STUB.len(), &target.to_le_bytes())?;
        put(&mut image, layout.got + slot * 8, &target.to_le_bytes())?;
    }
    for reloc in &artifact.relocations {
        let symbol = &artifact.symbols[reloc.symbol];
        let target =
            address(reloc.symbol).ok_or_else(|| LoadError::Unresolved(symbol.name.clone()))?;
        let at = layout.sections[reloc.section] + reloc.offset as usize;
        let place = (base + at) as i128;
        let value = |target: usize| target as i128 + i128::from(reloc.addend);
        let slot = layout.slots.get(&reloc.symbol).copied();
        let far = || LoadError::OutOfReach(symbol.name.clone());
        match reloc.kind {
            RelocKind::Abs8 => put(&mut image, at, &(value(target) as u64).to_le_bytes())?,
            RelocKind::PcRel8 => {
                put(
                    &mut image,
                    at,
                    &((value(target) - place) as i64).to_le_bytes(),
                )?;
            }
            RelocKind::PcRel4 => {
                let distance = i32::try_from(value(target) - place).map_err(|_| far())?;
                put(&mut image, at, &distance.to_le_bytes())?;
            }
            RelocKind::CallPcRel4 => {
                let stub = slot.map(|slot| base + layout.stubs + slot * STUB_LEN);
                let direct = i32::try_from(value(target) - place).ok();
                let through = stub.and_then(|s| i32::try_from(value(s) - place).ok());
                let distance = direct.or(through).ok_or_else(far)?;
                put(&mut image, at, &distance.to_le_bytes())?;
            }
            RelocKind::GotPcRel4 => {
                let entry = base + layout.got + slot.ok_or_else(far)? * 8;
                let distance = i32::try_from(value(entry) - place).map_err(|_| far())?;
                put(&mut image, at, &distance.to_le_bytes())?;
            }
        }
    }
    Ok(image)
}

fn sorted(slots: &FxHashMap<SymbolId, usize>) -> BTreeMap<SymbolId, usize> {
    slots
        .iter()
        .map(|(&symbol, &slot)| (symbol, slot))
        .collect()
}

fn put(image: &mut [u8], at: usize, bytes: &[u8]) -> Result<(), LoadError> {
    let end = at + bytes.len();
    let to = image.get_mut(at..end);
    to.ok_or(LoadError::Malformed("bytes outside the image"))?
        .copy_from_slice(bytes);
    Ok(())
}
