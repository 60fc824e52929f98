//! Helpers that entry wrappers call: unboxing beyond the inline checks, boxing, and raising.
//!
//! Leaves travel in blocks with one leaf every 16 bytes, as the internal ABI has it.

use crate::numpy::{self, ArrayObject};
use crate::session::{session, type_of_code};
use crate::typeof_::typeof_object;
use numbra_abi::{HEADER, header_flags};
use numbra_ir::lattice::can_convert;
use numbra_ir::{ArrayType, Const, Scalar, Type, TypeKind, Types};
use pyo3::exceptions::{PyMemoryError, PySystemError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyComplex, PyTuple};
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

thread_local! {
    /// Set while a dispatcher calls an entry whose types the arguments only convert to.
    static LENIENT: Cell<bool> = const { Cell::new(false) };
    /// Why the last value that has the right type could not be unboxed.
    static UNBOX_ERROR: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Why an entry missed an argument of its parameter's type, if that is why it did.
pub(crate) fn take_unbox_error() -> Option<PyErr> {
    UNBOX_ERROR.take()
}

/// Runs `call` with argument conversion allowed in `numbra_py_unbox`.
pub(crate) fn leniently<R>(call: impl FnOnce() -> R) -> R {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            LENIENT.set(self.0);
        }
    }
    let _reset = Reset(LENIENT.replace(true));
    call()
}

/// One leaf as the word (or two) that the block holds.
type Words = [u64; 2];

/// `numbra_py_unbox(object, type, leaves) -> hit`: fills the leaves of `object` as `type`; 0 when it is not of that type.
/// The owner leaf of an array is left to the caller.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `object` is alive, `block` has room for the type's leaves.
pub(crate) unsafe extern "C" fn numbra_py_unbox(
    object: *mut PyObject,
    code: u64,
    block: *mut Words,
) -> c_int {
    guarded(0, || {
        // SAFETY: the wrapper runs with the GIL held.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: the wrapper's argument array keeps the object alive.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        let mut leaves = Vec::new();
        match unbox(
            &session().types,
            type_of_code(code),
            &object,
            LENIENT.get(),
            &mut leaves,
        ) {
            Ok(true) => {
                for (index, leaf) in leaves.into_iter().enumerate() {
                    // SAFETY: the wrapper sized the block for the leaves of this type.
                    unsafe { *block.add(index) = leaf };
                }
                1
            }
            Ok(false) => 0,
            Err(error) => {
                UNBOX_ERROR.set(Some(error));
                0
            }
        }
    })
}

/// Runs a helper body; a panic in it must not cross into machine code.
fn guarded<R>(failed: R, body: impl FnOnce() -> R) -> R {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_or(failed)
}

