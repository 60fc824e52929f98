//! Places an artifact in memory by a [`JITModule`] of its own, whichever generator made it.
//!
//! Each section is an object of the module: text a function by its bytes, the rest data; stubs and the global offset table
//! are two more. The module copies them to where [`Layout`] puts them, does the relocations between them and seals the
//! pages; then it is dropped, and the pages live with the loaded artifact. Imports have their addresses before: to have the
//! module look them up by name takes some 10 us an artifact.

use crate::cranelift::host_isa;
use crate::jit::arena::Pages;
use crate::jit::image::{ENTRY_LEN, Fill, Layout, STUB, STUB_LEN, STUB_TARGET, fill, is_code};
use crate::jit::loader::LoadError;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir;
use cranelift_codegen::isa::CallConv;
use cranelift_entity::SecondaryMap;
use cranelift_jit::{BranchProtection, JITBuilder, JITMemoryKind, JITMemoryProvider, JITModule};
use cranelift_module::{
    DataDescription, DataId, FuncId, Module, ModuleDeclarations, ModuleError, ModuleReloc,
    ModuleRelocTarget, ModuleResult, default_libcall_names,
};
use numbra_lir::artifact::{Artifact, Relocation, SectionId, SectionKind, SymbolId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::{io, ptr};

/// Writes the artifact into the pages and seals them. `imports` has the address of every import.
pub(super) fn place(
    artifact: &Artifact,
    layout: &Layout,
    pages: &Arc<Pages>,
    imports: &FxHashMap<SymbolId, usize>,
) -> Result<(), LoadError> {
    let mut linked = Linked::new(artifact, layout, pages, imports)?;
    let mut relocations: SecondaryMap<SectionId, Vec<&Relocation>> = SecondaryMap::new();
    for reloc in &artifact.relocations {
        relocations[reloc.section].push(reloc);
    }
    // In the order in which the layout places them.
    for code in [true, false] {
        for (id, section) in artifact.sections.iter() {
            if is_code(section.kind) == code {
                linked.section(id, &relocations[id])?;
            }
        }
        if code {
            linked.stubs()?;
            linked.table()?;
        }
    }
    linked.module.finalize_definitions().map_err(error)
}

fn error(error: ModuleError) -> LoadError {
    match error {
        ModuleError::Allocation { err } => LoadError::Memory(err),
        other => LoadError::Module(Box::new(other)),
    }
}

struct Linked<'a> {
    artifact: &'a Artifact,
    layout: &'a Layout,
    base: usize,
    imports: &'a FxHashMap<SymbolId, usize>,
    module: JITModule,
    /// Objects of the module, all declared before the first is defined.
    sections: SecondaryMap<SectionId, Option<ModuleRelocTarget>>,
    stubs: ModuleRelocTarget,
    table: ModuleRelocTarget,
}

