//! From the arguments of a Python call to one object and one type a parameter.

use super::state::{Dispatcher, Parameter};
use crate::errors;
use crate::host;
use crate::refused::{Refusal, refusal};
use crate::typeof_::typeof_object;
use numbra_base::{Diagnostic, ErrorClass, Span};
use numbra_bytecode::CodeFlags;
use numbra_bytecode::dfg::{self, Param, ParamCounts};
use numbra_driver::CompileError;
use numbra_ir::binding::{BindError, Formal, Given, bind};
use numbra_ir::stencil::{OUT, out_parameter};
use numbra_ir::{ArgKind, ArgSpec, Type, TypeKind, Types};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyString, PyTuple};
use smallvec::SmallVec;
use std::sync::atomic::Ordering;

/// What makes the parameters of a code object, beside its variables and flags.
const SHAPE: [&str; 5] = [
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_name",
    "co_qualname",
];

/// The flags of code with `*args` and with `**kwargs`.
const TAKES_ANY: u32 = CodeFlags::VARARGS.bits() | CodeFlags::VARKEYWORDS.bits();

/// The parameters of a Python function.
pub(super) fn parameters(function: &Bound<'_, PyAny>) -> PyResult<Vec<Parameter>> {
    let code = function.getattr("__code__")?;
    let names: Vec<String> = code.getattr("co_varnames")?.extract()?;
    let number = |name: &str| -> PyResult<u32> { code.getattr(name)?.extract() };
    let defaults = function.getattr("__defaults__")?;
    let defaults: Vec<Bound<'_, PyAny>> = defaults
        .cast::<PyTuple>()
        .map(|d| d.iter().collect())
        .unwrap_or_default();
    let kwdefaults = function.getattr("__kwdefaults__")?;
    let counts = ParamCounts {
        positional: number("co_argcount")?,
        positional_only: number("co_posonlyargcount")?,
        keyword_only: number("co_kwonlyargcount")?,
        flags: CodeFlags::from_bits_retain(number("co_flags")?),
    };
    let without_default = (counts.positional as usize).saturating_sub(defaults.len());
    let described = |(index, param): (usize, Param)| {
        let kind = ArgKind::from(param.kind);
        let default = if kind.takes_position() {
            let at = index.checked_sub(without_default);
            at.and_then(|at| defaults.get(at)).cloned()
        } else if kind == ArgKind::KeywordOnly {
            let named = kwdefaults.cast::<PyDict>().ok();
            named.and_then(|d| d.get_item(&param.name).ok().flatten())
        } else {
            None
        };
        Parameter {
            name: PyString::intern(function.py(), &param.name).unbind(),
            spec: ArgSpec {
                name: param.name,
                kind,
                default: default.as_ref().and_then(host::default_constant),
            },
            default: default.map(Bound::unbind),
        }
    };
    let all = dfg::parameters(&names, counts).into_iter().enumerate();
    Ok(all.map(described).collect())
}

impl Parameter {
    /// `out=None`, which every stencil has beside the parameters of its kernel.
    pub(super) fn of_stencil(py: Python<'_>) -> Parameter {
        Parameter {
            name: PyString::intern(py, OUT).unbind(),
            spec: out_parameter(),
            default: Some(py.None()),
        }
    }
}

/// The arguments of one call by parameter.
pub(super) struct Folded<'py> {
    /// One object a parameter, borrowed; null where the default applies.
    pub(super) slots: SmallVec<[*mut PyObject; 8]>,
    /// Keeps the tuple of `*args` alive, which is among the slots.
    pub(super) rest: Option<Bound<'py, PyTuple>>,
}

impl Dispatcher {
    /// How many parameters arguments without a name reach one by one.
    pub(crate) fn by_position(&self) -> usize {
        let takes_position = |p: &&Parameter| p.spec.kind.takes_position();
        self.parameters.iter().take_while(takes_position).count()
    }

    /// The place of `*args` among the parameters.
    pub(super) fn star(&self) -> Option<usize> {
        let is_star = |p: &Parameter| p.spec.kind == ArgKind::VarPositional;
        self.parameters.iter().position(is_star)
    }

    /// The types of the parameters where arguments of these types are given: extra ones are one tuple, those of
    /// keyword-only parameters come last, and defaults stand for what is missing.
    pub(crate) fn parameter_types(
        &self,
        types: &Types,
        mut args: Vec<Type>,
    ) -> PyResult<Vec<Type>> {
        if let Some(star) = self.star()
            && args.len() >= star
        {
            let mut rest = args.split_off(star);
            let behind = self.parameters.len() - star - 1;
            let named = rest.split_off(rest.len().saturating_sub(behind));
            args.push(types.intern(TypeKind::StarArgTuple(rest)));
            args.extend(named);
        }
        for parameter in self.parameters.iter().skip(args.len()) {
            match &parameter.spec.default {
                Some(value) => args.push(types.intern(TypeKind::Omitted(value.clone()))),
                None => break,
            }
        }
        if args.len() != self.parameters.len() {
            return Err(PyTypeError::new_err(format!(
                "Signature mismatch: {} argument types given, but function takes {} arguments",
                args.len(),
                self.parameters.len()
            )));
        }
        Ok(args)
    }

