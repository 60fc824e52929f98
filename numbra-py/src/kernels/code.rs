//! Code for a GPU as Python sees it.

use super::compile::{Request, compile};
use crate::cache::{Cache, KeptKernel};
use crate::captured::{Captured, capturing};
use crate::compiling::compiling;
use crate::dispatcher;
use crate::errors;
use crate::session::session;
use crate::types::to_python;
use numbra_driver::cache::StoredKernel;
use numbra_driver::{CompileError, DeviceCode as Made, GeneratorText, InspectError, Stages};
use numbra_ir::{PrintOptions, Type};
use numbra_lir::text::{Form, print};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyDict};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Class, texts of the arguments, function, file, line.
type Raised<'py> = (Bound<'py, PyAny>, Vec<Option<String>>, String, String, u32);

/// Code for a GPU, just made or from the cache.
#[pyclass(frozen, module = "numbra._numbra")]
pub(crate) struct DeviceCode {
    /// What was asked for; holds the types.
    pub(super) request: Request,
    pub(super) entry: String,
    pub(super) ret: Type,
    /// The code; its cubin comes later.
    pub(super) code: StoredKernel,
    /// Device arrays whose addresses are in the code.
    pub(super) captured: Vec<Py<PyAny>>,
    /// What else it refers to: the classes of its exceptions.
    pub(super) _referred: Option<Captured>,
    /// Functions that it calls and other code defines.
    pub(super) declared: Vec<Py<PyAny>>,
    /// Machine code that a driver has made.
    pub(super) cubin: OnceLock<Vec<u8>>,
    /// Its entry in the cache, as long as a cubin may be added.
    pub(super) kept: Mutex<Option<KeptKernel>>,
    /// What it was made from: of code from the cache when someone asks.
    pub(super) made: OnceLock<Arc<Made>>,
}

#[pymethods]
impl DeviceCode {
    /// The code as PTX.
    #[getter]
    fn ptx(&self) -> &str {
        &self.code.ptx
    }

    /// Name of the kernel or function.
    #[getter]
    fn name(&self) -> &str {
        &self.entry
    }

    /// The result type.
    #[getter]
    fn return_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.ret)
    }

    /// Device arrays whose addresses are in the code.
    #[getter]
    fn captured(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.captured.iter().map(|a| a.clone_ref(py)).collect()
    }

    /// Functions that it calls and other code defines.
    #[getter]
    fn declared(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.declared.iter().map(|f| f.clone_ref(py)).collect()
    }

    /// Whether all threads of the grid meet in it.
    #[getter]
    fn cooperative(&self) -> bool {
        self.code.cooperative
    }

    /// Machine code from the cache; `None` where a driver has to make it.
    #[getter]
    fn cubin<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.cubin.get().map(|bytes| PyBytes::new(py, bytes))
    }

    /// Whether the cache waits for a cubin.
    #[getter]
    fn wants_cubin(&self) -> bool {
        self.kept().is_some()
    }

    /// Adds what a driver has made of the code to what the cache keeps.
    fn keep_cubin(&self, py: Python<'_>, bytes: Vec<u8>) {
        let Some(kept) = self.kept().take() else {
            return;
        };
        let code = StoredKernel {
            cubin: bytes,
            ..self.code.clone()
        };
        // Without it the next process has the driver compile.
        let _ = dispatcher::with(self.request.id, |d| {
            d.cache
                .get()
                .map(|cache: &Cache| cache.save_kernel(py, &kept, &code))
        });
        let _ = self.cubin.set(code.cubin);
    }

    /// Names and types of the variables, each version of one that is assigned more than once.
    #[getter]
    fn variable_types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        variable_types(py, &self.made(py)?.stages)
    }

    /// What the code raises, in the order of the numbers that it notes: class, texts of the arguments, function, file, line.
    #[getter]
    fn exceptions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Raised<'py>>> {
        let all = self.code.raises.iter();
        all.map(|e| {
            let class = crate::classes::exception_class(py, &e.class)?;
            let (args, function) = (e.args.clone(), e.function.clone());
            Ok((class, args, function, e.file.clone(), e.line))
        })
        .collect()
    }

    /// The text of a stage: `typed`, `annotation`, `lir`, `lir-opt`, `llvm`, `llvm-opt`, `ptx`.
    fn inspect(&self, py: Python<'_>, stage: &str) -> PyResult<String> {
        if stage == "ptx" {
            return Ok(self.code.ptx.clone());
        }
        let code = self.made(py)?;
        let text = match stage {
            "llvm" => py.detach(|| session().inspect_device(code, GeneratorText::Emitted)),
            "llvm-opt" => py.detach(|| session().inspect_device(code, GeneratorText::Optimised)),
            "lir" => Ok(print(&code.stages.lowered, Form::Plain)),
            "lir-opt" => Ok(print(&code.stages.module, Form::Plain)),
            "annotation" => Ok(session().annotation_of(&code.stages, &code.types)),
            "typed" => Ok(session().typed_text_of(&code.stages, &code.types, PrintOptions::PLAIN)),
            other => Err(InspectError::Other(format!(
                "no stage '{other}' of code for a GPU"
            ))),
        };
        text.map_err(errors::no_text)
    }
}

impl DeviceCode {
    fn kept(&self) -> std::sync::MutexGuard<'_, Option<KeptKernel>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn made(&self, py: Python<'_>) -> PyResult<&Arc<Made>> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let again = || -> Option<Result<Arc<Made>, CompileError>> {
            dispatcher::with(self.request.id, |d| {
                compile(d, &self.request, &crate::host::PythonHost).map(|(made, _)| Arc::new(made))
            })
        };
        let made = compiling(py, || capturing(again).0)?
            .ok_or_else(|| PyRuntimeError::new_err("the function of this code is gone"))?
            .map_err(|error| errors::compile_error_in(py, &error, "cuda mode"))?;
        Ok(self.made.get_or_init(|| made))
    }
}

/// Names and types of a function's variables.
pub(super) fn variable_types<'py>(
    py: Python<'py>,
    stages: &Stages,
) -> PyResult<Bound<'py, PyDict>> {
    let program = &stages.program;
    let typed = &program.functions[program.root].1;
    let all = PyDict::new(py);
    for (var, data) in &typed.func.vars {
        if let (false, Some(ty)) = (data.is_temp(), typed.var_types[var]) {
            all.set_item(&data.name, to_python(py, ty)?)?;
        }
    }
    Ok(all)
}
