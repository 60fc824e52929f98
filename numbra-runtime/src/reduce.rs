//! Sums, products, counts and truth over arrays.

use crate::array::{Axes, View};
use crate::elements::{Bool, Element, Kind, Wide, with_element};
use crate::lines;
use crate::pairwise::Sum;
use crate::parallel::{Parts, Threads};
use crate::simd::widest;
use crate::strided::{converted, converted_in};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{Gather, Grow, room};
use smallvec::smallvec;
use std::sync::atomic::{AtomicBool, Ordering};

bodies! {
    all = all, 1, lines::all;
    any = any, 1, lines::any;
    count_nonzero = count_nonzero, 2;
    prod = prod, 1, lines::prod;
    sum = sum, 3, lines::sum;
}

/// `(array, none | int64 axis, none) -> scalar | array`: Sum at the result's element type, over all elements, along the
/// axis (negative counts from the end) or along the axes of a tuple. Integers wrap. Floats and complex are added in NumPy's
/// order: axes are taken by descending stride and joined where contiguous; each innermost run over a reduced axis is summed
/// pairwise (fewer than 8 items one by one, up to 128 in 8 running sums combined as ((0+1)+(2+3))+((4+5)+(6+7)), more by
/// halves cut to a multiple of 8; complex counts parts), and the runs are added one after another. An axis that is not
/// innermost is added row by row. Axis out of range: AxisError "axis 2 is out of bounds for array of dimension 2".
fn sum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let kind = ret.kind()?;
    let axes = match &args[1] {
        Arg::Tuple(items) => axes_of(items, array.ndim())?,
        one => axes_of(std::slice::from_ref(one), array.ndim())?,
    };
    match ret.is_array() {
        true => sum_along(array, &axes, kind, ret),
        false => ret.scalar(total(array, kind, ret.threads())),
    }
}

/// Axes by number, each once; none of `None`.
fn axes_of(items: &[Arg], ndim: usize) -> Result<Axes<usize>, Failure> {
    let mut axes = Axes::new();
    for item in items {
        let Some(axis) = item.axis(ndim)? else {
            continue;
        };
        if axes.contains(&axis) {
            return Err(value_error("duplicate value in 'axis'"));
        }
        axes.push(axis);
    }
    Ok(axes)
}

/// The sum of all elements at type `kind`.
pub(crate) fn total(array: &View, kind: Kind, threads: Threads) -> Wide {
    if array.kind != kind {
        if (array.kind, kind) == (Kind::Bool, Kind::Int64) {
            return Wide::Int(by_rows(threads, array, nonzeros).into_iter().sum());
        }
        if matches!(kind, Kind::Int64 | Kind::UInt64) && is_integer(array.kind) {
            return with_element!(array.kind, T => total_bits::<T>(array, kind, threads));
        }
        let own = converted_in(threads, &array.in_memory_order(), kind);
        return with_element!(kind, T => total_of::<T>(&own.view, threads)).wide_at(kind);
    }
    with_element!(kind, T => total_of::<T>(array, threads)).wide_at(kind)
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
        | Kind::Time
        | Kind::Bytes(_) => false,
    }
}

/// Elements of NumPy's iteration buffer.
const BUFFER: usize = 8192;

/// Memory that is one run is summed as one; of other memory NumPy's buffered iteration copies as many whole rows as its
/// buffer holds and sums those as one run, and rows longer than that each by itself.
fn total_of<T: Sum>(array: &View, threads: Threads) -> Total {
    let ordered = array.in_memory_order();
    let row = ordered.shape.last().copied().unwrap_or(1);
    let mut sum = T::default();
    if ordered.shape.len() < 2 || row > BUFFER || row == 0 {
        for_each_run(&ordered, |data, n, stride| {
            // SAFETY: a run of the array, whose elements are of type `T`.
            sum = sum.plus(unsafe { T::run_in(threads, data, n, stride) });
        });
        return Total(sum.wide());
    }
    let lines = BUFFER / row;
    let buffers = ordered.len().div_ceil(lines * row);
    let last = ordered.shape.len() == 2;
    if threads == Threads::Many && last {
        let sums = threads.parts(ordered.len(), |part| {
            let (from, to) = (
                part.start.div_ceil(lines * row),
                part.end.div_ceil(lines * row),
            );
            (from..to.min(buffers))
                .map(|buffer| {
                    let first = buffer * lines;
                    let count = lines.min(ordered.shape[0] - first);
                    let mut runs = Vec::new();
                    sum_buffers::<T>(&ordered.part(0, first, count), count * row, |run| {
                        runs.put(run)
                    });
                    runs
                })
                .gathered()
        });
        for run in sums.into_iter().flatten().flatten() {
            sum = sum.plus(run);
        }
        return Total(sum.wide());
    }
    sum_buffers::<T>(&ordered, lines * row, |run| sum = sum.plus(run));
    Total(sum.wide())
}

