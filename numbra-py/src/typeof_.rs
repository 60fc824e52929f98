//! `typeof`: the numbra type of a Python object passed as an argument.

use crate::host::KnownFunction;
use crate::layout as at;
use crate::numpy::{self, ArrayObject};
use numbra_abi::STACK_OVERFLOW;
use numbra_ir::{ArrayType, Const, Layout, Scalar, TimeType, TimeUnit, Type, TypeKind, Types};
use pyo3::exceptions::PyRecursionError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

/// One step into a container: too many raise Python's `RecursionError`.
pub(crate) struct Nested;

impl Nested {
    pub(crate) fn enter(py: Python<'_>) -> PyResult<Nested> {
        // SAFETY: the GIL is held; the text is static.
        match unsafe {
            ffi::Py_EnterRecursiveCall(c" while looking for the type of a value".as_ptr())
        } {
            // From 3.12 on CPython counts steps in C that are smaller than ours.
            0 if numbra_runtime::is_stack_full() => {
                drop(Nested);
                Err(PyRecursionError::new_err(STACK_OVERFLOW.1))
            }
            0 => Ok(Nested),
            _ => Err(PyErr::fetch(py)),
        }
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        // SAFETY: made only after entering, by the same thread.
        unsafe { ffi::Py_LeaveRecursiveCall() }
    }
}

/// The type of an argument, which `types` holds, or `None` when it has none (Numba's `pyobject`).
pub(crate) fn typeof_object(types: &Types, object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    let ptr = object.as_ptr();
    // SAFETY: `object` is alive and the GIL is held for all reads here.
    let class = unsafe { ffi::Py_TYPE(ptr) };
    let exact = |ty: *mut ffi::PyTypeObject| class == ty;
    if exact(&raw mut ffi::PyLong_Type) {
        return typeof_int(object);
    }
    if exact(&raw mut ffi::PyFloat_Type) {
        return Ok(Some(Type::FLOAT64));
    }
    if exact(&raw mut ffi::PyBool_Type) {
        return Ok(Some(Type::BOOL));
    }
    if exact(&raw mut ffi::PyComplex_Type) {
        return Ok(Some(Type::COMPLEX128));
    }
    if object.is_none() {
        return Ok(Some(Type::NONE));
    }
    if let Some(api) = numpy::loaded(object.py())? {
        if class == api.array_type {
            return Ok(typeof_array(types, ptr.cast(), api));
        }
        // SAFETY: both are type objects.
        if unsafe { ffi::PyType_IsSubtype(class, api.generic_type) } != 0 {
            return typeof_numpy_scalar(types, object, api);
        }
        if numpy::is_plain_subclass(object, api) {
            return Ok(typeof_array(types, ptr.cast(), api));
        }
    }
    if let Some(ty) = typeof_scalar_class(types, object)? {
        return Ok(Some(ty));
    }
    if crate::random::is_generator(object) {
        return Ok(Some(types.intern(TypeKind::RandomGenerator)));
    }
    if let Some(ty) = crate::enums::typeof_member(types, object)? {
        return Ok(Some(ty));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        let _nested = Nested::enter(object.py())?;
        return typeof_tuple(types, tuple);
    }
    if let Some(found) = crate::types::typeof_own(types, object) {
        return found;
    }
    if object.is_instance_of::<pyo3::types::PyString>() {
        return Ok(Some(Type::UNICODE));
    }
    if object.is_instance_of::<pyo3::types::PyBytes>() {
        return Ok(Some(Type::BYTES));
    }
    if let Some(class) = crate::buffers::class_of(object) {
        return crate::buffers::typeof_buffer(types, class, object);
    }
    if let Ok(slice) = object.cast::<pyo3::types::PySlice>() {
        let step = slice.getattr("step")?;
        let plain = step.is_none() || step.extract::<i64>().is_ok_and(|s| s == 1);
        return Ok(Some(if plain { Type::SLICE2 } else { Type::SLICE3 }));
    }
    if object.is(py_ellipsis(object.py())) {
        return Ok(Some(Type::ELLIPSIS));
    }
    if crate::dispatcher::id_of(object).is_some() {
        return crate::dispatcher::type_of(types, object).map(Some);
    }
    // Subclasses of the builtin scalars, and whatever names its type itself.
    if let Ok(ty) = object.getattr("_numba_type_") {
        return crate::types::from_python(&ty).map(|ty| held(types, ty));
    }
    if object.is_instance_of::<pyo3::types::PyInt>() {
        return typeof_int(object);
    }
    if object.is_instance_of::<pyo3::types::PyFloat>() {
        return Ok(Some(Type::FLOAT64));
    }
    if object.is_instance_of::<pyo3::types::PyComplex>() {
        return Ok(Some(Type::COMPLEX128));
    }
    match crate::host::function_pointer(types, object)? {
        Some(KnownFunction::Address(ty, _)) => return Ok(Some(ty)),
        Some(KnownFunction::Jitted(id)) => {
            let jitted = crate::dispatcher::object_of(object.py(), id)?;
            return crate::dispatcher::type_of(types, &jitted).map(Some);
        }
        None => {}
    }
    if let Some(ty) = crate::polynomials::typeof_polynomial(types, object)? {
        return Ok(Some(ty));
    }
    let hook = {
        let hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
        hook.as_ref().map(|h| h.clone_ref(object.py()))
    };
    if let Some(hook) = hook {
        let found = hook.bind(object.py()).call1((object,))?;
        if !found.is_none() {
            return crate::types::from_python(&found).map(|ty| held(types, ty));
        }
    }
    // An instance of a subclass of `ndarray` that nothing else is said of is an array.
    match numpy::loaded(object.py())? {
        Some(api) if api.is_array(object) && !numpy::is_masked(object)? => {
            Ok(typeof_array(types, ptr.cast(), api))
        }
        _ => Ok(None),
    }
}

