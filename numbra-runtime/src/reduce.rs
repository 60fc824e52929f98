//! Sums, products, counts and truth over arrays.

use crate::array::View;
use crate::elements::{Element, Kind, Wide, with_element};
use crate::pairwise::Sum;
use crate::strided::converted;
use crate::value::{Arg, Failure, Ret, bad_call};
use smallvec::smallvec;

/// `(array, none | int64 axis, none) -> scalar | array`
pub(crate) fn sum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let kind = ret.kind()?;
    match args[1].axis(array.shape.len())? {
        Some(axis) if ret.is_array() => sum_along(array, axis, kind, ret),
        _ => ret.scalar(total(array, kind)),
    }
}

/// The sum of all elements at type `kind`.
pub(crate) fn total(array: &View, kind: Kind) -> Wide {
    if array.kind != kind {
        if matches!(kind, Kind::Int64 | Kind::UInt64) && is_integer(array.kind) {
            return with_element!(array.kind, T => total_bits::<T>(array, kind));
        }
        let own = converted(&array.in_memory_order(), kind);
        return with_element!(kind, T => total_of::<T>(&own.view)).wide_at(kind);
    }
    with_element!(kind, T => total_of::<T>(array)).wide_at(kind)
}

/// A number and nothing more: keeps the arms of `with_element` of one type.
struct Total(Wide);

impl Total {
    fn wide_at(self, _kind: Kind) -> Wide {
        self.0
    }
}

fn is_integer(kind: Kind) -> bool {
    match kind {
        Kind::Bool
        | Kind::Int8
        | Kind::Int16
        | Kind::Int32
        | Kind::Int64
        | Kind::UInt8
        | Kind::UInt16
        | Kind::UInt32
        | Kind::UInt64 => true,
        Kind::Float16
        | Kind::Float32
        | Kind::Float64
        | Kind::Complex64
        | Kind::Complex128
        | Kind::Bytes(_) => false,
    }
}

/// Elements of NumPy's iteration buffer.
const BUFFER: usize = 8192;

/// Memory that is one run is summed as one; of other memory NumPy's buffered iteration copies as many whole rows as its
/// buffer holds and sums those as one run, and rows longer than that each by itself.
fn total_of<T: Sum>(array: &View) -> Total {
    let ordered = array.in_memory_order();
    let row = ordered.shape.last().copied().unwrap_or(1);
    let mut sum = T::default();
    if ordered.shape.len() < 2 || row > BUFFER || row == 0 {
        for_each_run(&ordered, |data, n, stride| {
            // SAFETY: a run of the array, whose elements are of type `T`.
            sum = unsafe { sum.plus_run(data, n, stride) };
        });
        return Total(sum.wide());
    }
    let rows = BUFFER / row * row;
    let mut buffer: Vec<T> = Vec::with_capacity(rows.min(ordered.len()));
    let mut left = ordered.len();
    for x in elements::<T>(&ordered) {
        buffer.push(x);
        left -= 1;
        if buffer.len() == rows || left == 0 {
            let step = size_of::<T>() as isize;
            // SAFETY: the elements of the buffer.
            sum = unsafe { sum.plus_run(buffer.as_ptr().cast(), buffer.len(), step) };
            buffer.clear();
        }
    }
    Total(sum.wide())
}

/// Integers of any width, added in 64 bits.
fn total_bits<T: Element>(array: &View, kind: Kind) -> Wide {
    let mut sum = 0_i64;
    for_each_run(&array.in_memory_order(), |data, n, stride| {
        for i in 0..n as isize {
            let at = data.wrapping_offset(i * stride).cast::<T>();
            // SAFETY: an element of the array, of type `T`.
            let x = unsafe { at.read_unaligned() };
            sum = sum.wrapping_add(i64::from_wide(x.wide()));
        }
    });
    match kind {
        Kind::UInt64 => Wide::UInt(sum as u64),
        _ => Wide::Int(sum),
    }
}

/// Calls `f` with start, length and step of each run along the last axis.
fn for_each_run(array: &View, mut f: impl FnMut(*const u8, usize, isize)) {
    let ([outer @ .., n], [steps @ .., stride]) = (&array.shape[..], &array.strides[..]) else {
        return f(array.data, 1, 0);
    };
    let (n, stride) = (*n, *stride);
    if outer.is_empty() {
        return f(array.data, n, stride);
    }
    for offset in crate::array::Offsets::new(outer, steps) {
        f(array.data.wrapping_offset(offset), n, stride);
    }
}

