//! The steps of protocols: iteration, which `for` loops and unpacking are made of, and making named tuples.

use crate::row_macro::rule;
use crate::rules::{iteration as it, tuples};
use crate::{Effects, Op, TypePattern as P};

library! {
    /// `iter(x)`: over a range, an array's first axis, a homogeneous tuple, `array.flat`; an iterator is itself.
    step iteration.getiter(x) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Flat], it::getiter, Op::ArrayFlatIter),
            rule(&[P::Iterable], it::getiter, Op::GetIter),
        ],
    }
    /// Every index of a shape as a tuple, the last axis fastest.
    fn numpy.ndindex(*shape) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::ShapeLike], it::ndindex, Op::NdIndexNew)],
    }
    /// `ndindex(..)` whose iterations may run in parallel, in functions compiled with `parallel=True`.
    fn numbra.pndindex(*shape) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::ShapeLike], it::ndindex, Op::ParallelNdIndexNew)],
    }
    /// Pairs of index and element, in C order.
    fn numpy.ndenumerate(arr) {
        effects: Effects::READ,
        bodies: &[rule(&[P::Array], it::ndenumerate, Op::NdEnumerateNew)],
    }
    /// The elements of an array, or of several broadcast together, as arrays without axes: in C order, or in Fortran order where
    /// all arrays of the common rank are contiguous so.
    fn numpy.nditer(arrays) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::Any], it::nditer, Op::NdIterNew)],
    }
    /// `Point(x, y)` of a named tuple class, once its arguments are in the order of the fields.
    step namedtuple.new(*items) {
        bodies: &[rule(&[P::Any], tuples::new, Op::TupleNew)],
    }
    /// Advances an iterator: a pair of the item and whether there was one.
    step iteration.iternext(x) {
        effects: Effects::READ.and(Effects::STATE).and(Effects::RAISE),
        bodies: &[rule(&[P::Iterator], it::iternext, Op::IterNext)],
    }
}
