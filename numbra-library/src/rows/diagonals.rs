//! Diagonals and triangles of matrices.

use crate::row_macro::{moving, native, prelude, rule};
use crate::rules::{
    NEW, Typed, array, check_int, check_mutable, is_int, is_like, is_none, like, new, want,
};
use crate::{Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::Type;

library! {
    /// The matrix with this diagonal, or a copy of the diagonal of this matrix.
    fn numpy.diag(v, k = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::ArrayNd(2), P::Count], "diagonal_copy"), moving(&[P::Any, P::Any], diag, "numbra_np_diag")],
    }
    /// The matrix with the elements in C order on a diagonal.
    fn numpy.diagflat(v, k = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], diagflat, "numbra_np_diagflat")],
    }
    /// Sets the diagonal; with `wrap` it goes on below in a tall matrix.
    fn numpy.fill_diagonal(a, val, wrap = Bool(false)) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Bool], fill_diagonal, "numbra_np_fill_diagonal")],
    }
    /// Ones at and below a diagonal, zeros above.
    fn numpy.tri(N, M = None, k = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Int, P::OneOf(&[P::None, P::Int]), P::Any], tri, "numbra_np_tri")],
    }
    /// A copy with zeros above a diagonal.
    fn numpy.tril(m, k = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], triangle, "numbra_np_tril")],
    }
    /// A copy with zeros below a diagonal.
    fn numpy.triu(m, k = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], triangle, "numbra_np_triu")],
    }
    /// Indices of the elements at and below a diagonal.
    fn numpy.tril_indices(n, k = Int(0), m = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any, P::Any, P::Any], triangle_indices, "numbra_np_tril_indices"),
        ],
    }
    /// Indices of the elements at and above a diagonal.
    fn numpy.triu_indices(n, k = Int(0), m = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any, P::Any, P::Any], triangle_indices, "numbra_np_triu_indices"),
        ],
    }
    /// Indices of the elements of a matrix at and below a diagonal.
    fn numpy.tril_indices_from(arr, k = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::ArrayNd(2), P::Count], "tril_indices_from"),
            rule(&[P::Any, P::Any], no_matrix, Op::NoneValue),
        ],
    }
    /// Indices of the elements of a matrix at and above a diagonal.
    fn numpy.triu_indices_from(arr, k = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::ArrayNd(2), P::Count], "triu_indices_from"),
            rule(&[P::Any, P::Any], no_matrix, Op::NoneValue),
        ],
    }
}

/// `np.diag(v, k)`
fn diag(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"v\" must be array-like"))?;
    want(is_int(cx, 1), "The argument \"k\" must be an integer")?;
    match ndim {
        1 => cx.returns(new(cx, dtype, 2)),
        2 => cx.returns(new(cx, dtype, 1)),
        _ => Err(Mismatch::error("Input must be 1- or 2-d.")),
    }
}

/// `np.fill_diagonal(a, val, wrap)`
fn fill_diagonal(cx: &ResultCx<'_>) -> Typed {
    let a = array(cx, 0).map_err(|_| Mismatch::error("The first argument must be an array."))?;
    check_mutable(cx, cx.plain(0))?;
    if a.ndim < 2 {
        return Err(Mismatch::error(
            "The first argument must be at least 2-D (found 1-D)",
        ));
    }
    let (value, _) = like(cx, 1)?;
    if cx.can_convert(value, a.dtype).is_none() {
        return Err(Mismatch::error("Unable to safely conform val to a.dtype"));
    }
    cx.returns(Type::NONE)
}

/// `np.tri(N, M, k)`
fn tri(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 2, "k must be an integer")?;
    cx.returns(new(cx, Type::FLOAT64, 2))
}

/// `np.tril(m, k)`, `np.triu(m, k)`
fn triangle(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 1, "k must be an integer")?;
    let (dtype, ndim) = like(cx, 0)?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the input has no axis"));
    }
    cx.returns(new(cx, dtype, ndim.max(2)))
}

/// `np.tril_indices(n, k, m)`, `np.triu_indices(n, k, m)`
fn triangle_indices(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 0, "n must be an integer")?;
    check_int(cx, 1, "k must be an integer")?;
    want(is_none(cx, 2) || is_int(cx, 2), "m must be an integer")?;
    let places = new(cx, Type::INT64, 1);
    cx.returns(cx.types.tuple(&[places, places]))
}

/// What `np.tril_indices_from` and its kin do not take.
fn no_matrix(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 1, "k must be an integer")?;
    Err(Mismatch::error("input array must be 2-d"))
}

/// `np.diagflat(v, k)`
fn diagflat(cx: &ResultCx<'_>) -> Typed {
    want(is_like(cx, 0), "The argument \"v\" must be array-like")?;
    want(is_int(cx, 1), "The argument \"k\" must be an integer")?;
    let (dtype, _) = like(cx, 0)?;
    cx.returns(new(cx, dtype, 2))
}
