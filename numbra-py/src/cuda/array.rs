//! The part of a device array that launches read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use numbra_cuda::{DevicePtr, Epoch};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::context::parse_epoch;
use super::errors::dead_memory;

pub(super) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Alive>()?;
    m.add_class::<DeviceArrayBase>()
}

/// Whether some memory is there still: arrays in it ask.
#[pyclass(frozen, module = "numbra._numbra._cuda")]
struct Alive(Arc<AtomicBool>);

#[pymethods]
impl Alive {
    #[new]
    fn new() -> Alive {
        Alive(Arc::new(AtomicBool::new(true)))
    }

    /// The memory is freed.
    fn end(&self) {
        self.0.store(false, Ordering::Release);
    }
}

/// What a device array is. It does not change once it is there.
pub(crate) struct DeviceArray {
    /// Address of the element at index 0; 0 where the array is empty.
    pub(crate) pointer: DevicePtr,
    /// Shape, then strides in bytes.
    dims: Box<[i64]>,
    pub(crate) itemsize: i64,
    /// Number of elements.
    pub(crate) size: i64,
    epoch: Option<Epoch>,
    alive: Option<Arc<AtomicBool>>,
    shape: Py<PyTuple>,
    strides: Py<PyTuple>,
    dtype: Py<PyAny>,
}

impl DeviceArray {
    /// Lengths of the dimensions.
    pub(crate) fn shape(&self) -> &[i64] {
        &self.dims[..self.dims.len() / 2]
    }

    /// Distances of elements in bytes.
    pub(crate) fn strides(&self) -> &[i64] {
        &self.dims[self.dims.len() / 2..]
    }

    /// An error if the memory was freed, or went with a reset of its context.
    #[inline]
    pub(crate) fn check_alive(&self, py: Python<'_>) -> PyResult<()> {
        let freed = |alive: &Arc<AtomicBool>| !alive.load(Ordering::Acquire);
        if self.epoch.is_some_and(|epoch| !epoch.is_running())
            || self.alive.as_ref().is_some_and(freed)
        {
            return Err(dead_memory(py, self.pointer));
        }
        Ok(())
    }
}

/// Base of `DeviceNDArray` and `DeviceRecord`.
#[pyclass(subclass, frozen, module = "numbra.cuda.cudadrv.devicearray")]
pub(crate) struct DeviceArrayBase {
    array: OnceLock<DeviceArray>,
    /// Whatever the dispatcher likes to know the array's type by; 0 before it is asked.
    type_code: AtomicU64,
}

impl DeviceArrayBase {
    /// The array, once `__init__` has run.
    #[inline]
    pub(crate) fn array(&self) -> PyResult<&DeviceArray> {
        self.array
            .get()
            .ok_or_else(|| PyAttributeError::new_err("the device array is not initialised"))
    }

    /// What [`Self::set_type_code`] was given, 0 before.
    #[inline]
    pub(crate) fn type_code(&self) -> u64 {
        self.type_code.load(Ordering::Relaxed)
    }

    pub(crate) fn set_type_code(&self, code: u64) {
        self.type_code.store(code, Ordering::Relaxed);
    }
}

#[pymethods]
impl DeviceArrayBase {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyAny>, _kwargs: Option<&Bound<'_, PyAny>>) -> Self {
        DeviceArrayBase {
            array: OnceLock::new(),
            type_code: AtomicU64::new(0),
        }
    }

    /// Says what the array is, once.
    #[pyo3(signature = (pointer, shape, strides, dtype, itemsize, epoch = None, alive = None))]
    #[allow(clippy::too_many_arguments, reason = "what an array is, once")]
    fn _set_array(
        &self,
        pointer: DevicePtr,
        shape: Bound<'_, PyTuple>,
        strides: Bound<'_, PyTuple>,
        dtype: Py<PyAny>,
        itemsize: i64,
        epoch: Option<u64>,
        alive: Option<&Bound<'_, Alive>>,
    ) -> PyResult<()> {
        if shape.len() != strides.len() {
            return Err(PyValueError::new_err(
                "as many strides as dimensions are needed",
            ));
        }
        let dims = shape
            .iter()
            .chain(strides.iter())
            .map(|n| n.extract())
            .collect::<PyResult<Box<[i64]>>>()?;
        let size = dims[..shape.len()]
            .iter()
            .try_fold(1i64, |size, &n| size.checked_mul(n))
            .filter(|&size| size >= 0)
            .ok_or_else(|| PyValueError::new_err("array is too big"))?;
        let array = DeviceArray {
            pointer,
            dims,
            itemsize,
            size,
            epoch: epoch.map(parse_epoch).transpose()?,
            alive: alive.map(|alive| alive.get().0.clone()),
            shape: shape.unbind(),
            strides: strides.unbind(),
            dtype,
        };
        self.array
            .set(array)
            .map_err(|_| PyRuntimeError::new_err("the device array is initialised already"))
    }

    /// Lengths of the dimensions.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        Ok(self.array()?.shape.clone_ref(py))
    }

    /// Distances of elements in bytes.
    #[getter]
    fn strides(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        Ok(self.array()?.strides.clone_ref(py))
    }

    /// NumPy's dtype.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.array()?.dtype.clone_ref(py))
    }

    /// Number of elements.
    #[getter]
    fn size(&self) -> PyResult<i64> {
        Ok(self.array()?.size)
    }

    /// Number of dimensions.
    #[getter]
    fn ndim(&self) -> PyResult<usize> {
        Ok(self.array()?.shape().len())
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> PyResult<i64> {
        let array = self.array()?;
        Ok(array.size.saturating_mul(array.itemsize))
    }

    /// The address of the first element; raises `CudaAPIError` if the memory went with a reset of its context.
    #[getter]
    fn _pointer(&self, py: Python<'_>) -> PyResult<DevicePtr> {
        let array = self.array()?;
        array.check_alive(py)?;
        Ok(array.pointer)
    }
}
