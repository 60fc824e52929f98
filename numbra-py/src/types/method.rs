//! What classes of objects with fields are made of: jitted functions as methods, fields as attributes.
//!
//! Types of our own and not classes of pyo3: CPython calls what is marked as a method descriptor without making a bound
//! method, and a field is read in less time than pyo3's slots take.

use super::instance::Instance;
use crate::convert::guarded;
use crate::heap_type::HeapType;
use crate::python::with_gil;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::ffi::{c_int, c_void};
use std::mem::offset_of;

unsafe extern "C" {
    /// CPython, `Include/cpython/classobject.h`.
    fn PyMethod_New(function: *mut PyObject, object: *mut PyObject) -> *mut PyObject;
}

#[repr(C)]
struct MethodObject {
    base: PyObject,
    vectorcall: ffi::vectorcallfunc,
    /// The jitted function, of which this owns a reference.
    function: *mut PyObject,
}

/// The type `numbra._numbra.Method`, which is called with a function.
pub(crate) fn make_method_type(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let made = HeapType {
        name: c"numbra._numbra.Method",
        size: size_of::<MethodObject>(),
        flags: ffi::Py_TPFLAGS_HAVE_GC
            | ffi::Py_TPFLAGS_HAVE_VECTORCALL
            | ffi::Py_TPFLAGS_METHOD_DESCRIPTOR,
        members: &[
            (
                c"__vectorcalloffset__",
                ffi::Py_T_PYSSIZET,
                offset_of!(MethodObject, vectorcall),
            ),
            (
                c"__wrapped__",
                ffi::Py_T_OBJECT_EX,
                offset_of!(MethodObject, function),
            ),
        ],
        slots: &[
            (ffi::Py_tp_new, tp_new as *mut c_void),
            (ffi::Py_tp_dealloc, tp_dealloc as *mut c_void),
            (ffi::Py_tp_traverse, tp_traverse as *mut c_void),
            (ffi::Py_tp_clear, tp_clear as *mut c_void),
            (ffi::Py_tp_descr_get, tp_descr_get as *mut c_void),
            (ffi::Py_tp_call, ffi::PyVectorcall_Call as *mut c_void),
        ],
    };
    // SAFETY: functions of these slots, and members of the object.
    unsafe { made.make(py) }
}

unsafe extern "C" fn tp_new(
    class: *mut ffi::PyTypeObject,
    args: *mut PyObject,
    _kwargs: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython calls `tp_new` with a type and a tuple, with the GIL.
    unsafe {
        if ffi::PyTuple_Size(args) != 1 {
            with_gil(|py| PyTypeError::new_err("Method takes one function").restore(py));
            return std::ptr::null_mut();
        }
        let Some(allocate) = (*class).tp_alloc else {
            return std::ptr::null_mut();
        };
        let made = allocate(class, 0).cast::<MethodObject>();
        if !made.is_null() {
            let function = ffi::PyTuple_GetItem(args, 0);
            ffi::Py_INCREF(function);
            (*made).function = function;
            (*made).vectorcall = call;
        }
        made.cast()
    }
}

unsafe extern "C" fn call(
    method: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: a call of CPython's; the method owns the function.
    unsafe {
        ffi::PyObject_Vectorcall(
            (*method.cast::<MethodObject>()).function,
            args,
            count,
            names,
        )
    }
}

unsafe extern "C" fn tp_descr_get(
    method: *mut PyObject,
    object: *mut PyObject,
    _class: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython calls this with live objects; null where the class itself is asked.
    unsafe {
        let function = (*method.cast::<MethodObject>()).function;
        if object.is_null() || object == ffi::Py_None() {
            ffi::Py_INCREF(function);
            return function;
        }
        PyMethod_New(function, object)
    }
}

unsafe extern "C" fn tp_traverse(
    method: *mut PyObject,
    visit: ffi::visitproc,
    arg: *mut c_void,
) -> c_int {
    // SAFETY: a collection of cycles visits live objects.
    unsafe {
        let function = (*method.cast::<MethodObject>()).function;
        let found = match function.is_null() {
            true => 0,
            false => visit(function, arg),
        };
        match found {
            0 => visit(ffi::Py_TYPE(method).cast(), arg),
            found => found,
        }
    }
}

unsafe extern "C" fn tp_clear(method: *mut PyObject) -> c_int {
    // SAFETY: as above.
    unsafe {
        let method = method.cast::<MethodObject>();
        let function = std::mem::replace(&mut (*method).function, std::ptr::null_mut());
        ffi::Py_XDECREF(function);
    }
    0
}

