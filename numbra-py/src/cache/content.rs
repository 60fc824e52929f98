//! Digests of what stays as it is: code objects, constants, options, dispatchers.

use crate::dispatcher::Dispatcher;
use crate::types::is_portable;
use numbra_driver::cache::{Digest, Digester};
use numbra_driver::{Options, Tier};
use numbra_ir::stencil::Stencil;
use numbra_ir::{ArgKind, Const, Type, Types};
use numbra_lower::lowering::ErrorModel;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString, PyTuple};

/// Adds a code object without the names of files and with lines relative to its first: where it stands does not matter.
pub(super) fn code(digester: &mut Digester, code: &Bound<'_, PyAny>) -> PyResult<()> {
    code_at(digester, code, None)
}

/// `outer`: first line of the code around.
fn code_at(digester: &mut Digester, code: &Bound<'_, PyAny>, outer: Option<i64>) -> PyResult<()> {
    let number = |name: &str| -> PyResult<i64> { code.getattr(name)?.extract() };
    let first = number("co_firstlineno")?;
    digester.number(outer.map_or(0, |outer| first - outer) as u64);
    for name in [
        "co_flags",
        "co_argcount",
        "co_posonlyargcount",
        "co_kwonlyargcount",
        "co_stacksize",
    ] {
        digester.number(number(name)? as u64);
    }
    for name in ["co_code", "co_exceptiontable", "co_linetable"] {
        let bytes = code.getattr(name)?.cast_into::<PyBytes>()?;
        digester.bytes(bytes.as_bytes());
    }
    for name in ["co_name", "co_qualname"] {
        text(digester, &code.getattr(name)?)?;
    }
    for name in ["co_names", "co_varnames", "co_cellvars", "co_freevars"] {
        let names = code.getattr(name)?.cast_into::<PyTuple>()?;
        digester.number(names.len() as u64);
        for name in names.iter() {
            text(digester, &name)?;
        }
    }
    let constants = code.getattr("co_consts")?.cast_into::<PyTuple>()?;
    digester.number(constants.len() as u64);
    for constant in constants.iter() {
        if constant.hasattr("co_code")? {
            digester.text("code");
            code_at(digester, &constant, Some(first))?;
        } else {
            code_constant(digester, &constant)?;
        }
    }
    Ok(())
}

fn text(digester: &mut Digester, object: &Bound<'_, PyAny>) -> PyResult<()> {
    match object.cast::<PyString>()?.to_str() {
        Ok(text) => digester.text(text),
        // Lone surrogates.
        Err(_) => digester.text(&object.repr()?.to_string()),
    }
    Ok(())
}

/// A constant of a code object.
fn code_constant(digester: &mut Digester, object: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Some(known) = crate::typeof_::constant_of(object) {
        constant(digester, &known);
    } else if let Ok(items) = object.cast_exact::<pyo3::types::PyFrozenSet>() {
        // Sets have no order.
        let mut digests = Vec::new();
        for item in items.iter() {
            let mut one = Digester::default();
            code_constant(&mut one, &item)?;
            digests.push(one.finish());
        }
        digests.sort_unstable();
        digester.text("frozenset");
        digester.number(digests.len() as u64);
        digests.iter().for_each(|digest| digester.digest(digest));
    } else if let Ok(items) = object.cast_exact::<PyTuple>() {
        digester.text("tuple");
        digester.number(items.len() as u64);
        for item in items.iter() {
            code_constant(digester, &item)?;
        }
    } else {
        digester.text(&object.repr()?.to_string());
    }
    Ok(())
}

/// Adds a constant.
pub(super) fn constant(digester: &mut Digester, value: &Const) {
    match value {
        Const::None => digester.text("None"),
        Const::Ellipsis => digester.text("..."),
        Const::Bool(value) => {
            digester.text("bool");
            digester.number(u64::from(*value));
        }
        Const::Int(value) => {
            digester.text("int");
            digester.number(*value as u64);
        }
        Const::BigInt(value) => {
            digester.text("big int");
            digester.text(&value.to_string());
        }
        Const::Float(bits) => {
            digester.text("float");
            digester.number(*bits);
        }
        Const::Complex(re, im) => {
            digester.text("complex");
            digester.number(*re);
            digester.number(*im);
        }
        Const::Str(value) => {
            digester.text("str");
            digester.text(value);
        }
        Const::Bytes(value) => {
            digester.text("bytes");
            digester.bytes(value);
        }
        Const::Tuple(items) => {
            digester.text("tuple");
            digester.number(items.len() as u64);
            items.iter().for_each(|item| constant(digester, item));
        }
        Const::Slice(parts) => {
            digester.text("slice");
            parts.iter().for_each(|part| constant(digester, part));
        }
    }
}

