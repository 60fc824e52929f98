//! Threads of parallel loops, for Python.

use crate::interrupt::has_gil;
use pyo3::ffi;
use pyo3::prelude::*;

/// Gives the GIL up if this thread has it: bodies of parallel loops may need it in other threads.
pub(crate) fn give_up_gil() -> usize {
    if !has_gil() {
        return 0;
    }
    // SAFETY: this thread holds the GIL.
    unsafe { ffi::PyEval_SaveThread() }.expose_provenance()
}

/// Takes it back.
pub(crate) fn take_gil(token: usize) {
    if token != 0 {
        let state = std::ptr::with_exposed_provenance_mut(token);
        // SAFETY: the thread state that `give_up_gil` detached in this thread.
        unsafe { ffi::PyEval_RestoreThread(state) };
    }
}

/// Threads of this thread's parallel loops.
#[pyfunction]
fn _num_threads() -> usize {
    numbra_runtime::num_threads()
}

/// The largest number of threads.
#[pyfunction]
fn _max_threads() -> usize {
    numbra_runtime::max_threads()
}

/// Changes the largest number of threads.
#[pyfunction]
fn _set_max_threads(n: usize) {
    numbra_runtime::set_max_threads(n);
}

/// Sets the number of threads; false unless there are so many.
#[pyfunction]
fn _set_num_threads(n: i64) -> bool {
    numbra_runtime::set_num_threads(n)
}

/// Which of its loop's threads this one is.
#[pyfunction]
fn _thread_id() -> usize {
    numbra_runtime::thread_id()
}

/// Iterations of a chunk; 0 leaves it to the runtime.
#[pyfunction]
fn _chunksize() -> u64 {
    numbra_runtime::chunksize()
}

/// Sets the iterations of a chunk; the old number.
#[pyfunction]
fn _set_chunksize(n: u64) -> u64 {
    numbra_runtime::set_chunksize(n)
}

/// The processors that this process may use.
#[pyfunction]
fn _available_threads() -> usize {
    numbra_runtime::available_threads()
}

/// Has parallel loops count as started.
#[pyfunction]
fn _start_threads() {
    numbra_runtime::note_start();
}

/// True once a loop has run in parallel in this process.
#[pyfunction]
fn _threads_started() -> bool {
    numbra_runtime::is_started()
}

/// Function, line, what it goes over, why it is serial or `None`, reductions, hazards.
type Loop = (
    String,
    u32,
    &'static str,
    Option<String>,
    Vec<(String, &'static str)>,
    Vec<String>,
);

/// What became of the parallel loops of a compiled signature (by index).
#[pyfunction]
fn _parallel_loops(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<Vec<Loop>> {
    let compiled = crate::dispatcher::made(py, dispatcher, index)?;
    let loops = compiled.made_from().parallel_loops().into_iter();
    let told = loops.map(|one| {
        let hazards = one.hazards.iter().map(ToString::to_string).collect();
        let (line, what) = (one.span.line, one.kind.name());
        (
            one.function,
            line,
            what,
            one.serial,
            one.reductions,
            hazards,
        )
    });
    Ok(told.collect())
}

pub(crate) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! functions {
        ($($path:path),* $(,)?) => { $(m.add_function(wrap_pyfunction!($path, m)?)?;)* };
    }
    functions!(
        _num_threads,
        _max_threads,
        _set_max_threads,
        _set_num_threads,
        _thread_id,
        _chunksize,
        _set_chunksize,
        _available_threads,
        _start_threads,
        _threads_started,
        _parallel_loops,
    );
    Ok(())
}