fn unbox(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
    lenient: bool,
    out: &mut Vec<Words>,
) -> PyResult<bool> {
    if let TypeKind::Optional(inner) = types.kind(ty) {
        if object.is_none() {
            let mut probe = vec![[0, 0]];
            let count = numbra_lower::lowering::leaves(types, *inner)
                .map_err(PyTypeError::new_err)?
                .len();
            probe.resize(1 + count, [0, 0]);
            out.extend(probe);
            return Ok(true);
        }
        out.push([1, 0]);
        return unbox(types, *inner, object, lenient, out);
    }
    if matches!(types.kind(ty), TypeKind::NamedTuple(..)) && typeof_object(object)? != Some(ty) {
        return Ok(false);
    }
    if let (Some(items), Ok(tuple)) = (types.tuple_items(ty), object.cast::<PyTuple>()) {
        if items.len() != tuple.len() {
            return Ok(false);
        }
        for (item, element) in items.iter().zip(tuple.iter()) {
            if !unbox(types, *item, &element, lenient, out)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if let TypeKind::Literal(value) = types.kind(ty) {
        // Nothing to pass: the entry is for this value only.
        return Ok(crate::typeof_::constant_of(object).as_ref() == Some(value));
    }
    let Some(found) = typeof_object(object)? else {
        return Ok(false);
    };
    let matches = found == ty || (lenient && can_convert(types, found, ty).is_some());
    if !matches {
        return Ok(false);
    }
    match types.kind(ty) {
        TypeKind::Scalar(scalar, _) => unbox_scalar(*scalar, object, out).map(|()| true),
        TypeKind::Array(_) => {
            // SAFETY: `typeof` found an array type, of this rank, only for an exact `ndarray`.
            unsafe { array_leaves(object.as_ptr().cast(), out) };
            Ok(true)
        }
        TypeKind::None | TypeKind::Ellipsis => Ok(true),
        TypeKind::Slice2 | TypeKind::Slice3 => {
            let part = |name: &str, default: i64| -> PyResult<i64> {
                let part = object.getattr(name)?;
                if part.is_none() {
                    Ok(default)
                } else {
                    part.extract()
                }
            };
            let step = part("step", 1)?;
            let (start, stop) = if step >= 0 {
                (0, i64::MAX)
            } else {
                (i64::MAX, i64::MIN)
            };
            for value in [part("start", start)?, part("stop", stop)?] {
                out.push([value as u64, 0]);
            }
            if matches!(types.kind(ty), TypeKind::Slice3) {
                out.push([step as u64, 0]);
            }
            Ok(true)
        }
        _ => Ok(numbra_lower::lowering::leaves(types, ty).is_ok_and(|l| l.is_empty())),
    }
}

/// The value of a Python or NumPy scalar in the representation of `scalar`.
fn unbox_scalar(scalar: Scalar, object: &Bound<'_, PyAny>, out: &mut Vec<Words>) -> PyResult<()> {
    if scalar == Scalar::Bool {
        out.push([u64::from(object.is_truthy()?), 0]);
    } else if scalar.is_int() {
        // The low bits of the integer part, as Numba takes them.
        // SAFETY: `object` is alive under the GIL.
        let number = unsafe {
            Bound::from_owned_ptr_or_err(object.py(), ffi::PyNumber_Long(object.as_ptr()))
        }?;
        let bits = if scalar.is_unsigned_int() {
            number.extract::<u64>()?
        } else {
            number.extract::<i64>()? as u64
        };
        out.push([bits, 0]);
    } else if scalar.is_float() {
        let value: f64 = object.extract()?;
        let bits = match scalar {
            Scalar::Float32 => u64::from((value as f32).to_bits()),
            Scalar::Float64 => value.to_bits(),
            _ => return Err(PyTypeError::new_err("float16 values cannot be passed")),
        };
        out.push([bits, 0]);
    } else {
        // SAFETY: `object` is alive under the GIL.
        let value = unsafe { ffi::PyComplex_AsCComplex(object.as_ptr()) };
        if value.real == -1.0 && PyErr::occurred(object.py()) {
            return Err(PyErr::fetch(object.py()));
        }
        for part in [value.real, value.imag] {
            let bits = if scalar == Scalar::Complex64 {
                u64::from((part as f32).to_bits())
            } else {
                part.to_bits()
            };
            out.push([bits, 0]);
        }
    }
    Ok(())
}

/// Leaves of an array but the owner, whose place is filled with zero.
///
/// # Safety
/// `array` is an exact `ndarray`, alive under the GIL.
pub(crate) unsafe fn array_leaves(array: *const ArrayObject, out: &mut Vec<Words>) {
    // SAFETY: by contract.
    let array = unsafe { &*array };
    let ndim = usize::try_from(array.nd).unwrap_or(0);
    out.push([array.data as u64, 0]);
    out.push([0, 0]);
    for axis in 0..ndim {
        // SAFETY: an array has `nd` dimensions and strides.
        out.push([unsafe { *array.dimensions.add(axis) } as u64, 0]);
    }
    for axis in 0..ndim {
        // SAFETY: as above.
        out.push([unsafe { *array.strides.add(axis) } as u64, 0]);
    }
}

/// `numbra_py_box(type, leaves) -> PyObject*`: a new object from leaves; null with an exception set when it cannot be made.
/// References among the leaves are borrowed.
///
/// # Safety
/// Called by entry wrappers: the GIL is held and `block` holds the leaves of the type.
pub(crate) unsafe extern "C" fn numbra_py_box(code: u64, block: *const Words) -> *mut PyObject {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: the wrapper runs with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let types = &session().types;
        let ty = type_of_code(code);
        let boxed = numbra_lower::lowering::leaves(types, ty)
            .map_err(PyTypeError::new_err)
            .and_then(|shape| {
                // SAFETY: the block holds one entry a leaf.
                let leaves = unsafe { std::slice::from_raw_parts(block, shape.len()) };
                box_value(py, types, ty, &mut { leaves })
            });
        match boxed {
            Ok(object) => object.into_ptr(),
            Err(error) => {
                error.restore(py);
                std::ptr::null_mut()
            }
        }
    })
}

