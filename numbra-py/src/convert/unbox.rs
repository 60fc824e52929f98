//! From Python objects to leaves, for what entry wrappers do not recognise inline.

use super::abi::{Leaves, Words, guarded_with_gil};
use super::text;
use crate::dispatcher::{self, FunctionRules};
use crate::lists::{self, Entered};
use crate::numpy::{self, ArrayObject};
use crate::polynomials;
use crate::session::{helper_types, type_of_code};
use crate::typeof_::{is_plain_tuple, typeof_memory, typeof_object};
use crate::types::{Edge, numpy_words, unbox_scalar};
use numbra_ir::lattice::can_convert_with;
use numbra_ir::{ArrayType, Flavor, Layout, Type, TypeKind, Types, with_kind};
use numbra_lower::lowering::{Owner, leaves as leaf_types, owner};
use numbra_runtime::{Header, object_header};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyTuple};
use smallvec::SmallVec;
use std::cell::Cell;
use std::ffi::c_int;

thread_local! {
    /// Set while a dispatcher calls an entry whose types the arguments only convert to.
    static LENIENT: Cell<bool> = const { Cell::new(false) };
    /// Why the last value that has the right type could not be unboxed.
    static UNBOX_ERROR: Cell<Option<UnboxError>> = const { Cell::new(None) };
}

/// Why an argument of its parameter's type cannot be unboxed.
pub(crate) struct UnboxError {
    pub(crate) error: PyErr,
    /// Where the argument was when the entry read it: tells it from others, and may be gone.
    pub(crate) argument: *mut PyObject,
}

/// Why an entry missed an argument of its parameter's type, if that is why it did.
pub(crate) fn take_unbox_error() -> Option<UnboxError> {
    UNBOX_ERROR.take()
}

/// Says whether `numbra_py_unbox` may convert arguments; what held before.
pub(crate) fn set_lenient(lenient: bool) -> bool {
    LENIENT.replace(lenient)
}

/// Runs `call` with argument conversion allowed in `numbra_py_unbox`.
pub(crate) fn leniently<R>(call: impl FnOnce() -> R) -> R {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            LENIENT.set(self.0);
        }
    }
    let _reset = Reset(LENIENT.replace(true));
    call()
}

/// What arguments of the call that is being entered may be.
fn accepted() -> Accept {
    if LENIENT.get() {
        Accept::Converted
    } else {
        Accept::Exactly
    }
}

/// Which objects become values of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Accept {
    /// Those that `typeof` gives the type.
    Exactly,
    /// And those whose type converts to it: arguments of declared signatures.
    Converted,
    /// Whatever Python takes for it: what the body of a `with objmode` statement leaves in a variable.
    Coerced,
}

/// Runs what a wrapper asks for one argument; an error is kept for the miss that follows.
///
/// # Safety
/// The GIL is held, `object` is alive.
pub(crate) unsafe fn for_argument<R>(
    object: *mut PyObject,
    failed: R,
    run: impl FnOnce(&Types, &Bound<'_, PyAny>) -> PyResult<R>,
) -> R {
    let run = |py: Python<'_>| {
        // SAFETY: by contract.
        let argument = unsafe { Bound::from_borrowed_ptr(py, object) };
        let done = run(&helper_types(), &argument);
        let failed = |error| {
            UNBOX_ERROR.set(Some(UnboxError {
                error,
                argument: object,
            }))
        };
        done.map_err(failed).ok()
    };
    // SAFETY: by contract.
    unsafe { guarded_with_gil(None, run) }.unwrap_or(failed)
}

/// `numbra_py_unbox(object, type, leaves) -> hit`: fills the leaves of `object` as `type`; 0 when it is not of that type.
/// Of what the object owns, the caller fills in the header.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `object` is alive, `block` has room for the type's leaves.
pub(crate) unsafe extern "C" fn numbra_py_unbox(
    object: *mut PyObject,
    code: u64,
    block: *mut Words,
) -> c_int {
    let run = |types: &Types, object: &Bound<'_, PyAny>| {
        let ty = type_of_code(code);
        // SAFETY: the wrapper sized the block for the leaves of this type.
        if unsafe { at_once(types, ty, object, block) } {
            return Ok(1);
        }
        Entered::scope(|entered| {
            let mut unboxing = Unboxing::new(types, accepted(), entered);
            unboxing.borrows = true;
            if !unboxing.value(ty, object)? {
                return Ok(0);
            }
            // SAFETY: the wrapper sized the block for the leaves of this type.
            unsafe { unboxing.hand_over(block) };
            Ok(1)
        })
    };
    // SAFETY: by contract.
    unsafe { for_argument(object, 0, run) }
}

