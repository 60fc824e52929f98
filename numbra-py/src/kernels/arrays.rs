//! Arrays that code for a GPU refers to: the elements of constant ones become data of the module, and of device arrays
//! where they are.

use super::captured;
use crate::constant_arrays::kept;
use crate::cuda::array::DeviceArrayBase;
use numbra_lir::{AddrSpace, Data, Module};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes};

/// Bytes of the memory for constants; larger arrays lie in global memory.
const CONSTANT_MEMORY: usize = 64 << 10;

/// What a module refers to.
#[derive(Default)]
pub(super) struct Embedded {
    /// Handles of constant arrays.
    pub(super) constant: Vec<u64>,
    /// Device arrays, which have to stay as long as the code.
    pub(super) captured: Vec<Py<PyAny>>,
    /// Functions that other code defines.
    pub(super) declared: Vec<Py<PyAny>>,
}

/// Has the cells that stand for arrays point at what is in the module or on the device.
///
/// A cell holds the address of an array's leaves, each 16 bytes from the last: data, owner, shape, strides.
pub(super) fn embed(py: Python<'_>, module: &mut Module) -> PyResult<Embedded> {
    let mut placed = 0;
    let mut embedded = Embedded {
        declared: captured::functions(py, module),
        ..Embedded::default()
    };
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
        if let Some(array) = captured::array(py, handle) {
            let leaves = device_leaves(array.bind(py))?;
            let name = format!("_cudapy_captured_{}", module.data.len());
            module.data.push(constant(name.clone(), leaves, Vec::new()));
            module.data[cell].relocs = vec![(0, name)];
            embedded.captured.push(array);
            continue;
        }
        let Some(array) = kept(py, handle) else {
            continue;
        };
        embedded.constant.push(handle);
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
        let leaves = leaves(0, shape.into_iter().chain(strides));
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
        module
            .data
            .push(constant(leaves_name.clone(), leaves, vec![(0, name)]));
        module.data[cell].relocs = vec![(0, leaves_name)];
    }
    Ok(embedded)
}

/// The leaves of an array on the device.
fn device_leaves(array: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let base = array.cast::<DeviceArrayBase>().map_err(PyErr::from)?;
    let array = base.get().array()?;
    array.check_alive(base.py())?;
    let words = array.shape().iter().chain(array.strides());
    Ok(leaves(array.pointer, words.copied()))
}

/// Leaves in their places; the owner is null.
fn leaves(pointer: u64, shape_and_strides: impl Iterator<Item = i64>) -> Vec<u8> {
    let mut leaves = vec![0_u8; 32];
    leaves[..8].copy_from_slice(&pointer.to_le_bytes());
    for word in shape_and_strides {
        leaves.extend(word.to_le_bytes());
        leaves.extend([0; 8]);
    }
    leaves
}

fn constant(name: String, bytes: Vec<u8>, relocs: Vec<(u32, String)>) -> Data {
    Data {
        name,
        bytes,
        align: 16,
        writable: false,
        space: AddrSpace::Generic,
        zeros: 0,
        relocs,
    }
}
