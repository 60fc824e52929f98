//! Looking code for GPUs up and keeping it.

use super::ask::{Asker, Unstable, view};
use super::content;
use super::keep::{Cache, Data, Key, answered, key_with, positions, warn_unstable};
use super::trace::Trace;
use crate::dispatcher::Dispatcher;
use numbra_driver::Tier;
use numbra_driver::cache::{Digester, IndexEntry, Manifest, Stored, StoredKernel};
use numbra_ir::{Type, Types};
use pyo3::prelude::*;

/// Code for a GPU that was just made.
pub(crate) struct MadeKernel<'a> {
    /// Holds the types.
    pub(crate) types: &'a Types,
    pub(crate) args: &'a [Type],
    pub(crate) ret: Type,
    /// Symbol of the kernel or function.
    pub(crate) entry: &'a str,
    pub(crate) code: StoredKernel,
    /// Handles of the constant arrays in it.
    pub(crate) arrays: &'a [u64],
}

/// An entry of code for a GPU without the code, for what is added to it later.
pub(crate) struct KeptKernel {
    manifest: Manifest,
    stored: Stored,
}

/// What was found in place of a compilation.
pub(crate) struct FoundKernel {
    pub(crate) ret: Type,
    pub(crate) entry: String,
    pub(crate) code: StoredKernel,
    pub(crate) kept: KeptKernel,
}

impl Cache {
    /// Looks code for a GPU up; `own` comes to hold the types of what is found. The reason where there is nothing, and the
    /// key where the code can be kept.
    ///
    /// `how` says all that code depends on beside function and types. With `placed`, code says where its source stands, so
    /// that it is of no use when that has moved.
    pub(crate) fn find_kernel(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        (own, args, ret): (&Types, &[Type], Option<Type>),
        how: &str,
        placed: bool,
    ) -> Result<FoundKernel, (String, Option<Key>)> {
        let mut digester = Digester::of("numbra, for a GPU");
        digester.text(&crate::llvm::identity());
        digester.text(how);
        let key = key_with(digester, py, dispatcher, own, args, ret).map_err(|why| {
            warn_unstable(py, dispatcher, &why);
            (why.text().to_owned(), None)
        })?;
        self.search(py, key, &mut |entry, data| {
            restore(py, dispatcher, (own, args), placed, entry, data)
        })
        .map_err(|reason| (reason, Some(key)))
    }

    /// Keeps code for a GPU; nothing where it depends on something without a digest.
    pub(crate) fn keep_kernel(
        &self,
        py: Python<'_>,
        dispatcher: &Dispatcher,
        key: Key,
        trace: Trace,
        made: &MadeKernel<'_>,
    ) -> Result<KeptKernel, String> {
        let kept = prepare(py, dispatcher, key, trace, made).map_err(|why| {
            warn_unstable(py, dispatcher, &why);
            why.text().to_owned()
        })?;
        self.save_kernel(py, &kept, &made.code)?;
        Ok(kept)
    }

    /// Writes an entry with this code.
    pub(crate) fn save_kernel(
        &self,
        py: Python<'_>,
        kept: &KeptKernel,
        code: &StoredKernel,
    ) -> Result<(), String> {
        let stored = Stored {
            artifact: code.to_bytes(),
            ..kept.stored.clone()
        };
        self.write(py, &kept.manifest, &stored)
    }
}

/// The code of an entry, if all that it depends on is as it was.
fn restore(
    py: Python<'_>,
    dispatcher: &Dispatcher,
    (own, args): (&Types, &[Type]),
    placed: bool,
    entry: &IndexEntry,
    data: Data<'_>,
) -> Result<FoundKernel, String> {
    let types = view();
    for ty in args {
        types.hold(*ty);
    }
    let asker = answered(py, &types, dispatcher, args, &entry.manifest)?;
    let stored = data()?;
    if placed {
        let now = asker.positions().map_err(|e| e.to_string())?;
        let moved = now.len() != stored.positions.len()
            || now
                .iter()
                .zip(&stored.positions)
                .any(|(now, then)| (&now.file, now.first) != (&then.file, then.first));
        if moved {
            return Err("its source has moved, and the code says where it stands".to_owned());
        }
    }
    let code = StoredKernel::from_bytes(&stored.artifact).map_err(|e| e.to_string())?;
    Ok(FoundKernel {
        ret: own.parse(&stored.ret).map_err(|e| e.to_string())?,
        entry: stored.entry.clone(),
        code,
        kept: KeptKernel {
            manifest: entry.manifest.clone(),
            stored: Stored {
                artifact: Vec::new(),
                ..stored
            },
        },
    })
}

fn prepare(
    py: Python<'_>,
    dispatcher: &Dispatcher,
    key: Key,
    trace: Trace,
    made: &MadeKernel<'_>,
) -> Result<KeptKernel, Unstable> {
    content::portable_type(&mut Digester::default(), made.types, made.ret)
        .map_err(Unstable::Other)?;
    let (mut asker, _) = Asker::new(py, made.types, dispatcher.id, made.args)?;
    let manifest = trace.manifest(&mut asker)?;
    if !made
        .arrays
        .iter()
        .all(|handle| asker.arrays.contains(handle))
    {
        return Err(Unstable::Other(
            "it has an array that no name leads to".to_owned(),
        ));
    }
    let stored = Stored {
        key: key.0,
        manifest: manifest.digest(),
        generator: Tier::Llvm,
        entry: made.entry.to_owned(),
        ret: made.types.text(made.ret).to_string(),
        positions: positions(&asker)?,
        artifact: Vec::new(),
    };
    Ok(KeptKernel { manifest, stored })
}
