//! Source files that code objects and diagnostics refer to.

use numbra_base::{FileId, FxHashMap, SourceCache};
use std::sync::{Arc, Mutex, PoisonError};

/// Paths by [`FileId`], with their text where it is known.
#[derive(Default)]
pub(crate) struct Sources {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    ids: FxHashMap<String, FileId>,
    paths: Vec<String>,
    cache: SourceCache,
}

impl Sources {
    /// The id of a path; `text` is asked for the first time only.
    pub(crate) fn file(&self, path: &str, text: &dyn Fn(&str) -> Option<Arc<str>>) -> FileId {
        let known = |inner: &Inner| inner.ids.get(path).copied();
        if let Some(id) = known(&self.inner.lock().unwrap_or_else(PoisonError::into_inner)) {
            return id;
        }
        // Asked without the lock: the answer may come from Python.
        let text = text(path);
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = known(&inner) {
            return id;
        }
        inner.paths.push(path.to_owned());
        let id = FileId(inner.paths.len() as u32);
        inner.ids.insert(path.to_owned(), id);
        inner.cache.insert(id, path, text);
        id
    }

    /// Paths in id order, with the unknown file first: what LIR modules carry.
    pub(crate) fn paths(&self) -> Vec<String> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        [String::new()]
            .into_iter()
            .chain(inner.paths.iter().cloned())
            .collect()
    }

    /// Everything known, for rendering.
    pub(crate) fn cache(&self) -> SourceCache {
        self.inner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .cache
            .clone()
    }
}
