//! Reductions of arrays with one axis, which is what most calls are: straight from the caller's values, without decoding
//! them.
//!
//! Each says whether the call was one of these; if not, nothing has happened.

use crate::elements::{Bool, Element};
use crate::extremes::{self, End};
use crate::moments::spread;
use crate::pairwise::{Sum, pairwise_in};
use crate::parallel::Threads;
use crate::reduce;
use crate::value::RawValue;
use numbra_abi::ArrayLayout;
use numbra_abi::Tag;
use numbra_linalg::Number;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Longer runs with gaps are left to the decoded way, which costs little beside them.
const MOST_GATHERED: usize = 256;

/// What `reduce` makes of the elements of an array with one axis, if it has any; `None` for all other values.
///
/// # Safety
/// `raw` is a value of the convention.
unsafe fn on_line<T: Element, R>(raw: &RawValue, reduce: impl FnOnce(&[T]) -> R) -> Option<R> {
    if raw.array_rank() != Some(1) || raw.element() != Some(T::KIND) {
        return None;
    }
    let layout = ArrayLayout { ndim: 1 };
    let word = |leaf: usize| {
        // SAFETY: an array's data are its leaves.
        unsafe { raw.data.cast::<u64>().add(leaf).read_unaligned() }
    };
    let data: *const T = std::ptr::with_exposed_provenance(word(ArrayLayout::DATA) as usize);
    let n = usize::try_from(word(layout.shape(0)) as i64).ok()?;
    let step = word(layout.stride(0)) as isize;
    if n == 0 {
        return None;
    }
    if step == size_of::<T>() as isize && data.is_aligned() {
        // SAFETY: so many elements of this type are there, aligned.
        return Some(reduce(unsafe { std::slice::from_raw_parts(data, n) }));
    }
    if n > MOST_GATHERED {
        return None;
    }
    let mut gathered = [const { MaybeUninit::<T>::uninit() }; MOST_GATHERED];
    for (i, place) in gathered.iter_mut().enumerate().take(n) {
        let at = data.wrapping_byte_offset(step.wrapping_mul(i as isize));
        // SAFETY: element `i` of the array.
        place.write(unsafe { at.read_unaligned() });
    }
    // SAFETY: the first `n` have been written.
    Some(reduce(unsafe {
        std::slice::from_raw_parts(gathered.as_ptr().cast(), n)
    }))
}

/// Writes a scalar result of the elements' type.
///
/// # Safety
/// `ret` is a result of the convention.
unsafe fn give<T: Element>(ret: &RawValue, value: Option<T>) -> bool {
    if ret.kind.tag() != Some(Tag::Scalar) || ret.element() != Some(T::KIND) {
        return false;
    }
    let Some(value) = value else {
        return false;
    };
    // SAFETY: a scalar result has room for its memory form.
    unsafe { ret.data.cast::<T>().write_unaligned(value) };
    true
}

/// True if the argument is left out.
///
/// # Safety
/// `args` has more than `n` values.
unsafe fn is_nothing(args: *const RawValue, n: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { (*args.add(n)).kind }.tag() == Some(Tag::Nothing)
}

/// One reduction over lines of any of these types.
macro_rules! over {
    ($name:ident, [$($float:ty),*], $run:ident, $threads:ident => $value:expr) => {
        /// # Safety
        /// `args` and `ret` are those of a call with one argument at least.
        pub(crate) unsafe fn $name(args: *const RawValue, ret: &RawValue) -> bool {
            let $threads = ret.threads();
            // SAFETY: the call has one argument at least, and the values are those of the convention.
            unsafe {
                match ret.element() {
                    $(Some(<$float as Element>::KIND) => {
                        let found = on_line::<$float, _>(&*args, |$run| $value);
                        give::<$float>(ret, found)
                    })*
                    _ => false,
                }
            }
        }
    };
}

over!(total, [f64, f32, i64], run, threads => total_of(run, threads));
over!(min, [f64, f32, i64, i32], run, threads => extremes::of_run_in(threads, run, End::Least).unwrap_or_default());
over!(max, [f64, f32, i64, i32], run, threads => extremes::of_run_in(threads, run, End::Greatest).unwrap_or_default());
over!(prod, [f64, i64], run, threads => reduce::product_of(run, threads));
over!(mean, [f64], run, threads => (0.0 + pairwise_in(threads, run, |x| x)) / run.len() as f64);
over!(var, [f64], run, threads => spread(run, threads));
over!(std, [f64], run, threads => spread(run, threads).sqrt());

