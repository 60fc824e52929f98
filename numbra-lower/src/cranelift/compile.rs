//! From a module to an artifact.

use crate::cranelift::anchor::anchor;
use crate::cranelift::emitter::{EmitError, Emitter};
use crate::cranelift::names::{Imports, Name};
use crate::cranelift::{CodegenError, Options, abi, isa, layout};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{self, UserFuncName};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::{Context, FinalizedMachReloc, FinalizedRelocTarget};
use cranelift_entity::SecondaryMap;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use numbra_base::Span;
use numbra_lir::artifact::{
    Artifact, Definition, LineRow, RelocKind, Relocation, Section, SectionId, SectionKind, Symbol,
    SymbolId, SymbolKind, SymbolLinkage,
};
use numbra_lir::{
    DataId, ExceptionId, Func, FuncDecl, FuncRef, Linkage, Module, Ty, exception_description,
    word_types,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Byte between functions: a breakpoint.
const PADDING: u8 = 0xcc;

/// Machine code of every function of a verified module.
pub fn compile(module: &Module, options: &Options) -> Result<Artifact, CodegenError> {
    let isa = isa::target(options)?;
    let mut unit = Unit::new(module, options);
    with_worker(|worker| {
        for (func, decl) in module.functions.iter() {
            if let Some(body) = &decl.body {
                unit.function(worker, &*isa, func, decl, body)?;
            }
        }
        Ok(())
    })?;
    unit.finish()
}

/// Cranelift's text of every function, before its optimiser.
pub fn clif(module: &Module, options: &Options) -> Result<Vec<(String, String)>, CodegenError> {
    let isa = isa::target(options)?;
    let mut imports = Imports::default();
    let mut out = Vec::new();
    with_worker(|worker| {
        for (func, decl) in module.functions.iter() {
            let Some(body) = &decl.body else { continue };
            let mut spans = Vec::new();
            worker.build(
                module,
                options,
                &*isa,
                &mut imports,
                (func, decl, body),
                &mut spans,
            )?;
            out.push((decl.name.clone(), worker.context.func.to_string()));
            worker.context.clear();
        }
        Ok(())
    })?;
    Ok(out)
}

/// Memory that Cranelift reuses from one function to the next.
struct Worker {
    context: Context,
    builder: FunctionBuilderContext,
}

thread_local! {
    static WORKER: RefCell<Option<Box<Worker>>> = const { RefCell::new(None) };
}

/// Lends this thread's worker. One that was lost to a panic is made anew.
fn with_worker<T>(
    f: impl FnOnce(&mut Worker) -> Result<T, CodegenError>,
) -> Result<T, CodegenError> {
    let kept = WORKER.with(|w| w.take());
    let mut worker = kept.unwrap_or_else(|| {
        Box::new(Worker {
            context: Context::new(),
            builder: FunctionBuilderContext::new(),
        })
    });
    let result = f(&mut worker);
    if result.is_ok() {
        WORKER.with(|w| w.replace(Some(worker)));
    }
    result
}

impl Worker {
    /// Translates `body` into this worker's context.
    fn build(
        &mut self,
        module: &Module,
        options: &Options,
        isa: &dyn TargetIsa,
        imports: &mut Imports,
        (func, decl, body): (FuncRef, &FuncDecl, &Func),
        spans: &mut Vec<Span>,
    ) -> Result<(), CodegenError> {
        self.context.clear();
        self.context.func = ir::Function::with_name_signature(
            UserFuncName::user(0, func.as_u32()),
            abi::signature(&decl.sig),
        );
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let mut emitter = Emitter::new(module, body, imports, builder, options.cpu);
        let emitted = emitter.emit_function(spans);
        match emitted {
            Ok(()) => {
                emitter.b.finalize(isa.frontend_config());
                anchor(&mut self.context);
                Ok(())
            }
            Err(error) => {
                // The builder's context is half used.
                drop(emitter);
                self.builder = FunctionBuilderContext::new();
                let function = decl.name.clone();
                Err(match error {
                    EmitError::Unsupported(what) => CodegenError::Unsupported { function, what },
                    EmitError::Malformed(what) => CodegenError::Malformed { function, what },
                })
            }
        }
    }
}

/// An artifact in the making.
struct Unit<'a> {
    module: &'a Module,
    options: &'a Options,
    artifact: Artifact,
    text: SectionId,
    rodata: SectionId,
    cells: SectionId,
    functions: SecondaryMap<FuncRef, Option<SymbolId>>,
    data: SecondaryMap<DataId, Option<SymbolId>>,
    exceptions: SecondaryMap<ExceptionId, Option<SymbolId>>,
    imports: Imports,
    by_name: FxHashMap<String, SymbolId>,
    /// Types of the run-time words of exceptions, once one is raised.
    words: Option<FxHashMap<ExceptionId, Vec<Ty>>>,
}

