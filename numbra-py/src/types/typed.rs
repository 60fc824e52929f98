//! What typed dictionaries and typed lists have in common: objects that go in as values of one type, and come out.

use crate::convert::{Leaves, Unboxing, guarded, release_leaves};
use crate::dispatcher::FunctionRules;
use crate::layout;
use crate::lists::read_item;
use crate::session::type_of_code;
use crate::typeof_::typeof_object;
use numbra_ir::lattice::is_stored_as;
use numbra_ir::{Type, Types};
use numbra_lir::Ty;
use numbra_lower::lowering::ItemLayout;
use numbra_runtime::Header;
use pyo3::PyClass;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
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

/// A class whose objects share a container with compiled code.
pub(super) trait Sharing: PyClass<Frozen = True> + Sync {
    /// The container, borrowed, if the object has one of this type.
    fn header(&self, ty: Type) -> Option<*mut Header>;
}

/// The container of an object of class `C` if it is of type `ty`, borrowed.
pub(super) fn shared_by<C: Sharing>(ty: Type, object: &Bound<'_, PyAny>) -> Option<*mut Header> {
    object.cast::<C>().ok()?.get().header(ty)
}

/// As [`shared_by`] for entry wrappers; null for a miss. Runs no Python code and leaves the count of the object alone.
///
/// # Safety
/// The GIL is held, `object` is alive.
unsafe fn shared_with_code<C: Sharing>(object: *mut ffi::PyObject, code: u64) -> *mut Header {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: by contract.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: by contract.
        let object = unsafe { Borrowed::from_ptr(py, object) };
        shared_by::<C>(type_of_code(code), &object).unwrap_or(std::ptr::null_mut())
    })
}

macro_rules! helpers {
    ($($(#[$doc:meta])* $name:ident => $class:ty;)*) => {
        $($(#[$doc])*
        ///
        /// # Safety
        /// Called by entry wrappers: the GIL is held, `object` is alive.
        pub(crate) unsafe extern "C" fn $name(object: *mut ffi::PyObject, code: u64) -> *mut Header {
            // SAFETY: by contract.
            unsafe { shared_with_code::<$class>(object, code) }
        })*
    };
}

helpers! {
    /// `numbra_py_typed_dict(object, type) -> ref`: the dictionary of a typed one; null when it is not of that type.
    numbra_py_typed_dict => super::TypedDict;
    /// `numbra_py_instance(object, type) -> ref`: the object with fields of an instance; null when it is not of that type.
    numbra_py_instance => super::Instance;
    /// `numbra_py_typed_list(object, type) -> ref`: the list of a typed one; null when it is not of that type.
    numbra_py_typed_list => super::TypedList;
    /// `numbra_py_typed_set(object, type) -> ref`: the set of a typed one; null when it is not of that type.
    numbra_py_typed_set => super::TypedSet;
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
            if let Some(small) = small(number) {
                return Some(small.cast_unsigned());
            }
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

/// The value of an `int` of at most one digit.
fn small(number: &Bound<'_, PyInt>) -> Option<i64> {
    let place = number.as_ptr().cast::<u8>();
    // SAFETY: every `int` has a size or tag, and room for one digit.
    let (size, digit) = unsafe {
        let digit = place.add(layout::LONG_DIGITS as usize).cast::<u32>();
        (
            place.add(layout::LONG_SIZE as usize).cast::<i64>().read(),
            digit.read(),
        )
    };
    let sign = match (layout::LONG_HAS_TAG, size) {
        (true, 0..16) => 1 - (size & 3),
        (false, -1..=1) => size,
        _ => return None,
    };
    Some(sign * i64::from(digit))
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
    // SAFETY: by contract.
    let object = unsafe { new_number_at(py, ty, place) }?;
    // SAFETY: a new reference, or null with an exception set.
    Some(unsafe { Bound::from_owned_ptr_or_err(py, object) })
}

/// As [`number_at`]: a new reference, or null with an exception set.
///
/// # Safety
/// A value of the type is at the place.
#[inline]
pub(super) unsafe fn new_number_at(
    _py: Python<'_>,
    ty: Type,
    place: *const u8,
) -> Option<*mut ffi::PyObject> {
    match ty {
        Type::INT64 => {
            // SAFETY: by contract; with the GIL.
            Some(unsafe { ffi::PyLong_FromLongLong(place.cast::<i64>().read_unaligned()) })
        }
        Type::FLOAT64 => {
            // SAFETY: as above.
            Some(unsafe { ffi::PyFloat_FromDouble(place.cast::<f64>().read_unaligned()) })
        }
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