/// Copies elements into a buffer of `size` of them, which are whole rows, and gives the sum of each.
fn sum_buffers<T: Sum>(ordered: &View, size: usize, mut give: impl FnMut(T::Run)) {
    let step = size_of::<T>() as isize;
    let mut buffer: Vec<T> = room(size.min(ordered.len()));
    let mut left = ordered.len();
    for_each_run(ordered, |data, n, stride| {
        if stride == step && data.cast::<T>().is_aligned() {
            // SAFETY: a run of the array, aligned and without gaps.
            buffer.extend_from_slice(unsafe { std::slice::from_raw_parts(data.cast(), n) });
        } else {
            // SAFETY: elements of the run.
            let at = |i| unsafe { data.offset(i * stride).cast::<T>().read_unaligned() };
            buffer.extend((0..n as isize).map(at));
        }
        left -= n;
        if buffer.len() >= size || left == 0 {
            // SAFETY: the elements of the buffer.
            give(unsafe { T::run(buffer.as_ptr().cast(), buffer.len(), step) });
            buffer.clear();
        }
    });
}

/// Integers of any width, added in 64 bits.
fn total_bits<T: Element>(array: &View, kind: Kind, threads: Threads) -> Wide {
    let ordered = array.in_memory_order();
    let sums = by_rows(threads, &ordered, |rows| {
        let mut sum = 0_i64;
        for_each_run(rows, |data, n, stride| {
            if stride == size_of::<T>() as isize && data.cast::<T>().is_aligned() {
                // SAFETY: a run of the array, aligned and without gaps.
                let run = unsafe { std::slice::from_raw_parts(data.cast::<T>(), n) };
                sum = sum.wrapping_add(bits_of_run(run));
                return;
            }
            for i in 0..n as isize {
                let at = data.wrapping_offset(i * stride).cast::<T>();
                // SAFETY: an element of the array, of type `T`.
                sum = plus_bits(sum, unsafe { at.read_unaligned() });
            }
        });
        sum
    });
    let sum = sums.into_iter().fold(0, i64::wrapping_add);
    match kind {
        Kind::UInt64 => Wide::UInt(sum as u64),
        _ => Wide::Int(sum),
    }
}

/// An element added in 64 bits.
#[inline(always)]
fn plus_bits<T: Element>(sum: i64, x: T) -> i64 {
    sum.wrapping_add(i64::from_wide(x.wide()))
}

widest! {
    fn bits_of_run[T: Element](run: &[T]) -> i64 {
        run.iter().fold(0, |sum, &x| plus_bits(sum, x))
    }
}

/// What `map` gives for parts of an array along its first axis.
pub(crate) fn by_rows<R: Send + Sync>(
    threads: Threads,
    array: &View,
    map: impl Fn(&View) -> R + Sync,
) -> Parts<R> {
    let Some(&rows) = array.shape.first() else {
        return smallvec![map(array)];
    };
    let each = (array.len() / rows.max(1)).max(1);
    threads.parts(array.len(), |part| {
        let (start, end) = (part.start.div_ceil(each), part.end.div_ceil(each));
        map(&array.part(0, start, end - start))
    })
}

/// Calls `f` with start, length and step of each run along the last axis.
fn for_each_run(array: &View, mut f: impl FnMut(*const u8, usize, isize)) {
    any_run(array, |data, n, stride| {
        f(data, n, stride);
        false
    });
}

