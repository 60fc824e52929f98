//! Code that only stands in for code, and tests that do not run.

use crate::source_tree::SourceTree;
use crate::tidy::Findings;

/// Looks for the macros and attributes in Rust code, this crate's own excepted.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let marks = ["todo!(", "unimplemented!(", "dbg!(", "#[ignore"];
    let mut found = Findings::default();
    for file in tree.with_extension("rs").filter(|f| f.top() != "xtask") {
        for (number, line) in file.text.lines().enumerate() {
            if let Some(mark) = marks.iter().find(|mark| line.contains(**mark)) {
                found
                    .errors
                    .push(format!("{}:{}: {mark}", file.path, number + 1));
            }
        }
    }
    Ok(found)
}