/// Sums along one axis. Pairwise where it is the axis of the smallest step, as NumPy's inner loop; else one by one.
fn sum_along(array: &View, axis: usize, kind: Kind, ret: Ret) -> Result<(), Failure> {
    let own;
    let array = if array.kind == kind {
        array
    } else {
        own = converted(array, kind);
        &own.view
    };
    let out = ret.new_array(&array.without(axis).shape)?;
    with_element!(kind, T => sum_axis::<T>(array, axis, &out));
    Ok(())
}

fn sum_axis<T: Sum>(array: &View, axis: usize, out: &View) {
    let rest = array.without(axis);
    let (n, mut step) = (array.shape[axis], array.strides[axis]);
    let mut first = 0;
    if step < 0 && n > 0 {
        // In the order of memory.
        first = step.wrapping_mul(n as isize - 1);
        step = -step;
    }
    let others = rest.shape.iter().zip(&rest.strides);
    let inner = others
        .filter(|(extent, _)| **extent > 1)
        .all(|(_, stride)| step <= stride.abs());
    if inner {
        for (to, from) in out.offsets().zip(rest.offsets()) {
            let data = array.data.wrapping_offset(from + first);
            // SAFETY: a run of the array along the axis.
            let sum = unsafe { T::default().plus_run(data, n, step) };
            // SAFETY: an element of the result.
            unsafe { out.write(to, sum) };
        }
        return;
    }
    for i in 0..n as isize {
        for (to, from) in out.offsets().zip(rest.offsets()) {
            // SAFETY: an element of the array.
            let x: T = unsafe { array.read(from + first + i * step) };
            // SAFETY: an element of the result.
            let sum: T = unsafe { out.read(to) };
            // SAFETY: an element of the result.
            unsafe { out.write(to, sum.add(x)) };
        }
    }
}

/// `(array) -> scalar`
pub(crate) fn prod(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let kind = ret.kind()?;
    let own = converted(&array.in_memory_order(), kind);
    ret.scalar(with_element!(kind, T => {
        let product = elements::<T>(&own.view).fold(T::one(), T::mul);
        product.wide()
    }))
}

/// `(array) -> bool`
pub(crate) fn any(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let found = with_element!(array.kind, T => elements::<T>(array).any(|x| !x.is_zero()));
    ret.bool(found)
}

/// `(array) -> bool`
pub(crate) fn all(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let none = with_element!(array.kind, T => elements::<T>(array).all(|x| !x.is_zero()));
    ret.bool(none)
}

/// `(array, none | int64 axis) -> int64 | array(int64)`
pub(crate) fn count_nonzero(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let count = |view: &View| {
        with_element!(view.kind, T => match view.as_slice::<T>() {
            Some(run) => run.iter().filter(|x| !x.is_zero()).count(),
            None => elements::<T>(view).filter(|x| !x.is_zero()).count(),
        }) as i64
    };
    match args[1].axis(array.shape.len())? {
        Some(axis) if ret.is_array() => {
            let rest = array.without(axis);
            let out = ret.new_array(&rest.shape)?;
            if out.kind != Kind::Int64 {
                return Err(bad_call());
            }
            for (to, from) in out.offsets().zip(rest.offsets()) {
                let line = line(array, axis, from);
                // SAFETY: an element of the result.
                unsafe { out.write(to, count(&line)) };
            }
            Ok(())
        }
        _ => ret.scalar(Wide::Int(count(array))),
    }
}

/// The elements along `axis` that start at a byte offset.
pub(crate) fn line(array: &View, axis: usize, from: isize) -> View {
    View {
        kind: array.kind,
        data: array.data.wrapping_offset(from),
        shape: smallvec![array.shape[axis]],
        strides: smallvec![array.strides[axis]],
    }
}

/// Elements in C order. The type must be that of the array.
pub(crate) fn elements<T: Element>(array: &View) -> impl Iterator<Item = T> + '_ {
    assert_eq!(T::KIND, array.kind, "elements of another type");
    array
        .offsets()
        // SAFETY: offsets of the array's own elements, whose type was checked.
        .map(|offset| unsafe { array.read::<T>(offset) })
}
