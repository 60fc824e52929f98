//! Decorator options from Python. The decorators have checked names and kinds; values arrive in one plain form.

use crate::types::from_python;
use numbra_driver::{Dumps, Options, Tier};
use numbra_lir::{FastMath, MathLib};
use numbra_lower::lowering::ErrorModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};

/// Reads the options of one dispatcher.
pub(crate) fn parse(dict: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut options = Options::default();
    for (key, value) in dict.iter() {
        let key: String = key.extract()?;
        match key.as_str() {
            "nogil" => options.nogil = value.is_truthy()?,
            "debug" => options.debug = value.is_truthy()?,
            "boundscheck" => options.boundscheck = value.is_truthy()?,
            "error_model" => {
                options.error_model = Some(match value.extract::<String>()?.as_str() {
                    "python" => ErrorModel::Python,
                    "numpy" => ErrorModel::Numpy,
                    other => {
                        return Err(PyValueError::new_err(format!(
                            "invalid error model '{other}'"
                        )));
                    }
                });
            }
            "fastmath" => options.fastmath = Some(fastmath(&value)?),
            "locals" => {
                for (name, ty) in value.cast::<PyDict>().map_err(PyErr::from)?.iter() {
                    options.locals.insert(name.extract()?, from_python(&ty)?);
                }
            }
            "inline" => {
                options.inline_always = value.extract::<String>().is_ok_and(|v| v == "always")
            }
            "no_rewrites" => options.no_rewrites = value.is_truthy()?,
            "parallel" => options.parallel = value.is_truthy()?,
            "loop" => {}        // Read by the dispatcher.
            "unsupported" => {} // Said when the function is compiled.
            "tier" => {
                let name: String = value.extract()?;
                options.tier = Tier::from_name(&name).ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "no tier '{name}'; the tiers are auto, cranelift, llvm"
                    ))
                })?;
            }
            "math" => {
                options.math = match value.extract::<String>()?.as_str() {
                    "numbra" => MathLib::Numbra,
                    "libm" => MathLib::Libm,
                    other => {
                        return Err(PyValueError::new_err(format!(
                            "no mathematics library '{other}'; there are numbra, libm"
                        )));
                    }
                };
            }
            other => {
                return Err(PyValueError::new_err(format!(
                    "the compiler has no option '{other}'"
                )));
            }
        }
    }
    Ok(options)
}

/// A bool, or an iterable of LLVM's flag names.
fn fastmath(value: &Bound<'_, PyAny>) -> PyResult<FastMath> {
    if let Ok(all) = value.extract::<bool>() {
        return Ok(if all {
            FastMath::all()
        } else {
            FastMath::empty()
        });
    }
    let mut flags = FastMath::empty();
    for name in value.try_iter()? {
        flags |= match name?.extract::<String>()?.as_str() {
            "fast" => FastMath::all(),
            "nnan" => FastMath::NNAN,
            "ninf" => FastMath::NINF,
            "nsz" => FastMath::NSZ,
            "arcp" => FastMath::ARCP,
            "contract" => FastMath::CONTRACT,
            "afn" => FastMath::AFN,
            "reassoc" => FastMath::REASSOC,
            other => {
                return Err(PyValueError::new_err(format!(
                    "Unrecognized fastmath flags: {other}"
                )));
            }
        };
    }
    Ok(flags)
}

/// The dumps that `numbra.core.config` asks for now.
pub(crate) fn dumps() -> Dumps {
    crate::python::enter(|py| {
        let Ok(config) = py.import("numbra.core.config") else {
            return Dumps::default();
        };
        let on = |name: &str| {
            config
                .getattr(name)
                .is_ok_and(|v| v.is_truthy().unwrap_or(false))
        };
        Dumps::SETTINGS
            .iter()
            .filter(|(name, _)| on(name))
            .fold(Dumps::default(), |all, (_, dump)| all.with(*dump))
    })
}
