//! What lowering can write in place of a call of a native body. Arguments that do not fit, and results that differ, go to the body.

use crate::CmpOp;

/// What runs in place of a native body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inline {
    /// Of arrays of few numbers.
    Few(Few),
    /// Of a tuple of few arrays, and for some an axis, the array of all of them.
    Join(Join),
    /// Of an array and an array of indices, the elements there; with an axis only where that is `None`.
    Take,
}

/// What is made of few numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Few {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// Their mean.
    Mean,
    /// The element for which the comparison with all others holds.
    Extreme(CmpOp),
    /// Where the first of these is.
    Place(CmpOp),
    /// Whether one is not 0.
    Any,
    /// Whether none is 0.
    All,
    /// The sum of products with another array's.
    Dot,
    /// The root of the sum of squares.
    Norm,
    /// The cross product with another array, both of three elements.
    Cross,
}

/// How arrays are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Join {
    /// Along the axis that is given.
    Concatenate,
    /// Along a new axis, at the place that is given.
    Stack,
    /// Along the second axis, or the only one.
    Horizontal,
    /// Along the first axis of two.
    Vertical,
    /// Along the third axis.
    Depth,
    /// As the columns of a matrix.
    Columns,
}

impl Join {
    /// True if the axis is an argument.
    pub fn has_axis(self) -> bool {
        matches!(self, Join::Concatenate | Join::Stack)
    }

    /// The axis of the result along which arrays follow one another: the `given` one, or of arrays of so many axes.
    pub fn axis(self, given: usize, ndim: usize) -> usize {
        match self {
            Join::Concatenate | Join::Stack => given,
            Join::Horizontal => usize::from(ndim > 1),
            Join::Vertical => 0,
            Join::Depth => 2,
            Join::Columns => 1,
        }
    }

    /// Where an array of so many axes gets new ones, one after another.
    pub fn new_axes(self, given: usize, ndim: usize) -> Vec<usize> {
        match (self, ndim) {
            (Join::Stack, _) => vec![given],
            (Join::Horizontal, 0) | (Join::Vertical, 1) => vec![0],
            (Join::Vertical | Join::Columns, 0) => vec![0, 0],
            (Join::Columns, 1) => vec![1],
            (Join::Depth, 0) => vec![0, 0, 2],
            (Join::Depth, 1) => vec![0, 2],
            (Join::Depth, 2) => vec![2],
            (
                Join::Concatenate | Join::Horizontal | Join::Vertical | Join::Columns | Join::Depth,
                _,
            ) => Vec::new(),
        }
    }
}