impl<'a> Unit<'a> {
    fn new(module: &'a Module, options: &'a Options) -> Unit<'a> {
        let mut artifact = Artifact::new(&module.name, options.cpu);
        artifact.files.clone_from(&module.files);
        let mut section = |name: &str, kind, align| {
            artifact.sections.push(Section {
                name: name.to_owned(),
                kind,
                align,
                bytes: Vec::new(),
                zero_fill: 0,
            })
        };
        let text = section(".text", SectionKind::Text, 64);
        let rodata = section(".rodata", SectionKind::Rodata, 16);
        let cells = section(".data", SectionKind::Cells, 16);
        Unit {
            module,
            options,
            artifact,
            text,
            rodata,
            cells,
            functions: SecondaryMap::new(),
            data: SecondaryMap::new(),
            exceptions: SecondaryMap::new(),
            imports: Imports::default(),
            by_name: FxHashMap::default(),
            words: None,
        }
    }

    fn function(
        &mut self,
        worker: &mut Worker,
        isa: &dyn TargetIsa,
        func: FuncRef,
        decl: &FuncDecl,
        body: &Func,
    ) -> Result<(), CodegenError> {
        let internal = |what: String| CodegenError::Internal {
            function: decl.name.clone(),
            what,
        };
        let mut spans = Vec::new();
        // Cranelift asserts on what it does not expect. The worker is dropped with the error.
        catch_unwind(AssertUnwindSafe(|| {
            worker.build(
                self.module,
                self.options,
                isa,
                &mut self.imports,
                (func, decl, body),
                &mut spans,
            )?;
            let compiled = worker
                .context
                .compile(isa, &mut ControlPlane::default())
                .map(|_| ());
            match compiled {
                Ok(()) => Ok(()),
                Err(error) => Err(internal(error.inner.to_string())),
            }
        }))
        .unwrap_or_else(|panic| Err(internal(panic_text(&*panic))))?;
        let code = worker.context.take_compiled_code();
        let code = code.ok_or_else(|| internal("no code".to_owned()))?;
        let bytes = code.code_buffer();
        let text = &mut self.artifact.sections[self.text].bytes;
        let align = code.buffer.alignment as usize;
        let start = layout::place(
            text.len(),
            align,
            bytes.len(),
            &code.bb_starts,
            &code.bb_edges,
        );
        text.resize(start, PADDING);
        text.extend_from_slice(bytes);
        let start = start as u32;
        let symbol = self.symbol_of_function(func);
        self.artifact.symbols[symbol].place = Some(Definition {
            section: self.text,
            offset: start,
            size: bytes.len() as u32,
        });
        for reloc in code.buffer.relocs() {
            let reloc = self
                .relocation(reloc, start, symbol, &worker.context.func)
                .map_err(internal)?;
            self.artifact.relocations.push(reloc);
        }
        let first_row = self.artifact.lines.len();
        for row in code.buffer.get_srclocs_sorted() {
            if row.loc.is_default() || row.start == row.end {
                continue;
            }
            let span = spans.get(row.loc.bits() as usize).copied();
            self.artifact.lines.push(LineRow {
                section: self.text,
                start: start + row.start,
                end: start + row.end,
                span: span.unwrap_or(Span::NONE),
            });
        }
        self.fill_gaps(first_row, start, start + bytes.len() as u32, body.span);
        Ok(())
    }

    /// Gives bytes that Cranelift made for no instruction a row of the function's table, which starts at `first_row`:
    /// what precedes them, as moves between blocks and epilogues; at the start, the function itself.
    fn fill_gaps(&mut self, first_row: usize, start: u32, end: u32, function: Span) {
        let rows = &mut self.artifact.lines;
        for at in first_row..rows.len() {
            rows[at].end = rows.get(at + 1).map_or(end, |next| next.start);
        }
        let body = rows.get(first_row).map_or(end, |row| row.start);
        if function.is_known() && start < body {
            let prologue = LineRow {
                section: self.text,
                start,
                end: body,
                span: function,
            };
            rows.insert(first_row, prologue);
        }
    }

    fn relocation(
        &mut self,
        reloc: &FinalizedMachReloc,
        start: u32,
        own: SymbolId,
        func: &ir::Function,
    ) -> Result<Relocation, String> {
        let kind = match reloc.kind {
            Reloc::Abs8 => RelocKind::Abs8,
            Reloc::X86PCRel4 => RelocKind::PcRel4,
            Reloc::X86CallPCRel4 | Reloc::X86CallPLTRel4 => RelocKind::CallPcRel4,
            Reloc::X86GOTPCRel4 => RelocKind::GotPcRel4,
            other => return Err(format!("relocation {other:?}")),
        };
        let mut addend = reloc.addend;
        let symbol = match &reloc.target {
            FinalizedRelocTarget::Func(offset) => {
                addend += i64::from(*offset);
                own
            }
            FinalizedRelocTarget::ExternalName(ir::ExternalName::User(name)) => {
                let name = &func.params.user_named_funcs()[*name];
                let name = Name::from_external(name).ok_or_else(|| format!("name {name}"))?;
                self.symbol_of(name)
            }
            FinalizedRelocTarget::ExternalName(ir::ExternalName::LibCall(call)) => {
                let name = cranelift_module::default_libcall_names()(*call);
                self.import(&name)
            }
            FinalizedRelocTarget::ExternalName(other) => {
                return Err(format!("reference to {}", other.display(None)));
            }
        };
        Ok(Relocation {
            section: self.text,
            offset: start + reloc.offset,
            kind,
            symbol,
            addend,
        })
    }

    fn symbol_of(&mut self, name: Name) -> SymbolId {
        match name {
            Name::Func(func) => self.symbol_of_function(func),
            Name::Data(data) => self.symbol_of_data(data),
            Name::Import(index) => {
                let symbol = self.imports.symbol(index).unwrap_or_default().to_owned();
                self.import(&symbol)
            }
            Name::Exception(exception) => self.symbol_of_exception(exception),
        }
    }

    fn symbol_of_function(&mut self, func: FuncRef) -> SymbolId {
        if let Some(symbol) = self.functions[func] {
            return symbol;
        }
        let decl = &self.module.functions[func];
        let linkage = match decl.linkage {
            _ if decl.body.is_none() => SymbolLinkage::Import,
            Linkage::Local => SymbolLinkage::Local,
            Linkage::Export | Linkage::Kernel | Linkage::Device | Linkage::Import => {
                SymbolLinkage::Export
            }
        };
        // The place of a function that is still to come is filled in then.
        let symbol = self.define(&decl.name, SymbolKind::Function, linkage, None);
        self.functions[func] = Some(symbol);
        symbol
    }

    fn symbol_of_data(&mut self, data: DataId) -> SymbolId {
        if let Some(symbol) = self.data[data] {
            return symbol;
        }
        let item = &self.module.data[data];
        let section = if item.writable {
            self.cells
        } else {
            self.rodata
        };
        let place = self.append(section, &item.image(), item.align);
        let symbol = self.define(
            &item.name,
            SymbolKind::Data,
            SymbolLinkage::Local,
            Some(place),
        );
        self.data[data] = Some(symbol);
        symbol
    }

    fn symbol_of_exception(&mut self, exception: ExceptionId) -> SymbolId {
        if let Some(symbol) = self.exceptions[exception] {
            return symbol;
        }
        let module = self.module;
        let types = self.words.get_or_insert_with(|| word_types(module));
        let words = types.get(&exception).map_or(&[][..], Vec::as_slice);
        let bytes = exception_description(module, &module.exceptions[exception], words);
        let place = self.append(self.rodata, &bytes, 8);
        let name = format!(".exception.{}", exception.as_u32());
        let symbol = self.define(&name, SymbolKind::Data, SymbolLinkage::Local, Some(place));
        self.exceptions[exception] = Some(symbol);
        symbol
    }

    fn append(&mut self, section: SectionId, bytes: &[u8], align: u32) -> Definition {
        let section_data = &mut self.artifact.sections[section];
        let align = align.clamp(1, 4096).next_power_of_two();
        section_data.align = section_data.align.max(align);
        let offset = section_data.bytes.len().next_multiple_of(align as usize);
        section_data.bytes.resize(offset, 0);
        section_data.bytes.extend_from_slice(bytes);
        Definition {
            section,
            offset: offset as u32,
            size: bytes.len() as u32,
        }
    }

    fn import(&mut self, name: &str) -> SymbolId {
        match self.by_name.get(name) {
            Some(&symbol) => symbol,
            None => self.define(name, SymbolKind::Function, SymbolLinkage::Import, None),
        }
    }

    fn define(
        &mut self,
        name: &str,
        kind: SymbolKind,
        linkage: SymbolLinkage,
        place: Option<Definition>,
    ) -> SymbolId {
        let symbol = self.artifact.symbols.push(Symbol {
            name: name.to_owned(),
            kind,
            linkage,
            place,
        });
        self.by_name.insert(name.to_owned(), symbol);
        symbol
    }

    /// Data that only the loader or other data refers to, and addresses inside data.
    fn finish(mut self) -> Result<Artifact, CodegenError> {
        for data in self.module.data.keys() {
            self.symbol_of_data(data);
        }
        for func in self.module.functions.keys() {
            if self.module.functions[func].body.is_some() {
                self.symbol_of_function(func);
            }
        }
        for (data, item) in self.module.data.iter() {
            let symbol = self.symbol_of_data(data);
            let Some(place) = self.artifact.symbols[symbol].place else {
                continue;
            };
            for (offset, target) in &item.relocs {
                if offset.checked_add(8).is_none_or(|end| end > place.size) {
                    return Err(CodegenError::Malformed {
                        function: item.name.clone(),
                        what: "address outside the data".to_owned(),
                    });
                }
                let symbol = self.import_or_function(target);
                self.artifact.relocations.push(Relocation {
                    section: place.section,
                    offset: place.offset + offset,
                    kind: RelocKind::Abs8,
                    symbol,
                    addend: 0,
                });
            }
        }
        self.artifact
            .validate()
            .map_err(|error| CodegenError::Internal {
                function: self.module.name.clone(),
                what: error.to_string(),
            })?;
        Ok(self.artifact)
    }

    fn import_or_function(&mut self, name: &str) -> SymbolId {
        let own = self.module.functions.iter().find(|(_, f)| f.name == name);
        match own {
            Some((func, _)) => self.symbol_of_function(func),
            None => self.import(name),
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        return (*text).to_owned();
    }
    match panic.downcast_ref::<String>() {
        Some(text) => text.clone(),
        None => "panic".to_owned(),
    }
}
