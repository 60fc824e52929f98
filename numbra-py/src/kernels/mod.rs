//! Compiling functions for GPUs.

mod arrays;
mod compile;
mod launch;

use numbra_ir::Type;
use pyo3::prelude::*;

/// Adds the functions and classes of this module.
pub(crate) fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<compile::DeviceCode>()?;
    m.add_class::<launch::LaunchPlan>()?;
    m.add_class::<launch::LaunchShape>()?;
    m.add_function(wrap_pyfunction!(compile::_device_compile, m)?)
}

/// The word by which device arrays remember their type; never 0.
fn code_of(ty: Type) -> u64 {
    u64::from(ty.index()) + 1
}

/// The type behind such a word.
fn type_of(code: u64) -> Type {
    Type::from_index(code.saturating_sub(1) as u32)
}
