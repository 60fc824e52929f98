//! CuPy's arrays as kernel arguments: their attributes cost a third of what a DLPack capsule does.

use super::attribute::Attribute;
use super::launch::{ArrayParam, Words};
use crate::cuda::dlpack::Peeked;
use numbra_ir::Layout;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyCapsule, PyTuple, PyType};
use smallvec::{SmallVec, smallvec};
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

/// What is known of CuPy once it is loaded.
struct Cupy {
    array: Py<PyType>,
    stream: CurrentStream,
    dtype: Attribute,
    contiguous: Attribute,
    ndim: Attribute,
    size: Attribute,
    shape: Attribute,
    strides: Attribute,
    data: Attribute,
    /// Of `data`.
    pointer: Attribute,
}

impl Cupy {
    fn new(module: &Bound<'_, PyAny>) -> PyResult<Cupy> {
        let py = module.py();
        let array = module.getattr("ndarray")?.cast_into::<PyType>()?;
        let of = |name| Attribute::new(&array, name);
        let memory = py
            .import("cupy.cuda.memory")?
            .getattr("MemoryPointer")?
            .cast_into::<PyType>()?;
        Ok(Cupy {
            stream: CurrentStream::new(py.import("cupy.cuda.stream")?.as_any())?,
            dtype: of("dtype")?,
            contiguous: of("_c_contiguous")?,
            ndim: of("ndim")?,
            size: of("size")?,
            shape: of("shape")?,
            strides: of("strides")?,
            data: of("data")?,
            pointer: Attribute::new(&memory, "ptr")?,
            array: array.unbind(),
        })
    }
}

/// Gives this thread's stream.
enum CurrentStream {
    /// As CuPy's own modules ask each other: no object is made.
    Native(unsafe extern "C" fn() -> isize),
    /// As Python asks.
    Python(Py<PyAny>),
}

impl CurrentStream {
    /// The native function is what Cython exports of `cupy.cuda.stream` under this name and signature.
    fn new(module: &Bound<'_, PyAny>) -> PyResult<CurrentStream> {
        let exported = module
            .getattr("__pyx_capi__")
            .and_then(|exports| exports.get_item("get_current_stream_ptr"));
        if let Ok(exported) = exported
            && let Ok(capsule) = exported.cast::<PyCapsule>()
            && let Ok(function) = capsule.pointer_checked(Some(c"intptr_t (void)"))
        {
            // SAFETY: the capsule's name is the C signature of the function that it points to, which Cython's modules
            // check in the same way before they call it; a module of CuPy stays loaded.
            let function = unsafe {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> isize>(
                    function.as_ptr(),
                )
            };
            return Ok(CurrentStream::Native(function));
        }
        let function = module.getattr("get_current_stream")?;
        Ok(CurrentStream::Python(function.unbind()))
    }

    /// Its handle.
    fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        match self {
            CurrentStream::Native(function) => {
                // SAFETY: this thread holds the GIL, which is all that the function asks.
                let handle = unsafe { function() };
                PyErr::take(py).map_or(Ok(handle as usize), Err)
            }
            CurrentStream::Python(function) => {
                let stream = function.bind(py).call0()?;
                stream.getattr(intern!(py, "ptr"))?.extract()
            }
        }
    }
}

/// CuPy, if this is an array of it.
fn cupy<'py>(arg: &Bound<'py, PyAny>) -> PyResult<Option<&'static Cupy>> {
    static CUPY: PyOnceLock<Cupy> = PyOnceLock::new();
    let (py, class) = (arg.py(), arg.get_type());
    if let Some(known) = CUPY.get(py) {
        return Ok(class.is(&known.array).then_some(known));
    }
    let Some(module) = py
        .import("sys")?
        .getattr("modules")?
        .call_method1("get", ("cupy",))?
        .extract::<Option<Bound<'_, PyAny>>>()?
    else {
        return Ok(None);
    };
    if !class.is(&module.getattr("ndarray")?) {
        return Ok(None);
    }
    Ok(Some(CUPY.get_or_try_init(py, || Cupy::new(&module))?))
}

