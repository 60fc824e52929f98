//! Filetests: LIR in `.lir` files with what is expected of it.
//!
//! The first line is `test <kind>`:
//! - `test run`: lines `; run: ...` call functions on every executor, as written (after `place_refs` alone) and after the
//!   default pipeline:
//!   `; run: f(3, 2.5) == 7.5`, `== (1, 2)` for several results, `raises builtins.ValueError(3)`, `traps "null"` (the
//!   interpreter only). Arguments are written at the parameter's type; `[1, 2]: i64` is a buffer, `object [1, 2]: i64`
//!   a heap object, both with such elements. `buffers [1, 3]: i64` after the expectation says what buffers hold then.
//!   No object may leak.
//! - `test verifier`, `test verifier placed`: a line that breaks a rule ends in `; error: rule` or `; error: message`.
//! - `test parse`: as `test verifier`, for errors of the parser.
//! - `test pipeline`, or the name of a pass: the output is what stands behind the line `---- expected`.
//!
//! Every file that parses is also printed in lossless form and read back, and dumped to JSON and back.

mod golden;
mod run_line;
mod runner;

pub use run_line::{Expected, RunLine};
pub use runner::{Report, check_built, run_directory, run_text};

use numbra_lir::interp::Executor;
use std::path::{Path, PathBuf};

/// Where the filetests lie that every executor runs: those of LIR itself and those of its passes.
pub fn directories() -> [PathBuf; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["lir", "opt"].map(|krate| root.join(format!("../numbra-{krate}/tests/filetests")))
}

/// Runs every filetest of a folder on the executors; `what` says which code this is.
///
/// # Panics
/// When a file does not do what it says, or the folder cannot be read.
pub fn check_filetests(directory: &Path, executors: &[&dyn Executor], what: &str) {
    let report = run_directory(directory, executors).expect("the directory can be read");
    println!("{} files, {} runs", report.files, report.runs);
    println!("skipped: {:#?}", report.skipped);
    assert!(
        report.failures.is_empty(),
        "{what}:\n{}",
        report.failures.join("\n\n")
    );
}
