//! `numbra._numbra`: the CPython edge of the compiler.
//!
//! The only crate that knows pyo3. Function bodies convert, call the driver, convert back; everything users see is
//! Python code in `python/numbra` over the functions exported here.

mod buffers;
mod cache;
mod callback;
mod captured;
mod classes;
mod code;
mod compiling;
mod constant_arrays;
mod convert;
mod cuda;
mod dispatcher;
mod entry;
mod enums;
mod errors;
mod generators;
mod heap_type;
mod helper_functions;
mod host;
mod interpret;
mod interrupt;
mod kernels;
mod layout;
mod lazy;
mod lists;
mod llvm;
mod made;
mod numpy;
mod object_mode;
mod objects;
mod options;
mod overload;
mod parallel;
mod polynomials;
mod python;
mod random;
mod recorded;
mod refused;
mod resolved;
mod room;
mod session;
mod symbols;
mod typeof_;
mod types;
mod ufunc;
mod ufunc_parallel;

use numbra_lir::artifact::CpuLevel;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Memory is held back for what cannot go on without: see `numbra_memory`.
#[global_allocator]
static ALLOCATOR: numbra_memory::Reserve = numbra_memory::Reserve;

/// Counts of live and total native allocations: (allocated, freed).
#[pyfunction]
fn _allocation_counts() -> (u64, u64) {
    numbra_runtime::allocation_counts()
}

/// True if the function library has a row of this qualified name.
#[pyfunction]
fn _is_library_function(name: &str) -> bool {
    session::session().library.lookup(name).is_some()
}

/// The universal functions of the library: qualified name, and its loops in NumPy's letters.
#[pyfunction]
fn _ufunc_loops() -> Vec<(&'static str, Vec<&'static str>)> {
    session::session().ufunc_loops()
}

/// JSON form of a code object, as `_codeobject.export` writes it.
#[pyfunction]
fn _export_code(code: &Bound<'_, PyAny>) -> PyResult<String> {
    let code = code::code_object(code)?;
    serde_json::to_string(&code).map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))
}

/// The page about a diagnostic code.
#[pyfunction]
fn _explain(code: &str) -> PyResult<&'static str> {
    numbra_driver::explain(code).map_err(pyo3::exceptions::PyValueError::new_err)
}

/// What reports of bugs should say: the processor's level, Cranelift's version, and where LLVM's library is looked for.
#[pyfunction]
fn _facts() -> (String, &'static str, Option<std::path::PathBuf>) {
    let level = CpuLevel::host().name().to_owned();
    (level, numbra_lower::cranelift::VERSION, llvm::path().ok())
}

/// Runs the `numbra` command with these arguments and returns its exit status.
#[pyfunction]
fn _command(py: Python<'_>, args: Vec<String>) -> i32 {
    py.detach(|| numbra_driver::command::run(&args, Some(llvm::load)))
}

/// Writes to `sys.stdout`, as it is now, text in UTF-8 with lone surrogates as they are.
fn write_stdout(py: Python<'_>, text: &[u8]) -> PyResult<()> {
    // Where memory is short an exception is raised: a panic would lose the text.
    let stdout = py
        .import(intern!(py, "sys"))?
        .getattr(intern!(py, "stdout"))?;
    if stdout.is_none() {
        return Ok(());
    }
    let (data, len) = (text.as_ptr().cast(), text.len() as ffi::Py_ssize_t);
    // SAFETY: so many bytes are there, the name of the rule ends in NUL, and this thread is attached.
    let text = unsafe { ffi::PyUnicode_DecodeUTF8(data, len, c"surrogatepass".as_ptr()) };
    // SAFETY: a new reference, or null with an exception set.
    let text = unsafe { Bound::from_owned_ptr_or_err(py, text) }?;
    stdout
        .call_method1(intern!(py, "write"), (text,))
        .map(|_| ())
}

/// Writes what compiled code prints; false when that raised and the exception is kept. Else it is reported.
fn print(text: &[u8], keep: bool) -> bool {
    let done = python::enter(|py| match write_stdout(py, text) {
        Ok(()) => None,
        Err(error) if keep => Some(error.into_value(py).into_any()),
        Err(error) => {
            error.write_unraisable(py, None);
            None
        }
    });
    match done {
        Some(exception) => {
            convert::keep_exception(exception);
            false
        }
        None => true,
    }
}

