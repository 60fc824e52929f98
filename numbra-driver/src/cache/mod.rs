//! The cache of compiled code on disk: what an entry is, and the files that hold entries. No Python.
//!
//! An entry is *found* by a [`Digest`] of everything that is known before compiling (code object, argument types, options,
//! processor, build) and *holds* if every question that the compiler asked of the world outside is answered now as it was
//! answered then: that is its [`Manifest`]. Questions are data; whoever can ask them (numbra-py) does.
//!
//! A function has one index file, with the manifests of its entries, and one data file for each entry, with the artifact, or
//! with the code for a GPU.
//! Both are versioned and checksummed, written beside their place and renamed, and never pickle. What cannot be read is not
//! there; nor is what somebody else may have made: a link, and what another user owns or may write to.

mod damage;
mod digest;
mod index;
mod kernel;
mod manifest;
mod store;
mod stored;

pub use damage::Damage;
pub use digest::{Digest, Digester};
pub use index::{Index, IndexEntry};
pub use kernel::{StoredKernel, StoredRaise};
pub use manifest::{Manifest, OverloadTarget, Question};
pub use store::{Refusal, Store, Unread};
pub use stored::{Position, Stored};
