//! Result types of statistics, searches, sets and functions of each element.

use crate::rules::arrays::{array, check_mutable, check_output, tight};
use crate::rules::functions::{
    Typed, count_of, difference, is_array, is_int, is_like, is_none, is_number, is_real as real,
    like, like_of, literal_int, new, promoted, scalar, time, want, want_one_unit,
};
use crate::rules::reductions::accumulator;
use crate::{Mismatch, ResultCx, plain};
use numbra_ir::{Const, Layout, Scalar, Type, TypeKind, Types};

/// The scalar of argument `i` as an array.
fn kind(cx: &ResultCx<'_>, i: usize) -> Result<Scalar, Mismatch> {
    scalar(cx, like(cx, i)?.0)
}

/// The complex type of a complex number, else float64.
fn double(cx: &ResultCx<'_>, kinds: &[Scalar]) -> Type {
    if kinds.iter().any(|k| k.is_complex()) {
        cx.types.scalar(Scalar::Complex128)
    } else {
        Type::FLOAT64
    }
}

/// A float or complex type as it is, else float64.
fn inexact(cx: &ResultCx<'_>, kind: Scalar) -> Type {
    if kind.is_float() || kind.is_complex() {
        cx.types.scalar(kind)
    } else {
        Type::FLOAT64
    }
}

/// A number for a number, else a new array of that rank.
fn ranked(cx: &ResultCx<'_>, dtype: Type, ndim: u8) -> Type {
    if ndim == 0 {
        dtype
    } else {
        new(cx, dtype, ndim)
    }
}

/// As [`ranked`]; an array without axes stays one, an array in Fortran order gives such a one.
fn shaped(cx: &ResultCx<'_>, dtype: Type, i: usize) -> Result<Type, Mismatch> {
    let (_, ndim) = like(cx, i)?;
    Ok(match cx.types.as_array(cx.plain(i)) {
        Some(array) => cx.types.array(dtype, ndim, tight(array.layout)),
        None => ranked(cx, dtype, ndim),
    })
}

/// One axis at least, sorted along the last: the same type.
pub(crate) fn sorted(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"a\" must be array-like"))?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    cx.returns(new(cx, dtype, ndim))
}

/// `a.sort()`
pub(crate) fn sort_in_place(cx: &ResultCx<'_>) -> Typed {
    if array(cx, 0)?.ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    sort_kind(cx)?;
    check_mutable(cx, cx.plain(0))?;
    cx.returns(Type::NONE)
}

/// `np.argsort(a, kind)`
pub(crate) fn argsort(cx: &ResultCx<'_>) -> Typed {
    let (_, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"a\" must be array-like"))?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    sort_kind(cx)?;
    cx.returns(new(cx, Type::INT64, ndim))
}

/// The way to sort that argument 1 names: every sort here is stable.
fn sort_kind(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    match cx.types.kind(cx.arg(1)) {
        TypeKind::Literal(Const::Str(kind)) | TypeKind::Omitted(Const::Str(kind)) => want(
            matches!(kind.as_str(), "quicksort" | "mergesort" | "stable"),
            &format!("Unsupported \"kind\": '{kind}'"),
        ),
        _ => Err(Mismatch::error("\"kind\" must be a string literal")),
    }
}

fn check_kth(cx: &ResultCx<'_>) -> Result<(Type, u8), Mismatch> {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The first argument must be an array-like"))?;
    want(
        cx.types.as_scalar(cx.plain(0)).is_none(),
        "The first argument must be an array-like",
    )?;
    if ndim == 0 {
        return Err(Mismatch::error(
            "The first argument must be at least 1-D (found 0-D)",
        ));
    }
    want(
        kind(cx, 1).is_ok_and(Scalar::is_int),
        "Partition index must be integer",
    )?;
    Ok((dtype, ndim))
}

/// `np.partition(a, kth)`
pub(crate) fn partition(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = check_kth(cx)?;
    cx.returns(new(cx, dtype, ndim))
}

/// `np.argpartition(a, kth)`
pub(crate) fn argpartition(cx: &ResultCx<'_>) -> Typed {
    let (_, ndim) = check_kth(cx)?;
    cx.returns(new(cx, Type::INT64, ndim))
}

