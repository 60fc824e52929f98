//! Fixtures: code objects made by real interpreters.
#![allow(dead_code, reason = "each test file uses a part")]

use numbra_base::FileId;
use numbra_bytecode::{CodeObject, Dfg, Version};
use std::path::{Path, PathBuf};

pub fn fixture_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

pub fn versions() -> impl Iterator<Item = Version> {
    Version::ALL.into_iter()
}

/// Names of all fixtures, sorted.
pub fn fixture_names() -> Vec<String> {
    let entries = std::fs::read_dir(fixture_dir().join("3.11")).expect("fixtures are committed");
    let mut names: Vec<String> = entries
        .filter_map(|e| {
            Some(
                e.ok()?
                    .file_name()
                    .to_str()?
                    .strip_suffix(".json")?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    assert!(names.len() > 100, "fixtures are missing");
    names
}

pub fn fixture(version: Version, name: &str) -> CodeObject {
    let path = fixture_dir()
        .join(version.name())
        .join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The graph's text, or the error.
pub fn dfg_text(version: Version, name: &str) -> String {
    match Dfg::of_code(&fixture(version, name), FileId(1)) {
        Ok(dfg) => dfg.to_text(),
        Err(error) => format!("error: {error}\n"),
    }
}

/// Compares with a golden file; `BLESS=1` rewrites it.
pub fn golden(path: &Path, actual: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("golden files are in a folder"))
            .expect("golden folder");
        std::fs::write(path, actual).expect("golden file");
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} differs (BLESS=1 rewrites it); now:\n{actual}",
        path.display()
    );
}