    /// The arguments of a call with names as they would be without, where that is all there is to it: each parameter has
    /// one, or those at the end have none. `None` for whatever else there may be.
    pub(super) fn in_order(
        &self,
        positional: &[*mut PyObject],
        names: &[Bound<'_, PyAny>],
        named: &[*mut PyObject],
    ) -> Option<SmallVec<[*mut PyObject; 8]>> {
        let count = positional.len() + names.len();
        let taken = self.parameters.get(..count)?;
        if self.by_position() != self.parameters.len() {
            return None;
        }
        let mut args: SmallVec<[*mut PyObject; 8]> = SmallVec::from_slice(positional);
        args.resize(count, std::ptr::null_mut());
        for (name, object) in names.iter().zip(named) {
            let is_named =
                |p: &Parameter| p.name.as_ptr() == name.as_ptr() && p.spec.kind.takes_name();
            let at = taken.iter().position(is_named)?;
            if !args[at].is_null() {
                return None;
            }
            args[at] = *object;
        }
        Some(args)
    }

    /// Binds the arguments of a call. What does not fit is an error in CPython's words.
    pub(super) fn fold<'py>(
        &self,
        py: Python<'py>,
        positional: &[*mut PyObject],
        keywords: &[(&str, *mut PyObject)],
    ) -> PyResult<Folded<'py>> {
        let formals: Vec<Formal<'_>> = (self.parameters.iter())
            .map(|p| Formal {
                has_default: p.default.is_some(),
                ..p.spec.formal()
            })
            .collect();
        let names: SmallVec<[&str; 8]> = keywords.iter().map(|(name, _)| *name).collect();
        let given = bind(&formals, positional.len(), &names)
            .map_err(|error| self.refusal(py, positional, keywords, &error))?;
        let mut rest = None;
        let mut slots = SmallVec::with_capacity(given.len());
        for given in given {
            slots.push(match given {
                Given::Positional(at) => positional[at],
                Given::Keyword(at) => keywords[at].1,
                Given::Rest(from) => {
                    // SAFETY: the caller's arguments are alive under the GIL.
                    let extra = positional[from..]
                        .iter()
                        .map(|p| unsafe { Bound::from_borrowed_ptr(py, *p) });
                    let tuple = PyTuple::new(py, extra.collect::<Vec<_>>())?;
                    let slot = tuple.as_ptr();
                    rest = Some(tuple);
                    slot
                }
                Given::Default => std::ptr::null_mut(),
            });
        }
        Ok(Folded { slots, rest })
    }

    /// The TypeError of a call whose arguments do not fit, from CPython itself: that of a function with these
    /// parameters and an empty body.
    fn refusal(
        &self,
        py: Python<'_>,
        positional: &[*mut PyObject],
        keywords: &[(&str, *mut PyObject)],
        error: &BindError,
    ) -> PyErr {
        let call = || -> PyResult<()> {
            let own = self.function.bind(py);
            let empty = py.eval(c"lambda: None", None, None)?;
            let body = empty.getattr("__code__")?;
            let code = own.getattr("__code__")?;
            let changes = PyDict::new(py);
            for name in SHAPE {
                changes.set_item(name, code.getattr(name)?)?;
            }
            let flags: u32 = code.getattr("co_flags")?.extract()?;
            let plain: u32 = body.getattr("co_flags")?.extract()?;
            changes.set_item("co_flags", plain | flags & TAKES_ANY)?;
            let varnames = code.getattr("co_varnames")?.cast_into::<PyTuple>()?;
            let varnames = varnames.get_slice(0, self.parameters.len());
            changes.set_item("co_nlocals", varnames.len())?;
            changes.set_item("co_varnames", varnames)?;
            empty.setattr("__code__", body.call_method("replace", (), Some(&changes))?)?;
            let (mut defaults, named) = (Vec::new(), PyDict::new(py));
            for parameter in &self.parameters {
                match &parameter.default {
                    Some(default) if parameter.spec.kind.takes_position() => {
                        defaults.push(default.bind(py));
                    }
                    Some(default) => named.set_item(&parameter.spec.name, default)?,
                    None => {}
                }
            }
            empty.setattr("__defaults__", PyTuple::new(py, defaults)?)?;
            empty.setattr("__kwdefaults__", named)?;
            empty.setattr("__qualname__", own.getattr("__qualname__")?)?;
            // SAFETY: the caller's arguments are alive under the GIL.
            let borrowed =
                |object: &*mut PyObject| unsafe { Bound::from_borrowed_ptr(py, *object) };
            let args = PyTuple::new(py, positional.iter().map(borrowed).collect::<Vec<_>>())?;
            let kwargs = PyDict::new(py);
            for (name, object) in keywords {
                kwargs.set_item(name, borrowed(object))?;
            }
            empty.call(args, Some(&kwargs)).map(drop)
        };
        let ours = || PyTypeError::new_err(error.text(&self.name));
        call().err().unwrap_or_else(ours)
    }

    /// The types of folded arguments; a null slot is `Omitted` when its default is a constant, else the default itself.
    pub(super) fn typeof_slots(
        &self,
        py: Python<'_>,
        types: &Types,
        slots: &mut [*mut PyObject],
    ) -> PyResult<SmallVec<[Type; 8]>> {
        let mut out = SmallVec::with_capacity(slots.len());
        let mut unknown = Vec::new();
        for (index, slot) in slots.iter_mut().enumerate() {
            let parameter = &self.parameters[index];
            if parameter.spec.kind == ArgKind::VarKeyword {
                return Err(self.refuse_var_keyword(py, &parameter.spec.name));
            }
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
                    unknown.push((index, too_large(error.value(py).to_string())));
                    out.push(Type::PYOBJECT);
                    continue;
                }
                Err(error) => return Err(self.about_argument(py, error, index)),
            };
            let ty = match (ty, parameter.spec.kind) {
                (Some(ty), ArgKind::VarPositional) => {
                    let items = types.tuple_items(ty).unwrap_or_default();
                    Some(types.intern(TypeKind::StarArgTuple(items)))
                }
                (ty, _) => ty,
            };
            out.push(ty.unwrap_or_else(|| {
                unknown.push((index, refusal(&object, &parameter.spec.name)));
                Type::PYOBJECT
            }));
        }
        if unknown.is_empty() {
            Ok(out)
        } else {
            Err(self.refuse(py, &unknown))
        }
    }

    /// An error about an argument, with a note that names it.
    pub(super) fn about_argument(&self, py: Python<'_>, error: PyErr, index: usize) -> PyErr {
        match self.parameters.get(index).or(self.parameters.last()) {
            Some(parameter) => {
                let (name, function) = (&parameter.spec.name, &self.name);
                errors::noted(
                    py,
                    error,
                    &format!("this is argument `{name}` of `{function}`"),
                )
            }
            None => error,
        }
    }

    /// The error for a parameter `**k`.
    fn refuse_var_keyword(&self, py: Python<'_>, name: &str) -> PyErr {
        let function = &self.name;
        let span = self.built().map_or(Span::NONE, |source| source.func.span);
        let message = format!(
            "`**{name}` of a function is not supported: compiled functions have no dicts of keyword arguments"
        );
        let diagnostic = Diagnostic::error("D007", ErrorClass::UnsupportedError, message, span).with_help(format!(
            "name the parameters, with defaults: `def {function}(x, scale=1.0)`; callers write `{function}(x, scale=2.0)`"
        ));
        let error = CompileError {
            step: None,
            diagnostics: vec![diagnostic],
            force_literal: Vec::new(),
        };
        errors::compile_error(py, &error)
    }

    /// Numba's words about arguments without a type, then a diagnostic for each.
    fn refuse(&self, py: Python<'_>, unknown: &[(usize, Refusal)]) -> PyErr {
        let span = self.built().map_or(Span::NONE, |source| source.func.span);
        let mut phrase = format!(
            "During: typing of argument of {}\n\nThis error may have been caused by the following argument(s):",
            self.name
        );
        for (index, why) in unknown {
            phrase.push_str(&format!("\n- argument {index}: {}", why.phrase));
        }
        let diagnostics = unknown.iter().enumerate().map(|(number, (index, why))| {
            let name = &self.parameters[*index].spec.name;
            let message = format!("argument `{name}` is {}", why.what);
            let diagnostic = Diagnostic::error("T010", ErrorClass::TypingError, message, span)
                .with_help(why.help.as_str());
            match number {
                0 => diagnostic.with_numba_phrase(phrase.as_str()),
                _ => diagnostic,
            }
        });
        let error = CompileError {
            step: Some("nopython frontend".to_owned()),
            diagnostics: diagnostics.collect(),
            force_literal: Vec::new(),
        };
        errors::compile_error(py, &error)
    }
}

fn too_large(phrase: String) -> Refusal {
    Refusal {
        phrase,
        what: "an integer that does not fit 64 bits".to_owned(),
        help: "integers are from -2**63 to 2**64 - 1: pass a float, or an array of its parts"
            .to_owned(),
    }
}