fn box_value<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    rest: &mut &[Words],
) -> PyResult<Bound<'py, PyAny>> {
    let mut take = || {
        let (first, tail) = rest
            .split_first()
            .ok_or_else(|| PySystemError::new_err("result block too short"))?;
        *rest = tail;
        PyResult::Ok(first[0])
    };
    if let Some(items) = types.tuple_items(ty) {
        let values = items
            .iter()
            .map(|item| box_value(py, types, *item, rest))
            .collect::<PyResult<Vec<_>>>()?;
        if let TypeKind::NamedTuple(name, ..) = types.kind(ty)
            && let Some(class) = crate::host::class_named(py, name)
        {
            return class.call1(PyTuple::new(py, values)?);
        }
        return Ok(PyTuple::new(py, values)?.into_any());
    }
    Ok(match types.kind(ty) {
        TypeKind::None | TypeKind::Omitted(_) => py.None().into_bound(py),
        TypeKind::Scalar(scalar, _) => {
            let bits = take()?;
            match scalar {
                Scalar::Bool => pyo3::types::PyBool::new(py, bits as u8 != 0)
                    .to_owned()
                    .into_any(),
                Scalar::Int8 => (bits as i8).into_pyobject(py)?.into_any(),
                Scalar::Int16 => (bits as i16).into_pyobject(py)?.into_any(),
                Scalar::Int32 => (bits as i32).into_pyobject(py)?.into_any(),
                Scalar::Int64 => (bits as i64).into_pyobject(py)?.into_any(),
                Scalar::UInt8 => (bits as u8).into_pyobject(py)?.into_any(),
                Scalar::UInt16 => (bits as u16).into_pyobject(py)?.into_any(),
                Scalar::UInt32 => (bits as u32).into_pyobject(py)?.into_any(),
                Scalar::UInt64 => bits.into_pyobject(py)?.into_any(),
                Scalar::Float16 => {
                    return Err(PyTypeError::new_err(
                        "cannot convert native float16 to Python object",
                    ));
                }
                Scalar::Float32 => f64::from(f32::from_bits(bits as u32))
                    .into_pyobject(py)?
                    .into_any(),
                Scalar::Float64 => f64::from_bits(bits).into_pyobject(py)?.into_any(),
                Scalar::Complex64 => {
                    let imag = f32::from_bits(take()? as u32);
                    PyComplex::from_doubles(
                        py,
                        f64::from(f32::from_bits(bits as u32)),
                        f64::from(imag),
                    )
                    .into_any()
                }
                Scalar::Complex128 => {
                    let imag = f64::from_bits(take()?);
                    PyComplex::from_doubles(py, f64::from_bits(bits), imag).into_any()
                }
            }
        }
        TypeKind::Literal(value) => {
            let count = numbra_lower::lowering::leaves(types, ty)
                .map_err(PyTypeError::new_err)?
                .len();
            *rest = &rest[count..];
            constant(py, value)?
        }
        TypeKind::Optional(inner) => {
            let present = take()? as u8 != 0;
            let value = box_value(py, types, *inner, rest);
            if present {
                value?
            } else {
                py.None().into_bound(py)
            }
        }
        TypeKind::Array(array) => {
            let leaves = 2 + 2 * usize::from(array.ndim);
            if rest.len() < leaves {
                return Err(PySystemError::new_err("result block too short"));
            }
            let (mine, tail) = rest.split_at(leaves);
            *rest = tail;
            box_array(py, types, *array, mine)?
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "cannot convert native {} to Python object",
                types.display(ty)
            )));
        }
    })
}