/// `np.searchsorted(a, v, side)`: of a number an integer.
pub(crate) fn searchsorted(cx: &ResultCx<'_>) -> Typed {
    match cx.types.kind(cx.arg(2)) {
        TypeKind::Literal(Const::Str(side)) | TypeKind::Omitted(Const::Str(side))
            if side != "left" && side != "right" =>
        {
            return Err(Mismatch::error(format!(
                "Invalid value given for 'side': {side}"
            )));
        }
        _ if cx.plain(2) != Type::UNICODE => {
            return Err(Mismatch::error(format!(
                "Invalid value given for 'side': {}",
                cx.show(cx.plain(2))
            )));
        }
        _ => {}
    }
    let (run, wanted) = (like(cx, 0)?.0, like(cx, 1)?.0);
    want_one_unit(cx, run, wanted)?;
    cx.returns(shaped(cx, Type::INT64, 1)?)
}

/// Whether `np.searchsorted(a, v, 'left')` is of numbers that compare without another type's help.
pub(crate) fn before_equals(types: &Types, args: &[Type]) -> bool {
    searches(types, args, "left")
}

/// As [`before_equals`], for `'right'`.
pub(crate) fn behind_equals(types: &Types, args: &[Type]) -> bool {
    searches(types, args, "right")
}

fn searches(types: &Types, args: &[Type], wanted: &str) -> bool {
    let side = args.get(2).map(|side| types.kind(*side));
    let Some(TypeKind::Literal(Const::Str(side)) | TypeKind::Omitted(Const::Str(side))) = side
    else {
        return false;
    };
    let item = types.as_array(args[0]).map(|array| array.dtype);
    let number = types.unliteral(args[1]);
    let plain = |ty| match types.as_scalar(ty) {
        Some(Scalar::Bool | Scalar::Float32 | Scalar::Float64) => true,
        other => other.is_some_and(Scalar::is_signed_int),
    };
    side == wanted && item.is_some_and(plain) && plain(number)
}

/// `np.digitize(x, bins, right)`
pub(crate) fn digitize(cx: &ResultCx<'_>) -> Typed {
    if like(cx, 1)?.1 != 1 {
        return Err(Mismatch::rejected("bins have one axis"));
    }
    if kind(cx, 0)?.is_complex() {
        return Err(Mismatch::error("x may not be complex"));
    }
    cx.returns(shaped(cx, Type::INT64, 0)?)
}

/// A set of two arrays: their common type, one axis.
pub(crate) fn set_of_both(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0) && is_like(cx, 1),
        "The arguments to np.union1d must be array-like",
    )?;
    let dtype = promoted(cx, like(cx, 0)?.0, like(cx, 1)?.0)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.setdiff1d`: the first array's type.
pub(crate) fn set_of_first(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    want_one_unit(cx, dtype, like(cx, 1)?.0)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.isin(element, test_elements)`
pub(crate) fn isin(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    want_one_unit(cx, dtype, like(cx, 1)?.0)?;
    cx.returns(new(cx, Type::BOOL, ndim))
}

fn check_real(cx: &ResultCx<'_>, i: usize) -> Result<(), Mismatch> {
    if kind(cx, i)?.is_complex() {
        return Err(Mismatch::error("Not supported for complex dtype"));
    }
    Ok(())
}

/// `np.median(a)`
pub(crate) fn median(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if let Some(time) = time(cx, dtype) {
        want(!time.is_date, "dates have no mean")?;
        return cx.returns(dtype);
    }
    check_real(cx, 0)?;
    cx.returns(Type::FLOAT64)
}

/// `np.percentile(a, q)` and its kin: a float, or a time of times, for a number `q`, else an array.
pub(crate) fn quantile(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    let at = match time(cx, dtype) {
        Some(_) => dtype,
        None => {
            check_real(cx, 0)?;
            Type::FLOAT64
        }
    };
    check_real(cx, 1)?;
    let (_, ndim) = like(cx, 1)?;
    cx.returns(match ndim {
        0 => at,
        _ => new(cx, at, 1),
    })
}

/// `np.nanmin`, `np.nanmax`: the element type.
pub(crate) fn element(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    cx.returns(dtype)
}

/// `np.nansum`, `np.nanprod`
pub(crate) fn total(cx: &ResultCx<'_>) -> Typed {
    cx.returns(valid_total(cx)?)
}

/// `np.nancumsum`, `np.nancumprod`
pub(crate) fn running(cx: &ResultCx<'_>) -> Typed {
    let dtype = valid_total(cx)?;
    cx.returns(new(cx, dtype, 1))
}

fn valid_total(cx: &ResultCx<'_>) -> Result<Type, Mismatch> {
    accumulator(cx, like(cx, 0)?.0)
}

/// `np.nanmean`: complex128 or float64.
pub(crate) fn mean(cx: &ResultCx<'_>) -> Typed {
    let kinds = [kind(cx, 0)?];
    cx.returns(double(cx, &kinds))
}

