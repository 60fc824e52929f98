//! Discrete Fourier transforms along axes of arrays. Rows and their plans are those of `numbra-fourier`; here are NumPy's
//! arguments, and the way from arrays to contiguous rows.

use crate::array::{Axes, View};
use crate::elements::{Element, Kind};
use crate::strided::{Owned, copy};
use crate::value::{
    Arg, Failure, Ret, axis_in, index_error, out_of_bounds, place_of, too_big, value_error,
};
use numbra_fourier::{Complex, Float, HalfSpectra, RealRows, Rows, Scaling};
use numbra_memory::{Gather, filled, room};
use smallvec::smallvec;

bodies! {
    fft = fft, 4;
    fftn = fftn, 4;
    hfft = hfft, 4;
    ifft = ifft, 4;
    ifftn = ifftn, 4;
    ihfft = ihfft, 4;
    irfft = irfft, 4;
    irfftn = irfftn, 4;
    rfft = rfft, 4;
    rfftn = rfftn, 4;
}

/// `(array, n | none, axis, norm | none) -> array`
fn fft(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    along_one(args, Way::Forward, ret)
}

/// As [`fft`]
fn ifft(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    along_one(args, Way::Inverse, ret)
}

/// As [`fft`]: the first half of the spectrum of real numbers.
fn rfft(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    along_one(args, Way::ToSpectrum, ret)
}

/// As [`fft`]: real numbers from the first half of their spectrum.
fn irfft(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    along_one(args, Way::FromSpectrum, ret)
}

/// As [`fft`]: the real spectrum of what is given by its first half.
fn hfft(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    along_one(args, Way::Hermitian, ret)
}

/// As [`fft`]: the first half of what has this real spectrum.
fn ihfft(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    along_one(args, Way::InverseHermitian, ret)
}

/// `(array, extents | none, axes | none, norm | none) -> array`
fn fftn(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (source, axes) = (args[0].like()?, Transformed::new(args, false)?);
    let steps = axes.steps(args, (0..axes.count()).rev(), |_| Way::Forward)?;
    run(source.view(), &steps, ret)
}

/// As [`fftn`]
fn ifftn(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (source, axes) = (args[0].like()?, Transformed::new(args, false)?);
    let steps = axes.steps(args, (0..axes.count()).rev(), |_| Way::Inverse)?;
    run(source.view(), &steps, ret)
}

/// As [`fftn`], of real numbers: half of the spectrum, along the last axis.
fn rfftn(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (source, axes) = (args[0].like()?, Transformed::new(args, false)?);
    let last = axes.count().wrapping_sub(1);
    let way = |i| {
        if i == last {
            Way::ToSpectrum
        } else {
            Way::Forward
        }
    };
    let steps = axes.steps(args, (0..axes.count()).rev(), way)?;
    run(source.view(), &steps, ret)
}

/// As [`fftn`]: real numbers from such a half.
fn irfftn(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (source, axes) = (args[0].like()?, Transformed::new(args, true)?);
    let last = axes.count().wrapping_sub(1);
    let way = |i| {
        if i == last {
            Way::FromSpectrum
        } else {
            Way::Inverse
        }
    };
    let steps = axes.steps(args, 0..axes.count(), way)?;
    run(source.view(), &steps, ret)
}

/// What is computed along an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Forward,
    Inverse,
    ToSpectrum,
    FromSpectrum,
    Hermitian,
    InverseHermitian,
}

impl Way {
    /// Numbers with imaginary parts, as many as come in.
    fn keeps(self) -> bool {
        matches!(self, Way::Forward | Way::Inverse)
    }

    /// Complex numbers come out.
    fn gives_spectra(self) -> bool {
        !matches!(self, Way::FromSpectrum | Way::Hermitian)
    }

    /// The number of points of half a spectrum, or of all.
    fn count_out(self, n: usize) -> usize {
        match self {
            Way::ToSpectrum | Way::InverseHermitian => n / 2 + 1,
            Way::Forward | Way::Inverse | Way::FromSpectrum | Way::Hermitian => n,
        }
    }

    /// The scaling by NumPy's `norm`: that of a forward transform, or of an inverse one.
    fn scaling(self, norm: &Arg) -> Result<Scaling, Failure> {
        let forward = matches!(self, Way::Forward | Way::ToSpectrum | Way::Hermitian);
        let (plain, scaled) = if forward {
            (Scaling::One, Scaling::Whole)
        } else {
            (Scaling::Whole, Scaling::One)
        };
        if norm.is_nothing() {
            return Ok(plain);
        }
        match norm.text()?.as_str() {
            "backward" => Ok(plain),
            "ortho" => Ok(Scaling::Root),
            "forward" => Ok(scaled),
            other => Err(value_error(format!(
                "Invalid norm value {other}; should be \"backward\", \"ortho\" or \"forward\"."
            ))),
        }
    }
}

