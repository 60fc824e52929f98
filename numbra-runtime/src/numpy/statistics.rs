//! Counts, spreads and covariances.

use super::shapes::{broadcast_shape, not_together, operand_shapes};
use crate::array::{Offsets, View};
use crate::elements::{Element, Kind, Pair, Wide, with_element};
use crate::extremes::{self, End};
use crate::numpy_version::numpy_is_at_least;
use crate::strided::zeros;
use crate::strided::{run_of, to_vec};
use crate::value::{Arg, Failure, Ret, Source, value_error};
use numbra_linalg::{Number, Operand, c64};
use numbra_memory::{Gather, Grow, filled, gathered_or, joined};
use std::borrow::Cow;

bodies! {
    average = average, 3;
    bincount = bincount, 3;
    convolve = convolve, 3;
    corrcoef = corrcoef, 3;
    correlate = correlate, 3;
    cov = cov, 5;
    cross = cross, 2;
    diff = diff, 2;
    ediff1d = ediff1d, 3;
    interp = interp, 3;
    kron = kron, 2;
    ptp = ptp, 1;
    trapezoid = trapezoid, 3;
}

/// `(array) -> scalar`: the greatest element less the smallest.
fn ptp(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    // The ends at the type of the elements, their distance at the result's.
    let (low, high) = with_element!(view.kind, T => {
        let all = run_of::<T>(view);
        let ends = if T::HAS_PARTS {
            None
        } else {
            let [low, high] = [End::Least, End::Greatest].map(|end| extremes::of_run(&all, end));
            low.zip(high)
        };
        let ends = ends.or_else(|| ends_in_order(&all));
        ends.map(|(low, high)| (low.wide(), high.wide()))
    })
    .ok_or_else(|| value_error("zero-size array reduction not possible"))?;
    let distance =
        with_element!(ret.kind()?, T => T::from_wide(high).sub(T::from_wide(low)).wide());
    ret.scalar(distance)
}

/// The least and the greatest of numbers in their order; the first NaN is both.
fn ends_in_order<T: Element>(all: &[T]) -> Option<(T, T)> {
    if let Some(&nan) = all.iter().find(|x| x.is_nan()) {
        return Some((nan, nan));
    }
    let first = *all.first()?;
    let mut ends = (first, first);
    for &x in all {
        if x.less(ends.0) {
            ends.0 = x;
        }
        if ends.1.less(x) {
            ends.1 = x;
        }
    }
    Some(ends)
}

/// `(array, none, weights | none) -> scalar`
fn average(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let is_real = |view: &View| !matches!(view.kind, Kind::Complex64 | Kind::Complex128);
    if args[2].is_nothing() && is_real(source.view()) {
        let all = run_of::<f64>(source.view());
        let sum = all.iter().fold(0.0, |sum, x| sum + x);
        return ret.scalar(Wide::Float(sum / all.len() as f64));
    }
    let all = to_vec::<Pair<f64>>(source.view());
    let weights = if args[2].is_nothing() {
        filled(all.len(), Pair { re: 1.0, im: 0.0 })
    } else {
        let weights = args[2].like()?;
        if weights.view().shape != source.view().shape {
            return Err(value_error(format!(
                "numba does not support average when shapes of a and weights differ: {}",
                operand_shapes(&[&source.view().shape, &weights.view().shape])
            )));
        }
        to_vec::<Pair<f64>>(weights.view())
    };
    let zero = Pair { re: 0.0, im: 0.0 };
    let scale = weights.iter().fold(zero, |a: Pair<f64>, &b| a.add(b));
    if !args[2].is_nothing() && scale.is_zero() {
        return Err(Failure::new(
            "builtins.ZeroDivisionError",
            "Weights sum to zero, can't be normalized.",
        ));
    }
    let sum = all
        .iter()
        .zip(&weights)
        .fold(zero, |a: Pair<f64>, (&x, &w)| a.add(x.mul(w)));
    let mean = quotient(sum, scale);
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => ret.scalar(mean.wide()),
        _ => ret.scalar(Wide::Float(mean.re)),
    }
}

