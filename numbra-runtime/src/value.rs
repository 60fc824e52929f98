//! Arguments and results of native bodies: the convention is documented in `numbra_library::native`.

use crate::array::{View, c_strides};
use crate::elements::{Element, Kind, Wide, with_element};
use crate::error::raise;
use crate::object::{self, Header};
use numbra_abi::{ArrayLayout, status};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `struct numbra_value`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawValue {
    pub(crate) kind: u64,
    pub(crate) data: *mut u8,
}

/// An argument.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    /// `None`, a dtype.
    Nothing,
    Scalar(Wide),
    Array(View),
    Tuple(Vec<Arg>),
}

/// Where the result goes.
#[derive(Clone, Copy)]
pub(crate) struct Ret {
    raw: RawValue,
}

/// Why a native body raises: class and message.
pub(crate) type Failure = (&'static str, &'static str);

const VALUE_ERROR: &str = "builtins.ValueError";

pub(crate) fn value_error(message: &'static str) -> Failure {
    (VALUE_ERROR, message)
}

/// What only a caller with the wrong signature meets.
pub(crate) fn bad_call() -> Failure {
    ("builtins.SystemError", "bad arguments of a native function")
}

pub(crate) fn no_memory() -> Failure {
    ("builtins.MemoryError", "Allocation failed")
}

/// Runs a native body: arguments decoded, a failure or panic made the pending exception.
///
/// # Safety
/// `args` points to `count` values and `ret` to one, as the convention says.
pub(crate) unsafe fn enter(
    args: *const RawValue,
    count: usize,
    ret: *const RawValue,
    body: fn(&[Arg], Ret) -> Result<(), Failure>,
) -> i32 {
    let mut decoded = Vec::with_capacity(count);
    for index in 0..count {
        // SAFETY: the caller passes `count` values.
        let raw = unsafe { args.add(index).read() };
        // SAFETY: the value is one of the convention.
        decoded.push(unsafe { decode(raw) });
    }
    // SAFETY: the caller passes a result.
    let raw = unsafe { ret.read() };
    let ret = Ret { raw };
    let result = catch_unwind(AssertUnwindSafe(|| body(&decoded, ret)));
    match result {
        Ok(Ok(())) => status::OK,
        Ok(Err((class, message))) => {
            raise(class, message);
            status::RAISED
        }
        Err(_) => {
            raise("builtins.SystemError", "a native function failed");
            status::RAISED
        }
    }
}

/// # Safety
/// `raw.data` points to what `raw.kind` says.
unsafe fn decode(raw: RawValue) -> Arg {
    match raw.kind & 0xff {
        1 => match element(raw.kind) {
            // SAFETY: a scalar's data is its memory form.
            Some(kind) => Arg::Scalar(with_element!(kind, T => unsafe {
                raw.data.cast::<T>().read_unaligned()
            }
            .wide())),
            None => Arg::Nothing,
        },
        2 => match element(raw.kind) {
            // SAFETY: an array's data is its leaves.
            Some(kind) => Arg::Array(unsafe { decode_array(raw, kind) }),
            None => Arg::Nothing,
        },
        3 => {
            let len = (raw.kind >> 32) as usize;
            let items = (0..len).map(|index| {
                // SAFETY: a tuple's data is an array of that many values.
                let item = unsafe { raw.data.cast::<RawValue>().add(index).read() };
                // SAFETY: items are values of the convention.
                unsafe { decode(item) }
            });
            Arg::Tuple(items.collect())
        }
        _ => Arg::Nothing,
    }
}

fn element(kind: u64) -> Option<Kind> {
    Kind::ALL.get((kind >> 8 & 0xff) as usize).copied()
}

fn rank(kind: u64) -> usize {
    (kind >> 16 & 0xff) as usize
}

/// # Safety
/// `raw.data` points to the leaves of an array.
unsafe fn decode_array(raw: RawValue, kind: Kind) -> View {
    let ndim = rank(raw.kind);
    let layout = ArrayLayout { ndim: ndim as u32 };
    let word = |leaf: usize| {
        // SAFETY: `leaf` is below the number of leaves of the array.
        unsafe { raw.data.cast::<u64>().add(leaf).read_unaligned() }
    };
    let axes = 0..ndim as u32;
    View {
        kind,
        data: std::ptr::with_exposed_provenance_mut(word(ArrayLayout::DATA) as usize),
        shape: axes
            .clone()
            .map(|a| usize::try_from(word(layout.shape(a)) as i64).unwrap_or(0))
            .collect(),
        strides: axes.map(|a| word(layout.stride(a)) as isize).collect(),
    }
}