/// One transform along one axis.
struct Step {
    axis: usize,
    n: usize,
    way: Way,
    scaling: Scaling,
}

impl Step {
    /// The step of these arguments, which are checked in NumPy's order.
    fn new(way: Way, n: i64, axis: i64, ndim: usize, norm: &Arg) -> Result<Step, Failure> {
        let points = usize::try_from(n).ok().filter(|n| *n > 0);
        let n = points.ok_or_else(|| {
            value_error(format!(
                "Invalid number of FFT data points ({n}) specified."
            ))
        })?;
        let scaling = way.scaling(norm)?;
        let axis = axis_in(axis, ndim)?;
        Ok(Step {
            axis,
            n,
            way,
            scaling,
        })
    }

    /// The shape of what comes out.
    fn shape(&self, shape: &Axes<usize>) -> Axes<usize> {
        let mut shape = shape.clone();
        shape[self.axis] = self.way.count_out(self.n);
        shape
    }
}

/// A shape's extent at an axis, with Python's error where there is none.
fn extent(shape: &[usize], axis: i64) -> Result<i64, Failure> {
    let at = place_of(axis, shape.len());
    let at = at.ok_or_else(|| index_error("tuple index out of range"))?;
    Ok(shape[at] as i64)
}

/// The length of a real row of whose spectrum so many points are given.
fn whole(points: i64) -> i64 {
    (points - 1).saturating_mul(2)
}

fn along_one(args: &[Arg], way: Way, ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let shape = &source.view().shape;
    let axis = args[2].int()?;
    let n = match (args[1].optional_int()?, way) {
        (Some(n), _) => n,
        (None, Way::FromSpectrum | Way::Hermitian) => whole(extent(shape, axis)?),
        (None, _) => extent(shape, axis)?,
    };
    if matches!(way, Way::Hermitian | Way::InverseHermitian) {
        // Before the number of points.
        way.scaling(&args[3])?;
    }
    let step = Step::new(way, n, axis, shape.len(), &args[3])?;
    run(source.view(), &[step], ret)
}

/// The axes that are transformed, and of how many points.
struct Transformed {
    extents: Vec<i64>,
    axes: Vec<i64>,
    ndim: usize,
}

impl Transformed {
    /// Of the arguments `(array, extents | none, axes | none)`.
    fn new(args: &[Arg], from_half: bool) -> Result<Transformed, Failure> {
        let source = args[0].like()?;
        let shape = &source.view().shape;
        let ndim = shape.len();
        let last = |n: usize| (0..n as i64).map(|i| i - n as i64).gathered();
        let given = (!args[1].is_nothing())
            .then(|| args[1].ints())
            .transpose()?;
        let axes = match (&given, &args[2]) {
            (Some(extents), Arg::Nothing) => last(extents.len()),
            (None, Arg::Nothing) => last(ndim),
            (_, axes) => axes.ints()?,
        };
        let extents = match given {
            Some(mut extents) => {
                if extents.len() != axes.len() {
                    return Err(value_error("Shape and axes have different lengths."));
                }
                for (n, axis) in extents.iter_mut().zip(&axes) {
                    if *n == -1 {
                        *n = extent(shape, *axis)?;
                    }
                }
                extents
            }
            None => {
                let mut extents = room(axes.len());
                for axis in &axes {
                    let at = place_of(*axis, ndim).ok_or_else(|| out_of_bounds(axis, 0, ndim))?;
                    extents.push(shape[at] as i64);
                }
                if let Some(n) = extents.last_mut().filter(|_| from_half) {
                    *n = whole(*n);
                }
                extents
            }
        };
        Ok(Transformed {
            extents,
            axes,
            ndim,
        })
    }

    fn count(&self) -> usize {
        self.axes.len()
    }

    /// A step for each axis, in this order.
    fn steps(
        &self,
        args: &[Arg],
        order: impl Iterator<Item = usize>,
        way: impl Fn(usize) -> Way,
    ) -> Result<Vec<Step>, Failure> {
        let mut steps = room(self.count());
        for i in order {
            let (n, axis) = (self.extents[i], self.axes[i]);
            steps.push(Step::new(way(i), n, axis, self.ndim, &args[3])?);
        }
        Ok(steps)
    }
}

/// The result is the array after these steps, in the result's precision.
fn run(source: &View, steps: &[Step], ret: Ret) -> Result<(), Failure> {
    match ret.kind()? {
        Kind::Float32 | Kind::Complex64 => transform::<f32>(source, steps, ret),
        _ => transform::<f64>(source, steps, ret),
    }
}

