//! Enumerations of Python: the types of their members.

use crate::classes::register_class;
use crate::session::session;
use crate::typeof_::typeof_object;
use numbra_ir::{Type, TypeKind, Types};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyType};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The class of classes of members, and `IntEnum`.
fn classes(py: Python<'_>) -> PyResult<&(Py<PyType>, Py<PyType>)> {
    static CLASSES: PyOnceLock<(Py<PyType>, Py<PyType>)> = PyOnceLock::new();
    CLASSES.get_or_try_init(py, || {
        let module = py.import("enum")?;
        let class = |name: &str| -> PyResult<Py<PyType>> {
            Ok(module.getattr(name)?.cast_into::<PyType>()?.unbind())
        };
        Ok((class("EnumMeta")?, class("IntEnum")?))
    })
}

/// True for classes of enumerations.
pub(crate) fn is_enum(class: &Bound<'_, PyAny>) -> bool {
    let py = class.py();
    classes(py).is_ok_and(|(meta, _)| class.is_instance(meta.bind(py)).unwrap_or(false))
}

/// The type of a member; `None` for any other object. Classes keep their types as long as the process lives.
pub(crate) fn typeof_member(types: &Types, object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    static KNOWN: Mutex<Option<HashMap<usize, Type>>> = Mutex::new(None);
    let py = object.py();
    let class = object.get_type();
    if !is_enum(class.as_any()) {
        return Ok(None);
    }
    let key = class.as_ptr() as usize;
    {
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ty) = known.as_ref().and_then(|known| known.get(&key)) {
            types.hold(*ty);
            return Ok(Some(*ty));
        }
    }
    let own = &session().types;
    let mut found: Vec<Type> = Vec::new();
    for member in class
        .getattr("__members__")?
        .call_method0("values")?
        .try_iter()?
    {
        match typeof_object(own, &member?.getattr("value")?)? {
            Some(ty) if found.contains(&ty) => {}
            Some(ty) => found.push(ty),
            None => return Ok(None),
        }
    }
    let &[dtype] = found.as_slice() else {
        let names: Vec<String> = found
            .iter()
            .map(|ty| own.display(*ty).to_string())
            .collect();
        return Err(PyValueError::new_err(format!(
            "Cannot type heterogeneous enum: got value types {}",
            names.join(", ")
        )));
    };
    let (_, int_enum) = classes(py)?;
    let module: String = class.getattr("__module__")?.extract()?;
    let name: String = class.getattr("__qualname__")?.extract()?;
    let ty = own.intern(TypeKind::EnumMember {
        class: register_class(py, format!("{module}.{name}"), &class),
        dtype,
        is_int: class.is_subclass(int_enum.bind(py))?,
    });
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_with(HashMap::new).insert(key, ty);
    types.hold(ty);
    Ok(Some(ty))
}
