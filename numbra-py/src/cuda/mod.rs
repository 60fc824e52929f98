//! `numbra._numbra._cuda`: the CUDA driver, for the Python modules under `numbra.cuda.cudadrv`.
//!
//! Functions carry the driver's names, without versions; handles and addresses are whole numbers. Those that may wait
//! for a device release the GIL.

pub(crate) mod array;
mod code;
mod context;
pub(crate) mod dlpack;
mod errors;
mod host_buffer;
mod memory;
pub(crate) mod stream;

use pyo3::prelude::*;

pub(crate) use errors::{driver_error, unless_callbacks_wait};

/// Adds the submodule.
pub(crate) fn add_module(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let cuda = PyModule::new(m.py(), "_cuda")?;
    context::add_functions(&cuda)?;
    memory::add_functions(&cuda)?;
    stream::add_functions(&cuda)?;
    code::add_functions(&cuda)?;
    dlpack::add_functions(&cuda)?;
    array::add_functions(&cuda)?;
    cuda.add_class::<host_buffer::HostBuffer>()?;
    m.add_submodule(&cuda)
}
