//! Rewrites golden text: filetests read `NUMBRA_BLESS`, inline snapshots `UPDATE_EXPECT`.

use std::ffi::OsStr;
use std::process::Command;

use crate::source_tree::root;

/// Runs `cargo test` with both variables set; `args` go on to it (`-p numbra-ir`). The prelude comes first, as other
/// tests, and all that is compiled, read its IR.
///
/// # Errors
/// When the tests fail even so.
pub(crate) fn run(args: Vec<String>) -> Result<(), String> {
    test(&["-p", "numbra-library", "--test", "prelude"])?;
    if args.is_empty() {
        // The extension module has no test binary: it needs the interpreter's symbols.
        test(&["--workspace", "--exclude", "numbra-py"])
    } else {
        test(&args)
    }
}

fn test(args: &[impl AsRef<OsStr>]) -> Result<(), String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let status = cargo
        .args(["test", "--release"])
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
