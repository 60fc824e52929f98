//! Where the names that an artifact imports are found.

use crate::jit::LoadedArtifact;
use std::ffi::CString;
use std::sync::Arc;

/// Addresses outside of artifacts: the runtime's symbol table, the Python edge. What it gives lives as long as the process.
pub type SymbolLookup<'a> = &'a (dyn Fn(&str) -> Option<*const u8> + Sync);

/// What an artifact is linked with.
#[derive(Clone, Copy)]
pub(super) struct Linker<'a> {
    pub(super) artifacts: &'a [Arc<LoadedArtifact>],
    pub(super) symbols: SymbolLookup<'a>,
}

impl<'a> Linker<'a> {
    /// The address of an imported name, and the artifact that has it.
    pub(super) fn resolve(self, name: &str) -> Option<(usize, Option<&'a Arc<LoadedArtifact>>)> {
        for artifact in self.artifacts {
            if let Some(address) = artifact.export(name) {
                return Some((address, Some(artifact)));
            }
        }
        if let Some(address) = (self.symbols)(name) {
            return Some((address.expose_provenance(), None));
        }
        Some((c_symbol(name)?, None))
    }

    /// An address that code should be near.
    pub(super) fn neighbour(self) -> usize {
        match (self.symbols)("numbra_rt_raise") {
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
