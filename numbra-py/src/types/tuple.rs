//! Tuples of every kind, pairs, and what iterates over them.

use super::{Args, Edge, Fields, from_python, to_python};
use crate::convert::Boxing;
use crate::session::session;
use numbra_ir::{Type, TypeKind, Types, kinds};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple, PyType};

impl Edge for kinds::UniTuple<'_> {
    const WORDS: &'static [&'static str] = &["unituple"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.item)?;
        fields.push(*self.count)?;
        Ok("unituple")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::UniTuple(args.ty(1)?, args.get(2)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        boxing.tuple(&vec![*self.item; *self.count as usize])
    }
}

impl Edge for kinds::Tuple<'_> {
    const WORDS: &'static [&'static str] = &["tuple"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.types(self.items)?;
        Ok("tuple")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Tuple(args.types(1)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        boxing.tuple(self.items)
    }
}

impl Edge for kinds::StarArgTuple<'_> {
    const WORDS: &'static [&'static str] = &["starargtuple"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.types(self.items)?;
        Ok("starargtuple")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::StarArgTuple(args.types(1)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        boxing.tuple(self.items)
    }
}

impl Edge for kinds::NamedTuple<'_> {
    const WORDS: &'static [&'static str] = &["namedtuple"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(crate::classes::class_named(fields.py, self.name))?;
        fields.push(self.fields)?;
        fields.types(self.items)?;
        Ok("namedtuple")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let types = &session().types;
        let (class, items) = (args.any(1)?, args.types(3)?);
        let ty = named_tuple(types, class.cast().map_err(PyErr::from)?, items)?;
        Ok(types.kind(ty).clone())
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let tuple = boxing.tuple(self.items)?;
        match crate::classes::class_named(boxing.py, self.name) {
            Some(class) => class.call1(tuple.cast_into::<PyTuple>()?),
            None => Ok(tuple),
        }
    }
}

impl Edge for kinds::Pair<'_> {
    const WORDS: &'static [&'static str] = &["pair"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.first)?;
        fields.ty(*self.second)?;
        Ok("pair")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Pair(args.ty(1)?, args.ty(2)?))
    }
}

impl Edge for kinds::UniTupleIter<'_> {
    const WORDS: &'static [&'static str] = &["unituple_iter"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.tuple)?;
        Ok("unituple_iter")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::UniTupleIter(args.ty(1)?))
    }
}

/// The type of a named tuple of this class.
#[pyfunction]
pub(crate) fn _named_tuple<'py>(
    py: Python<'py>,
    class: &Bound<'py, PyAny>,
    items: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let items = items
        .iter()
        .map(from_python)
        .collect::<PyResult<Vec<_>>>()?;
    to_python(
        py,
        named_tuple(&session().types, class.cast().map_err(PyErr::from)?, items)?,
    )
}

/// As [`_named_tuple`].
fn named_tuple(types: &Types, class: &Bound<'_, PyType>, items: Vec<Type>) -> PyResult<Type> {
    let fields: Vec<String> = class.getattr("_fields")?.extract()?;
    if fields.len() != items.len() {
        return Err(PyTypeError::new_err(format!(
            "{} has {} fields, {} types given",
            class.name()?,
            fields.len(),
            items.len()
        )));
    }
    let name = crate::classes::register_class(class.py(), class.name()?.extract()?, class);
    Ok(types.intern(TypeKind::NamedTuple(name, fields, items)))
}
