//! Looking compiled signatures up and keeping them.

use super::ask::{Asker, Unstable, last_line, view};
use super::content;
use super::trace::Trace;
use crate::dispatcher::Dispatcher;
use crate::session::session;
use crate::symbols;
use numbra_driver::cache::{
    Digest, Digester, Index, IndexEntry, Manifest, Position, Store, Stored,
};
use numbra_driver::{Compiled, Restore, Tier};
use numbra_ir::{Type, Types};
use numbra_lower::artifact::{Artifact, CpuLevel};
use numbra_lower::jit::Moved;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The cache of one dispatcher.
pub(crate) struct Cache {
    store: Store,
    /// What became of each compiled signature.
    pub(super) events: Mutex<Vec<Event>>,
}

/// What became of one signature.
#[derive(Clone)]
pub(super) struct Event {
    pub(super) args: Vec<Type>,
    pub(super) outcome: Outcome,
    /// Holds the types.
    pub(super) types: Types,
}

/// What looking up gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Hit,
    /// The reason.
    Miss(String),
}

/// What finds the entries of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key(Digest);

/// What an entry has beside its code, for code that replaces it.
pub(crate) struct Kept {
    manifest: Manifest,
    stored: Stored,
}

/// What was found in place of a compilation.
pub(crate) struct Found {
    pub(crate) compiled: Compiled,
    pub(crate) kept: Kept,
}

impl Cache {
    pub(crate) fn new(directory: PathBuf, name: String, suffix: String) -> Cache {
        // SAFETY: the call has no preconditions.
        let user = unsafe { libc::geteuid() };
        Cache {
            store: Store::new(directory, name, suffix, user),
            events: Mutex::default(),
        }
    }

    pub(crate) fn flush(&self) {
        self.store.flush();
    }

