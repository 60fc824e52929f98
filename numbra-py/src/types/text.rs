//! Strings, bytes, char sequences, and what iterates over them.

use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing, records, text};
use crate::made;
use numbra_ir::{Type, TypeKind, kinds};
use numbra_runtime::Header;
use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

impl Edge for kinds::Unicode<'_> {
    const WORDS: &'static [&'static str] = &["unicode"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("unicode")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Unicode)
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        text::object(boxing.py, boxing.rest)
    }

    fn memory(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let Ok(text) = object.cast::<PyString>() else {
            return Ok(false);
        };
        unboxing.words().extend(text::leaves(text));
        Ok(true)
    }
}

impl Edge for kinds::Bytes<'_> {
    const WORDS: &'static [&'static str] = &["bytes"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("bytes")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Bytes)
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let (data, _owner) = (boxing.take()?, boxing.take()?);
        let (length, stride) = (boxing.take()? as usize, boxing.take()?);
        if length > 1 && stride != 1 {
            return Err(PySystemError::new_err("bytes with gaps"));
        }
        let bytes = match length {
            0 => &[],
            // SAFETY: the leaves of bytes are their address, owner, number and the distance of each to the next, 1.
            _ => unsafe { std::slice::from_raw_parts(data as *const u8, length) },
        };
        made::bytes(boxing.py, bytes)
    }

    fn memory(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let Ok(bytes) = object.cast::<PyBytes>() else {
            return Ok(false);
        };
        let bytes = bytes.as_bytes();
        for word in [bytes.as_ptr() as u64, 0, bytes.len() as u64, 1] {
            unboxing.number(word);
        }
        Ok(true)
    }
}

/// The string or bytes of a char sequence.
fn chars_object<'py>(boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let data = boxing.take()?;
    let _owner = boxing.take()?;
    // SAFETY: the leaves of a char sequence are the address of its bytes and what keeps them.
    unsafe { records::text(boxing.py, boxing.types, boxing.ty, data as *const u8) }
}

/// New memory with the characters of an object.
fn make_chars(
    unboxing: &mut Unboxing<'_>,
    ty: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<*mut Header>> {
    if unboxing.found(ty, object)?.is_none() {
        return Ok(None);
    }
    let made = records::chars(unboxing.types(), ty, object)?;
    Ok(made.map(|(data, owner)| {
        unboxing.number(data as u64);
        unboxing.number(0);
        owner
    }))
}

impl Edge for kinds::CharSeq<'_> {
    const WORDS: &'static [&'static str] = &["char_seq"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(*self.count)?;
        Ok("char_seq")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::CharSeq(args.get(1)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        chars_object(boxing)
    }

    fn make(
        &self,
        unboxing: &mut Unboxing<'_>,
        ty: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Option<*mut Header>> {
        make_chars(unboxing, ty, object)
    }
}

impl Edge for kinds::UnicodeCharSeq<'_> {
    const WORDS: &'static [&'static str] = &["unicode_char_seq"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(*self.count)?;
        Ok("unicode_char_seq")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::UnicodeCharSeq(args.get(1)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        chars_object(boxing)
    }

    fn make(
        &self,
        unboxing: &mut Unboxing<'_>,
        ty: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Option<*mut Header>> {
        make_chars(unboxing, ty, object)
    }
}

impl Edge for kinds::TextIter<'_> {
    const WORDS: &'static [&'static str] = &["text_iter"];

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("text_iter")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::TextIter)
    }
}
