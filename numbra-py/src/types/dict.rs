//! Dictionaries, and the Python object that shares one with compiled code.

use super::direct::{Direct, Rest};
use super::typed::{self, Shared, Sharing, shared_by, typing_error};
use super::{Args, Edge, Fields, from_python, to_python};
use crate::convert::{Accept, Boxing, Leaves, Unboxing, box_value};
use crate::lists::{Entered, write_item};
use crate::session::session;
use numbra_ir::{DictPart, Type, TypeKind, Types, kinds};
use numbra_lower::lowering::{ItemLayout, item_layout, item_parts};
use numbra_runtime::{Dict, Header, new_dict};
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyType};
use smallvec::SmallVec;
use std::ffi::CStr;
use std::sync::OnceLock;

/// Position, key and value of an entry.
type Found<'py> = (usize, Bound<'py, PyAny>, Bound<'py, PyAny>);
/// The memory of an entry that is no dictionary's.
type Entry = SmallVec<[u64; 8]>;

/// What `typed.Dict` derives from: a dictionary of compiled code, or none as long as nobody said of what type.
#[pyclass(subclass, frozen, name = "TypedDict", module = "numbra")]
pub(crate) struct TypedDict(OnceLock<Native>);

/// A dictionary of compiled code, of which this owns a reference.
struct Native {
    shared: Shared<Dict>,
    key: Type,
    value: Type,
    /// Where key, value and the byte that says that an entry is there stand in it.
    layout: ItemLayout,
    /// Leaves of a key.
    key_leaves: usize,
}

impl Native {
    /// Of a dictionary of type `ty`; a new one where there is none.
    fn new(py: Python<'_>, ty: Type, header: Option<*mut Header>) -> PyResult<Native> {
        let types = session().types.view();
        types.hold(ty);
        let not = || PyTypeError::new_err("no type of a dict");
        let (key, value) = types.as_dict(ty).ok_or_else(not)?;
        let entry = types.tuple(&[key, value, Type::BOOL]);
        let layout = item_layout(&types, entry).map_err(PyTypeError::new_err)?;
        let leaves = numbra_lower::lowering::leaves(&types, key).map_err(PyTypeError::new_err)?;
        let header = match header {
            Some(header) => {
                // SAFETY: who boxes a value keeps it meanwhile.
                unsafe { numbra_runtime::retain(header) };
                header
            }
            None => {
                let parts = item_parts(&types, key, &layout).ok_or_else(|| {
                    let why = types.not_a_key(key);
                    typing_error(py, why.unwrap_or_else(|| "no type of keys".to_owned()))
                })?;
                let alive = layout.leaves.last().map_or(0, |leaf| leaf.1);
                new_dict(layout.size as usize, layout.refs, alive as usize, &parts).cast()
            }
        };
        Ok(Native {
            shared: Shared::new(header, ty, types),
            key,
            value,
            layout,
            key_leaves: leaves.len(),
        })
    }

    fn dict(&self) -> &mut Dict {
        self.shared.get()
    }

    /// The memory of an entry with a key, and a value if there is one, all of them numbers.
    fn numbers(&self, key: &Bound<'_, PyAny>, value: Option<&Bound<'_, PyAny>>) -> Option<Entry> {
        let mut entry = self.blank();
        let mut write = |leaf: usize, bits: u64| {
            // SAFETY: the entry has room for its leaves.
            unsafe {
                let at = self.layout.leaves[leaf].1 as usize;
                let place = entry.as_mut_ptr().cast::<u8>().add(at);
                place.cast::<u64>().write_unaligned(bits);
            }
        };
        write(0, typed::number(self.key, key)?);
        if let Some(value) = value {
            write(1, typed::number(self.value, value)?);
            let at = self.layout.leaves[2].1 as usize;
            // SAFETY: as above; the byte says that the entry is there.
            unsafe { entry.as_mut_ptr().cast::<u8>().add(at).write(1) };
        }
        Some(entry)
    }