/// `np.average(a, axis, weights)`: the mean's type, or that of the products over that of the weights' sum.
pub(crate) fn average(cx: &ResultCx<'_>) -> Typed {
    if !is_none(cx, 1) {
        return Err(Mismatch::error("Numba does not support average with axis."));
    }
    let (dtype, _) = like(cx, 0)?;
    if is_none(cx, 2) {
        return cx.returns(inexact(cx, scalar(cx, dtype)?));
    }
    let weights = kind(cx, 2)?;
    let product = scalar(cx, promoted(cx, dtype, cx.types.scalar(weights))?)?;
    cx.returns(if weights.is_float() || weights.is_complex() {
        inexact(cx, product)
    } else {
        double(cx, &[product])
    })
}

/// `np.nanvar`, `np.nanstd`
pub(crate) fn spread(cx: &ResultCx<'_>) -> Typed {
    kind(cx, 0)?;
    if !(1..4).all(|i| is_none(cx, i)) {
        return Err(Mismatch::rejected("axis, dtype and out are not supported"));
    }
    cx.returns(Type::FLOAT64)
}

/// `np.nanargmin`, `np.nanargmax`
pub(crate) fn position(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if time(cx, dtype).is_none() && scalar(cx, dtype)?.is_complex() {
        return Err(Mismatch::rejected("the elements have no order"));
    }
    if is_none(cx, 1) {
        return cx.returns(Type::INT64);
    }
    want(is_int(cx, 1), "axis must be an integer")?;
    let (_, ndim) = like(cx, 0)?;
    want(ndim > 0, "a 0-d array has no axis")?;
    cx.returns(ranked(cx, Type::INT64, ndim - 1))
}

/// `np.ptp(a)`
pub(crate) fn ptp(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if dtype == Type::BOOL {
        return Err(Mismatch::error(
            "Boolean dtype is unsupported (as per NumPy)",
        ));
    }
    if let Some(difference) = difference(cx, dtype) {
        return cx.returns(difference);
    }
    cx.returns(accumulator(cx, dtype)?)
}

/// `np.bincount(a, weights, minlength)`
pub(crate) fn bincount(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("bincount() first argument must be an array"))?;
    if ndim != 1 {
        return Err(Mismatch::error(
            "bincount() first argument must be 1-dimensional",
        ));
    }
    if !scalar(cx, dtype)?.is_int() {
        return Err(Mismatch::error(
            "bincount() first argument must be an integer array",
        ));
    }
    if is_none(cx, 1) {
        return cx.returns(new(cx, Type::INT64, 1));
    }
    let weights =
        like(cx, 1).map_err(|_| Mismatch::error("bincount() weights argument must be an array"))?;
    if weights.1 != 1 {
        return Err(Mismatch::error(
            "bincount() weights argument must be 1-dimensional",
        ));
    }
    if scalar(cx, weights.0)?.is_complex() {
        return Err(Mismatch::rejected("weights are complex"));
    }
    cx.returns(new(cx, Type::FLOAT64, 1))
}

/// `np.histogram(a, bins, range)`
pub(crate) fn histogram(cx: &ResultCx<'_>) -> Typed {
    check_real(cx, 0)?;
    let counts = new(cx, Type::INT64, 1);
    let edges = match like(cx, 1)? {
        (dtype, 0) if scalar(cx, dtype)?.is_int() => new(cx, Type::FLOAT64, 1),
        (dtype, 1) => new(cx, dtype, 1),
        _ => {
            return Err(Mismatch::rejected(
                "bins is an integer or an array with one axis",
            ));
        }
    };
    if !is_none(cx, 2)
        && cx
            .types
            .tuple_items(cx.plain(2))
            .is_none_or(|items| items.len() != 2)
    {
        return Err(Mismatch::rejected("range is a pair of numbers"));
    }
    cx.returns(cx.types.tuple(&[counts, edges]))
}

/// `np.cov`: a matrix, or an array without axes for one variable.
pub(crate) fn cov(cx: &ResultCx<'_>) -> Typed {
    want(
        is_none(cx, 4) || real(cx, 4),
        "ddof must be a real numerical scalar type",
    )?;
    let (dtype, single) = covariance(cx)?;
    cx.returns(new(cx, dtype, if single { 0 } else { 2 }))
}

/// `np.corrcoef`: a matrix, or a number for one variable.
pub(crate) fn corrcoef(cx: &ResultCx<'_>) -> Typed {
    let (dtype, single) = covariance(cx)?;
    cx.returns(if single { dtype } else { new(cx, dtype, 2) })
}

