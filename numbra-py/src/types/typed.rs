//! What typed dictionaries and typed lists have in common: objects that go in as values of one type, and come out.

use crate::convert::{Leaves, Unboxing, release_leaves};
use crate::lists::read_item;
use crate::typeof_::typeof_object;
use numbra_ir::lattice::{NoExt, is_stored_as};
use numbra_ir::{Type, Types};
use numbra_lir::Ty;
use numbra_lower::lowering::ItemLayout;
use numbra_runtime::Header;
use pyo3::prelude::*;
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
    let types = unboxing.types;
    let found = typeof_object(types, object)?;
    // A list or a set that a Python one stands for holds the same.
    let fits =
        |found: &Type| is_stored_as(types, &NoExt, *found, ty) || types.unreflected(*found) == ty;
    if found.as_ref().is_some_and(fits) && unboxing.value(ty, object)? {
        return Ok(());
    }
    let shown = match found {
        Some(found) => types.display(found).to_string(),
        None => object.get_type().to_string(),
    };
    let wanted = types.display(ty);
    let words = format!("cannot safely cast {shown} to {wanted}. Please cast explicitly.");
    Err(typing_error(object.py(), words))
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
