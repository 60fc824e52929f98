//! Types across the Python edge.
//!
//! Python sees one instance of a real class for each type, made by `numbra.core.types` on first use and kept here by
//! number. A kind crosses as a tuple: `("array", dtype, ndim, "C", mutable, aligned)`, with types as Python instances.
//!
//! [`Edge`] is what this crate knows of a kind: its tuple, which objects are of it, the way from an object to leaves and
//! back. Each family has a file here, named as in numbra-ir's `types`.

mod array;
mod callable;
mod constant;
mod dict;
mod direct;
mod ext;
mod initial;
mod instance;
mod iterator;
mod list;
mod method;
mod numpy;
mod object;
mod optional;
mod range;
mod scalar;
mod set;
mod text;
mod tuple;
pub(crate) mod typed;
mod typed_list;
mod typed_set;

pub(crate) use dict::TypedDict;
pub(crate) use direct::make_class;
pub(crate) use instance::{
    _new_object, _set_constructor, Instance, is_object, models, numbra_py_box_instance,
};
pub(crate) use method::{_call_constructor, make_field_type, make_method_type};
pub(crate) use scalar::{numpy_words, unbox_scalar};
pub(crate) use tuple::_named_tuple;
pub(crate) use typed_list::{_typed_list_methods, TypedList};
pub(crate) use typed_set::TypedSet;

use crate::convert::{Boxing, Unboxing};
use crate::session::session;
use crate::typeof_::constant_of;
use numbra_ir::lattice::{self, Conversion};
use numbra_ir::{Const, Type, TypeKind, Types, each_kind, with_kind};
use numbra_runtime::Header;
use pyo3::IntoPyObjectExt;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyTuple};
use std::sync::{Mutex, PoisonError};

/// What the Python edge knows of the types of one kind.
pub(crate) trait Edge: Sized {
    /// The first items of its kind tuples.
    const WORDS: &'static [&'static str];

    /// True if the text of such a type, whose parts are, means the same in every process.
    const IS_PORTABLE: bool = true;

    /// True if [`Edge::to_object`] makes objects of values.
    const HAS_OBJECT: bool = false;

    /// For containers that are made of Python ones: the class whose exact instances these are, as the extension's symbol.
    fn container_class(&self) -> Option<&'static str> {
        None
    }

    /// Adds the further items of its kind tuple; the first one.
    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str>;

    /// The kind of a tuple that Python code made.
    fn read(word: &str, _args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Err(PyValueError::new_err(format!(
            "types of kind {word} are made by the compiler only"
        )))
    }

    /// The type of an object of a class that is this kind's own; `None` for other objects.
    fn type_of(_types: &Types, _object: &Bound<'_, PyAny>) -> Option<PyResult<Option<Type>>> {
        None
    }

    /// The object that a value becomes.
    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        Err(boxing.refuse())
    }

    /// The leaves of an object of which nothing is owned, of type `found`; false if it cannot be read as one.
    fn plain(
        &self,
        _unboxing: &mut Unboxing<'_>,
        _found: Type,
        _object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        Ok(true)
    }

    /// The leaves of what lies in memory of an object, of type `found`; false if it cannot be read as one.
    fn memory(
        &self,
        _unboxing: &mut Unboxing<'_>,
        _found: Type,
        _object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        Ok(false)
    }

    /// The object behind a Python object that shares it, borrowed; `None` if that is not of the type `ty`.
    fn shared(&self, _ty: Type, _object: &Bound<'_, PyAny>) -> PyResult<Option<*mut Header>> {
        Ok(None)
    }

    /// For kinds of which one class shares its object: the helper that finds it as [`Edge::shared`] does, without running
    /// Python code.
    fn shared_helper(&self) -> Option<&'static str> {
        None
    }

    /// The leaves of what is made of an object, whose owner they are; `None` if the object is not of the type `ty`.
    fn make(
        &self,
        _unboxing: &mut Unboxing<'_>,
        _ty: Type,
        _object: &Bound<'_, PyAny>,
    ) -> PyResult<Option<*mut Header>> {
        Ok(None)
    }
}

/// The items of a kind tuple so far.
pub(crate) struct Fields<'py> {
    py: Python<'py>,
    items: Vec<Bound<'py, PyAny>>,
}

impl<'py> Fields<'py> {
    /// Adds an item.
    fn push(&mut self, item: impl IntoPyObjectExt<'py>) -> PyResult<()> {
        self.items.push(item.into_bound_py_any(self.py)?);
        Ok(())
    }

