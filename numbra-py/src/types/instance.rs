//! Objects with fields that compiled code makes, as Python objects: those of `jitclass` and `structref`.
//!
//! Several Python objects may show one object of compiled code; what one of them writes the others read.

use super::typed::{self, Shared, Sharing};
use super::{from_python, to_python};
use crate::convert::{Accept, Leaves, Unboxing, box_value, guarded, release_leaves};
use crate::lists::{Entered, read_item, write_item};
use crate::python::with_gil;
use crate::session::{session, type_of_code};
use numbra_abi::FRAME;
use numbra_base::FxHashMap;
use numbra_ir::{ExtField, ExtModel, ExtShape, Type, Types};
use numbra_lir::Ty;
use numbra_lower::lowering::{ItemLayout, object_layout};
use numbra_runtime::Header;
use pyo3::exceptions::{PyAttributeError, PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// What Python objects of such types derive from: an object of compiled code, or none as long as nobody made it.
#[pyclass(subclass, frozen, name = "Instance", module = "numbra", weakref)]
pub(crate) struct Instance(OnceLock<Native>);

/// An object of compiled code, of which this owns a reference.
struct Native {
    shared: Shared<Header>,
    objects: Arc<Objects>,
}

/// The objects of a type.
struct Objects {
    fields: Vec<Place>,
    size: u32,
    refs: u32,
    /// The class of the Python objects.
    class: OnceLock<Py<PyType>>,
}

/// A field in an object's data.
struct Place {
    name: String,
    ty: Type,
    leaves: ItemLayout,
    never_zero: Vec<usize>,
}

/// The types that have come up, by number. They live as long as the process.
static OBJECTS: RwLock<Option<FxHashMap<u32, Arc<Objects>>>> = RwLock::new(None);

/// What values of a type of Python code are made of, by what Python says of it.
pub(crate) fn models(types: &Types, ty: Type) -> Option<ExtModel> {
    crate::python::enter(|py| model(py, types, ty).ok().flatten())
}

/// A field as Python says it: name, type, attribute or None, whether it may be written.
type Described<'py> = (String, Bound<'py, PyAny>, Option<String>, bool);

fn model(py: Python<'_>, types: &Types, ty: Type) -> PyResult<Option<ExtModel>> {
    let found = py
        .import("numbra.core.datamodel.described")?
        .call_method1("describe", (to_python(py, ty)?,))?;
    if found.is_none() {
        return Ok(None);
    }
    let (is_object, fields): (bool, Vec<Described<'_>>) = found.extract()?;
    let field = |(name, ty, attribute, is_writable): Described<'_>| {
        let ty = from_python(&ty)?;
        types.hold(ty);
        Ok(ExtField {
            name,
            ty,
            attribute,
            is_writable,
        })
    };
    Ok(Some(ExtModel {
        shape: match is_object {
            true => ExtShape::Object,
            false => ExtShape::Value,
        },
        fields: fields.into_iter().map(field).collect::<PyResult<_>>()?,
    }))
}

/// The objects of a type.
fn objects_of(ty: Type) -> PyResult<Arc<Objects>> {
    let known = OBJECTS.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(objects) = known.as_ref().and_then(|all| all.get(&ty.index())) {
        return Ok(objects.clone());
    }
    drop(known);
    let types = &session().types;
    let layout = object_layout(types, ty).map_err(PyTypeError::new_err)?;
    let model = types.ext_model(ty);
    let model = model.ok_or_else(|| PyTypeError::new_err("no type of objects"))?;
    let fields = model.fields.iter().zip(layout.fields);
    let fields = fields.map(|(field, at)| Place {
        name: field.name.clone(),
        ty: field.ty,
        leaves: ItemLayout {
            size: layout.size,
            leaves: at.leaves,
            refs: 0,
        },
        never_zero: at.never_zero,
    });
    let objects = Arc::new(Objects {
        fields: fields.collect(),
        size: layout.size,
        refs: layout.refs,
        class: OnceLock::new(),
    });
    let mut all = OBJECTS.write().unwrap_or_else(PoisonError::into_inner);
    let all = all.get_or_insert_default();
    Ok(all.entry(ty.index()).or_insert(objects).clone())
}

/// Has a jitted function, the constructor, stand for the class of the objects of a type.
#[pyfunction]
pub(crate) fn _set_constructor(
    ty: &Bound<'_, PyAny>,
    constructor: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let ty = from_python(ty)?;
    let known = crate::dispatcher::inner(constructor)?.makes.set(ty);
    known.map_err(|_| PyTypeError::new_err("the function stands for a class"))
}

