//! Sets, and what iterates over them.

use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing};
use crate::lists;
use crate::typeof_::{no_items, typeof_object};
use numbra_ir::{Type, TypeKind, Types, kinds};
use numbra_runtime::Header;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PySet};

impl Edge for kinds::Set<'_> {
    const WORDS: &'static [&'static str] = &["set"];
    const HAS_OBJECT: bool = true;

    fn container_class(&self) -> Option<&'static str> {
        Some("PySet_Type")
    }

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.dtype)?;
        fields.push(*self.reflected)?;
        Ok("set")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Set {
            dtype: args.ty(1)?,
            reflected: args.get(2)?,
        })
    }

    /// Any item decides.
    fn type_of(types: &Types, object: &Bound<'_, PyAny>) -> Option<PyResult<Option<Type>>> {
        let set = object.cast_exact::<PySet>().ok()?;
        let dtype = || {
            let first = set.iter().next().ok_or_else(|| no_items("set"))?;
            typeof_object(types, &first)
        };
        let set = |dtype| TypeKind::Set {
            dtype,
            reflected: true,
        };
        Some(dtype().map(|dtype| dtype.map(|dtype| types.intern(set(dtype)))))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = boxing.take()? as *mut Header;
        // SAFETY: the leaf is a container of this type, which the caller of this keeps.
        unsafe { lists::box_list(boxing.py, boxing.types, boxing.ty, list) }
    }

    fn make(
        &self,
        unboxing: &mut Unboxing<'_>,
        ty: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Option<*mut Header>> {
        unboxing.container(ty, object)
    }
}

impl Edge for kinds::SetIter<'_> {
    const WORDS: &'static [&'static str] = &["set_iter"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.set)?;
        Ok("set_iter")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::SetIter(args.ty(1)?))
    }
}
