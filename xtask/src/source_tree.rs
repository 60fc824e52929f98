//! The files of the repository, as git lists them (tracked, or new and not ignored).

use std::path::{Path, PathBuf};
use std::process::Command;

/// One text file.
pub(crate) struct SourceFile {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every text file of the repository, sorted by path.
pub(crate) struct SourceTree {
    pub(crate) root: PathBuf,
    pub(crate) files: Vec<SourceFile>,
}

impl SourceTree {
    /// Reads the tree that this program was built from.
    ///
    /// # Errors
    /// When git cannot list it.
    pub(crate) fn read() -> Result<SourceTree, String> {
        let root = root();
        let listed = Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(&root)
            .output()
            .map_err(|e| format!("git ls-files: {e}"))?;
        if !listed.status.success() {
            return Err(String::from_utf8_lossy(&listed.stderr).into_owned());
        }
        let mut files: Vec<SourceFile> = String::from_utf8_lossy(&listed.stdout)
            .split('\0')
            .filter(|path| !path.is_empty())
            // A file that is listed but gone, or that is not text, has nothing to check.
            .filter_map(|path| {
                let text = std::fs::read_to_string(root.join(path)).ok()?;
                Some(SourceFile {
                    path: path.to_owned(),
                    text,
                })
            })
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(SourceTree { root, files })
    }

    /// Files whose name ends in `.ext`.
    pub(crate) fn with_extension<'a>(
        &'a self,
        ext: &'static str,
    ) -> impl Iterator<Item = &'a SourceFile> {
        self.files.iter().filter(move |f| {
            f.path
                .strip_suffix(ext)
                .is_some_and(|stem| stem.ends_with('.'))
        })
    }
}

impl SourceFile {
    /// The top-level folder the file lies in.
    pub(crate) fn top(&self) -> &str {
        self.path.split_once('/').map_or("", |(top, _)| top)
    }

    /// True for Rust code that ships: neither a test file nor build tooling.
    pub(crate) fn is_shipped_rust(&self) -> bool {
        self.path.starts_with("numbra-")
            && self.path.contains("/src/")
            && self.path.ends_with(".rs")
            && !self.path.ends_with("/tests.rs")
            && !self.path.contains("/tests/")
    }
}

/// The root of the workspace: the folder above this crate.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
