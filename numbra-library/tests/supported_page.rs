//! `docs/supported.md` is what the rows say. `NUMBRA_BLESS=1` writes it anew.

use numbra_library::{Library, render_supported};
use std::path::Path;

#[test]
fn the_page_of_supported_functions_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/supported.md");
    let text = render_supported(Library::standard());
    if std::env::var_os("NUMBRA_BLESS").is_some() {
        std::fs::write(&page, &text).expect("docs/ can be written");
    }
    let found = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(
        found == text,
        "docs/supported.md is stale: run `cargo xtask bless`"
    );
}
