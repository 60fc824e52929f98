//! Constants of the program as Python objects.

use crate::made;
use numbra_ir::Const;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyComplex};
use std::ffi::CString;

/// A constant as the Python object.
pub(crate) fn constant<'py>(py: Python<'py>, value: &Const) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Const::None => py.None().into_bound(py),
        Const::Ellipsis => py.Ellipsis().into_bound(py),
        Const::Bool(b) => pyo3::types::PyBool::new(py, *b).to_owned().into_any(),
        Const::Int(i) => made::signed(py, *i)?,
        Const::BigInt(digits) => py
            .get_type::<pyo3::types::PyInt>()
            .call1((digits.to_string(),))?,
        Const::Float(bits) => made::float(py, f64::from_bits(*bits))?,
        Const::Complex(re, im) => made::complex(py, f64::from_bits(*re), f64::from_bits(*im))?,
        Const::Str(s) => made::text(py, s)?,
        Const::Bytes(b) => made::bytes(py, b)?,
        Const::Tuple(items) => {
            let items = items
                .iter()
                .map(|item| constant(py, item))
                .collect::<PyResult<Vec<_>>>()?;
            made::tuple(py, items)?
        }
        Const::Slice(parts) => {
            let slice = py.import("builtins")?.getattr("slice")?;
            slice.call1((
                constant(py, &parts[0])?,
                constant(py, &parts[1])?,
                constant(py, &parts[2])?,
            ))?
        }
    })
}

/// What stands between the quotes of a string literal that escapes nothing.
fn unescaped(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inside.contains(['\\', '\n', quote])).then_some(inside)
}

/// A Python constant from its text.
pub(super) fn literal<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    // Most are messages: CPython's parser takes microseconds, and from 3.12 on more stack than small threads have.
    if let Some(inside) = unescaped(text) {
        return made::text(py, inside);
    }
    if let Ok(value) = py.import("ast")?.call_method1("literal_eval", (text,)) {
        return Ok(value);
    }
    // `inf`, `nan` and `complex(..)` are no literals.
    let names = pyo3::types::PyDict::new(py);
    names.set_item("inf", f64::INFINITY)?;
    names.set_item("nan", f64::NAN)?;
    names.set_item("complex", py.get_type::<PyComplex>())?;
    let text = CString::new(text)?;
    py.eval(&text, Some(&names), None)
}
