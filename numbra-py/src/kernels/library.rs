//! What Python shows of the library for GPUs.

use numbra_abi::CType;
use numbra_abi::libdevice::FUNCTIONS;
use pyo3::prelude::*;

/// Name, result, operands and what is written through pointers.
type Entry = (
    &'static str,
    &'static str,
    Vec<&'static str>,
    Vec<&'static str>,
);

/// The functions of libdevice, with Numba's names of C's types.
#[pyfunction]
pub(crate) fn _libdevice_functions() -> Vec<Entry> {
    let names = |types: &[CType]| types.iter().copied().map(type_name).collect();
    FUNCTIONS
        .iter()
        .map(|f| (f.name, type_name(f.ret), names(f.params), names(f.outs)))
        .collect()
}

fn type_name(c: CType) -> &'static str {
    match c {
        CType::Void => "void",
        CType::I8 => "int8",
        CType::I16 => "int16",
        CType::I32 => "int32",
        CType::I64 => "int64",
        CType::F32 => "float32",
        CType::F64 => "float64",
        CType::Ptr | CType::Ref => "voidptr",
    }
}
