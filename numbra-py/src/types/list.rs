//! Lists, displays of lists without an item type, and what iterates over them.

use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing};
use crate::lists;
use crate::typeof_::{Nested, no_items, typeof_object};
use numbra_ir::{Type, TypeKind, Types, kinds};
use numbra_runtime::Header;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

impl Edge for kinds::List<'_> {
    const WORDS: &'static [&'static str] = &["list"];
    const HAS_OBJECT: bool = true;
    const CONTAINER_CLASS: Option<&'static str> = Some("PyList_Type");

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.dtype)?;
        fields.push(*self.reflected)?;
        Ok("list")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::List {
            dtype: args.ty(1)?,
            reflected: args.get(2)?,
        })
    }

    /// The first item decides; entering the call looks at the others.
    fn type_of(types: &Types, object: &Bound<'_, PyAny>) -> Option<PyResult<Option<Type>>> {
        let list = object.cast_exact::<PyList>().ok()?;
        let dtype = || {
            let _nested = Nested::enter(object.py())?;
            let first = list.get_item(0).map_err(|_| no_items("list"))?;
            typeof_object(types, &first)
        };
        let list = |dtype| TypeKind::List {
            dtype,
            reflected: true,
        };
        Some(dtype().map(|dtype| dtype.map(|dtype| types.intern(list(dtype)))))
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

impl Edge for kinds::ListIter<'_> {
    const WORDS: &'static [&'static str] = &["list_iter"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.list)?;
        Ok("list_iter")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::ListIter(args.ty(1)?))
    }
}

impl Edge for kinds::LiteralList<'_> {
    const WORDS: &'static [&'static str] = &["literal_list"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.types(self.items)?;
        Ok("literal_list")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::LiteralList(args.types(1)?))
    }
}
