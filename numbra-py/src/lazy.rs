//! Modules that their package loads when somebody asks for them, as `numpy.random`: what the library knows of them is
//! described without loading them, since only their names matter to the compiler.

use crate::session::session;
use numbra_ir::{ObjDesc, ObjKind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

/// What `owner.attr` is, where a module of that name is not loaded and the library has rows for it. Whatever is loaded,
/// or set by the program, speaks for itself.
pub(crate) fn describe(py: Python<'_>, owner: &str, attr: &str) -> Option<ObjDesc> {
    let modules = py.import("sys").ok()?.getattr("modules").ok()?;
    let modules = modules.cast::<PyDict>().ok()?;
    let name = format!("{owner}.{attr}");
    let library = &session().library;
    let is_module = || library.has_module(&name) && !modules.contains(&name).unwrap_or(true);
    let described = |kind, repr| ObjDesc {
        name: name.clone(),
        kind,
        repr,
        digest: None,
    };
    if let Some(module) = modules.get_item(owner).ok()? {
        let dict = module.cast::<PyModule>().ok()?.dict();
        let lazy = !dict.contains(attr).ok()? && dict.contains("__getattr__").ok()?;
        return (lazy && is_module())
            .then(|| described(ObjKind::Module, format!("<module '{name}'>")));
    }
    if !library.has_module(owner) {
        return None;
    }
    if is_module() {
        return Some(described(ObjKind::Module, format!("<module '{name}'>")));
    }
    library.lookup(&name).map(|_| {
        let name = library.python_name(&name).unwrap_or(attr);
        described(ObjKind::Function, format!("<function {name}>"))
    })
}
