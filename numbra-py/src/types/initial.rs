//! Displays of constants, whose types say what they hold at first.

use super::{Args, Edge, Fields};
use crate::convert::constant;
use numbra_ir::{TypeKind, kinds};
use pyo3::prelude::*;

impl Edge for kinds::Initial<'_> {
    const WORDS: &'static [&'static str] = &["initial"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.of)?;
        let value = constant(fields.py, self.value)?;
        fields.push(value)?;
        Ok("initial")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Initial {
            of: args.ty(1)?,
            value: args.value(2)?,
        })
    }
}