/// `a / b` by Smith's method, as NumPy divides complex numbers.
pub(super) fn quotient(a: Pair<f64>, b: Pair<f64>) -> Pair<f64> {
    if b.im == 0.0 {
        return Pair {
            re: a.re / b.re,
            im: a.im / b.re,
        };
    }
    if b.re.abs() >= b.im.abs() {
        let ratio = b.im / b.re;
        let scale = 1.0 / (b.re + b.im * ratio);
        Pair {
            re: (a.re + a.im * ratio) * scale,
            im: (a.im - a.re * ratio) * scale,
        }
    } else {
        let ratio = b.re / b.im;
        let scale = 1.0 / (b.im + b.re * ratio);
        Pair {
            re: (a.re * ratio + a.im) * scale,
            im: (a.im * ratio - a.re) * scale,
        }
    }
}

/// `(array, weights | none, minlength) -> array`
fn bincount(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let least = args[2].int()?;
    if least < 0 {
        return Err(value_error("'minlength' must not be negative"));
    }
    let source = args[0].like()?;
    let own;
    let places = match source.view().as_slice::<i64>() {
        Some(run) => run,
        None => {
            own = to_vec::<i64>(source.view());
            &own
        }
    };
    if !args[1].is_nothing() {
        let (n, weights) = (places.len(), args[1].like()?.view().len());
        if weights != n {
            return Err(value_error(format!(
                "bincount(): weights and list don't have the same length: {weights} and {n}"
            )));
        }
    }
    // SAFETY: the same memory; of the bits of negative numbers the greatest number without a sign is made.
    let unsigned = unsafe { std::slice::from_raw_parts(places.as_ptr().cast(), places.len()) };
    let greatest = extremes::of_run::<u64>(unsigned, End::Greatest);
    let n = match greatest.map(i64::try_from) {
        Some(Err(_)) => return Err(value_error("first argument must be non-negative")),
        Some(Ok(greatest)) => greatest.saturating_add(1).max(least),
        None => least,
    };
    let mut out = ret.new_array(&[n as usize])?;
    if args[1].is_nothing() {
        let counts = out.elements_mut::<i64>();
        for &place in places {
            if let Some(count) = counts.get_mut(place as usize) {
                *count += 1;
            }
        }
        return Ok(());
    }
    let weights = to_vec::<f64>(args[1].like()?.view());
    let sums = out.elements_mut::<f64>();
    for (&place, weight) in places.iter().zip(weights) {
        if let Some(sum) = sums.get_mut(place as usize) {
            *sum += weight;
        }
    }
    Ok(())
}

/// `num` numbers from `start` to `stop`, both included, as `np.linspace`.
pub(super) fn spaced(start: f64, stop: f64, num: usize) -> Vec<f64> {
    let at = spaced_at(start, stop, num);
    (0..num).map(|i| at(i as f64)).gathered()
}

/// Each of them by its position.
pub(super) fn spaced_at(start: f64, stop: f64, num: usize) -> impl Fn(f64) -> f64 + Sync {
    let steps = num.saturating_sub(1) as f64;
    let one = steps == 0.0;
    let step = if one { 0.0 } else { (stop - start) / steps };
    let last = if one { start } else { stop };
    move |i| {
        if i == steps { last } else { start + i * step }
    }
}

/// Observations of variables: a row each.
struct Table<T> {
    rows: Vec<Vec<T>>,
}

impl<T: Element> Table<T> {
    fn add(&mut self, view: &View, by_row: bool) {
        let mut view = view.clone();
        while view.ndim() < 2 {
            view = view.expanded(0);
        }
        if !by_row && view.shape[0] != 1 {
            view = view.permuted(&[1, 0]);
        }
        self.rows.make_room(view.shape[0]);
        for i in 0..view.shape[0] {
            self.rows.put(to_vec(&view.at(0, i)));
        }
    }
}

