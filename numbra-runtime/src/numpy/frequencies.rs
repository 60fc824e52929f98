//! The frequencies of the points of spectra, and their order.

use super::statistics::quotient;
use crate::array::{Axes, View, per_axis};
use crate::elements::{Element, Kind, Pair};
use crate::strided::copy;
use crate::value::{Arg, Failure, Ret, index_error, place_of, value_error};
use numbra_memory::Gather;

bodies! {
    fftfreq = fftfreq, 2;
    fftshift = fftshift, 2;
    ifftshift = ifftshift, 2;
    rfftfreq = rfftfreq, 2;
}

/// `(n, d) -> array`: those of a whole spectrum, the negative ones behind.
fn fftfreq(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let n = args[0].int()?;
    let step = step(n, &args[1])?;
    if n < 0 {
        return Err(value_error("negative dimensions are not allowed"));
    }
    let positive = (n - 1) / 2 + 1;
    give((0..positive).chain(positive - n..0), step, ret)
}

/// `(n, d) -> array`: those of half a spectrum.
fn rfftfreq(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let n = args[0].int()?;
    let step = step(n, &args[1])?;
    give(0..(n.div_euclid(2) + 1).max(0), step, ret)
}

/// `1 / (n d)`
fn step(n: i64, d: &Arg) -> Result<Pair<f64>, Failure> {
    let d = Pair::<f64>::from_wide(d.number()?);
    let whole = Pair {
        re: n as f64 * d.re,
        im: n as f64 * d.im,
    };
    if whole.re == 0.0 && whole.im == 0.0 {
        let class = "builtins.ZeroDivisionError";
        return Err(Failure::new(class, "division by zero"));
    }
    Ok(quotient(Pair { re: 1.0, im: 0.0 }, whole))
}

/// The result is these numbers times the step.
fn give(
    numbers: impl Iterator<Item = i64> + Clone,
    step: Pair<f64>,
    ret: Ret,
) -> Result<(), Failure> {
    let (least, most) = numbers.size_hint();
    let out = ret.new_room(&[most.unwrap_or(least)])?;
    if ret.kind()? == Kind::Float64 {
        for (to, x) in out.clone().elements_mut().iter_mut().zip(numbers) {
            *to = x as f64 * step.re;
        }
        return Ok(());
    }
    for (to, x) in out.clone().elements_mut().iter_mut().zip(numbers) {
        *to = Pair {
            re: x as f64 * step.re,
            im: x as f64 * step.im,
        };
    }
    Ok(())
}

/// `(array, axes | none) -> array`: frequency 0 in the middle.
fn fftshift(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    shift(args, |n| n / 2, ret)
}

/// `(array, axes | none) -> array`: back from there.
fn ifftshift(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    shift(args, |n| n - n / 2, ret)
}

/// The elements moved on along each of the axes, by so much of an extent.
fn shift(args: &[Arg], by: fn(usize) -> usize, ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let ndim = view.ndim();
    let mut shifts: Axes<usize> = per_axis(ndim, |_| 0);
    let axes = match &args[1] {
        Arg::Nothing if ndim == 0 => {
            return Err(value_error(
                "not enough values to unpack (expected 2, got 0)",
            ));
        }
        Arg::Nothing => (0..ndim as i64).gathered(),
        axes => axes.ints()?,
    };
    for axis in axes {
        let at = place_of(axis, ndim).ok_or_else(|| index_error("tuple index out of range"))?;
        let n = view.shape[at];
        shifts[at] = (shifts[at] + by(n)) % n.max(1);
    }
    let out = ret.new_room(&view.shape)?;
    moved(view, &out, &shifts);
    Ok(())
}

/// Copies an array to another, with these shifts along its first axes.
fn moved(from: &View, to: &View, shifts: &[usize]) {
    let Some((&by, others)) = shifts.split_last() else {
        return copy(from, to);
    };
    let axis = others.len();
    let rest = from.shape[axis] - by;
    moved(&from.part(axis, 0, rest), &to.part(axis, by, rest), others);
    if by > 0 {
        moved(&from.part(axis, rest, by), &to.part(axis, 0, by), others);
    }
}