    /// Adds a type.
    fn ty(&mut self, ty: Type) -> PyResult<()> {
        self.items.push(to_python(self.py, ty)?);
        Ok(())
    }

    /// Adds a tuple of types.
    fn types(&mut self, types: &[Type]) -> PyResult<()> {
        let types = types.iter().map(|ty| to_python(self.py, *ty));
        let types = types.collect::<PyResult<Vec<_>>>()?;
        self.push(PyTuple::new(self.py, types)?)
    }
}

/// A kind tuple that Python code made.
pub(crate) struct Args<'a, 'py> {
    tuple: &'a Bound<'py, PyTuple>,
}

impl<'py> Args<'_, 'py> {
    /// An item, by position behind the word, which is 0.
    fn any(&self, index: usize) -> PyResult<Bound<'py, PyAny>> {
        self.tuple.get_item(index)
    }

    /// An item that is no type.
    fn get<T: FromPyObjectOwned<'py>>(&self, index: usize) -> PyResult<T> {
        self.any(index)?.extract().map_err(Into::into)
    }

    /// A type.
    fn ty(&self, index: usize) -> PyResult<Type> {
        from_python(&self.any(index)?)
    }

    /// A sequence of types.
    fn types(&self, index: usize) -> PyResult<Vec<Type>> {
        let items = self.any(index)?.try_iter()?;
        items.map(|item| from_python(&item?)).collect()
    }

    /// A constant.
    fn value(&self, index: usize) -> PyResult<Const> {
        let value = self.any(index)?;
        constant_of(&value)
            .ok_or_else(|| PyTypeError::new_err(format!("{value} cannot be used as a literal")))
    }
}

/// The Python instances by type number.
static INSTANCES: Mutex<Vec<Option<Py<PyAny>>>> = Mutex::new(Vec::new());

/// The type behind a Python type object (an instance of `numbra.types.Type`).
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Type> {
    match as_type(object)? {
        Some(ty) => Ok(ty),
        None => Err(PyTypeError::new_err(format!(
            "expected a numbra type, got {}",
            object.repr()?
        ))),
    }
}

/// As [`from_python`]; `None` for other objects.
pub(crate) fn as_type(object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    let id = object
        .getattr_opt("_numbra_id")?
        .and_then(|id| id.extract::<u32>().ok());
    Ok(id
        .filter(|id| session().types.contains(*id))
        .map(Type::from_index))
}

/// The Python instance of a type.
pub(crate) fn to_python(py: Python<'_>, ty: Type) -> PyResult<Bound<'_, PyAny>> {
    let index = ty.index() as usize;
    let known = INSTANCES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(index)
        .and_then(|i| i.as_ref().map(|i| i.clone_ref(py)));
    if let Some(instance) = known {
        return Ok(instance.into_bound(py));
    }
    let made = py
        .import("numbra.core.types")?
        .getattr("from_kind")?
        .call1((ty.index(), kind_tuple(py, ty)?))?;
    let mut instances = INSTANCES.lock().unwrap_or_else(PoisonError::into_inner);
    if instances.len() <= index {
        instances.resize_with(index + 1, || None);
    }
    // Another thread may have been first: one instance a type.
    Ok(instances[index]
        .get_or_insert_with(|| made.unbind())
        .clone_ref(py)
        .into_bound(py))
}

/// True if the text of a type means the same in every process: no jitted function, no class of this process is part of it.
pub(crate) fn is_portable(types: &Types, ty: Type) -> bool {
    fn of_kind<K: Edge>(_: &K) -> bool {
        K::IS_PORTABLE
    }
    let kind = types.kind(ty);
    let mut portable = with_kind!(kind, view => of_kind(&view));
    kind.for_each_part(&mut |part| portable &= is_portable(types, part));
    portable
}

/// True for types whose values become Python objects.
pub(crate) fn has_object(types: &Types, ty: Type) -> bool {
    fn of_kind<K: Edge>(_: &K) -> bool {
        K::HAS_OBJECT
    }
    with_kind!(types.kind(ty), view => of_kind(&view))
}

/// The class whose exact instances alone are containers of a type, as the extension's symbol.
pub(crate) fn container_class(types: &Types, ty: Type) -> Option<&'static str> {
    with_kind!(types.kind(ty), view => view.container_class())
}

/// The helper that finds what an object shares: see [`Edge::shared_helper`].
pub(crate) fn shared_helper(types: &Types, ty: Type) -> Option<&'static str> {
    with_kind!(types.kind(ty), view => view.shared_helper())
}

