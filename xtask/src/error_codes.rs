//! Diagnostic codes (`T002`) and their pages (`docs/errors/T002.md`) go together, both ways.

use std::collections::{BTreeMap, BTreeSet};

use crate::source_tree::SourceTree;
use crate::tidy::Findings;

/// First letters of the codes, one a stage: bytecode, IR, typing, lowering, driver, CUDA.
const STAGES: &[u8] = b"BITLDC";

/// Compares the codes of the sources with the pages.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let mut used: BTreeMap<String, String> = BTreeMap::new();
    for file in tree.files.iter().filter(|f| f.is_shipped_rust()) {
        for (number, line) in file.text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for code in codes(line) {
                used.entry(code)
                    .or_insert_with(|| format!("{}:{}", file.path, number + 1));
            }
        }
    }
    let pages: BTreeSet<&str> = tree
        .with_extension("md")
        .filter_map(|f| f.path.strip_prefix("docs/errors/")?.strip_suffix(".md"))
        .filter(|stem| is_code(stem.as_bytes()))
        .collect();
    let mut found = Findings::default();
    for (code, place) in &used {
        if !pages.contains(code.as_str()) {
            found.errors.push(format!(
                "{code} ({place}): docs/errors/{code}.md is missing"
            ));
        }
    }
    for code in pages.iter().filter(|code| !used.contains_key(**code)) {
        found
            .errors
            .push(format!("docs/errors/{code}.md: no source uses {code}"));
    }
    Ok(found)
}

/// Codes that stand as whole string literals in a line of Rust.
fn codes(line: &str) -> Vec<String> {
    line.as_bytes()
        .windows(6)
        .filter(|w| w[0] == b'"' && w[5] == b'"' && is_code(&w[1..5]))
        .map(|w| String::from_utf8_lossy(&w[1..5]).into_owned())
        .collect()
}

fn is_code(bytes: &[u8]) -> bool {
    bytes.len() == 4 && STAGES.contains(&bytes[0]) && bytes[1..].iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_whole_literals() {
        assert_eq!(
            codes(r#"Diagnostic::new("T002", x, "B1234", "I010")"#),
            ["T002", "I010"]
        );
        assert!(codes("no T002 here").is_empty());
    }
}