unsafe extern "C" fn tp_dealloc(method: *mut PyObject) {
    // SAFETY: the last reference is gone; the type holds one of each object.
    unsafe {
        ffi::PyObject_GC_UnTrack(method.cast());
        tp_clear(method);
        let class = ffi::Py_TYPE(method);
        if let Some(free) = (*class).tp_free {
            free(method.cast());
        }
        ffi::Py_DECREF(class.cast());
    }
}

#[repr(C)]
struct FieldObject {
    base: PyObject,
    at: usize,
}

/// The type `numbra._numbra.Field`, which is called with the position of a field.
pub(crate) fn make_field_type(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let made = HeapType {
        name: c"numbra._numbra.Field",
        size: size_of::<FieldObject>(),
        flags: 0,
        members: &[],
        slots: &[
            (ffi::Py_tp_new, new_field as *mut c_void),
            (ffi::Py_tp_descr_get, get_field as *mut c_void),
            (ffi::Py_tp_descr_set, set_field as *mut c_void),
        ],
    };
    // SAFETY: functions of these slots.
    unsafe { made.make(py) }
}

unsafe extern "C" fn new_field(
    class: *mut ffi::PyTypeObject,
    args: *mut PyObject,
    _kwargs: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython calls `tp_new` with a type and a tuple, with the GIL.
    unsafe {
        let at = match ffi::PyTuple_Size(args) {
            1 => ffi::PyLong_AsSize_t(ffi::PyTuple_GetItem(args, 0)),
            _ => usize::MAX,
        };
        if at == usize::MAX {
            with_gil(|py| PyTypeError::new_err("Field takes one position").restore(py));
            return std::ptr::null_mut();
        }
        let Some(allocate) = (*class).tp_alloc else {
            return std::ptr::null_mut();
        };
        let made = allocate(class, 0).cast::<FieldObject>();
        if !made.is_null() {
            (*made).at = at;
        }
        made.cast()
    }
}

unsafe extern "C" fn get_field(
    field: *mut PyObject,
    object: *mut PyObject,
    _class: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython calls this with live objects, and the GIL; null where the class itself is asked.
    unsafe {
        if object.is_null() {
            ffi::Py_INCREF(field);
            return field;
        }
        let at = (*field.cast::<FieldObject>()).at;
        let number =
            Instance::read_number(&Borrowed::from_ptr(Python::assume_attached(), object), at);
        if !number.is_null() {
            return number;
        }
        with_gil(|py| {
            let object = Bound::from_borrowed_ptr(py, object);
            guarded(std::ptr::null_mut(), || {
                Instance::read(&object, at).unwrap_or_else(|error| {
                    error.restore(py);
                    std::ptr::null_mut()
                })
            })
        })
    }
}

unsafe extern "C" fn set_field(
    field: *mut PyObject,
    object: *mut PyObject,
    value: *mut PyObject,
) -> c_int {
    // SAFETY: CPython calls this with live objects, and the GIL; a null value deletes.
    unsafe {
        let at = (*field.cast::<FieldObject>()).at;
        with_gil(|py| {
            let set = || {
                if value.is_null() {
                    return Err(PyAttributeError::new_err("fields cannot be deleted"));
                }
                let object = Bound::from_borrowed_ptr(py, object);
                Instance::write(&object, at, &Bound::from_borrowed_ptr(py, value))
            };
            guarded(-1, || match set() {
                Ok(()) => 0,
                Err(error) => {
                    error.restore(py);
                    -1
                }
            })
        })
    }
}

/// Has calls of a class go to its attribute `_constructor`: what stands in its metaclass's `__call__` would make a tuple of
/// the arguments first.
#[pyfunction]
pub(crate) fn _call_constructor(class: &Bound<'_, PyType>) {
    // SAFETY: a class that was made while the program ran, of which nobody else knows yet.
    unsafe { (*class.as_type_ptr()).tp_vectorcall = Some(construct) };
}

unsafe extern "C" fn construct(
    class: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: a call of CPython's, with the GIL; the class has the attribute.
    unsafe {
        let name = with_gil(|py| intern!(py, "_constructor").as_ptr());
        let constructor = ffi::PyObject_GetAttr(class, name);
        if constructor.is_null() {
            return std::ptr::null_mut();
        }
        // What precedes the arguments is the class's.
        let count = ffi::PyVectorcall_NARGS(count).cast_unsigned();
        let made = ffi::PyObject_Vectorcall(constructor, args, count, names);
        ffi::Py_DECREF(constructor);
        made
    }
}