fn transform<T: Float + Element>(source: &View, steps: &[Step], ret: Ret) -> Result<(), Failure>
where
    Complex<T>: Element,
{
    let mut shape = source.shape.clone();
    for step in steps {
        shape = step.shape(&shape);
    }
    let out = ret.new_room(&shape)?;
    if out.len() == 0 {
        return Ok(());
    }
    // Where the numbers are, and what keeps them if that is neither the source nor the result.
    let (mut at, mut memory) = (source.clone(), None::<Owned>);
    for (i, step) in steps.iter().enumerate() {
        let (first, last) = (i == 0, i + 1 == steps.len());
        let shape = step.shape(&at.shape);
        let in_result = !first && memory.is_none();
        if !first && step.way.keeps() && shape == at.shape && (!last || in_result) {
            along::<T>(&at, &at, step);
            continue;
        }
        let fits = step.way.gives_spectra() && out.kind == Complex::<T>::KIND && shape == out.shape;
        if last || (fits && !in_result) {
            along::<T>(&at, &out, step);
            (at, memory) = (out.clone(), None);
            continue;
        }
        let bytes = |n: usize, extent: &usize| n.checked_mul(*extent);
        let size = Complex::<T>::KIND.size();
        let bytes = shape.iter().try_fold(size, bytes);
        bytes
            .filter(|n| isize::try_from(*n).is_ok())
            .ok_or_else(too_big)?;
        let between = Owned::new(&shape, Complex::<T>::KIND);
        along::<T>(&at, &between.view, step);
        (at, memory) = (between.view.clone(), Some(between));
    }
    Ok(())
}

/// One step, from an array to another of its shape after the step, or in place.
fn along<T: Float + Element>(from: &View, to: &View, step: &Step)
where
    Complex<T>: Element,
{
    // The axis last, the others so that those with small steps in the result are inner ones; those of one index are none.
    let mut axes: Axes<usize> = (0..to.ndim())
        .filter(|&axis| axis != step.axis && to.shape[axis] != 1)
        .collect();
    axes.sort_unstable_by_key(|&axis| std::cmp::Reverse(to.strides[axis].unsigned_abs()));
    axes.push(step.axis);
    let (mut from, mut to) = (from.permuted(&axes), to.permuted(&axes));
    if from.ndim() == 1 {
        (from, to) = (from.expanded(0), to.expanded(0));
    }
    let mut lines = Lines::<T>::new(step);
    each_table(&from, &to, &mut |from, to| lines.run(from, to));
}

/// Shows the two arrays with only their last two axes, at each index of the others.
fn each_table(from: &View, to: &View, show: &mut dyn FnMut(&View, &View)) {
    if from.ndim() == 2 {
        return show(from, to);
    }
    for i in 0..from.shape[0] {
        each_table(&from.at(0, i), &to.at(0, i), show);
    }
}

/// So many numbers are transformed at once: they are in the cache when they are scaled and copied.
const BLOCK: usize = 1 << 13;

/// Rows at once where they lie across memory: lines of the cache have numbers of that many.
const ACROSS: usize = 16;

/// The transform of a step, and room for rows that do not lie as it needs them.
struct Lines<T: Float> {
    n: usize,
    way: Way,
    plan: Plan<T>,
    real: Vec<T>,
    complex: Vec<Complex<T>>,
}

enum Plan<T: Float> {
    Rows(Rows<T>),
    Real(RealRows<T>),
    Half(HalfSpectra<T>),
}

impl<T: Float + Element> Lines<T>
where
    Complex<T>: Element,
{
    fn new(step: &Step) -> Lines<T> {
        let Step {
            n, way, scaling, ..
        } = *step;
        let plan = match way {
            Way::Forward | Way::Inverse => Plan::Rows(Rows::new(n, way == Way::Inverse, scaling)),
            Way::ToSpectrum | Way::InverseHermitian => Plan::Real(RealRows::new(n, scaling)),
            Way::FromSpectrum | Way::Hermitian => Plan::Half(HalfSpectra::new(n, scaling)),
        };
        Lines {
            n,
            way,
            plan,
            real: Vec::new(),
            complex: Vec::new(),
        }
    }

    /// Transforms rows of a table.
    fn run(&mut self, from: &View, to: &View) {
        let size = to.kind.size() as isize;
        let straight = to.strides[1] == size && from.strides[1] == from.kind.size() as isize;
        let at_once = (BLOCK / self.n).max(if straight { 1 } else { ACROSS });
        let rows = to.shape[0];
        let mut done = 0;
        while done < rows {
            let count = at_once.min(rows - done);
            self.block(&from.part(0, done, count), &to.part(0, done, count));
            done += count;
        }
    }

    fn block(&mut self, from: &View, to: &View) {
        let (n, half, rows) = (self.n, self.n / 2 + 1, to.shape[0]);
        match &mut self.plan {
            Plan::Rows(plan) => {
                if to.as_slice::<Complex<T>>().is_some() {
                    gather(from, to);
                    return plan.transform(to.clone().elements_mut());
                }
                let block = view_of(&mut self.complex, rows, n);
                gather(from, &block);
                plan.transform(&mut self.complex[..rows * n]);
                copy_table(&block, to);
            }
            Plan::Real(plan) => {
                gather(from, &view_of(&mut self.real, rows, n));
                let (mut block, to_copy) = place(to, &mut self.complex, half);
                let spectra = block.elements_mut::<Complex<T>>();
                plan.transform(&mut self.real[..rows * n], spectra);
                if self.way == Way::InverseHermitian {
                    conjugate(spectra);
                }
                if to_copy {
                    copy_table(&block, to);
                }
            }
            Plan::Half(plan) => {
                gather(from, &view_of(&mut self.complex, rows, half));
                let spectra = &mut self.complex[..rows * half];
                if self.way == Way::Hermitian {
                    conjugate(spectra);
                }
                let (mut block, to_copy) = place(to, &mut self.real, n);
                plan.transform(spectra, block.elements_mut());
                if to_copy {
                    copy_table(&block, to);
                }
            }
        }
    }
}