    /// The memory of an entry.
    fn blank(&self) -> Entry {
        smallvec::smallvec![0; (self.layout.size as usize).div_ceil(8)]
    }

    /// Runs `run` with the memory of an entry with a key, and a value if there is one.
    fn with_entry<R>(
        &self,
        key: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
        run: impl FnOnce(&mut Dict, *const u8) -> PyResult<R>,
    ) -> PyResult<R> {
        if let Some(entry) = self.numbers(key, value) {
            return run(self.dict(), entry.as_ptr().cast());
        }
        let mut entered = Entered::detached();
        let mut unboxing = Unboxing::new(&self.shared.types, Accept::Converted, &mut entered);
        typed::unbox(&mut unboxing, self.key, key)?;
        if let Some(value) = value {
            typed::unbox(&mut unboxing, self.value, value)?;
            unboxing.number(1);
        }
        let mut memory = self.blank();
        let place = memory.as_mut_ptr().cast::<u8>();
        write_item(&self.layout, place, unboxing.words());
        // The references of the leaves are given up after this.
        run(self.dict(), place)
    }

    /// Position of the entry of a key.
    fn find(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        self.with_entry(key, None, |dict, entry| Ok(dict.find(entry)))
    }

    /// As [`Native::find`], KeyError without it.
    fn position(&self, key: &Bound<'_, PyAny>) -> PyResult<usize> {
        let missing = || PyKeyError::new_err(key.clone().unbind());
        self.find(key)?.ok_or_else(missing)
    }

    /// The value of the entry at a position.
    fn value<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Bound<'py, PyAny>> {
        let at = self.layout.leaves.get(self.key_leaves);
        let place = self.dict().entry(position);
        // SAFETY: the entry is there, and its value at this place.
        let number =
            at.and_then(|at| unsafe { typed::number_at(py, self.value, place.add(at.1 as usize)) });
        number.unwrap_or_else(|| Ok(self.entry(py, position)?.1))
    }

    /// Key and value of the entry at a position.
    fn entry<'py>(
        &self,
        py: Python<'py>,
        position: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        self.boxed(py, &self.held(position))
    }

    /// The leaves of the entry at a position, with references of their own: boxing may run code that changes the dictionary.
    fn held(&self, position: usize) -> Leaves {
        typed::held(&self.layout, self.dict().entry(position))
    }

    /// Key and value of leaves, whose references are given up.
    fn boxed<'py>(
        &self,
        py: Python<'py>,
        words: &Leaves,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (key, value) = words.split_at(self.key_leaves);
        let key = box_value(py, &self.shared.types, self.key, &mut { key });
        let value = box_value(py, &self.shared.types, self.value, &mut { value });
        // SAFETY: the references that `held` took.
        unsafe { typed::let_go(&self.layout, words) };
        Ok((key?, value?))
    }
}

impl TypedDict {
    fn native(&self) -> PyResult<&Native> {
        let untyped = || {
            PyTypeError::new_err(
                "this dict has no type yet: put something in, or make it by `Dict.empty(key_type, value_type)`",
            )
        };
        self.0.get().ok_or_else(untyped)
    }
}

impl TypedDict {
    /// Where the value of a key is, if keys and values are numbers of 8 bytes and the key is there.
    fn place(&self, key: &Bound<'_, PyAny>) -> Option<(&Native, *mut u8)> {
        let native = self.0.get().filter(|native| native.key == Type::INT64)?;
        let position = native.dict().find_word(typed::number(Type::INT64, key)?)?;
        let value = native.layout.leaves.get(1)?.1 as usize;
        Some((native, native.dict().entry(position).wrapping_add(value)))
    }
}

impl Direct for TypedDict {
    const FULL_NAME: &'static CStr = c"numbra.TypedDict";

