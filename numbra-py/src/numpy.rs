//! NumPy's C API: the few entries that arrays at the boundary need, looked up once.

use numbra_ir::{Scalar, TimeType, TimeUnit, Type, TypeKind, Types};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

/// The parts of an `ndarray` that we read (`PyArrayObject_fields`, NumPy 1.x and 2.x).
#[repr(C)]
pub(crate) struct ArrayObject {
    pub(crate) ob_base: PyObject,
    pub(crate) data: *mut u8,
    pub(crate) nd: c_int,
    pub(crate) dimensions: *mut isize,
    pub(crate) strides: *mut isize,
    pub(crate) base: *mut PyObject,
    pub(crate) descr: *mut PyObject,
    pub(crate) flags: c_int,
}

type DescrFromType = unsafe extern "C" fn(c_int) -> *mut PyObject;
type NewFromDescr = unsafe extern "C" fn(
    *mut PyTypeObject,
    *mut PyObject,
    c_int,
    *const isize,
    *const isize,
    *mut c_void,
    c_int,
    *mut PyObject,
) -> *mut PyObject;
type SetBaseObject = unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> c_int;

/// Entries of `numpy._core.multiarray._ARRAY_API`.
pub(crate) struct Api {
    /// `PyArray_Type`
    pub(crate) array_type: *mut PyTypeObject,
    /// `PyGenericArrType_Type`: base class of all NumPy scalars.
    pub(crate) generic_type: *mut PyTypeObject,
    void_type: *mut PyTypeObject,
    pub(crate) new_from_descr: NewFromDescr,
    pub(crate) set_base_object: SetBaseObject,
    /// The builtin descriptor of each scalar, in `Scalar` order.
    descrs: [*mut PyObject; 14],
    /// The class of each scalar's values, in the same order.
    classes: [*mut PyTypeObject; 14],
    /// The classes of dates and durations.
    times: [*mut PyTypeObject; 2],
}

// SAFETY: the table holds addresses of objects and functions that live as long as the process; it is read-only.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

/// NumPy type numbers, in `Scalar` order.
// ORDER: matches NumPy type numbers (NPY_TYPES) on LP64 platforms.
const TYPE_NUMBERS: [c_int; 14] = [0, 1, 3, 5, 7, 2, 4, 6, 8, 23, 11, 12, 14, 15];

/// NumPy's numbers for dates and durations (`NPY_DATETIME`, `NPY_TIMEDELTA`).
const TIME_NUMBERS: [c_int; 2] = [21, 22];

/// Units by NumPy's numbers (`NPY_DATETIMEUNIT`); business days, at 3, are no more.
const UNITS: [Option<TimeUnit>; 15] = {
    use TimeUnit::*;
    [
        Some(Year),
        Some(Month),
        Some(Week),
        None,
        Some(Day),
        Some(Hour),
        Some(Minute),
        Some(Second),
        Some(Millisecond),
        Some(Microsecond),
        Some(Nanosecond),
        Some(Picosecond),
        Some(Femtosecond),
        Some(Attosecond),
        Some(Generic),
    ]
};

static API: OnceLock<Api> = OnceLock::new();

/// Major and minor number of NumPy; 0 where there is none.
pub(crate) fn version(py: Python<'_>) -> (u32, u32) {
    static VERSION: OnceLock<(u32, u32)> = OnceLock::new();
    let read = || -> PyResult<(u32, u32)> {
        let text: String = py.import("numpy")?.getattr("__version__")?.extract()?;
        let mut parts = text.split('.').map(|part| part.parse().unwrap_or(0));
        Ok((parts.next().unwrap_or(0), parts.next().unwrap_or(0)))
    };
    *VERSION.get_or_init(|| read().unwrap_or_default())
}

