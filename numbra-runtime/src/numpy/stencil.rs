//! The border of a stencil's result, and the sizes of its arrays.

use crate::array::View;
use crate::strided::{converted, copy};
use crate::value::{Arg, Failure, Ret, value_error};

bodies! {
    stencil_border = border, 4;
    stencil_out = out, 2;
    stencil_sizes = sizes, 2;
}

/// `(first, *others) -> none`
fn sizes(args: &[Arg], _: Ret) -> Result<(), Failure> {
    let first = args[0].array()?;
    let others = args[1].items()?;
    for other in others {
        if is_smaller(other.array()?, first) {
            return Err(value_error(
                "Secondary stencil array has some dimension smaller the same dimension in the first stencil input.",
            ));
        }
    }
    Ok(())
}

/// `(first, out) -> none`
fn out(args: &[Arg], _: Ret) -> Result<(), Failure> {
    match is_smaller(args[1].array()?, args[0].array()?) {
        true => Err(value_error(
            "the result of the stencil is smaller along an axis than its first array",
        )),
        false => Ok(()),
    }
}

fn is_smaller(one: &View, other: &View) -> bool {
    let mut extents = one.shape.iter().zip(&other.shape);
    extents.any(|(a, b)| a < b)
}

/// `(array, starts, stops, value) -> none`: the elements outside of the box.
fn border(args: &[Arg], _: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let value = args[3].like()?;
    let value = converted(value.view(), array.kind);
    set_outside(array, &args[1].ints()?, &args[2].ints()?, &value.view);
    Ok(())
}

/// Sets the elements outside of a box, which may lie anywhere, to an element.
fn set_outside(array: &View, starts: &[i64], stops: &[i64], value: &View) {
    // Along each axis what lies below and above, of what is within along the axes before.
    let mut within = array.clone();
    for (axis, (&start, &stop)) in starts.iter().zip(stops).enumerate() {
        let extent = array.shape[axis];
        let clamp = |at: i64| usize::try_from(at).unwrap_or(0).min(extent);
        let (start, stop) = (clamp(start), clamp(stop).max(clamp(start)));
        for part in [
            within.part(axis, 0, start),
            within.part(axis, stop, extent - stop),
        ] {
            if part.len() > 0
                && let Some(value) = value.broadcast(&part.shape)
            {
                copy(&value, &part);
            }
        }
        within = within.part(axis, start, stop - start);
    }
}

#[cfg(test)]
mod tests {
    use super::set_outside;
    use crate::array::View;

    /// An array of ones whose elements outside of a box are set to 2.
    fn bordered(shape: &[usize], starts: &[i64], stops: &[i64]) -> Vec<f64> {
        let mut values = vec![1.0; shape.iter().product()];
        let array = View::of_mut(&mut values, shape);
        set_outside(&array, starts, stops, &View::of(&[2.0], &[]));
        values
    }

    #[test]
    fn elements_outside_of_a_box_are_set() {
        assert_eq!(bordered(&[4], &[1], &[3]), [2.0, 1.0, 1.0, 2.0]);
        assert_eq!(
            bordered(&[3, 3], &[1, 1], &[3, 2]),
            [2.0, 2.0, 2.0, 2.0, 1.0, 2.0, 2.0, 1.0, 2.0]
        );
        assert_eq!(bordered(&[2, 2], &[0, 0], &[2, 2]), [1.0; 4]);
    }

    #[test]
    fn a_box_may_be_empty_or_lie_outside() {
        assert_eq!(bordered(&[3], &[2], &[1]), [2.0; 3]);
        assert_eq!(bordered(&[3], &[i64::MAX], &[i64::MIN]), [2.0; 3]);
        assert_eq!(bordered(&[2], &[-4], &[9]), [1.0; 2]);
        assert_eq!(bordered(&[0, 2], &[1, 1], &[-1, 1]), [0.0; 0]);
    }
}