/// A new object of a type, whose fields are not set.
#[pyfunction]
pub(crate) fn _new_object<'py>(ty: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, ty) = (ty.py(), from_python(ty)?);
    let objects = objects_of(ty)?;
    let object = numbra_runtime::new_frame(objects.size, objects.refs);
    if object.is_null() {
        return Err(PyMemoryError::new_err("cannot allocate object"));
    }
    owned(py, ty, object, objects)
}

impl Objects {
    /// The class of the Python objects.
    fn class<'py>(&self, py: Python<'py>, ty: Type) -> PyResult<Bound<'py, PyType>> {
        if let Some(class) = self.class.get() {
            return Ok(class.bind(py).clone());
        }
        let found = py
            .import("numbra.core.datamodel.described")?
            .call_method1("class_of_objects", (to_python(py, ty)?,))?;
        let class = found.cast_into::<PyType>().map_err(PyErr::from)?;
        if !class.is_subclass_of::<Instance>()? {
            return Err(PyTypeError::new_err("the class is not made of `Instance`"));
        }
        let _ = self.class.set(class.clone().unbind());
        Ok(class)
    }
}

/// A Python object that shares an object.
pub(super) fn of<'py>(
    py: Python<'py>,
    ty: Type,
    object: *mut Header,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: who boxes a value keeps it meanwhile.
    unsafe { numbra_runtime::retain(object) };
    owned(py, ty, object, objects_of(ty)?)
}

/// True for types whose values are references to objects with fields.
pub(crate) fn is_object(types: &Types, ty: Type) -> bool {
    let model = types.ext_model(ty);
    model.is_some_and(|model| model.shape == ExtShape::Object)
}

/// `numbra_py_box_instance(type, object) -> PyObject*`: a Python object that shares an object with fields; null with an
/// exception set when there is none.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, and the object is alive.
pub(crate) unsafe extern "C" fn numbra_py_box_instance(
    code: u64,
    object: *mut Header,
) -> *mut ffi::PyObject {
    let made = |py: Python<'_>| {
        of(py, type_of_code(code), object).map_or_else(
            |error| {
                error.restore(py);
                std::ptr::null_mut()
            },
            Bound::into_ptr,
        )
    };
    // SAFETY: by contract.
    guarded(std::ptr::null_mut(), || unsafe { with_gil(made) })
}

/// As [`of`], with the caller's reference.
fn owned<'py>(
    py: Python<'py>,
    ty: Type,
    object: *mut Header,
    objects: Arc<Objects>,
) -> PyResult<Bound<'py, PyAny>> {
    let shared = Shared::new(object, ty, session().types.clone());
    let class = objects.class(py, ty)?;
    // SAFETY: a class derived from `Instance`.
    let made = unsafe {
        let made = new_of(py, class.as_ptr().cast())?;
        Bound::from_owned_ptr_or_err(py, made)?
    };
    let instance = made.cast::<Instance>().map_err(PyErr::from)?;
    let _ = instance.get().0.set(Native { shared, objects });
    Ok(made)
}

/// `Instance.__new__(class)`, whatever `__new__` the class has.
fn new_of(py: Python<'_>, class: *mut ffi::PyTypeObject) -> PyResult<*mut ffi::PyObject> {
    let base = py.get_type::<Instance>();
    let args = PyTuple::empty(py);
    // SAFETY: the slot of `Instance`, with a class derived from it.
    unsafe {
        let new = (*base.as_type_ptr()).tp_new;
        let new = new.ok_or_else(|| PyTypeError::new_err("the class makes no objects"))?;
        Ok(new(class, args.as_ptr(), std::ptr::null_mut()))
    }
}

impl Native {
    fn place(&self, at: usize) -> PyResult<&Place> {
        let found = self.objects.fields.get(at);
        found.ok_or_else(|| PyAttributeError::new_err("the object has no such field"))
    }

    fn data(&self) -> *mut u8 {
        self.shared.get().data_address()
    }

