//! `unsafe` stands only where memory is handed over: each other crate forbids it itself.

use crate::source_tree::SourceTree;
use crate::tidy::Findings;

/// Crates whose root must say `#![forbid(unsafe_code)]`.
const FORBIDDEN: &[&str] = &[
    "numbra-base",
    "numbra-bytecode",
    "numbra-ir",
    "numbra-library",
    "numbra-lir",
    "numbra-opt",
    "numbra-typeinfer",
    "numbra-driver",
    "numbra-fourier",
    "numbra-linalg",
];

/// Looks for the attribute in each crate root.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let mut found = Findings::default();
    for krate in FORBIDDEN {
        let root = format!("{krate}/src/lib.rs");
        let says_so = tree
            .files
            .iter()
            .any(|f| f.path == root && f.text.contains("#![forbid(unsafe_code)]"));
        if !says_so {
            found
                .errors
                .push(format!("{root}: `#![forbid(unsafe_code)]` is missing"));
        }
    }
    Ok(found)
}
