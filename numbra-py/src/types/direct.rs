//! Classes whose commonest operations CPython runs without pyo3 in between.
//!
//! pyo3's slots count an attachment, look classes up and catch panics, which takes longer than reading an item does. So
//! Python sees a class derived from pyo3's, with slots of its own. They do what is common and cannot fail; everything else
//! goes on to the slots of pyo3's class, which say what holds. Subclasses in Python inherit both.

use pyo3::PyClass;
use pyo3::exceptions::PySystemError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyTuple, PyType};
use smallvec::SmallVec;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// A class of pyo3's whose commonest operations are done here. Nothing in an implementation may panic or run Python code.
pub(crate) trait Direct: PyClass<Frozen = True> + Sync {
    /// Name and module.
    const FULL_NAME: &'static CStr;
    /// The method that adds an item, and its documentation; None without one.
    const ADD: Option<(&'static CStr, &'static CStr)> = None;

    /// What its own slots leave to pyo3's.
    fn rest() -> &'static OnceLock<Rest>;

    /// `self[key]`: a new reference, or null with an exception set; None to have pyo3's slot look.
    fn item(&self, key: &Bound<'_, PyAny>) -> Option<*mut PyObject>;

    /// `self[key] = value`; false to have pyo3's slot do it.
    fn set_item(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> bool;

    /// The method that adds an item; false to have pyo3's do it.
    fn add(&self, _item: &Bound<'_, PyAny>) -> bool {
        false
    }
}

/// The slots and the method of pyo3's class.
pub(crate) struct Rest {
    item: ffi::binaryfunc,
    set_item: ffi::objobjargproc,
    /// The descriptor of [`Direct::ADD`].
    add: Option<Py<PyAny>>,
}

/// Makes the class that Python sees: it lives for ever.
pub(crate) fn make_class<C: Direct>(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let base = py.get_type::<C>();
    let add = C::ADD.map(|(name, _)| {
        base.getattr(name.to_string_lossy().as_ref())
            .map(Bound::unbind)
    });
    let item = slot(&base, ffi::Py_mp_subscript)?;
    let set_item = slot(&base, ffi::Py_mp_ass_subscript)?;
    let made = C::rest().set(Rest {
        // SAFETY: what stands in slots of this kind.
        item: unsafe { std::mem::transmute::<*mut c_void, ffi::binaryfunc>(item) },
        // SAFETY: as above.
        set_item: unsafe { std::mem::transmute::<*mut c_void, ffi::objobjargproc>(set_item) },
        add: add.transpose()?,
    });
    made.map_err(|_| PySystemError::new_err("the class is there"))?;

    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_mp_subscript, self::item::<C> as *mut c_void),
        slot(ffi::Py_mp_ass_subscript, self::set_item::<C> as *mut c_void),
        slot(0, std::ptr::null_mut()),
    ];
    let mut spec = ffi::PyType_Spec {
        name: C::FULL_NAME.as_ptr().cast::<c_char>(),
        // As large as the base.
        basicsize: 0,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as u32,
        slots: slots.as_mut_ptr(),
    };
    let bases = PyTuple::new(py, [&base])?;
    // SAFETY: the spec and what it points to are valid while CPython reads them.
    let class = unsafe { ffi::PyType_FromSpecWithBases(&raw mut spec, bases.as_ptr()) };
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, class) }
}

/// Gives a class derived from that of `C` the methods of `C` as its own: CPython's interpreter calls a method without a
/// detour where the object is of the very class that has it.
pub(crate) fn add_methods<C: Direct>(class: &Bound<'_, PyType>) -> PyResult<()> {
    let Some((name, doc)) = C::ADD else {
        return Ok(());
    };
    // It lives for ever, as methods may outlive their class.
    let method = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: add_item::<C>,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }));
    // SAFETY: a class and a method that takes its instances.
    let method = unsafe { ffi::PyDescr_NewMethod(class.as_type_ptr(), method) };
    // SAFETY: a new reference, or null with an exception set.
    let method = unsafe { Bound::from_owned_ptr_or_err(class.py(), method) }?;
    class.setattr(name.to_string_lossy().as_ref(), method)
}

