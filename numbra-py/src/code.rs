//! CPython code objects as [`CodeObject`] data.

use numbra_bytecode::{CodeFlags, CodeObject, Const, F64Bits, parse_location_table};
use pyo3::prelude::*;
use pyo3::types::{
    PyAny, PyBool, PyBytes, PyComplex, PyComplexMethods, PyFloat, PyFrozenSet, PyInt, PySlice,
    PyString, PyTuple,
};

/// Reads a `types.CodeType`.
pub(crate) fn code_object(code: &Bound<'_, PyAny>) -> PyResult<CodeObject> {
    let py = code.py();
    let version = py.version_info();
    let number = |name: &str| -> PyResult<u32> { code.getattr(name)?.extract() };
    let text = |name: &str| -> PyResult<String> { code.getattr(name)?.extract() };
    let names = |name: &str| -> PyResult<Vec<String>> { code.getattr(name)?.extract() };
    let consts = code
        .getattr("co_consts")?
        .cast_into::<PyTuple>()
        .map_err(PyErr::from)?;
    let bytes = |name: &str| -> PyResult<Vec<u8>> {
        let bytes = code.getattr(name)?;
        Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec())
    };
    let firstlineno = number("co_firstlineno")?;
    Ok(CodeObject {
        version: (version.major, version.minor),
        name: text("co_name")?,
        qualname: text("co_qualname")?,
        filename: text("co_filename")?,
        firstlineno,
        argcount: number("co_argcount")?,
        posonlyargcount: number("co_posonlyargcount")?,
        kwonlyargcount: number("co_kwonlyargcount")?,
        flags: CodeFlags::from_bits_retain(number("co_flags")?),
        stacksize: number("co_stacksize")?,
        code: bytes("co_code")?,
        consts: consts
            .iter()
            .map(|item| constant(&item))
            .collect::<PyResult<_>>()?,
        names: names("co_names")?,
        varnames: names("co_varnames")?,
        cellvars: names("co_cellvars")?,
        freevars: names("co_freevars")?,
        exceptiontable: bytes("co_exceptiontable")?,
        positions: parse_location_table(&bytes("co_linetable")?, firstlineno),
    })
}

fn constant(object: &Bound<'_, PyAny>) -> PyResult<Const> {
    let items = |iter: &Bound<'_, PyAny>| -> PyResult<Vec<Const>> {
        iter.try_iter()?.map(|item| constant(&item?)).collect()
    };
    Ok(if object.is_none() {
        Const::None
    } else if object.is(object.py().Ellipsis()) {
        Const::Ellipsis
    } else if object.is_exact_instance_of::<PyBool>() {
        Const::Bool(object.extract()?)
    } else if object.is_exact_instance_of::<PyInt>() {
        match object.extract::<i64>() {
            Ok(value) => Const::Int(value),
            Err(_) => Const::BigInt(object.str()?.extract()?),
        }
    } else if object.is_exact_instance_of::<PyFloat>() {
        Const::Float(F64Bits::new(object.extract()?))
    } else if let Ok(value) = object.cast_exact::<PyComplex>() {
        Const::Complex(F64Bits::new(value.real()), F64Bits::new(value.imag()))
    } else if object.is_exact_instance_of::<PyString>() {
        match object.extract() {
            Ok(text) => Const::Str(text),
            Err(_) => Const::Opaque("str with surrogates".to_owned()),
        }
    } else if object.is_exact_instance_of::<PyBytes>() {
        Const::Bytes(object.extract()?)
    } else if object.is_exact_instance_of::<PyTuple>() {
        Const::Tuple(items(object)?)
    } else if object.is_exact_instance_of::<PyFrozenSet>() {
        Const::FrozenSet(items(object)?)
    } else if object.is_exact_instance_of::<PySlice>() {
        let part = |name: &str| constant(&object.getattr(name)?);
        Const::Slice(Box::new([part("start")?, part("stop")?, part("step")?]))
    } else if object.hasattr("co_code")? {
        Const::Code(Box::new(code_object(object)?))
    } else {
        Const::Opaque(object.get_type().qualname()?.extract()?)
    })
}
