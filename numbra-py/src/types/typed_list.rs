//! The Python object that shares a list with compiled code.

use super::direct::{self, Direct, Rest};
use super::typed::{self, Shared, Sharing, typing_error};
use super::{from_python, to_python};
use crate::convert::{Accept, Unboxing, box_value};
use crate::lists::{Entered, write_item};
use crate::session::session;
use numbra_ir::{ListClass, Type, Types};
use numbra_lower::lowering::{ItemLayout, item_layout};
use numbra_runtime::{Header, List, new_list};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyInt, PySlice, PyTuple, PyType};
use std::ffi::CStr;
use std::sync::OnceLock;

/// What `typed.List` derives from: a list of compiled code, or none as long as nobody said of what type.
#[pyclass(subclass, frozen, name = "TypedList", module = "numbra")]
pub(crate) struct TypedList(OnceLock<Native>);

/// A list of compiled code, of which this owns a reference.
struct Native {
    shared: Shared<List>,
    item: Type,
    layout: ItemLayout,
}

fn no_memory() -> PyErr {
    PyMemoryError::new_err("cannot allocate list")
}

fn out_of_range() -> PyErr {
    PyIndexError::new_err("list index out of range")
}

impl Native {
    /// Of a list of type `ty`, whose reference this takes; a new one where there is none.
    fn new(ty: Type, header: Option<*mut Header>, room: usize) -> PyResult<Native> {
        let types = session().types.view();
        types.hold(ty);
        let item = match types.as_list(ty) {
            Some((item, ListClass::Typed)) => item,
            _ => return Err(PyTypeError::new_err("no type of a typed list")),
        };
        let layout = item_layout(&types, item).map_err(PyTypeError::new_err)?;
        let header = header
            .unwrap_or_else(|| new_list(room, layout.size as usize, layout.refs).cast::<Header>());
        if header.is_null() {
            return Err(no_memory());
        }
        Ok(Native {
            shared: Shared::new(header, ty, types),
            item,
            layout,
        })
    }

    /// An empty list of the same type.
    fn like(&self, room: usize) -> PyResult<Native> {
        Native::new(self.shared.ty, None, room)
    }

    fn list(&self) -> &mut List {
        self.shared.get()
    }

    /// ValueError where the list may not be changed.
    fn check_mutable(&self) -> PyResult<()> {
        match self.list().is_mutable() {
            true => Ok(()),
            false => Err(PyValueError::new_err("list is immutable")),
        }
    }

    /// The position of an index, which may count from the end.
    fn position(&self, index: isize) -> Option<usize> {
        let length = self.list().len();
        let at = if index < 0 {
            index.checked_add_unsigned(length)?
        } else {
            index
        };
        usize::try_from(at).ok().filter(|at| *at < length)
    }