/// The type of a class of NumPy scalars: `np.float32`.
fn typeof_scalar_class(types: &Types, object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    let Ok(class) = object.cast_exact::<pyo3::types::PyType>() else {
        return Ok(None);
    };
    let Some(api) = numpy::loaded(object.py())? else {
        return Ok(None);
    };
    // SAFETY: both are type objects.
    if unsafe { ffi::PyType_IsSubtype(class.as_type_ptr(), api.generic_type) } == 0 {
        return Ok(None);
    }
    // Abstract classes name no dtype of their own.
    let Ok(descr) = object.py().import("numpy")?.call_method1("dtype", (class,)) else {
        return Ok(None);
    };
    if !descr.getattr("type")?.is(class) {
        return Ok(None);
    }
    let item = element_of_dtype(types, &descr);
    Ok(item.map(|item| types.intern(TypeKind::NumberClass(item))))
}

/// A type that a Python object holds, held by `types` too.
fn held(types: &Types, ty: Type) -> Option<Type> {
    types.hold(ty);
    Some(ty)
}

/// Asked for objects that have no type here: `typeof_impl` and what programs register on it.
static HOOK: Mutex<Option<Py<PyAny>>> = Mutex::new(None);

/// Sets the function that is asked for the types of further objects; it answers a type or None.
#[pyfunction]
pub(crate) fn _set_typeof_hook(hook: Py<PyAny>) {
    *HOOK.lock().unwrap_or_else(PoisonError::into_inner) = Some(hook);
}

