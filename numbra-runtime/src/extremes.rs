//! Smallest and greatest elements and their positions.

use crate::array::View;
use crate::elements::{Element, Kind, Wide, with_element};
use crate::reduce::{elements, line};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};

const AXIS: &str = "axis is out of bounds";

/// Which end of the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Least,
    Greatest,
}

/// `(array) -> scalar`
pub(crate) fn min(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let message = "zero-size array to reduction operation minimum which has no identity";
    extreme(args, ret, End::Least, message)
}

/// `(array) -> scalar`
pub(crate) fn max(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let message = "zero-size array to reduction operation maximum which has no identity";
    extreme(args, ret, End::Greatest, message)
}

fn extreme(args: &[Arg], ret: Ret, end: End, empty: &'static str) -> Result<(), Failure> {
    let array = args[0].array()?;
    let found = with_element!(array.kind, T => find::<T>(array, end).map(|(_, x)| x.wide()));
    ret.scalar(found.ok_or_else(|| value_error(empty))?)
}

/// `(array, none | int64 axis) -> int64 | array(int64)`
pub(crate) fn argmin(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let empty = "attempt to get argmin of an empty sequence";
    position(args, ret, End::Least, empty)
}

/// `(array, none | int64 axis) -> int64 | array(int64)`
pub(crate) fn argmax(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let empty = "attempt to get argmax of an empty sequence";
    position(args, ret, End::Greatest, empty)
}

fn position(args: &[Arg], ret: Ret, end: End, empty: &'static str) -> Result<(), Failure> {
    let array = args[0].array()?;
    let find = |view: &View| {
        let found = with_element!(view.kind, T => find::<T>(view, end).map(|(at, _)| at));
        found.map(|at| at as i64).ok_or_else(|| value_error(empty))
    };
    match args[1].axis(array.shape.len(), AXIS)? {
        Some(axis) if ret.is_array() => {
            let rest = array.without(axis);
            if ret.kind()? != Kind::Int64 {
                return Err(bad_call());
            }
            if array.shape[axis] == 0 && rest.len() > 0 {
                return Err(value_error(empty));
            }
            let out = ret.new_array(&rest.shape)?;
            for (to, from) in out.offsets().zip(rest.offsets()) {
                let at = find(&line(array, axis, from))?;
                // SAFETY: an element of the result.
                unsafe { out.write(to, at) };
            }
            Ok(())
        }
        _ => ret.scalar(Wide::Int(find(array)?)),
    }
}

/// Position in C order and value of the first extreme element; the first NaN, if there is one.
fn find<T: Element>(array: &View, end: End) -> Option<(usize, T)> {
    let mut all = elements::<T>(array).enumerate();
    let mut best = all.next()?;
    if best.1.is_nan() {
        return Some(best);
    }
    for (at, x) in all {
        if x.is_nan() {
            return Some((at, x));
        }
        let better = match end {
            End::Least => x.less(best.1),
            End::Greatest => best.1.less(x),
        };
        if better {
            best = (at, x);
        }
    }
    Some(best)
}
