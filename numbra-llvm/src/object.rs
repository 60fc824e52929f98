//! An ELF object that LLVM wrote as an [`Artifact`].

use crate::engine::LlvmError;
use numbra_base::FxHashMap;
use numbra_lir::artifact::{
    Artifact, CpuLevel, Definition, RelocKind, Relocation, Section, SectionId, SectionKind, Symbol,
    SymbolId, SymbolKind, SymbolLinkage,
};
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags,
    SectionIndex, SymbolIndex, SymbolSection, elf,
};

/// Reads sections, symbols and relocations; anything that the loader could not honour is an error.
pub(crate) fn artifact(
    name: &str,
    cpu: CpuLevel,
    bytes: &[u8],
    files: Vec<String>,
) -> Result<Artifact, LlvmError> {
    let file =
        object::File::parse(bytes).map_err(|e| LlvmError(format!("unreadable object: {e}")))?;
    let mut out = Artifact::new(name, cpu);
    out.files = files;
    let mut sections: FxHashMap<SectionIndex, SectionId> = FxHashMap::default();
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
            continue;
        };
        let has = |flag: elf::SectionFlags| sh_flags & flag == flag;
        if !has(elf::SHF_ALLOC) {
            continue;
        }
        let section_name = section.name().unwrap_or_default().to_owned();
        let kind = if section_name == ".eh_frame" {
            SectionKind::Unwind
        } else if has(elf::SHF_EXECINSTR) {
            SectionKind::Text
        } else if has(elf::SHF_WRITE) {
            SectionKind::Cells
        } else {
            SectionKind::Rodata
        };
        let data = section
            .data()
            .map_err(|e| LlvmError(format!("unreadable section {section_name}: {e}")))?
            .to_vec();
        let zero_fill = section.size().saturating_sub(data.len() as u64) as u32;
        if data.is_empty() && zero_fill == 0 {
            continue;
        }
        let align = section.align().clamp(1, 4096) as u32;
        let id = out.sections.push(Section {
            name: section_name,
            kind,
            align,
            bytes: data,
            zero_fill,
        });
        sections.insert(section.index(), id);
    }
    let mut symbols: FxHashMap<SymbolIndex, SymbolId> = FxHashMap::default();
    for symbol in file.symbols() {
        let place = match symbol.section() {
            SymbolSection::Section(index) => match sections.get(&index) {
                Some(&section) => Some(Definition {
                    section,
                    offset: symbol.address() as u32,
                    size: symbol.size() as u32,
                }),
                None => continue,
            },
            SymbolSection::Undefined if !symbol.name().unwrap_or_default().is_empty() => None,
            _ => continue,
        };
        let symbol_name = match symbol.name() {
            Ok(name) if !name.is_empty() => name.to_owned(),
            _ => format!(".section.{}", symbol.index().0),
        };
        let kind = if symbol.kind() == object::SymbolKind::Text {
            SymbolKind::Function
        } else {
            SymbolKind::Data
        };
        let linkage = match place {
            None => SymbolLinkage::Import,
            Some(_) if symbol.is_global() => SymbolLinkage::Export,
            Some(_) => SymbolLinkage::Local,
        };
        let id = out.symbols.push(Symbol {
            name: symbol_name,
            kind,
            linkage,
            place,
        });
        symbols.insert(symbol.index(), id);
    }
    for section in file.sections() {
        let Some(&id) = sections.get(&section.index()) else {
            continue;
        };
        for (offset, reloc) in section.relocations() {
            let RelocationFlags::Elf { r_type } = reloc.flags() else {
                continue;
            };
            let kind = match r_type {
                elf::R_X86_64_64 => RelocKind::Abs8,
                elf::R_X86_64_PC32 => RelocKind::PcRel4,
                elf::R_X86_64_PC64 => RelocKind::PcRel8,
                elf::R_X86_64_PLT32 => RelocKind::CallPcRel4,
                elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => {
                    RelocKind::GotPcRel4
                }
                other => {
                    return Err(LlvmError(format!(
                        "relocation type {other:?} is not supported"
                    )));
                }
            };
            let RelocationTarget::Symbol(index) = reloc.target() else {
                return Err(LlvmError("a relocation without a symbol".to_owned()));
            };
            let Some(&symbol) = symbols.get(&index) else {
                return Err(LlvmError(
                    "a relocation to a symbol outside loaded sections".to_owned(),
                ));
            };
            out.relocations.push(Relocation {
                section: id,
                offset: offset as u32,
                kind,
                symbol,
                addend: reloc.addend(),
            });
        }
    }
    out.validate().map_err(|e| LlvmError(e.to_string()))?;
    Ok(out)
}
