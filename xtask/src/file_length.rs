//! Long files, listed so that somebody looks for the seam. Tables may be long.

use crate::source_tree::SourceTree;
use crate::tidy::Findings;

/// Lines past which a file is worth a look.
const LONG: usize = 800;

/// Lists the long Rust and Python files, longest first.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let mut long: Vec<(usize, &str)> = tree
        .with_extension("rs")
        .chain(tree.with_extension("py"))
        .map(|f| (f.text.lines().count(), f.path.as_str()))
        .filter(|(lines, _)| *lines > LONG)
        .collect();
    long.sort_by(|a, b| b.cmp(a));
    let notes = long
        .iter()
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    Ok(Findings {
        errors: Vec::new(),
        notes,
    })
}
