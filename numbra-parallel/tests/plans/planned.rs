//! Plans of the programs that the filetests hold.

use numbra_ir::{InstanceOrigin, TypedProgram, Types, read_program};
use numbra_library::Library;
use numbra_parallel::{FunctionKey, ParallelPlan, plan};
use std::path::{Path, PathBuf};

/// A program and its plan.
pub(crate) struct Planned {
    pub(crate) types: Types,
    pub(crate) library: &'static Library,
    pub(crate) program: TypedProgram,
    pub(crate) plan: ParallelPlan,
}

impl Planned {
    /// Of a typed program, all of whose functions but library bodies are compiled with `parallel=True`.
    pub(crate) fn of(input: &str) -> Result<Planned, String> {
        let (types, library) = (Types::new(), Library::standard());
        let program = read_program(input, &types, library).map_err(|e| e.to_string())?;
        let no_nans = input.lines().any(|line| line == "; options: fastmath");
        let functions = program.functions.iter();
        let users =
            functions.filter(|(_, (origin, _))| !matches!(origin, InstanceOrigin::Prelude(..)));
        let keys: Vec<FunctionKey> = users
            .map(|(instance, _)| FunctionKey { instance, no_nans })
            .collect();
        let plan = plan(&program, &types, library, &keys);
        Ok(Planned {
            types,
            library,
            program,
            plan,
        })
    }
}

/// Where the goldens are.
pub(crate) fn filetests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests")
}
