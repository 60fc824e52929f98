//! Sets, and what iterates over them.

use super::typed::shared_by;
use super::typed_set::{self, TypedSet};
use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing};
use crate::lists;
use crate::typeof_::{no_items, typeof_object};
use numbra_ir::{ListClass, Type, TypeKind, Types, kinds};
use numbra_runtime::Header;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PySet};

impl Edge for kinds::Set<'_> {
    const WORDS: &'static [&'static str] = &["set", "typed_set"];
    const HAS_OBJECT: bool = true;

    fn container_class(&self) -> Option<&'static str> {
        (*self.class != ListClass::Typed).then_some("PySet_Type")
    }

    fn shared_helper(&self) -> Option<&'static str> {
        (*self.class == ListClass::Typed).then_some("numbra_py_typed_set")
    }

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.dtype)?;
        if *self.class == ListClass::Typed {
            return Ok("typed_set");
        }
        fields.push(*self.class == ListClass::Reflected)?;
        Ok("set")
    }

    fn read(word: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let class = match word == "typed_set" {
            true => ListClass::Typed,
            false if args.get(2)? => ListClass::Reflected,
            false => ListClass::Local,
        };
        let dtype = args.ty(1)?;
        Ok(TypeKind::Set { dtype, class })
    }

    /// Any item decides.
    fn type_of(types: &Types, object: &Bound<'_, PyAny>) -> Option<PyResult<Option<Type>>> {
        if let Ok(set) = object.cast::<TypedSet>() {
            return Some(set.get().ty(types).map(Some));
        }
        let set = object.cast_exact::<PySet>().ok()?;
        let dtype = || {
            let first = set.iter().next().ok_or_else(|| no_items("set"))?;
            typeof_object(types, &first)
        };
        let set = |dtype| types.set_of(dtype, ListClass::Reflected);
        Some(dtype().map(|dtype| dtype.map(set)))
    }

    fn shared(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<Option<*mut Header>> {
        Ok(shared_by::<TypedSet>(ty, object))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = boxing.take()? as *mut Header;
        if *self.class == ListClass::Typed {
            return typed_set::of(boxing.py, boxing.ty, list);
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
