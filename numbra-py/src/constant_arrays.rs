//! Arrays and records that compiled code reads as globals or from closures.
//!
//! As in Numba, a contiguous array of at most [`MOST_FROZEN`] bytes is a constant: code has the values that it had when it
//! was compiled. Any other array is read where it is; a weak reference to it has NumPy refuse to resize it.
//! A record is the element of an array without axes, and always a constant; so is a function of C.

use crate::captured::capture_array;
use crate::convert::{Leaves, array_leaves};
use crate::host::FunctionAddress;
use crate::layout::{NPY_C_CONTIGUOUS, NPY_F_CONTIGUOUS};
use crate::numpy::{self, ArrayObject};
use numbra_runtime::{Header, object_header};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyWeakrefReference};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Bytes of an array that is a constant, at most.
pub(crate) const MOST_FROZEN: usize = 1_000_000;

/// See the module's documentation.
pub(crate) struct ConstantArray {
    handle: u64,
    /// What is read: a copy, or the array itself.
    object: Py<PyAny>,
    /// Its leaves, one every 16 bytes.
    leaves: Box<[[u64; 2]]>,
    /// The owner among the leaves, of which this has a reference: results that are views hold it.
    owner: *mut Header,
    _unresized: Option<Py<PyWeakrefReference>>,
}

// SAFETY: the header is counted atomically; nothing is written through it.
unsafe impl Send for ConstantArray {}
// SAFETY: as above.
unsafe impl Sync for ConstantArray {}

static NEXT: AtomicU64 = AtomicU64::new(0);
/// Those that there are, by handle.
static ARRAYS: Mutex<BTreeMap<u64, Weak<ConstantArray>>> = Mutex::new(BTreeMap::new());

/// A handle for what code reads in the place of an `ndarray`, for as long as who captures it.
pub(crate) fn handle_of(array: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(handle(&capture_array(array, || ConstantArray::new(array))?))
}

/// As [`handle_of`], in the place of a record: the first leaves of its array are its own.
pub(crate) fn handle_of_record(record: &Bound<'_, PyAny>) -> PyResult<u64> {
    let made = || {
        let numpy = record.py().import("numpy")?;
        ConstantArray::new(&numpy.call_method1("array", (record,))?)
    };
    Ok(handle(&capture_array(record, made)?))
}

/// As [`handle_of`], for a function: its leaves.
pub(crate) fn handle_of_function(
    function: &Bound<'_, PyAny>,
    found: FunctionAddress,
) -> PyResult<u64> {
    let made = || {
        let owner = object_header(std::ptr::null_mut(), function.as_ptr().cast());
        if owner.is_null() {
            return Err(PyMemoryError::new_err("no memory for a constant function"));
        }
        let compiled = u64::from(found.compiled);
        let words = [
            found.address as u64,
            compiled,
            owner.expose_provenance() as u64,
        ];
        Ok(ConstantArray {
            handle: NEXT.fetch_add(1, Ordering::Relaxed),
            object: function.clone().unbind(),
            leaves: words.map(|word| [word, 0]).into(),
            owner,
            _unresized: None,
        })
    };
    Ok(handle(&capture_array(function, made)?))
}

fn handle(found: &Arc<ConstantArray>) -> u64 {
    let mut arrays = ARRAYS.lock().unwrap_or_else(PoisonError::into_inner);
    arrays.insert(found.handle, Arc::downgrade(found));
    drop(arrays);
    found.handle
}

fn of_handle(handle: u64) -> Option<Arc<ConstantArray>> {
    let arrays = ARRAYS.lock().unwrap_or_else(PoisonError::into_inner);
    arrays.get(&handle)?.upgrade()
}

/// The array that code with this handle reads.
pub(crate) fn kept(py: Python<'_>, handle: u64) -> Option<Py<PyAny>> {
    Some(of_handle(handle)?.object.clone_ref(py))
}

/// Address of the leaves of a constant array: what the symbol `numbra_array_<handle>` stands for.
pub(crate) fn leaves_of(handle: u64) -> Option<*const u8> {
    Some(of_handle(handle)?.leaves.as_ptr().cast())
}

impl ConstantArray {
    fn new(array: &Bound<'_, PyAny>) -> PyResult<ConstantArray> {
        let (object, unresized) = match is_frozen(array)? {
            true => (frozen(array)?, None),
            false => (
                array.clone(),
                Some(PyWeakrefReference::new(array)?.unbind()),
            ),
        };
        let fields = object.as_ptr().cast::<ArrayObject>();
        let mut leaves = Leaves::new();
        // SAFETY: an `ndarray`, alive under the GIL.
        unsafe { array_leaves(fields, &mut leaves) };
        // SAFETY: as above.
        let data = unsafe { (*fields).data };
        let owner = object_header(data, object.as_ptr().cast());
        if owner.is_null() {
            return Err(PyMemoryError::new_err("no memory for a constant array"));
        }
        leaves[1][0] = owner.expose_provenance() as u64;
        Ok(ConstantArray {
            handle: NEXT.fetch_add(1, Ordering::Relaxed),
            object: object.unbind(),
            leaves: leaves.into_boxed_slice(),
            owner,
            _unresized: unresized,
        })
    }
}

impl Drop for ConstantArray {
    fn drop(&mut self) {
        let mut arrays = ARRAYS.lock().unwrap_or_else(PoisonError::into_inner);
        arrays.remove(&self.handle);
        drop(arrays);
        // SAFETY: the reference of this value.
        unsafe { numbra_runtime::release(self.owner) };
    }
}

/// True for arrays that are constants.
fn is_frozen(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    // SAFETY: an `ndarray`, alive under the GIL.
    let flags = unsafe { (*array.as_ptr().cast::<ArrayObject>()).flags };
    let bytes: usize = array.getattr("nbytes")?.extract()?;
    Ok(flags & (NPY_C_CONTIGUOUS | NPY_F_CONTIGUOUS) != 0 && bytes <= MOST_FROZEN)
}

/// A copy that nobody can write: a view of one, so that it does not own what it shows.
fn frozen<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    numpy::api(py)?;
    let copy = py.import("numpy")?.call_method1("array", (array,))?;
    copy.call_method1("setflags", (false,))?;
    copy.call_method0("view")
}
