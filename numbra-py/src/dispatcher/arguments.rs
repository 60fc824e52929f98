//! From the arguments of a Python call to one object and one type a parameter.

use super::state::{Dispatcher, Parameter};
use crate::errors;
use crate::host;
use crate::typeof_::typeof_object;
use numbra_ir::{ArgKind, ArgSpec, Type, TypeKind, Types};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};
use std::sync::atomic::Ordering;

/// The parameters of a Python function.
pub(super) fn parameters(function: &Bound<'_, PyAny>) -> PyResult<Vec<Parameter>> {
    let code = function.getattr("__code__")?;
    let names: Vec<String> = code.getattr("co_varnames")?.extract()?;
    let number = |name: &str| -> PyResult<usize> { code.getattr(name)?.extract() };
    let (argcount, posonly, kwonly, flags) = (
        number("co_argcount")?,
        number("co_posonlyargcount")?,
        number("co_kwonlyargcount")?,
        number("co_flags")?,
    );
    let defaults = function.getattr("__defaults__")?;
    let defaults: Vec<Bound<'_, PyAny>> = defaults
        .cast::<PyTuple>()
        .map(|d| d.iter().collect())
        .unwrap_or_default();
    let kwdefaults = function.getattr("__kwdefaults__")?;
    let mut out = Vec::new();
    let mut push = |name: &str, kind: ArgKind, default: Option<Bound<'_, PyAny>>| {
        let constant = default.as_ref().and_then(host::default_constant);
        out.push(Parameter {
            spec: ArgSpec {
                name: name.to_owned(),
                kind,
                default: constant,
            },
            default: default.map(Bound::unbind),
        });
    };
    for (index, name) in names.iter().take(argcount).enumerate() {
        let kind = if index < posonly {
            ArgKind::PositionalOnly
        } else {
            ArgKind::PositionalOrKeyword
        };
        let default = (index + defaults.len())
            .checked_sub(argcount)
            .map(|d| defaults[d].clone());
        push(name, kind, default);
    }
    // co_varnames holds keyword-only names before `*args`; Numba's dispatcher takes them as further positional ones.
    for name in names.iter().skip(argcount).take(kwonly) {
        let default = kwdefaults
            .cast::<PyDict>()
            .ok()
            .and_then(|d| d.get_item(name).ok().flatten());
        push(name, ArgKind::KeywordOnly, default);
    }
    if flags & 0x04 != 0 {
        push(&names[argcount + kwonly], ArgKind::VarPositional, None);
    }
    if flags & 0x08 != 0 {
        push(
            &names[argcount + kwonly + usize::from(flags & 0x04 != 0)],
            ArgKind::VarKeyword,
            None,
        );
    }
    Ok(out)
}

