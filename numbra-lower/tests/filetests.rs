//! Runs every filetest on the interpreter.

use numbra_lower::filetest::run_directory;
use numbra_lower::interp::InterpreterExecutor;
use std::path::Path;

#[test]
fn filetests() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let interpreter = InterpreterExecutor::default();
    let report = run_directory(&directory, &[&interpreter]).expect("the directory can be read");
    println!(
        "{} files, {} runs, {} skipped",
        report.files,
        report.runs,
        report.skipped.len()
    );
    assert!(
        report.failures.is_empty(),
        "{}",
        report.failures.join("\n\n")
    );
}