/// The element type, and whether there is one variable.
fn covariance(cx: &ResultCx<'_>) -> Result<(Type, bool), Mismatch> {
    let (dtype, ndim) = like(cx, 0).map_err(|_| Mismatch::error("m must be array-like"))?;
    if ndim > 2 {
        return Err(Mismatch::error("m has more than 2 dimensions"));
    }
    let mut kinds = vec![scalar(cx, dtype)?];
    if !is_none(cx, 1) {
        let (other, rank) = like(cx, 1).map_err(|_| Mismatch::error("y must be array-like"))?;
        if rank > 2 {
            return Err(Mismatch::error("y has more than 2 dimensions"));
        }
        kinds.push(scalar(cx, other)?);
    }
    Ok((double(cx, &kinds), ndim < 2 && is_none(cx, 1)))
}

/// Whether the argument is a number or string.
pub(crate) fn is_scalar(cx: &ResultCx<'_>) -> Typed {
    let ty = cx.plain(0);
    let scalar = cx.types.as_scalar(ty).is_some()
        || cx.types.as_time(ty).is_some()
        || matches!(ty, Type::UNICODE | Type::BYTES);
    cx.returns(literal(cx, scalar))
}

/// Whether the elements are of a complex type.
pub(crate) fn is_complex(cx: &ResultCx<'_>) -> Typed {
    let complex = kind(cx, 0)?.is_complex();
    cx.returns(literal(cx, complex))
}

/// Whether the elements are of a real type.
pub(crate) fn is_real(cx: &ResultCx<'_>) -> Typed {
    let complex = kind(cx, 0)?.is_complex();
    cx.returns(literal(cx, !complex))
}

fn literal(cx: &ResultCx<'_>, value: bool) -> Type {
    cx.types.intern(TypeKind::Literal(Const::Bool(value)))
}

/// `np.diff(a, n)`
pub(crate) fn diff(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    let dtype = difference(cx, dtype).unwrap_or(dtype);
    cx.returns(new(cx, dtype, ndim))
}

/// `np.ediff1d(ary, to_end, to_begin)`
pub(crate) fn ediff1d(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if dtype == Type::BOOL {
        return Err(Mismatch::error(
            "Boolean dtype is unsupported (as per NumPy)",
        ));
    }
    let dtype = difference(cx, dtype).unwrap_or(dtype);
    for (i, name) in [(1, "to_end"), (2, "to_begin")] {
        if is_none(cx, i) {
            continue;
        }
        let (other, _) = like(cx, i)?;
        want_one_unit(cx, dtype, other)?;
        if cx.can_convert(other, dtype).is_none() {
            return Err(Mismatch::error(format!(
                "dtype of {name} must be compatible with input ary"
            )));
        }
    }
    cx.returns(new(cx, dtype, 1))
}

/// `np.trapezoid(y, x, dx)`: over the last axis.
pub(crate) fn trapezoid(cx: &ResultCx<'_>) -> Typed {
    let (y, ndim) = like(cx, 0).map_err(|_| Mismatch::error("y must be array-like"))?;
    want(ndim > 0 || is_array(cx, 0), "y cannot be a scalar")?;
    want(ndim > 0, "y cannot be 0D")?;
    let mut kinds = vec![scalar(cx, y)?, kind(cx, 2)?];
    if !is_none(cx, 1) {
        kinds.push(kind(cx, 1)?);
    }
    cx.returns(ranked(cx, double(cx, &kinds), ndim - 1))
}

