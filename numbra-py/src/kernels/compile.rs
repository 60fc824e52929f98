//! One compilation for a GPU, or what the cache has in its place.

use super::arrays::{self, Embedded};
use super::code::DeviceCode;
use super::host::HostCode;
use crate::cache::{FoundKernel, MadeKernel, Outcome, TracingHost};
use crate::captured::capturing;
use crate::compiling::compiling;
use crate::dispatcher::{Dispatcher, inner};
use crate::errors;
use crate::host::PythonHost;
use crate::session::session;
use crate::types::from_python;
use numbra_driver::cache::{StoredKernel, StoredRaise};
use numbra_driver::{CompileError, DeviceCode as Made, DeviceTarget, Options, Tier};
use numbra_ir::{DispatcherId, Type, Types};
use numbra_lir::DebugInfo;
use numbra_lower::lowering::{DeviceAbi, ErrorModel, add_device_entry, device_params};
use numbra_typeinfer::Host;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What is compiled, and how.
pub(super) struct Request {
    pub(super) id: DispatcherId,
    /// Holds the types.
    types: Types,
    args: Vec<Type>,
    ret: Option<Type>,
    abi: DeviceAbi,
    /// Symbol of the kernel or function.
    name: String,
    target: DeviceTarget,
    debug: bool,
    /// Indices out of range raise IndexError.
    boundscheck: bool,
    /// What the driver's compiler is asked for.
    driver: String,
    /// What the code says about its source.
    debug_info: DebugInfo,
}

impl Request {
    /// All that code depends on beside function and types.
    fn how(&self) -> String {
        let abi = match self.abi {
            DeviceAbi::Kernel | DeviceAbi::HostKernel => "kernel",
            DeviceAbi::Numba => "numba",
            DeviceAbi::C => "c",
        };
        format!(
            "{abi} {} opt={} debug={} [{}] [{}]",
            self.name, self.target.optimised, self.debug, self.target.text, self.driver
        )
    }
}

/// Compiles a function for a GPU at these argument types, or finds it in the cache of its dispatcher.
///
/// `how` has `target` (architecture and words for the code generator), `abi` (`kernel`, `numba` or `c`), `name` (of the
/// symbol), `optimised`, `debug`, `driver` (what the driver's compiler will be asked for) and `debug_info` (what the code
/// says about its source: `none`, `lines` or `full`).
#[pyfunction]
pub(crate) fn _device_compile(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    args: Vec<Bound<'_, PyAny>>,
    ret: Option<Bound<'_, PyAny>>,
    how: &Bound<'_, PyDict>,
) -> PyResult<DeviceCode> {
    let d = inner(dispatcher)?;
    let request = request(d, &args, ret, how)?;
    let (code, referred) = compiling(py, || {
        capturing(|| super::targeting_device(|| find_or_compile(d, request)))
    })?;
    let mut code = code.map_err(|error| errors::compile_error_in(py, &error, "cuda mode"))?;
    referred.publish();
    code._referred = Some(referred);
    if !code.captured.is_empty() && d.cache.get().is_some() {
        let class = py.import("pickle")?.getattr("PicklingError")?;
        let text = "Cannot serialize kernels or device functions referencing global device arrays: \
                    they hold addresses of this process. Pass the arrays as arguments, or leave out cache=True";
        return Err(PyErr::from_value(class.call1((text,))?));
    }
    Ok(code)
}

fn request(
    d: &Dispatcher,
    args: &[Bound<'_, PyAny>],
    ret: Option<Bound<'_, PyAny>>,
    how: &Bound<'_, PyDict>,
) -> PyResult<Request> {
    let types = session().types.view();
    let hold = |ty: Type| {
        types.hold(ty);
        ty
    };
    let args = args
        .iter()
        .map(|object| from_python(object).map(hold))
        .collect::<PyResult<Vec<Type>>>()?;
    let args = d.parameter_types(&types, args)?;
    let ret = ret.map(|r| from_python(&r).map(hold)).transpose()?;
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
        "host" => DeviceAbi::HostKernel,
        "numba" => DeviceAbi::Numba,
        "c" => DeviceAbi::C,
        other => return Err(PyValueError::new_err(format!("Unsupported ABI: {other}"))),
    };
    let target = DeviceTarget {
        text: text("target")?,
        optimised: flag("optimised")?,
    };
    Ok(Request {
        id: d.id,
        types,
        args,
        ret,
        abi,
        name: text("name")?,
        target,
        debug: flag("debug")?,
        boundscheck: flag("boundscheck")?,
        driver: text("driver")?,
        debug_info: match text("debug_info")?.as_str() {
            "none" => DebugInfo::None,
            "lines" => DebugInfo::Lines,
            "full" => DebugInfo::Full,
            other => return Err(PyValueError::new_err(format!("no debug info `{other}`"))),
        },
    })
}

fn find_or_compile(d: &Dispatcher, request: Request) -> Result<DeviceCode, CompileError> {
    let Some(cache) = d.cache.get() else {
        let (made, arrays) = compile(d, &request, &PythonHost)?;
        return Ok(DeviceCode::of(request, made, arrays));
    };
    let (types, args) = (&request.types, &request.args[..]);
    let how = request.how();
    let asked = (types, args, request.ret);
    let placed = request.debug_info != DebugInfo::None;
    let found = crate::python::enter(|py| cache.find_kernel(py, d, asked, &how, placed));
    let (reason, key) = match found {
        Ok(found) => {
            cache.note(types, args, Outcome::Hit);
            return Ok(DeviceCode::found(request, found));
        }
        Err(missed) => missed,
    };
    let host = TracingHost::new(d.id);
    let (made, arrays) = compile(d, &request, &host)?;
    let kept = key.map(|key| {
        let made = MadeKernel {
            types,
            args,
            ret: made.stages.ret,
            entry: &made.stages.entry,
            code: stored(&made),
            arrays: &arrays.constant,
        };
        crate::python::enter(|py| cache.keep_kernel(py, d, key, host.into_trace(), &made))
    });
    let (kept, reason) = match kept {
        None => (None, reason),
        Some(Ok(kept)) => (Some(kept), reason),
        Some(Err(why)) => (None, why),
    };
    cache.note(types, args, Outcome::Miss(reason));
    let code = DeviceCode::of(request, made, arrays);
    *code.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    Ok(code)
}