/// Adds a type, or says why it means nothing in another process.
pub(super) fn portable_type(
    digester: &mut Digester,
    types: &Types,
    ty: Type,
) -> Result<(), String> {
    if !is_portable(types, ty) {
        return Err(format!("the type {} is of this process", types.display(ty)));
    }
    digester.text(&types.text(ty).to_string());
    Ok(())
}

/// Adds what a decorator asked for.
fn options(digester: &mut Digester, types: &Types, options: &Options) -> Result<(), String> {
    let Options {
        nogil,
        error_model,
        parallel,
        parallel_stencils,
        boundscheck,
        math,
        fastmath,
        debug,
        inline_always,
        no_rewrites,
        device,
        tier,
        stencil,
        locals,
        // Of code for GPUs, which is kept by what was asked of its generator.
        debug_info: _,
    } = options;
    for flag in [
        nogil,
        parallel,
        parallel_stencils,
        boundscheck,
        debug,
        inline_always,
        no_rewrites,
        device,
    ] {
        digester.number(u64::from(*flag));
    }
    digester.number(match error_model {
        None => 0,
        Some(ErrorModel::Python) => 1,
        Some(ErrorModel::Numpy) => 2,
    });
    digester.text(math.prefix());
    digester.number(fastmath.map_or(0, |flags| 1 + u64::from(flags.bits())));
    digester.number(match tier {
        Tier::Cranelift => 0,
        Tier::Llvm => 1,
        Tier::Auto => 2,
    });
    self::stencil(digester, types, stencil.as_ref())?;
    for (name, ty) in locals {
        digester.text(name);
        portable_type(digester, types, *ty)?;
    }
    Ok(())
}

/// Adds what a decorator said of a stencil.
fn stencil(
    digester: &mut Digester,
    types: &Types,
    stencil: Option<&Stencil>,
) -> Result<(), String> {
    let Some(stencil) = stencil else {
        digester.number(0);
        return Ok(());
    };
    let Stencil {
        neighborhood,
        standard_indexing,
        cval,
    } = stencil;
    digester.number(1);
    digester.text(&format!("{neighborhood:?} {standard_indexing:?}"));
    digester.number(u64::from(cval.is_some()));
    if let Some(cval) = cval {
        constant(digester, &cval.value);
        digester.number(u64::from(cval.ty.is_some()));
        if let Some(ty) = cval.ty {
            portable_type(digester, types, ty)?;
        }
    }
    Ok(())
}

impl Dispatcher {
    /// The digest of the function and its options, without what its names stand for.
    pub(super) fn own_digest(&self, py: Python<'_>, types: &Types) -> Result<Digest, String> {
        let unreadable = |error: PyErr| error.to_string();
        let mut digester = Digester::of("function");
        let function = self.function.bind(py);
        let own = function.getattr("__code__").map_err(unreadable)?;
        code(&mut digester, &own).map_err(unreadable)?;
        let module = function.getattr("__module__").map_err(unreadable)?;
        digester.text(&module.extract::<String>().unwrap_or_default());
        for parameter in &self.parameters {
            digester.text(&parameter.spec.name);
            digester.number(match parameter.spec.kind {
                ArgKind::PositionalOnly => 0,
                ArgKind::PositionalOrKeyword => 1,
                ArgKind::VarPositional => 2,
                ArgKind::KeywordOnly => 3,
                ArgKind::VarKeyword => 4,
            });
            match &parameter.spec.default {
                Some(default) => constant(&mut digester, default),
                None => digester.number(u64::from(parameter.default.is_some())),
            }
        }
        options(&mut digester, types, &self.options)?;
        digester.text(self.unsupported.as_deref().unwrap_or_default());
        digester.text(&self.form.text());
        let info = self.info();
        let known = [("frozen", info.frozen), ("declared", Some(info.declared))];
        for (what, signatures) in known {
            let Some(signatures) = signatures else {
                continue;
            };
            digester.text(what);
            digester.number(signatures.len() as u64);
            for signature in &signatures {
                for ty in signature.params.iter().chain([&signature.ret]) {
                    portable_type(&mut digester, types, *ty)?;
                }
            }
        }
        Ok(digester.finish())
    }
}
