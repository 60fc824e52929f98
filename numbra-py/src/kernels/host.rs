//! Kernels that run on the CPU.

use super::code::variable_types;
use crate::captured::Captured;
use crate::convert::raised;
use crate::types::to_python;
use numbra_cuda::{HostFailure, HostFunction, HostLaunch, HostLimits};
use numbra_driver::HostKernel;
use numbra_ir::PrintOptions;
use numbra_lir::text::{Form, print};
use numbra_runtime::{DeviceEntry, DeviceKernel, DeviceLaunch, LaunchError, launch_device};
use pyo3::exceptions::{PyMemoryError, PyRecursionError, PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// Why the last launch of this thread failed.
    static FAILED: RefCell<Option<LaunchError>> = const { RefCell::new(None) };
}

/// Code of a kernel for the CPU.
#[pyclass(frozen, module = "numbra._numbra")]
pub(crate) struct HostCode {
    code: Arc<HostKernel>,
    function: HostFunction,
    /// Device arrays whose addresses are in the code.
    captured: Vec<Py<PyAny>>,
    /// What else it refers to.
    _referred: Captured,
}

impl HostCode {
    /// What threads raise is reported if `reports`; otherwise it ends them, and nothing more.
    pub(super) fn new(
        code: HostKernel,
        params: usize,
        reports: bool,
        captured: Vec<Py<PyAny>>,
        referred: Captured,
    ) -> HostCode {
        let code = Arc::new(code);
        let needs = code.needs;
        let limits = HostLimits {
            shared: needs.shared,
            constant: u32::try_from(needs.constant).unwrap_or(u32::MAX),
            local: u32::try_from(needs.local).unwrap_or(u32::MAX),
            params,
        };
        let entry = entry_of(code.loaded.address(&code.stages.entry));
        let owner = Arc::clone(&code);
        let long = AtomicBool::new(false);
        let run = move |launch: &HostLaunch<'_>| {
            // The code lives as long as this closure.
            let _code = &owner;
            let Some(entry) = entry else {
                return Err(HostFailure::Failed);
            };
            let kernel = DeviceKernel {
                entry,
                shared: needs.shared,
                waits: needs.waits,
                cooperative: needs.cooperative,
                rows: needs.rows,
                deep: needs.deep,
                long: long.load(Ordering::Relaxed),
                stack: usize::try_from(needs.local).unwrap_or(usize::MAX),
            };
            let launch = DeviceLaunch {
                grid: launch.grid,
                block: launch.block,
                dynamic_shared: launch.shared,
                params: launch.params,
            };
            // SAFETY: the code is loaded and its entry has the ABI `HostKernel`; the launch has its parameters, and what they
            // point to is the launcher's business, as on a GPU.
            match unsafe { launch_device(&kernel, &launch) } {
                Ok(took_long) => {
                    long.store(took_long, Ordering::Relaxed);
                    Ok(())
                }
                Err(LaunchError::Raised(_)) if !reports => Ok(()),
                Err(LaunchError::TooLarge) => Err(HostFailure::TooLarge),
                Err(error) => {
                    FAILED.set(Some(error));
                    Err(HostFailure::Failed)
                }
            }
        };
        HostCode {
            function: HostFunction::new(limits, run),
            code,
            captured,
            _referred: referred,
        }
    }
}

/// The exception for what made a launch of this thread fail, if it was the kernel.
pub(super) fn failure(py: Python<'_>) -> Option<PyErr> {
    let error = FAILED.take()?;
    Some(match error {
        LaunchError::Raised(at) => {
            let (error, place) = raised(py, at.error);
            let (function, file, line) = place.unwrap_or_default();
            let args = (error.value(py), function, file, line, at.thread, at.block);
            let placed = errors(py).and_then(|module| module.call_method1("placed", args));
            placed.map_or_else(|failed| failed, PyErr::from_value)
        }
        LaunchError::Deadlock(text) => {
            let class = errors(py).and_then(|module| module.getattr("KernelDeadlockError"));
            let made = class.and_then(|class| class.call1((text,)));
            made.map_or_else(|failed| failed, PyErr::from_value)
        }
        LaunchError::Interrupted(error) => raised(py, error).0,
        LaunchError::TooDeep { .. } => PyRecursionError::new_err(error.to_string()),
        LaunchError::Stack(_) => PyMemoryError::new_err(error.to_string()),
        other => PyRuntimeError::new_err(other.to_string()),
    })
}

fn errors(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    Ok(py.import(intern!(py, "numbra.cuda.errors"))?.into_any())
}

fn entry_of(address: Option<*const u8>) -> Option<DeviceEntry> {
    // SAFETY: the address is of a function with this signature, in code that the caller keeps loaded.
    address.map(|at| unsafe { std::mem::transmute::<*const u8, DeviceEntry>(at) })
}

#[pymethods]
impl HostCode {
    /// Name of the kernel.
    #[getter]
    fn name(&self) -> &str {
        &self.code.stages.entry
    }

    /// The kernel's handle, for the driver whose device is the processor.
    #[getter]
    fn handle(&self) -> usize {
        self.function.function().0
    }

    /// Device arrays whose addresses are in the code.
    #[getter]
    fn captured(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.captured.iter().map(|a| a.clone_ref(py)).collect()
    }

    /// Functions that it calls and other code defines: none, since that is code for GPUs.
    #[getter]
    fn declared(&self) -> Vec<Py<PyAny>> {
        Vec::new()
    }

    /// Names and types of the variables, each version of one that is assigned more than once.
    #[getter]
    fn variable_types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        variable_types(py, &self.code.stages)
    }

    /// Whether only cooperative launches are meant for it.
    #[getter]
    fn cooperative(&self) -> bool {
        crate::session::session().is_cooperative(&self.code.stages)
    }

    /// The result type.
    #[getter]
    fn return_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.code.stages.ret)
    }

    /// The text of a stage: `typed`, `annotation`, `lir`, `lir-opt`, `asm`.
    fn inspect(&self, stage: &str) -> PyResult<String> {
        let (stages, types) = (&self.code.stages, &self.code.types);
        let session = crate::session::session();
        Ok(match stage {
            "lir" => print(&stages.lowered, Form::Plain),
            "lir-opt" => print(&stages.module, Form::Plain),
            "annotation" => session.annotation_of(stages, types),
            "typed" => session.typed_text_of(stages, types, PrintOptions::PLAIN),
            "asm" => numbra_driver::asm_text(self.code.loaded.artifact()),
            other => {
                let text = format!("no stage '{other}' of a kernel for the CPU");
                return Err(PyValueError::new_err(text));
            }
        })
    }
}