/// A constant as the Python object.
pub(crate) fn constant<'py>(py: Python<'py>, value: &Const) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Const::None => py.None().into_bound(py),
        Const::Ellipsis => py.Ellipsis().into_bound(py),
        Const::Bool(b) => pyo3::types::PyBool::new(py, *b).to_owned().into_any(),
        Const::Int(i) => i.into_pyobject(py)?.into_any(),
        Const::BigInt(digits) => py
            .get_type::<pyo3::types::PyInt>()
            .call1((digits.to_string(),))?,
        Const::Float(bits) => f64::from_bits(*bits).into_pyobject(py)?.into_any(),
        Const::Complex(re, im) => {
            PyComplex::from_doubles(py, f64::from_bits(*re), f64::from_bits(*im)).into_any()
        }
        Const::Str(s) => s.into_pyobject(py)?.into_any(),
        Const::Bytes(b) => pyo3::types::PyBytes::new(py, b).into_any(),
        Const::Tuple(items) => {
            let items = items
                .iter()
                .map(|item| constant(py, item))
                .collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, items)?.into_any()
        }
        Const::Slice(parts) => {
            let slice = py.import("builtins")?.getattr("slice")?;
            slice.call1((
                constant(py, &parts[0])?,
                constant(py, &parts[1])?,
                constant(py, &parts[2])?,
            ))?
        }
    })
}

/// An array result: the argument itself when the view is unchanged, a view of it, or a new `ndarray` over our memory.
fn box_array<'py>(
    py: Python<'py>,
    types: &Types,
    ty: ArrayType,
    leaves: &[Words],
) -> PyResult<Bound<'py, PyAny>> {
    let api = numpy::api(py)?;
    let ndim = usize::from(ty.ndim);
    let data = leaves[0][0] as *mut u8;
    let owner = leaves[1][0] as *mut u8;
    let word = |index: usize| leaves[index][0] as isize;
    let shape: Vec<isize> = (0..ndim).map(|axis| word(2 + axis)).collect();
    let strides: Vec<isize> = (0..ndim).map(|axis| word(2 + ndim + axis)).collect();
    let object = if owner.is_null() {
        std::ptr::null_mut()
    } else {
        header_word(owner, 5) as *mut PyObject
    };
    if !object.is_null() {
        // SAFETY: the header's owner object is alive: it is an argument of the running call, or the header holds a reference.
        if let Some(same) = unsafe { unchanged(py, api, object, ty.dtype, data, &shape, &strides) }
        {
            return Ok(same);
        }
    }
    let Some(scalar) = types.as_scalar(ty.dtype) else {
        return Err(PyTypeError::new_err(format!(
            "cannot convert native array of {} to Python object",
            types.display(ty.dtype)
        )));
    };
    let descr = api.descr(scalar);
    // SAFETY: `descr` is a live dtype object; NewFromDescr steals this reference.
    unsafe { ffi::Py_INCREF(descr) };
    let flags = crate::layout::NPY_WRITEABLE | crate::layout::NPY_ALIGNED;
    let flags = if ty.mutable {
        flags
    } else {
        crate::layout::NPY_ALIGNED
    };
    // SAFETY: shape and strides hold `ndim` words; NumPy copies them; contiguity flags are computed by NumPy.
    let array = unsafe {
        (api.new_from_descr)(
            api.array_type,
            descr,
            ndim as c_int,
            shape.as_ptr(),
            strides.as_ptr(),
            data.cast::<c_void>(),
            flags,
            std::ptr::null_mut(),
        )
    };
    // SAFETY: a new reference, or null with an exception set.
    let array = unsafe { Bound::from_owned_ptr_or_err(py, array) }?;
    let base = if !object.is_null() {
        // SAFETY: alive as above; the array takes this reference.
        unsafe { ffi::Py_INCREF(object) };
        object
    } else if !owner.is_null() {
        owner_capsule(py, owner)?
    } else {
        return Ok(array);
    };
    // SAFETY: steals the reference to `base` also on failure.
    if unsafe { (api.set_base_object)(array.as_ptr(), base) } != 0 {
        return Err(PyErr::fetch(py));
    }
    Ok(array)
}

