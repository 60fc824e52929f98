//! Where the names that an artifact imports are found.

use crate::jit::LoadedArtifact;
use std::ffi::CString;
use std::sync::Arc;

/// The runtime's symbol table: the address of a function that lives as long as the process.
pub type SymbolLookup = fn(&str) -> Option<*const u8>;

/// What an artifact is linked with. Names are looked up in the artifact itself, the exports of `artifacts` in order,
/// the runtime, the C library.
#[derive(Clone)]
pub struct Linker {
    pub runtime: SymbolLookup,
    pub artifacts: Vec<Arc<LoadedArtifact>>,
}

impl Linker {
    /// Links with the runtime only.
    pub fn new(runtime: SymbolLookup) -> Linker {
        Linker {
            runtime,
            artifacts: Vec::new(),
        }
    }

    /// The address of an imported name, and the artifact that has it.
    pub(super) fn resolve(&self, name: &str) -> Option<(usize, Option<&Arc<LoadedArtifact>>)> {
        for artifact in &self.artifacts {
            if let Some(address) = artifact.export(name) {
                return Some((address, Some(artifact)));
            }
        }
        if let Some(address) = (self.runtime)(name) {
            return Some((address.expose_provenance(), None));
        }
        Some((c_symbol(name)?, None))
    }

    /// An address that code should be near.
    pub(super) fn neighbour(&self) -> usize {
        match (self.runtime)("numbra_rt_raise") {
            Some(address) => address.expose_provenance(),
            None => (c_symbol as fn(&str) -> Option<usize>) as usize,
        }
    }
}

/// A function of the C library, the mathematics library or the compiler's support library.
fn c_symbol(name: &str) -> Option<usize> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name is a C string; RTLD_DEFAULT is a valid handle, and the call runs no code of the found object.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then(|| found.expose_provenance())
}