/// `(m, y | none, rowvar, bias, ddof | none) -> scalar | array`
fn cov(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let bias = args[3].flag()?;
    let ddof = match &args[4] {
        Arg::Nothing => f64::from(u8::from(!bias)),
        given => given.float()?,
    };
    let (n, matrix) = covariance(&args[..3], ddof)?;
    give(ret, n, &matrix)
}

/// `(x, y | none, rowvar) -> scalar | array`
fn corrcoef(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (n, mut matrix) = covariance(&args[..3], 1.0)?;
    let spreads: Vec<f64> = (0..n).map(|i| matrix[i * n + i].re.sqrt()).gathered();
    let clip = |x: f64| if x.is_nan() { x } else { x.clamp(-1.0, 1.0) };
    for i in 0..n {
        for j in 0..n {
            let z = &mut matrix[i * n + j];
            let re = z.re / spreads[i] / spreads[j];
            let im = match z.im == 0.0 {
                true => z.im,
                false => z.im / spreads[i] / spreads[j],
            };
            *z = Pair {
                re: clip(re),
                im: clip(im),
            };
        }
    }
    give(ret, n, &matrix)
}

fn give(ret: Ret, n: usize, matrix: &[Pair<f64>]) -> Result<(), Failure> {
    if ret.is_array() && ret.ndim() == 2 {
        if n == 1 {
            return Err(Failure::new(
                "builtins.RuntimeError",
                "2D array containing a single row is unsupported due to ambiguity in type inference. To use numpy.cov in \
                 this case simply pass the row as a 1D array, i.e. m[0].",
            ));
        }
        return match ret.kind()? {
            Kind::Complex64 | Kind::Complex128 => ret.array(&[n, n], matrix),
            _ => {
                let parts: Vec<f64> = matrix.iter().map(|z| z.re).gathered();
                ret.array(&[n, n], &parts)
            }
        };
    }
    let one = matrix.first().copied().unwrap_or(Pair {
        re: f64::NAN,
        im: 0.0,
    });
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => ret.number(one.wide()),
        _ => ret.number(Wide::Float(one.re)),
    }
}

fn covariance(args: &[Arg], ddof: f64) -> Result<(usize, Vec<Pair<f64>>), Failure> {
    let given = args[..2].iter().filter(|arg| !arg.is_nothing());
    let sources = gathered_or(given.map(Arg::like))?;
    let by_row = args[2].flag()?;
    let complex = |source: &Source<'_>| {
        let kind = source.view().kind;
        matches!(kind, Kind::Complex64 | Kind::Complex128)
    };
    if sources.iter().any(complex) {
        covariance_as::<c64>(&sources, by_row, ddof)
    } else {
        covariance_as::<f64>(&sources, by_row, ddof)
    }
}

/// Products of so many rows are computed one by one, which needs no preparation.
const FEW_ROWS: usize = 4;

/// The sum of a row, in several sums side by side.
fn sum_of<T: Element>(row: &[T]) -> T {
    let mut sums = [T::default(); 8];
    let (blocks, rest) = row.as_chunks::<8>();
    for block in blocks {
        for (sum, &x) in sums.iter_mut().zip(block) {
            *sum = sum.add(x);
        }
    }
    let all = sums.iter().chain(rest);
    all.fold(T::default(), |sum, &x| sum.add(x))
}

