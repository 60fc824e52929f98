//! Machine code in tests: it calls the runtime of this process.

use numbra_lir::Module;
use numbra_lir::artifact::Artifact;
use numbra_lir::interp::RunError;
use numbra_lower::jit::RuntimeEdge;
use std::cell::RefCell;
use std::collections::VecDeque;

/// Has this thread's parallel loops run in chunks of so many iterations, in up to three threads, however short they are.
pub fn chunks_of(iterations: u64) {
    numbra_runtime::set_max_threads(3);
    numbra_runtime::set_chunksize(iterations);
}

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

/// The generator, which makes the code of a module once: each line of a filetest runs its module again.
pub fn remembering(
    generate: impl Fn(&Module) -> Result<Artifact, RunError>,
) -> impl Fn(&Module) -> Result<Artifact, RunError> {
    /// Modules of one file, and then some.
    const MOST: usize = 32;
    let recent: RefCell<VecDeque<(Module, Result<Artifact, RunError>)>> = RefCell::default();
    move |module| {
        let mut recent = recent.borrow_mut();
        if let Some((_, made)) = recent.iter().find(|(known, _)| known == module) {
            return made.clone();
        }
        let made = generate(module);
        recent.push_front((module.clone(), made.clone()));
        recent.truncate(MOST);
        made
    }
}
