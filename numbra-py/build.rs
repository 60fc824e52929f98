//! Passes the interpreter's version to `cfg`: `Py_3_12` and the like, as pyo3 names them; and says in `NUMBRA_BUILD` which
//! compiler this is: a digest of its sources, by which the cache of compiled code knows its own.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What decides which machine code comes out. The second generator is a library of its own.
const SOURCES: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "numbra-abi",
    "numbra-base",
    "numbra-bytecode",
    "numbra-driver",
    "numbra-ir",
    "numbra-library",
    "numbra-linalg",
    "numbra-lir",
    "numbra-lower",
    "numbra-math",
    "numbra-opt",
    "numbra-py",
    "numbra-runtime",
    "numbra-typeinfer",
];

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = root.parent().expect("the crate is in the workspace");
    let mut files = BTreeSet::new();
    for source in SOURCES {
        collect(&root.join(source), &mut files);
    }
    let mut hasher = DefaultHasher::new();
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        file.strip_prefix(root).unwrap_or(file).hash(&mut hasher);
        fs::read(file).unwrap_or_default().hash(&mut hasher);
    }
    for name in [
        "PROFILE",
        "OPT_LEVEL",
        "TARGET",
        "RUSTC",
        "CARGO_ENCODED_RUSTFLAGS",
    ] {
        env::var(name).unwrap_or_default().hash(&mut hasher);
    }
    println!("cargo::rustc-env=NUMBRA_BUILD={:016x}", hasher.finish());
}

/// The files under a place that are compiled: manifests, sources, and what sources include.
fn collect(path: &Path, files: &mut BTreeSet<PathBuf>) {
    if path.is_file() {
        files.insert(path.to_owned());
        return;
    }
    for part in ["Cargo.toml", "build.rs", "src", "prelude"] {
        walk(&path.join(part), files);
    }
}

fn walk(path: &Path, files: &mut BTreeSet<PathBuf>) {
    match fs::read_dir(path) {
        Ok(listing) => listing
            .flatten()
            .for_each(|entry| walk(&entry.path(), files)),
        Err(_) if path.is_file() => {
            files.insert(path.to_owned());
        }
        Err(_) => {}
    }
}