/// DLPack's kind of elements, and their bytes.
type Element = (u8, u8);

/// The element of a dtype, if that is a number.
fn element(dtype: &Bound<'_, PyAny>) -> PyResult<Option<Element>> {
    /// The dtypes seen, which NumPy has one object of each; few, and those alone that are numbers.
    static SEEN: Mutex<Vec<(Py<PyAny>, Element)>> = Mutex::new(Vec::new());
    let py = dtype.py();
    {
        let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = seen.iter().find(|(one, _)| one.is(dtype)) {
            return Ok(Some(*known));
        }
    }
    let kind: u8 = match dtype.getattr(intern!(py, "kind"))?.extract::<char>()? {
        'i' => 0,
        'u' => 1,
        'f' => 2,
        'c' => 5,
        'b' => 6,
        _ => return Ok(None),
    };
    let size: u8 = dtype.getattr(intern!(py, "itemsize"))?.extract()?;
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.len() < 16 {
        seen.push((dtype.clone().unbind(), (kind, size)));
    }
    Ok(Some((kind, size)))
}

/// Extents, and strides in elements.
type Extents = (SmallVec<[i64; 8]>, Option<SmallVec<[i64; 8]>>);

/// The extents of an array whose elements have `bytes`; strides of one with gaps. Flags and counts cost a quarter of
/// what tuples do.
fn extents(
    cupy: &Cupy,
    arg: &Bound<'_, PyAny>,
    whole: bool,
    ndim: usize,
    bytes: u8,
) -> PyResult<Extents> {
    if whole && ndim == 1 && cupy.ndim.of(arg)?.extract::<i64>()? == 1 {
        return Ok((smallvec![cupy.size.of(arg)?.extract()?], None));
    }
    let numbers = |attribute: &Attribute| -> PyResult<SmallVec<[i64; 8]>> {
        let value = attribute.of(arg)?;
        let tuple = value.cast::<PyTuple>().map_err(PyErr::from)?;
        tuple.iter_borrowed().map(|n| n.extract()).collect()
    };
    let shape = numbers(&cupy.shape)?;
    if whole {
        return Ok((shape, None));
    }
    let mut strides = numbers(&cupy.strides)?;
    for stride in &mut strides {
        *stride /= i64::from(bytes.max(1));
    }
    Ok((shape, Some(strides)))
}

/// Adds an array of CuPy if it has the type: true or false; `None` where another way has to tell.
pub(super) fn array(
    py: Python<'_>,
    wanted: &ArrayParam,
    arg: &Bound<'_, PyAny>,
    stream: usize,
    words: &mut Words,
) -> PyResult<Option<bool>> {
    let Some(cupy) = cupy(arg)? else {
        return Ok(None);
    };
    // Work in another stream may still write it: DLPack waits for that.
    let in_order = match words.cupy_in_order {
        Some(known) => known,
        None => {
            let current = cupy.stream.handle(py)?;
            *words.cupy_in_order.insert(current == stream)
        }
    };
    if !in_order {
        return Ok(None);
    }
    let Some((kind, bytes)) = element(&cupy.dtype.of(arg)?)? else {
        return Ok(None);
    };
    // Not a public attribute: where it is missing, strides tell.
    let contiguous = || cupy.contiguous.of(arg).and_then(|flag| flag.is_truthy());
    let whole = wanted.layout == Layout::C && contiguous().unwrap_or(false);
    let (shape, strides) = extents(cupy, arg, whole, wanted.ndim, bytes)?;
    let data = cupy.data.of(arg)?;
    let tensor = Peeked {
        pointer: cupy.pointer.of(&data)?.extract()?,
        shape: &shape,
        strides: strides.as_deref(),
        element: (kind, 8 * bytes),
    };
    Ok(Some(words.tensor(wanted, &tensor)))
}
