//! Looking compiled signatures up and keeping them.

use super::ask::{Asker, Unstable, last_line, view};
use super::content;
use super::trace::Trace;
use crate::dispatcher::Dispatcher;
use crate::session::session;
use crate::symbols;
use numbra_driver::cache::{
    Digest, Digester, Index, IndexEntry, Manifest, Position, Question, Store, Stored, Unread,
};
use numbra_driver::{Compiled, Restore, Tier};
use numbra_ir::{DispatcherId, Type, Types};
use numbra_lir::artifact::{Artifact, CpuLevel};
use numbra_lower::jit::Moved;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The cache of one dispatcher.
#[derive(Default)]
pub(crate) struct Cache {
    /// The files; none for a function whose code came with it.
    store: Option<Store>,
    /// Entries that came with the function when it was unpickled.
    carried: Mutex<Vec<(IndexEntry, Stored)>>,
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
pub(crate) struct Key(pub(super) Digest);

/// What an entry has beside its code, for code that replaces it.
pub(crate) struct Kept {
    manifest: Manifest,
    /// Without the artifact.
    stored: Stored,
    numbers: Mutex<Numbers>,
}

/// Numbers of this process for functions and arrays, by their numbers in the manifest.
struct Numbers {
    functions: Vec<u64>,
    arrays: Vec<u64>,
}

impl Kept {
    /// The attributes that the code was made with: owner and name.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        let questions = self.manifest.answers.iter();
        questions.filter_map(|(question, _)| match question {
            Question::Attribute { owner, name } => Some((owner.as_str(), name.as_str())),
            _ => None,
        })
    }
}

impl Numbers {
    fn of(asker: &Asker<'_, '_>) -> Numbers {
        Numbers {
            functions: asker.functions(),
            arrays: asker.arrays.clone(),
        }
    }
}

/// What was found in place of a compilation.
pub(crate) struct Found {
    pub(crate) compiled: Compiled,
    pub(crate) kept: Kept,
}

