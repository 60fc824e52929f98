//! The Python type `_numbra.Dispatcher` and its instances.

use super::arguments::parameters;
use super::call::numbra_py_dispatch;
use super::registry::register;
use super::state::{Dispatcher, Form, Parameter};
use crate::convert::{guarded_with_gil, restore};
use crate::heap_type::HeapType;
use crate::python::enter;
use crate::session::session;
use numbra_driver::Options;
use numbra_ir::stencil::OUT;
use numbra_ir::{DispatcherId, Type, TypeKind, Types};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBool, PyDict, PyType};
use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};

/// The Python object. `vectorcall` is what a call runs.
#[repr(C)]
pub(super) struct DispatcherObject {
    ob_base: PyObject,
    pub(super) vectorcall: Option<ffi::vectorcallfunc>,
    pub(super) inner: *const Dispatcher,
    dict: *mut PyObject,
    weakrefs: *mut PyObject,
}

static TYPE: OnceLock<Py<PyType>> = OnceLock::new();

/// The id of a Python object, if it is a dispatcher.
pub(crate) fn id_of(value: &Bound<'_, PyAny>) -> Option<DispatcherId> {
    inner(value).ok().map(|d| d.id)
}

/// The dispatcher behind a Python object.
pub(crate) fn inner<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<&'a Dispatcher> {
    let class = TYPE
        .get()
        .ok_or_else(|| PyTypeError::new_err("not a dispatcher"))?;
    if !value.is_instance(class.bind(value.py()))? {
        return Err(PyTypeError::new_err("not a dispatcher"));
    }
    let object = value.as_ptr().cast::<DispatcherObject>();
    // SAFETY: an instance of our type; `inner` is set by `tp_new` and lives as long as the object.
    unsafe { (*object).inner.as_ref() }
        .ok_or_else(|| PyTypeError::new_err("not an initialised dispatcher"))
}

impl Dispatcher {
    /// Exchanges the code that calls enter, if it is `old`.
    pub(super) fn exchange_slot(&self, _py: Python<'_>, old: *mut (), new: *mut ()) {
        let object = self
            .object
            .load(Ordering::Acquire)
            .cast::<DispatcherObject>();
        // SAFETY: the object clears the pointer under the GIL before it goes.
        let Some(object) = (unsafe { object.as_mut() }) else {
            return;
        };
        if object.vectorcall.is_some_and(|f| f as *mut () == old) {
            // SAFETY: the address of an entry wrapper, as `old` was.
            let new = unsafe { std::mem::transmute::<*mut (), ffi::vectorcallfunc>(new) };
            object.vectorcall = Some(new);
        }
    }
}

/// The type of a jitted function as a value.
pub(crate) fn type_of(types: &Types, value: &Bound<'_, PyAny>) -> PyResult<Type> {
    let d = inner(value)?;
    Ok(types.intern(TypeKind::Dispatcher {
        id: d.id,
        name: d.name.clone(),
    }))
}

/// Makes the type `_numbra.Dispatcher`.
pub(crate) fn make_type(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    if let Some(class) = TYPE.get() {
        return Ok(class.bind(py).clone());
    }
    let member = |name, offset| (name, ffi::Py_T_PYSSIZET, offset);
    let made = HeapType {
        name: c"numbra._numbra.Dispatcher",
        size: size_of::<DispatcherObject>(),
        flags: ffi::Py_TPFLAGS_BASETYPE | ffi::Py_TPFLAGS_HAVE_GC | ffi::Py_TPFLAGS_HAVE_VECTORCALL,
        members: &[
            member(
                c"__vectorcalloffset__",
                offset_of!(DispatcherObject, vectorcall),
            ),
            member(c"__dictoffset__", offset_of!(DispatcherObject, dict)),
            member(
                c"__weaklistoffset__",
                offset_of!(DispatcherObject, weakrefs),
            ),
        ],
        slots: &[
            (ffi::Py_tp_new, tp_new as *mut c_void),
            (ffi::Py_tp_dealloc, tp_dealloc as *mut c_void),
            (ffi::Py_tp_traverse, tp_traverse as *mut c_void),
            (ffi::Py_tp_clear, tp_clear as *mut c_void),
            (ffi::Py_tp_call, ffi::PyVectorcall_Call as *mut c_void),
        ],
    };
    // SAFETY: functions of these slots, and members of the object.
    let class = unsafe { made.make(py) }?;
    let _ = TYPE.set(class.clone().unbind());
    Ok(class)
}

unsafe extern "C" fn tp_new(
    class: *mut ffi::PyTypeObject,
    args: *mut PyObject,
    kwargs: *mut PyObject,
) -> *mut PyObject {
    let run = |py: Python<'_>| {
        // SAFETY: CPython calls `tp_new` with valid arguments.
        let made = unsafe { new(py, class, args, kwargs) };
        made.unwrap_or_else(|error| {
            restore(py, error);
            std::ptr::null_mut()
        })
    };
    // SAFETY: CPython calls `tp_new` with the GIL held.
    unsafe { guarded_with_gil(std::ptr::null_mut(), run) }
}

/// The form that the option `loop` asks for: `True`, or the core axes of each operand.
fn form(options: &Bound<'_, PyDict>) -> PyResult<Form> {
    Ok(match options.get_item("loop")? {
        None => Form::Call,
        Some(text) if text.is_instance_of::<pyo3::types::PyString>() => Form::Callback,
        Some(yes) if yes.is(&*PyBool::new(yes.py(), true)) => Form::Loop,
        Some(layout) => Form::CoreLoop(crate::ufunc::core_axes(&layout)?),
    })
}

