//! What comes out of a body: Python objects as values of the types that the program gave.

use super::Block;
use crate::convert::{Words, array_leaves, unbox, unbox_scalar, unbox_text};
use crate::lists::native_list;
use crate::typeof_::typeof_object;
use numbra_ir::{Layout, Type, TypeKind, Types};
use numbra_lower::lir::Ty;
use numbra_lower::lowering::leaves as leaf_types;
use numbra_runtime::{Header, object_header};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyTuple};

/// The leaves of a body's result; references among them are owned.
pub(super) fn leaves(block: &Block, result: &Bound<'_, PyTuple>) -> PyResult<Vec<Words>> {
    let mut out = Unboxed {
        types: &block.types,
        words: Vec::new(),
        owned: Vec::new(),
    };
    let mut values = result.iter();
    let exit = if block.exits.len() > 1 {
        let number: usize = values.next().map_or(Ok(0), |n| n.extract())?;
        out.words.push([number as u64, 0]);
        number
    } else {
        0
    };
    let live = block.exits.get(exit).map_or(&[][..], Vec::as_slice);
    for ((ty, value), live) in block.outputs.iter().zip(values).zip(live) {
        if *live {
            out.value(*ty, &value)?;
        } else {
            out.nothing(*ty)?;
        }
    }
    out.owned.clear();
    Ok(std::mem::take(&mut out.words))
}

/// Leaves as far as they are made. References go if that fails.
struct Unboxed<'a> {
    types: &'a Types,
    words: Vec<Words>,
    owned: Vec<*mut Header>,
}

impl Drop for Unboxed<'_> {
    fn drop(&mut self) {
        for header in &self.owned {
            // SAFETY: this owns a reference to each.
            unsafe { numbra_runtime::release(*header) };
        }
    }
}

impl Unboxed<'_> {
    /// An object as a value of a type.
    fn value(&mut self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(items) = self.types.tuple_items(ty) {
            return self.tuple(ty, &items, object);
        }
        match self.types.kind(ty) {
            TypeKind::None => Ok(()),
            TypeKind::Optional(inner) => {
                let inner = *inner;
                if object.is_none() {
                    self.words.push([0, 0]);
                    return self.nothing(inner);
                }
                self.words.push([1, 0]);
                self.value(inner, object)
            }
            TypeKind::Scalar(scalar, _) => unbox_scalar(*scalar, object, &mut self.words),
            TypeKind::Array(_) => self.array(ty, object),
            TypeKind::Unicode if object.is_exact_instance_of::<PyString>() => {
                let text = unbox_text(object);
                self.words.extend(text);
                let data = text[0][0] as *mut u8;
                self.own_last(object_header(data, object.as_ptr().cast()))
            }
            TypeKind::Record(_) => {
                self.other(ty, object)?;
                let at = self.words.len().saturating_sub(2);
                let data = self.words[at][0] as *mut u8;
                self.own_last(object_header(data, object.as_ptr().cast()))
            }
            TypeKind::List { .. } | TypeKind::Set { .. } => {
                match native_list(self.types, ty, object)? {
                    Some(header) => {
                        self.words.push([0, 0]);
                        self.own_last(header)
                    }
                    None => Err(self.refuse(ty, object)),
                }
            }
            TypeKind::Datetime(_) | TypeKind::Timedelta(_) => self.other(ty, object),
            _ => Err(self.refuse(ty, object)),
        }
    }

    fn other(&mut self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<()> {
        match unbox(self.types, ty, object, true, &mut self.words)? {
            true => Ok(()),
            false => Err(self.refuse(ty, object)),
        }
    }

    /// Makes the last leaf an owned reference.
    fn own_last(&mut self, header: *mut Header) -> PyResult<()> {
        if header.is_null() {
            return Err(PyMemoryError::new_err("out of memory"));
        }
        self.own(self.words.len() - 1, header);
        Ok(())
    }

    fn own(&mut self, at: usize, header: *mut Header) {
        self.words[at] = [header as u64, 0];
        self.owned.push(header);
    }

    /// Zero bits for a variable that nobody reads.
    fn nothing(&mut self, ty: Type) -> PyResult<()> {
        let shape = leaf_types(self.types, ty).map_err(PyTypeError::new_err)?;
        self.words.extend(shape.iter().map(|_: &Ty| [0, 0]));
        Ok(())
    }

    fn tuple(&mut self, ty: Type, items: &[Type], object: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok(tuple) = object.cast::<PyTuple>() else {
            return Err(self.refuse(ty, object));
        };
        if tuple.len() != items.len() {
            return Err(PyValueError::new_err(format!(
                "size mismatch for tuple, expected {} element(s) but got {}",
                items.len(),
                tuple.len()
            )));
        }
        let values = tuple.iter();
        items
            .iter()
            .zip(values)
            .try_for_each(|(item, value)| self.value(*item, &value))
    }

    fn array(&mut self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let wanted = self.types.as_array(ty);
        let found = typeof_object(self.types, object)?.and_then(|ty| self.types.as_array(ty));
        let (Some(wanted), Some(found)) = (wanted, found) else {
            return Err(not_that_array());
        };
        let flag =
            |name: &str| -> PyResult<bool> { object.getattr("flags")?.getattr(name)?.extract() };
        let in_order = match wanted.layout {
            Layout::A => true,
            Layout::C => found.layout == Layout::C || flag("c_contiguous")?,
            Layout::F => found.layout == Layout::F || flag("f_contiguous")?,
        };
        let same = wanted.ndim == found.ndim && wanted.dtype == found.dtype;
        if !same || !in_order || (wanted.aligned && !found.aligned) {
            return Err(not_that_array());
        }
        let start = self.words.len();
        // SAFETY: `typeof` found an array type only for an `ndarray`.
        unsafe { array_leaves(object.as_ptr().cast(), &mut self.words) };
        let data = self.words[start][0] as *mut u8;
        let owner = object_header(data, object.as_ptr().cast());
        if owner.is_null() {
            return Err(PyMemoryError::new_err("out of memory"));
        }
        self.own(start + numbra_abi::ArrayLayout::OWNER, owner);
        Ok(())
    }

    fn refuse(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!(
            "can't unbox a {} as a {}",
            object.get_type(),
            self.types.display(ty)
        ))
    }
}

/// Numba's words.
fn not_that_array() -> PyErr {
    PyTypeError::new_err(
        "can't unbox array from PyObject into native value.  The object maybe of a different type",
    )
}