fn py_ellipsis(py: Python<'_>) -> Bound<'_, PyAny> {
    py.Ellipsis().into_bound(py)
}

/// `int64` when it fits, `uint64` for the upper half, else Numba's ValueError.
fn typeof_int(object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    if object.extract::<i64>().is_ok() {
        return Ok(Some(Type::INT64));
    }
    if object.extract::<u64>().is_ok() {
        return Ok(Some(Type::UINT64));
    }
    Err(pyo3::exceptions::PyValueError::new_err(format!(
        "Int value is too large: {object}"
    )))
}

/// The array type of the memory of an `ndarray` or an instance of a subclass, whatever the object says of itself.
pub(crate) fn typeof_memory(types: &Types, object: &Bound<'_, PyAny>) -> Option<ArrayType> {
    let api = numpy::loaded(object.py()).ok()??;
    if !api.is_array(object) {
        return None;
    }
    let ty = typeof_array(types, object.as_ptr().cast(), api)?;
    types.as_array(ty)
}

/// True for what has the type of a tuple: no named tuple.
pub(crate) fn is_plain_tuple(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Ok(tuple) = object.cast::<PyTuple>() else {
        return Ok(false);
    };
    let named = named_class(tuple)?;
    Ok(named.is_none_or(|(_, fields)| fields.len() != tuple.len()))
}

/// `numbra_py_is_plain_tuple(object) -> yes`: for what is no exact tuple.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `object` is alive.
pub(crate) unsafe extern "C" fn numbra_py_is_plain_tuple(object: *mut PyObject) -> c_int {
    let run = |_: &Types, object: &Bound<'_, PyAny>| is_plain_tuple(object).map(c_int::from);
    // SAFETY: by contract.
    unsafe { crate::convert::for_argument(object, 0, run) }
}

/// The array type of an `ndarray`; `None` for element types that we do not have.
fn typeof_array(types: &Types, array: *const ArrayObject, api: &numpy::Api) -> Option<Type> {
    // SAFETY: the caller checked that this is an `ndarray`, alive under the GIL.
    let array = unsafe { &*array };
    let dtype = match api.scalar_of(array.descr) {
        Some(scalar) => types.scalar(scalar),
        None => element_of_equivalent(types, array.descr)?,
    };
    let flags = array.flags;
    let layout = if flags & at::NPY_C_CONTIGUOUS != 0 {
        Layout::C
    } else if flags & at::NPY_F_CONTIGUOUS != 0 {
        Layout::F
    } else {
        Layout::A
    };
    Some(types.intern(TypeKind::Array(ArrayType {
        dtype,
        ndim: u8::try_from(array.nd).ok()?,
        layout,
        mutable: flags & at::NPY_WRITEABLE != 0,
        aligned: flags & at::NPY_ALIGNED != 0,
    })))
}

/// The type of a dtype object that is not a builtin singleton (`long` beside `longlong`, unpickled dtypes, times).
pub(crate) fn element_of_equivalent(types: &Types, descr: *mut PyObject) -> Option<Type> {
    crate::python::try_enter(|py| {
        // SAFETY: the array keeps its dtype object alive.
        let descr = unsafe { Bound::from_borrowed_ptr(py, descr) };
        element_of_dtype(types, &descr)
    })
    .flatten()
}

/// The type of a NumPy dtype, in native byte order. Types of the last dtypes are remembered: a program has few.
pub(crate) fn element_of_dtype(types: &Types, descr: &Bound<'_, PyAny>) -> Option<Type> {
    const MOST: usize = 64;
    /// The last one first, each with a view that holds its type.
    static KNOWN: Mutex<Vec<(Py<PyAny>, Type, Types)>> = Mutex::new(Vec::new());
    {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = known.iter().position(|(dtype, ..)| dtype.is(descr)) {
            known[..=at].rotate_right(1);
            return held(types, known[0].1);
        }
    }
    let made = look_at_dtype(types, descr)?;
    let view = types.view();
    view.hold(made);
    let evicted = {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let evicted = (known.len() >= MOST).then(|| known.pop());
        known.insert(0, (descr.clone().unbind(), made, view));
        evicted
    };
    // Outside the lock: it may run destructors.
    drop(evicted);
    held(types, made)
}

/// The type of a NumPy dtype by its attributes.
fn look_at_dtype(types: &Types, descr: &Bound<'_, PyAny>) -> Option<Type> {
    if let Some(scalar) = scalar_of_dtype(descr) {
        return Some(types.scalar(scalar));
    }
    let kind: String = descr.getattr("kind").ok()?.extract().ok()?;
    if kind == "V" {
        let made = descr
            .py()
            .import("numbra.np.numpy_support")
            .and_then(|module| module.call_method1("from_dtype", (descr,)))
            .and_then(|ty| crate::types::from_python(&ty));
        return made.ok();
    }
    if kind == "S" || kind == "U" {
        let size: u32 = descr.getattr("itemsize").ok()?.extract().ok()?;
        let native: bool = descr.getattr("isnative").ok()?.extract().ok()?;
        return native.then(|| {
            types.intern(match kind.as_str() {
                "S" => TypeKind::CharSeq(size),
                _ => TypeKind::UnicodeCharSeq(size / 4),
            })
        });
    }
    // `<M8[D]`, `<m8`
    let text: String = descr.getattr("str").ok()?.extract().ok()?;
    let text = text.strip_prefix('<')?;
    let (is_date, unit) = match text.strip_prefix("M8") {
        Some(unit) => (true, unit),
        None => (false, text.strip_prefix("m8")?),
    };
    let unit = unit.trim_start_matches('[').trim_end_matches(']');
    let unit = TimeUnit::from_name(unit)?;
    Some(types.time(TimeType { is_date, unit }))
}

/// The scalar of a NumPy dtype, in native byte order.
pub(crate) fn scalar_of_dtype(descr: &Bound<'_, PyAny>) -> Option<Scalar> {
    let native: bool = descr.getattr("isnative").ok()?.extract().ok()?;
    let kind: String = descr.getattr("kind").ok()?.extract().ok()?;
    let size: u32 = descr.getattr("itemsize").ok()?.extract().ok()?;
    if !native {
        return None;
    }
    Some(match (kind.as_str(), size) {
        ("b", 1) => Scalar::Bool,
        ("i", 1) => Scalar::Int8,
        ("i", 2) => Scalar::Int16,
        ("i", 4) => Scalar::Int32,
        ("i", 8) => Scalar::Int64,
        ("u", 1) => Scalar::UInt8,
        ("u", 2) => Scalar::UInt16,
        ("u", 4) => Scalar::UInt32,
        ("u", 8) => Scalar::UInt64,
        ("f", 2) => Scalar::Float16,
        ("f", 4) => Scalar::Float32,
        ("f", 8) => Scalar::Float64,
        ("c", 8) => Scalar::Complex64,
        ("c", 16) => Scalar::Complex128,
        _ => return None,
    })
}

fn typeof_numpy_scalar(
    types: &Types,
    object: &Bound<'_, PyAny>,
    api: &numpy::Api,
) -> PyResult<Option<Type>> {
    // SAFETY: `object` is alive under the GIL.
    if let Some(scalar) = api.scalar_of_class(unsafe { ffi::Py_TYPE(object.as_ptr()) }) {
        return Ok(Some(types.scalar(scalar)));
    }
    if let Some(time) = api.time_of(object) {
        return Ok(Some(types.time(time)));
    }
    let descr = object.getattr("dtype")?;
    Ok(match api.scalar_of(descr.as_ptr()) {
        Some(scalar) => Some(types.scalar(scalar)),
        None => element_of_dtype(types, &descr),
    })
}

fn typeof_tuple(types: &Types, tuple: &Bound<'_, PyTuple>) -> PyResult<Option<Type>> {
    let mut items = Vec::with_capacity(tuple.len());
    for item in tuple.iter() {
        match typeof_object(types, &item)? {
            Some(ty) => items.push(ty),
            None => return Ok(None),
        }
    }
    Ok(Some(match named_class(tuple)? {
        Some((name, fields)) if fields.len() == items.len() => {
            types.intern(TypeKind::NamedTuple(name, fields, items))
        }
        _ => match crate::dispatcher::common_function_type(types, &items) {
            Some(function) => types.tuple(&vec![function; items.len()]),
            None => types.tuple(&items),
        },
    }))
}

/// The name and the fields of a named tuple's class; other subclasses of tuples are plain tuples to compiled code.
pub(crate) fn named_class(tuple: &Bound<'_, PyTuple>) -> PyResult<Option<(String, Vec<String>)>> {
    let class = tuple.get_type();
    if tuple.is_exact_instance_of::<PyTuple>() || !class.hasattr("_fields")? {
        return Ok(None);
    }
    // `_fields` of another kind, as of a node of a syntax tree, makes no named tuple.
    let Ok(fields) = class.getattr("_fields")?.extract::<Vec<String>>() else {
        return Ok(None);
    };
    let name = crate::classes::register_class(class.py(), class.name()?.extract()?, &class);
    Ok((fields.len() == tuple.len()).then_some((name, fields)))
}

/// The error for a container whose items would say its type.
pub(crate) fn no_items(container: &str) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(format!(
        "cannot compute fingerprint of empty {container}: it has no item that says the type of its items; pass an array, such \
         as `np.empty(0)`"
    ))
}

