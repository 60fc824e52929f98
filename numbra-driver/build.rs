//! Makes the table of diagnostic codes and their pages (`docs/errors`) for `numbra explain`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let folder = root.join("../docs/errors");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut pages: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("docs/errors is part of the sources")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "md"))
        .collect();
    pages.sort();
    let mut table = String::from("&[\n");
    for page in &pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let code = page.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(
            table,
            "({code:?}, include_str!({:?})),",
            page.display().to_string()
        )
        .expect("a string takes all");
    }
    table.push(']');
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("error_pages.rs"), table).expect("OUT_DIR can be written");
}
