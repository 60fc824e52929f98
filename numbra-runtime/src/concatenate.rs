//! `np.concatenate`.

use crate::array::per_axis;
use crate::numpy::check_joined;
use crate::strided::copy;
use crate::value::{Arg, Failure, Ret, bad_call, checked_sum};
use numbra_memory::room;

bodies! {
    concatenate = concatenate, 2;
}

/// `(tuple of arrays, int64 axis) -> array`: The arrays joined along the axis, elements converted to the result's, C order
/// (or F where the result is F). Axis out of range: AxisError. Other extents differ: ValueError "np.concatenate(): input
/// sizes over dimension 1 do not match: ..".
fn concatenate(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let Arg::Tuple(items) = &args[0] else {
        return Err(bad_call());
    };
    let first = items.first().ok_or_else(bad_call)?.array()?;
    let axis = args[1].axis(first.shape.len())?;
    let axis = axis.ok_or_else(bad_call)?;
    let mut extents = room(items.len());
    for (number, item) in items.iter().enumerate() {
        let shape = &item.array()?.shape;
        check_joined([&first.shape, shape], axis, number)?;
        extents.push(shape[axis]);
    }
    let total = checked_sum(extents)?;
    let extent = |at| if at == axis { total } else { first.shape[at] };
    let mut part = ret.new_room(&per_axis(first.shape.len(), extent))?;
    for item in items {
        let array = item.array()?;
        part.shape[axis] = array.shape[axis];
        copy(array, &part);
        let bytes = part.strides[axis].wrapping_mul(array.shape[axis] as isize);
        part.data = part.data.wrapping_offset(bytes);
    }
    Ok(())
}