    fn rest() -> &'static OnceLock<Rest> {
        static REST: OnceLock<Rest> = OnceLock::new();
        &REST
    }

    fn item(&self, key: &Bound<'_, PyAny>) -> Option<*mut ffi::PyObject> {
        let (native, place) = self.place(key)?;
        // SAFETY: the value of an entry that is there.
        unsafe { typed::new_number_at(key.py(), native.value, place) }
    }

    fn set_item(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> bool {
        let Some((native, place)) = self.place(key) else {
            return false;
        };
        let Some(bits) = typed::number(native.value, value) else {
            return false;
        };
        // SAFETY: a value is a number of 8 bytes, at this place.
        unsafe { place.cast::<u64>().write_unaligned(bits) };
        true
    }
}

impl Sharing for TypedDict {
    fn header(&self, ty: Type) -> Option<*mut Header> {
        let native = self.0.get().filter(|native| native.shared.ty == ty)?;
        Some(native.shared.header)
    }
}

#[pymethods]
impl TypedDict {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(
        _args: &Bound<'_, pyo3::types::PyTuple>,
        _kwargs: Option<&Bound<'_, pyo3::types::PyDict>>,
    ) -> TypedDict {
        TypedDict(OnceLock::new())
    }

    /// True once the types of keys and values are known.
    #[getter]
    fn _typed(&self) -> bool {
        self.0.get().is_some()
    }

    /// Says of which type the dictionary is, which has none yet.
    fn _set_type(&self, ty: &Bound<'_, PyAny>) -> PyResult<()> {
        let native = Native::new(ty.py(), from_python(ty)?, None)?;
        let known = || PyTypeError::new_err("the dict has a type");
        self.0.set(native).map_err(|_| known())
    }

    /// Where the dict of compiled code is, which several objects may share; 0 as long as there is none.
    #[getter]
    fn _address(&self) -> usize {
        self.0.get().map_or(0, |native| native.shared.header.addr())
    }

    #[getter]
    fn _numba_type_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.native()?.shared.ty)
    }

    fn __len__(&self) -> usize {
        self.0.get().map_or(0, |native| native.dict().len())
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.0.get() {
            Some(native) => Ok(native.find(key)?.is_some()),
            None => Ok(false),
        }
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let missing = || PyKeyError::new_err(key.clone().unbind());
        let native = self.0.get().ok_or_else(missing)?;
        native.value(key.py(), native.position(key)?)
    }

    /// The value of a key, or the default.
    #[pyo3(signature = (key, default = None))]
    fn get<'py>(
        &self,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(native) = self.0.get() else {
            return Ok(default);
        };
        match native.find(key)? {
            Some(position) => native.value(key.py(), position).map(Some),
            None => Ok(default),
        }
    }

    fn __setitem__(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.0.get().is_none() {
            let (module, function) = ("numbra.typed.typeddict", "_type_of_entry");
            self._set_type(&typed::asked_type(
                key.py(),
                module,
                function,
                (key, value),
            )?)?;
        }
        let native = self.native()?;
        let value_at = native.layout.leaves[native.key_leaves].1 as usize;
        let old = native.with_entry(key, Some(value), |dict, entry| {
            if let Some(position) = dict.find(entry) {
                // SAFETY: an entry outside the dictionary, with the key of that one.
                return Ok(Some(unsafe { dict.replace(position, entry, value_at) }));
            }
            // SAFETY: an entry outside the dictionary, whose key it has not.
            match unsafe { dict.insert(entry) } {
                Some(_) => Ok(None),
                None => Err(PyMemoryError::new_err("cannot allocate dict")),
            }
        })?;
        drop(old);
        Ok(())
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let missing = || PyKeyError::new_err(key.clone().unbind());
        let native = self.0.get().ok_or_else(missing)?;
        let position = native.position(key)?;
        drop(native.dict().take(position));
        Ok(())
    }

    /// Position, key and value of the first entry from a position on, or None.
    fn _next<'py>(&self, py: Python<'py>, from: usize) -> PyResult<Option<Found<'py>>> {
        let Some(native) = self.0.get() else {
            return Ok(None);
        };
        let Some(position) = native.dict().next(from) else {
            return Ok(None);
        };
        let (key, value) = native.entry(py, position)?;
        Ok(Some((position, key, value)))
    }

    /// Removes the entry that came last and gives it.
    fn popitem<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let last = self.0.get().and_then(|native| native.dict().last());
        let empty = || PyKeyError::new_err("dictionary is empty");
        let last = last.ok_or_else(empty)?;
        let native = self.native()?;
        let held = native.held(last);
        drop(native.dict().take(last));
        native.boxed(py, &held)
    }

    /// Removes all entries.
    fn clear(&self) {
        if let Some(native) = self.0.get() {
            drop(native.dict().clear());
        }
    }
}