/// What stands in a slot of a class.
fn slot(class: &Bound<'_, PyType>, which: c_int) -> PyResult<*mut c_void> {
    // SAFETY: a class that was made while the program ran, as all of pyo3's.
    let found = unsafe { ffi::PyType_GetSlot(class.as_type_ptr(), which) };
    match found.is_null() {
        false => Ok(found),
        true => Err(PySystemError::new_err("a slot of pyo3's is empty")),
    }
}

/// What pyo3's class does.
fn rest<C: Direct>() -> &'static Rest {
    C::rest().get().expect("set before the class is made")
}

/// The value of an instance.
///
/// # Safety
/// The GIL is held; `object` is alive and an instance of the class.
unsafe fn value<'a, C: Direct>(py: Python<'a>, object: *mut PyObject) -> &'a C {
    // SAFETY: by contract.
    let object: Borrowed<'a, 'a, PyAny> = unsafe { Borrowed::from_ptr(py, object) };
    // SAFETY: by contract. The contents of a frozen class stand where they are as long as the object is alive.
    unsafe { &*std::ptr::from_ref(object.cast_unchecked::<C>().get()) }
}

/// # Safety
/// CPython calls slots with the GIL, an instance of the class, and objects that are alive.
unsafe extern "C" fn item<C: Direct>(object: *mut PyObject, key: *mut PyObject) -> *mut PyObject {
    // SAFETY: by contract.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: by contract.
    let (own, at) = unsafe { (value::<C>(py, object), Borrowed::from_ptr(py, key)) };
    match own.item(&at) {
        Some(found) => found,
        // SAFETY: pyo3's slot, called as this one was.
        None => unsafe { (rest::<C>().item)(object, key) },
    }
}

/// # Safety
/// As for [`item`]; no value to delete the item.
unsafe extern "C" fn set_item<C: Direct>(
    object: *mut PyObject,
    key: *mut PyObject,
    new: *mut PyObject,
) -> c_int {
    if !new.is_null() {
        // SAFETY: by contract.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: by contract.
        let (own, at) = unsafe { (value::<C>(py, object), Borrowed::from_ptr(py, key)) };
        // SAFETY: by contract.
        let new = unsafe { Borrowed::from_ptr(py, new) };
        if own.set_item(&at, &new) {
            return 0;
        }
    }
    // SAFETY: pyo3's slot, called as this one was.
    unsafe { (rest::<C>().set_item)(object, key, new) }
}

/// # Safety
/// CPython calls methods with the GIL, an instance of the class, so many arguments and names.
unsafe extern "C" fn add_item<C: Direct>(
    object: *mut PyObject,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: by contract.
    let py = unsafe { Python::assume_attached() };
    if count == 1 && names.is_null() {
        // SAFETY: by contract.
        let (own, item) = unsafe { (value::<C>(py, object), Borrowed::from_ptr(py, *args)) };
        if own.add(&item) {
            return py.None().into_ptr();
        }
    }
    let Some(method) = &rest::<C>().add else {
        unreachable!("a class with this method has pyo3's");
    };
    let named = match names.is_null() {
        true => 0,
        // SAFETY: a tuple, by contract.
        false => unsafe { ffi::PyTuple_GET_SIZE(names) },
    };
    let mut all: SmallVec<[*mut PyObject; 8]> = SmallVec::new();
    all.push(object);
    // SAFETY: by contract. Nothing is read of an empty array.
    all.extend((0..count + named).map(|at| unsafe { *args.offset(at) }));
    let given = count.cast_unsigned() + 1;
    // SAFETY: so many objects, which are alive, and the names of the last.
    unsafe { ffi::PyObject_Vectorcall(method.as_ptr(), all.as_ptr(), given, names) }
}