/// Compiles: the code, and the arrays in it.
pub(super) fn compile(
    d: &Dispatcher,
    request: &Request,
    host: &dyn Host,
) -> Result<(Made, Embedded), CompileError> {
    compile_by(d, request, host, |made| {
        session().compile_device(made, &request.target)
    })
}

/// As [`compile`], with code made by `generate`.
fn compile_by<R>(
    d: &Dispatcher,
    request: &Request,
    host: &dyn Host,
    generate: impl FnOnce(&numbra_driver::Request<'_>) -> Result<R, CompileError>,
) -> Result<(R, Embedded), CompileError> {
    let options = Options {
        device: true,
        parallel: false,
        boundscheck: request.boundscheck,
        tier: Tier::Cranelift,
        error_model: Some(match request.debug {
            true => ErrorModel::Python,
            false => ErrorModel::Numpy,
        }),
        debug_info: request.debug_info,
        ..d.options.clone()
    };
    super::targeting_device(|| {
        let source = d.source(Some((&request.args, &request.types)));
        let source = source.map_err(|d| CompileError::front_end(*d))?;
        let arrays = Mutex::new(Embedded::default());
        let made = generate(&numbra_driver::Request {
            id: d.id,
            source: &source,
            args: &request.args,
            types: &request.types,
            ret: request.ret,
            options: &options,
            host,
            finish: &|types, module, root, typed| {
                let embedded = crate::python::enter(|py| arrays::embed(py, module))
                    .map_err(|e| e.to_string())?;
                *arrays.lock().unwrap_or_else(PoisonError::into_inner) = embedded;
                let signature = (&request.args[..], typed.ret);
                add_device_entry(types, module, root, signature, &request.name, request.abi)?;
                Ok(request.name.clone())
            },
            symbols: &|_| None,
            dumps: crate::options::dumps(),
            print: &|text| crate::python::enter(|py| crate::print_line(py, text)),
            stop: &crate::compiling::has_raised,
        })?;
        let arrays = arrays.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((made, arrays))
    })
}

/// Compiles a kernel for the CPU. `how` is that of [`_device_compile`], with the ABI `host`, and has `boundscheck`.
#[pyfunction]
pub(crate) fn _host_kernel_compile(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    args: Vec<Bound<'_, PyAny>>,
    ret: Option<Bound<'_, PyAny>>,
    how: &Bound<'_, PyDict>,
) -> PyResult<HostCode> {
    let d = inner(dispatcher)?;
    let request = request(d, &args, ret, how)?;
    let (made, referred) = compiling(py, || {
        capturing(|| {
            compile_by(d, &request, &PythonHost, |made| {
                session().compile_host_kernel(made)
            })
        })
    })?;
    let (code, arrays) = made.map_err(|error| errors::compile_error_in(py, &error, "cuda mode"))?;
    referred.publish();
    let mut params = 0;
    for ty in &code.args {
        let words = device_params(&code.types, *ty).map_err(PyTypeError::new_err)?;
        params += words.len();
    }
    let reports = request.debug || request.boundscheck;
    Ok(HostCode::new(
        code,
        params,
        reports,
        arrays.captured,
        referred,
    ))
}

/// Code in the form in which it is kept.
fn stored(made: &Made) -> StoredKernel {
    let module = &made.stages.module;
    let file = |id: usize| module.files.get(id).cloned().unwrap_or_default();
    let raises = module.exceptions.values();
    StoredKernel {
        ptx: made.ptx.clone(),
        cubin: Vec::new(),
        cooperative: session().is_cooperative(&made.stages),
        raises: raises
            .map(|e| StoredRaise {
                class: e.class.clone(),
                args: e.args.clone(),
                function: e.function.clone(),
                file: file(e.span.file.0 as usize),
                line: e.span.line,
            })
            .collect(),
    }
}

impl DeviceCode {
    fn of(request: Request, made: Made, arrays: Embedded) -> DeviceCode {
        DeviceCode {
            entry: made.stages.entry.clone(),
            ret: made.stages.ret,
            code: stored(&made),
            request,
            captured: arrays.captured,
            _referred: None,
            declared: arrays.declared,
            cubin: OnceLock::new(),
            kept: Mutex::new(None),
            made: OnceLock::from(Arc::new(made)),
        }
    }

    fn found(request: Request, found: FoundKernel) -> DeviceCode {
        let FoundKernel {
            ret,
            entry,
            mut code,
            kept,
        } = found;
        let cubin = std::mem::take(&mut code.cubin);
        let known = !cubin.is_empty();
        DeviceCode {
            request,
            entry,
            ret,
            code,
            captured: Vec::new(),
            _referred: None,
            declared: Vec::new(),
            cubin: if known {
                OnceLock::from(cubin)
            } else {
                OnceLock::new()
            },
            kept: Mutex::new((!known).then_some(kept)),
            made: OnceLock::new(),
        }
    }
}