/// Reads the data of an entry.
pub(super) type Data<'a> = &'a dyn Fn() -> Result<Stored, String>;
/// Makes something of an entry and its data.
type Making<'a, T> = &'a mut dyn FnMut(&IndexEntry, Data<'_>) -> Result<T, String>;

impl Cache {
    pub(crate) fn new(directory: PathBuf, name: String, suffix: String) -> Cache {
        // SAFETY: the call has no preconditions.
        let user = unsafe { libc::geteuid() };
        Cache {
            store: Some(Store::new(directory, name, suffix, user)),
            ..Cache::default()
        }
    }

    /// Forgets what is kept.
    pub(crate) fn flush(&self) {
        if let Some(store) = &self.store {
            store.flush();
        }
        self.carried().clear();
    }

    /// Adds an entry in its binary form; what cannot be read is left out.
    pub(crate) fn carry(&self, index: &[u8], data: &[u8]) {
        let (Ok(index), Ok(stored)) = (Index::from_bytes(index), Stored::from_bytes(data)) else {
            return;
        };
        let entries = index.entries.into_iter();
        self.carried()
            .extend(entries.map(|entry| (entry, stored.clone())));
    }

    fn carried(&self) -> MutexGuard<'_, Vec<(IndexEntry, Stored)>> {
        self.carried.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.search(py, key, &mut |entry, data| {
            self.restore(py, dispatcher, own, args, entry, data)
        })
        .map_err(|reason| (reason, Some(key)))
    }

    /// The first entry of a key that `restore` can make something of, which is given its data too; the reason where there
    /// is none.
    pub(super) fn search<T>(
        &self,
        py: Python<'_>,
        key: Key,
        restore: Making<'_, T>,
    ) -> Result<T, String> {
        let mut reason = "nothing is kept for this code, these types and options".to_owned();
        let carried = self.carried().clone();
        for (entry, stored) in carried.iter().filter(|(entry, _)| entry.key == key.0) {
            match restore(entry, &|| Ok(stored.clone())) {
                Ok(found) => return Ok(found),
                Err(why) => reason = why,
            }
        }
        let Some(store) = &self.store else {
            return Err(reason);
        };
        let index = match store.index() {
            None => Index::default(),
            Some(Ok(index)) => {
                log(
                    py,
                    &format!("index loaded from {}", quoted(&store.index_path())),
                );
                index
            }
            Some(Err(unread)) => {
                reason = cannot_be_read(py, store, "the index", &unread);
                Index::default()
            }
        };
        let mut look = |index: &Index| {
            for entry in index.find(&key.0) {
                match restore(entry, &|| read(py, store, entry)) {
                    Ok(found) => return Some(found),
                    Err(why) => reason = why,
                }
            }
            None
        };
        // A function that has moved has its entries in the index of its old line.
        let found = look(&index).or_else(|| store.other_indexes().iter().find_map(&mut look));
        found.ok_or(reason)
    }

    /// The code of an entry, if all that it depends on is as it was.
    fn restore(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        own: &Types,
        args: &[Type],
        entry: &IndexEntry,
        data: Data<'_>,
    ) -> Result<Found, String> {
        let types = view();
        for ty in args {
            types.hold(*ty);
        }
        let asker = answered(py, &types, dispatcher, args, &entry.manifest)?;
        let stored = data()?;
        let artifact = Artifact::from_bytes(&stored.artifact).map_err(|e| e.to_string())?;
        let ret = own.parse(&stored.ret).map_err(|e| e.to_string())?;
        let (functions, arrays) = (asker.functions(), asker.arrays.clone());
        let address = |name: &str| {
            if let Some(number) = symbols::array_number(name) {
                return crate::constant_arrays::leaves_of(
                    *arrays.get(usize::try_from(number).ok()?)?,
                );
            }
            if let Some(number) = symbols::function(name) {
                let id = *functions.get(number.0 as usize)?;
                return symbols::function_type(own, DispatcherId(u32::try_from(id).ok()?));
            }
            symbols::address(own, name)
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
        if let Some(code) = compiled.loaded() {
            code.set_moved(moved(&stored.positions, &positions));
        }
        let kept = Kept {
            manifest: entry.manifest.clone(),
            stored: Stored {
                positions,
                artifact: Vec::new(),
                ..stored
            },
            numbers: Mutex::new(Numbers { functions, arrays }),
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
        self.save(py, &kept, compiled.generator, &compiled.artifact)?;
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
                    .is_ok_and(|ty| !crate::types::is_portable(types, ty))
                    || text.starts_with('#')
            });
            if foreign {
                let text = "its code names a type of this process".to_owned();
                return Err(Unstable::Other(text));
            }
        }
        let mut digester = Digester::default();
        content::portable_type(&mut digester, types, compiled.ret).map_err(Unstable::Other)?;
        let (mut asker, _) = Asker::new(py, types, dispatcher.id, &compiled.args)?;
        let manifest = trace.manifest(&mut asker)?;
        let known = |name: &str| {
            !symbols::is_function_value(name)
                && symbols::array_number(name).is_none_or(|number| asker.arrays.contains(&number))
                && symbols::function(name).is_none_or(|id| asker.number_of(id).is_some())
        };
        if !compiled.artifact.imports().all(known) {
            let text = "it has an object that no name leads to".to_owned();
            return Err(Unstable::Other(text));
        }
        let positions = positions(&asker)?;
        let stored = Stored {
            key: key.0,
            manifest: manifest.digest(),
            generator: compiled.generator,
            entry: compiled.entry.clone(),
            ret: types.text(compiled.ret).to_string(),
            positions,
            artifact: Vec::new(),
        };
        Ok(Kept {
            manifest,
            stored,
            numbers: Mutex::new(Numbers::of(&asker)),
        })
    }

    /// True if all that the code of an entry depends on is still as it was, so that code made now is the same. Before
    /// that is made, in the scope that captures what it refers to.
    pub(crate) fn still_holds(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        args: &[Type],
        kept: &Kept,
    ) -> bool {
        let types = view();
        for ty in args {
            types.hold(*ty);
        }
        let Ok(asker) = answered(py, &types, dispatcher, args, &kept.manifest) else {
            return false;
        };
        let mut numbers = kept.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        *numbers = Numbers::of(&asker);
        true
    }

    /// Keeps better code for what is kept already.
    pub(crate) fn replace(&self, py: Python<'_>, kept: &Kept, artifact: &Artifact) {
        // The code that is there goes on serving if this fails.
        let _ = self.save(py, kept, Tier::Llvm, artifact);
    }

    fn save(
        &self,
        py: Python<'_>,
        kept: &Kept,
        generator: Tier,
        artifact: &Artifact,
    ) -> Result<(), String> {
        if self.store.is_none() {
            return Ok(());
        }
        self.write(py, &kept.manifest, &kept.with(generator, artifact)?)
    }

    /// Writes the files of an entry.
    pub(super) fn write(
        &self,
        py: Python<'_>,
        manifest: &Manifest,
        stored: &Stored,
    ) -> Result<(), String> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        let saved = store
            .save(stored.key, manifest.clone(), stored)
            .map_err(|refusal| {
                let text = format!("nothing is cached: {refusal}");
                warn_once(py, store, &text);
                text
            })?;
        log(
            py,
            &format!("data saved to {}", quoted(&store.data_path(&saved))),
        );
        log(
            py,
            &format!("index saved to {}", quoted(&store.index_path())),
        );
        Ok(())
    }
}