    /// The item at a position.
    fn at<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        let place = self.list().item(at);
        // SAFETY: the item is there.
        if let Some(number) = unsafe { typed::number_at(py, self.item, place) } {
            return number;
        }
        let words = typed::held(&self.layout, place);
        let object = box_value(py, &self.shared.types, self.item, &mut words.as_slice());
        // SAFETY: the references that `held` took.
        unsafe { typed::let_go(&self.layout, &words) };
        object
    }

    /// Writes an object to an item that owns nothing, whose place `open` gives.
    fn write(
        &self,
        object: &Bound<'_, PyAny>,
        open: impl FnOnce(&mut List) -> PyResult<*mut u8>,
    ) -> PyResult<()> {
        self.check_mutable()?;
        if let Some(bits) = typed::number(self.item, object) {
            let place = open(self.list())?;
            // SAFETY: an item is a number of 8 bytes, at this place.
            unsafe { place.cast::<u64>().write_unaligned(bits) };
            return Ok(());
        }
        let mut entered = Entered::detached();
        let mut unboxing = Unboxing::new(&self.shared.types, Accept::Converted, &mut entered);
        typed::unbox(&mut unboxing, self.item, object)?;
        let place = open(self.list())?;
        unboxing.hand_to(|words| write_item(&self.layout, place, words));
        Ok(())
    }

    /// Removes items.
    fn remove(&self, at: usize, count: usize) {
        // SAFETY: this keeps the list.
        unsafe { List::remove(self.shared.header.cast(), at, count) };
    }

    fn append(&self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write(object, |list| {
            let at = list.len();
            list.open(at).then(|| list.item(at)).ok_or_else(no_memory)
        })
    }

    /// Puts an object in the place of an item.
    fn replace(&self, index: isize, object: &Bound<'_, PyAny>) -> PyResult<()> {
        self.check_mutable()?;
        let place = || self.position(index).ok_or_else(out_of_range);
        if self.layout.refs == 0 {
            return self.write(object, |list| Ok(list.item(place()?)));
        }
        let one = self.like(1)?;
        one.append(object)?;
        let at = place()? as i64;
        // SAFETY: the item is there, and the list beside it has one of the same type.
        let old = unsafe { self.list().assign(at, 1, 1, one.list()) };
        old.map(drop).ok_or_else(no_memory)
    }

    /// A new list of the items of an iterable.
    fn of_items(&self, items: &Bound<'_, PyAny>) -> PyResult<Native> {
        let made = self.like(0)?;
        for item in items.try_iter()? {
            made.append(&item?)?;
        }
        Ok(made)
    }

    /// Start, step and number of the items that a slice names.
    fn range(&self, slice: &Bound<'_, PySlice>) -> PyResult<(isize, isize, usize)> {
        let (mut start, mut stop, mut step) = (0, 0, 0);
        // SAFETY: a slice; the GIL is held.
        if unsafe {
            ffi::PySlice_Unpack(slice.as_ptr(), &raw mut start, &raw mut stop, &raw mut step)
        } < 0
        {
            return Err(PyErr::fetch(slice.py()));
        }
        // The bounds may be objects that change the list: its length is read after they are numbers.
        let length = isize::try_from(self.list().len()).unwrap_or(isize::MAX);
        // SAFETY: two places that are there.
        let count =
            unsafe { ffi::PySlice_AdjustIndices(length, &raw mut start, &raw mut stop, step) };
        Ok((start, step, usize::try_from(count).unwrap_or(0)))
    }

    fn sliced(&self, (start, step, count): (isize, isize, usize)) -> PyResult<Native> {
        // SAFETY: the items are there.
        let made = unsafe { self.list().slice(start as i64, step as i64, count) };
        match made.is_null() {
            true => Err(no_memory()),
            false => Native::new(self.shared.ty, Some(made.cast()), 0),
        }
    }
}

/// What an index is.
enum Index<'a, 'py> {
    One(isize),
    Many(&'a Bound<'py, PySlice>),
}

impl<'a, 'py> Index<'a, 'py> {
    fn of(index: &'a Bound<'py, PyAny>) -> PyResult<Index<'a, 'py>> {
        if let Some(bits) = typed::number(Type::INT64, index) {
            return Ok(Index::One(bits.cast_signed() as isize));
        }
        if let Ok(slice) = index.cast::<PySlice>() {
            return Ok(Index::Many(slice));
        }
        match index.extract::<isize>() {
            Ok(index) => Ok(Index::One(index)),
            Err(_) if index.is_instance_of::<PyInt>() => Err(out_of_range()),
            Err(error) if error.is_instance_of::<PyTypeError>(index.py()) => Err(typing_error(
                index.py(),
                "list indices must be integers or slices".to_owned(),
            )),
            Err(error) => Err(error),
        }
    }
}

/// The instance of `numbra.typed.List` that has a list.
fn instance<'py>(py: Python<'py>, native: Native) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("numbra.typed")?.getattr("List")?;
    let class = class.cast_into::<PyType>().map_err(PyErr::from)?;
    let made = class.call_method1("__new__", (&class,))?;
    let list = made.cast::<TypedList>().map_err(PyErr::from)?;
    match list.get().0.set(native) {
        Ok(()) => Ok(made),
        Err(_) => Err(PyTypeError::new_err("the list has a type")),
    }
}

/// The instance of `numbra.typed.List` that shares a list.
pub(super) fn of<'py>(
    py: Python<'py>,
    ty: Type,
    header: *mut Header,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: who boxes a value keeps it meanwhile.
    unsafe { numbra_runtime::retain(header) };
    instance(py, Native::new(ty, Some(header), 0)?)
}

impl TypedList {
    /// Writes a number to an item whose place `open` gives; false where that takes more.
    fn change(
        &self,
        number: &Bound<'_, PyAny>,
        open: impl FnOnce(&mut List) -> Option<*mut u8>,
    ) -> bool {
        let Some(native) = self.0.get().filter(|native| native.list().is_mutable()) else {
            return false;
        };
        let Some(bits) = typed::number(native.item, number) else {
            return false;
        };
        let Some(place) = open(native.list()) else {
            return false;
        };
        // SAFETY: an item is a number of 8 bytes, at this place.
        unsafe { place.cast::<u64>().write_unaligned(bits) };
        true
    }

