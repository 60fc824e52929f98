//! Filetests whose golden text stands in the file itself. `NUMBRA_BLESS=1` rewrites it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The line between what a file gives and what is expected of it.
pub const SEPARATOR: &str = "---- expected";

/// What a file gives: the lines before the separator.
pub fn input(text: &str) -> &str {
    text.find(SEPARATOR).map_or(text, |end| &text[..end])
}

/// Runs every file with this extension below `root`: `run` gives the text that a file should be.
///
/// # Panics
/// When a file is not as it should be and is not rewritten, when `run` cannot make one, or when fewer than `at_least` are found.
pub fn check(
    root: &Path,
    extension: &str,
    at_least: usize,
    run: impl Fn(&str) -> Result<String, String>,
) {
    let bless = std::env::var_os("NUMBRA_BLESS").is_some();
    let files = files_under(root, extension);
    assert!(
        files.len() >= at_least,
        "only {} filetests found",
        files.len()
    );
    let mut failures = String::new();
    for path in &files {
        let name = path.strip_prefix(root).unwrap_or(path).display();
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{name}: {e}"));
        match run(&text) {
            Ok(actual) if actual == text => {}
            Ok(actual) if bless => {
                std::fs::write(path, actual).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
            Ok(actual) => {
                let _ = writeln!(
                    failures,
                    "==== {name}: expected\n{text}==== found\n{actual}"
                );
            }
            Err(message) => {
                let _ = writeln!(failures, "==== {name}: {message}");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// The files with this extension in a folder and the folders in it, sorted.
pub fn files_under(root: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry
                .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
                .path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
