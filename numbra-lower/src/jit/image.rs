//! An artifact laid out for memory: where its sections, stubs and global offset table go, and how far it is from each place
//! that is filled in to what is written there.

use crate::jit::arena::PAGE;
use crate::jit::loader::LoadError;
use cranelift_entity::SecondaryMap;
use numbra_lir::artifact::{Artifact, RelocKind, Relocation, SectionId, SectionKind, SymbolId};
use rustc_hash::FxHashMap;

/// `jmp *2(%rip); ud2; .quad target`
pub(super) const STUB: [u8; STUB_LEN] =
    [0xff, 0x25, 2, 0, 0, 0, 0x0f, 0x0b, 0, 0, 0, 0, 0, 0, 0, 0];
pub(super) const STUB_LEN: usize = 16;
/// Where a stub has its target.
pub(super) const STUB_TARGET: usize = 8;
/// Bytes of an entry of the global offset table.
pub(super) const ENTRY_LEN: usize = 8;

/// Offsets of an image: code pages first (text, constants, stubs, global offset table), then pages of cells.
pub(super) struct Layout {
    pub(super) sections: SecondaryMap<SectionId, usize>,
    pub(super) stubs: usize,
    pub(super) got: usize,
    /// Bytes that become executable.
    pub(super) code_len: usize,
    pub(super) len: usize,
    /// What has a stub and an entry, in their order.
    pub(super) far: Vec<SymbolId>,
    slots: FxHashMap<SymbolId, usize>,
}

/// True for what lies among the code: it may be executed or read, and never written.
pub(super) fn is_code(kind: SectionKind) -> bool {
    match kind {
        SectionKind::Text | SectionKind::Rodata | SectionKind::Unwind => true,
        SectionKind::Cells => false,
    }
}

impl Layout {
    /// Lays out an artifact, with a stub for every imported function and a table entry for every symbol that is addressed
    /// through the table. No section is without an address of its own: each has a byte.
    pub(super) fn new(artifact: &Artifact) -> Layout {
        let mut sections = SecondaryMap::new();
        let mut place = |at: usize, code: bool| {
            let mut at = at;
            for (id, section) in artifact.sections.iter() {
                if is_code(section.kind) == code {
                    at = at.next_multiple_of(section.align as usize);
                    sections[id] = at;
                    at += section.size().max(1);
                }
            }
            at
        };
        let code = place(0, true);
        let mut far = Vec::new();
        let mut slots = FxHashMap::default();
        for reloc in &artifact.relocations {
            let import = artifact.symbols[reloc.symbol].place.is_none();
            if import || reloc.kind == RelocKind::GotPcRel4 {
                slots.entry(reloc.symbol).or_insert_with(|| {
                    far.push(reloc.symbol);
                    far.len() - 1
                });
            }
        }
        let stubs = code.next_multiple_of(STUB_LEN);
        let got = stubs + STUB_LEN * far.len();
        let code_len = got + ENTRY_LEN * far.len();
        let len = place(code_len.next_multiple_of(PAGE), false);
        Layout {
            sections,
            stubs,
            got,
            code_len,
            len,
            far,
            slots,
        }
    }

    /// Which stub and which entry the symbol has, if any.
    pub(super) fn slot(&self, symbol: SymbolId) -> Option<usize> {
        self.slots.get(&symbol).copied()
    }
}

/// What a place is filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fill {
    /// The symbol's address and the addend, 8 bytes.
    Address,
    /// From the place to the symbol, 4 bytes.
    ToSymbol,
    /// From the place to the symbol's stub, 4 bytes.
    ToStub,
    /// From the place to the symbol's entry, 4 bytes.
    ToEntry,
    /// What is known already, in as many bytes as the relocation has: an import's address, or how far it is; how far two
    /// places of the image are apart.
    Known(i64),
}

/// How a relocation is done in an image at `base`, where the symbol is at `target`.
///
/// # Errors
/// [`LoadError::OutOfReach`] if four bytes do not hold the distance, [`LoadError::Malformed`] for what no generator asks for:
/// the module would panic.
pub(super) fn fill(
    artifact: &Artifact,
    layout: &Layout,
    base: usize,
    reloc: &Relocation,
    target: usize,
) -> Result<Fill, LoadError> {
    let at = base + layout.sections[reloc.section] + reloc.offset as usize;
    let distance = |to: usize| to as i128 + i128::from(reloc.addend) - at as i128;
    let reached = |to: usize| i32::try_from(distance(to)).is_ok();
    let symbol = &artifact.symbols[reloc.symbol];
    let far = || LoadError::OutOfReach(symbol.name.clone());
    let import = symbol.place.is_none();
    let text = artifact.sections[reloc.section].kind == SectionKind::Text;
    // Of what is not code, the module fills in addresses alone.
    let directly = match import || !text {
        true => Fill::Known(distance(target) as i64),
        false => Fill::ToSymbol,
    };
    match reloc.kind {
        RelocKind::Abs8 if import => {
            let sum = target as i128 + i128::from(reloc.addend);
            Ok(Fill::Known(sum as i64))
        }
        RelocKind::Abs8 => match usize::try_from(target as i128 + i128::from(reloc.addend)) {
            Ok(_) => Ok(Fill::Address),
            Err(_) => Err(LoadError::Malformed("an address beyond all memory")),
        },
        RelocKind::PcRel8 => Ok(Fill::Known(distance(target) as i64)),
        RelocKind::PcRel4 | RelocKind::CallPcRel4 if reached(target) => Ok(directly),
        RelocKind::CallPcRel4 if text => match layout.slot(reloc.symbol) {
            Some(slot) if reached(base + layout.stubs + slot * STUB_LEN) => Ok(Fill::ToStub),
            _ => Err(far()),
        },
        RelocKind::GotPcRel4 if text => match layout.slot(reloc.symbol) {
            Some(slot) if reached(base + layout.got + slot * ENTRY_LEN) => Ok(Fill::ToEntry),
            _ => Err(far()),
        },
        RelocKind::CallPcRel4 | RelocKind::GotPcRel4 => {
            Err(LoadError::Malformed("a call or an entry outside of code"))
        }
        RelocKind::PcRel4 => Err(far()),
    }
}
