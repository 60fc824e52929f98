//! From an address to the code that is there: function and source line. For crash reports, profilers and debuggers.

use crate::artifact::{Artifact, SectionId};
use crate::jit::arena::Pages;
use cranelift_entity::SecondaryMap;
use numbra_base::Span;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What is at an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodePosition {
    pub function: String,
    /// Bytes from the start of the function.
    pub offset: u32,
    /// Empty when unknown.
    pub file: String,
    pub span: Span,
}

struct Entry {
    len: usize,
    sections: SecondaryMap<SectionId, usize>,
    artifact: Arc<Artifact>,
    pages: Weak<Pages>,
}

/// Keeps the memory of loaded code, beyond the artifact that it came from.
#[derive(Clone)]
pub struct CodeMemory {
    _pages: Arc<Pages>,
}

/// Keeps the code at an address in memory, if it is that of a loaded artifact.
pub fn keep_code(address: *const u8) -> Option<CodeMemory> {
    let address = address.addr();
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let (&base, entry) = loaded.range(..=address).next_back()?;
    let pages = entry
        .pages
        .upgrade()
        .filter(|_| address - base < entry.len)?;
    Some(CodeMemory { _pages: pages })
}

/// Loaded artifacts by base address.
static LOADED: Mutex<BTreeMap<usize, Entry>> = Mutex::new(BTreeMap::new());

/// The function at an address, in any loaded artifact.
pub fn find_code(address: *const u8) -> Option<CodePosition> {
    let address = address.addr();
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let (&base, entry) = loaded.range(..=address).next_back()?;
    let inside = (address - base < entry.len).then_some(address - base)?;
    let artifact = &entry.artifact;
    artifact.functions().find_map(|(_, symbol, place)| {
        let start = entry.sections[place.section] + place.offset as usize;
        if inside < start || inside >= start + place.size as usize {
            return None;
        }
        let offset = (inside - start) as u32;
        let span = artifact
            .span_at(place.section, place.offset + offset)
            .unwrap_or(Span::NONE);
        let file = artifact.files.get(span.file.0 as usize);
        Some(CodePosition {
            function: symbol.name.clone(),
            offset,
            file: file.cloned().unwrap_or_default(),
            span,
        })
    })
}

/// Keeps an artifact known until it is dropped.
pub(super) struct Registration {
    base: usize,
}

pub(super) fn register(
    pages: &Arc<Pages>,
    sections: &SecondaryMap<SectionId, usize>,
    artifact: &Arc<Artifact>,
) -> Registration {
    let base = pages.base();
    let entry = Entry {
        len: pages.len(),
        sections: sections.clone(),
        artifact: Arc::clone(artifact),
        pages: Arc::downgrade(pages),
    };
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.insert(base, entry);
    Registration { base }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.remove(&self.base);
    }
}