/// Word `index` of the fields of a header.
fn header_word(header: *const u8, index: usize) -> u64 {
    // SAFETY: a non-null owner leaf points to a live header.
    unsafe {
        header
            .add(HEADER.offset(index) as usize)
            .cast::<u64>()
            .read()
    }
}

/// The argument itself if the result is the whole of it, unchanged.
///
/// # Safety
/// `object` is alive and the GIL is held.
unsafe fn unchanged<'py>(
    py: Python<'py>,
    api: &numpy::Api,
    object: *mut PyObject,
    dtype: Type,
    data: *mut u8,
    shape: &[isize],
    strides: &[isize],
) -> Option<Bound<'py, PyAny>> {
    // SAFETY: alive by contract.
    if unsafe { ffi::Py_TYPE(object) } != api.array_type {
        return None;
    }
    // SAFETY: an exact `ndarray`.
    let array = unsafe { &*object.cast::<ArrayObject>() };
    if array.data != data || array.nd as usize != shape.len() {
        return None;
    }
    // The real parts of a complex array start where it starts.
    let scalar = session().types.as_scalar(dtype);
    if scalar.map(|s| api.descr(s)) != Some(array.descr) {
        return None;
    }
    let same = |at: *const isize, want: &[isize]| {
        // SAFETY: an array has `nd` dimensions and strides.
        want.iter()
            .enumerate()
            .all(|(axis, n)| unsafe { *at.add(axis) } == *n)
    };
    if !same(array.dimensions, shape) || !same(array.strides, strides) {
        return None;
    }
    // SAFETY: alive by contract; we take a new reference.
    Some(unsafe { Bound::from_borrowed_ptr(py, object) })
}

const CAPSULE_NAME: &std::ffi::CStr = c"numbra.meminfo";

/// A Python object that owns one reference to a heap header.
fn owner_capsule(py: Python<'_>, owner: *mut u8) -> PyResult<*mut PyObject> {
    debug_assert_eq!(
        header_word(owner, 2) & header_flags::FRAME,
        0,
        "frame headers have an owner object"
    );
    // SAFETY: field 0 of a live header is its atomic count; the new reference belongs to the capsule.
    unsafe { (*owner.cast::<AtomicI64>()).fetch_add(1, Ordering::Relaxed) };
    // SAFETY: the destructor gives the reference back.
    let capsule =
        unsafe { ffi::PyCapsule_New(owner.cast(), CAPSULE_NAME.as_ptr(), Some(drop_owner)) };
    if capsule.is_null() {
        // SAFETY: we hold the reference taken above.
        unsafe { numbra_runtime::release(owner.cast()) };
        return Err(PyMemoryError::new_err("out of memory"));
    }
    let _ = py;
    Ok(capsule)
}

unsafe extern "C" fn drop_owner(capsule: *mut PyObject) {
    // SAFETY: called once by CPython with a capsule that `owner_capsule` made.
    unsafe {
        let owner = ffi::PyCapsule_GetPointer(capsule, CAPSULE_NAME.as_ptr());
        if !owner.is_null() {
            numbra_runtime::release(owner.cast());
        }
    }
}

/// What a pending native exception says: the JSON of a `lir::Exception`, written by the code generator.
#[derive(serde::Deserialize)]
struct Description {
    class: String,
    args: Vec<Option<String>>,
    function: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    line: u32,
}

unsafe extern "C" {
    /// Adds a frame to the traceback of the current exception (CPython, `Include/internal/pycore_traceback.h`; exported).
    fn _PyTraceback_Add(function: *const c_char, file: *const c_char, line: c_int);
}

