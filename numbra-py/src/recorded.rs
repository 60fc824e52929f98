//! Code that Python has recorded through the low-level extension API: modules of LIR, as text.
//!
//! Each has a number, by which a typed program names it (`numbra_typeinfer::Overload::id`); they live as long as the
//! process, as do the implementations of overloads.

use crate::convert::{Accept, Leaves, Unboxing, Words, box_value, guarded, release_leaves};
use crate::errors;
use crate::lists::Entered;
use crate::python::with_gil;
use crate::session::{helper_types, session, type_of_code};
use crate::types::{from_python, to_python};
use numbra_base::{ErrorClass, FxHashMap};
use numbra_driver::Callable;
use numbra_ir::{ArgKind, ArgSpec, Signature, Type};
use numbra_lower::lowering::leaves;
use numbra_typeinfer::{Overload, OverloadBody};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::sync::{Arc, Mutex, PoisonError};

/// Numbers of jitted functions, which name overloads too, are less.
const FIRST: u64 = 1 << 40;

static CODES: Mutex<Vec<Arc<str>>> = Mutex::new(Vec::new());

/// True for the numbers of recorded code.
pub(crate) fn is_recorded(id: u64) -> bool {
    id >= FIRST
}

/// The text of recorded code.
pub(crate) fn code(id: u64) -> Option<Arc<str>> {
    let at = usize::try_from(id.checked_sub(FIRST)?).ok()?;
    let codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    codes.get(at).cloned()
}

/// Keeps recorded code; its number.
#[pyfunction]
pub(crate) fn _register_code(text: &str) -> PyResult<u64> {
    numbra_lir::text::read(text).map_err(|e| PyTypeError::new_err(e.to_string()))?;
    let mut codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    codes.push(text.into());
    Ok(FIRST + codes.len() as u64 - 1)
}

/// The machine types that stand for a value of a type, as LIR writes them.
#[pyfunction]
pub(crate) fn _leaves(ty: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let types = &session().types;
    let leaves = leaves(types, from_python(ty)?).map_err(PyTypeError::new_err)?;
    Ok(leaves.iter().map(ToString::to_string).collect())
}

/// An implementation whose code Python has recorded.
pub(crate) struct Recorded {
    pub(crate) id: u64,
    names: Vec<String>,
    signature: Signature,
}

/// What Python says of it: number, names of the parameters, their types, the type of the result.
type Described<'py> = (u64, Vec<String>, Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>);

/// The recorded implementation that a Python object is; `None` for other objects.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Recorded>> {
    let py = object.py();
    if object.getattr_opt(intern!(py, "is_recorded"))?.is_none() {
        return Ok(None);
    }
    let described = object.call_method0(intern!(py, "described"))?;
    let (id, names, params, ret): Described<'_> = described.extract()?;
    let params = params.iter().map(from_python).collect::<PyResult<_>>()?;
    let ret = from_python(&ret)?;
    Ok(Some(Recorded {
        id,
        names,
        signature: Signature { params, ret },
    }))
}

impl Recorded {
    /// It as the implementation of a call.
    pub(crate) fn overload(self, literal: bool) -> Overload {
        let spec = |name: String| ArgSpec {
            name,
            kind: ArgKind::PositionalOrKeyword,
            default: None,
        };
        Overload {
            id: self.id,
            args: self.names.into_iter().map(spec).collect(),
            literal,
            body: OverloadBody::External(self.signature),
        }
    }
}

/// Code by which objects become values of a type, or values objects.
pub(crate) struct Conversion {
    _code: Callable,
    run: unsafe extern "C" fn(*mut Words, *const Words) -> i32,
}

/// The conversions that have come up, by type and direction. They live as long as the process, as do such types.
type Conversions = FxHashMap<(Type, bool), Option<Arc<Conversion>>>;

static CONVERSIONS: Mutex<Option<Conversions>> = Mutex::new(None);

/// What Python has registered for a type: `box`, or `unbox`; `None` where it has registered nothing.
fn conversion(py: Python<'_>, ty: Type, boxes: bool) -> PyResult<Option<Arc<Conversion>>> {
    let known = {
        let known = CONVERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .as_ref()
            .and_then(|all| all.get(&(ty, boxes)).cloned())
    };
    if let Some(known) = known {
        return Ok(known);
    }
    let text = py
        .import("numbra.core.lowering_api")?
        .call_method1("conversion_code", (to_python(py, ty)?, boxes))?;
    let text: Option<String> = text.extract()?;
    let made = text.map(|text| -> PyResult<Arc<Conversion>> {
        let types = &session().types;
        let symbols = |name: &str| crate::symbols::address(types, name);
        let failed = |what: String| errors::typing_error(py, ErrorClass::LoweringError, &what);
        let code = session().callable(&text, &symbols).map_err(failed)?;
        let address = code.address().ok_or_else(|| failed("no code".to_owned()))?;
        // SAFETY: the thunk has this signature.
        let run = unsafe {
            std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut Words, *const Words) -> i32>(
                address,
            )
        };
        Ok(Arc::new(Conversion { _code: code, run }))
    });
    let made = made.transpose()?;
    let mut known = CONVERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    Ok(known.entry((ty, boxes)).or_insert(made).clone())
}

