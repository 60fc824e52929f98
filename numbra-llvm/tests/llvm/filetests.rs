//! Every filetest of LIR on machine code of LLVM, at each CPU level that this machine has.

use numbra_lir::Module;
use numbra_lir::artifact::CpuLevel;
use numbra_lir::interp::{Executor, InterpreterExecutor, RunError};
use numbra_llvm::{Error, OptLevel, Target, compile};
use numbra_lower::jit::CodeExecutor;
use numbra_testing::filetest::{self, check_filetests};
use numbra_testing::golden::files_under;
use numbra_testing::machine_code::{remembering, runtime};
use std::path::{Path, PathBuf};

/// Where files that any executor can run lie.
pub(crate) fn directories() -> impl Iterator<Item = PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/run");
    filetest::directories().into_iter().chain([own])
}

/// Names and texts of the `.lir` files of a folder and the folders in it, sorted.
pub(crate) fn files(directory: &Path) -> Vec<(String, String)> {
    files_under(directory, "lir")
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(directory).expect("it lies there");
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            (name.display().to_string(), text)
        })
        .collect()
}

fn check(level: OptLevel, cpu: CpuLevel) {
    let target = Target::level(cpu);
    let generate = remembering(|module: &Module| {
        compile(module, &target, level).map_err(|error| match error {
            Error::Unsupported(what) => RunError::Unsupported(what),
            Error::Llvm(_) => RunError::Failed(error.to_string()),
        })
    });
    let executor = CodeExecutor {
        name: "llvm",
        generate: &generate,
        runtime: runtime(),
    };
    let interpreter = InterpreterExecutor::default();
    for directory in directories() {
        // The interpreter needs to agree with what the files expect once.
        let executors: [&dyn Executor; 2] = [&executor, &interpreter];
        let count = if level == OptLevel::O0 { 2 } else { 1 };
        check_filetests(&directory, &executors[..count], &format!("{cpu} {level:?}"));
    }
}

#[test]
fn filetests_at_every_cpu_level() {
    for cpu in CpuLevel::ALL {
        if cpu <= CpuLevel::host() {
            check(OptLevel::O3, cpu);
        }
    }
}

#[test]
fn filetests_unoptimised() {
    check(OptLevel::O0, CpuLevel::host());
}
