//! The driver's errors as Python's, and loading it at the first use.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use numbra_cuda::{DriverError, InitError, ModuleError, Options};
use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Loads and initialises the driver if that was not done, or says why it cannot be had.
#[inline]
pub(crate) fn ready(py: Python<'_>) -> PyResult<()> {
    let options = if numbra_cuda::is_loaded() {
        Options::default()
    } else {
        options(py)?
    };
    numbra_cuda::init(|| options).map_err(|error| support_error(py, error))
}

/// What the settings say about the driver; an error if they say that there shall be none.
fn options(py: Python<'_>) -> PyResult<Options> {
    let config = py.import("numbra.core.config")?;
    if config.getattr("DISABLE_CUDA")?.is_truthy()? {
        return Err(error(py, "CudaSupportError", |class| {
            class.call1((DISABLED,))
        }));
    }
    let library: String = config.getattr("CUDA_DRIVER")?.extract()?;
    let target: String = config.getattr("CUDA_TARGET")?.extract()?;
    Ok(Options {
        host: target == "cpu",
        library: (!library.is_empty()).then(|| PathBuf::from(library)),
        per_thread_default_stream: config
            .getattr("CUDA_PER_THREAD_DEFAULT_STREAM")?
            .is_truthy()?,
    })
}

const DISABLED: &str = "CUDA is disabled due to setting NUMBA_DISABLE_CUDA=1 in the environment, or because CUDA is \
                        unsupported on 32-bit systems.";

fn support_error(py: Python<'_>, init: &InitError) -> PyErr {
    let text = format!("Error at driver init: {init}");
    error(py, "CudaSupportError", |class| class.call1((text,)))
}

/// `CudaAPIError` for a call that failed; `CudaDriverError` in a process forked from one that uses the driver.
#[cold]
pub(crate) fn driver_error(py: Python<'_>, failed: DriverError) -> PyErr {
    if failed.forked {
        return error(py, "CudaDriverError", |class| {
            class.call1(("CUDA initialized before forking",))
        });
    }
    error(py, "CudaAPIError", |class| {
        class.call1((failed.code, failed.to_string()))
    })
}

/// `LinkerError` with the log of the driver's compiler, or as [`driver_error`] where there is none.
#[cold]
pub(crate) fn module_error(py: Python<'_>, failed: ModuleError) -> PyErr {
    if failed.log.is_empty() {
        return driver_error(py, failed.error);
    }
    error(py, "LinkerError", |class| {
        class.call1((failed.to_string(),))
    })
}

/// `DeadMemoryError` for memory that went with a reset of its context.
#[cold]
pub(super) fn dead_memory(py: Python<'_>, pointer: u64) -> PyErr {
    let text = format!("the memory at {pointer:#x} was freed, or went when its context was reset");
    error(py, "DeadMemoryError", |class| class.call1((text,)))
}

fn error<'py>(
    py: Python<'py>,
    class: &str,
    make: impl FnOnce(Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    match PyModule::import(py, "numbra.cuda.cudadrv.error")
        .and_then(|module| make(module.getattr(class)?))
    {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// Runs a call of the driver without the GIL.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    call: impl FnOnce() -> Result<T, DriverError> + Send,
) -> PyResult<T> {
    ready(py)?;
    py.detach(call).map_err(|error| driver_error(py, error))
}

/// Runs a call of the driver that waits for nothing but callbacks of streams.
pub(crate) fn attached<T: Send>(
    py: Python<'_>,
    call: impl FnOnce() -> Result<T, DriverError> + Send,
) -> PyResult<T> {
    ready(py)?;
    unless_callbacks_wait(py, call).map_err(|error| driver_error(py, error))
}

/// Callbacks of streams that have not run to their end.
static CALLBACKS: AtomicUsize = AtomicUsize::new(0);

/// A callback was added (or is to be), or has run.
pub(super) fn count_callback(added: bool) {
    if added {
        CALLBACKS.fetch_add(1, Ordering::AcqRel);
    } else {
        CALLBACKS.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Runs a call of the driver: with the GIL, which is quick, but for when callbacks of streams are to run. They take the
/// GIL, and until they have it, the driver may keep its own lock, or a stream in front of them full.
#[inline]
pub(crate) fn unless_callbacks_wait<T: Send>(py: Python<'_>, call: impl FnOnce() -> T + Send) -> T {
    if CALLBACKS.load(Ordering::Acquire) == 0 {
        call()
    } else {
        py.detach(call)
    }
}

/// Adds functions to a module.
macro_rules! add {
    ($module:expr, $($function:ident),* $(,)?) => {{
        $($module.add_function(pyo3::wrap_pyfunction!($function, $module)?)?;)*
    }};
}
pub(crate) use add;
