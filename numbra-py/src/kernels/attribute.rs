//! Attributes that a class computes, read without looking them up again.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyType};

/// An attribute of instances of a class.
pub(super) struct Attribute {
    name: Py<PyString>,
    class: Py<PyType>,
    /// The function that computes it, and the address that it is given.
    getter: Option<(ffi::getter, usize)>,
}

impl Attribute {
    pub(super) fn new(class: &Bound<'_, PyType>, name: &str) -> PyResult<Attribute> {
        let py = class.py();
        let getter = class
            .getattr(name)
            .ok()
            .and_then(|found| getter(class, &found));
        Ok(Attribute {
            name: PyString::intern(py, name).unbind(),
            class: class.clone().unbind(),
            getter,
        })
    }

    /// Its value; of objects of other classes too, by its name.
    pub(super) fn of<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match self.getter {
            Some((getter, closure)) if object.get_type().is(&self.class) => {
                // SAFETY: the getter belongs to a descriptor of the object's class, which `class` keeps alive, and is
                // called as the descriptor calls it: with the object and its closure, under the GIL.
                unsafe {
                    let value = getter(object.as_ptr(), closure as *mut _);
                    Bound::from_owned_ptr_or_err(py, value)
                }
            }
            _ => object.getattr(self.name.bind(py)),
        }
    }
}

/// The getter of what a class gives for an attribute, if it is a descriptor with one, of this class or one above.
fn getter(class: &Bound<'_, PyType>, found: &Bound<'_, PyAny>) -> Option<(ffi::getter, usize)> {
    // SAFETY: the type object is a static of the interpreter; an object of exactly this type has this layout, its
    // definition lives as long as it does, and `d_type` is the class that the descriptor was made for.
    unsafe {
        if found.get_type_ptr() != &raw mut ffi::PyGetSetDescr_Type {
            return None;
        }
        let descriptor = found.as_ptr().cast::<ffi::PyGetSetDescrObject>();
        let made_for = (*descriptor).d_common.d_type;
        if ffi::PyType_IsSubtype(class.as_type_ptr(), made_for) == 0 {
            return None;
        }
        let definition = (*descriptor).d_getset;
        Some(((*definition).get?, (*definition).closure as usize))
    }
}