/// `numbra_py_raise(callable) -> null`: turns the thread's pending native exception into a Python one.
///
/// # Safety
/// Called by entry wrappers with the GIL held.
pub(crate) unsafe extern "C" fn numbra_py_raise(_callable: *mut PyObject) -> *mut PyObject {
    guarded((), || {
        // SAFETY: the wrapper runs with the GIL held.
        let py = unsafe { Python::assume_attached() };
        if PyErr::occurred(py) && numbra_runtime::peek_error().is_none() {
            return; // A helper or a callback has set it.
        }
        raise_pending(py).restore(py);
        add_frame();
    });
    std::ptr::null_mut()
}

thread_local! {
    static FRAME: Cell<Option<(CString, CString, c_int)>> = const { Cell::new(None) };
}

fn add_frame() {
    if let Some((function, file, line)) = FRAME.take() {
        // SAFETY: an exception is set, the GIL is held, the strings outlive the call.
        unsafe { _PyTraceback_Add(function.as_ptr(), file.as_ptr(), line) };
    }
}

fn raise_pending(py: Python<'_>) -> PyErr {
    let Some(pending) = numbra_runtime::take_error() else {
        return PySystemError::new_err("a compiled function failed without an exception");
    };
    let description: Description = match serde_json::from_slice(pending.description()) {
        Ok(description) => description,
        Err(error) => return PySystemError::new_err(format!("bad exception description: {error}")),
    };
    let line = if pending.line() > 0 {
        pending.line() as u32
    } else {
        description.line
    };
    if !description.file.is_empty()
        && line > 0
        && let (Ok(function), Ok(file)) = (
            CString::new(description.function.as_str()),
            CString::new(description.file.as_str()),
        )
    {
        FRAME.set(Some((function, file, line as c_int)));
    }
    exception(py, &description.class, &description.args, pending.args())
}

/// The Python exception that a description stands for; `words` fill the arguments without text.
pub(crate) fn exception(
    py: Python<'_>,
    class: &str,
    args: &[Option<String>],
    words: &[u64],
) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let class = crate::host::exception_class(py, class)?;
        let mut words = words.iter().copied();
        let mut values = Vec::new();
        for arg in args {
            values.push(match arg {
                Some(text) => match text.strip_prefix('=').and_then(|t| t.split_once(':')) {
                    Some((count, ty)) => run_time_arg(py, count, ty, &mut words)?,
                    None => literal(py, text)?,
                },
                None => (words.next().unwrap_or(0) as i64)
                    .into_pyobject(py)?
                    .into_any(),
            });
        }
        let instance = class.call1(PyTuple::new(py, values)?)?;
        Ok(PyErr::from_value(instance))
    };
    build().unwrap_or_else(|error| error)
}

/// An argument of an exception whose leaves are run-time words: see `lir::Exception::args`.
fn run_time_arg<'py>(
    py: Python<'py>,
    count: &str,
    ty: &str,
    words: &mut dyn Iterator<Item = u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let types = &session().types;
    let bad = |_| PySystemError::new_err(format!("bad exception argument: {count}:{ty}"));
    let ty = types.parse(ty).map_err(|e| bad(e.to_string()))?;
    let count: usize = count
        .parse()
        .map_err(|e: std::num::ParseIntError| bad(e.to_string()))?;
    let leaves: Vec<Words> = words.take(count).map(|word| [word, 0]).collect();
    box_value(py, types, ty, &mut leaves.as_slice())
}

/// A Python constant from its text.
fn literal<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(value) = py.import("ast")?.call_method1("literal_eval", (text,)) {
        return Ok(value);
    }
    // `inf`, `nan` and `complex(..)` are no literals.
    let names = pyo3::types::PyDict::new(py);
    names.set_item("inf", f64::INFINITY)?;
    names.set_item("nan", f64::NAN)?;
    names.set_item("complex", py.get_type::<PyComplex>())?;
    let text = CString::new(text)?;
    py.eval(&text, Some(&names), None)
}