/// True for a jitted function that has been a value of this type of functions before: it is of that, too.
fn is_known_function(types: &Types, ty: Type, object: &Bound<'_, PyAny>) -> bool {
    matches!(types.kind(ty), TypeKind::FunctionType { .. })
        && dispatcher::inner(object).is_ok_and(|d| d.known_value(ty).is_some())
}

/// Fills in the leaves of an object whose class alone says that it is of a type, the most common ones: no Python code runs,
/// nothing fails, nothing is owned.
///
/// # Safety
/// `block` has room for the type's leaves.
unsafe fn at_once(types: &Types, ty: Type, object: &Bound<'_, PyAny>, block: *mut Words) -> bool {
    let write = |leaves: &[Words]| {
        for (index, leaf) in leaves.iter().enumerate() {
            // SAFETY: by contract.
            unsafe { *block.add(index) = *leaf };
        }
    };
    match types.kind(ty) {
        TypeKind::Scalar(scalar, Flavor::Numpy) => match numpy_words(*scalar, object) {
            Some([Some(first), Some(second)]) => write(&[first, second]),
            Some([Some(only), None]) => write(&[only]),
            _ => return false,
        },
        TypeKind::Unicode => match object.cast_exact::<PyString>() {
            Ok(string) => write(&text::leaves(string)),
            Err(_) => return false,
        },
        _ => return false,
    }
    true
}

/// `numbra_py_unbox_value(object, type, part, leaves) -> owner`: as [`numbra_py_unbox`] for a type whose values own what
/// they point to, or a part of a polynomial. The result is the reference, which the caller owns; null for a miss.
///
/// # Safety
/// As for [`numbra_py_unbox`]; the block has room for the leaves of the part.
pub(crate) unsafe extern "C" fn numbra_py_unbox_value(
    object: *mut PyObject,
    code: u64,
    part: u64,
    block: *mut Words,
) -> *mut Header {
    let run = |types: &Types, object: &Bound<'_, PyAny>| {
        Entered::scope(|entered| {
            let mut unboxing = Unboxing::new(types, accepted(), entered);
            let ty = type_of_code(code);
            let hit = match types.kind(ty) {
                TypeKind::Polynomial(_) => unboxing.polynomial_part(ty, part as usize, object)?,
                _ => unboxing.value(ty, object)?,
            };
            let [at] = unboxing.owned[..] else {
                return Ok(std::ptr::null_mut());
            };
            if !hit {
                return Ok(std::ptr::null_mut());
            }
            let header = unboxing.words[at][0] as *mut Header;
            // SAFETY: the wrapper sized the block for these leaves.
            unsafe { unboxing.hand_over(block) };
            Ok(header)
        })
    };
    // SAFETY: by contract.
    unsafe { for_argument(object, std::ptr::null_mut(), run) }
}

/// `numbra_py_unbox_owned(object, type, leaves) -> i32`: as [`numbra_py_unbox`] for a type of Python code, whose references
/// the block owns afterwards; 0 for a miss.
///
/// # Safety
/// As for [`numbra_py_unbox`].
pub(crate) unsafe extern "C" fn numbra_py_unbox_owned(
    object: *mut PyObject,
    code: u64,
    block: *mut Words,
) -> i32 {
    let run = |types: &Types, object: &Bound<'_, PyAny>| {
        Entered::scope(|entered| {
            let mut unboxing = Unboxing::new(types, accepted(), entered);
            if !unboxing.value(type_of_code(code), object)? {
                return Ok(0);
            }
            // SAFETY: the wrapper sized the block for these leaves.
            unsafe { unboxing.hand_over(block) };
            Ok(1)
        })
    };
    // SAFETY: by contract.
    unsafe { for_argument(object, 0, run) }
}

/// Why an object that must be of a type is none: it says so of itself, and is not.
pub(crate) fn disagreement(types: &Types, ty: Type, object: &Bound<'_, PyAny>) -> Option<PyErr> {
    let mut entered = Entered::detached();
    let mut unboxing = Unboxing::new(types, accepted(), &mut entered);
    match unboxing.value(ty, object) {
        Ok(true) => None,
        Ok(false) => Some(PyTypeError::new_err(format!(
            "{} says that its type is {}, and cannot be read as one",
            object.get_type(),
            types.display(ty)
        ))),
        Err(error) => Some(error),
    }
}

