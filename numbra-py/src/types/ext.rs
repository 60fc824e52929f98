//! Types that Python code defines.

use super::{Args, Edge, Fields};
use numbra_ir::{TypeKind, kinds};
use pyo3::prelude::*;

impl Edge for kinds::Ext<'_> {
    const WORDS: &'static [&'static str] = &["ext"];
    const IS_PORTABLE: bool = false;

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
}
