//! Decorator options from Python. The decorators have checked names and kinds; values arrive in one plain form.

use crate::errors::typing_error;
use crate::host::describe;
use crate::types::from_python;
use numbra_base::ErrorClass;
use numbra_driver::{Dumps, Options, Tier};
use numbra_ir::stencil::{Border, Stencil};
use numbra_ir::{Const, ObjKind};
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
            "parallel_stencils" => options.parallel_stencils = value.is_truthy()?,
            "stencil" => options.stencil = Some(stencil(&value)?),
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

/// What a decorator says of a stencil, its values checked there but for `cval`.
fn stencil(value: &Bound<'_, PyAny>) -> PyResult<Stencil> {
    let dict = value.cast::<PyDict>().map_err(PyErr::from)?;
    let mut stencil = Stencil::default();
    for (key, value) in dict.iter() {
        match key.extract::<String>()?.as_str() {
            "neighborhood" => stencil.neighborhood = Some(value.extract()?),
            "standard_indexing" => stencil.standard_indexing = value.extract()?,
            _ => stencil.cval = Some(border(&value)?),
        }
    }
    Ok(stencil)
}

/// The number at the border of a stencil.
fn border(value: &Bound<'_, PyAny>) -> PyResult<Border> {
    let found = match describe(value, "cval")?.kind {
        ObjKind::Value(value) => Some(Border { ty: None, value }),
        ObjKind::Typed(ty, value) => Some(Border {
            ty: Some(ty),
            value,
        }),
        _ => None,
    };
    let is_number = |border: &Border| {
        matches!(
            border.value,
            Const::Bool(_)
                | Const::Int(_)
                | Const::BigInt(_)
                | Const::Float(_)
                | Const::Complex(..)
        )
    };
    found.filter(is_number).ok_or_else(|| {
        let message = "cval type does not match stencil return type.";
        typing_error(value.py(), ErrorClass::NumbaValueError, message)
    })
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
