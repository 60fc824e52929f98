//! Functions that make arrays.

use crate::row_macro::{native, rule};
use crate::rules::{arrays, statistics};
use crate::{Effects, Fill, Op, Targets, Threads, TypePattern as P};

const NEW: Effects = Effects::ALLOC.and(Effects::RAISE);

library! {
    /// A new array without set contents, float64 unless a dtype is given.
    fn numpy.empty(shape, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], arrays::create, Op::ArrayNew(Fill::Uninit))],
    }
    /// A new array of zeros, float64 unless a dtype is given.
    fn numpy.zeros(shape, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], arrays::create, Op::ArrayNew(Fill::Zero))],
    }
    /// A new array of ones, float64 unless a dtype is given.
    fn numpy.ones(shape, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], arrays::create, Op::ArrayNew(Fill::One))],
    }
    /// A new array of one value, of the value's type unless a dtype is given.
    fn numpy.full(shape, fill_value, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any, P::Any], arrays::full, Op::ArrayNew(Fill::Value))],
    }
    /// A new array of the shape and type of another, without set contents.
    fn numpy.empty_like(prototype, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], arrays::create_like, Op::ArrayNewLike(Fill::Uninit))],
    }
    /// A new array of zeros of the shape and type of another.
    fn numpy.zeros_like(a, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], arrays::create_like, Op::ArrayNewLike(Fill::Zero))],
    }
    /// A new array of ones of the shape and type of another.
    fn numpy.ones_like(a, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], arrays::create_like, Op::ArrayNewLike(Fill::One))],
    }
    /// A new array of one value, of the shape and type of another.
    fn numpy.full_like(a, fill_value, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], arrays::full_like, Op::ArrayNewLike(Fill::Value))],
    }
    /// `num` numbers from `start` to `stop`, both included.
    fn numpy.linspace(start, stop, num = Int(50)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Scalar, P::Scalar, P::Any], statistics::spaced, "numbra_np_linspace").threads(Threads::Elements)],
    }
}
