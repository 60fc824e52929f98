//! An artifact in memory, and typed pointers into it.

use crate::jit::arena::Pages;
use crate::jit::{gdb, perf, registry};
use cranelift_entity::SecondaryMap;
use numbra_lir::artifact::{Artifact, Definition, SectionId, SymbolKind, SymbolLinkage};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// An artifact in memory. Its code and cells live as long as it does; so do the artifacts that it calls.
pub struct LoadedArtifact {
    artifact: Arc<Artifact>,
    sections: SecondaryMap<SectionId, usize>,
    /// Addresses of defined symbols.
    symbols: FxHashMap<String, (usize, SymbolLinkage)>,
    /// Registrations go before the memory that they describe.
    _debugger: Option<gdb::Registration>,
    known: registry::Registration,
    memory: Arc<registry::Memory>,
    _linked: Vec<Arc<LoadedArtifact>>,
}

impl LoadedArtifact {
    pub(super) fn new(
        artifact: Arc<Artifact>,
        pages: Arc<Pages>,
        sections: SecondaryMap<SectionId, usize>,
        linked: Vec<Arc<LoadedArtifact>>,
    ) -> LoadedArtifact {
        let at = |place: Definition| pages.base() + sections[place.section] + place.offset as usize;
        let defined = artifact.symbols.values().filter_map(|symbol| {
            let address = at(symbol.place?);
            Some((symbol.name.clone(), (address, symbol.linkage)))
        });
        let symbols = defined.collect();
        let functions: Vec<(usize, u32, &str)> = artifact
            .functions()
            .map(|(_, symbol, place)| (at(place), place.size, symbol.name.as_str()))
            .collect();
        perf::record(&functions);
        let debugger = gdb::register(&functions);
        let memory = Arc::new(registry::Memory {
            pages,
            needs: OnceLock::new(),
        });
        let known = registry::register(&memory, &sections, &artifact);
        LoadedArtifact {
            symbols,
            _debugger: debugger,
            known,
            artifact,
            sections,
            memory,
            _linked: linked,
        }
    }

    /// What was loaded.
    pub fn artifact(&self) -> &Arc<Artifact> {
        &self.artifact
    }

    /// Address of a defined function or of data, exported or not. Valid while this artifact is.
    pub fn address(&self, name: &str) -> Option<*const u8> {
        let &(address, _) = self.symbols.get(name)?;
        Some(std::ptr::with_exposed_provenance(address))
    }

    pub(super) fn export(&self, name: &str) -> Option<usize> {
        match self.symbols.get(name)? {
            (address, SymbolLinkage::Export) => Some(*address),
            (_, SymbolLinkage::Local | SymbolLinkage::Import) => None,
        }
    }

    /// Says where the sources of this code stand now, if they have moved since it was made.
    pub fn set_moved(&self, moved: Vec<registry::Moved>) {
        self.known.set_moved(moved);
    }

    /// Keeps something as long as the code is in memory. The first call decides.
    pub fn keep(&self, needs: Box<dyn Any + Send + Sync>) {
        let _ = self.memory.needs.set(needs);
    }

    /// Address of a section.
    pub fn section(&self, section: SectionId) -> Option<*const u8> {
        self.artifact.sections.get(section)?;
        let address = self.memory.pages.base() + self.sections[section];
        Some(std::ptr::with_exposed_provenance(address))
    }

    /// Bytes of memory taken.
    pub fn memory(&self) -> usize {
        self.memory.pages.len()
    }

    /// A function as a pointer of type `F`.
    ///
    /// # Safety
    /// `F` is an `unsafe extern "C" fn` type with the C signature that `numbra_lir::Signature` documents for this function.
    pub unsafe fn function<F: Copy>(self: &Arc<Self>, name: &str) -> Option<JitFunction<F>> {
        const { assert!(size_of::<F>() == size_of::<*const u8>()) };
        let (symbol, _) = self.artifact.defined(name)?;
        if self.artifact.symbols[symbol].kind != SymbolKind::Function {
            return None;
        }
        let address = self.address(name)?;
        // SAFETY: the caller says that `F` is a function pointer; sizes agree, and the address is code.
        let pointer = unsafe { std::mem::transmute_copy::<*const u8, F>(&address) };
        Some(JitFunction {
            pointer,
            owner: Arc::clone(self),
        })
    }
}

/// A pointer to a function of a [`LoadedArtifact`], which it keeps in memory. Dereferences to the plain pointer; a copy of
/// that must not outlive this value.
#[derive(Clone)]
pub struct JitFunction<F: Copy> {
    pointer: F,
    owner: Arc<LoadedArtifact>,
}

impl<F: Copy> JitFunction<F> {
    /// The artifact that has the code.
    pub fn owner(&self) -> &Arc<LoadedArtifact> {
        &self.owner
    }
}

impl<F: Copy> Deref for JitFunction<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.pointer
    }
}