/// `Dispatcher(function, options)`
///
/// # Safety
/// Arguments of `tp_new`.
unsafe fn new(
    py: Python<'_>,
    class: *mut ffi::PyTypeObject,
    args: *mut PyObject,
    _kwargs: *mut PyObject,
) -> PyResult<*mut PyObject> {
    // SAFETY: `args` is a tuple.
    let args = unsafe { Bound::from_borrowed_ptr(py, args) };
    let (function, options): (Bound<'_, PyAny>, Bound<'_, PyDict>) = args.extract()?;
    let inner = register(|id| Dispatcher {
        id,
        name: function
            .getattr("__name__")
            .and_then(|n| n.extract())
            .unwrap_or_else(|_| "<function>".to_owned()),
        object: AtomicPtr::new(std::ptr::null_mut()),
        function: function.clone().unbind(),
        options: Options::default(),
        unsupported: None,
        parameters: Vec::new(),
        types: Mutex::new(session().types.view()),
        form: Form::Call,
        cache: OnceLock::new(),
        entries: Mutex::default(),
        captured: Mutex::default(),
        discarded: Mutex::default(),
        resolved: Mutex::default(),
        makes: OnceLock::new(),
        shared: Mutex::default(),
        values: Mutex::default(),
        old_values: Mutex::default(),
        forced: Mutex::default(),
        can_compile: AtomicBool::new(true),
        signatures: OnceLock::new(),
        in_flight: Mutex::default(),
        landed: Condvar::new(),
        source: OnceLock::new(),
    });
    // Filled in while nobody else can see it.
    let raw = Arc::into_raw(inner).cast_mut();
    // SAFETY: the only strong reference; weak ones in the registry cannot be upgraded to mutable access.
    let inner = unsafe { &mut *raw };
    let filled = crate::options::parse(&options).and_then(|options| {
        let mut parameters = parameters(&function)?;
        let is_free = !parameters.iter().any(|p| p.spec.name == OUT);
        if options.stencil.is_some() && is_free {
            parameters.push(Parameter::of_stencil(py));
        }
        Ok((options, parameters))
    });
    let unsupported = options.get_item("unsupported").ok().flatten();
    let filled = filled.and_then(|f| Ok((f, form(&options)?)));
    match filled {
        Ok(((options, parameters), form)) => {
            inner.form = form;
            inner.options = options;
            inner.unsupported = unsupported.and_then(|name| name.extract().ok());
            inner.parameters = parameters;
        }
        Err(error) => {
            // SAFETY: gives back the reference that `into_raw` took.
            drop(unsafe { Arc::from_raw(raw) });
            return Err(error);
        }
    }
    // SAFETY: `class` is our type or a subclass; tp_alloc zeroes the object.
    let object = unsafe {
        let alloc = (*class).tp_alloc.unwrap_or(ffi::PyType_GenericAlloc);
        alloc(class, 0).cast::<DispatcherObject>()
    };
    if object.is_null() {
        // SAFETY: as above.
        drop(unsafe { Arc::from_raw(raw) });
        return Err(PyErr::fetch(py));
    }
    // SAFETY: a new object of our layout.
    unsafe {
        (*object).vectorcall = Some(numbra_py_dispatch);
        (*object).inner = raw;
        (*raw).object.store(object.cast(), Ordering::Release);
    }
    Ok(object.cast())
}

unsafe extern "C" fn tp_dealloc(object: *mut PyObject) {
    // SAFETY: CPython calls this once for an instance of our type, with the GIL held.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let this = object.cast::<DispatcherObject>();
        if !(*this).weakrefs.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        ffi::Py_CLEAR(&raw mut (*this).dict);
        let inner = std::mem::replace(&mut (*this).inner, std::ptr::null());
        if !inner.is_null() {
            (*inner)
                .object
                .store(std::ptr::null_mut(), Ordering::Release);
            let inner = Arc::from_raw(inner);
            // The function goes, with its globals: anything may run.
            enter(|_| drop(inner));
        }
        let class = ffi::Py_TYPE(object);
        if let Some(free) = (*class).tp_free {
            free(object.cast());
        }
        ffi::Py_DECREF(class.cast());
    }
}

unsafe extern "C" fn tp_traverse(
    object: *mut PyObject,
    visit: ffi::visitproc,
    arg: *mut c_void,
) -> c_int {
    // SAFETY: CPython's cycle collector visits an instance of our type.
    unsafe {
        let this = object.cast::<DispatcherObject>();
        let class = ffi::Py_TYPE(object);
        let mut referents = vec![class.cast::<PyObject>(), (*this).dict];
        if let Some(inner) = (*this).inner.as_ref() {
            referents.push(inner.function.as_ptr());
            referents.extend(
                inner
                    .parameters
                    .iter()
                    .filter_map(|p| p.default.as_ref().map(|d| d.as_ptr())),
            );
            // Never locked by another: see there.
            if let Ok(captured) = inner.captured.try_lock() {
                let objects = captured.iter().flat_map(|one| one.own_objects());
                referents.extend(objects.map(|object| object.as_ptr()));
            }
        }
        for referent in referents {
            if !referent.is_null() {
                let status = visit(referent, arg);
                if status != 0 {
                    return status;
                }
            }
        }
    }
    0
}

unsafe extern "C" fn tp_clear(object: *mut PyObject) -> c_int {
    // SAFETY: CPython's cycle collector clears an instance of our type; the function goes with `tp_dealloc`.
    unsafe {
        let this = object.cast::<DispatcherObject>();
        ffi::Py_CLEAR(&raw mut (*this).dict);
    }
    0
}
