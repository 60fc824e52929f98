//! Genuine NumPy ufuncs over compiled inner loops.

use crate::convert::Kept;
use crate::dispatcher::{self, Entry};
use crate::interrupt;
use crate::python::{Held, attach};
use crate::ufunc_parallel::{SpreadLoop, hand_over_error, spread_loop};
use numbra_ir::DispatcherId;
use pyo3::exceptions::{PyImportError, PyMemoryError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCapsule, PyList, PyTuple, PyType};
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::{Arc, OnceLock};

/// The leading fields of `PyUFuncObject`, the same in NumPy 1.x and 2.x.
#[repr(C)]
struct UfuncObject {
    ob_base: PyObject,
    nin: c_int,
    nout: c_int,
    nargs: c_int,
    identity: c_int,
    functions: *const c_void,
    data: *const c_void,
    ntypes: c_int,
    reserved1: c_int,
    name: *const c_char,
    types: *const c_char,
    doc: *const c_char,
    ptr: *mut c_void,
    obj: *mut PyObject,
    userloops: *mut PyObject,
    core_enabled: c_int,
    core_num_dim_ix: c_int,
    core_num_dims: *const c_int,
    core_dim_ixs: *const c_int,
    core_offsets: *const c_int,
    core_signature: *const c_char,
    type_resolver: *const c_void,
    dict_or_selector: *const c_void,
    vectorcall: *const c_void,
    reserved3: *const c_void,
    op_flags: *mut u32,
}

type FromFuncAndDataAndSignature = unsafe extern "C" fn(
    *mut *const c_void,
    *const *mut c_void,
    *const c_char,
    c_int,
    c_int,
    c_int,
    c_int,
    *const c_char,
    *const c_char,
    c_int,
    *const c_char,
) -> *mut PyObject;

/// `NPY_ITER_READWRITE | NPY_ITER_UPDATEIFCOPY`: converted operands are written back.
const READWRITE: u32 = 0x0001_0000 | 0x0080_0000;

/// What a ufunc points to. It lives as long as the ufunc, through the ufunc's `obj`.
struct Parts {
    functions: Vec<*const c_void>,
    /// What the loops of the target `parallel` run; `data` points to them.
    spread: Vec<SpreadLoop>,
    /// What loops whose code may change run; `data` points to them.
    changing: Vec<Arc<Entry>>,
    data: Vec<*mut c_void>,
    types: Vec<c_char>,
    name: CString,
    doc: CString,
    signature: Option<CString>,
    /// Keep the machine code of loops that NumPy calls itself.
    _fixed: Vec<Arc<Entry>>,
    _dispatcher: Py<PyAny>,
}

// SAFETY: the pointers are addresses of code and of the vectors beside them; nothing is written through them.
unsafe impl Send for Parts {}

/// `PyUFunc_FromFuncAndDataAndSignature`: entry 31 of NumPy's stable ufunc table.
fn constructor(py: Python<'_>) -> PyResult<FromFuncAndDataAndSignature> {
    let module = py
        .import("numpy._core._multiarray_umath")
        .or_else(|_| py.import("numpy.core._multiarray_umath"))?;
    let capsule = module.getattr("_UFUNC_API")?;
    // SAFETY: NumPy documents `_UFUNC_API` as a capsule without a name that holds a table of pointers.
    let table = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), std::ptr::null()) }
        .cast::<*mut c_void>();
    if table.is_null() {
        return Err(PyImportError::new_err("NumPy has no ufunc API"));
    }
    // SAFETY: the index is that of NumPy's stable table, the type that of the function there.
    Ok(unsafe { std::mem::transmute::<*mut c_void, FromFuncAndDataAndSignature>(*table.add(31)) })
}

/// What a ufunc is made of, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Description {
    name: String,
    doc: String,
    nin: usize,
    nout: usize,
    /// 0, 1, -1 (none) or -2 (none, but operands may be reordered).
    identity: c_int,
    /// The core signature of a generalised ufunc.
    signature: Option<String>,
    /// Type numbers of NumPy, operand by operand, loop by loop.
    types: Vec<i8>,
    /// The compiled signature of each loop, by position in the dispatcher.
    entries: Vec<usize>,
    /// Operands that the kernel may write though they are inputs.
    writable: Vec<usize>,
    /// The first loop that operands cast to is taken, even where a later one fits exactly.
    in_order: bool,
    /// Elements are computed in several threads.
    parallel: bool,
}