    fn get<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        let field = self.place(at)?;
        let data = self.data();
        if let [(_, offset)] = field.leaves.leaves[..] {
            let place = data.wrapping_add(offset as usize);
            // SAFETY: a value of the type, where it is a number, is at the place.
            if let Some(number) = unsafe { typed::number_at(py, field.ty, place) } {
                return number;
            }
        }
        let words = typed::held(&field.leaves, data);
        let is_set = field.never_zero.iter().all(|leaf| words[*leaf][0] != 0);
        let object = match is_set {
            true => box_value(py, &self.shared.types, field.ty, &mut words.as_slice()),
            false => {
                let text = format!("'{}' was never set", field.name);
                Err(PyAttributeError::new_err(text))
            }
        };
        // SAFETY: the references that `held` took.
        unsafe { typed::let_go(&field.leaves, &words) };
        object
    }

    fn set(&self, at: usize, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let field = self.place(at)?;
        let data = self.data();
        if let [(_, offset)] = field.leaves.leaves[..]
            && let Some(bits) = typed::number(field.ty, object)
        {
            let place = data.wrapping_add(offset as usize);
            // SAFETY: the field is a number of 8 bytes, at this place.
            unsafe { place.cast::<u64>().write_unaligned(bits) };
            return Ok(());
        }
        let mut entered = Entered::detached();
        let mut unboxing = Unboxing::new(&self.shared.types, Accept::Converted, &mut entered);
        if !typed::is_stored(&mut unboxing, field.ty, object)? {
            return self.convert(field, object);
        }
        let mut old = Leaves::new();
        unboxing.hand_to(|words| {
            read_item(&field.leaves, data, &mut old);
            write_item(&field.leaves, data, words);
        });
        let shape: Vec<Ty> = field.leaves.leaves.iter().map(|leaf| leaf.0).collect();
        // SAFETY: the references that the field had.
        unsafe { release_leaves(&shape, &old) };
        Ok(())
    }
}

impl Native {
    /// Sets a field to what an object converts to, as compiled code does.
    fn convert(&self, field: &Place, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let this = of(py, self.shared.ty, self.shared.header)?;
        py.import("numbra.core.datamodel.described")?
            .call_method1("assign", (this, &field.name, value))?;
        Ok(())
    }
}

impl Instance {
    fn native(&self) -> PyResult<&Native> {
        let made = || PyTypeError::new_err("the object was not made by its class");
        self.0.get().ok_or_else(made)
    }

    /// The type of the object.
    pub(super) fn ty(&self, types: &Types) -> PyResult<Type> {
        let ty = self.native()?.shared.ty;
        types.hold(ty);
        Ok(ty)
    }
}

impl Sharing for Instance {
    fn header(&self, ty: Type) -> Option<*mut Header> {
        let native = self.0.get().filter(|native| native.shared.ty == ty)?;
        Some(native.shared.header)
    }
}

#[pymethods]
impl Instance {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Instance {
        Instance(OnceLock::new())
    }

    #[getter]
    fn _numba_type_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.native()?.shared.ty)
    }

    /// Where the object of compiled code is, which several Python objects may share.
    #[getter]
    fn _address(&self) -> usize {
        self.0.get().map_or(0, |native| native.shared.header.addr())
    }

    /// Where its fields are, from the first on that is no reference: as in C, where none is.
    #[getter]
    fn _data_address(&self) -> usize {
        self.0.get().map_or(0, |native| {
            native.data().addr() + FRAME.size as usize + 8 * native.objects.refs as usize
        })
    }

    /// Has this, which nobody made yet, show the object that another one shows.
    fn _share(&self, other: &Bound<'_, Instance>) -> PyResult<()> {
        let native = other.get().native()?;
        // SAFETY: the other object keeps it.
        unsafe { numbra_runtime::retain(native.shared.header) };
        let shared = Shared::new(
            native.shared.header,
            native.shared.ty,
            native.shared.types.clone(),
        );
        let objects = native.objects.clone();
        let known = || PyTypeError::new_err("the object is made");
        self.0.set(Native { shared, objects }).map_err(|_| known())
    }
}

impl Instance {
    /// The field at a position, for its attribute: a new reference, or null with an exception set.
    pub(super) fn read(object: &Bound<'_, PyAny>, at: usize) -> PyResult<*mut ffi::PyObject> {
        let object = object.cast::<Instance>()?;
        let found = object.get().native()?.get(object.py(), at)?;
        Ok(found.into_ptr())
    }

    /// As [`Instance::read`] for a number, which fails nowhere and needs no attachment that pyo3 counts; null for others.
    pub(super) fn read_number(object: &Bound<'_, PyAny>, at: usize) -> *mut ffi::PyObject {
        let number = || {
            let native = object.cast::<Instance>().ok()?.get().0.get()?;
            let field = native.objects.fields.get(at)?;
            let [(_, offset)] = field.leaves.leaves[..] else {
                return None;
            };
            let place = native.data().wrapping_add(offset as usize);
            // SAFETY: a value of the type, where it is a number, is at the place.
            unsafe { typed::number_at(object.py(), field.ty, place) }?.ok()
        };
        number().map_or(std::ptr::null_mut(), Bound::into_ptr)
    }

    /// Sets the field at a position, for its attribute.
    pub(super) fn write(
        object: &Bound<'_, PyAny>,
        at: usize,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        object.cast::<Instance>()?.get().native()?.set(at, value)
    }
}