impl<'a> Linked<'a> {
    fn new(
        artifact: &'a Artifact,
        layout: &'a Layout,
        pages: &Arc<Pages>,
        imports: &'a FxHashMap<SymbolId, usize>,
    ) -> Result<Linked<'a>, LoadError> {
        let isa = host_isa().map_err(LoadError::Target)?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        builder.memory_provider(Box::new(Planned::new(artifact, layout, pages)));
        let mut module = JITModule::new(builder);
        let signature = ir::Signature::new(CallConv::SystemV);
        let mut sections = SecondaryMap::new();
        for (id, section) in artifact.sections.iter() {
            let target = match section.kind {
                SectionKind::Text => module
                    .declare_anonymous_function(&signature)
                    .map(Into::into),
                kind => module
                    .declare_anonymous_data(!is_code(kind), false)
                    .map(Into::into),
            };
            sections[id] = Some(target.map_err(error)?);
        }
        let stubs = module.declare_anonymous_function(&signature);
        let table = module.declare_anonymous_data(false, false);
        Ok(Linked {
            artifact,
            layout,
            base: pages.base(),
            imports,
            module,
            sections,
            stubs: stubs.map_err(error)?.into(),
            table: table.map_err(error)?.into(),
        })
    }

    /// Defines a section.
    fn section(&mut self, id: SectionId, relocations: &[&Relocation]) -> Result<(), LoadError> {
        let section = &self.artifact.sections[id];
        let mut bytes = section.bytes.clone();
        bytes.resize(section.size().max(1), 0);
        let mut filled = Vec::new();
        for reloc in relocations {
            let target = self.address(reloc.symbol)?;
            let (kind, (name, offset)) =
                match fill(self.artifact, self.layout, self.base, reloc, target)? {
                    Fill::Known(value) => {
                        put(&mut bytes, reloc.offset as usize, value, reloc.kind.size())?;
                        continue;
                    }
                    Fill::Address => (Reloc::Abs8, self.object(reloc.symbol)?),
                    Fill::ToSymbol => (Reloc::X86PCRel4, self.object(reloc.symbol)?),
                    Fill::ToStub => {
                        let slot = self.layout.slot(reloc.symbol);
                        let at = slot.ok_or(NO_SLOT)? * STUB_LEN;
                        (Reloc::X86CallPCRel4, (self.stubs.clone(), at as i64))
                    }
                    Fill::ToEntry => {
                        let slot = self.layout.slot(reloc.symbol);
                        let at = slot.ok_or(NO_SLOT)? * ENTRY_LEN;
                        (Reloc::X86PCRel4, (self.table.clone(), at as i64))
                    }
                };
            let addend = reloc.addend.checked_add(offset);
            filled.push(ModuleReloc {
                offset: reloc.offset,
                kind,
                name,
                addend: addend.ok_or(LoadError::Malformed("an addend beyond all memory"))?,
            });
        }
        let object = self.sections[id].clone().ok_or(NO_SECTION)?;
        self.define(&object, bytes, &filled)
    }

    /// Defines the stubs by which code calls what is out of its reach.
    fn stubs(&mut self) -> Result<(), LoadError> {
        let bytes = STUB.repeat(self.layout.far.len());
        self.addresses(self.stubs.clone(), bytes, STUB_LEN, STUB_TARGET)
    }

    /// Defines the global offset table.
    fn table(&mut self) -> Result<(), LoadError> {
        let bytes = vec![0; ENTRY_LEN * self.layout.far.len()];
        self.addresses(self.table.clone(), bytes, ENTRY_LEN, 0)
    }

    /// Defines an object that has the address of each far symbol, `step` bytes from one to the next.
    fn addresses(
        &mut self,
        object: ModuleRelocTarget,
        mut bytes: Vec<u8>,
        step: usize,
        first: usize,
    ) -> Result<(), LoadError> {
        let mut filled = Vec::new();
        for (slot, &symbol) in self.layout.far.iter().enumerate() {
            let at = first + slot * step;
            if let Some(&address) = self.imports.get(&symbol) {
                put(&mut bytes, at, address as i64, ENTRY_LEN)?;
                continue;
            }
            let (name, addend) = self.object(symbol)?;
            filled.push(ModuleReloc {
                offset: at as u32,
                kind: Reloc::Abs8,
                name,
                addend,
            });
        }
        bytes.resize(bytes.len().max(1), 0);
        self.define(&object, bytes, &filled)
    }

    fn define(
        &mut self,
        object: &ModuleRelocTarget,
        bytes: Vec<u8>,
        relocations: &[ModuleReloc],
    ) -> Result<(), LoadError> {
        // Alignments are the layout's.
        if ModuleDeclarations::is_function(object) {
            let id = FuncId::from_name(object);
            let defined = self
                .module
                .define_function_bytes(id, 1, &bytes, relocations);
            return defined.map_err(error);
        }
        let mut data = DataDescription::new();
        data.define(bytes.into_boxed_slice());
        for reloc in relocations {
            let symbol = data.import_global_value(reloc.name.clone());
            data.write_data_addr(reloc.offset, symbol, reloc.addend);
        }
        let id = DataId::from_name(object);
        self.module.define_data(id, &data).map_err(error)
    }

    /// Where a symbol is.
    fn address(&self, symbol: SymbolId) -> Result<usize, LoadError> {
        let known = &self.artifact.symbols[symbol];
        let address = match known.place {
            Some(at) => Some(self.base + self.layout.sections[at.section] + at.offset as usize),
            None => self.imports.get(&symbol).copied(),
        };
        address.ok_or_else(|| LoadError::Unresolved(known.name.clone()))
    }

    /// The object of the module that a symbol of the artifact is in, and how far into it.
    fn object(&self, symbol: SymbolId) -> Result<(ModuleRelocTarget, i64), LoadError> {
        let place = self.artifact.symbols[symbol].place.ok_or(NO_SECTION)?;
        let object = self.sections[place.section].clone();
        Ok((object.ok_or(NO_SECTION)?, place.offset.into()))
    }
}

const NO_SECTION: LoadError = LoadError::Malformed("a section that is not there");
const NO_SLOT: LoadError = LoadError::Malformed("a symbol without a stub");

/// Writes the low bytes of a number.
fn put(bytes: &mut [u8], at: usize, value: i64, len: usize) -> Result<(), LoadError> {
    let to = bytes.get_mut(at..at + len);
    to.ok_or(LoadError::Malformed("a relocation outside its section"))?
        .copy_from_slice(&value.to_le_bytes()[..len]);
    Ok(())
}

/// Gives the module the places of the layout, one after the other.
struct Planned {
    pages: Arc<Pages>,
    /// Offset and size.
    places: VecDeque<(usize, usize)>,
    code_len: usize,
}

impl Planned {
    fn new(artifact: &Artifact, layout: &Layout, pages: &Arc<Pages>) -> Planned {
        let mut places = VecDeque::new();
        for code in [true, false] {
            let sections = artifact.sections.iter();
            let sections = sections.filter(|(_, section)| is_code(section.kind) == code);
            places.extend(sections.map(|(id, s)| (layout.sections[id], s.size().max(1))));
            if code {
                let far = layout.far.len();
                places.push_back((layout.stubs, (far * STUB_LEN).max(1)));
                places.push_back((layout.got, (far * ENTRY_LEN).max(1)));
            }
        }
        Planned {
            pages: Arc::clone(pages),
            places,
            code_len: layout.code_len,
        }
    }
}

impl JITMemoryProvider for Planned {
    fn allocate(&mut self, size: usize, _align: u64, _kind: JITMemoryKind) -> io::Result<*mut u8> {
        match self.places.pop_front() {
            Some((offset, room)) if size <= room && offset + room <= self.pages.len() => {
                Ok(ptr::with_exposed_provenance_mut(self.pages.base() + offset))
            }
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// The pages go with their last owner.
    unsafe fn free_memory(&mut self) {}

    fn finalize(&mut self, _protection: BranchProtection) -> ModuleResult<()> {
        let sealed = self.pages.seal(self.code_len);
        sealed.map_err(|err| ModuleError::Allocation { err })
    }
}
