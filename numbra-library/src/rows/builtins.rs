//! Python's builtin functions.

use super::sigs::*;
use crate::row_macro::{cases, native, on_arrays, prelude, rule};
use crate::rules::{arrays, builtins, iteration, operators as ops, to_bool, to_int64, tuples};
use crate::{ArrayAttr, DivModel, Effects, ListOp, Op, Rounding, SetOp, TypePattern as P};

use super::ufuncs;

library! {
    /// `|x|`
    fn builtins.abs(x) {
        bodies: &[cases(ABS, Op::Abs), on_arrays(&ufuncs::ABSOLUTE)],
    }
    /// The smallest of two or more numbers, at their common type, or of the items of one iterable.
    fn builtins.min(*args) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            rule(&[P::Scalar], builtins::extreme, Op::Min),
            rule(&[P::Tuple], tuples::extreme, Op::TupleMin),
            prelude(&[P::Iterable], "min_of_iterable"),
        ],
    }
    /// The greatest of two or more numbers, at their common type, or of the items of one iterable.
    fn builtins.max(*args) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            rule(&[P::Scalar], builtins::extreme, Op::Max),
            rule(&[P::Tuple], tuples::extreme, Op::TupleMax),
            prelude(&[P::Iterable], "max_of_iterable"),
        ],
    }
    /// CPython's hash of a number, or of a tuple of numbers; that of a NaN is 0.
    fn builtins.hash(x) {
        effects: Effects::READ, targets: crate::Targets::Cpu,
        bodies: &[native(&[P::OneOf(&[P::Scalar, P::Tuple])], tuples::hash, "numbra_rt_hash")],
    }
    /// Sum of the items of an iterable, from left to right.
    fn builtins.sum(iterable, start = Int(0)) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Tuple, P::Scalar], tuples::sum, Op::TupleSum),
            prelude(&[P::Iterable, P::Scalar], "sum_of_iterable"),
            rule(&[P::Any, P::Any], builtins::sum_of_text, Op::NoneValue),
        ],
    }
    /// Numbers from `start` to `stop` by `step`; ValueError for a zero step.
    fn builtins.range(start, stop = Unset, step = Unset) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Scalar], builtins::range, Op::RangeNew)],
    }
    /// Number of items.
    fn builtins.len(x) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Array], to_int64, Op::ArrayLen),
            rule(&[P::Tuple], tuples::len, Op::TupleLen),
            rule(&[P::Range], to_int64, Op::RangeLen),
            native(&[P::Unicode], to_int64, "numbra_rt_str_len"),
            rule(&[P::List], to_int64, Op::List(ListOp::Len)),
            rule(&[P::Flat], to_int64, Op::ArrayAttr(ArrayAttr::Size)),
            rule(&[P::Set], to_int64, Op::Set(SetOp::Len)),
        ],
    }
    /// Converts to an integer, truncating; an integer keeps its type.
    fn builtins.int(x = Int(0)) {
        bodies: &[rule(&[P::Scalar], builtins::int, Op::Convert)],
    }
    /// Converts to a float; float32 stays float32.
    fn builtins.float(x = Float(0.0)) {
        bodies: &[rule(&[P::Scalar], builtins::float, Op::Convert)],
    }
    /// A complex number from one number or from its two parts.
    fn builtins.complex(real = Float(0.0), imag = Unset) {
        bodies: &[
            rule(&[P::Real, P::Real], builtins::complex_parts, Op::MakeComplex),
            rule(&[P::Scalar], builtins::complex, Op::Convert),
        ],
    }
    /// Truth value.
    fn builtins.bool(x = Bool(false)) {
        bodies: &[rule(&[ops::TRUTHY], to_bool, Op::Truth)],
    }
    /// Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals.
    fn builtins.round(x, ndigits = Unset) {
        bodies: &[
            cases(sigs![F32 => I64; F64 => I64], Op::RoundToInt(Rounding::Nearest)),
            cases(sigs![F32, I64 => F32; F64, I64 => F64], Op::RoundDigits),
        ],
    }
    /// `(x // y, x % y)`; by zero raises ZeroDivisionError under the `python` error model.
    fn builtins.divmod(x, y) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Real, P::Real], builtins::divmod, Op::DivMod(DivModel::Python))],
    }
    /// `x ** y`
    fn builtins.pow(x, y) {
        effects: Effects::RAISE,
        bodies: &[
            cases(POW, Op::Pow),
            on_arrays(&ufuncs::POWER),
        ],
    }
    /// Pairs of a counter and an item.
    fn builtins.enumerate(iterable, start = Unset) {
        effects: Effects::READ,
        bodies: &[rule(&[P::Any, P::Any], iteration::enumerate, Op::EnumerateNew)],
    }
    /// Tuples of one item of each iterable, as long as the shortest.
    fn builtins.zip(*iterables) {
        effects: Effects::READ,
        bodies: &[rule(&[P::Any], iteration::zip, Op::ZipNew)],
    }
    /// An iterator over `x`.
    fn builtins.iter(x) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Flat], iteration::getiter, Op::ArrayFlatIter),
            rule(&[P::Iterable], iteration::getiter, Op::GetIter),
        ],
    }
    /// The next item of an iterator, or StopIteration.
    fn builtins.next(iterator) {
        effects: Effects::READ.and(Effects::STATE).and(Effects::RAISE),
        bodies: &[rule(&[P::Iterator], iteration::next, Op::Next)],
    }
    /// True if `x` is of one of the classes, decided by type. `int`, `float` and `complex` stand for int64, float64
    /// and complex128, as in Numba.
    fn builtins.isinstance(x, classes) {
        bodies: &[rule(&[P::Any, P::Any], builtins::isinstance, Op::Constant)],
    }
    /// The class of a number.
    fn builtins.type(x) {
        bodies: &[rule(&[P::Scalar], builtins::type_of, Op::NoneValue)],
    }
    /// Prints its arguments separated by spaces, then a newline.
    fn builtins.print(*args) {
        effects: Effects::IO.and(Effects::READ), targets: crate::Targets::Cpu,
        bodies: &[rule(&[], builtins::print, Op::Print)],
    }
    /// A slice from integers or `None`.
    fn builtins.slice(start, stop = Unset, step = Unset) {
        bodies: &[rule(&[P::OneOf(&[P::None, P::Int])], builtins::slice, Op::SliceNew)],
    }
    /// The tuple itself.
    fn builtins.tuple(x) {
        bodies: &[rule(&[P::Tuple], tuples::same, Op::Identity)],
    }
    /// The only element of an array, or the number itself: `x.item()`.
    method array.item(x) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::Array], arrays::item, Op::ArrayItem)],
    }
}
