//! Machine code in tests: it calls the runtime of this process.

use numbra_lower::jit::RuntimeEdge;

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
