//! Ranges and slices.

use super::{Args, Edge, Fields};
use crate::convert::Unboxing;
use numbra_ir::{Type, TypeKind, kinds};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PySlice};

impl Edge for kinds::Range<'_> {
    const WORDS: &'static [&'static str] = &["range"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.item)?;
        Ok("range")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Range(args.ty(1)?))
    }
}

impl Edge for kinds::RangeIter<'_> {
    const WORDS: &'static [&'static str] = &["range_iter"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.item)?;
        Ok("range_iter")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::RangeIter(args.ty(1)?))
    }
}

/// The bounds of a slice, and its step where the type has one.
fn plain_slice(
    unboxing: &mut Unboxing<'_>,
    object: &Bound<'_, PyAny>,
    stepped: bool,
) -> PyResult<bool> {
    let Ok(slice) = object.cast::<PySlice>() else {
        return Ok(false);
    };
    let part = |name: &str, default: i64| -> PyResult<i64> {
        let part = slice.getattr(name)?;
        match part.is_none() {
            true => Ok(default),
            false => part.extract(),
        }
    };
    let step = part("step", 1)?;
    let (start, stop) = if step >= 0 {
        (0, i64::MAX)
    } else {
        (i64::MAX, i64::MIN)
    };
    let (start, stop) = (part("start", start)?, part("stop", stop)?);
    unboxing.number(start as u64);
    unboxing.number(stop as u64);
    if stepped {
        unboxing.number(step as u64);
    }
    Ok(true)
}

impl Edge for kinds::Slice2<'_> {
    const WORDS: &'static [&'static str] = &["slice2"];

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("slice2")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Slice2)
    }

    fn plain(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        plain_slice(unboxing, object, false)
    }
}

impl Edge for kinds::Slice3<'_> {
    const WORDS: &'static [&'static str] = &["slice3"];

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("slice3")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Slice3)
    }

    fn plain(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        plain_slice(unboxing, object, true)
    }
}
