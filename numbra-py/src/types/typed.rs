//! What typed dictionaries and typed lists have in common: objects that go in as values of one type, and come out.

use crate::convert::{Leaves, Unboxing, release_leaves};
use crate::dispatcher::FunctionRules;
use crate::lists::read_item;
use crate::made;
use crate::typeof_::typeof_object;
use numbra_ir::lattice::is_stored_as;
use numbra_ir::{Type, Types};
use numbra_lir::Ty;
use numbra_lower::lowering::ItemLayout;
use numbra_runtime::Header;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};
use std::marker::PhantomData;

/// A container of compiled code, of which a Python object owns a reference.
pub(super) struct Shared<T> {
    pub(super) header: *mut Header,
    pub(super) ty: Type,
    /// Holds the type.
    pub(super) types: Types,
    of: PhantomData<T>,
}

// SAFETY: the container is counted atomically, and changes under the GIL only.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Takes the caller's reference to a container of this type, which is a `T`.
    pub(super) fn new(header: *mut Header, ty: Type, types: Types) -> Shared<T> {
        Shared {
            header,
            ty,
            types,
            of: PhantomData,
        }
    }

    #[allow(
        clippy::mut_from_ref,
        reason = "the GIL is held, and no other reference lives across calls"
    )]
    pub(super) fn get(&self) -> &mut T {
        // SAFETY: alive, and changed under the GIL only.
        unsafe { &mut *self.header.cast::<T>() }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: the reference of this object.
        unsafe { numbra_runtime::release(self.header) };
    }
}

/// Numba's error with these words.
pub(super) fn typing_error(py: Python<'_>, words: String) -> PyErr {
    let made = py
        .import("numbra.core.errors")
        .and_then(|errors| errors.call_method1("TypingError", (words,)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Appends the leaves of an object that is stored as a value of type `ty`.
pub(super) fn unbox(
    unboxing: &mut Unboxing<'_>,
    ty: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if is_stored(unboxing, ty, object)? {
        return Ok(());
    }
    let types = unboxing.types;
    let found = typeof_object(types, object)?;
    let shown = match found {
        Some(found) => types.display(found).to_string(),
        None => object.get_type().to_string(),
    };
    let wanted = types.display(ty);
    let words = format!("cannot safely cast {shown} to {wanted}. Please cast explicitly.");
    Err(typing_error(object.py(), words))
}

/// As [`unbox`]; false, and nothing appended, if the object is of a type that is not stored as `ty`.
pub(super) fn is_stored(
    unboxing: &mut Unboxing<'_>,
    ty: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let types = unboxing.types;
    let found = typeof_object(types, object)?;
    // A list or a set that a Python one stands for holds the same.
    let fits = |found: &Type| {
        is_stored_as(types, &FunctionRules, *found, ty) || types.unreflected(*found) == ty
    };
    Ok(found.as_ref().is_some_and(fits) && unboxing.value(ty, object)?)
}

/// The bits of an object that is the number which such a container mostly holds: an `int64` or a `float64`.
pub(super) fn number(ty: Type, object: &Bound<'_, PyAny>) -> Option<u64> {
    match ty {
        Type::INT64 => {
            let number = object.cast_exact::<PyInt>().ok()?;
            let mut overflow = 0;
            // SAFETY: an integer; with the GIL.
            let value =
                unsafe { ffi::PyLong_AsLongLongAndOverflow(number.as_ptr(), &raw mut overflow) };
            (overflow == 0).then(|| value.cast_unsigned())
        }
        Type::FLOAT64 => Some(object.cast_exact::<PyFloat>().ok()?.value().to_bits()),
        _ => None,
    }
}

/// The object of a number at a place, if it is one of those of [`number`].
///
/// # Safety
/// A value of the type is at the place.
pub(super) unsafe fn number_at<'py>(
    py: Python<'py>,
    ty: Type,
    place: *const u8,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    match ty {
        // SAFETY: by contract.
        Type::INT64 => Some(made::signed(py, unsafe {
            place.cast::<i64>().read_unaligned()
        })),
        // SAFETY: by contract.
        Type::FLOAT64 => Some(made::float(py, unsafe {
            place.cast::<f64>().read_unaligned()
        })),
        _ => None,
    }
}

/// The type of the container that a first object asks for, which a function of a module of `numbra.typed` says.
pub(super) fn asked_type<'py>(
    py: Python<'py>,
    module: &str,
    function: &str,
    objects: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import(module)?.getattr(function)?.call1(objects)
}

/// The leaves of an item, with references of their own: boxing may run code that changes the container.
pub(crate) fn held(layout: &ItemLayout, place: *const u8) -> Leaves {
    let mut words = Leaves::new();
    read_item(layout, place, &mut words);
    for ((leaf, _), word) in layout.leaves.iter().zip(&words) {
        if *leaf == Ty::Ref {
            // SAFETY: the item's reference, which is alive, or null.
            unsafe { numbra_runtime::retain(word[0] as *mut Header) };
        }
    }
    words
}

/// Gives the references up that [`held`] took.
///
/// # Safety
/// They were not given up before.
pub(crate) unsafe fn let_go(layout: &ItemLayout, words: &Leaves) {
    let shape: Vec<Ty> = layout.leaves.iter().map(|leaf| leaf.0).collect();
    // SAFETY: by contract.
    unsafe { release_leaves(&shape, words) };
}