/// The leaves of an object as far as they are made. References that it owns go with it unless they are handed over, so
/// that a conversion that fails at any place leaves nothing behind.
pub(crate) struct Unboxing<'a> {
    pub(crate) types: &'a Types,
    accept: Accept,
    /// Headers that name the object are left out: see [`Owner::Object`].
    borrows: bool,
    /// The lists and sets that this call knows.
    entered: &'a mut Entered,
    words: Leaves,
    /// Leaves that own a reference, by position.
    owned: SmallVec<[usize; 4]>,
}

impl Drop for Unboxing<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}

impl<'a> Unboxing<'a> {
    /// No leaves yet.
    pub(crate) fn new(types: &'a Types, accept: Accept, entered: &'a mut Entered) -> Self {
        Unboxing {
            types,
            accept,
            borrows: false,
            entered,
            words: Leaves::new(),
            owned: SmallVec::new(),
        }
    }

    /// Gives everything up.
    pub(crate) fn clear(&mut self) {
        for at in std::mem::take(&mut self.owned) {
            // SAFETY: the leaf is alive, and this owns a reference to it.
            unsafe { numbra_runtime::release(self.words[at][0] as *mut Header) };
        }
        self.words.clear();
    }

    /// Writes the leaves, whose references belong to the receiver from now on.
    ///
    /// # Safety
    /// `block` has room for them.
    unsafe fn hand_over(&mut self, block: *mut Words) {
        self.owned.clear();
        for (index, leaf) in self.words.iter().enumerate() {
            // SAFETY: by contract.
            unsafe { *block.add(index) = *leaf };
        }
    }

    /// Hands the leaves to `take`, to which their references belong from then on; none are left.
    pub(crate) fn hand_to<R>(&mut self, take: impl FnOnce(&[Words]) -> R) -> R {
        self.owned.clear();
        let taken = take(&self.words);
        self.words.clear();
        taken
    }

    /// Appends the leaves of `object` as `ty`; false when it is not of that type.
    pub(crate) fn value(&mut self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let hit = match owner(self.types, ty) {
            Some(Owner::Optional(inner)) => {
                self.words.push([u64::from(!object.is_none()), 0]);
                match object.is_none() {
                    true => return self.nothing(inner).map(|()| true),
                    false => return self.value(inner, object),
                }
            }
            Some(Owner::Parts(parts)) if self.types.tuple_items(ty).is_some() => {
                return self.tuple(ty, &parts, object);
            }
            Some(Owner::Parts(_)) if matches!(self.types.kind(ty), TypeKind::Ext { .. }) => {
                self.recorded(ty, object)?
            }
            Some(Owner::Parts(parts)) => self.parts(ty, &parts, object)?,
            Some(Owner::Object { leaf }) => self.memory(ty, leaf, object)?,
            Some(Owner::Value { leaf }) => self.made(ty, leaf, object)?,
            Some(Owner::Both) => self.shared(ty, object)?,
            Some(Owner::Nobody) => self.plain(ty, object)?,
            None => false,
        };
        if !hit && self.accept == Accept::Coerced {
            return Err(self.refuse(ty, object));
        }
        Ok(hit)
    }

    /// What an `unbox` of Python's makes of the object.
    fn recorded(&mut self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        if self.found(ty, object)? != Some(ty) {
            return Ok(false);
        }
        let start = self.words.len();
        if !crate::recorded::unbox(ty, object, &mut self.words)? {
            return Ok(false);
        }
        let shape = leaf_types(self.types, ty).map_err(PyTypeError::new_err)?;
        for (leaf, _) in shape
            .iter()
            .enumerate()
            .filter(|(_, leaf)| **leaf == numbra_lir::Ty::Ref)
        {
            let header = self.words[start + leaf][0] as *mut Header;
            if !header.is_null() {
                self.own(start, leaf, header)?;
            }
        }
        Ok(true)
    }

    /// Zero bits for a value that nobody reads.
    pub(crate) fn nothing(&mut self, ty: Type) -> PyResult<()> {
        let shape = leaf_types(self.types, ty).map_err(PyTypeError::new_err)?;
        self.words.extend(shape.iter().map(|_| [0, 0]));
        Ok(())
    }

