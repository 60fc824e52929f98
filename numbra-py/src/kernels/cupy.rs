//! CuPy's arrays as kernel arguments: their attributes cost a third of what a DLPack capsule does.

use super::launch::{ArrayParam, Words};
use crate::cuda::dlpack::Peeked;
use numbra_ir::Layout;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyTuple};
use std::sync::{Mutex, PoisonError};

/// What is known of CuPy once it is loaded.
struct Cupy {
    array: Py<PyAny>,
    /// Gives this thread's stream.
    stream: Py<PyAny>,
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
    let array = module.getattr("ndarray")?;
    if !class.is(&array) {
        return Ok(None);
    }
    let stream = py
        .import("cupy.cuda.stream")?
        .getattr("get_current_stream")?;
    let (array, stream) = (array.unbind(), stream.unbind());
    Ok(Some(CUPY.get_or_init(py, || Cupy { array, stream })))
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
            let current = cupy.stream.bind(py).call0()?;
            let current: usize = current.getattr(intern!(py, "ptr"))?.extract()?;
            *words.cupy_in_order.insert(current == stream)
        }
    };
    if !in_order {
        return Ok(None);
    }
    let Some((kind, size)) = element(&arg.getattr(intern!(py, "dtype"))?)? else {
        return Ok(None);
    };
    let numbers =
        |name: &Bound<'_, pyo3::types::PyString>| -> PyResult<smallvec::SmallVec<[i64; 8]>> {
            let value = arg.getattr(name)?;
            let tuple = value.cast::<PyTuple>().map_err(PyErr::from)?;
            tuple.iter_borrowed().map(|n| n.extract()).collect()
        };
    let shape = numbers(intern!(py, "shape"))?;
    // A flag costs less than a tuple of strides, which arrays without gaps do not need.
    let whole = wanted.layout == Layout::C
        && match arg.getattr_opt(intern!(py, "_c_contiguous"))? {
            Some(whole) => whole.is_truthy()?,
            None => false,
        };
    let strides = if whole {
        None
    } else {
        let mut strides = numbers(intern!(py, "strides"))?;
        for stride in &mut strides {
            *stride /= i64::from(size.max(1));
        }
        Some(strides)
    };
    let data = arg.getattr(intern!(py, "data"))?;
    let tensor = Peeked {
        pointer: data.getattr(intern!(py, "ptr"))?.extract()?,
        shape: &shape,
        strides: strides.as_deref(),
        element: (kind, 8 * size),
    };
    Ok(Some(words.tensor(wanted, &tensor)))
}