/// A table itself where its rows lie one behind another, else a table of a buffer, which is to be copied then.
fn place<E: Element>(to: &View, buffer: &mut Vec<E>, width: usize) -> (View, bool) {
    if to.as_slice::<E>().is_some() {
        return (to.clone(), false);
    }
    (view_of(buffer, to.shape[0], width), true)
}

/// A table of so many rows in a buffer, which grows to it.
fn view_of<E: Element>(buffer: &mut Vec<E>, rows: usize, width: usize) -> View {
    if buffer.len() < rows * width {
        *buffer = filled(rows * width, E::default());
    }
    View::of_mut(&mut buffer[..rows * width], &[rows, width])
}

/// Copies a table to another of as many rows, cut or filled up with zeros. A table is in place already.
fn gather(from: &View, to: &View) {
    if from.data == to.data {
        return;
    }
    let (rows, width) = (to.shape[0], to.shape[1]);
    let count = from.shape[1].min(width);
    copy_table(&from.part(1, 0, count), &to.part(1, 0, count));
    if count < width {
        let rest = to.part(1, count, width - count);
        let zero = View {
            shape: smallvec![rows, width - count],
            strides: smallvec![0, 0],
            ..View::of(&[0_u8], &[1])
        };
        copy(&zero, &rest);
    }
}

/// Copies a table.
fn copy_table(from: &View, to: &View) {
    let size = from.kind.size() as isize;
    let across = from.strides[1] != size || to.strides[1] != size;
    if from.kind != to.kind || !across {
        if from.strides[0].unsigned_abs() < from.strides[1].unsigned_abs() {
            return copy(&from.permuted(&[1, 0]), &to.permuted(&[1, 0]));
        }
        return copy(from, to);
    }
    macro_rules! sizes {
        ($($size:literal)*) => {
            match from.kind.size() {
                // SAFETY: elements of so many bytes, of tables with one shape in different memory.
                $($size => unsafe { copy_squares::<[u8; $size]>(from, to) },)*
                _ => copy(from, to),
            }
        };
    }
    sizes!(4 8 16);
}

/// Copies a table in squares: lines of the cache are written while they are there, also where one of the two has its rows
/// along memory and the other its columns.
///
/// # Safety
/// The elements are as large as `E`; the tables have the same shape and are different memory.
unsafe fn copy_squares<E: Copy>(from: &View, to: &View) {
    const SIDE: usize = 8;
    let (rows, width) = (to.shape[0], to.shape[1]);
    let place = |view: &View, i: usize, j: usize| {
        let row = view.strides[0].wrapping_mul(i as isize);
        let offset = row.wrapping_add(view.strides[1].wrapping_mul(j as isize));
        view.data.wrapping_offset(offset).cast::<E>()
    };
    let one = |i: usize, j: usize| {
        // SAFETY: an element of the table.
        let x = unsafe { place(from, i, j).read_unaligned() };
        // SAFETY: as above.
        unsafe { place(to, i, j).write_unaligned(x) };
    };
    let by_columns = to.strides[0].unsigned_abs() < to.strides[1].unsigned_abs();
    for start in (0..width).step_by(SIDE) {
        let end = width.min(start + SIDE);
        if by_columns {
            for j in start..end {
                for i in 0..rows {
                    one(i, j);
                }
            }
        } else {
            for i in 0..rows {
                for j in start..end {
                    one(i, j);
                }
            }
        }
    }
}

fn conjugate<T: Float>(points: &mut [Complex<T>]) {
    for z in points {
        z.im = -z.im;
    }
}