/// A plain Python value as a compile-time constant, if it is one.
pub(crate) fn constant_of(object: &Bound<'_, PyAny>) -> Option<Const> {
    if object.is_none() {
        return Some(Const::None);
    }
    if object.is_exact_instance_of::<pyo3::types::PyBool>() {
        return object.extract().ok().map(Const::Bool);
    }
    if object.is_exact_instance_of::<pyo3::types::PyInt>() {
        if let Ok(value) = object.extract::<i64>() {
            return Some(Const::Int(value));
        }
        let digits = object.str().ok()?.extract::<String>().ok()?;
        return digits.parse().ok().map(Const::BigInt);
    }
    if object.is_exact_instance_of::<pyo3::types::PyFloat>() {
        return object.extract().ok().map(Const::float);
    }
    if let Ok(value) = object.cast_exact::<pyo3::types::PyComplex>() {
        use pyo3::types::PyComplexMethods;
        return Some(Const::Complex(
            value.real().to_bits(),
            value.imag().to_bits(),
        ));
    }
    if object.is_exact_instance_of::<pyo3::types::PyString>() {
        return object.extract().ok().map(Const::Str);
    }
    if object.is_exact_instance_of::<pyo3::types::PyBytes>() {
        return object.extract().ok().map(Const::Bytes);
    }
    if object.is(py_ellipsis(object.py())) {
        return Some(Const::Ellipsis);
    }
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        let _nested = Nested::enter(object.py()).ok()?;
        return tuple
            .iter()
            .map(|item| constant_of(&item))
            .collect::<Option<Vec<_>>>()
            .map(Const::Tuple);
    }
    if let Ok(slice) = object.cast_exact::<pyo3::types::PySlice>() {
        let part = |name: &str| slice.getattr(name).ok().and_then(|p| constant_of(&p));
        return Some(Const::Slice(Box::new([
            part("start")?,
            part("stop")?,
            part("step")?,
        ])));
    }
    None
}
