//! Shapes that have to fit each other, and what is said of those that do not.

use crate::array::Axes;
use crate::value::{Failure, value_error};
use smallvec::smallvec;

/// The shape that all of these broadcast to.
pub(crate) fn broadcast_shape(shapes: &[&[usize]]) -> Option<Axes<usize>> {
    let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out: Axes<usize> = smallvec![1; rank];
    for shape in shapes {
        let skip = rank - shape.len();
        for (to, &extent) in out[skip..].iter_mut().zip(*shape) {
            if *to == 1 {
                *to = extent;
            } else if extent != 1 && extent != *to {
                return None;
            }
        }
    }
    Some(out)
}

/// As [`broadcast_shape`]; ValueError in the words of functions that are no ufuncs where there is none.
pub(super) fn single_shape(shapes: &[&[usize]]) -> Result<Axes<usize>, Failure> {
    broadcast_shape(shapes).ok_or_else(|| {
        value_error(format!(
            "shape mismatch: objects cannot be broadcast to a single shape: shapes {}",
            operand_shapes(shapes)
        ))
    })
}

/// ValueError in the words of ufuncs: operands that do not broadcast.
pub(super) fn not_together(shapes: &[&[usize]]) -> Failure {
    value_error(format!(
        "operands could not be broadcast together with shapes {}",
        operand_shapes(shapes)
    ))
}

/// A shape as Python shows it.
pub(super) fn shape_text(shape: &[usize]) -> String {
    joined(shape, ", ")
}

/// Shapes in NumPy's words for operands: `(2,3) (3,)`.
pub(crate) fn operand_shapes(shapes: &[&[usize]]) -> String {
    let tuples: Vec<String> = shapes.iter().map(|shape| joined(shape, ",")).collect();
    tuples.join(" ")
}

fn joined(shape: &[usize], comma: &str) -> String {
    let extents: Vec<String> = shape.iter().map(usize::to_string).collect();
    match shape {
        [_] => format!("({},)", extents[0]),
        _ => format!("({})", extents.join(comma)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_said_as_numpy_does() {
        assert_eq!(operand_shapes(&[&[2, 3], &[3], &[]]), "(2,3) (3,) ()");
        assert_eq!(shape_text(&[2, 3]), "(2, 3)");
        assert_eq!(
            broadcast_shape(&[&[2, 3], &[3]]).as_deref(),
            Some(&[2, 3][..])
        );
        let said =
            "shape mismatch: objects cannot be broadcast to a single shape: shapes (3,) (4,2)";
        assert_eq!(single_shape(&[&[3], &[4, 2]]), Err(value_error(said)));
    }
}