fn total_of<T: Sum>(run: &[T], threads: Threads) -> T {
    let step = size_of::<T>() as isize;
    // SAFETY: the run.
    T::default().plus(unsafe { T::run_in(threads, run.as_ptr().cast(), run.len(), step) })
}

macro_rules! sums {
    ($($float:ident $symbol:ident;)*) => {
        $(
            /// The sum of floats that are `step` bytes apart, in one thread.
            ///
            /// # Safety
            /// `n` of them are at `data`; they need not be aligned.
            pub(crate) unsafe extern "C" fn $symbol(data: *const u8, n: i64, step: i64) -> $float {
                // SAFETY: the caller's promise is the same.
                unsafe { <$float>::default().plus_run(data, n as usize, step as isize) }
            }
        )*
    };
}

sums! {
    f32 numbra_rt_line_sum_f32;
    f64 numbra_rt_line_sum_f64;
}

/// `sum` without axis and dtype.
///
/// # Safety
/// `args` and `ret` are those of a call with three arguments.
pub(crate) unsafe fn sum(args: *const RawValue, ret: &RawValue) -> bool {
    // SAFETY: the caller's promise.
    unsafe { is_nothing(args, 1) && is_nothing(args, 2) && total(args, ret) }
}

/// A reduction of lines of any of these types to a number of another.
macro_rules! to {
    ($name:ident, $result:ty, [$($element:ty),*], $run:ident, $threads:ident => $value:expr) => {
        /// # Safety
        /// `args` and `ret` are those of a call with one argument at least.
        pub(crate) unsafe fn $name(args: *const RawValue, ret: &RawValue) -> bool {
            let $threads = ret.threads();
            // SAFETY: the call has one argument at least, and the values are those of the convention.
            unsafe {
                match (*args).element() {
                    $(Some(<$element as Element>::KIND) => {
                        let found = on_line::<$element, _>(&*args, |$run| $value);
                        give::<$result>(ret, found)
                    })*
                    _ => false,
                }
            }
        }
    };
}

to!(any, Bool, [Bool, f64, f32, i64, i32], run, threads => Bool(reduce::is_any(threads, run, |x| !x.is_zero()).into()));
to!(all, Bool, [Bool, f64, f32, i64, i32], run, threads => Bool((!reduce::is_any(threads, run, |x| x.is_zero())).into()));
to!(first_least, i64, [f64, f32, i64, i32], run, threads => extremes::position_in(threads, run, End::Least));
to!(first_greatest, i64, [f64, f32, i64, i32], run, threads => extremes::position_in(threads, run, End::Greatest));

/// `argmin` without axis.
///
/// # Safety
/// `args` and `ret` are those of a call with two arguments.
pub(crate) unsafe fn argmin(args: *const RawValue, ret: &RawValue) -> bool {
    // SAFETY: the caller's promise.
    unsafe { is_nothing(args, 1) && first_least(args, ret) }
}

/// `argmax` without axis.
///
/// # Safety
/// `args` and `ret` are those of a call with two arguments.
pub(crate) unsafe fn argmax(args: *const RawValue, ret: &RawValue) -> bool {
    // SAFETY: the caller's promise.
    unsafe { is_nothing(args, 1) && first_greatest(args, ret) }
}

/// `dot` of two vectors of one length.
///
/// # Safety
/// `args` and `ret` are those of a call with two arguments.
pub(crate) unsafe fn dot(args: *const RawValue, ret: &RawValue) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let product = on_line::<f64, _>(&*args, |x| {
            on_line::<f64, _>(&*args.add(1), |y| {
                (x.len() == y.len()).then(|| inner_of(ret.threads(), x, y))
            })
        });
        give(ret, product.flatten().flatten())
    }
}

/// The inner product of vectors of one length.
fn inner_of(threads: Threads, x: &[f64], y: &[f64]) -> f64 {
    let inner = |part: Range<usize>| f64::inner(&x[part.clone()], &y[part], false);
    threads.joined(x.len(), inner, |a, b| a + b)
}