fn covariance_as<T: Element + Number>(
    sources: &[Source<'_>],
    by_row: bool,
    ddof: f64,
) -> Result<(usize, Vec<Pair<f64>>), Failure> {
    let mut table = Table::<T> { rows: Vec::new() };
    for source in sources {
        table.add(source.view(), by_row);
    }
    let count = table.rows.first().map_or(0, Vec::len);
    if table.rows.iter().any(|row| row.len() != count) {
        let counts = table.rows.iter().map(Vec::len);
        let other = counts.into_iter().find(|&n| n != count).unwrap_or(count);
        return Err(value_error(format!(
            "m and y have incompatible dimensions: {count} and {other} observations"
        )));
    }
    if !ddof.is_finite() {
        return Err(value_error("Cannot convert non-finite ddof to integer"));
    }
    if ddof.fract() != 0.0 {
        return Err(value_error("ddof must be integral value"));
    }
    let divisor = (count as f64 - ddof).max(0.0);
    for row in &mut table.rows {
        let sum = Pair::<f64>::from_wide(sum_of(row).wide());
        let mean = T::from_wide(over(sum, count as f64).wide());
        for x in row {
            *x = x.sub(mean);
        }
    }
    let n = table.rows.len();
    let rows = table.rows.iter().map(|row| &row[..]).gathered();
    let rows = joined(&rows);
    // The same table, its numbers conjugated, by columns.
    let conjugated: Vec<T> = rows.iter().map(|x| conjugate(*x)).gathered();
    let mut products = zeros(n * n);
    if n <= FEW_ROWS {
        for (at, product) in products.iter_mut().enumerate() {
            let row = |n: usize| n * count..(n + 1) * count;
            *product = T::inner(&rows[row(at / n)], &conjugated[row(at % n)], false);
        }
    } else if count > 0 {
        let operand = |data, rows, cols, fortran| Operand {
            data,
            rows,
            cols,
            fortran,
        };
        T::multiply(
            &mut products,
            operand(&rows, n, count, false),
            operand(&conjugated, count, n, true),
        );
    }
    let mut out: Vec<Pair<f64>> = (products.into_iter())
        .map(|x| over(Pair::from_wide(x.wide()), divisor))
        .gathered();
    for i in 0..n {
        // A NaN stays: the numbers have one.
        let own = &mut out[i * n + i].im;
        *own = if own.is_nan() { *own } else { 0.0 };
        for j in 0..i {
            let z = out[j * n + i];
            out[i * n + j] = Pair {
                re: z.re,
                im: -z.im,
            };
        }
    }
    Ok((n, out))
}

fn over(x: Pair<f64>, by: f64) -> Pair<f64> {
    Pair {
        re: x.re / by,
        im: x.im / by,
    }
}

fn conjugate<T: Element>(x: T) -> T {
    match x.wide() {
        Wide::Complex(re, im) => T::from_wide(Wide::Complex(re, -im)),
        _ => x,
    }
}

/// `(array, n) -> array`: differences of neighbours along the last axis, `n` times.
fn diff(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let order = args[1].int()?;
    if order < 0 {
        return Err(value_error("diff(): order must be non-negative"));
    }
    with_element!(ret.kind()?, T => {
        let mut shape = source.view().shape.clone();
        let mut all = run_of::<T>(source.view());
        let last = shape.len() - 1;
        for left in (0..order).rev() {
            let n = shape[last];
            if n == 0 {
                break;
            }
            shape[last] = n - 1;
            if left == 0 {
                let mut room = ret.new_room(&shape)?;
                differences(&all, n, room.elements_mut());
                return Ok(());
            }
            let mut next = zeros(all.len() / n * (n - 1));
            differences(&all, n, &mut next);
            all = Cow::Owned(next);
        }
        ret.array(&shape, &all)
    })
}

/// What each number of lines of `n` is more than the one before.
fn differences<T: Element>(all: &[T], n: usize, out: &mut [T]) {
    let lines = out.chunks_exact_mut((n - 1).max(1));
    for (line, out) in all.chunks_exact(n).zip(lines) {
        for (pair, out) in line.windows(2).zip(out) {
            *out = pair[1].sub(pair[0]);
        }
    }
}

/// `(array, to_end | none, to_begin | none) -> array`
fn ediff1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => {
        let part = |arg: &Arg| -> Result<Vec<T>, Failure> {
            if arg.is_nothing() {
                return Ok(Vec::new());
            }
            Ok(to_vec::<T>(arg.like()?.view()))
        };
        let all = to_vec::<T>(args[0].like()?.view());
        let mut out = part(&args[2])?;
        out.put_all(all.windows(2).map(|w| w[1].sub(w[0])));
        out.put_all(part(&args[1])?);
        ret.vector(&out)
    })
}

