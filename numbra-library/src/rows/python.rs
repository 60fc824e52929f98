//! Rows that are written in Python, from `prelude/*.py` by `prelude/generate.py`; do not edit.

use super::numpy::UFUNC;
use crate::loops::{Elementwise, LoopGroup, ScalarCode};
use crate::row_macro::{elementwise, prelude};
use crate::{Effects, Targets, TypePattern as P};

static FIX: Elementwise = Elementwise {
    nin: 1,
    nout: 1,
    loops: &[LoopGroup {
        types: "?->? b->b B->B h->h H->H i->i I->I l->l L->L f->f d->d",
        code: ScalarCode::Prelude("fix"),
    }],
};

static HEAVISIDE: Elementwise = Elementwise {
    nin: 2,
    nout: 1,
    loops: &[LoopGroup {
        types: "ff->f dd->d",
        code: ScalarCode::Prelude("heaviside"),
    }],
};

library! {
    /// Numbers from `start` to `stop` by `step`: int64 for integers, else float64, unless a dtype is given.
    /// ValueError for a zero step.
    fn numpy.arange(start, stop = None, step = None, dtype = None) {
        effects: Effects::ALLOC.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::Int, P::OneOf(&[P::Int, P::None]), P::OneOf(&[P::Int, P::None]), P::None], "arange_int"),
            prelude(&[P::Int, P::OneOf(&[P::Int, P::None]), P::OneOf(&[P::Int, P::None]), P::DTypeLike], "arange_int_dtype"),
            prelude(&[P::Real, P::OneOf(&[P::Real, P::None]), P::OneOf(&[P::Real, P::None]), P::None], "arange_float"),
            prelude(&[P::Real, P::OneOf(&[P::Real, P::None]), P::OneOf(&[P::Real, P::None]), P::DTypeLike], "arange_float_dtype"),
        ],
    }
    /// Ones on the `k`-th diagonal of an `N` by `M` array, zeros elsewhere.
    fn numpy.eye(N, M = None, k = Int(0), dtype = None) {
        effects: Effects::ALLOC.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::Int, P::OneOf(&[P::Int, P::None]), P::Count, P::DTypeLike], "eye"),
        ],
    }
    /// `x` rounded towards 0.
    fn numpy.fix(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&FIX)],
    }
    /// 0 where `x1` is negative, `x2` where it is 0, 1 where it is positive; NaN stays.
    fn numpy.heaviside(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&HEAVISIDE)],
    }
    /// The identity matrix of order `n`, float64 unless a dtype is given.
    fn numpy.identity(n, dtype = None) {
        effects: Effects::ALLOC.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::Int, P::DTypeLike], "identity"),
        ],
    }
    /// The last two axes exchanged, a view; ValueError if there are no two.
    fn numpy.matrix_transpose(x) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::All,
        bodies: &[
            prelude(&[P::Array], "matrix_transpose"),
        ],
    }
    /// Sum of the products of `x1`, conjugated, and `x2` along the last axis.
    fn numpy.vecdot(x1, x2) {
        effects: Effects::READ.and(Effects::ALLOC).and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::ArrayNd(1), P::ArrayNd(1)], "vecdot"),
            prelude(&[P::Array, P::Array], "vecdot_rows"),
        ],
    }
}