/// Writes a text to `sys.stdout` with a newline at its end.
fn print_line(py: Python<'_>, text: &str) {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    for text in [text, end] {
        if let Err(error) = write_stdout(py, text.as_bytes()) {
            error.write_unraisable(py, None);
        }
    }
}

// Nothing here is made for threads that run Python at once.
#[pymodule(gil_used = true)]
fn _numbra(m: &Bound<'_, PyModule>) -> PyResult<()> {
    // A panic must not get into the compiled code that prints: pyo3's, where there is no memory for a small object.
    numbra_runtime::set_print_hook(Some(|text, keep| {
        convert::guarded(true, || print(text, keep))
    }));
    numbra_runtime::set_object_hooks(objects::retain, objects::release, objects::code);
    numbra_runtime::set_print_value_hook(Some(convert::text_of_value));
    numbra_runtime::set_hash_of_bytes(convert::hash_of_bytes);
    numbra_runtime::set_keep_value_hook(Some(convert::keep_value));
    numbra_runtime::set_kept_hooks(convert::take_kept, convert::put_kept);
    numbra_runtime::set_parallel_hooks(parallel::give_up_gil, parallel::take_gil);
    numbra_runtime::set_object_block_hook(Some(object_mode::run));
    interrupt::install();
    m.add("Dispatcher", dispatcher::make_type(m.py())?)?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("STAGES", PyTuple::new(m.py(), numbra_driver::STAGES)?)?;
    m.add("CPU_NAMES", PyTuple::new(m.py(), CpuLevel::names())?)?;
    macro_rules! functions {
        ($($path:path),* $(,)?) => { $(m.add_function(wrap_pyfunction!($path, m)?)?;)* };
    }
    m.add("TypedDict", types::make_class::<types::TypedDict>(m.py())?)?;
    m.add("TypedList", types::make_class::<types::TypedList>(m.py())?)?;
    m.add_class::<types::TypedSet>()?;
    m.add_class::<types::Instance>()?;
    m.add("Field", types::make_field_type(m.py())?)?;
    m.add("Method", types::make_method_type(m.py())?)?;
    random::add_functions(m)?;
    parallel::add_functions(m)?;
    kernels::add_to(m)?;
    cuda::add_module(m)?;
    functions!(
        dispatcher::methods::_enable_vectorcall,
        dispatcher::methods::_compile,
        dispatcher::methods::_disable_compile,
        dispatcher::methods::_fix_signatures,
        dispatcher::methods::_can_compile,
        resolved::_share_names,
        types::_typed_list_methods,
        dispatcher::methods::_signatures,
        dispatcher::methods::_reset,
        dispatcher::methods::_py_func,
        dispatcher::methods::_inspect,
        dispatcher::methods::_loop_remarks,
        dispatcher::methods::_timings,
        dispatcher::methods::_tier,
        dispatcher::_wait_for_promotions,
        dispatcher::_set_promote_after,
        dispatcher::_code_bytes,
        interpret::_interpret,
        types::_type_intern,
        types::_type_name,
        types::_type_kinds,
        types::_type_count,
        types::_typeof,
        types::_named_tuple,
        types::_type_extension,
        types::_set_constructor,
        types::_call_constructor,
        types::_new_object,
        types::_dispatcher_type,
        typeof_::_set_typeof_hook,
        refused::_refusal,
        overload::_overload_function,
        recorded::_register_code,
        recorded::_leaves,
        recorded::_add_symbol,
        recorded::_symbol_address,
        overload::_overload_member,
        overload::_register_jitable,
        dispatcher::methods::_dispatcher_object,
        types::_can_convert,
        types::_is_stored_as,
        types::_unify,
        types::_unliteral,
        cache::_enable_cache,
        cache::_flush_cache,
        cache::_cache_events,
        cache::_cache_entries,
        cache::_carry_cache,
        cache::_has_dynamic_globals,
        callback::_entry_point,
        callback::_callback_refusal,
        dispatcher::value::_value_signatures,
        dispatcher::value::_function_address,
        ufunc::_make_ufunc,
        ufunc::_set_ufunc_class,
        _is_library_function,
        _ufunc_loops,
        _allocation_counts,
        _export_code,
        _command,
        _explain,
        _facts,
    );
    Ok(())
}