    fn native(&self) -> PyResult<&Native> {
        let untyped = || {
            PyTypeError::new_err(
                "this list has no type yet: append something, or make it by `List.empty_list(item_type)`",
            )
        };
        self.0.get().ok_or_else(untyped)
    }

    /// The list, which gets its type from a first item.
    fn native_for(&self, item: &Bound<'_, PyAny>) -> PyResult<&Native> {
        if let Some(native) = self.0.get() {
            return Ok(native);
        }
        let (module, function) = ("numbra.typed.typedlist", "_type_with");
        let ty = typed::asked_type(item.py(), module, function, (item,))?;
        self._set_type(&ty, 0)?;
        self.native()
    }

    /// The type of a list that has one.
    pub(super) fn ty(&self, types: &Types) -> PyResult<Type> {
        let ty = self.native()?.shared.ty;
        types.hold(ty);
        Ok(ty)
    }
}

impl Direct for TypedList {
    const FULL_NAME: &'static CStr = c"numbra.TypedList";
    const ADD: Option<(&'static CStr, &'static CStr)> = Some((
        c"append",
        c"append($self, item)\n--\n\nAdds an item at the end.",
    ));

    fn rest() -> &'static OnceLock<Rest> {
        static REST: OnceLock<Rest> = OnceLock::new();
        &REST
    }

    fn item(&self, key: &Bound<'_, PyAny>) -> Option<*mut ffi::PyObject> {
        let native = self.0.get()?;
        let at = native.position(typed::number(Type::INT64, key)?.cast_signed() as isize)?;
        // SAFETY: the item is there.
        unsafe { typed::new_number_at(key.py(), native.item, native.list().item(at)) }
    }

    fn set_item(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> bool {
        self.change(value, |list| {
            let at = typed::number(Type::INT64, key)?.cast_signed() as isize;
            let native = self.0.get()?;
            native.position(at).map(|at| list.item(at))
        })
    }

    fn add(&self, item: &Bound<'_, PyAny>) -> bool {
        self.change(item, List::open_last)
    }
}

impl Sharing for TypedList {
    fn header(&self, ty: Type) -> Option<*mut Header> {
        let native = self.0.get().filter(|native| native.shared.ty == ty)?;
        Some(native.shared.header)
    }
}

