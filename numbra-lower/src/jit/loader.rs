//! From an artifact to running memory.

use crate::cranelift::CodegenError;
use crate::jit::arena::Pages;
use crate::jit::image::Layout;
use crate::jit::symbols::{Linker, SymbolLookup};
use crate::jit::{LoadedArtifact, module};
use cranelift_module::ModuleError;
use numbra_lir::artifact::{Artifact, ArtifactError, CpuLevel, SymbolId};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::{fmt, io};

/// Why an artifact cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// No artifact, runtime or library has this name.
    Unresolved(String),
    /// Data of another artifact that is too far for the code that reads it.
    OutOfReach(String),
    /// The artifact needs a processor that this is not.
    Cpu(CpuLevel),
    /// The artifact contradicts itself.
    Artifact(ArtifactError),
    /// As [`LoadError::Artifact`], found while relocating.
    Malformed(&'static str),
    /// The system gave no memory.
    Memory(io::Error),
    /// Cranelift knows no such processor.
    Target(CodegenError),
    /// Cranelift's module refused a part of it.
    Module(Box<ModuleError>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Unresolved(name) => write!(f, "undefined symbol `{name}`"),
            LoadError::OutOfReach(name) => write!(f, "`{name}` is too far away"),
            LoadError::Cpu(cpu) => write!(f, "made for {cpu}, this is {}", CpuLevel::host()),
            LoadError::Artifact(error) => error.fmt(f),
            LoadError::Malformed(what) => write!(f, "malformed artifact: {what}"),
            LoadError::Memory(error) => write!(f, "no memory for code: {error}"),
            LoadError::Target(error) => error.fmt(f),
            LoadError::Module(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Loads an artifact. Names that it imports are looked up in the exports of `artifacts` in order, in `symbols`, in the C
/// library. The result keeps the artifacts that it uses, and its memory until it is dropped.
pub fn load(
    artifact: Arc<Artifact>,
    artifacts: &[Arc<LoadedArtifact>],
    symbols: SymbolLookup<'_>,
) -> Result<LoadedArtifact, LoadError> {
    let linker = Linker { artifacts, symbols };
    artifact.validate().map_err(LoadError::Artifact)?;
    if artifact.cpu > CpuLevel::host() {
        return Err(LoadError::Cpu(artifact.cpu));
    }
    let mut keep: Vec<Arc<LoadedArtifact>> = Vec::new();
    let mut imports: FxHashMap<SymbolId, usize> = FxHashMap::default();
    for (id, symbol) in artifact.symbols.iter() {
        if symbol.place.is_some() {
            continue;
        }
        let found = linker.resolve(&symbol.name);
        let (address, owner) = found.ok_or_else(|| LoadError::Unresolved(symbol.name.clone()))?;
        imports.insert(id, address);
        if let Some(owner) = owner
            && !keep.iter().any(|k| Arc::ptr_eq(k, owner))
        {
            keep.push(Arc::clone(owner));
        }
    }
    let layout = Layout::new(&artifact);
    let pages = Pages::allocate(layout.len, linker.neighbour()).map_err(LoadError::Memory)?;
    let pages = Arc::new(pages);
    module::place(&artifact, &layout, &pages, &imports)?;
    Ok(LoadedArtifact::new(artifact, pages, layout.sections, keep))
}
