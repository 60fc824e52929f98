//! Iterators over other iterators, and generators.

use super::{Args, Edge, Fields};
use crate::convert::Boxing;
use numbra_ir::{Type, TypeKind, kinds};
use numbra_runtime::Header;
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Enumerate<'_> {
    const WORDS: &'static [&'static str] = &["enumerate"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.inner)?;
        Ok("enumerate")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Enumerate(args.ty(1)?))
    }
}

impl Edge for kinds::Zip<'_> {
    const WORDS: &'static [&'static str] = &["zip"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.types(self.inners)?;
        Ok("zip")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Zip(args.types(1)?))
    }
}

impl Edge for kinds::Generator<'_> {
    const WORDS: &'static [&'static str] = &["generator"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        fields.ty(*self.yields)?;
        fields.types(self.args)?;
        Ok("generator")
    }

    fn shared(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<Option<*mut Header>> {
        crate::generators::frame_of(ty, object)
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let frame = boxing.take()? as *mut Header;
        // SAFETY: the leaf of a generator is its frame, which the caller of this keeps.
        unsafe { crate::generators::box_generator(boxing.py, boxing.ty, frame) }
    }
}
