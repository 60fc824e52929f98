//! Compiling functions for GPUs.

mod arrays;
mod compile;

use pyo3::prelude::*;

/// Adds the functions and classes of this module.
pub(crate) fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<compile::DeviceCode>()?;
    m.add_function(wrap_pyfunction!(compile::_device_compile, m)?)
}
