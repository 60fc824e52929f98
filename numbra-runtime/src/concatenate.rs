//! `np.concatenate`.

use crate::array::View;
use crate::strided::copy;
use crate::value::{Arg, Failure, Ret, bad_call, value_error};

/// `(tuple of arrays, int64 axis) -> array`
pub(crate) fn concatenate(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let Arg::Tuple(items) = &args[0] else {
        return Err(bad_call());
    };
    let arrays: Vec<&View> = items.iter().map(Arg::array).collect::<Result<_, _>>()?;
    let first = *arrays.first().ok_or_else(bad_call)?;
    let axis = args[1].axis(first.shape.len())?;
    let axis = axis.ok_or_else(bad_call)?;
    let mut shape = first.shape.clone();
    shape[axis] = 0;
    for array in &arrays {
        if array.shape.len() != shape.len() {
            return Err(bad_call());
        }
        let others = (0..shape.len()).filter(|&a| a != axis);
        if others.into_iter().any(|a| array.shape[a] != shape[a]) {
            let message = "np.concatenate(): input sizes over dimension do not match";
            return Err(value_error(message));
        }
        shape[axis] += array.shape[axis];
    }
    let out = ret.new_room(&shape)?;
    let mut at = 0_usize;
    for array in arrays {
        let mut part = out.clone();
        let start = out.strides[axis].wrapping_mul(at as isize);
        part.data = out.data.wrapping_offset(start);
        part.shape.clone_from(&array.shape);
        copy(array, &part);
        at += array.shape[axis];
    }
    Ok(())
}
