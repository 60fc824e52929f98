//! Memory of the host that the driver gave, as a buffer that NumPy reads and writes.

use core::ffi::{c_char, c_int};
use std::sync::OnceLock;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Base of the classes that own memory of the host; an array over it keeps it.
#[pyclass(subclass, frozen, module = "numbra.cuda.cudadrv.driver")]
pub(super) struct HostBuffer {
    memory: OnceLock<(usize, usize)>,
}

#[pymethods]
impl HostBuffer {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyAny>, _kwargs: Option<&Bound<'_, PyAny>>) -> Self {
        HostBuffer {
            memory: OnceLock::new(),
        }
    }

    /// Says where the memory is, once.
    fn _set_buffer(&self, pointer: usize, size: usize) {
        let _ = self.memory.set((pointer, size));
    }

    /// The memory as plain bytes that may be written.
    ///
    /// # Safety
    /// Python calls it with a view to fill.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let Some(&(pointer, size)) = slf.get().memory.get() else {
            return Err(PyBufferError::new_err("the buffer has no memory yet"));
        };
        // SAFETY: the view is there to be filled; subclasses keep the memory as long as the object, to which the view
        // takes a reference.
        let filled = unsafe {
            ffi::PyBuffer_FillInfo(
                view,
                slf.as_ptr(),
                pointer as *mut c_char as *mut _,
                size as isize,
                0,
                flags,
            )
        };
        if filled == 0 {
            Ok(())
        } else {
            Err(PyErr::fetch(slf.py()))
        }
    }
}
