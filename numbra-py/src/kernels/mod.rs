//! Compiling functions for GPUs.

mod arrays;
mod attribute;
pub(crate) mod captured;
mod code;
mod compile;
mod cupy;
mod host;
mod launch;
mod library;

use numbra_ir::Type;
use pyo3::prelude::*;
use std::cell::Cell;

/// Adds the functions and classes of this module.
pub(crate) fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<code::DeviceCode>()?;
    m.add_class::<host::HostCode>()?;
    m.add_class::<launch::LaunchPlan>()?;
    m.add_class::<launch::LaunchShape>()?;
    m.add_function(wrap_pyfunction!(launch::_tensor_class, m)?)?;
    m.add_function(wrap_pyfunction!(library::_libdevice_functions, m)?)?;
    m.add_function(wrap_pyfunction!(compile::_host_kernel_compile, m)?)?;
    m.add_function(wrap_pyfunction!(compile::_device_compile, m)?)
}

thread_local! {
    static FOR_DEVICE: Cell<bool> = const { Cell::new(false) };
}

/// True while this thread compiles for a GPU.
pub(crate) fn for_device() -> bool {
    FOR_DEVICE.get()
}

/// Runs `compile`, in which [`for_device`] holds.
fn targeting_device<R>(compile: impl FnOnce() -> R) -> R {
    let before = FOR_DEVICE.replace(true);
    let made = captured::capturing(compile);
    FOR_DEVICE.set(before);
    made
}

/// The word by which device arrays remember their type; never 0.
fn code_of(ty: Type) -> u64 {
    u64::from(ty.index()) + 1
}
