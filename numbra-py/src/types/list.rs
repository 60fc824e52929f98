//! Lists, displays of lists without an item type, and what iterates over them.

use super::typed::shared_by;
use super::typed_list::{self, TypedList};
use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing};
use crate::lists;
use crate::typeof_::{Nested, no_items, typeof_object};
use numbra_ir::{ListClass, Type, TypeKind, Types, kinds};
use numbra_runtime::Header;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

impl Edge for kinds::List<'_> {
    const WORDS: &'static [&'static str] = &["list", "typed_list"];
    const HAS_OBJECT: bool = true;

    fn container_class(&self) -> Option<&'static str> {
        (*self.class != ListClass::Typed).then_some("PyList_Type")
    }

    fn shared_helper(&self) -> Option<&'static str> {
        (*self.class == ListClass::Typed).then_some("numbra_py_typed_list")
    }

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.dtype)?;
        if *self.class == ListClass::Typed {
            return Ok("typed_list");
        }
        fields.push(*self.class == ListClass::Reflected)?;
        Ok("list")
    }

    fn read(word: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let class = match word == "typed_list" {
            true => ListClass::Typed,
            false if args.get(2)? => ListClass::Reflected,
            false => ListClass::Local,
        };
        let dtype = args.ty(1)?;
        Ok(TypeKind::List { dtype, class })
    }

    /// The first item decides; entering the call looks at the others.
    fn type_of(types: &Types, object: &Bound<'_, PyAny>) -> Option<PyResult<Option<Type>>> {
        if let Ok(list) = object.cast::<TypedList>() {
            return Some(list.get().ty(types).map(Some));
        }
        let list = object.cast_exact::<PyList>().ok()?;
        let dtype = || {
            let _nested = Nested::enter(object.py())?;
            let first = list.get_item(0).map_err(|_| no_items("list"))?;
            typeof_object(types, &first)
        };
        let list = |dtype| types.list_of(dtype, ListClass::Reflected);
        Some(dtype().map(|dtype| dtype.map(list)))
    }

    fn shared(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<Option<*mut Header>> {
        Ok(shared_by::<TypedList>(ty, object))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = boxing.take()? as *mut Header;
        if *self.class == ListClass::Typed {
            return typed_list::of(boxing.py, boxing.ty, list);
        }
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
