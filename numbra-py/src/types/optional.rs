//! `None`, values that may be it, and what is no type of values.

use super::{Args, Edge, Fields};
use crate::convert::Boxing;
use numbra_ir::{TypeKind, kinds};
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Undefined<'_> {
    const WORDS: &'static [&'static str] = &["undefined"];

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("undefined")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Undefined)
    }
}

impl Edge for kinds::PyObject<'_> {
    const WORDS: &'static [&'static str] = &["pyobject"];

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("pyobject")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::PyObject)
    }
}

impl Edge for kinds::None<'_> {
    const WORDS: &'static [&'static str] = &["none"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("none")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::None)
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(boxing.py.None().into_bound(boxing.py))
    }
}

impl Edge for kinds::Optional<'_> {
    const WORDS: &'static [&'static str] = &["optional"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.inner)?;
        Ok("optional")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Optional(args.ty(1)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let is_present = boxing.take()? as u8 != 0;
        let value = boxing.value(*self.inner);
        match is_present {
            true => value,
            false => Ok(boxing.py.None().into_bound(boxing.py)),
        }
    }
}
