//! Running sums and products.

use crate::elements::{Element, with_element};
use crate::reduce::elements;
use crate::strided::converted;
use crate::value::{Arg, Failure, Ret};

/// `(array) -> array`: running sums in C order, one by one.
pub(crate) fn cumsum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let kind = ret.kind()?;
    with_element!(kind, T => running::<T>(args, ret, T::add))
}

/// `(array) -> array`: running products in C order.
pub(crate) fn cumprod(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let kind = ret.kind()?;
    with_element!(kind, T => running::<T>(args, ret, T::mul))
}

fn running<T: Element>(args: &[Arg], ret: Ret, step: fn(T, T) -> T) -> Result<(), Failure> {
    let own = converted(args[0].array()?, T::KIND);
    let out = ret.new_array(&[own.view.len()])?;
    let mut last: Option<T> = None;
    for (to, x) in out.offsets().zip(elements::<T>(&own.view)) {
        let next = last.map_or(x, |last| step(last, x));
        // SAFETY: an element of the result.
        unsafe { out.write(to, next) };
        last = Some(next);
    }
    Ok(())
}
