//! Functions of every kind, methods, and addresses.

use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing};
use crate::host::KnownFunction;
use crate::{dispatcher, made};
use numbra_ir::{Type, TypeKind, kinds};
use numbra_runtime::Header;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Function<'_> {
    const WORDS: &'static [&'static str] = &["function"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        fields.push(self.repr)?;
        Ok("function")
    }
}

impl Edge for kinds::BoundMethod<'_> {
    const WORDS: &'static [&'static str] = &["bound_method"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.receiver)?;
        fields.push(self.method)?;
        Ok("bound_method")
    }
}

impl Edge for kinds::Dispatcher<'_> {
    const WORDS: &'static [&'static str] = &["dispatcher"];
    const IS_PORTABLE: bool = false;
    const HAS_OBJECT: bool = true;

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        dispatcher::object_of(boxing.py, *self.id)
    }

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.id.0)?;
        fields.push(self.name)?;
        Ok("dispatcher")
    }
}

impl Edge for kinds::Closure<'_> {
    const WORDS: &'static [&'static str] = &["closure"];
    const IS_PORTABLE: bool = false;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.name)?;
        fields.push(*self.index)?;
        Ok("closure")
    }
}

impl Edge for kinds::FunctionType<'_> {
    const WORDS: &'static [&'static str] = &["function_type"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.ret)?;
        fields.types(self.params)?;
        Ok("function_type")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::FunctionType {
            ret: args.ty(1)?,
            params: args.types(2)?,
        })
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let leaves = boxing.take_many(3)?;
        let header = leaves[2][0] as *const Header;
        // SAFETY: the leaf is null or a header that is alive, and its object is too.
        let object = unsafe { header.as_ref() }.map_or(std::ptr::null_mut(), Header::object);
        // SAFETY: as above; the GIL is held.
        let object = unsafe { Bound::from_borrowed_ptr_or_opt(boxing.py, object.cast()) };
        object.ok_or_else(|| boxing.refuse())
    }

    fn memory(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let (address, compiled) = if let Ok(jitted) = dispatcher::inner(object) {
            let ty = unboxing.types().intern(self.kind.clone());
            match jitted.function_value(ty) {
                Some(value) => (value.address(), 1),
                None => return Ok(false),
            }
        } else {
            match crate::host::function_pointer(unboxing.types(), object)? {
                Some(KnownFunction::Address(_, found)) => (
                    checked_address(object, found.address)?,
                    u64::from(found.compiled),
                ),
                Some(KnownFunction::Jitted(_)) | None => return Ok(false),
            }
        };
        for word in [address, compiled, 0] {
            unboxing.number(word);
        }
        Ok(true)
    }
}

/// The address of a function of C that is given to compiled code.
fn checked_address(object: &Bound<'_, PyAny>, address: i64) -> PyResult<u64> {
    match u64::try_from(address) {
        Ok(address) if address != 0 => Ok(address),
        _ => Err(PyValueError::new_err(format!(
            "wrapper address of {} instance must be a positive integer but got {address}",
            object.get_type()
        ))),
    }
}

impl Edge for kinds::FunctionChoice<'_> {
    const WORDS: &'static [&'static str] = &["function_choice"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.types(self.members)?;
        Ok("function_choice")
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let number = boxing.take()? as usize;
        match self.members.get(number).map(|ty| boxing.types.kind(*ty)) {
            Some(TypeKind::Dispatcher { id, .. }) => dispatcher::object_of(boxing.py, *id),
            _ => Err(boxing.refuse()),
        }
    }

    fn plain(
        &self,
        unboxing: &mut Unboxing<'_>,
        found: Type,
        _: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let number = self.members.iter().position(|member| *member == found);
        if let Some(number) = number {
            unboxing.number(number as u64);
        }
        Ok(number.is_some())
    }
}

impl Edge for kinds::Pointer<'_> {
    const WORDS: &'static [&'static str] = &["pointer", "void_pointer"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        match self.to {
            Some(to) => fields.ty(*to).map(|()| "pointer"),
            None => Ok("void_pointer"),
        }
    }

    fn read(word: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let is_void = word == "void_pointer";
        let to = (!is_void).then(|| args.ty(1)).transpose()?;
        Ok(TypeKind::Pointer(to))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        made::unsigned(boxing.py, boxing.take()?)
    }
}

impl Edge for kinds::ObjectBlock<'_> {
    const WORDS: &'static [&'static str] = &["object_block"];
    const IS_PORTABLE: bool = false;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.outputs)?;
        Ok("object_block")
    }
}
