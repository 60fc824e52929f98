//! Running sums and products.

use crate::array::{View, c_strides};
use crate::elements::{Element, with_element};
use crate::reduce::line;
use crate::strided::{copy, to_vec};
use crate::value::{Arg, Failure, Ret};

bodies! {
    cumprod = cumprod, 1;
    cumsum = cumsum, 3;
}

/// `(array, none | int64 axis, none) -> array`: Running sums at the result's element type, in C order or along the axis,
/// added one by one. Axis out of range: AxisError "axis 2 is out of bounds for array of dimension 2".
fn cumsum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => running(args, ret, |x: T, y: T| x.add(y)))
}

/// `(array) -> array`: Running products in C order at the result's element type.
fn cumprod(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => running(args, ret, |x: T, y: T| x.mul(y)))
}

fn running<T: Element>(
    args: &[Arg],
    ret: Ret,
    step: impl Fn(T, T) -> T + Copy,
) -> Result<(), Failure> {
    let array = args[0].array()?;
    let axis = match args.get(1) {
        Some(axis) => axis.axis(array.ndim())?,
        None => None,
    };
    let Some(axis) = axis else {
        let mut out = ret.new_room(&[array.len()])?;
        if let Some(from) = array.as_slice::<T>() {
            run_from(from, out.elements_mut(), step);
            return Ok(());
        }
        let in_shape = View {
            shape: array.shape.clone(),
            strides: c_strides(&array.shape, out.kind.size(), false),
            ..out.clone()
        };
        copy(array, &in_shape);
        run(out.elements_mut::<T>(), step);
        return Ok(());
    };
    let mut out = ret.new_room(&array.shape)?;
    if out.is_c_contiguous() {
        copy(array, &out);
        let inner: usize = array.shape[axis + 1..].iter().product();
        let rows = array.shape[axis] * inner;
        if rows > 0 {
            for rows in out.elements_mut::<T>().chunks_exact_mut(rows) {
                run_rows(rows, inner, step);
            }
        }
        return Ok(());
    }
    let starts = out.without(axis);
    for (from, to) in array.without(axis).offsets().zip(starts.offsets()) {
        let mut all = to_vec::<T>(&line(array, axis, from));
        run(&mut all, step);
        copy(&View::of(&all, &[all.len()]), &line(&out, axis, to));
    }
    Ok(())
}

fn run_from<T: Element>(from: &[T], to: &mut [T], step: impl Fn(T, T) -> T) {
    let Some((first, rest)) = from.split_first() else {
        return;
    };
    let mut sum = *first;
    to[0] = sum;
    for (to, x) in to[1..].iter_mut().zip(rest) {
        sum = step(sum, *x);
        *to = sum;
    }
}

fn run<T: Element>(all: &mut [T], step: impl Fn(T, T) -> T) {
    let Some((first, rest)) = all.split_first_mut() else {
        return;
    };
    let mut sum = *first;
    for x in rest {
        sum = step(sum, *x);
        *x = sum;
    }
}

/// Adds to each row of `inner` elements the one before it.
fn run_rows<T: Element>(rows: &mut [T], inner: usize, step: impl Fn(T, T) -> T) {
    if inner == 1 {
        return run(rows, step);
    }
    for at in (inner..rows.len()).step_by(inner) {
        let (before, row) = rows[at - inner..].split_at_mut(inner);
        for (x, y) in row.iter_mut().zip(before) {
            *x = step(*y, *x);
        }
    }
}
