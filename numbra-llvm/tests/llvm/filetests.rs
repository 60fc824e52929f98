//! Every filetest of LIR on machine code of LLVM, at each CPU level that this machine has.

use numbra_llvm::{Error, OptLevel, Target, compile};
use numbra_lower::artifact::{Artifact, CpuLevel};
use numbra_lower::filetest::run_directory;
use numbra_lower::interp::{Executor, InterpreterExecutor, RunError};
use numbra_lower::jit::{CodeExecutor, RuntimeEdge};
use numbra_lower::lir::Module;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Where files that any executor can run lie.
pub(crate) fn directories() -> [PathBuf; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    [
        root.join("../numbra-lower/tests/filetests"),
        root.join("tests/filetests/run"),
    ]
}

/// Names and texts of the `.lir` files of a folder and the folders in it, sorted.
pub(crate) fn files(directory: &Path) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "lir") {
                let name = path.strip_prefix(directory).expect("it lies there");
                let text = std::fs::read_to_string(&path).expect("the file can be read");
                out.push((name.display().to_string(), text));
            }
        }
    }
    out.sort();
    out
}

fn runtime() -> RuntimeEdge<'static> {
    RuntimeEdge {
        symbols: &numbra_runtime::symbol,
        take_error: &|| {
            let error = numbra_runtime::take_error()?;
            Some((error.description().to_vec(), error.args().to_vec()))
        },
        live_objects: &numbra_runtime::live_objects,
    }
}

fn check(level: OptLevel, cpu: CpuLevel) {
    let target = Target::level(cpu);
    // Each line of a file runs its module again.
    let recent: RefCell<VecDeque<(Module, Result<Artifact, RunError>)>> = RefCell::default();
    let generate = |module: &Module| {
        let mut recent = recent.borrow_mut();
        if let Some((_, made)) = recent.iter().find(|(m, _)| m == module) {
            return made.clone();
        }
        let made = compile(module, &target, level).map_err(|error| match error {
            Error::Unsupported(what) => RunError::Unsupported(what),
            Error::Llvm(_) => RunError::Failed(error.to_string()),
        });
        recent.push_front((module.clone(), made.clone()));
        recent.truncate(32);
        made
    };
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
        let report =
            run_directory(&directory, &executors[..count]).expect("the directory can be read");
        println!("{} files, {} runs", report.files, report.runs);
        println!("skipped: {:#?}", report.skipped);
        assert!(
            report.failures.is_empty(),
            "{cpu} {level:?}:\n{}",
            report.failures.join("\n\n")
        );
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
