//! Running sums and products.

use crate::array::View;
use crate::elements::{Element, with_element};
use crate::reduce::line;
use crate::strided::{copy, to_vec};
use crate::value::{Arg, Failure, Ret};

/// `(array, none | axis, none) -> array`: running sums in C order or along the axis, one by one.
pub(crate) fn cumsum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => running::<T>(args, ret, T::add))
}

/// `(array) -> array`: running products in C order.
pub(crate) fn cumprod(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => running::<T>(args, ret, T::mul))
}

fn running<T: Element>(args: &[Arg], ret: Ret, step: fn(T, T) -> T) -> Result<(), Failure> {
    let array = args[0].array()?;
    let axis = match args.get(1) {
        Some(axis) => axis.axis(array.ndim())?,
        None => None,
    };
    let Some(axis) = axis else {
        let mut all = to_vec::<T>(array);
        run(&mut all, step);
        return ret.vector(&all);
    };
    let out = ret.new_array(&array.shape)?;
    let starts = out.without(axis);
    for (from, to) in array.without(axis).offsets().zip(starts.offsets()) {
        let mut all = to_vec::<T>(&line(array, axis, from));
        run(&mut all, step);
        copy(&View::of(&all, &[all.len()]), &line(&out, axis, to));
    }
    Ok(())
}

fn run<T: Element>(all: &mut [T], step: fn(T, T) -> T) {
    for i in 1..all.len() {
        all[i] = step(all[i - 1], all[i]);
    }
}
