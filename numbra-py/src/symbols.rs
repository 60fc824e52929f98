//! Addresses of the CPython and NumPy objects and functions that entry wrappers refer to by name.

use crate::buffers::numbra_py_unbox_buffer;
use crate::callback::numbra_py_callback_error;
use crate::convert::{numbra_py_box, numbra_py_raise, numbra_py_unbox, numbra_py_unbox_chars};
use crate::dispatcher::numbra_py_dispatch;
use crate::lists::{numbra_py_reflect, numbra_py_unbox_list};
use crate::numpy;
use crate::polynomials::numbra_py_unbox_polynomial;
use crate::ufunc::numbra_py_loop_error;
use pyo3::Python;
use pyo3::ffi;

/// The address behind a name, or `None` when it is not one of ours.
pub(crate) fn address(name: &str) -> Option<*const u8> {
    macro_rules! object {
        ($($symbol:ident)*) => {
            match name {
                $(stringify!($symbol) => return Some((&raw mut ffi::$symbol).cast_const().cast()),)*
                _ => {}
            }
        };
    }
    macro_rules! function {
        ($($path:path => $symbol:literal)*) => {
            match name {
                $($symbol => return Some($path as *const u8),)*
                _ => {}
            }
        };
    }
    object! { PyList_Type PySet_Type PyLong_Type PyFloat_Type PyComplex_Type PyTuple_Type PyBool_Type }
    function! {
        ffi::PyLong_FromLongLong => "PyLong_FromLongLong"
        ffi::PyLong_FromUnsignedLongLong => "PyLong_FromUnsignedLongLong"
        ffi::PyFloat_FromDouble => "PyFloat_FromDouble"
        ffi::PyComplex_FromDoubles => "PyComplex_FromDoubles"
        ffi::PyEval_SaveThread => "PyEval_SaveThread"
        ffi::PyEval_RestoreThread => "PyEval_RestoreThread"
        numbra_py_unbox => "numbra_py_unbox"
        numbra_py_box => "numbra_py_box"
        numbra_py_raise => "numbra_py_raise"
        numbra_py_reflect => "numbra_py_reflect"
        numbra_py_unbox_buffer => "numbra_py_unbox_buffer"
        numbra_py_unbox_chars => "numbra_py_unbox_chars"
        numbra_py_unbox_polynomial => "numbra_py_unbox_polynomial"
        numbra_py_unbox_list => "numbra_py_unbox_list"
        numbra_py_dispatch => "numbra_py_dispatch"
        numbra_py_loop_error => "numbra_py_loop_error"
        numbra_py_callback_error => "numbra_py_callback_error"
    }
    match name {
        // SAFETY: CPython's singletons exist once the interpreter runs.
        "_Py_NoneStruct" => return Some(unsafe { ffi::Py_None() }.cast_const().cast()),
        // SAFETY: as above.
        "_Py_TrueStruct" => return Some(unsafe { ffi::Py_True() }.cast_const().cast()),
        // SAFETY: as above.
        "_Py_FalseStruct" => return Some(unsafe { ffi::Py_False() }.cast_const().cast()),
        _ => {}
    }
    if let Some(handle) = name.strip_prefix("numbra_array_") {
        return crate::host::array_leaves(handle.parse().ok()?);
    }
    if let Some(class) = name.strip_prefix("numbra_class_") {
        // Registered classes live as long as the process.
        return Python::attach(|py| {
            crate::host::class_named(py, class).map(|c| c.as_ptr().cast_const().cast())
        });
    }
    numpy::symbol(name)
}