/// `(y, x | none, dx) -> scalar | array`: along the last axis.
fn trapezoid(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let Some((&n, outer)) = view.shape.split_last() else {
        return Err(value_error("y cannot be 0D"));
    };
    let lines: usize = outer.iter().product();
    let complex = matches!(ret.kind()?, Kind::Complex64 | Kind::Complex128);
    if complex {
        let sums = trapezoids::<Pair<f64>>(args, view, n)?;
        return match ret.is_array() {
            true => ret.array(outer, &sums[..lines]),
            false => ret.scalar(sums.first().copied().unwrap_or_default().wide()),
        };
    }
    let sums = trapezoids::<f64>(args, view, n)?;
    match ret.is_array() {
        true => ret.array(outer, &sums[..lines]),
        false => ret.scalar(Wide::Float(sums.first().copied().unwrap_or_default())),
    }
}

/// The area below each line of `n` numbers.
fn trapezoids<T: Element>(args: &[Arg], view: &View, n: usize) -> Result<Vec<T>, Failure> {
    let steps: Vec<T> = match &args[1] {
        Arg::Nothing => filled(n.saturating_sub(1), T::from_wide(args[2].number()?)),
        x => {
            let x = x.like()?;
            if x.view().len() != n {
                return Err(value_error(format!(
                    "unable to broadcast argument: {} positions for {n} values",
                    x.view().len()
                )));
            }
            let x = run_of::<T>(x.view());
            x.windows(2).map(|w| w[1].sub(w[0])).gathered()
        }
    };
    let half = T::from_wide(Wide::Float(0.5));
    let all = run_of::<T>(view);
    let area = |line: &[T]| {
        let parts = line.windows(2).zip(&steps);
        parts.fold(T::default(), |sum: T, (w, &d)| {
            sum.add(w[0].add(w[1]).mul(half).mul(d))
        })
    };
    if n == 0 {
        return Ok(vec![
            T::default();
            view.shape[..view.ndim() - 1].iter().product()
        ]);
    }
    Ok(all.chunks_exact(n).map(area).gathered())
}

/// `(x, xp, fp) -> number | array`: straight lines between the points, as NumPy.
fn interp(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let (points, values) = (args[1].like()?, args[2].like()?);
    let xp = run_of::<f64>(points.view());
    if xp.len() != values.view().len() {
        return Err(value_error(format!(
            "fp and xp are not of the same size. There are {} values for {} positions",
            values.view().len(),
            xp.len()
        )));
    }
    if xp.is_empty() {
        return Err(value_error("array of sample points is empty"));
    }
    let x = run_of::<f64>(source.view());
    let complex = matches!(ret.kind()?, Kind::Complex64 | Kind::Complex128);
    let shape = &source.view().shape;
    if complex {
        let mut guess = 0;
        let fp = run_of::<Pair<f64>>(values.view());
        let line = |at: usize, x: f64| {
            let ([from, to], [low, high]) = ([fp[at], fp[at + 1]], [xp[at], xp[at + 1]]);
            // NumPy divides once for both parts.
            let slope = |from: f64, to: f64| (to - from) * (1.0 / (high - low));
            Pair {
                re: on_line(x, [low, high], [from.re, to.re], slope),
                im: on_line(x, [low, high], [from.im, to.im], slope),
            }
        };
        let nan = |x| Pair { re: x, im: 0.0 };
        let each = x.iter();
        let out: Vec<_> = each
            .map(|&x| between(x, &xp, &fp, nan, line, &mut guess))
            .gathered();
        return match ret.is_array() {
            true => ret.array(shape, &out),
            false => ret.scalar(out.first().copied().unwrap_or_default().wide()),
        };
    }
    let fp = run_of::<f64>(values.view());
    let out = interpolated(&x, &xp, &fp);
    match ret.is_array() {
        true => ret.array(shape, &out),
        false => ret.scalar(Wide::Float(out.first().copied().unwrap_or_default())),
    }
}

