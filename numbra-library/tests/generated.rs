//! `docs/supported.md` and the stub files are what the rows say. `NUMBRA_BLESS=1` writes them anew.

use numbra_library::{Library, render_stubs, render_supported};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn blesses() -> bool {
    std::env::var_os("NUMBRA_BLESS").is_some()
}

#[test]
fn the_page_of_supported_functions_is_current() {
    let page = root().join("docs/supported.md");
    let text = render_supported(Library::standard());
    if blesses() {
        std::fs::write(&page, &text).expect("docs/ can be written");
    }
    let found = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(
        found == text,
        "docs/supported.md is stale: run `cargo xtask bless`"
    );
}

#[test]
fn the_stub_files_are_current() {
    let folder = root().join("numbra-py/python/numbra/stubs");
    let want = render_stubs(Library::standard());
    if blesses() {
        let _ = std::fs::remove_dir_all(&folder);
        for (path, text) in &want {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("a folder of stubs");
            std::fs::write(path, text).expect("a stub file");
        }
    }
    let mut found = BTreeMap::new();
    read(&folder, &folder, &mut found);
    assert!(
        found == want,
        "numbra-py/python/numbra/stubs is stale: run `cargo xtask bless`"
    );
}

fn read(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(root, &path, found);
        } else if let (Ok(name), Ok(text)) =
            (path.strip_prefix(root), std::fs::read_to_string(&path))
        {
            found.insert(name.to_string_lossy().replace('\\', "/"), text);
        }
    }
}
