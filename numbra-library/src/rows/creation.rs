//! Functions that make arrays.

use crate::row_macro::{native, prelude, rule};
use crate::rules::{arrays, statistics};
use crate::{Effects, Fill, Op, Shape, Targets, TypePattern as P};

const NEW: Effects = Effects::ALLOC.and(Effects::RAISE);

const INT_OR_NONE: P = P::OneOf(&[P::Int, P::None]);
const REAL_OR_NONE: P = P::OneOf(&[P::Real, P::None]);

library! {
    /// A new array without set contents, float64 unless a dtype is given.
    fn numpy.empty(shape, dtype = None) {
        effects: NEW, shape: Shape::FromArg(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], arrays::create, Op::ArrayNew(Fill::Uninit))],
    }
    /// A new array of zeros, float64 unless a dtype is given.
    fn numpy.zeros(shape, dtype = None) {
        effects: NEW, shape: Shape::FromArg(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], arrays::create, Op::ArrayNew(Fill::Zero))],
    }
    /// A new array of ones, float64 unless a dtype is given.
    fn numpy.ones(shape, dtype = None) {
        effects: NEW, shape: Shape::FromArg(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], arrays::create, Op::ArrayNew(Fill::One))],
    }
    /// A new array of one value, of the value's type unless a dtype is given.
    fn numpy.full(shape, fill_value, dtype = None) {
        effects: NEW, shape: Shape::FromArg(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Scalar, P::Any], arrays::full, Op::ArrayNew(Fill::Value))],
    }
    /// A new array of the shape and type of another, without set contents.
    fn numpy.empty_like(prototype, dtype = None) {
        effects: NEW, shape: Shape::SameAs(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ArrayLike, P::Any], arrays::create_like, Op::ArrayNewLike(Fill::Uninit))],
    }
    /// A new array of zeros of the shape and type of another.
    fn numpy.zeros_like(a, dtype = None) {
        effects: NEW, shape: Shape::SameAs(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ArrayLike, P::Any], arrays::create_like, Op::ArrayNewLike(Fill::Zero))],
    }
    /// A new array of ones of the shape and type of another.
    fn numpy.ones_like(a, dtype = None) {
        effects: NEW, shape: Shape::SameAs(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ArrayLike, P::Any], arrays::create_like, Op::ArrayNewLike(Fill::One))],
    }
    /// A new array of one value, of the shape and type of another.
    fn numpy.full_like(a, fill_value, dtype = None) {
        effects: NEW, shape: Shape::SameAs(0), targets: Targets::Cpu,
        bodies: &[rule(&[P::ArrayLike, P::Scalar, P::Any], arrays::full_like, Op::ArrayNewLike(Fill::Value))],
    }
    /// Numbers from `start` to `stop` by `step`: int64 for integers, else float64, unless a dtype is given.
    fn numpy.arange(start, stop = None, step = None, dtype = None) {
        effects: NEW, shape: Shape::Unknown, targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::Int, INT_OR_NONE, INT_OR_NONE, P::None], "arange_int"),
            prelude(&[P::Int, INT_OR_NONE, INT_OR_NONE, P::DTypeLike], "arange_int_dtype"),
            prelude(&[P::Real, REAL_OR_NONE, REAL_OR_NONE, P::None], "arange_float"),
            prelude(&[P::Real, REAL_OR_NONE, REAL_OR_NONE, P::DTypeLike], "arange_float_dtype"),
        ],
    }
    /// Ones on the `k`-th diagonal of an `N` by `M` array, zeros elsewhere.
    fn numpy.eye(N, M = None, k = Int(0), dtype = None) {
        effects: NEW, shape: Shape::Unknown, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Int, INT_OR_NONE, P::Int, P::DTypeLike], "eye")],
    }
    /// The identity matrix of order `n`, float64 unless a dtype is given.
    fn numpy.identity(n, dtype = None) {
        effects: NEW, shape: Shape::Unknown, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Int, P::DTypeLike], "identity")],
    }
    /// `num` numbers from `start` to `stop`, both included.
    fn numpy.linspace(start, stop, num = Int(50)) {
        effects: NEW, shape: Shape::Unknown, targets: Targets::Cpu,
        bodies: &[native(&[P::Scalar, P::Scalar, P::Any], statistics::spaced, "numbra_np_linspace")],
    }
}