#[pymethods]
impl TypedList {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, pyo3::types::PyDict>>,
    ) -> TypedList {
        TypedList(OnceLock::new())
    }

    /// True once the type of the items is known.
    #[getter]
    fn _typed(&self) -> bool {
        self.0.get().is_some()
    }

    /// Says of which type the list is, which has none yet, and for how many items to make room.
    fn _set_type(&self, ty: &Bound<'_, PyAny>, room: usize) -> PyResult<()> {
        let native = Native::new(from_python(ty)?, None, room)?;
        let known = || PyTypeError::new_err("the list has a type");
        self.0.set(native).map_err(|_| known())
    }

    /// Where the list of compiled code is, which several objects may share; 0 as long as there is none.
    #[getter]
    fn _address(&self) -> usize {
        self.0.get().map_or(0, |native| native.shared.header.addr())
    }

    #[getter]
    fn _numba_type_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.native()?.shared.ty)
    }

    /// Whether the list may be changed.
    fn _is_mutable(&self) -> PyResult<bool> {
        Ok(self.native()?.list().is_mutable())
    }

    /// Lets the list be changed.
    fn _make_mutable(&self) -> PyResult<()> {
        self.native()?.list().set_mutable(true);
        Ok(())
    }

    /// Has what would change the list raise ValueError.
    fn _make_immutable(&self) -> PyResult<()> {
        self.native()?.list().set_mutable(false);
        Ok(())
    }

    /// Number of items there is room for.
    fn _allocated(&self) -> usize {
        self.0.get().map_or(0, |native| native.list().capacity())
    }

    fn __len__(&self) -> usize {
        self.0.get().map_or(0, |native| native.list().len())
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let index = Index::of(index).map(|at| (at, index.py()))?;
        let native = self.0.get().ok_or_else(out_of_range)?;
        match index {
            (Index::One(index), py) => {
                native.at(py, native.position(index).ok_or_else(out_of_range)?)
            }
            (Index::Many(slice), py) => instance(py, native.sliced(native.range(slice)?)?),
        }
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let native = self.0.get().ok_or_else(out_of_range)?;
        let slice = match Index::of(index)? {
            Index::One(index) => return native.replace(index, value),
            Index::Many(slice) => slice,
        };
        native.check_mutable()?;
        let items = native.of_items(value)?;
        let (start, step, count) = native.range(slice)?;
        if step != 1 && items.list().len() != count {
            return Err(PyValueError::new_err(format!(
                "length mismatch for extended slice and sequence: {} items for {count}",
                items.list().len()
            )));
        }
        // SAFETY: the items are there, and the lists are two, of one type.
        let old = unsafe {
            native
                .list()
                .assign(start as i64, count, step as i64, items.list())
        };
        old.map(drop).ok_or_else(no_memory)
    }

    fn __delitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<()> {
        let native = self.0.get().ok_or_else(out_of_range)?;
        native.check_mutable()?;
        let slice = match Index::of(index)? {
            Index::One(index) => {
                let at = native.position(index).ok_or_else(out_of_range)?;
                native.remove(at, 1);
                return Ok(());
            }
            Index::Many(slice) => slice,
        };
        let (start, step, count) = native.range(slice)?;
        let old = native.list().remove_each(start as i64, step as i64, count);
        old.map(drop).ok_or_else(no_memory)
    }

    /// Adds an item at the end.
    fn append(&self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        self.native_for(item)?.append(item)
    }

    /// Adds an item in front of position ``i``.
    #[pyo3(signature = (i, item))]
    fn insert(&self, i: &Bound<'_, PyAny>, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let index: isize = i.extract()?;
        self.native_for(item)?.write(item, |list| {
            let length = list.len();
            let at = match index < 0 {
                true => index.saturating_add_unsigned(length).max(0) as usize,
                false => (index as usize).min(length),
            };
            list.open(at).then(|| list.item(at)).ok_or_else(no_memory)
        })
    }

    /// Removes the item at a position, by default the last, and gives it.
    #[pyo3(signature = (i = -1))]
    fn pop<'py>(&self, py: Python<'py>, i: isize) -> PyResult<Bound<'py, PyAny>> {
        let empty = || PyIndexError::new_err("pop from empty list");
        let native = self.0.get().ok_or_else(empty)?;
        if native.list().is_empty() {
            return Err(empty());
        }
        native.check_mutable()?;
        let index = || PyIndexError::new_err("pop index out of range");
        let at = native.position(i).ok_or_else(index)?;
        let words = typed::held(&native.layout, native.list().item(at));
        native.remove(at, 1);
        let object = box_value(py, &native.shared.types, native.item, &mut words.as_slice());
        // SAFETY: the references that `held` took.
        unsafe { typed::let_go(&native.layout, &words) };
        object
    }

    /// Removes all items.
    fn clear(&self) -> PyResult<()> {
        if let Some(native) = self.0.get() {
            native.check_mutable()?;
            native.remove(0, native.list().len());
        }
        Ok(())
    }

    /// Turns the order of the items round.
    fn reverse(&self) -> PyResult<()> {
        if let Some(native) = self.0.get() {
            native.check_mutable()?;
            native.list().reverse();
        }
        Ok(())
    }

    /// A new list of the same items.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let native = self.native()?;
        instance(py, native.sliced((0, 1, native.list().len()))?)
    }

    fn __iter__(list: &Bound<'_, TypedList>) -> TypedListIterator {
        TypedListIterator {
            list: list.clone().unbind(),
            next: 0,
        }
    }
}

/// Gives `numbra.typed.List` the methods that CPython should call without a detour.
#[pyfunction]
pub(crate) fn _typed_list_methods<'py>(class: Bound<'py, PyType>) -> PyResult<Bound<'py, PyType>> {
    if !class.is_subclass_of::<TypedList>()? {
        return Err(PyTypeError::new_err("no class of typed lists"));
    }
    direct::add_methods::<TypedList>(&class)?;
    Ok(class)
}

/// What iterates over a typed list.
#[pyclass(module = "numbra")]
pub(crate) struct TypedListIterator {
    list: Py<TypedList>,
    next: usize,
}

#[pymethods]
impl TypedListIterator {
    fn __iter__(iterator: Bound<'_, Self>) -> Bound<'_, Self> {
        iterator
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let native = self.list.get().0.get();
        let Some(native) = native.filter(|native| self.next < native.list().len()) else {
            self.next = usize::MAX;
            return Ok(None);
        };
        self.next += 1;
        native.at(py, self.next - 1).map(Some)
    }
}
