//! Modules, classes, exceptions and members of enumerations.

use super::{Args, Edge, Fields};
use crate::convert::Boxing;
use numbra_ir::{TypeKind, kinds};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Module<'_> {
    const WORDS: &'static [&'static str] = &["module"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        Ok("module")
    }
}

impl Edge for kinds::TypeRef<'_> {
    const WORDS: &'static [&'static str] = &["typeref"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.ty)?;
        Ok("typeref")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::TypeRef(args.ty(1)?))
    }
}

impl Edge for kinds::Class<'_> {
    const WORDS: &'static [&'static str] = &["class"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        Ok("class")
    }
}

impl Edge for kinds::ExceptionClass<'_> {
    const WORDS: &'static [&'static str] = &["exception_class"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        Ok("exception_class")
    }
}

impl Edge for kinds::ExceptionInstance<'_> {
    const WORDS: &'static [&'static str] = &["exception_instance"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        Ok("exception_instance")
    }
}

impl Edge for kinds::EnumMember<'_> {
    const WORDS: &'static [&'static str] = &["enum_member", "int_enum_member"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(crate::classes::class_named(fields.py, self.class))?;
        fields.ty(*self.dtype)?;
        Ok(match self.is_int {
            true => "int_enum_member",
            false => "enum_member",
        })
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = boxing.value(*self.dtype)?;
        let class = crate::classes::class_named(boxing.py, self.class)
            .ok_or_else(|| PyTypeError::new_err("the enumeration is gone"))?;
        class.call1((value,))
    }
}
