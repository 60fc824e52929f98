//! The checks that no compiler makes: one table, each check a function from the tree to findings.

use crate::source_tree::SourceTree;
use crate::{
    allocation, error_codes, file_length, function_names, layering, links, unfinished, unsafe_code,
};

/// What one check has to say.
#[derive(Default)]
pub(crate) struct Findings {
    /// Breaches; any of them fails the command.
    pub(crate) errors: Vec<String>,
    /// Worth a look, never a failure.
    pub(crate) notes: Vec<String>,
}

/// A named check of the whole tree.
pub(crate) type Check = (&'static str, fn(&SourceTree) -> Result<Findings, String>);

/// Every check, in the order they are printed.
pub(crate) const ALL: &[Check] = &[
    ("layering", layering::check),
    ("unsafe code", unsafe_code::check),
    ("allocation", allocation::check),
    ("unfinished code", unfinished::check),
    ("function names", function_names::check),
    ("file length", file_length::check),
    ("diagnostic codes", error_codes::check),
    ("links", links::check),
];

/// The checks that read documentation.
pub(crate) const DOCS: &[Check] = &[
    ("diagnostic codes", error_codes::check),
    ("links", links::check),
];

/// Runs the checks and prints their findings.
///
/// # Errors
/// The number of breaches, when there is one.
pub(crate) fn run(checks: &[Check]) -> Result<(), String> {
    let tree = SourceTree::read()?;
    let mut breaches = 0;
    for (name, check) in checks {
        let found = check(&tree)?;
        let verdict = if found.errors.is_empty() {
            "ok"
        } else {
            "FAILED"
        };
        println!("tidy: {name}: {verdict}");
        for note in &found.notes {
            println!("  note: {note}");
        }
        for error in &found.errors {
            println!("  {error}");
        }
        breaches += found.errors.len();
    }
    if breaches == 0 {
        Ok(())
    } else {
        Err(format!("tidy: {breaches} breach(es)"))
    }
}