/// The instance of `numbra.typed.Dict` that shares a dictionary.
fn typed_dict<'py>(py: Python<'py>, ty: Type, header: *mut Header) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("numbra.typed")?.getattr("Dict")?;
    let class = class.cast_into::<PyType>().map_err(PyErr::from)?;
    let made = class.call_method1("__new__", (&class,))?;
    let dict = made.cast::<TypedDict>().map_err(PyErr::from)?;
    let native = Native::new(py, ty, Some(header))?;
    if dict.get().0.set(native).is_err() {
        return Err(PyTypeError::new_err("the dict has a type"));
    }
    Ok(made)
}

impl Edge for kinds::Dict<'_> {
    const WORDS: &'static [&'static str] = &["dict"];
    const HAS_OBJECT: bool = true;

    fn shared_helper(&self) -> Option<&'static str> {
        Some("numbra_py_typed_dict")
    }

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.key)?;
        fields.ty(*self.value)?;
        Ok("dict")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let (key, value) = (args.ty(1)?, args.ty(2)?);
        Ok(TypeKind::Dict { key, value })
    }

    fn type_of(types: &Types, object: &Bound<'_, PyAny>) -> Option<PyResult<Option<Type>>> {
        let dict = object.cast::<TypedDict>().ok()?;
        Some(dict.get().native().map(|native| {
            types.hold(native.shared.ty);
            Some(native.shared.ty)
        }))
    }

    fn shared(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<Option<*mut Header>> {
        Ok(shared_by::<TypedDict>(ty, object))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let header = boxing.take()? as *mut Header;
        typed_dict(boxing.py, boxing.ty, header)
    }
}

impl Edge for kinds::LiteralDict<'_> {
    const WORDS: &'static [&'static str] = &["literal_dict"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.types(self.keys)?;
        fields.types(self.items)?;
        Ok("literal_dict")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::LiteralDict {
            keys: args.types(1)?,
            items: args.types(2)?,
        })
    }
}

impl Edge for kinds::DictView<'_> {
    const WORDS: &'static [&'static str] = &["dict_keys", "dict_values", "dict_items"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.dict)?;
        Ok(match self.part {
            DictPart::Keys => "dict_keys",
            DictPart::Values => "dict_values",
            DictPart::Items => "dict_items",
        })
    }

    fn read(word: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let part = word.strip_prefix("dict_").and_then(DictPart::named);
        Ok(TypeKind::DictView {
            dict: args.ty(1)?,
            part: part.ok_or_else(|| PyTypeError::new_err("no part of a dict"))?,
        })
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let header = boxing.take()? as *mut Header;
        typed_dict(boxing.py, *self.dict, header)?.call_method0(self.part.name())
    }
}

impl Edge for kinds::DictIter<'_> {
    const WORDS: &'static [&'static str] = &["dict_iter"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.dict)?;
        fields.push(self.part.name())?;
        Ok("dict_iter")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let part: String = args.get(2)?;
        Ok(TypeKind::DictIter {
            dict: args.ty(1)?,
            part: DictPart::named(&part)
                .ok_or_else(|| PyTypeError::new_err("no part of a dict"))?,
        })
    }
}