/// The values at some places between points of real numbers.
fn interpolated(x: &[f64], xp: &[f64], fp: &[f64]) -> Vec<f64> {
    // Of few points all slopes are computed before, so that no number waits for a division.
    let slopes: Vec<f64> = match xp.len() <= x.len() {
        true => (1..xp.len())
            .map(|i| slope_between([xp[i - 1], xp[i]], [fp[i - 1], fp[i]]))
            .gathered(),
        false => Vec::new(),
    };
    let line = |at: usize, x: f64| {
        let (ends, values) = ([xp[at], xp[at + 1]], [fp[at], fp[at + 1]]);
        let slope = |_, _| match slopes.get(at) {
            Some(slope) => *slope,
            None => slope_between(ends, values),
        };
        on_line(x, ends, values, slope)
    };
    let mut guess = 0;
    x.iter()
        .map(|&x| between(x, xp, fp, |x| x, line, &mut guess))
        .gathered()
}

fn slope_between([low, high]: [f64; 2], [from, to]: [f64; 2]) -> f64 {
    (to - from) / (high - low)
}

/// `arr_interp` of `numpy/_core/src/multiarray/compiled_base.c`; the interval of the last number is the first guess. `line`
/// gives the value between the point at a position and the next one.
fn between<T: Copy>(
    x: f64,
    xp: &[f64],
    fp: &[T],
    nan: impl Fn(f64) -> T,
    line: impl Fn(usize, f64) -> T,
    guess: &mut usize,
) -> T {
    let n = xp.len();
    if n == 1 {
        return fp[0];
    }
    if x.is_nan() {
        return nan(x);
    }
    if x > xp[n - 1] {
        *guess = n;
        return fp[n - 1];
    }
    // Where the points are in no order the search, too, may say that a number lies below all of them.
    let found = match x < xp[0] {
        true => None,
        false => interval(x, xp, *guess),
    };
    *guess = found.unwrap_or(0);
    match found {
        None => fp[0],
        Some(at) if at == n - 1 || xp[at] == x => fp[at],
        Some(at) => line(at, x),
    }
}

/// The value at `x` on the line through two points.
fn on_line(
    x: f64,
    [low, high]: [f64; 2],
    [from, to]: [f64; 2],
    slope: impl Fn(f64, f64) -> f64,
) -> f64 {
    let slope = slope(from, to);
    let mut y = slope * (x - low) + from;
    if y.is_nan() {
        // From the other end, where infinities of one sign meet.
        y = slope * (x - high) + to;
        if y.is_nan() && from == to {
            y = from;
        }
    }
    y
}

