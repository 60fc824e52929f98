//! From an address to the code that is there: function and source line. For crash reports, profilers and debuggers.

use crate::jit::arena::Pages;
use cranelift_entity::SecondaryMap;
use numbra_base::Span;
use numbra_lir::artifact::{Artifact, SectionId};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

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

/// Where a source function stood when its code was made, and where it stands now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The file then.
    pub file: String,
    /// First and last line then.
    pub lines: (u32, u32),
    /// The file now.
    pub to_file: String,
    /// The first line now.
    pub to_first: u32,
}

impl Moved {
    fn apply(&self, file: &str, line: u32) -> Option<(String, u32)> {
        let (first, last) = self.lines;
        let inside = self.file == file && (first..=last).contains(&line);
        inside.then(|| (self.to_file.clone(), line - first + self.to_first))
    }
}

/// The smallest function that has the line moves it.
fn moved_to(moved: &[Moved], file: &str, line: u32) -> Option<(String, u32)> {
    moved
        .iter()
        .filter(|one| one.apply(file, line).is_some())
        .min_by_key(|one| one.lines.1 - one.lines.0)?
        .apply(file, line)
}

struct Entry {
    len: usize,
    /// Of code whose sources have moved since it was made.
    moved: Vec<Moved>,
    sections: SecondaryMap<SectionId, usize>,
    artifact: Arc<Artifact>,
    memory: Weak<Memory>,
}

/// The memory of loaded code.
pub(super) struct Memory {
    pub(super) pages: Arc<Pages>,
    /// What the code needs as long as it is there.
    pub(super) needs: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// Keeps the memory of loaded code and what it needs, beyond the artifact that it came from.
#[derive(Clone)]
pub struct CodeMemory {
    memory: Arc<Memory>,
}

impl CodeMemory {
    /// What the code needs, as [`LoadedArtifact::keep`](super::LoadedArtifact::keep) was told.
    pub fn needs(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.memory.needs.get().map(|needs| &**needs)
    }
}

/// Keeps the code at an address in memory, if it is that of a loaded artifact.
pub fn keep_code(address: *const u8) -> Option<CodeMemory> {
    let address = address.addr();
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let (&base, entry) = loaded.range(..=address).next_back()?;
    let memory = entry
        .memory
        .upgrade()
        .filter(|_| address - base < entry.len)?;
    Some(CodeMemory { memory })
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
        let file = file.cloned().unwrap_or_default();
        let (file, span) = match moved_to(&entry.moved, &file, span.line) {
            Some((file, line)) => {
                let end_line = line + (span.end_line - span.line);
                (
                    file,
                    Span {
                        line,
                        end_line,
                        ..span
                    },
                )
            }
            None => (file, span),
        };
        Some(CodePosition {
            function: symbol.name.clone(),
            offset,
            file,
            span,
        })
    })
}

/// Where a line of code at an address (of the code itself or of what belongs to it) stands now, if it has moved.
pub fn moved_line(address: usize, file: &str, line: u32) -> Option<(String, u32)> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let (&base, entry) = loaded.range(..=address).next_back()?;
    let inside = address - base < entry.len;
    moved_to(&entry.moved, file, line).filter(|_| inside)
}

/// Keeps an artifact known until it is dropped.
pub(super) struct Registration {
    base: usize,
}

pub(super) fn register(
    memory: &Arc<Memory>,
    sections: &SecondaryMap<SectionId, usize>,
    artifact: &Arc<Artifact>,
) -> Registration {
    let base = memory.pages.base();
    let entry = Entry {
        len: memory.pages.len(),
        moved: Vec::new(),
        sections: sections.clone(),
        artifact: Arc::clone(artifact),
        memory: Arc::downgrade(memory),
    };
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.insert(base, entry);
    Registration { base }
}

impl Registration {
    pub(super) fn set_moved(&self, moved: Vec<Moved>) {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = loaded.get_mut(&self.base) {
            entry.moved = moved;
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.remove(&self.base);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_function_moves_a_line() {
        let at = |first, last, to_first| Moved {
            file: "a.py".to_owned(),
            lines: (first, last),
            to_file: "b.py".to_owned(),
            to_first,
        };
        let moved = [at(10, 30, 15), at(12, 14, 112)];
        let to = |line| moved_to(&moved, "a.py", line).map(|(_, line)| line);
        assert_eq!([to(9), to(10), to(31)], [None, Some(15), None]);
        assert_eq!([to(12), to(14), to(15)], [Some(112), Some(114), Some(20)]);
        assert_eq!(moved_to(&moved, "c.py", 12), None);
    }
}