/// True if `f` is of start, length and step of a run along the last axis.
fn any_run(array: &View, mut f: impl FnMut(*const u8, usize, isize) -> bool) -> bool {
    let ([outer @ .., n], [.., stride]) = (&array.shape[..], &array.strides[..]) else {
        return f(array.data, 1, 0);
    };
    if outer.is_empty() {
        return f(array.data, *n, *stride);
    }
    let mut lines = array.lines();
    lines.any(|offset| f(array.data.wrapping_offset(offset), *n, *stride))
}

/// Sums along one axis, several, or none.
fn sum_along(array: &View, axes: &[usize], kind: Kind, ret: Ret) -> Result<(), Failure> {
    let own;
    let array = if array.kind == kind {
        array
    } else {
        own = converted(array, kind);
        &own.view
    };
    let picked = |reduced: bool| {
        let mut view = array.clone();
        for axis in (0..array.ndim()).rev() {
            if axes.contains(&axis) != reduced {
                view = view.without(axis);
            }
        }
        view
    };
    let rest = picked(false);
    let out = ret.new_array(&rest.shape)?;
    match axes {
        [axis] => with_element!(kind, T => sum_axis::<T>(array, *axis, &out, ret.threads())),
        _ if array.len() == 0 => {}
        _ => with_element!(kind, T => sum_axes::<T>(&picked(true), &rest, &out)),
    }
    Ok(())
}

/// Where the axis of the smallest step is one of several, NumPy adds up runs of it; else it adds what lies along the others
/// one after another.
fn sum_axes<T: Sum>(reduced: &View, rest: &View, out: &View) {
    let least = |view: &View| {
        let axes = view.shape.iter().zip(&view.strides);
        let steps = axes.filter(|(extent, _)| **extent > 1);
        steps.map(|(_, stride)| stride.abs()).min()
    };
    let ordered = reduced.in_memory_order();
    let inner = match (least(reduced), least(rest)) {
        (Some(step), Some(other)) => step <= other,
        (step, _) => step.is_some(),
    };
    let first = ordered.data as isize - reduced.data as isize;
    if inner {
        for (to, from) in out.offsets().zip(rest.offsets()) {
            let mut sum = T::default();
            let mut part = ordered.clone();
            part.data = rest.data.wrapping_offset(from + first);
            for_each_run(&part, |data, n, step| {
                // SAFETY: a run of the array, whose elements are of type `T`.
                sum = unsafe { sum.plus_run(data, n, step) };
            });
            // SAFETY: an element of the result.
            unsafe { out.write(to, sum) };
        }
        return;
    }
    for at in ordered.offsets() {
        for (to, from) in out.offsets().zip(rest.offsets()) {
            // SAFETY: an element of the array.
            let x: T = unsafe { rest.read(from + first + at) };
            // SAFETY: an element of the result.
            let sum: T = unsafe { out.read(to) };
            // SAFETY: an element of the result.
            unsafe { out.write(to, sum.add(x)) };
        }
    }
}