    /// Notes what became of a signature.
    pub(crate) fn note(&self, types: &Types, args: &[Type], outcome: Outcome) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(Event {
            args: args.to_vec(),
            outcome,
            types: types.clone(),
        });
    }

    /// Looks a signature up; `own` comes to hold the types of what is found. The reason where there is nothing, and the
    /// key where the signature can be kept.
    pub(crate) fn find(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        own: &Types,
        args: &[Type],
        ret: Option<Type>,
    ) -> Result<Found, (String, Option<Key>)> {
        let key = key(py, dispatcher, own, args, ret).map_err(|why| {
            warn_unstable(py, dispatcher, &why);
            (why.text().to_owned(), None)
        })?;
        let mut reason = "nothing is kept for this code, these types and options".to_owned();
        let index = match self.store.index() {
            None => Index::default(),
            Some(Ok(index)) => {
                let path = self.store.index_path();
                log(py, &format!("index loaded from {}", quoted(&path)));
                index
            }
            Some(Err(damage)) => {
                reason = format!("the index cannot be read: {damage}");
                Index::default()
            }
        };
        for entry in index.find(&key.0) {
            match self.restore(py, dispatcher, own, args, entry) {
                Ok(found) => return Ok(found),
                Err(why) => reason = why,
            }
        }
        for index in self.store.other_indexes() {
            for entry in index.find(&key.0) {
                match self.restore(py, dispatcher, own, args, entry) {
                    Ok(found) => return Ok(found),
                    Err(why) => reason = why,
                }
            }
        }
        Err((reason, Some(key)))
    }

    /// The code of an entry, if all that it depends on is as it was.
    fn restore(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        own: &Types,
        args: &[Type],
        entry: &IndexEntry,
    ) -> Result<Found, String> {
        let types = view();
        let mut asker = Asker::new(py, &types, dispatcher.id);
        for (question, then) in &entry.manifest.answers {
            match asker.ask(question) {
                Ok(now) if now == *then => {}
                Ok(_) => return Err(format!("{question} has changed")),
                Err(why) => return Err(why.text().to_owned()),
            }
        }
        let stored = match self.store.data(entry) {
            None => return Err("the data file is gone".to_owned()),
            Some(Err(damage)) => return Err(format!("the data file cannot be read: {damage}")),
            Some(Ok(stored)) => stored,
        };
        let path = self.store.data_path(entry);
        log(py, &format!("data loaded from {}", quoted(&path)));
        let artifact = Artifact::from_bytes(&stored.artifact).map_err(|e| e.to_string())?;
        let ret = own.parse(&stored.ret).map_err(|e| e.to_string())?;
        if stored.arrays.len() != asker.arrays.len() {
            return Err("the data file knows other arrays".to_owned());
        }
        let address = |name: &str| match symbols::array_number(name) {
            Some(then) => {
                let at = stored.arrays.iter().position(|number| *number == then)?;
                crate::host::array_leaves(asker.arrays[at])
            }
            None => symbols::address(own, name),
        };
        let request = Restore {
            args,
            ret,
            types: own,
            entry: &stored.entry,
            generator: stored.generator,
            symbols: &address,
        };
        let compiled = session().restore(&request, artifact).map_err(|error| {
            let first = error.diagnostics.first();
            first
                .map_or("it cannot be loaded", |d| &d.message)
                .to_owned()
        })?;
        let mut positions = asker.positions().map_err(|e| e.to_string())?;
        for (now, then) in positions.iter_mut().zip(&stored.positions) {
            now.last = now.first + (then.last.saturating_sub(then.first));
        }
        compiled
            .loaded
            .set_moved(moved(&stored.positions, &positions));
        let kept = Kept {
            manifest: entry.manifest.clone(),
            stored: Stored {
                arrays: asker.arrays,
                positions,
                artifact: Vec::new(),
                ..stored
            },
        };
        Ok(Found { compiled, kept })
    }

    /// Keeps a compiled signature; nothing where it depends on something without a digest.
    pub(crate) fn keep(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        key: Key,
        trace: Trace,
        compiled: &Compiled,
    ) -> Result<Kept, String> {
        let types = &compiled.types;
        let made = self.prepare(py, dispatcher, key, trace, compiled, types);
        let kept = made.map_err(|why| {
            warn_unstable(py, dispatcher, &why);
            why.text().to_owned()
        })?;
        self.save(py, &kept, &compiled.artifact)?;
        Ok(kept)
    }

    fn prepare(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        key: Key,
        trace: Trace,
        compiled: &Compiled,
        types: &Types,
    ) -> Result<Kept, Unstable> {
        for name in compiled.artifact.imports() {
            let text = symbols::type_text(name);
            let foreign = text.is_some_and(|text| {
                types
                    .parse(&text)
                    .is_ok_and(|ty| !crate::types_py::is_portable(types, ty))
                    || text.starts_with('#')
            });
            if foreign {
                let text = "its code names a type of this process".to_owned();
                return Err(Unstable::Other(text));
            }
        }
        let mut digester = Digester::default();
        content::portable_type(&mut digester, types, compiled.ret).map_err(Unstable::Other)?;
        let mut asker = Asker::new(py, types, dispatcher.id);
        let manifest = trace.manifest(&mut asker)?;
        let known = |name: &str| {
            symbols::array_number(name).is_none_or(|number| asker.arrays.contains(&number))
        };
        if !compiled.artifact.imports().all(known) {
            let text = "it has an array that no name leads to".to_owned();
            return Err(Unstable::Other(text));
        }
        let mut positions = asker
            .positions()
            .map_err(|error| Unstable::Other(error.to_string()))?;
        for (number, position) in positions.iter_mut().enumerate() {
            let last = asker.function(number).and_then(last_line);
            position.last = last.unwrap_or(position.last).max(position.first);
        }
        let stored = Stored {
            key: key.0,
            manifest: manifest.digest(),
            generator: compiled.generator,
            entry: compiled.entry.clone(),
            ret: types.text(compiled.ret).to_string(),
            arrays: asker.arrays,
            positions,
            artifact: Vec::new(),
        };
        Ok(Kept { manifest, stored })
    }

    /// Keeps better code for what is kept already.
    pub(crate) fn replace(&self, py: Python<'_>, kept: &Kept, artifact: &Artifact) {
        let better = Kept {
            manifest: kept.manifest.clone(),
            stored: Stored {
                generator: Tier::Llvm,
                ..kept.stored.clone()
            },
        };
        // The code that is there goes on serving.
        let _ = self.save(py, &better, artifact);
    }

    fn save(&self, py: Python<'_>, kept: &Kept, artifact: &Artifact) -> Result<(), String> {
        let stored = Stored {
            artifact: artifact.to_bytes(),
            ..kept.stored.clone()
        };
        let saved = self
            .store
            .save(stored.key, kept.manifest.clone(), &stored)
            .map_err(|refusal| {
                let text = format!("nothing is cached: {refusal}");
                warn_once(py, &self.store, &text);
                text
            })?;
        let path = self.store.data_path(&saved);
        log(py, &format!("data saved to {}", quoted(&path)));
        let path = self.store.index_path();
        log(py, &format!("index saved to {}", quoted(&path)));
        Ok(())
    }
}

