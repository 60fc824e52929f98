//! Arrays as sets.

use crate::row_macro::ordered;
use crate::rules::{NEW, Typed, is_like, like, new, one_axis, promoted, want, want_one_unit};
use crate::{ResultCx, Targets, TypePattern as P};
use numbra_ir::Type;

library! {
    /// The sorted elements, each once.
    fn numpy.unique(ar) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any], one_axis, "numbra_np_unique")],
    }
    /// The sorted elements of both arrays, each once.
    fn numpy.union1d(ar1, ar2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], set_of_both, "numbra_np_union1d")],
    }
    /// The sorted elements that both arrays have.
    fn numpy.intersect1d(ar1, ar2, assume_unique = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool], set_of_both, "numbra_np_intersect1d")],
    }
    /// The sorted elements of the first array that the second lacks.
    fn numpy.setdiff1d(ar1, ar2, assume_unique = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool], set_of_first, "numbra_np_setdiff1d")],
    }
    /// The sorted elements that one of the arrays has.
    fn numpy.setxor1d(ar1, ar2, assume_unique = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool], set_of_both, "numbra_np_setxor1d")],
    }
    /// Whether each element is one of `test_elements`; with `invert` whether it is none.
    fn numpy.isin(element, test_elements, assume_unique = Bool(false), invert = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Bool, P::Bool], isin, "numbra_np_isin")],
    }
}

/// A set of two arrays: their common type, one axis.
fn set_of_both(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0) && is_like(cx, 1),
        "The arguments to np.union1d must be array-like",
    )?;
    let dtype = promoted(cx, like(cx, 0)?.0, like(cx, 1)?.0)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.setdiff1d`: the first array's type.
fn set_of_first(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    want_one_unit(cx, dtype, like(cx, 1)?.0)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.isin(element, test_elements)`
fn isin(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    want_one_unit(cx, dtype, like(cx, 1)?.0)?;
    cx.returns(new(cx, Type::BOOL, ndim))
}