impl Kept {
    /// The data of the entry with some code for it: the same for the same code, whichever process makes it.
    fn with(&self, generator: Tier, artifact: &Artifact) -> Result<Stored, String> {
        let number_in = |list: &[u64], here: u64| {
            let number = list.iter().position(|known| *known == here)?;
            Some(number as u64)
        };
        let numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut artifact = artifact.clone();
        for symbol in artifact.symbols.values_mut() {
            symbol.name = symbols::renumbered(
                &symbol.name,
                &|here| number_in(&numbers.functions, here),
                &|here| number_in(&numbers.arrays, here),
            )
            .ok_or("it has an object that no name leads to")?;
        }
        Ok(Stored {
            generator,
            artifact: artifact.to_bytes(),
            ..self.stored.clone()
        })
    }

    /// The entry in its binary form: what [`Cache::carry`] takes.
    pub(crate) fn to_bytes(&self, artifact: &Artifact) -> Result<(Vec<u8>, Vec<u8>), String> {
        let mut index = Index::default();
        index.insert(IndexEntry {
            key: self.stored.key,
            manifest: self.manifest.clone(),
            data: String::new(),
        });
        let stored = self.with(self.stored.generator, artifact)?;
        Ok((index.to_bytes(), stored.to_bytes()))
    }
}

/// What is told of a file that is not read; one that somebody else may have made is worth a warning.
fn cannot_be_read(py: Python<'_>, store: &Store, what: &str, unread: &Unread) -> String {
    if let Unread::Distrusted(..) = unread {
        warn_once(
            py,
            store,
            &format!("the cache does not use {what}: {unread}"),
        );
    }
    format!("{what} cannot be read: {unread}")
}

/// The data of an entry.
fn read(py: Python<'_>, store: &Store, entry: &IndexEntry) -> Result<Stored, String> {
    match store.data(entry) {
        None => Err("the data file is gone".to_owned()),
        Some(Err(unread)) => Err(cannot_be_read(py, store, "the data file", &unread)),
        Some(Ok(stored)) => {
            log(
                py,
                &format!("data loaded from {}", quoted(&store.data_path(entry))),
            );
            Ok(stored)
        }
    }
}

/// An asker that has found every answer of an entry as it was; what has changed where one is not.
pub(super) fn answered<'py, 'a>(
    py: Python<'py>,
    types: &'a Types,
    dispatcher: &Dispatcher,
    args: &[Type],
    manifest: &Manifest,
) -> Result<Asker<'py, 'a>, String> {
    let (mut asker, _) =
        Asker::new(py, types, dispatcher.id, args).map_err(|why| why.text().to_owned())?;
    for (question, then) in &manifest.answers {
        match asker.ask(question) {
            Ok(now) if now == *then => {}
            Ok(_) => return Err(format!("{question} has changed")),
            Err(why) => return Err(why.text().to_owned()),
        }
    }
    Ok(asker)
}

/// Where the functions of an asker stand, to their last lines.
pub(super) fn positions(asker: &Asker<'_, '_>) -> Result<Vec<Position>, Unstable> {
    let mut positions = asker
        .positions()
        .map_err(|error| Unstable::Other(error.to_string()))?;
    for (number, position) in positions.iter_mut().enumerate() {
        let last = asker.function(number).and_then(last_line);
        position.last = last.unwrap_or(position.last).max(position.first);
    }
    Ok(positions)
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
    digester.text(CpuLevel::host().name());
    if dispatcher.options.tier != Tier::Cranelift {
        digester.text(&crate::llvm::identity());
    }
    key_with(digester, py, dispatcher, types, args, ret)
}

/// As [`key`], of what one who makes other code has digested already.
pub(super) fn key_with(
    mut digester: Digester,
    py: Python<'_>,
    dispatcher: &Dispatcher,
    types: &Types,
    args: &[Type],
    ret: Option<Type>,
) -> Result<Key, Unstable> {
    digester.digest(&build(py));
    let own = dispatcher.own_digest(py, types).map_err(Unstable::Other)?;
    digester.digest(&own);
    let (_, arguments) = Asker::new(py, types, dispatcher.id, args)?;
    digester.digest(&arguments);
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
        let (major, minor) = crate::numpy::version(py);
        digester.number(u64::from(major));
        digester.number(u64::from(minor));
        // For those who want caches apart.
        digester.text(&std::env::var("NUMBRA_CACHE_SALT").unwrap_or_default());
        digester.finish()
    })
}

/// Numba's warning, for what Numba warns of.
pub(super) fn warn_unstable(py: Python<'_>, dispatcher: &Dispatcher, why: &Unstable) {
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
