//! Runs every filetest on the interpreter.

use numbra_lir::interp::InterpreterExecutor;
use numbra_testing::filetest::check_filetests;
use std::path::Path;

#[test]
fn filetests() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let interpreter = InterpreterExecutor::default();
    check_filetests(&directory, &[&interpreter], "interpreter");
}