/// The functions that stand elsewhere than they did; none if no one does.
fn moved(then: &[Position], now: &[Position]) -> Vec<Moved> {
    if then == now {
        return Vec::new();
    }
    let pairs = then.iter().zip(now);
    pairs
        .map(|(then, now)| Moved {
            file: then.file.clone(),
            lines: (then.first, then.last),
            to_file: now.file.clone(),
            to_first: now.first,
        })
        .collect()
}

/// What is known of a signature before it is compiled.
fn key(
    py: Python<'_>,
    dispatcher: &Dispatcher,
    types: &Types,
    args: &[Type],
    ret: Option<Type>,
) -> Result<Key, Unstable> {
    let mut digester = Digester::of("numbra");
    digester.digest(&build(py));
    digester.text(CpuLevel::host().name());
    if dispatcher.options.tier != Tier::Cranelift {
        digester.text(&crate::llvm::identity());
    }
    let own = dispatcher.own_digest(py, types).map_err(Unstable::Other)?;
    digester.digest(&own);
    digester.number(args.len() as u64);
    for ty in args {
        content::portable_type(&mut digester, types, *ty).map_err(Unstable::Other)?;
    }
    if let Some(ret) = ret {
        digester.text("gives");
        content::portable_type(&mut digester, types, ret).map_err(Unstable::Other)?;
    }
    Ok(Key(digester.finish()))
}

/// The digest of this build of numbra and of the interpreter that it runs in.
fn build(py: Python<'_>) -> Digest {
    static BUILD: OnceLock<Digest> = OnceLock::new();
    *BUILD.get_or_init(|| {
        let version = py.version_info();
        let mut digester = Digester::of(env!("CARGO_PKG_VERSION"));
        digester.text(env!("NUMBRA_BUILD"));
        for number in [version.major, version.minor, version.patch] {
            digester.number(u64::from(number));
        }
        // For those who want caches apart.
        digester.text(&std::env::var("NUMBRA_CACHE_SALT").unwrap_or_default());
        digester.finish()
    })
}

/// Numba's warning, for what Numba warns of.
fn warn_unstable(py: Python<'_>, dispatcher: &Dispatcher, why: &Unstable) {
    let Unstable::Dynamic(_) = why else {
        return;
    };
    let text = format!(
        "Cannot cache compiled function \"{}\" as it uses dynamic globals (such as ctypes pointers and large global arrays)",
        dispatcher.name
    );
    warn(py, &text);
}

/// Warns of a directory once in the life of the process.
fn warn_once(py: Python<'_>, store: &Store, text: &str) {
    static WARNED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut warned = WARNED.lock().unwrap_or_else(PoisonError::into_inner);
    if warned.insert(store.directory().to_owned()) {
        drop(warned);
        warn(py, text);
    }
}

/// A `NumbaWarning`. One that is an error cannot stop a compilation.
fn warn(py: Python<'_>, text: &str) {
    let warned = || -> PyResult<()> {
        let class: Bound<'_, PyAny> = py.import("numbra.core.errors")?.getattr("NumbaWarning")?;
        py.import("warnings")?
            .call_method1("warn", (class.call1((text,))?,))?;
        Ok(())
    };
    if let Err(error) = warned() {
        error.write_unraisable(py, None);
    }
}

/// A line of the log that `NUMBA_DEBUG_CACHE` asks for.
fn log(py: Python<'_>, text: &str) {
    let config = py.import("numbra.core.config");
    let wanted = config.and_then(|config| config.getattr("DEBUG_CACHE")?.is_truthy());
    if wanted.unwrap_or(false) {
        crate::print_line(py, &format!("[cache] {text}"));
    }
}

fn quoted(path: &std::path::Path) -> String {
    format!("'{}'", path.display())
}