/// `np.interp(x, xp, fp)`
pub(crate) fn interp(cx: &ResultCx<'_>) -> Typed {
    if like(cx, 1)?.1 != 1 {
        return Err(Mismatch::error("xp must be 1D"));
    }
    let (fp, rank) = like(cx, 2)?;
    if rank != 1 {
        return Err(Mismatch::error("fp must be 1D"));
    }
    if kind(cx, 1)?.is_complex() || kind(cx, 0)?.is_complex() {
        return Err(Mismatch::error(
            "Cannot cast array data from complex dtype to float64 dtype",
        ));
    }
    let dtype = double(cx, &[scalar(cx, fp)?]);
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.convolve(a, v, mode)`, `np.correlate(a, v, mode)`
pub(crate) fn slide(cx: &ResultCx<'_>) -> Typed {
    let ((a, n), (v, m)) = (like(cx, 0)?, like(cx, 1)?);
    if n != 1 || m != 1 {
        return Err(Mismatch::error("only supported on 1D arrays"));
    }
    if cx.plain(2) != Type::UNICODE {
        return Err(Mismatch::rejected("mode is a string"));
    }
    let dtype = promoted(cx, a, v)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.cross(a, b)`
pub(crate) fn cross(cx: &ResultCx<'_>) -> Typed {
    let ((a, n), (b, m)) = (
        like(cx, 0).map_err(|_| Mismatch::error("Inputs must be array-like."))?,
        like(cx, 1).map_err(|_| Mismatch::error("Inputs must be array-like."))?,
    );
    let dtype = promoted(cx, a, b)?;
    cx.returns(new(cx, dtype, n.max(m).max(1)))
}

/// `np.kron(a, b)`
pub(crate) fn kron(cx: &ResultCx<'_>) -> Typed {
    let ((a, n), (b, m)) = (like(cx, 0)?, like(cx, 1)?);
    let dtype = promoted(cx, a, b)?;
    match n.max(m) {
        0 => cx.returns(dtype),
        ndim => cx.returns(new(cx, dtype, ndim)),
    }
}

/// `np.clip(a, a_min, a_max, out)`
pub(crate) fn clip(cx: &ResultCx<'_>) -> Typed {
    let (dtype, mut ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"a\" must be array-like"))?;
    for (i, name) in [(1, "a_min"), (2, "a_max")] {
        if !is_none(cx, i) {
            let (limit, rank) = like(cx, i).map_err(|_| {
                Mismatch::error(format!("The argument \"{name}\" must be a number"))
            })?;
            want_one_unit(cx, dtype, limit)?;
            ndim = ndim.max(rank);
        }
    }
    if !is_none(cx, 3) {
        array(cx, 3).map_err(|_| {
            Mismatch::error("The argument \"out\" must be an array if it is provided")
        })?;
        want(
            array(cx, 3)?.ndim == ndim,
            "The argument \"out\" must have the same number of dimensions as the argument \"a\"",
        )?;
        check_output(cx, 3, clipped(cx, dtype)?)?;
        return cx.returns(cx.plain(3));
    }
    cx.returns(match cx.types.as_array(cx.plain(0)) {
        Some(a) if a.ndim == ndim => cx.types.array(dtype, ndim, tight(a.layout)),
        Some(_) => new(cx, dtype, ndim),
        None => ranked(cx, dtype, ndim),
    })
}

/// The element type of NumPy's `np.clip`: what the numbers and their limits have in common. An integer has no type of its own
/// beside integers.
fn clipped(cx: &ResultCx<'_>, dtype: Type) -> Result<Type, Mismatch> {
    let whole = |ty| cx.types.as_scalar(ty).is_some_and(Scalar::is_int);
    let mut computed = dtype;
    for i in [1, 2] {
        if is_none(cx, i) || (whole(dtype) && cx.plain(i) == Type::INT64) {
            continue;
        }
        let limit = like(cx, i)?.0;
        if limit != computed {
            computed = promoted(cx, computed, limit)?;
        }
    }
    Ok(computed)
}

/// Whether `np.clip` of an array with axes has limits that are numbers, and their types become the array's without a change
/// of their order among its elements.
pub(crate) fn limits_convert(types: &Types, args: &[Type]) -> bool {
    number_limits(types, args).is_some_and(|(dtype, mut limits)| {
        matches!(dtype, Scalar::Float32 | Scalar::Float64) || limits.all(|limit| limit == dtype)
    })
}

/// Whether `np.clip` of an array of integers has limits that are numbers, all of which have a common type in which none
/// changes, unless it is a float.
pub(crate) fn limits_promote(types: &Types, args: &[Type]) -> bool {
    number_limits(types, args).is_some_and(|(dtype, limits)| {
        let kinds: Vec<Scalar> = limits.chain([dtype]).collect();
        let signed = kinds.iter().any(|kind| kind.is_signed_int());
        dtype.is_int() && !(signed && kinds.contains(&Scalar::UInt64))
    })
}

/// The element type of an array with axes that is kept between numbers, and the types of these, at least one.
fn number_limits<'a>(
    types: &'a Types,
    args: &'a [Type],
) -> Option<(Scalar, impl Iterator<Item = Scalar> + 'a)> {
    let array = types.as_array(*args.first()?).filter(|a| a.ndim > 0)?;
    let dtype = types.as_scalar(array.dtype)?;
    let limits = || {
        let given = args[1..].iter().take(2).map(|ty| plain(types, *ty));
        given.filter(|ty| *ty != Type::NONE)
    };
    let real = |ty: Type| {
        let kind = types.as_scalar(ty);
        kind.is_some_and(|k| matches!(k, Scalar::Float32 | Scalar::Float64) || k.is_int())
    };
    (limits().next().is_some() && limits().all(real))
        .then(|| (dtype, limits().filter_map(|ty| types.as_scalar(ty))))
}

