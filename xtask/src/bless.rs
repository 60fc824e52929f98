//! Rewrites golden text: filetests read `NUMBRA_BLESS`, inline snapshots `UPDATE_EXPECT`.

use std::process::Command;

use crate::source_tree::root;

/// Runs `cargo test` with both variables set; `args` go on to it (`-p numbra-ir`).
///
/// # Errors
/// When the tests fail even so.
pub(crate) fn run(args: Vec<String>) -> Result<(), String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--release"]);
    if args.is_empty() {
        // The extension module has no test binary: it needs the interpreter's symbols.
        cargo.args(["--workspace", "--exclude", "numbra-py"]);
    }
    let status = cargo
        .args(args)
        .env("NUMBRA_BLESS", "1")
        .env("UPDATE_EXPECT", "1")
        .current_dir(root())
        .status()
        .map_err(|e| format!("cargo test: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("bless: tests fail with new golden text too".into())
    }
}
