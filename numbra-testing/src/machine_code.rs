//! Machine code in tests: it calls the runtime of this process, and does what the filetests of LIR say.

use numbra_lower::filetest::run_directory;
use numbra_lower::interp::Executor;
use numbra_lower::jit::RuntimeEdge;
use std::path::Path;

/// The runtime of this process, as compiled code sees it.
pub fn runtime() -> RuntimeEdge<'static> {
    RuntimeEdge {
        symbols: &numbra_runtime::symbol,
        take_error: &|| {
            let error = numbra_runtime::take_error()?;
            Some((error.description().to_vec(), error.args().to_vec()))
        },
        live_objects: &numbra_runtime::live_objects,
    }
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