/// `np.round(a, decimals, out)`
pub(crate) fn round(cx: &ResultCx<'_>) -> Typed {
    if !is_none(cx, 2) {
        check_output(cx, 2, like(cx, 0)?.0)?;
        return cx.returns(cx.plain(2));
    }
    let (dtype, _) = like(cx, 0)?;
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.isclose(a, b, ..)`
pub(crate) fn isclose(cx: &ResultCx<'_>) -> Typed {
    check_close(cx)?;
    let ((_, n), (_, m)) = (like(cx, 0)?, like(cx, 1)?);
    // As of a ufunc: the order of the arrays of most axes, if they agree.
    let full: Vec<Layout> = [0, 1]
        .into_iter()
        .filter_map(|i| array(cx, i).ok())
        .filter(|a| a.ndim == n.max(m))
        .map(|a| a.layout)
        .collect();
    if !full.is_empty() && full.iter().all(|layout| *layout == Layout::F) {
        return cx.returns(cx.types.array(Type::BOOL, n.max(m), Layout::F));
    }
    cx.returns(ranked(cx, Type::BOOL, n.max(m)))
}

fn check_close(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    want(
        is_like(cx, 0),
        "The first argument \"a\" must be array-like",
    )?;
    want(
        is_like(cx, 1),
        "The second argument \"b\" must be array-like",
    )?;
    want(
        real(cx, 2),
        "The third argument \"rtol\" must be a floating point",
    )?;
    want(
        real(cx, 3),
        "The fourth argument \"atol\" must be a floating point",
    )?;
    want(
        cx.plain(4) == Type::BOOL,
        "The fifth argument \"equal_nan\" must be a boolean",
    )
}

/// `np.allclose(a, b, ..)`
pub(crate) fn allclose(cx: &ResultCx<'_>) -> Typed {
    check_close(cx)?;
    cx.returns(Type::BOOL)
}

/// `np.array_equal(a1, a2)`
pub(crate) fn array_equal(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0) && is_like(cx, 1),
        "Both arguments to \"array_equals\" must be array-like",
    )?;
    want_one_unit(cx, like(cx, 0)?.0, like(cx, 1)?.0)?;
    cx.returns(Type::BOOL)
}

/// `np.nan_to_num(x, copy, nan, posinf, neginf)`
pub(crate) fn nan_to_num(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)
        .map_err(|_| Mismatch::error("The first argument must be a scalar or an array-like"))?;
    if dtype == Type::BOOL {
        return Err(Mismatch::error(
            "Only Integer, Float, and Complex values are accepted",
        ));
    }
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.angle(z, deg)`: of complex numbers their part type.
pub(crate) fn angle(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0),
        "Argument \"z\" must be a complex or Array[complex]",
    )?;
    let dtype = match kind(cx, 0)? {
        Scalar::Complex64 => Type::FLOAT32,
        Scalar::Complex128 => Type::FLOAT64,
        Scalar::Float32 => Type::FLOAT32,
        _ => Type::FLOAT64,
    };
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.sinc(x)`: floats as they are.
pub(crate) fn sinc(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0),
        "Argument \"x\" must be a Number or array-like",
    )?;
    let dtype = inexact(cx, kind(cx, 0)?);
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.isposinf(x, out)`: of what has a sign.
pub(crate) fn infinite(cx: &ResultCx<'_>) -> Typed {
    if kind(cx, 0)?.is_complex() {
        return Err(Mismatch::error(format!(
            "This operation is not supported for {} values because it would be ambiguous.",
            cx.show(like(cx, 0)?.0)
        )));
    }
    truth(cx)
}

/// A truth value for each number.
pub(crate) fn truth(cx: &ResultCx<'_>) -> Typed {
    if cx.args.len() > 1 && !is_none(cx, 1) {
        check_output(cx, 1, Type::BOOL)?;
        return cx.returns(cx.plain(1));
    }
    cx.returns(shaped(cx, Type::BOOL, 0)?)
}

/// `np.unwrap(p, discont, axis, period)`
pub(crate) fn unwrap(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"p\" must be array-like"))?;
    want(
        ndim > 0,
        "diff requires input that is at least one dimensional",
    )?;
    want(
        is_none(cx, 1) || cx.types.as_scalar(cx.plain(1)).is_some(),
        "The argument \"discont\" must be a scalar",
    )?;
    want(is_int(cx, 2), "The argument \"axis\" must be an integer")?;
    want(
        cx.types.as_scalar(cx.plain(3)).is_some(),
        "The argument \"period\" must be a scalar",
    )?;
    want(
        literal_int(cx, 2).is_none_or(|axis| axis == -1),
        "Value for argument \"axis\" is not supported",
    )?;
    let kind = scalar(cx, dtype)?;
    if kind.is_complex() {
        return Err(Mismatch::rejected("p is complex"));
    }
    let dtype = if kind.is_int() && is_int(cx, 3) {
        Type::INT64
    } else {
        inexact(cx, kind)
    };
    cx.returns(new(cx, dtype, ndim))
}

