//! Types that Python code defines.

use super::instance::{self, Instance};
use super::typed::shared_by;
use super::{Args, Edge, Fields};
use crate::convert::Boxing;
use crate::recorded;
use numbra_ir::{ExtShape, Type, TypeKind, Types, kinds};
use numbra_lower::lowering::leaves;
use numbra_runtime::Header;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Ext<'_> {
    const WORDS: &'static [&'static str] = &["ext"];
    const IS_PORTABLE: bool = false;
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(*self.class)?;
        fields.push(self.key)?;
        fields.push(self.name)?;
        Ok("ext")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Ext {
            class: args.get(1)?,
            key: args.get(2)?,
            name: args.get(3)?,
        })
    }

    fn type_of(types: &Types, object: &Bound<'_, PyAny>) -> Option<PyResult<Option<Type>>> {
        let object = object.cast::<Instance>().ok()?;
        Some(object.get().ty(types).map(Some))
    }

    fn shared(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<Option<*mut Header>> {
        Ok(shared_by::<Instance>(ty, object))
    }

    fn shared_helper(&self) -> Option<&'static str> {
        Some("numbra_py_instance")
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let model = boxing.types.ext_model(boxing.ty);
        if model.is_none_or(|model| model.shape != ExtShape::Object) {
            let count = leaves(boxing.types, boxing.ty)
                .map_err(PyTypeError::new_err)?
                .len();
            let words = boxing.take_many(count)?;
            let made = recorded::box_object(boxing.py, boxing.ty, words)?;
            return made.ok_or_else(|| boxing.refuse());
        }
        let object = boxing.take()? as *mut Header;
        instance::of(boxing.py, boxing.ty, object)
    }
}