/// NumPy's API, imported on first use.
pub(crate) fn api(py: Python<'_>) -> PyResult<&'static Api> {
    if let Some(api) = API.get() {
        return Ok(api);
    }
    numbra_runtime::set_numpy_version(version(py));
    let module = py
        .import("numpy._core.multiarray")
        .or_else(|_| py.import("numpy.core.multiarray"))?;
    let capsule = module.getattr("_ARRAY_API")?;
    // SAFETY: NumPy documents `_ARRAY_API` as a capsule without a name that holds a table of pointers.
    let table = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), std::ptr::null()) }
        .cast::<*mut c_void>();
    if table.is_null() {
        return Err(PyErr::fetch(py));
    }
    // SAFETY: indices are those of NumPy's stable C API table.
    let entry = |index: usize| unsafe { *table.add(index) };
    // SAFETY: entry 45 is `PyArray_DescrFromType`.
    let descr_from_type: DescrFromType =
        unsafe { std::mem::transmute::<*mut c_void, DescrFromType>(entry(45)) };
    // SAFETY: the GIL is held; the result is a new reference, kept for the life of the process.
    let descr = |number: c_int| unsafe { descr_from_type(number) };
    let descrs = TYPE_NUMBERS.map(descr);
    // SAFETY: a dtype object holds the class of its scalars first after its header (`PyArray_Descr`, NumPy 1.x and 2.x).
    let class = |descr: *mut PyObject| unsafe { *descr.add(1).cast::<*mut PyTypeObject>() };
    let api = Api {
        classes: descrs.map(class),
        times: TIME_NUMBERS.map(|number| class(descr(number))),
        array_type: entry(2).cast(),
        generic_type: entry(10).cast(),
        void_type: entry(39).cast(),
        // SAFETY: entry 94 is `PyArray_NewFromDescr`.
        new_from_descr: unsafe { std::mem::transmute::<*mut c_void, NewFromDescr>(entry(94)) },
        // SAFETY: entry 282 is `PyArray_SetBaseObject`.
        set_base_object: unsafe { std::mem::transmute::<*mut c_void, SetBaseObject>(entry(282)) },
        descrs,
    };
    Ok(API.get_or_init(|| api))
}

/// The API if NumPy is in this process: whoever holds an array has imported it.
pub(crate) fn loaded(py: Python<'_>) -> PyResult<Option<&'static Api>> {
    if let Some(api) = API.get() {
        return Ok(Some(api));
    }
    match py.import("sys")?.getattr("modules")?.contains("numpy")? {
        true => api(py).map(Some),
        false => Ok(None),
    }
}

impl Api {
    /// The builtin dtype object of a scalar, borrowed; `None` for one that is not NumPy's.
    pub(crate) fn descr(&self, scalar: Scalar) -> Option<*mut PyObject> {
        self.descrs.get(scalar as usize).copied()
    }

    /// The scalar whose builtin dtype object this is.
    pub(crate) fn scalar_of(&self, descr: *mut PyObject) -> Option<Scalar> {
        let index = self.descrs.iter().position(|&d| d == descr)?;
        Some(Scalar::ALL[index])
    }

    /// The scalar whose values are of this class.
    pub(crate) fn scalar_of_class(&self, class: *mut PyTypeObject) -> Option<Scalar> {
        let index = self.classes.iter().position(|&c| c == class)?;
        Some(Scalar::ALL[index])
    }

    /// True for instances of `ndarray` and its subclasses.
    pub(crate) fn is_array(&self, object: &Bound<'_, PyAny>) -> bool {
        is_instance(object, self.array_type)
    }

    /// True for dates and durations.
    pub(crate) fn is_time(&self, object: &Bound<'_, PyAny>) -> bool {
        self.times.iter().any(|class| is_instance(object, *class))
    }

    /// The bytes of a structured scalar, and its dtype.
    pub(crate) fn record_of(&self, object: &Bound<'_, PyAny>) -> Option<(*mut u8, *mut PyObject)> {
        if !is_instance(object, self.void_type) {
            return None;
        }
        let scalar = object.as_ptr().cast::<u8>();
        // SAFETY: an instance of `np.void`, alive under the GIL: `PyVoidScalarObject` has the address of the bytes here
        // and the dtype behind it.
        Some(unsafe {
            let data = scalar.add(crate::layout::VOID_DATA).cast::<*mut u8>();
            (data.read(), data.add(1).cast::<*mut PyObject>().read())
        })
    }

    /// The type of a date or duration; `None` for other objects, and for counts of several units.
    pub(crate) fn time_of(&self, object: &Bound<'_, PyAny>) -> Option<TimeType> {
        let class = object.get_type_ptr();
        let at = self.times.iter().position(|&time| time == class)?;
        // SAFETY: a count of 64 bits, then unit and number of units (`PyDatetimeScalarObject`, `PyArray_DatetimeMetaData`).
        let [unit, count] = unsafe { *value_of(object).add(8).cast::<[c_int; 2]>() };
        let unit = UNITS.get(usize::try_from(unit).ok()?).copied().flatten()?;
        (count == 1).then_some(TimeType {
            is_date: at == 0,
            unit,
        })
    }
}

fn is_instance(object: &Bound<'_, PyAny>, class: *mut PyTypeObject) -> bool {
    // SAFETY: `object` is alive under the GIL; both are type objects.
    unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(object.as_ptr()), class) != 0 }
}

