//! One compilation for a GPU, and what Python sees of it.

use super::arrays;
use crate::dispatcher::inner;
use crate::errors;
use crate::host::PythonHost;
use crate::session::session;
use crate::types_py::{from_python, to_python};
use numbra_driver::{CompileError, DeviceTarget, GeneratorText, Options, Request};
use numbra_ir::{PrintOptions, Type, TypeKind};
use numbra_lower::lowering::{DeviceAbi, ErrorModel, add_device_entry};
use numbra_lower::text::{Form, print};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::sync::Arc;

/// Class, texts of the arguments, function, file, line.
type Raised<'py> = (Bound<'py, PyAny>, Vec<Option<String>>, String, String, u32);

/// Code for a GPU.
#[pyclass(frozen, module = "numbra._numbra")]
pub(crate) struct DeviceCode(Arc<numbra_driver::DeviceCode>);

#[pymethods]
impl DeviceCode {
    /// The code as PTX.
    #[getter]
    fn ptx(&self) -> &str {
        &self.0.ptx
    }

    /// Name of the kernel or function.
    #[getter]
    fn name(&self) -> &str {
        &self.0.stages.entry
    }

    /// The result type.
    #[getter]
    fn return_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.stages.ret)
    }

    /// What the code raises, in the order of the numbers that it notes: class, texts of the arguments, function, file, line.
    #[getter]
    fn exceptions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Raised<'py>>> {
        let module = &self.0.stages.module;
        let file = |id: usize| module.files.get(id).cloned().unwrap_or_default();
        let all = module.exceptions.values();
        all.map(|e| {
            let class = crate::host::exception_class(py, &e.class)?;
            let (args, function) = (e.args.clone(), e.function.clone());
            Ok((
                class,
                args,
                function,
                file(e.span.file.0 as usize),
                e.span.line,
            ))
        })
        .collect()
    }

    /// The text of a stage: `typed`, `annotation`, `lir`, `lir-opt`, `llvm`, `llvm-opt`, `ptx`.
    fn inspect(&self, py: Python<'_>, stage: &str) -> PyResult<String> {
        let code = &self.0;
        let text = match stage {
            "llvm" => py.detach(|| session().inspect_device(code, GeneratorText::Emitted)),
            "llvm-opt" => py.detach(|| session().inspect_device(code, GeneratorText::Optimised)),
            "ptx" => Ok(code.ptx.clone()),
            "lir" => Ok(print(&code.stages.lowered, Form::Plain)),
            "lir-opt" => Ok(print(&code.stages.module, Form::Plain)),
            "annotation" => Ok(session().annotation_of(code)),
            "typed" => Ok(session().typed_text_of(code, PrintOptions::PLAIN)),
            other => Err(format!("no stage '{other}' of code for a GPU")),
        };
        text.map_err(PyValueError::new_err)
    }
}

/// Compiles a function for a GPU at these argument types.
///
/// `how` has `target` (architecture and words for the code generator), `abi` (`kernel`, `numba` or `c`), `name` (of the
/// symbol), `optimised` and `debug`.
#[pyfunction]
pub(crate) fn _device_compile(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    args: Vec<Bound<'_, PyAny>>,
    ret: Option<Bound<'_, PyAny>>,
    how: &Bound<'_, PyDict>,
) -> PyResult<DeviceCode> {
    let d = inner(dispatcher)?;
    let types = session().types.view();
    let hold = |ty: Type| {
        types.hold(ty);
        ty
    };
    let mut args = args
        .iter()
        .map(|object| from_python(object).map(hold))
        .collect::<PyResult<Vec<Type>>>()?;
    let ret = ret.map(|r| from_python(&r).map(hold)).transpose()?;
    for parameter in d.parameters.iter().skip(args.len()) {
        match &parameter.spec.default {
            Some(value) => args.push(types.intern(TypeKind::Omitted(value.clone()))),
            None => break,
        }
    }
    if args.len() != d.parameters.len() {
        return Err(PyTypeError::new_err(format!(
            "Signature mismatch: {} argument types given, but function takes {} arguments",
            args.len(),
            d.parameters.len()
        )));
    }
    let text = |key: &str| -> PyResult<String> {
        how.get_item(key)?
            .ok_or_else(|| PyTypeError::new_err(format!("no {key}")))?
            .extract()
    };
    let flag = |key: &str| -> PyResult<bool> {
        how.get_item(key)?
            .map_or(Ok(false), |value| value.is_truthy())
    };
    let abi = match text("abi")?.as_str() {
        "kernel" => DeviceAbi::Kernel,
        "numba" => DeviceAbi::Numba,
        "c" => DeviceAbi::C,
        other => return Err(PyValueError::new_err(format!("Unsupported ABI: {other}"))),
    };
    let name = text("name")?;
    let target = DeviceTarget {
        text: text("target")?,
        optimised: flag("optimised")?,
    };
    let options = Options {
        device: true,
        parallel: false,
        boundscheck: false,
        error_model: if flag("debug")? {
            ErrorModel::Python
        } else {
            ErrorModel::Numpy
        },
        ..d.options.clone()
    };
    let compiled = py.detach(|| {
        let source = d.source().map_err(|d| CompileError::front_end(*d))?;
        super::compiling(|| {
            session().compile_device(
                &Request {
                    id: d.id,
                    source: &source,
                    args: &args,
                    types: &types,
                    ret,
                    options: &options,
                    host: &PythonHost,
                    finish: &|types, module, root, typed| {
                        Python::attach(|py| arrays::embed(py, module))
                            .map_err(|e| e.to_string())?;
                        add_device_entry(types, module, root, (&args, typed.ret), &name, abi)?;
                        Ok(name.clone())
                    },
                    symbols: &|_| None,
                    dumps: crate::options::dumps(),
                    print: &|text| Python::attach(|py| crate::print_line(py, text)),
                },
                &target,
            )
        })
    });
    compiled
        .map(|code| DeviceCode(Arc::new(code)))
        .map_err(|error| errors::compile_error_in(py, &error, "cuda mode"))
}
