//! Records, and objects of NumPy that compiled code uses as they are.

use super::{Args, Edge, Fields, from_python, to_python};
use crate::convert::{Boxing, Unboxing, records};
use crate::numpy;
use crate::session::session;
use crate::typeof_::element_of_equivalent;
use numbra_ir::{RecordField, RecordType, Type, TypeKind, kinds};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

impl Edge for kinds::Record<'_> {
    const WORDS: &'static [&'static str] = &["record"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        let py = fields.py;
        let each = self.record.fields.iter().map(|field| {
            let ty = to_python(py, field.ty)?;
            (&field.name, ty, field.offset, field.alignment, &field.title).into_pyobject(py)
        });
        let each = PyTuple::new(py, each.collect::<PyResult<Vec<_>>>()?)?;
        fields.push(each)?;
        fields.push(self.record.size)?;
        fields.push(self.record.aligned)?;
        Ok("record")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Record(record(args)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let data = boxing.take()?;
        let _owner = boxing.take()?;
        // SAFETY: the leaves of a record are the address of its bytes and what keeps them.
        unsafe { records::copy(boxing.py, boxing.types, boxing.ty, data as *const u8) }
    }

    fn memory(
        &self,
        unboxing: &mut Unboxing<'_>,
        found: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let record = numpy::loaded(object.py())?.and_then(|api| api.record_of(object));
        let types = unboxing.types();
        let record =
            record.filter(|(_, descr)| element_of_equivalent(types, *descr) == Some(found));
        let Some((data, _)) = record else {
            return Ok(false);
        };
        unboxing.number(data as u64);
        unboxing.number(0);
        Ok(true)
    }
}

impl Edge for kinds::RandomGenerator<'_> {
    const WORDS: &'static [&'static str] = &["random_generator"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, _: &mut Fields<'_>) -> PyResult<&'static str> {
        Ok("random_generator")
    }

    fn read(_: &str, _: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::RandomGenerator)
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let object = boxing.take()? as *mut PyObject;
        let (_bits, _owner) = (boxing.take()?, boxing.take()?);
        // SAFETY: the first leaf of a generator is the object, which its owner keeps alive.
        Ok(unsafe { Bound::from_borrowed_ptr(boxing.py, object) })
    }

    fn memory(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        if !crate::random::is_generator(object) {
            return Ok(false);
        }
        crate::random::leaves(object, unboxing.words()).map(|()| true)
    }
}

impl Edge for kinds::Polynomial<'_> {
    const WORDS: &'static [&'static str] = &["polynomial"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        self.parts.iter().try_for_each(|part| fields.ty(*part))?;
        Ok("polynomial")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Polynomial([
            args.ty(1)?,
            args.ty(2)?,
            args.ty(3)?,
        ]))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let parts = self.parts.iter().map(|part| boxing.value(*part));
        let parts = parts.collect::<PyResult<Vec<_>>>()?;
        crate::polynomials::box_polynomial(boxing.py, &parts)
    }
}

/// The record of a kind tuple: `("record", fields, size, aligned)`.
fn record(args: &Args<'_, '_>) -> PyResult<RecordType> {
    let types = &session().types;
    let size: u32 = args.get(2)?;
    let mut fields = Vec::new();
    for field in args.any(1)?.try_iter()? {
        let field = field?;
        let (name, ty, offset, alignment, title): (
            String,
            Bound<'_, PyAny>,
            u32,
            Option<u32>,
            Option<String>,
        ) = field.extract()?;
        let ty = from_python(&ty)?;
        let Some(stored) = types.element(ty) else {
            return Err(PyTypeError::new_err(format!(
                "a field of a record cannot be of type {}",
                types.display(ty)
            )));
        };
        if offset
            .checked_add(stored.size())
            .is_none_or(|end| end > size)
        {
            return Err(PyValueError::new_err(format!(
                "field '{name}' ends behind the record of {size} bytes"
            )));
        }
        fields.push(RecordField {
            name,
            ty,
            offset,
            alignment,
            title,
        });
    }
    Ok(RecordType {
        fields,
        size,
        aligned: args.get(3)?,
    })
}
