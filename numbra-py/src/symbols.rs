//! What entry wrappers refer to by name: addresses of CPython and NumPy objects and functions, and numbers of types.

use crate::callback::numbra_py_callback_error;
use crate::convert::{
    numbra_py_box, numbra_py_box_text, numbra_py_raise, numbra_py_unbox, numbra_py_unbox_owned,
    numbra_py_unbox_value,
};
use crate::dispatcher::numbra_py_dispatch;
use crate::lists::{numbra_py_reflect, numbra_py_unbox_list};
use crate::numpy;
use crate::recorded::{numbra_py_recorded_box, numbra_py_recorded_unbox};
use crate::typeof_::numbra_py_is_plain_tuple;
use crate::types::numbra_py_box_instance;
use crate::types::typed::{
    numbra_py_instance, numbra_py_typed_dict, numbra_py_typed_list, numbra_py_typed_set,
};
use crate::ufunc::{numbra_py_loop_error, numbra_py_loop_leaves};
use numbra_ir::{DispatcherId, Type, TypeKind, Types};
use numbra_lower::lowering::FUNCTION_VALUE;
use pyo3::ffi;

/// Start of the symbols that stand for the number of a type.
const TYPE: &str = "numbra_type_";
/// Start of the symbols that stand for the numbers of types of jitted functions.
const FUNCTION: &str = "numbra_function_";
/// Start of the names of cells with such numbers.
const CELL_OF_FUNCTION: &str = "cell.numbra_function_";
/// Start of the names of cells with the addresses of constant arrays.
const CELL_OF_ARRAY: &str = "array.";
/// Start of the symbols that stand for constant arrays.
const ARRAY: &str = "numbra_array_";

/// The symbol whose address is the number of a type: its text, with `$28` for what is no letter or digit. For a type
/// without a text that reads back, its number in this process.
pub(crate) fn of_type(types: &Types, ty: Type) -> String {
    if let TypeKind::Dispatcher { id, .. } = types.kind(ty) {
        return format!("{FUNCTION}{}", id.0);
    }
    let mut name = TYPE.to_owned();
    let text = types.text(ty).to_string();
    let text = match types.parse(&text) {
        Ok(same) if same == ty => text,
        _ => format!("#{}", ty.index()),
    };
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("${byte:02x}"));
        }
    }
    name
}

/// The text of the type behind a symbol, if it is one of a type.
pub(crate) fn type_text(name: &str) -> Option<String> {
    unescaped(name.strip_prefix(TYPE)?)
}

/// The jitted function and the type of functions behind a symbol, if it is one of a function as a value.
fn function_value(types: &Types, name: &str) -> Option<(DispatcherId, Type)> {
    let (id, text) = name.strip_prefix(FUNCTION_VALUE)?.split_once('_')?;
    let ty = types.parse(&unescaped(text)?).ok()?;
    Some((DispatcherId(id.parse().ok()?), ty))
}

/// True for the symbols of functions as values.
pub(crate) fn is_function_value(name: &str) -> bool {
    name.starts_with(FUNCTION_VALUE)
}

/// A text whose bytes `$28` stand for others.
fn unescaped(name: &str) -> Option<String> {
    let mut rest = name.bytes();
    let mut text = Vec::new();
    while let Some(byte) = rest.next() {
        text.push(match byte {
            b'$' => {
                let mut digit = || Some(char::from(rest.next()?).to_digit(16)? as u8);
                digit()? << 4 | digit()?
            }
            byte => byte,
        });
    }
    String::from_utf8(text).ok()
}

/// A new number for an old one.
type Renumber<'a> = &'a dyn Fn(u64) -> Option<u64>;