/// The last point not above `x`, which does not lie above the last one: `binary_search_with_guess` of NumPy, which also
/// says what happens where the points are in no order.
fn interval(x: f64, xp: &[f64], guess: usize) -> Option<usize> {
    /// Points around the guess that are looked at first.
    const NEAR: usize = 8;
    let n = xp.len();
    if n <= 4 {
        let mut i = 1;
        while i < n && x >= xp[i] {
            i += 1;
        }
        return Some(i - 1);
    }
    let guess = guess.clamp(1, n - 3);
    let (mut low, mut high) = (0, n);
    if x < xp[guess] {
        if x < xp[guess - 1] {
            high = guess - 1;
            if guess > NEAR && x >= xp[guess - NEAR] {
                low = guess - NEAR;
            }
        } else {
            return Some(guess - 1);
        }
    } else if x < xp[guess + 1] {
        return Some(guess);
    } else if x < xp[guess + 2] {
        return Some(guess + 1);
    } else {
        low = guess + 2;
        if guess < n - NEAR.min(n - 1) - 1 && x < xp[guess + NEAR] {
            high = guess + NEAR;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if x >= xp[middle] {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.checked_sub(1)
}

/// `(a, v, mode) -> array`
fn convolve(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, v) = (args[0].like()?, args[1].like()?);
    slide(
        a.view(),
        v.view(),
        &args[2].text()?,
        "np.convolve",
        false,
        ret,
    )
}

/// `(a, v, mode) -> array`: the second one conjugated.
fn correlate(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, v) = (args[0].like()?, args[1].like()?);
    slide(
        a.view(),
        &v.view().flipped(0),
        &args[2].text()?,
        "np.correlate",
        true,
        ret,
    )
}

fn slide(
    a: &View,
    v: &View,
    mode: &str,
    name: &str,
    correlate: bool,
    ret: Ret,
) -> Result<(), Failure> {
    let (n, m) = (a.len(), v.len());
    if n == 0 || m == 0 {
        let which = if n == 0 { "a" } else { "v" };
        return Err(value_error(format!("'{which}' cannot be empty")));
    }
    let full = n + m - 1;
    let (long, short) = (n.max(m), n.min(m));
    // First place of the full product, and number of places.
    let (first, count) = match mode {
        "full" => (0, full),
        "same" => {
            // Where the second is longer, a correlation is centred the other way.
            let shift = if correlate && m > n {
                short / 2
            } else {
                (short - 1) / 2
            };
            (shift, long)
        }
        "valid" => (short - 1, long - short + 1),
        other => {
            return Err(value_error(format!(
                "Invalid 'mode' for {name}, expected 'full', 'same' or 'valid', got '{other}'"
            )));
        }
    };
    with_element!(ret.kind()?, T => {
        let (a, mut v) = (to_vec::<T>(a), to_vec::<T>(v));
        if correlate {
            for x in &mut v {
                if let Wide::Complex(re, im) = x.wide() {
                    *x = T::from_wide(Wide::Complex(re, -im));
                }
            }
        }
        let zero = T::from_wide(Wide::Int(0));
        let at = |k: usize| {
            let low = (k + 1).saturating_sub(m);
            let high = k.min(n - 1);
            (low..=high).fold(zero, |sum, i| sum.add(a[i].mul(v[k - i])))
        };
        let out: Vec<T> = (first..first + count).map(at).gathered();
        ret.vector(&out)
    })
}

/// `(a, b) -> array`: cross products of vectors of 2 or 3 along the last axis.
fn cross(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, b) = (args[0].like()?, args[1].like()?);
    let (a, b) = (a.view(), b.view());
    let size = |v: &View| v.shape.last().copied().unwrap_or(0);
    let (n, m) = (size(a), size(b));
    if !(2..=3).contains(&n) || !(2..=3).contains(&m) {
        return Err(value_error(format!(
            "Incompatible dimensions for cross product\n(dimension must be 2 or 3): shapes {}",
            operand_shapes(&[&a.shape, &b.shape])
        )));
    }
    if (n == 2 || m == 2) && numpy_is_at_least((2, 5)) {
        return Err(value_error(format!(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they are {n} and {m} dimensional instead."
        )));
    }
    if n == 2 && m == 2 {
        return Err(value_error(
            "Dimensions for both inputs is 2.\nPlease replace your numpy.cross(a, b) call with a call to `cross2d(a, b)` from `numba.np.extensions`.",
        ));
    }
    let shapes = [&a.shape[..a.ndim() - 1], &b.shape[..b.ndim() - 1]];
    let outer = broadcast_shape(&shapes).ok_or_else(|| not_together(&[&a.shape, &b.shape]))?;
    let whole = |v: &View, n: usize| {
        let shape = [&outer[..], &[n]].concat();
        v.broadcast(&shape).ok_or_else(crate::value::bad_call)
    };
    with_element!(ret.kind()?, T => {
        let (x, y) = (whole(a, n)?, whole(b, m)?);
        let (x, y) = (run_of::<T>(&x), run_of::<T>(&y));
        let mut out = ret.new_room(&[&outer[..], &[3]].concat())?;
        let out = out.elements_mut::<T>();
        match (n, m) {
            (2, _) => crosses::<T, 2, 3>(&x, &y, out),
            (_, 2) => crosses::<T, 3, 2>(&x, &y, out),
            _ => crosses::<T, 3, 3>(&x, &y, out),
        }
    });
    Ok(())
}