impl Arg {
    pub(crate) fn array(&self) -> Result<&View, Failure> {
        match self {
            Arg::Array(view) => Ok(view),
            Arg::Nothing | Arg::Scalar(_) | Arg::Tuple(_) => Err(bad_call()),
        }
    }

    /// An axis: `None`, or one that counts from the end when negative; out of range is a ValueError with `message`.
    pub(crate) fn axis(
        &self,
        ndim: usize,
        message: &'static str,
    ) -> Result<Option<usize>, Failure> {
        let axis = match self {
            Arg::Nothing => return Ok(None),
            Arg::Scalar(Wide::Int(axis)) => *axis,
            Arg::Scalar(Wide::UInt(axis)) => i64::try_from(*axis).unwrap_or(i64::MAX),
            Arg::Scalar(_) | Arg::Array(_) | Arg::Tuple(_) => return Err(bad_call()),
        };
        let ndim = ndim as i64;
        let from_start = if axis < 0 {
            axis.wrapping_add(ndim)
        } else {
            axis
        };
        if (0..ndim).contains(&from_start) {
            Ok(Some(from_start as usize))
        } else {
            Err(value_error(message))
        }
    }
}

impl Ret {
    /// Element type of the result.
    pub(crate) fn kind(self) -> Result<Kind, Failure> {
        element(self.raw.kind).ok_or_else(bad_call)
    }

    pub(crate) fn is_array(self) -> bool {
        self.raw.kind & 0xff == 2
    }

    /// Writes a scalar result, converted to its type.
    pub(crate) fn scalar(self, value: Wide) -> Result<(), Failure> {
        if self.raw.kind & 0xff != 1 {
            return Err(bad_call());
        }
        with_element!(self.kind()?, T => {
            let value = T::from_wide(value);
            // SAFETY: a scalar result has room for its memory form.
            unsafe { self.raw.data.cast::<T>().write_unaligned(value) };
        });
        Ok(())
    }

    /// Writes a truth value.
    pub(crate) fn bool(self, value: bool) -> Result<(), Failure> {
        self.scalar(Wide::Int(value.into()))
    }

    /// A new zeroed array of the result's element type and this shape, in C or Fortran order; it is the result.
    pub(crate) fn new_array(self, shape: &[usize]) -> Result<View, Failure> {
        let kind = self.kind()?;
        if !self.is_array() || rank(self.raw.kind) != shape.len() {
            return Err(bad_call());
        }
        let fortran = self.raw.kind >> 24 & 0xff == 1;
        let count = shape.iter().try_fold(kind.size(), |n, &m| n.checked_mul(m));
        let bytes = count.and_then(|n| i64::try_from(n).ok());
        let owner = object::numbra_rt_alloc_zeroed(bytes.ok_or_else(no_memory)?, 64);
        if owner.is_null() {
            return Err(no_memory());
        }
        let view = View {
            kind,
            data: object::data_of(owner),
            shape: shape.to_vec(),
            strides: c_strides(shape, kind.size(), fortran),
        };
        self.write_leaves(&view, owner);
        Ok(view)
    }

    fn write_leaves(self, view: &View, owner: *mut Header) {
        let layout = ArrayLayout {
            ndim: view.shape.len() as u32,
        };
        let put = |leaf: usize, word: u64| {
            // SAFETY: an array result has room for its leaves, and `leaf` is one of them.
            unsafe { self.raw.data.cast::<u64>().add(leaf).write_unaligned(word) };
        };
        put(ArrayLayout::DATA, view.data.expose_provenance() as u64);
        put(ArrayLayout::OWNER, owner.expose_provenance() as u64);
        for (axis, (&extent, &stride)) in view.shape.iter().zip(&view.strides).enumerate() {
            put(layout.shape(axis as u32), extent as u64);
            put(layout.stride(axis as u32), stride as u64);
        }
    }
}
