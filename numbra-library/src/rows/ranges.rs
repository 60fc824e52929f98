//! Ranges and slices.

use super::builtins::best;
use crate::row_macro::rule;
use crate::rules::{scalar_at, to_int64};
use crate::{Effects, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{Const, Scalar, Signature, Type, TypeKind};

library! {
    /// First number.
    attr range.start(x) { bodies: &[rule(&[P::Range], range_field, Op::RangeField(0))] }
    /// Bound that is not reached.
    attr range.stop(x) { bodies: &[rule(&[P::Range], range_field, Op::RangeField(1))] }
    /// Increment.
    attr range.step(x) { bodies: &[rule(&[P::Range], range_step, Op::RangeField(2))] }
    /// Lower bound.
    attr slice.start(x) { bodies: &[rule(&[P::Slice], to_int64, Op::SliceField(0))] }
    /// Upper bound.
    attr slice.stop(x) { bodies: &[rule(&[P::Slice], to_int64, Op::SliceField(1))] }
    /// Increment.
    attr slice.step(x) { bodies: &[rule(&[P::Slice], to_int64, Op::SliceField(2))] }
    /// `(start, stop, step)` for a sequence of length `n`; ValueError for a zero step or a negative length.
    method slice.indices(x, n) {
        effects: Effects::RAISE, bodies: &[rule(&[P::Slice, P::Int], slice_indices, Op::SliceIndices)],
    }
    /// Numbers from `start` to `stop` by `step`; ValueError for a zero step.
    fn builtins.range(start, stop = Unset, step = Unset) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Scalar], range, Op::RangeNew)],
    }
    /// `range(..)` whose iterations may run in parallel, in functions compiled with `parallel=True`.
    fn numbra.prange(start, stop = Unset, step = Unset) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Scalar], range, Op::ParallelRangeNew)],
    }
    /// A slice from integers or `None`.
    fn builtins.slice(start, stop = Unset, step = Unset) {
        bodies: &[rule(&[P::OneOf(&[P::None, P::Real])], slice, Op::SliceNew)],
    }
}

/// Whether an argument is a signed integer, and no constant from 0 on.
fn may_be_negative(cx: &ResultCx<'_>, i: usize) -> bool {
    let constant = match cx.types.kind(cx.args[i]) {
        TypeKind::Literal(Const::Int(value)) => Some(*value),
        _ => None,
    };
    let signed = scalar_at(cx, i).is_ok_and(Scalar::is_signed_int);
    signed && constant.is_none_or(|value| value < 0)
}

/// `range(..)`: int32, int64 or, of bounds that are not below 0, uint64, whichever the arguments convert to best. Lowering
/// converts floats, as integers of
/// unlike signs join to, and what has no sign, and looks at the sign of the step.
fn range(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    for i in 0..cx.args.len() {
        if scalar_at(cx, i)?.is_complex() {
            return Err(Mismatch::rejected("range takes integers"));
        }
    }
    let unsigned = (0..cx.args.len()).any(|i| cx.plain(i) == Type::UINT64);
    let below_zero = (0..cx.args.len().min(2)).any(|i| may_be_negative(cx, i));
    let item = match (unsigned, below_zero) {
        (true, true) => best(cx, &[Type::INT64])?,
        _ => best(cx, &[Type::INT32, Type::INT64, Type::UINT64])?,
    };
    let params = (0..cx.args.len())
        .map(|i| match scalar_at(cx, i)? {
            s if s.is_float() => Ok(cx.plain(i)),
            Scalar::UInt64 => Ok(Type::UINT64),
            _ if i == 2 && item == Type::UINT64 => Ok(Type::INT64),
            _ => Ok(item),
        })
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    Ok(Signature {
        params,
        ret: cx.types.intern(TypeKind::Range(item)),
    })
}

/// `slice(..)`: with a step only if one is given. Floats, as integers of unlike signs join to, and
/// what is too large for an int64 are converted by lowering.
fn slice(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let params = (0..cx.args.len())
        .map(|i| match cx.plain(i) {
            Type::NONE => Ok(Type::NONE),
            ty => match cx.types.as_scalar(ty) {
                Some(Scalar::UInt64) => Ok(Type::UINT64),
                Some(s) if s.is_int() => Ok(Type::INT64),
                Some(s) if s.is_float() => Ok(ty),
                _ => Err(Mismatch::rejected("slice bounds are integers or None")),
            },
        })
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    let ret = match params.len() {
        1 | 2 => Type::SLICE2,
        3 if params[2] == Type::NONE => Type::SLICE2,
        3 => Type::SLICE3,
        _ => return Err(Mismatch::rejected("slice takes one to three arguments")),
    };
    Ok(Signature { params, ret })
}

/// `slice.indices(n)`
fn slice_indices(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.plain(0), cx.count(1)],
        ret: cx.types.tuple(&[Type::INT64; 3]),
    })
}

/// `range.start` and its kin.
fn range_field(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Range(item) => cx.returns(*item),
        _ => Err(Mismatch::rejected("no range")),
    }
}

/// `range.step`: signed, also where the items are not.
fn range_step(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Range(Type::UINT64) => cx.returns(Type::INT64),
        _ => range_field(cx),
    }
}