/// The type of an instance of a class that is a kind's own; `None` for other objects.
pub(crate) fn typeof_own(
    types: &Types,
    object: &Bound<'_, PyAny>,
) -> Option<PyResult<Option<Type>>> {
    each_kind!(View => {
        if let Some(found) = View::type_of(types, object) {
            return Some(found);
        }
    });
    None
}

/// What a type is, as a tuple whose first item names the kind.
fn kind_tuple(py: Python<'_>, ty: Type) -> PyResult<Bound<'_, PyTuple>> {
    let mut fields = Fields {
        py,
        items: vec![py.None().into_bound(py)],
    };
    let word = with_kind!(session().types.kind(ty), kind => kind.fields(&mut fields))?;
    fields.items[0] = PyString::intern(py, word).into_any();
    PyTuple::new(py, fields.items)
}

/// The type of a kind tuple. Only kinds that Python code constructs.
#[pyfunction]
pub(crate) fn _type_intern<'py>(
    py: Python<'py>,
    kind: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let word: String = kind.get_item(0)?.extract()?;
    let args = Args { tuple: kind };
    each_kind!(View => {
        if View::WORDS.contains(&word.as_str()) {
            let kind = View::read(&word, &args)?;
            return to_python(py, session().types.intern(kind));
        }
    });
    Err(PyValueError::new_err(format!("no kind of types is {word}")))
}

/// The first items of all kind tuples: for the test that each has its class.
#[pyfunction]
pub(crate) fn _type_kinds() -> Vec<&'static str> {
    let mut words = Vec::new();
    each_kind!(View => {
        words.extend(View::WORDS);
    });
    words
}

/// Makes `instance`, of a class that the lattice does not know, the one of a new type; returns its number.
#[pyfunction]
pub(crate) fn _type_extension(
    instance: &Bound<'_, PyAny>,
    class: u32,
    key: String,
    name: String,
) -> PyResult<u32> {
    let ty = session().types.intern(TypeKind::Ext { class, key, name });
    let index = ty.index() as usize;
    let mut instances = INSTANCES.lock().unwrap_or_else(PoisonError::into_inner);
    if instances.len() <= index {
        instances.resize_with(index + 1, || None);
    }
    instances[index].get_or_insert_with(|| instance.clone().unbind());
    Ok(ty.index())
}

/// The type of a jitted function.
#[pyfunction]
pub(crate) fn _dispatcher_type<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(
        py,
        crate::dispatcher::type_of(&session().types, dispatcher)?,
    )
}

/// The printed name of a type.
#[pyfunction]
pub(crate) fn _type_name(id: u32) -> PyResult<String> {
    let types = &session().types;
    if !types.contains(id) {
        return Err(PyValueError::new_err("no such type"));
    }
    Ok(types.display(Type::from_index(id)).to_string())
}

/// How many types the process has, beside the ones that it always has: for leak checks.
#[pyfunction]
pub(crate) fn _type_count() -> usize {
    session().types.table_len()
}

/// The type of a value, or None.
#[pyfunction]
pub(crate) fn _typeof<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    crate::typeof_::typeof_object(&session().types, value)?
        .map(|ty| to_python(py, ty))
        .transpose()
}

/// How one type converts to another: "exact", "promote", "safe", "unsafe", or None.
#[pyfunction]
pub(crate) fn _can_convert(
    from: &Bound<'_, PyAny>,
    to: &Bound<'_, PyAny>,
) -> PyResult<Option<&'static str>> {
    Ok(lattice::can_convert_with(
        &session().types,
        &crate::dispatcher::FunctionRules,
        from_python(from)?,
        from_python(to)?,
    )
    .map(|c| match c {
        Conversion::Exact => "exact",
        Conversion::Promote => "promote",
        Conversion::Safe => "safe",
        Conversion::Unsafe => "unsafe",
    }))
}

/// Whether a typed container of items of type `to` takes those of type `from`.
#[pyfunction]
pub(crate) fn _is_stored_as(from: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (from, to) = (from_python(from)?, from_python(to)?);
    Ok(lattice::is_stored_as(
        &session().types,
        &crate::dispatcher::FunctionRules,
        from,
        to,
    ))
}

/// The least type that both convert to, or None.
#[pyfunction]
pub(crate) fn _unify<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    lattice::unify(&session().types, from_python(a)?, from_python(b)?)
        .map(|ty| to_python(py, ty))
        .transpose()
}

/// The type without its literal value.
#[pyfunction]
pub(crate) fn _unliteral<'py>(
    py: Python<'py>,
    ty: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, session().types.unliteral(from_python(ty)?))
}
