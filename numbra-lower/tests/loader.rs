//! Artifacts made by hand: each kind of relocation as it is in memory, and those that cannot be loaded.
#![cfg(feature = "cranelift")]

use numbra_lir::artifact::{
    Artifact, CpuLevel, Definition, RelocKind, Relocation, Section, SectionId, SectionKind, Symbol,
    SymbolId, SymbolKind, SymbolLinkage,
};
use numbra_lower::jit::{LoadError, LoadedArtifact, load};
use std::ptr;
use std::sync::Arc;

/// Nothing is as near to this as four bytes reach.
const FAR: usize = 0x10;

struct Made {
    artifact: Artifact,
    text: SectionId,
    constants: SectionId,
    cells: SectionId,
}

impl Made {
    /// 64 bytes of text, 32 of constants, 8 of cells and 24 zeros after them, and a section without bytes.
    fn new() -> Made {
        let mut artifact = Artifact::new("by hand", CpuLevel::V1);
        let mut section = |name: &str, kind, bytes: usize, zero_fill| {
            artifact.sections.push(Section {
                name: name.to_owned(),
                kind,
                align: 8,
                bytes: vec![0; bytes],
                zero_fill,
            })
        };
        let text = section(".text", SectionKind::Text, 64, 0);
        section(".rodata.empty", SectionKind::Rodata, 0, 0);
        let constants = section(".rodata", SectionKind::Rodata, 32, 0);
        let cells = section(".data", SectionKind::Cells, 8, 24);
        Made {
            artifact,
            text,
            constants,
            cells,
        }
    }

    fn symbol(&mut self, name: &str, place: Option<(SectionId, u32)>) -> SymbolId {
        self.artifact.symbols.push(Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Data,
            linkage: match place {
                Some(_) => SymbolLinkage::Export,
                None => SymbolLinkage::Import,
            },
            place: place.map(|(section, offset)| Definition {
                section,
                offset,
                size: 1,
            }),
        })
    }

    fn relocate(&mut self, at: (SectionId, u32), kind: RelocKind, symbol: SymbolId, addend: i64) {
        self.artifact.relocations.push(Relocation {
            section: at.0,
            offset: at.1,
            kind,
            symbol,
            addend,
        });
    }

    fn load(self) -> Result<LoadedArtifact, LoadError> {
        let lookup = |name: &str| (name == "far").then_some(ptr::without_provenance(FAR));
        load(Arc::new(self.artifact), &[], &lookup)
    }
}

/// A number in memory.
fn read<T: Copy>(address: usize) -> T {
    // SAFETY: the tests read inside of sections that are loaded.
    unsafe { ptr::with_exposed_provenance::<T>(address).read_unaligned() }
}

/// Where a distance of four bytes leads.
fn reached(at: usize) -> usize {
    at.wrapping_add_signed(read::<i32>(at) as isize)
}

#[test]
fn every_relocation() {
    let mut made = Made::new();
    let (text, constants, cells) = (made.text, made.constants, made.cells);
    let own = made.symbol("own", Some((constants, 24)));
    let cell = made.symbol("cell", Some((cells, 16)));
    let code = made.symbol("code", Some((text, 40)));
    let far = made.symbol("far", None);
    made.relocate((text, 0), RelocKind::Abs8, own, 3);
    made.relocate((text, 8), RelocKind::Abs8, far, -1);
    made.relocate((text, 16), RelocKind::PcRel4, own, -4);
    made.relocate((text, 20), RelocKind::PcRel4, cell, 0);
    made.relocate((text, 24), RelocKind::CallPcRel4, code, 0);
    made.relocate((text, 28), RelocKind::CallPcRel4, far, 0);
    made.relocate((text, 32), RelocKind::GotPcRel4, own, 0);
    made.relocate((text, 36), RelocKind::GotPcRel4, far, 0);
    made.relocate((text, 48), RelocKind::PcRel8, far, 5);
    made.relocate((constants, 0), RelocKind::Abs8, code, 1);
    made.relocate((constants, 8), RelocKind::PcRel4, code, 2);
    made.relocate((constants, 16), RelocKind::PcRel8, own, 0);
    made.relocate((cells, 0), RelocKind::Abs8, cell, 0);
    let loaded = made.load().expect("it loads");
    let place = |section| loaded.section(section).expect("it is there").addr();
    let [text, constants, cells] = [text, constants, cells].map(place);
    assert_eq!(read::<usize>(text), constants + 24 + 3);
    assert_eq!(read::<usize>(text + 8), FAR - 1);
    assert_eq!(reached(text + 16), constants + 24 - 4);
    assert_eq!(reached(text + 20), cells + 16);
    assert_eq!(reached(text + 24), text + 40);
    let stub = reached(text + 28);
    assert_eq!(read::<[u8; 6]>(stub), [0xff, 0x25, 2, 0, 0, 0], "jmp");
    assert_eq!(read::<usize>(stub + 8), FAR);
    assert_eq!(read::<usize>(reached(text + 32)), constants + 24);
    assert_eq!(read::<usize>(reached(text + 36)), FAR);
    let distance = FAR.wrapping_add(5).wrapping_sub(text + 48);
    assert_eq!(read::<usize>(text + 48), distance);
    assert_eq!(read::<usize>(constants), text + 40 + 1);
    assert_eq!(reached(constants + 8), text + 40 + 2);
    assert_eq!(read::<usize>(constants + 16), 8, "own is so far from there");
    assert_eq!(read::<usize>(cells), cells + 16);
    assert_eq!(read::<[u64; 3]>(cells + 8), [0; 3]);
    let cell: *mut u64 = ptr::with_exposed_provenance_mut(cells + 16);
    // SAFETY: cells may be written, and nobody else knows them.
    unsafe { cell.write(7) };
    assert_eq!(read::<u64>(cells + 16), 7);
}

/// What a damaged cache may ask for is an error.
#[test]
fn what_cannot_be_loaded() {
    let far = |made: &mut Made| made.symbol("far", None);
    let own = |made: &mut Made| made.symbol("own", Some((made.constants, 0)));
    type Symbols = fn(&mut Made) -> SymbolId;
    let cases: [(bool, RelocKind, Symbols, i64, &str); 7] = [
        (true, RelocKind::PcRel4, far, 0, "`far` is too far away"),
        (false, RelocKind::PcRel4, far, 0, "`far` is too far away"),
        (
            true,
            RelocKind::PcRel4,
            own,
            i64::MAX,
            "`own` is too far away",
        ),
        (
            true,
            RelocKind::CallPcRel4,
            own,
            i64::MIN,
            "`own` is too far away",
        ),
        (true, RelocKind::Abs8, own, i64::MIN, "beyond all memory"),
        (false, RelocKind::CallPcRel4, far, 0, "outside of code"),
        (false, RelocKind::GotPcRel4, own, 0, "outside of code"),
    ];
    for (in_text, kind, symbol, addend, message) in cases {
        let mut made = Made::new();
        let symbol = symbol(&mut made);
        let section = if in_text { made.text } else { made.constants };
        made.relocate((section, 0), kind, symbol, addend);
        let error = made.load().err().expect("it is refused").to_string();
        assert!(error.contains(message), "{kind:?} {addend}: {error}");
    }
    let mut made = Made::new();
    made.symbol("numbra has no such name", None);
    assert!(matches!(made.load(), Err(LoadError::Unresolved(_))));
}