/// Appends the leaves of an object, by what is registered for its type: those that are references are the caller's. False
/// where nothing is registered.
pub(crate) fn unbox(ty: Type, object: &Bound<'_, PyAny>, words: &mut Leaves) -> PyResult<bool> {
    let py = object.py();
    let Some(conversion) = conversion(py, ty, false)? else {
        return Ok(false);
    };
    let count = leaves(&session().types, ty)
        .map_err(PyTypeError::new_err)?
        .len();
    let mut results: Leaves = std::iter::repeat_n([0; 2], count + 1).collect();
    let argument = [object.as_ptr().expose_provenance() as u64, 0];
    // SAFETY: the code takes a `PyObject*`, and gives the leaves of the type and a byte; the GIL is held.
    unsafe { (conversion.run)(results.as_mut_ptr(), &raw const argument) };
    let failed = results[count][0] & 0xff != 0;
    if failed {
        let shape = leaves(&session().types, ty).map_err(PyTypeError::new_err)?;
        // SAFETY: the references that the code gave with the values.
        unsafe { release_leaves(&shape, &results) };
        let ty = session().types.display(ty).to_string();
        return Err(PyErr::take(py).unwrap_or_else(|| {
            PyTypeError::new_err(format!("cannot convert the object to {ty}"))
        }));
    }
    words.extend_from_slice(&results[..count]);
    Ok(true)
}

/// The object of a value, by what is registered for its type; `None` where nothing is.
pub(crate) fn box_object<'py>(
    py: Python<'py>,
    ty: Type,
    words: &[Words],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(conversion) = conversion(py, ty, true)? else {
        return Ok(None);
    };
    let mut result: Words = [0; 2];
    // SAFETY: the code takes the leaves of the type, and gives a `PyObject*`; the GIL is held.
    unsafe { (conversion.run)(&raw mut result, words.as_ptr()) };
    let made = std::ptr::with_exposed_provenance_mut(result[0] as usize);
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }.map(Some)
}

/// `numbra_py_recorded_unbox(type, object, leaves) -> i32`: for recorded code, the leaves of an object, whose references
/// the block owns; 0, or 1 with an exception set.
///
/// # Safety
/// The GIL is held, the object is alive, and the block has room for the leaves of the type.
pub(crate) unsafe extern "C" fn numbra_py_recorded_unbox(
    code: u64,
    object: *mut ffi::PyObject,
    block: *mut Words,
) -> i32 {
    let convert = |py: Python<'_>| -> PyResult<()> {
        // SAFETY: by contract.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        let (types, ty) = (helper_types(), type_of_code(code));
        let mut entered = Entered::detached();
        let mut unboxing = Unboxing::new(&types, Accept::Converted, &mut entered);
        if !unboxing.value(ty, &object)? {
            let (class, ty) = (object.get_type(), types.display(ty));
            return Err(PyTypeError::new_err(format!(
                "an object of {class} is no {ty}"
            )));
        }
        unboxing.hand_to(|words| {
            // SAFETY: by contract; the two do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), block, words.len()) };
        });
        Ok(())
    };
    let run = |py: Python<'_>| match convert(py) {
        Ok(()) => 0,
        Err(error) => {
            error.restore(py);
            1
        }
    };
    // SAFETY: by contract.
    guarded(1, || unsafe { with_gil(run) })
}

/// `numbra_py_recorded_box(type, leaves) -> PyObject*`: for recorded code, the object of a value; null with an exception
/// set.
///
/// # Safety
/// The GIL is held, and the block holds the leaves of a value of the type.
pub(crate) unsafe extern "C" fn numbra_py_recorded_box(
    code: u64,
    block: *const Words,
) -> *mut ffi::PyObject {
    let convert = |py: Python<'_>| {
        let (types, ty) = (helper_types(), type_of_code(code));
        let count = leaves(&types, ty).map_err(PyTypeError::new_err)?.len();
        // SAFETY: by contract.
        let words = unsafe { std::slice::from_raw_parts(block, count) };
        box_value(py, &types, ty, &mut &*words).map(Bound::into_ptr)
    };
    let run = |py: Python<'_>| match convert(py) {
        Ok(made) => made,
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    };
    // SAFETY: by contract.
    guarded(std::ptr::null_mut(), || unsafe { with_gil(run) })
}

/// Addresses that programs have given to names, for code that they write.
static SYMBOLS: Mutex<Option<FxHashMap<String, usize>>> = Mutex::new(None);

/// Has recorded code that names a symbol mean this address.
#[pyfunction]
pub(crate) fn _add_symbol(name: String, address: usize) {
    let mut symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
    symbols.get_or_insert_default().insert(name, address);
}

/// The address behind a symbol in recorded code, or None.
#[pyfunction]
pub(crate) fn _symbol_address(name: &str) -> Option<usize> {
    foreign(name).map(<*const u8>::expose_provenance)
}

/// The address of a symbol of this process: one that a program has given, or one of libpython, of C's library, or of what
/// programs have loaded for all.
pub(crate) fn foreign(name: &str) -> Option<*const u8> {
    let given = {
        let symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
        symbols.as_ref().and_then(|all| all.get(name).copied())
    };
    if let Some(address) = given {
        return Some(std::ptr::with_exposed_provenance(address));
    }
    let name = std::ffi::CString::new(name).ok()?;
    // SAFETY: a C string.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then(|| found.cast_const().cast())
}