/// Pairwise where the axis is that of the smallest step, as NumPy's inner loop; else one by one.
fn sum_axis<T: Sum>(array: &View, axis: usize, out: &View, threads: Threads) {
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
        return for_each_line(threads, array, axis, out, |to, from| {
            let data = array.data.wrapping_offset(from + first);
            // SAFETY: a run of the array along the axis.
            let sum = unsafe { T::default().plus_run(data, n, step) };
            // SAFETY: an element of the result, which no other line writes.
            unsafe { out.write(to, sum) };
        });
    }
    let item = size_of::<T>() as isize;
    if rest.shape.len() == 1 && rest.strides[0] == item && out.strides[0] == item {
        // Rows are added to the result, a block of columns after another.
        threads.parts(array.len(), |part| {
            let columns = rest.shape[0];
            let cut =
                |at: usize| (at as u128 * columns as u128 / array.len().max(1) as u128) as usize;
            for start in (cut(part.start)..cut(part.end)).step_by(COLUMNS) {
                let end = (start + COLUMNS).min(cut(part.end));
                add_rows::<T>(
                    array.data.wrapping_offset(first),
                    (n, step),
                    out.data,
                    start..end,
                );
            }
        });
        return;
    }
    if rest.strides.last() == Some(&item) && out.strides.last() == Some(&item) {
        let last = rest.shape.len() - 1;
        let (columns, out_rows, rows) = (rest.shape[last], out.without(last), rest.without(last));
        for (to, from) in out_rows.offsets().zip(rows.offsets()) {
            let data = array.data.wrapping_offset(from + first);
            let out = out.data.wrapping_offset(to);
            add_rows::<T>(data, (n, step), out, 0..columns);
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

/// Calls `each` with the byte offsets of each element of `out` and of the line of `array` along `axis` that it is made of.
pub(crate) fn for_each_line(
    threads: Threads,
    array: &View,
    axis: usize,
    out: &View,
    each: impl Fn(isize, isize) + Sync,
) {
    let rest = array.without(axis);
    let Some(&rows) = rest.shape.first() else {
        return each(0, 0);
    };
    let all = array.len().max(1) as u128;
    threads.parts(array.len(), |part| {
        let cut = |at: usize| (at as u128 * rows as u128 / all) as usize;
        let (start, count) = (cut(part.start), cut(part.end) - cut(part.start));
        let base = |view: &View| view.strides[0].wrapping_mul(start as isize);
        let to = out.part(0, start, count).offsets();
        let from = rest.part(0, start, count).offsets();
        for (to, from) in to.zip(from) {
            each(to + base(out), from + base(&rest));
        }
    });
}

/// Rows added at once: the result is read and written once for them.
const ROWS: usize = 4;

/// Columns of a block that stays in the processor's nearest memory.
const COLUMNS: usize = 2048;

/// Adds `n` rows, which are `step` bytes apart, to those columns of a result.
fn add_rows<T: Element>(
    data: *const u8,
    (n, step): (usize, isize),
    out: *mut u8,
    columns: std::ops::Range<usize>,
) {
    /// Adds rows to a result, in their order.
    #[inline(always)]
    fn add<T: Element, const N: usize>(
        rows: [*const T; N],
        out: *mut T,
        columns: std::ops::Range<usize>,
    ) {
        for column in columns {
            // SAFETY: elements of the rows and of the result, which no other thread touches.
            unsafe {
                let mut sum = out.add(column).read_unaligned();
                for row in rows {
                    sum = sum.add(row.add(column).read_unaligned());
                }
                out.add(column).write_unaligned(sum);
            }
        }
    }
    let out = out.cast::<T>();
    let row = |i: usize| data.wrapping_offset(i as isize * step).cast::<T>();
    let together = n / ROWS * ROWS;
    for i in (0..together).step_by(ROWS) {
        add::<T, ROWS>(std::array::from_fn(|k| row(i + k)), out, columns.clone());
    }
    for i in together..n {
        add([row(i)], out, columns.clone());
    }
}

/// `(array) -> scalar`: Product in C order at the result's type; 1 when empty.
fn prod(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let kind = ret.kind()?;
    let own = converted_in(ret.threads(), &array.in_memory_order(), kind);
    ret.scalar(with_element!(kind, T => {
        product_of(own.view.as_slice::<T>().unwrap_or_default(), ret.threads()).wide()
    }))
}

/// The product of a run, in its order; of several parts in theirs.
pub(crate) fn product_of<T: Element>(run: &[T], threads: Threads) -> T {
    threads.joined(run.len(), |part| product_in_order(&run[part]), T::mul)
}

widest! {
    fn product_in_order[T: Element](run: &[T]) -> T {
        run.iter().fold(T::one(), |product, x| product.mul(*x))
    }
}

/// True if the test holds for an element of a run.
#[inline(always)]
pub(crate) fn is_any<T: Element>(
    threads: Threads,
    run: &[T],
    test: impl Fn(T) -> bool + Sync,
) -> bool {
    match threads {
        Threads::One => any_block(run, test),
        Threads::Many => {
            let found = AtomicBool::new(false);
            threads.parts(run.len(), |part| {
                // Now and then it looks whether another thread has found one.
                for piece in run[part].chunks(PIECE) {
                    if found.load(Ordering::Relaxed) {
                        return;
                    }
                    if any_block(piece, &test) {
                        found.store(true, Ordering::Relaxed);
                    }
                }
            });
            found.into_inner()
        }
    }
}

/// Elements between two looks at what other threads have found.
const PIECE: usize = 4096;

/// Elements that are tested together, without a look whether one was found: loops that may end early run in no vectors.
const BLOCK: usize = 64;

/// [`is_any`] in this thread.
#[inline(always)]
fn any_block<T: Element>(run: &[T], test: impl Fn(T) -> bool) -> bool {
    let blocks = run.chunks_exact(BLOCK);
    let rest = blocks.remainder();
    let in_block = |block: &[T]| block.iter().fold(false, |any, x| any | test(*x));
    blocks.into_iter().any(in_block) || rest.iter().any(|x| test(*x))
}

/// True if an element of the array is zero, or for `zero` false is not.
fn is_any_zero(threads: Threads, array: &View, zero: bool) -> bool {
    let ordered = array.in_memory_order();
    with_element!(ordered.kind, T => match ordered.as_slice::<T>() {
        Some(run) => is_any(threads, run, |x: T| x.is_zero() == zero),
        None => by_rows(threads, &ordered, |rows| any_run(rows, |data, n, stride| {
            let mut elements = (0..n as isize).map(|i| data.wrapping_offset(i * stride).cast::<T>());
            // SAFETY: elements of the array, which is of this type.
            elements.any(|at| unsafe { at.read_unaligned() }.is_zero() == zero)
        })).contains(&true),
    })
}

/// `(array) -> bool`: True if an element is not 0.
fn any(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.bool(is_any_zero(ret.threads(), args[0].array()?, false))
}

/// `(array) -> bool`: True if no element is 0; NaN is not 0.
fn all(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.bool(!is_any_zero(ret.threads(), args[0].array()?, true))
}

/// `(array, none | int64 axis) -> int64 | array(int64)`: Number of elements that are not 0.
fn count_nonzero(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    match args[1].axis(array.shape.len())? {
        Some(axis) if ret.is_array() => {
            let rest = array.without(axis);
            let out = ret.new_array(&rest.shape)?;
            if out.kind != Kind::Int64 {
                return Err(bad_call());
            }
            for_each_line(ret.threads(), array, axis, &out, |to, from| {
                let line = line(array, axis, from);
                // SAFETY: an element of the result, which no other line writes.
                unsafe { out.write(to, nonzeros(&line)) };
            });
            Ok(())
        }
        _ => {
            let counts = by_rows(ret.threads(), array, nonzeros);
            ret.scalar(Wide::Int(counts.into_iter().sum()))
        }
    }
}

/// How many elements are not zero.
fn nonzeros(view: &View) -> i64 {
    if let Some(run) = view.as_slice::<Bool>() {
        // Bytes count without overflow up to 255.
        let blocks = run.chunks(255).map(|block| {
            let set = block.iter().map(|x| u8::from(x.0 != 0));
            set.fold(0_u8, u8::wrapping_add)
        });
        return blocks.map(i64::from).sum();
    }
    with_element!(view.kind, T => match view.as_slice::<T>() {
        Some(run) => nonzeros_of(run),
        None => nonzeros_apart::<T>(view),
    })
}

widest! {
    /// [`nonzeros`] of a run.
    fn nonzeros_of[T: Element](run: &[T]) -> i64 {
        // So few at a time that 32 bits hold their number: as many lanes as those of small elements.
        let mut count = 0;
        for block in run.chunks(1 << 20) {
            let mut here = 0_u32;
            for x in block {
                here += u32::from(!x.is_zero());
            }
            count += i64::from(here);
        }
        count
    }
}

/// [`nonzeros`] of elements that are apart.
fn nonzeros_apart<T: Element>(view: &View) -> i64 {
    let Some(last) = view.ndim().checked_sub(1) else {
        return elements::<T>(view).map(|x| i64::from(!x.is_zero())).sum();
    };
    let (n, step) = (view.shape[last] as isize, view.strides[last]);
    let rows = view.without(last);
    let starts = rows.offsets();
    let in_row = |start: isize| -> i64 {
        let elements = (0..n).map(|i| {
            // SAFETY: an element of the array's own, whose type the caller has looked at.
            unsafe { view.read::<T>(start.wrapping_add(i.wrapping_mul(step))) }
        });
        elements.map(|x| i64::from(!x.is_zero())).sum()
    };
    starts.map(in_row).sum()
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
