//! Modules, kernels, linking and occupancy.
#![allow(non_snake_case, reason = "the driver's own names")]

use numbra_cuda::{self as cuda, Function, Input, InputKind, JitOptions, Module};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::errors::{add, attached, detached, module_error, ready};

pub(super) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(
        m,
        cuModuleLoadDataEx,
        cuModuleUnload,
        cuModuleGetFunction,
        cuModuleGetGlobal,
        cuFuncGetAttribute,
        cuFuncSetAttribute,
        cuFuncSetCacheConfig,
        cuOccupancyMaxActiveBlocksPerMultiprocessor,
        cuOccupancyMaxPotentialBlockSize,
        link,
    );
    Ok(())
}

/// Loads code into the current context: the module's address and the compiler's log.
#[pyfunction]
#[pyo3(signature = (image, *, max_registers = None, opt_level = 4, debug = false, lineinfo = false, verbose = false, log_size = 1024))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn cuModuleLoadDataEx(
    py: Python<'_>,
    image: &[u8],
    max_registers: Option<u32>,
    opt_level: u32,
    debug: bool,
    lineinfo: bool,
    verbose: bool,
    log_size: usize,
) -> PyResult<(usize, String)> {
    let options = JitOptions {
        max_registers,
        opt_level,
        debug,
        line_info: lineinfo,
        verbose,
        log_size,
    };
    ready(py)?;
    let loaded = py
        .detach(|| cuda::load_module(image, &options))
        .map_err(|error| module_error(py, error))?;
    Ok((loaded.module.0, loaded.info_log))
}

/// Links pieces `(kind, data, name)`, with kinds "ptx", "cubin", "fatbin", "object" and "library", for the current
/// device: the cubin and the linker's log.
#[pyfunction]
#[pyo3(signature = (pieces, *, max_registers = None, opt_level = 4, debug = false, lineinfo = false, verbose = false, log_size = 1024))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn link(
    py: Python<'_>,
    pieces: Vec<(String, Vec<u8>, String)>,
    max_registers: Option<u32>,
    opt_level: u32,
    debug: bool,
    lineinfo: bool,
    verbose: bool,
    log_size: usize,
) -> PyResult<(Py<PyBytes>, String)> {
    let options = JitOptions {
        max_registers,
        opt_level,
        debug,
        line_info: lineinfo,
        verbose,
        log_size,
    };
    let inputs = pieces.iter().map(input).collect::<PyResult<Vec<_>>>()?;
    ready(py)?;
    let (image, log) = py
        .detach(|| cuda::link(&inputs, &options))
        .map_err(|error| module_error(py, error))?;
    Ok((PyBytes::new(py, &image).unbind(), log))
}

fn input((kind, data, name): &(String, Vec<u8>, String)) -> PyResult<Input<'_>> {
    let kind = match kind.as_str() {
        "ptx" => InputKind::Ptx,
        "cubin" => InputKind::Cubin,
        "fatbin" => InputKind::Fatbin,
        "object" => InputKind::Object,
        "library" => InputKind::Library,
        _ => {
            return Err(PyValueError::new_err(format!(
                "the driver links no {kind:?}"
            )));
        }
    };
    Ok(Input { kind, data, name })
}

/// Unloads a module.
#[pyfunction]
fn cuModuleUnload(py: Python<'_>, module: usize) -> PyResult<()> {
    // SAFETY: called once, when the module's object is gone and its epoch runs.
    detached(py, || unsafe { cuda::unload_module(Module(module)) })
}

/// The kernel of a name.
#[pyfunction]
fn cuModuleGetFunction(py: Python<'_>, module: usize, name: &str) -> PyResult<usize> {
    // SAFETY: `Module` in Python gives its address only while its epoch runs.
    Ok(attached(py, || unsafe { cuda::function(Module(module), name) })?.0)
}

/// Address and size of a global variable.
#[pyfunction]
fn cuModuleGetGlobal(py: Python<'_>, module: usize, name: &str) -> PyResult<(u64, usize)> {
    // SAFETY: as above.
    attached(py, || unsafe { cuda::global(Module(module), name) })
}

/// A kernel's attribute, by its number.
#[pyfunction]
fn cuFuncGetAttribute(py: Python<'_>, attribute: i32, function: usize) -> PyResult<i32> {
    // SAFETY: functions are reached through their modules, see above.
    attached(py, || unsafe {
        cuda::function_attribute(Function(function), attribute)
    })
}

/// Sets a kernel's attribute.
#[pyfunction]
fn cuFuncSetAttribute(py: Python<'_>, function: usize, attribute: i32, value: i32) -> PyResult<()> {
    // SAFETY: as above.
    attached(py, || unsafe {
        cuda::set_function_attribute(Function(function), attribute, value)
    })
}

/// Says what the memory that the L1 cache and shared memory divide shall rather be.
#[pyfunction]
fn cuFuncSetCacheConfig(py: Python<'_>, function: usize, preference: i32) -> PyResult<()> {
    // SAFETY: as above.
    attached(py, || unsafe {
        cuda::set_cache_config(Function(function), preference)
    })
}

/// How many blocks one multiprocessor holds.
#[pyfunction]
#[pyo3(signature = (function, block_size, shared_bytes, flags = 0))]
fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    py: Python<'_>,
    function: usize,
    block_size: i32,
    shared_bytes: usize,
    flags: u32,
) -> PyResult<i32> {
    // SAFETY: as above.
    attached(py, || unsafe {
        cuda::active_blocks_per_multiprocessor(Function(function), block_size, shared_bytes, flags)
    })
}

/// Sizes of grid and block that fill the device.
#[pyfunction]
#[pyo3(signature = (function, shared_bytes, block_size_limit, flags = 0))]
fn cuOccupancyMaxPotentialBlockSize(
    py: Python<'_>,
    function: usize,
    shared_bytes: usize,
    block_size_limit: i32,
    flags: u32,
) -> PyResult<(i32, i32)> {
    // SAFETY: as above.
    attached(py, || unsafe {
        cuda::max_potential_block_size(Function(function), shared_bytes, block_size_limit, flags)
    })
}