/// The memory of a NumPy scalar's value, which follows its header: of every number's, and of times'.
pub(crate) fn value_of(scalar: &Bound<'_, PyAny>) -> *const u8 {
    scalar.as_ptr().wrapping_add(1).cast_const().cast()
}

/// True for instances of NumPy's own subclasses of `ndarray` that are arrays like any other: `recarray`, `memmap`.
/// A class of a program is asked for its type first.
pub(crate) fn is_plain_subclass(object: &Bound<'_, PyAny>, api: &Api) -> bool {
    if !api.is_array(object) {
        return false;
    }
    let class = object.get_type();
    let named = |attr: &str| {
        class
            .getattr(attr)
            .and_then(|name| name.extract::<String>())
    };
    let (Ok(module), Ok(name)) = (named("__module__"), named("__name__")) else {
        return false;
    };
    module.starts_with("numpy") && matches!(name.as_str(), "recarray" | "memmap")
}

/// True for instances of `numpy.ma.MaskedArray`: what they hold is no value where the mask says so.
pub(crate) fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let masked = object.py().import("numpy.ma")?.getattr("MaskedArray")?;
    object.is_instance(&masked)
}

/// NumPy's text of the dtype of a date, duration or char sequence: `M8[D]`, `U5`.
pub(crate) fn dtype_text(types: &Types, ty: Type) -> String {
    match types.kind(ty) {
        TypeKind::Datetime(TimeUnit::Generic) => "M8".to_owned(),
        TypeKind::Timedelta(TimeUnit::Generic) => "m8".to_owned(),
        TypeKind::Datetime(unit) => format!("M8[{}]", unit.name()),
        TypeKind::Timedelta(unit) => format!("m8[{}]", unit.name()),
        TypeKind::CharSeq(n) => format!("S{n}"),
        TypeKind::UnicodeCharSeq(n) => format!("U{n}"),
        _ => types.display(ty).to_string(),
    }
}

/// A new reference to the dtype object of an element type; `None` for types that arrays do not hold.
pub(crate) fn new_descr(
    py: Python<'_>,
    types: &Types,
    dtype: Type,
) -> PyResult<Option<*mut PyObject>> {
    if let Some(scalar) = types.as_scalar(dtype) {
        let Some(descr) = api(py)?.descr(scalar) else {
            return Ok(None);
        };
        // SAFETY: a live dtype object, under the GIL.
        unsafe { ffi::Py_INCREF(descr) };
        return Ok(Some(descr));
    }
    if types.as_record(dtype).is_some() {
        let ty = crate::types::to_python(py, dtype)?;
        let made = py
            .import("numbra.np.numpy_support")?
            .call_method1("as_dtype", (ty,))?;
        return Ok(Some(made.into_ptr()));
    }
    if types.as_time(dtype).is_none() && types.as_char_seq(dtype).is_none() {
        return Ok(None);
    }
    let made = py
        .import("numpy")?
        .call_method1("dtype", (dtype_text(types, dtype),))?;
    Ok(Some(made.into_ptr()))
}

/// Name under which entry wrappers refer to the builtin dtype object of an array element type.
pub(crate) fn descr_symbol(types: &Types, dtype: Type) -> Option<String> {
    match types.kind(dtype) {
        TypeKind::Scalar(Scalar::BFloat16, _) => None,
        TypeKind::Scalar(scalar, _) => Some(format!("numbra_py_descr_{}", scalar.name())),
        _ => None,
    }
}

/// Address of the NumPy object behind a symbol of entry wrappers.
pub(crate) fn symbol(name: &str) -> Option<*const u8> {
    if !name.starts_with("numbra_py_PyArray_Type") && !name.starts_with("numbra_py_descr_") {
        return None;
    }
    // A signature given by its types may come before the first array.
    let api = crate::python::enter(|py| api(py).ok())?;
    if name == "numbra_py_PyArray_Type" {
        return Some(api.array_type.cast_const().cast());
    }
    let scalar = name.strip_prefix("numbra_py_descr_")?;
    let scalar = Scalar::ALL.into_iter().find(|s| s.name() == scalar)?;
    Some(api.descr(scalar)?.cast_const().cast())
}
