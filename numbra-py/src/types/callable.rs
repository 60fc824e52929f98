//! Functions of every kind, methods, and addresses.

use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing};
use crate::made;
use numbra_ir::{Const, Type, TypeKind, kinds};
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Function<'_> {
    const WORDS: &'static [&'static str] = &["function"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        fields.push(self.repr)?;
        Ok("function")
    }
}

impl Edge for kinds::BoundMethod<'_> {
    const WORDS: &'static [&'static str] = &["bound_method"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.receiver)?;
        fields.push(self.method)?;
        Ok("bound_method")
    }
}

impl Edge for kinds::Dispatcher<'_> {
    const WORDS: &'static [&'static str] = &["dispatcher"];
    const IS_PORTABLE: bool = false;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.id.0)?;
        fields.push(self.name)?;
        Ok("dispatcher")
    }
}

impl Edge for kinds::Closure<'_> {
    const WORDS: &'static [&'static str] = &["closure"];
    const IS_PORTABLE: bool = false;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        fields.push(*self.index)?;
        Ok("closure")
    }
}

impl Edge for kinds::FunctionType<'_> {
    const WORDS: &'static [&'static str] = &["function_type"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.ret)?;
        fields.types(self.params)?;
        Ok("function_type")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::FunctionType {
            ret: args.ty(1)?,
            params: args.types(2)?,
        })
    }

    fn plain(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let Some((_, Const::Int(address))) =
            crate::host::function_pointer(unboxing.types(), object)?
        else {
            return Ok(false);
        };
        unboxing.number(address as u64);
        Ok(true)
    }
}

impl Edge for kinds::Pointer<'_> {
    const WORDS: &'static [&'static str] = &["pointer", "void_pointer"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        match self.to {
            Some(to) => fields.ty(*to).map(|()| "pointer"),
            None => Ok("void_pointer"),
        }
    }

    fn read(word: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let is_void = word == "void_pointer";
        let to = (!is_void).then(|| args.ty(1)).transpose()?;
        Ok(TypeKind::Pointer(to))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        made::unsigned(boxing.py, boxing.take()?)
    }
}

impl Edge for kinds::ObjectBlock<'_> {
    const WORDS: &'static [&'static str] = &["object_block"];
    const IS_PORTABLE: bool = false;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.outputs)?;
        Ok("object_block")
    }
}