/// A NumPy ufunc whose loops are those of a dispatcher's compiled signatures.
#[pyfunction]
pub(crate) fn _make_ufunc<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
    description: Description,
) -> PyResult<Bound<'py, PyAny>> {
    let d = description;
    let nargs = d.nin + d.nout;
    if d.types.len() != nargs * d.entries.len() || nargs == 0 || nargs > 32 {
        return Err(PyValueError::new_err(
            "a ufunc with the wrong number of types",
        ));
    }
    let text =
        |t: String| CString::new(t).map_err(|_| PyValueError::new_err("a text with NUL in it"));
    let compiled = dispatcher::inner(dispatcher)?.entries();
    let mut functions = Vec::new();
    let (mut spread, mut changing, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
    for &entry in &d.entries {
        let entry = compiled
            .get(entry)
            .ok_or_else(|| PyValueError::new_err("no such signature"))?;
        functions.push(if d.parallel {
            spread.push(SpreadLoop {
                entry: entry.clone(),
                inputs: d.nin,
                operands: nargs,
                core_axes: 0,
            });
            spread_loop as *const c_void
        } else if entry.may_change() {
            changing.push(entry.clone());
            changing_loop as *const c_void
        } else {
            fixed.push(entry.clone());
            let address = entry.compiled.entry_address();
            let gone = || PyValueError::new_err("the code of this signature was superseded");
            address.ok_or_else(gone)?.cast()
        });
    }
    let mut parts = Box::new(Held::new(Parts {
        data: vec![std::ptr::null_mut(); functions.len().max(1)],
        types: d.types,
        name: text(d.name)?,
        doc: text(d.doc)?,
        signature: d.signature.map(text).transpose()?,
        functions,
        spread,
        changing,
        _fixed: fixed,
        _dispatcher: dispatcher.clone().unbind(),
    }));
    let Parts {
        data,
        spread,
        changing,
        ..
    } = &mut **parts;
    // All loops of a ufunc are of one kind: its dispatcher has one tier.
    for (data, spread) in data.iter_mut().zip(spread) {
        *data = (&raw const *spread).cast_mut().cast();
    }
    for (data, entry) in data.iter_mut().zip(changing) {
        *data = (&raw const *entry).cast_mut().cast();
    }
    let make = constructor(py)?;
    let count = parts.functions.len() as c_int;
    // SAFETY: the GIL is held; everything pointed to is kept by `obj` below and does not move: it is on the heap.
    let ufunc = unsafe {
        let made = make(
            parts.functions.as_ptr().cast_mut(),
            parts.data.as_ptr(),
            parts.types.as_ptr(),
            if d.in_order { 0 } else { count },
            d.nin as c_int,
            d.nout as c_int,
            d.identity,
            parts.name.as_ptr(),
            parts.doc.as_ptr(),
            0,
            parts
                .signature
                .as_ref()
                .map_or(std::ptr::null(), |s| s.as_ptr()),
        );
        Bound::from_owned_ptr_or_err(py, made)?
    };
    // SAFETY: a new ufunc, whose leading fields are those of our struct.
    let core_axes = unsafe { (*ufunc.as_ptr().cast::<UfuncObject>()).core_num_dim_ix };
    for spread in &mut parts.spread {
        spread.core_axes = usize::try_from(core_axes).unwrap_or(0);
    }
    if d.in_order {
        // Loops that NumPy is not told of when it makes the ufunc are found by its linear search only.
        let object = ufunc.as_ptr().cast::<UfuncObject>();
        // SAFETY: a new ufunc, whose leading fields are those of our struct; nobody else has seen it.
        unsafe {
            (*object).functions = parts.functions.as_ptr().cast();
            (*object).data = parts.data.as_ptr().cast();
            (*object).types = parts.types.as_ptr();
            (*object).ntypes = count;
        }
    }
    let keeper = PyCapsule::new_with_value(py, parts, c"numbra.ufunc")?;
    let object = ufunc.as_ptr().cast::<UfuncObject>();
    // SAFETY: a new ufunc of NumPy, whose leading fields are those of our struct; `obj` is an owned reference that
    // NumPy drops with the ufunc, and nothing has set it.
    unsafe {
        if !(*object).obj.is_null() {
            return Err(PyMemoryError::new_err(
                "NumPy's ufunc object has another form than expected",
            ));
        }
        (*object).obj = keeper.into_ptr();
        for &operand in d.writable.iter().filter(|&&k| k < d.nin) {
            *(*object).op_flags.add(operand) = READWRITE;
        }
    }
    Ok(ufunc)
}