/// A symbol with other numbers for jitted functions and constant arrays; as it is if it has none. `None` where a number
/// has no new one. The cells that hold the
/// addresses are named after them.
pub(crate) fn renumbered(
    name: &str,
    function: Renumber<'_>,
    array: Renumber<'_>,
) -> Option<String> {
    let prefixes: [(&str, Renumber<'_>); 4] = [
        (FUNCTION, function),
        (CELL_OF_FUNCTION, function),
        (ARRAY, array),
        (CELL_OF_ARRAY, array),
    ];
    for (prefix, number) in prefixes {
        if let Some(rest) = name.strip_prefix(prefix)
            && let Ok(old) = rest.parse()
        {
            return Some(format!("{prefix}{}", number(old)?));
        }
    }
    Some(name.to_owned())
}

/// The jitted function behind a symbol, if it is one of the type of a jitted function.
pub(crate) fn function(name: &str) -> Option<DispatcherId> {
    name.strip_prefix(FUNCTION)?.parse().ok().map(DispatcherId)
}

/// The address that stands for the type of a jitted function.
pub(crate) fn function_type(types: &Types, id: DispatcherId) -> Option<*const u8> {
    let name = crate::dispatcher::with(id, |d| d.name.clone())?;
    let ty = types.intern(TypeKind::Dispatcher { id, name });
    Some(std::ptr::without_provenance(ty.index() as usize))
}

/// The number of the constant array behind a symbol, if it is one of an array.
pub(crate) fn array_number(name: &str) -> Option<u64> {
    name.strip_prefix(ARRAY)?.parse().ok()
}

/// The address behind a name, or `None` when it is not one of ours. `types` comes to hold the types that are named.
pub(crate) fn address(types: &Types, name: &str) -> Option<*const u8> {
    if let Some(text) = type_text(name) {
        let index = match text.strip_prefix('#') {
            Some(index) => index.parse().ok()?,
            None => types.parse(&text).ok()?.index() as usize,
        };
        return Some(std::ptr::without_provenance(index));
    }
    if let Some(id) = function(name) {
        return function_type(types, id);
    }
    if let Some((id, ty)) = function_value(types, name) {
        return crate::dispatcher::value::leaves_of(id, ty);
    }
    if let Some(handle) = array_number(name) {
        return crate::constant_arrays::leaves_of(handle);
    }
    object(name).or_else(|| crate::recorded::foreign(name))
}

/// The address of an object or a function.
fn object(name: &str) -> Option<*const u8> {
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
    object! { PyList_Type PySet_Type PyLong_Type PyFloat_Type PyComplex_Type PyTuple_Type PyBool_Type PyUnicode_Type }
    function! {
        ffi::PyLong_FromLongLong => "PyLong_FromLongLong"
        ffi::PyLong_FromUnsignedLongLong => "PyLong_FromUnsignedLongLong"
        ffi::PyFloat_FromDouble => "PyFloat_FromDouble"
        ffi::PyComplex_FromDoubles => "PyComplex_FromDoubles"
        ffi::PyTuple_New => "PyTuple_New"
        ffi::Py_DecRef => "Py_DecRef"
        ffi::PyEval_SaveThread => "PyEval_SaveThread"
        ffi::PyEval_RestoreThread => "PyEval_RestoreThread"
        numbra_py_unbox => "numbra_py_unbox"
        numbra_py_box => "numbra_py_box"
        numbra_py_box_text => "numbra_py_box_text"
        numbra_py_raise => "numbra_py_raise"
        numbra_py_reflect => "numbra_py_reflect"
        numbra_py_unbox_owned => "numbra_py_unbox_owned"
        numbra_py_unbox_value => "numbra_py_unbox_value"
        numbra_py_box_instance => "numbra_py_box_instance"
        numbra_py_instance => "numbra_py_instance"
        numbra_py_recorded_box => "numbra_py_recorded_box"
        numbra_py_recorded_unbox => "numbra_py_recorded_unbox"
        numbra_py_typed_dict => "numbra_py_typed_dict"
        numbra_py_typed_list => "numbra_py_typed_list"
        numbra_py_typed_set => "numbra_py_typed_set"
        numbra_py_is_plain_tuple => "numbra_py_is_plain_tuple"
        numbra_py_unbox_list => "numbra_py_unbox_list"
        numbra_py_dispatch => "numbra_py_dispatch"
        numbra_py_loop_error => "numbra_py_loop_error"
        numbra_py_loop_leaves => "numbra_py_loop_leaves"
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
    if let Some(class) = name.strip_prefix("numbra_class_") {
        // Code captures the classes that it names.
        return crate::python::enter(|py| {
            crate::classes::class_named(py, class).map(|c| c.as_ptr().cast_const().cast())
        });
    }
    numpy::symbol(name)
}
