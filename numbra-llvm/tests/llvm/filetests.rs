//! Every filetest of LIR on machine code of LLVM, at each CPU level that this machine has.

use numbra_llvm::{Error, OptLevel, Target, compile};
use numbra_lower::artifact::{Artifact, CpuLevel};
use numbra_lower::filetest::run_directory;
use numbra_lower::interp::RunError;
use numbra_lower::jit::{CodeExecutor, RuntimeEdge};
use numbra_lower::lir::Module;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Where the filetests of LIR lie.
pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../numbra-lower/tests/filetests")
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
    let report = run_directory(&directory(), &[&executor]).expect("the directory can be read");
    println!("{} files, {} runs", report.files, report.runs);
    println!("skipped: {:#?}", report.skipped);
    assert!(
        report.failures.is_empty(),
        "{cpu} {level:?}:\n{}",
        report.failures.join("\n\n")
    );
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
