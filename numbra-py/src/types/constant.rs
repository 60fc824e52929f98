//! Types of one value.

use super::{Args, Edge, Fields};
use crate::convert::{Boxing, constant};
use numbra_ir::{Const, TypeKind, kinds};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Literal<'_> {
    const WORDS: &'static [&'static str] = &["literal"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        let value = constant(fields.py, self.value)?;
        fields.push(value)?;
        Ok("literal")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        match args.value(1)? {
            value @ (Const::Int(_) | Const::Bool(_) | Const::Str(_)) => {
                Ok(TypeKind::Literal(value))
            }
            Const::Slice(parts) => Ok(TypeKind::SliceLiteral(parts)),
            other => Err(PyTypeError::new_err(format!(
                "{other} cannot be used as a literal"
            ))),
        }
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        constant(boxing.py, self.value)
    }
}

impl Edge for kinds::Omitted<'_> {
    const WORDS: &'static [&'static str] = &["omitted"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        let value = constant(fields.py, self.value)?;
        fields.push(value)?;
        Ok("omitted")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Omitted(args.value(1)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(boxing.py.None().into_bound(boxing.py))
    }
}

impl Edge for kinds::SliceLiteral<'_> {
    const WORDS: &'static [&'static str] = &["slice_literal"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        let value = constant(fields.py, &Const::Slice(self.parts.clone()))?;
        fields.push(value)?;
        Ok("slice_literal")
    }
}

impl Edge for kinds::Ellipsis<'_> {
    const WORDS: &'static [&'static str] = &["ellipsis"];

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("ellipsis")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Ellipsis)
    }
}