/// The cross products of vectors of `N` and of `M` numbers.
fn crosses<T: Element, const N: usize, const M: usize>(x: &[T], y: &[T], out: &mut [T]) {
    let rows = x.as_chunks::<N>().0.iter().zip(y.as_chunks::<M>().0);
    for (to, (x, y)) in out.as_chunks_mut().0.iter_mut().zip(rows) {
        *to = cross_of(x, y);
    }
}

/// The cross product of vectors of 2 or 3.
#[inline(always)]
fn cross_of<T: Element>(x: &[T], y: &[T]) -> [T; 3] {
    let third = |x: &[T]| x.get(2).copied().unwrap_or(T::from_wide(Wide::Int(0)));
    let (u, v) = ([x[0], x[1], third(x)], [y[0], y[1], third(y)]);
    let minor = |i: usize, j: usize| u[i].mul(v[j]).sub(u[j].mul(v[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// `(a, b) -> array`: the Kronecker product.
fn kron(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, b) = (args[0].like()?, args[1].like()?);
    let (a, b) = (a.view(), b.view());
    let rank = a.ndim().max(b.ndim());
    let padded = |v: &View| (v.ndim()..rank).fold(v.clone(), |v, _| v.expanded(0));
    let (a, b) = (padded(a), padded(b));
    let shape: Vec<usize> = a.shape.iter().zip(&b.shape).map(|(x, y)| x * y).gathered();
    if !ret.is_array() {
        return with_element!(ret.kind()?, T => {
            let product = run_of::<T>(&a)[0].mul(run_of::<T>(&b)[0]);
            ret.scalar(product.wide())
        });
    }
    let out = ret.new_array(&shape)?;
    // How far apart the copies of `b` are.
    let steps: Vec<isize> = out
        .strides
        .iter()
        .zip(&b.shape)
        .map(|(&stride, &extent)| stride.wrapping_mul(extent as isize))
        .gathered();
    with_element!(out.kind, T => {
        let (xs, ys) = (run_of::<T>(&a), run_of::<T>(&b));
        let outer = rank.saturating_sub(1);
        let (row, step) = match b.shape.last() {
            Some(&row) => (row, out.strides[outer]),
            None => (1, 0),
        };
        for (x, start) in xs.iter().zip(Offsets::new(&a.shape, &steps)) {
            let rows = Offsets::new(&b.shape[..outer], &out.strides[..outer]);
            for (ys, at) in ys.chunks(row.max(1)).zip(rows) {
                for (y, column) in ys.iter().zip(0..) {
                    let at = start + at + step * column;
                    // SAFETY: an element of the result.
                    unsafe { out.write(at, x.mul(*y)) };
                }
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_between_points() {
        let (xp, fp) = ([0.0, 1.0, 3.0], [0.0, 10.0, 20.0]);
        // Of few places, and of as many as there are points.
        let (x, values) = ([0.5, -1.0, 9.0, 3.0, 2.0], [5.0, 0.0, 20.0, 20.0, 15.0]);
        assert_eq!(interpolated(&x[..2], &xp, &fp), values[..2]);
        assert_eq!(interpolated(&x, &xp, &fp), values);
    }

    #[test]
    fn spaced_ends_are_exact() {
        assert_eq!(spaced(0.0, 1.0, 3), [0.0, 0.5, 1.0]);
        assert_eq!(spaced(2.0, 5.0, 1), [2.0]);
        assert!(spaced(0.0, 1.0, 0).is_empty());
    }
}
