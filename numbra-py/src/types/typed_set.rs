//! The Python object that shares a set with compiled code.

use super::typed::{self, Shared, Sharing, typing_error};
use super::{from_python, to_python};
use crate::convert::{Accept, Unboxing, box_value};
use crate::lists::{Entered, write_item};
use crate::session::session;
use numbra_ir::{ListClass, Type, Types};
use numbra_lower::lowering::{ItemLayout, item_layout, item_parts};
use numbra_runtime::{Header, Set, new_set};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};
use std::sync::OnceLock;

/// What `typed.Set` derives from: a set of compiled code, or none as long as nobody said of what type.
#[pyclass(subclass, frozen, name = "TypedSet", module = "numbra")]
pub(crate) struct TypedSet(OnceLock<Native>);

/// A set of compiled code, of which this owns a reference.
struct Native {
    shared: Shared<Set>,
    item: Type,
    layout: ItemLayout,
}

impl Native {
    /// Of a set of type `ty`, whose reference this takes; a new one where there is none.
    fn new(py: Python<'_>, ty: Type, header: Option<*mut Header>) -> PyResult<Native> {
        let types = session().types.view();
        types.hold(ty);
        let item = match types.as_set(ty) {
            Some((item, ListClass::Typed)) => item,
            _ => return Err(PyTypeError::new_err("no type of a typed set")),
        };
        let layout = item_layout(&types, item).map_err(PyTypeError::new_err)?;
        let header = match header {
            Some(header) => header,
            None => {
                let parts = item_parts(&types, item, &layout).ok_or_else(|| {
                    let family = types.kind(item).family().unwrap_or("object");
                    typing_error(py, format!("unhashable type: '{family}'"))
                })?;
                new_set(layout.size as usize, layout.refs, &parts).cast()
            }
        };
        Ok(Native {
            shared: Shared::new(header, ty, types),
            item,
            layout,
        })
    }

    fn set(&self) -> &mut Set {
        self.shared.get()
    }

    /// Runs `run` with the memory of an item.
    fn with_item<R>(
        &self,
        object: &Bound<'_, PyAny>,
        run: impl FnOnce(&mut Set, *const u8) -> PyResult<R>,
    ) -> PyResult<R> {
        let mut entered = Entered::detached();
        let mut unboxing = Unboxing::new(&self.shared.types, Accept::Converted, &mut entered);
        typed::unbox(&mut unboxing, self.item, object)?;
        let mut memory = vec![0_u64; (self.layout.size as usize).div_ceil(8)];
        let place = memory.as_mut_ptr().cast::<u8>();
        write_item(&self.layout, place, unboxing.words());
        // The references of the leaves are given up after this.
        run(self.set(), place)
    }

    /// The position of an item.
    fn find(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        self.with_item(object, |set, item| Ok(set.position_of(item)))
    }
}

/// The instance of `numbra.typed.Set` that has a set.
fn instance<'py>(py: Python<'py>, native: Native) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("numbra.typed")?.getattr("Set")?;
    let class = class.cast_into::<PyType>().map_err(PyErr::from)?;
    let made = class.call_method1("__new__", (&class,))?;
    let set = made.cast::<TypedSet>().map_err(PyErr::from)?;
    match set.get().0.set(native) {
        Ok(()) => Ok(made),
        Err(_) => Err(PyTypeError::new_err("the set has a type")),
    }
}

/// The instance of `numbra.typed.Set` that shares a set.
pub(super) fn of<'py>(
    py: Python<'py>,
    ty: Type,
    header: *mut Header,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: who boxes a value keeps it meanwhile.
    unsafe { numbra_runtime::retain(header) };
    instance(py, Native::new(py, ty, Some(header))?)
}

impl TypedSet {
    fn native(&self) -> PyResult<&Native> {
        let untyped = || PyTypeError::new_err("invalid operation on untyped set");
        self.0.get().ok_or_else(untyped)
    }

    /// The type of a set that has one.
    pub(super) fn ty(&self, types: &Types) -> PyResult<Type> {
        let ty = self.native()?.shared.ty;
        types.hold(ty);
        Ok(ty)
    }
}

impl Sharing for TypedSet {
    fn header(&self, ty: Type) -> Option<*mut Header> {
        let native = self.0.get().filter(|native| native.shared.ty == ty)?;
        Some(native.shared.header)
    }
}

#[pymethods]
impl TypedSet {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> TypedSet {
        TypedSet(OnceLock::new())
    }

    /// True once the type of the items is known.
    #[getter]
    fn _typed(&self) -> bool {
        self.0.get().is_some()
    }

    /// Says of which type the set is, which has none yet.
    fn _set_type(&self, ty: &Bound<'_, PyAny>) -> PyResult<()> {
        let native = Native::new(ty.py(), from_python(ty)?, None)?;
        let known = || PyTypeError::new_err("the set has a type");
        self.0.set(native).map_err(|_| known())
    }

    /// Where the set of compiled code is, which several objects may share; 0 as long as there is none.
    #[getter]
    fn _address(&self) -> usize {
        self.0.get().map_or(0, |native| native.shared.header.addr())
    }

    #[getter]
    fn _numba_type_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.native()?.shared.ty)
    }

    fn __len__(&self) -> usize {
        self.0.get().map_or(0, |native| native.set().items().len())
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.0.get() {
            Some(native) => Ok(native.find(item)?.is_some()),
            None => Ok(false),
        }
    }

    fn _add(&self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let added = self.native()?.with_item(item, |set, item| {
            // SAFETY: an item outside the set.
            Ok(unsafe { set.add(item) })
        })?;
        match added {
            true => Ok(()),
            false => Err(PyMemoryError::new_err("cannot allocate set")),
        }
    }

    /// Removes an item if it is there; whether it was.
    fn _discard(&self, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        let native = self.native()?;
        let Some(position) = native.find(item)? else {
            return Ok(false);
        };
        drop(native.set().take(position));
        Ok(true)
    }

    /// The item at a position, or None behind the last.
    fn _item<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let native = self.0.get();
        let Some(native) = native.filter(|native| position < native.set().items().len()) else {
            return Ok(None);
        };
        let words = typed::held(&native.layout, native.set().items().item(position));
        let object = box_value(py, &native.shared.types, native.item, &mut words.as_slice());
        // SAFETY: the references that `held` took.
        unsafe { typed::let_go(&native.layout, &words) };
        object.map(Some)
    }

    /// A new set of the same items.
    fn _copied<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let native = self.native()?;
        match native.set().copy() {
            Some(header) => instance(py, Native::new(py, native.shared.ty, Some(header.cast()))?),
            None => Err(PyMemoryError::new_err("cannot allocate set")),
        }
    }

    /// Removes all items.
    fn clear(&self) {
        if let Some(native) = self.0.get() {
            drop(native.set().clear());
        }
    }
}
