//! Constant arrays that code for a GPU refers to: their elements become data of the module.

use crate::host::kept;
use numbra_lower::lir::{AddrSpace, Data, Module};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Bytes of the memory for constants; larger arrays lie in global memory.
const CONSTANT_MEMORY: usize = 64 << 10;

/// Puts the elements of the arrays that cells stand for into the module. Gives their handles.
///
/// A cell holds the address of an array's leaves, each 16 bytes from the last: data, owner, shape, strides.
pub(super) fn embed(py: Python<'_>, module: &mut Module) -> PyResult<Vec<u64>> {
    let mut placed = 0;
    let mut handles = Vec::new();
    let cells: Vec<_> = module.data.keys().collect();
    for cell in cells {
        let symbol = module.data[cell]
            .relocs
            .first()
            .map(|(_, name)| name.clone());
        let handle = symbol
            .as_deref()
            .and_then(|name| name.strip_prefix("numbra_array_"));
        let Some(handle) = handle.and_then(|h| h.parse().ok()) else {
            continue;
        };
        let Some(array) = kept(py, handle) else {
            continue;
        };
        handles.push(handle);
        let array = array.bind(py);
        let numpy = py.import("numpy")?;
        // Without gaps, in the order that its type says.
        let fortran: bool = array
            .getattr("flags")?
            .get_item("F_CONTIGUOUS")?
            .extract()?;
        let c_order: bool = array
            .getattr("flags")?
            .get_item("C_CONTIGUOUS")?
            .extract()?;
        let order = if fortran && !c_order { "F" } else { "C" };
        let tight = numpy.call_method1("asarray", (array, py.None(), order))?;
        let bytes = tight.call_method1("tobytes", ("A",))?;
        let bytes = bytes
            .cast::<PyBytes>()
            .map_err(PyErr::from)?
            .as_bytes()
            .to_vec();
        let shape: Vec<i64> = tight.getattr("shape")?.extract()?;
        let strides: Vec<i64> = tight.getattr("strides")?.extract()?;
        let name = format!("_cudapy_cmem_{}", module.data.len());
        placed += bytes.len();
        let space = if placed <= CONSTANT_MEMORY {
            AddrSpace::Const
        } else {
            AddrSpace::Global
        };
        let mut leaves = vec![0_u8; 32];
        for word in shape.into_iter().chain(strides) {
            leaves.extend(word.to_le_bytes());
            leaves.extend([0; 8]);
        }
        let leaves_name = format!("{name}.leaves");
        module.data.push(Data {
            name: name.clone(),
            bytes,
            align: 16,
            writable: false,
            space,
            zeros: 0,
            relocs: Vec::new(),
        });
        module.data.push(Data {
            name: leaves_name.clone(),
            bytes: leaves,
            align: 16,
            writable: false,
            space: AddrSpace::Generic,
            zeros: 0,
            relocs: vec![(0, name)],
        });
        module.data[cell].relocs = vec![(0, leaves_name)];
    }
    Ok(handles)
}