/// `np.logspace(start, stop, num)`
pub(crate) fn logspace(cx: &ResultCx<'_>) -> Typed {
    want(
        is_number(cx, 0),
        "The first argument \"start\" must be a number",
    )?;
    want(
        is_number(cx, 1),
        "The second argument \"stop\" must be a number",
    )?;
    want(
        is_int(cx, 2),
        "The third argument \"num\" must be an integer",
    )?;
    spaced(cx)
}

/// `np.geomspace(start, stop, num)`
pub(crate) fn geomspace(cx: &ResultCx<'_>) -> Typed {
    want(is_number(cx, 0), "The argument \"start\" must be a number")?;
    want(is_number(cx, 1), "The argument \"stop\" must be a number")?;
    want(is_int(cx, 2), "The argument \"num\" must be an integer")?;
    spaced(cx)
}

/// `np.linspace(start, stop, num)`: complex128 or float64.
pub(crate) fn spaced(cx: &ResultCx<'_>) -> Typed {
    let kinds = [scalar(cx, cx.plain(0))?, scalar(cx, cx.plain(1))?];
    if !scalar(cx, cx.plain(2))?.is_int() {
        return Err(Mismatch::error("The argument \"num\" must be an integer"));
    }
    let dtype = double(cx, &kinds);
    cx.returns(new(cx, dtype, 1))
}

/// `np.vander(x, N, increasing)`
pub(crate) fn vander(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    if ndim != 1 {
        return Err(Mismatch::error(
            "x must be a one-dimensional array or sequence.",
        ));
    }
    if !is_none(cx, 1) && !cx.types.as_scalar(cx.plain(1)).is_some_and(Scalar::is_int) {
        return Err(Mismatch::error(
            "Second argument N must be None or an integer",
        ));
    }
    let dtype = promoted(cx, dtype, Type::INT64)?;
    cx.returns(new(cx, dtype, 2))
}

/// `np.indices(dimensions)`
pub(crate) fn indices(cx: &ResultCx<'_>) -> Typed {
    if cx.types.tuple_items(cx.plain(0)).is_none() {
        return Err(Mismatch::error(
            "The argument \"dimensions\" must be a tuple of integers",
        ));
    }
    let message = "The argument \"dimensions\" must be a tuple of integers";
    let n = count_of(cx, 0).map_err(|_| Mismatch::error(message))?;
    cx.returns(new(cx, Type::INT64, n + 1))
}

/// `np.bartlett(M)` and its kin.
pub(crate) fn window(cx: &ResultCx<'_>) -> Typed {
    want(is_int(cx, 0), "M must be an integer")?;
    if cx.args.len() > 1 {
        want(real(cx, 1), "beta must be an integer or float")?;
    }
    cx.returns(new(cx, Type::FLOAT64, 1))
}

fn coefficients(cx: &ResultCx<'_>, i: usize) -> Result<Type, Mismatch> {
    let name = |i: usize| format!("The argument \"c{}\" must be array-like", i + 1);
    let (dtype, ndim) = like(cx, i).map_err(|_| Mismatch::error(name(i)))?;
    if ndim > 1 {
        return Err(Mismatch::error("Coefficient array is not 1-d"));
    }
    Ok(dtype)
}

/// `polyadd`, `polysub`, `polymul`: at least float64.
pub(crate) fn polynomial(cx: &ResultCx<'_>) -> Typed {
    let dtype = promoted(cx, coefficients(cx, 0)?, coefficients(cx, 1)?)?;
    let dtype = inexact(cx, scalar(cx, dtype)?);
    cx.returns(new(cx, dtype, 1))
}

/// `polydiv`
pub(crate) fn polynomial_pair(cx: &ResultCx<'_>) -> Typed {
    let dtype = promoted(cx, coefficients(cx, 0)?, coefficients(cx, 1)?)?;
    let dtype = inexact(cx, scalar(cx, dtype)?);
    let array = new(cx, dtype, 1);
    cx.returns(cx.types.tuple(&[array, array]))
}