/// The inner loop of a signature whose code may change.
///
/// # Safety
/// As for `PyUFuncGenericFunction`; `data` is an `Arc<Entry>`.
unsafe extern "C" fn changing_loop(
    args: *mut *mut c_char,
    dimensions: *const isize,
    steps: *const isize,
    data: *mut c_void,
) {
    // SAFETY: the caller's promise.
    let entry = unsafe { &*data.cast::<Arc<Entry>>() };
    // SAFETY: the first dimension is the number of elements.
    let code = entry.inner_loop(unsafe { *dimensions });
    // SAFETY: the caller's promise; our loops do not read `data`.
    unsafe { (code.run)(args, dimensions, steps, std::ptr::null_mut()) }
}

/// The class of the Python objects that wrap ufuncs of ours, once there is one.
static WRAPPER: OnceLock<Py<PyType>> = OnceLock::new();

/// Instances of this class are ufuncs to compiled code; the attribute `_dispatcher` holds their loops.
#[pyfunction]
pub(crate) fn _set_ufunc_class(class: Py<PyType>) {
    let _ = WRAPPER.set(class);
}

/// The dispatcher that holds the loops of a ufunc of ours.
pub(crate) fn loops_of(value: &Bound<'_, PyAny>) -> Option<DispatcherId> {
    let class = WRAPPER.get()?.bind(value.py());
    if !value.is_instance(class).unwrap_or(false) {
        return None;
    }
    dispatcher::id_of(&value.getattr("_dispatcher").ok()?)
}

thread_local! {
    /// The call of a ufunc in this thread was interrupted. NumPy does not look at exceptions between the calls of a loop, so
    /// the others return at once.
    static LEAVING: Cell<bool> = const { Cell::new(false) };
}

/// Called by inner loops that find the interrupt word set: 1 if they are to return without doing anything.
pub(crate) extern "C" fn numbra_py_loop_leaves() -> i32 {
    if LEAVING.get() {
        // NumPy does not say when a call of a ufunc ends; until then its exception is pending in this thread.
        if interrupt::error_is_set() {
            numbra_runtime::ask_again();
            return 1;
        }
        LEAVING.set(false);
        numbra_runtime::stop_asking();
    }
    if !numbra_runtime::interrupted() {
        return 0;
    }
    numbra_py_loop_error();
    1
}

/// Called by inner loops, without the GIL, when the compiled function has failed for an element. The first
/// exception of a loop is kept.
pub(crate) extern "C" fn numbra_py_loop_error() {
    if hand_over_error() {
        return;
    }
    if numbra_runtime::is_interrupt() {
        LEAVING.set(true);
        numbra_runtime::ask_again();
    }
    attach(|py| {
        if PyErr::occurred(py) {
            drop((numbra_runtime::take_error(), Kept::take()));
        } else {
            // SAFETY: the thread holds the GIL.
            unsafe { crate::convert::numbra_py_raise(std::ptr::null_mut()) };
        }
    });
}

/// The core axes of a layout as Python has parsed it.
pub(crate) fn core_axes(layout: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<usize>>> {
    layout
        .cast::<PyList>()
        .map_err(PyErr::from)?
        .iter()
        .map(|axes| axes.cast::<PyTuple>().map_err(PyErr::from)?.extract())
        .collect()
}