impl Dispatcher {
    /// Positional and keyword arguments as one object a parameter; null where the default applies.
    pub(super) fn fold<'py>(
        &self,
        py: Python<'py>,
        positional: &[*mut PyObject],
        keywords: &[(String, *mut PyObject)],
    ) -> PyResult<(Vec<*mut PyObject>, Option<Bound<'py, PyAny>>)> {
        let count = self.parameters.len();
        let mut slots = vec![std::ptr::null_mut(); count];
        let mut rest = None;
        let star = self
            .parameters
            .iter()
            .position(|p| p.spec.kind == ArgKind::VarPositional);
        let positions = star.unwrap_or(count);
        let required = self
            .parameters
            .iter()
            .filter(|p| p.default.is_none() && p.spec.kind != ArgKind::VarPositional)
            .count();
        if positional.len() > positions {
            match star {
                Some(index) => {
                    // SAFETY: the caller's arguments are alive under the GIL.
                    let extra = positional[positions..]
                        .iter()
                        .map(|p| unsafe { Bound::from_borrowed_ptr(py, *p) });
                    let tuple = PyTuple::new(py, extra.collect::<Vec<_>>())?.into_any();
                    slots[index] = tuple.as_ptr();
                    rest = Some(tuple);
                }
                None => {
                    return Err(PyTypeError::new_err(format!(
                        "too many arguments: expected {count}, got {}",
                        positional.len() + keywords.len()
                    )));
                }
            }
        } else if let Some(index) = star {
            let tuple = PyTuple::empty(py).into_any();
            slots[index] = tuple.as_ptr();
            rest = Some(tuple);
        }
        for (slot, object) in slots
            .iter_mut()
            .zip(&positional[..positional.len().min(positions)])
        {
            *slot = *object;
        }
        if star.is_none() && positional.len() + keywords.len() > count {
            return Err(PyTypeError::new_err(format!(
                "too many arguments: expected {count}, got {}",
                positional.len() + keywords.len()
            )));
        }
        if positional.len() + keywords.len() < required {
            let at_least = if required < count { "at least " } else { "" };
            return Err(PyTypeError::new_err(format!(
                "not enough arguments: expected {at_least}{required}, got {}",
                positional.len() + keywords.len()
            )));
        }
        let mut used = 0;
        for (index, parameter) in self.parameters.iter().enumerate() {
            if !slots[index].is_null() {
                continue;
            }
            let given = keywords
                .iter()
                .find(|(name, _)| *name == parameter.spec.name);
            if let Some((_, object)) = given {
                slots[index] = *object;
                used += 1;
            } else if parameter.default.is_none() {
                return Err(PyTypeError::new_err(format!(
                    "missing argument '{}'",
                    parameter.spec.name
                )));
            }
        }
        if used < keywords.len() {
            return Err(PyTypeError::new_err("some keyword arguments unexpected"));
        }
        Ok((slots, rest))
    }

    /// The types of folded arguments; a null slot is `Omitted` when its default is a constant, else the default itself.
    pub(super) fn typeof_slots(
        &self,
        py: Python<'_>,
        types: &Types,
        slots: &mut [*mut PyObject],
    ) -> PyResult<Vec<Type>> {
        let mut out = Vec::with_capacity(slots.len());
        let mut unknown = Vec::new();
        for (index, slot) in slots.iter_mut().enumerate() {
            let parameter = &self.parameters[index];
            if slot.is_null() {
                if let Some(value) = &parameter.spec.default {
                    out.push(types.intern(TypeKind::Omitted(value.clone())));
                    continue;
                }
                let default = parameter
                    .default
                    .as_ref()
                    .expect("`fold` leaves only parameters with defaults open");
                *slot = default.as_ptr();
            }
            // SAFETY: arguments and defaults are alive under the GIL.
            let object = unsafe { Bound::from_borrowed_ptr(py, *slot) };
            let ty = match typeof_object(types, &object) {
                Ok(ty) => ty,
                // An int beyond 64 bits. Entries that are fixed convert it, and say why they cannot.
                Err(error)
                    if error.is_instance_of::<PyValueError>(py)
                        && object.is_instance_of::<pyo3::types::PyInt>() =>
                {
                    if !self.can_compile.load(Ordering::Acquire) {
                        return Err(PyOverflowError::new_err("int too big to convert"));
                    }
                    unknown.push((index, error.value(py).to_string()));
                    out.push(Type::PYOBJECT);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let ty = match (ty, parameter.spec.kind) {
                (Some(ty), ArgKind::VarPositional) => {
                    let items = types.tuple_items(ty).unwrap_or_default();
                    Some(types.intern(TypeKind::StarArgTuple(items)))
                }
                (ty, _) => ty,
            };
            out.push(ty.unwrap_or_else(|| {
                let class = object
                    .get_type()
                    .repr()
                    .map(|r| r.to_string())
                    .unwrap_or_default();
                unknown.push((index, format!("Cannot determine Numba type of {class}")));
                Type::PYOBJECT
            }));
        }
        if unknown.is_empty() {
            Ok(out)
        } else {
            Err(errors::untyped_arguments(py, &self.name, &unknown))
        }
    }
}
