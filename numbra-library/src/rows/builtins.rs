//! Python's builtin functions.

use super::sigs::*;
use super::text::MAKES;
use crate::row_macro::{
    cases, cases_of, guarded_on_gpu, guarded_prelude, native, on_arrays, on_gpu, prelude,
    prelude_at, rule,
};
use crate::rules::{
    arrays, builtins, iteration, literal_lists, operators as ops, text, to_bool, to_int64, tuples,
};
use crate::{
    ArrayAttr, DictOp, DivModel, Effects, ListOp, Op, Rounding, SetOp, Targets, TypePattern as P,
};
use numbra_ir::Scalar;

use super::ufuncs;

/// Numbers whose text follows from their value alone.
const WIDE: &[P] = &[P::OneOf(&[
    P::Int,
    P::Is(Scalar::Float64),
    P::Is(Scalar::Complex128),
])];
/// Numbers with fewer digits.
const NARROW: &[P] = &[P::OneOf(&[
    P::Is(Scalar::Float32),
    P::Is(Scalar::Complex64),
])];

/// A format specification, if one is given.
const SPEC: P = P::OneOf(&[P::Text, P::None]);

/// What making a generator does.
const LAZY: Effects = Effects::READ.and(Effects::ALLOC);

library! {
    /// `|x|`
    fn builtins.abs(x) {
        bodies: &[cases(ABS, Op::Abs), on_arrays(&ufuncs::ABSOLUTE)],
    }
    /// The smallest of two or more numbers, at their common type, or strings, or of the items of one iterable. Of floats on a
    /// GPU, a NaN loses.
    fn builtins.min(*args) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            rule(&[P::Scalar], builtins::extreme, Op::Min),
            rule(&[P::Time], builtins::time_extreme, Op::Min),
            prelude_at(&[P::Text], builtins::text_extreme, "min_of_iterable"),
            rule(&[P::Tuple], tuples::extreme, Op::TupleMin),
            guarded_prelude(&[P::Iterable], builtins::is_single, "min_of_iterable"),
        ],
    }
    /// The greatest of two or more numbers, at their common type, or strings, or of the items of one iterable. Of floats on a
    /// GPU, a NaN loses.
    fn builtins.max(*args) {
        effects: Effects::RAISE.and(Effects::READ),
        bodies: &[
            rule(&[P::Scalar], builtins::extreme, Op::Max),
            rule(&[P::Time], builtins::time_extreme, Op::Max),
            prelude_at(&[P::Text], builtins::text_extreme, "max_of_iterable"),
            rule(&[P::Tuple], tuples::extreme, Op::TupleMax),
            guarded_prelude(&[P::Iterable], builtins::is_single, "max_of_iterable"),
        ],
    }
    /// CPython's hash of a number, or of a tuple of numbers; that of a NaN is 0.
    fn builtins.hash(x) method [bool.__hash__, int.__hash__, float.__hash__, complex.__hash__, tuple.__hash__] {
        effects: Effects::READ, targets: crate::Targets::Cpu,
        bodies: &[on_gpu(&[P::Int], "device_hash"), native(&[P::OneOf(&[P::Scalar, P::Tuple])], tuples::hash, "numbra_np_hash"), rule(&[P::Time], to_int64, Op::Convert)],
    }
    /// Sum of the items of an iterable, from left to right.
    fn builtins.sum(iterable, start = Int(0)) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Tuple, P::Scalar], tuples::sum, Op::TupleSum),
            prelude(&[P::Iterable, P::OneOf(&[P::Scalar, P::Time])], "sum_of_iterable"),
            rule(&[P::Any, P::Any], builtins::sum_of_text, Op::NoneValue),
        ],
    }
    /// `getattr(object, name)` of an attribute that the object has not: AttributeError.
    step attribute.missing(object, name) {
        effects: Effects::RAISE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::LiteralStr], builtins::no_attribute, Op::NoAttribute)],
    }
    /// The value itself; of an optional what it holds, TypeError if that is `None`.
    step optional.value(x) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Any], builtins::unwrapped, Op::Identity)],
    }
    /// Numbers from `start` to `stop` by `step`; ValueError for a zero step.
    fn builtins.range(start, stop = Unset, step = Unset) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Scalar], builtins::range, Op::RangeNew)],
    }
    /// `range(..)` whose iterations may run in parallel, in functions compiled with `parallel=True`.
    fn numbra.prange(start, stop = Unset, step = Unset) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Scalar], builtins::range, Op::ParallelRangeNew)],
    }
    /// Number of items.
    fn builtins.len(x) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Array], to_int64, Op::ArrayLen),
            rule(&[P::Tuple], tuples::len, Op::TupleLen),
            rule(&[P::Range], to_int64, Op::RangeLen),
            rule(&[P::OneOf(&[P::Unicode, P::CharSeq])], to_int64, Op::CharSeqLen),
            rule(&[P::List], to_int64, Op::List(ListOp::Len)),
            rule(&[P::Flat], to_int64, Op::ArrayAttr(ArrayAttr::Size)),
            rule(&[P::Set], to_int64, Op::Set(SetOp::Len)),
            rule(&[P::OneOf(&[P::Dict, P::DictView])], to_int64, Op::Dict(DictOp::Len)),
            rule(&[P::Buffer], to_int64, Op::ArrayLen),
            rule(&[P::LiteralList], literal_lists::len, Op::Constant),
        ],
    }
    /// Converts to an integer, truncating; an integer keeps its type.
    fn builtins.int(x = Int(0)) {
        bodies: &[rule(&[P::Scalar], builtins::int, Op::Convert), rule(&[P::Duration], to_int64, Op::Convert)],
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
    /// The text of a string or char sequence; a number as Python writes it.
    fn builtins.str(x) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Text], builtins::str, Op::Identity),
            native(&[P::Bool], builtins::str, "numbra_np_str_of_bool"),
            native(WIDE, builtins::str, "numbra_np_str_of_number"),
            native(NARROW, builtins::str, "numbra_np_str_of_narrow_number"),
            native(&[P::None], builtins::str, "numbra_np_str_of_none"),
            prelude(&[P::Optional], "str_of_optional"),
        ],
    }
    /// A number or string by a format specification: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`; a `bool`
    /// is an integer, a `float32` the `float64` of its value. What a field of an f-string makes.
    fn builtins.format(x, spec = None) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Text, SPEC], text::to_text, "numbra_np_str_format"),
            native(&[P::Bool, SPEC], builtins::format, "numbra_np_str_format_bool"),
            native(&[P::Scalar, SPEC], builtins::format, "numbra_np_str_format"),
            native(&[P::None, SPEC], builtins::format, "numbra_np_str_format_none"),
            prelude(&[P::Optional, SPEC], "format_of_optional"),
        ],
    }
    /// A string as Python writes it in a program; a number as `str` does.
    fn builtins.repr(x) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Text], text::to_text, "numbra_np_str_repr"),
            native(&[P::Bool], builtins::str, "numbra_np_str_of_bool"),
            native(WIDE, builtins::str, "numbra_np_str_of_number"),
            native(&[P::None], builtins::str, "numbra_np_str_of_none"),
            prelude(&[P::Optional], "repr_of_optional"),
        ],
    }
    /// The number of a character; TypeError for a string of another length than 1.
    fn builtins.ord(c) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::Text], text::to_number, "numbra_np_str_ord")],
    }
    /// The string of the character with a number; ValueError for numbers that no character has.
    fn builtins.chr(i) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Int], builtins::chr, "numbra_np_str_chr")],
    }
    /// The bytes of a char sequence, without the zeros at its end.
    fn builtins.bytes(x) {
        effects: Effects::READ,
        bodies: &[rule(&[P::OneOf(&[P::CharSeq, P::Buffer])], builtins::bytes, Op::Identity)],
    }
    /// Truth value.
    fn builtins.bool(x = Bool(false)) {
        bodies: &[rule(&[ops::TRUTHY], to_bool, Op::Truth)],
    }
    /// Nearest integer, ties to even; with `ndigits` a float rounded to that many decimals.
    fn builtins.round(x, ndigits = Unset) {
        bodies: &[
            guarded_on_gpu(&[P::Is(F64), P::Int], |_, args| args.len() == 2, "device_round_digits"), guarded_on_gpu(&[P::Is(F32), P::Int], |_, args| args.len() == 2, "device_round_single"),
            cases_of(&[P::Is(U64)], sigs![U64 => U64], Op::Identity),
            cases_of(&[P::Integral], sigs![I64 => I64], Op::Identity),
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
            cases(POW, Op::Pow(DivModel::Python)),
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
    /// Whether an item is true.
    fn builtins.any(iterable) {
        effects: Effects::READ,
        bodies: &[prelude(&[P::Iterable], "any_of_iterable")],
    }
    /// Whether no item is false.
    fn builtins.all(iterable) {
        effects: Effects::READ,
        bodies: &[prelude(&[P::Iterable], "all_of_iterable")],
    }
    /// A generator of the function's results, as long as the shortest of up to three iterables.
    fn builtins.map(function, *iterables) {
        effects: LAZY, targets: crate::Targets::Cpu,
        bodies: &[
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 2, "map_of_one"),
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 3, "map_of_two"),
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 4, "map_of_three"),
        ],
    }
    /// A generator of the items for which the function's result is true, or which are true themselves.
    fn builtins.filter(function, iterable) {
        effects: LAZY, targets: crate::Targets::Cpu,
        bodies: &[
            prelude(&[P::None, P::Iterable], "filter_true"),
            prelude(&[P::Any, P::Iterable], "filter_items"),
        ],
    }
    /// Joins the items from left to right by a function of two arguments; TypeError when there is nothing to join.
    fn functools.reduce(function, iterable, initial = Unset) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 2, "reduce_items"),
            guarded_prelude(&[P::Any, P::Iterable, P::Any], |_, args| args.len() == 3, "reduce_from"),
        ],
    }
    /// The items from the last to the first: a range of a range, else a generator.
    fn builtins.reversed(sequence) {
        effects: LAZY.and(Effects::RAISE), targets: crate::Targets::Cpu,
        bodies: &[
            rule(&[P::Range], builtins::range_reversed, Op::RangeReversed),
            prelude(&[P::OneOf(&[P::List, P::Array, P::Tuple])], "reversed_items"),
        ],
    }
    /// The class of a number.
    fn builtins.type(x) {
        bodies: &[rule(&[P::Scalar], builtins::type_of, Op::NoneValue)],
    }
    /// Prints its arguments separated by spaces, then a newline.
    fn builtins.print(*args) {
        effects: Effects::IO.and(Effects::READ).and(Effects::RAISE), targets: crate::Targets::Cpu,
        bodies: &[rule(&[], builtins::print, Op::Print)],
    }
    /// A slice from integers or `None`.
    fn builtins.slice(start, stop = Unset, step = Unset) {
        bodies: &[rule(&[P::OneOf(&[P::None, P::Real])], builtins::slice, Op::SliceNew)],
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