/// `Polynomial(coef, domain, window)`
pub(crate) fn polynomial_class(cx: &ResultCx<'_>) -> Typed {
    let array = |i: usize| cx.types.as_array(cx.plain(i));
    let given: Vec<bool> = (1..3).map(|i| cx.plain(i) != Type::NONE).collect();
    if given[0] != given[1] || (given[0] && array(1).is_none_or(|a| a.ndim != 1)) {
        return Err(Mismatch::rejected("domain and window are two arrays"));
    }
    want(
        array(0).is_some_and(|a| a.ndim == 1),
        "Coefficient array is not 1-d",
    )?;
    let ends = if given[0] { Type::FLOAT64 } else { Type::INT64 };
    let (coef, ends) = (new(cx, Type::FLOAT64, 1), new(cx, ends, 1));
    let parts = [coef, ends, ends];
    cx.returns(cx.types.intern(TypeKind::Polynomial(parts)))
}

/// `polynomial.coef`
pub(crate) fn polynomial_coef(cx: &ResultCx<'_>) -> Typed {
    polynomial_part(cx, 0)
}

/// `polynomial.domain`
pub(crate) fn polynomial_domain(cx: &ResultCx<'_>) -> Typed {
    polynomial_part(cx, 1)
}

/// `polynomial.window`
pub(crate) fn polynomial_window(cx: &ResultCx<'_>) -> Typed {
    polynomial_part(cx, 2)
}

fn polynomial_part(cx: &ResultCx<'_>, part: usize) -> Typed {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Polynomial(parts) => cx.returns(parts[part]),
        _ => Err(Mismatch::rejected("no polynomial")),
    }
}

/// `as_series(alist, trim)`: a list of arrays.
pub(crate) fn as_series(cx: &ResultCx<'_>) -> Typed {
    let alist = cx.plain(0);
    let array_like = || Mismatch::error("The argument \"alist\" must be array-like");
    let mut dtype = Type::FLOAT64;
    let mut ndim = 0;
    match cx.types.tuple_items(alist) {
        Some(items) => {
            for item in items {
                let (other, rank) = like_of(cx, item).map_err(|_| array_like())?;
                dtype = promoted(cx, dtype, other)?;
                ndim = ndim.max(rank);
            }
        }
        None => {
            let (other, rank) = like(cx, 0).map_err(|_| array_like())?;
            want(rank > 0, "The argument \"alist\" must be array-like")?;
            (dtype, ndim) = (promoted(cx, dtype, other)?, rank - 1);
        }
    }
    let flag = cx.types.as_scalar(cx.plain(1)) == Some(Scalar::Bool);
    want(flag, "The argument \"trim\" must be boolean")?;
    want(ndim <= 1, "Coefficient array is not 1-d")?;
    cx.returns(cx.types.list(new(cx, dtype, 1)))
}

/// `polyint(c, m)`: along the first axis.
pub(crate) fn polyint(cx: &ResultCx<'_>) -> Typed {
    let c = cx.plain(0);
    let holds = cx.types.as_list(c).is_some() || cx.types.tuple_items(c).is_some();
    let (dtype, ndim) = like(cx, 0).map_err(|_| {
        Mismatch::error(if holds {
            "Input dtype must be scalar."
        } else {
            "The argument \"c\" must be array-like"
        })
    })?;
    want(is_int(cx, 1), "The argument \"m\" must be an integer")?;
    let dtype = inexact(cx, scalar(cx, dtype)?);
    cx.returns(new(cx, dtype, ndim.max(1)))
}

/// `trimseq(seq)`
pub(crate) fn trimseq(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"seq\" must be array-like"))?;
    if cx.types.tuple_items(cx.plain(0)).is_some() {
        return Err(Mismatch::error(format!(
            "Unsupported type {} for argument \"seq\"",
            cx.show(cx.plain(0))
        )));
    }
    want(ndim == 1, "Coefficient array is not 1-d")?;
    cx.returns(new(cx, dtype, 1))
}

/// `polyval(x, c, tensor)`
pub(crate) fn polyval(cx: &ResultCx<'_>) -> Typed {
    let ((x, n), (c, m)) = (
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"x\" must be array-like"))?,
        like(cx, 1).map_err(|_| Mismatch::error("The argument \"c\" must be array-like"))?,
    );
    let tensor = match cx.types.kind(cx.arg(2)) {
        TypeKind::Literal(Const::Bool(v)) | TypeKind::Omitted(Const::Bool(v)) => *v,
        _ => return Err(Mismatch::error("The argument \"tensor\" must be boolean")),
    };
    let columns = m.saturating_sub(1);
    let ndim = if tensor { n + columns } else { n.max(columns) };
    let dtype = promoted(cx, promoted(cx, x, c)?, Type::FLOAT64)?;
    cx.returns(ranked(cx, dtype, ndim))
}