    /// The table of the types.
    pub(crate) fn types(&self) -> &'a Types {
        self.types
    }

    /// The leaves so far.
    pub(crate) fn words(&mut self) -> &mut Leaves {
        &mut self.words
    }

    /// The list or set of an object: see [`lists::native_container`].
    pub(crate) fn container(
        &mut self,
        ty: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Option<*mut Header>> {
        let made = lists::native_container(self.types, ty, object, self.entered)?;
        if made.is_some() {
            self.words.push([0, 0]);
        }
        Ok(made)
    }

    /// A leaf.
    pub(crate) fn number(&mut self, word: u64) {
        self.words.push([word, 0]);
    }

    /// The type of an object, if that or what converts to `ty` was asked for.
    pub(crate) fn found(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
        let found = typeof_object(self.types, object)?;
        Ok(found.filter(|found| {
            *found == ty
                || is_known_function(self.types, ty, object)
                || (self.accept != Accept::Exactly
                    && can_convert_with(self.types, &FunctionRules, *found, ty).is_some())
        }))
    }

    /// The leaf at a position behind `start` owns a reference.
    fn own(&mut self, start: usize, leaf: usize, header: *mut Header) -> PyResult<()> {
        if header.is_null() {
            return Err(PyMemoryError::new_err("out of memory"));
        }
        self.words[start + leaf] = [header as u64, 0];
        self.owned.push(start + leaf);
        Ok(())
    }

    fn tuple(&mut self, ty: Type, items: &[Type], object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let coerces = self.accept == Accept::Coerced;
        let Ok(tuple) = object.cast::<PyTuple>() else {
            return if coerces {
                Err(self.refuse(ty, object))
            } else {
                Ok(false)
            };
        };
        if coerces && tuple.len() != items.len() {
            return Err(PyValueError::new_err(format!(
                "size mismatch for tuple, expected {} element(s) but got {}",
                items.len(),
                tuple.len()
            )));
        }
        let fits = coerces
            || match self.types.kind(ty) {
                TypeKind::NamedTuple(..) => typeof_object(self.types, object)? == Some(ty),
                _ => tuple.len() == items.len() && is_plain_tuple(object)?,
            };
        if !fits {
            return Ok(false);
        }
        for (item, element) in items.iter().zip(tuple.iter()) {
            if !self.value(*item, &element)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The member of an enumeration, or a polynomial.
    fn parts(&mut self, ty: Type, parts: &[Type], object: &Bound<'_, PyAny>) -> PyResult<bool> {
        if self.found(ty, object)?.is_none() {
            return Ok(false);
        }
        if matches!(self.types.kind(ty), TypeKind::Polynomial(_)) {
            for part in 0..parts.len() {
                if !self.polynomial_part(ty, part, object)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if crate::enums::typeof_member(self.types, object)?.is_none() {
            return Ok(false);
        }
        self.value(parts[0], &object.getattr("value")?)
    }

    /// One of the arrays of a polynomial. They may have been replaced since its type was found.
    fn polynomial_part(
        &mut self,
        ty: Type,
        part: usize,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        match (self.types.kind(ty), polynomials::part(object, part)?) {
            (TypeKind::Polynomial(parts), Some(array)) => {
                let part = parts[part];
                self.value(part, &array)
            }
            _ => Ok(false),
        }
    }

    /// What lies in memory of the object: its class decides, whatever the object says of itself.
    fn memory(&mut self, ty: Type, leaf: usize, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let start = self.words.len();
        if let Some(wanted) = self.types.as_array(ty) {
            if !self.array(ty, wanted, object)? {
                return Ok(false);
            }
        } else {
            let Some(found) = self.found(ty, object)? else {
                return Ok(false);
            };
            let read = with_kind!(self.types.kind(ty), kind => kind.memory(self, found, object))?;
            if !read {
                return Ok(false);
            }
        }
        if !self.borrows {
            let data = self.words[start][0] as *mut u8;
            self.own(start, leaf, object_header(data, object.as_ptr().cast()))?;
        }
        Ok(true)
    }

    fn array(&mut self, ty: Type, wanted: ArrayType, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let found = typeof_memory(self.types, object);
        let is_plain =
            numpy::loaded(object.py())?.is_some_and(|api| object.get_type_ptr() == api.array_type);
        let fits = match (found, self.accept) {
            (Some(found), Accept::Coerced) => is_such(wanted, found, object, false),
            (None, Accept::Coerced) => false,
            (Some(found), Accept::Exactly) if is_plain => found == wanted,
            // A subclass, or what claims to be one, has the type that it says; its memory must agree.
            (Some(found), _) => {
                self.found(ty, object)?.is_some() && is_such(wanted, found, object, true)
            }
            (None, _) => return Ok(false),
        };
        if !fits && self.accept == Accept::Coerced {
            // Numba's words.
            return Err(PyTypeError::new_err(
                "can't unbox array from PyObject into native value.  The object maybe of a different type",
            ));
        }
        if fits {
            // SAFETY: only an `ndarray` has a type by its memory.
            unsafe { array_leaves(object.as_ptr().cast(), &mut self.words) };
        }
        Ok(fits)
    }

    /// What is made of the object.
    fn made(&mut self, ty: Type, leaf: usize, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let start = self.words.len();
        let header = with_kind!(self.types.kind(ty), kind => kind.make(self, ty, object))?;
        match header {
            Some(header) => self.own(start, leaf, header).map(|()| true),
            None => Ok(false),
        }
    }

    /// What the object shares with others.
    fn shared(&mut self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Some(frame) = with_kind!(self.types.kind(ty), kind => kind.shared(ty, object))? else {
            return Ok(false);
        };
        let start = self.words.len();
        self.words.push([frame as u64, 0]);
        if !self.borrows {
            // SAFETY: the object has a reference to it.
            unsafe { numbra_runtime::retain(frame) };
            self.own(start, 0, frame)?;
        }
        Ok(true)
    }

    /// What points to nothing.
    fn plain(&mut self, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        match (self.types.kind(ty), self.accept) {
            (TypeKind::Literal(value), _) => {
                // Nothing to pass: the entry is for this value only.
                return Ok(crate::typeof_::constant_of(object).as_ref() == Some(value));
            }
            (TypeKind::None, Accept::Coerced) => return Ok(true),
            (TypeKind::Scalar(scalar, _), Accept::Coerced) => {
                return unbox_scalar(*scalar, object, &mut self.words).map(|()| true);
            }
            _ => {}
        }
        let Some(found) = self.found(ty, object)? else {
            return Ok(false);
        };
        with_kind!(self.types.kind(ty), kind => kind.plain(self, found, object))
    }

    fn refuse(&self, ty: Type, object: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!(
            "can't unbox a {} as a {}",
            object.get_type(),
            self.types.display(ty)
        ))
    }
}

/// True if the memory of an `ndarray`, of type `found`, may be read as an array of type `wanted`, and written where that
/// counts and the type says so.
fn is_such(
    wanted: ArrayType,
    found: ArrayType,
    array: &Bound<'_, PyAny>,
    writing_counts: bool,
) -> bool {
    // SAFETY: the caller found the type of an `ndarray`, which is alive under the GIL.
    let flags = unsafe { (*array.as_ptr().cast::<ArrayObject>()).flags };
    let in_order = match wanted.layout {
        Layout::A => true,
        Layout::C => flags & crate::layout::NPY_C_CONTIGUOUS != 0,
        Layout::F => flags & crate::layout::NPY_F_CONTIGUOUS != 0,
    };
    wanted.ndim == found.ndim
        && wanted.dtype == found.dtype
        && in_order
        && (found.aligned || !wanted.aligned)
        && (found.mutable || !wanted.mutable || !writing_counts)
}

/// Leaves of an array but the owner, whose place is filled with zero.
///
/// # Safety
/// `array` is an `ndarray`, alive under the GIL.
pub(crate) unsafe fn array_leaves(array: *const ArrayObject, out: &mut Leaves) {
    // SAFETY: by contract.
    let array = unsafe { &*array };
    let ndim = usize::try_from(array.nd).unwrap_or(0);
    out.push([array.data as u64, 0]);
    out.push([0, 0]);
    for axis in 0..ndim {
        // SAFETY: an array has `nd` dimensions and strides.
        out.push([unsafe { *array.dimensions.add(axis) } as u64, 0]);
    }
    for axis in 0..ndim {
        // SAFETY: as above.
        out.push([unsafe { *array.strides.add(axis) } as u64, 0]);
    }
}
