//! The steps that stencils are made of, beside loops and their kernels.

use crate::row_macro::moving;
use crate::rules::{Typed, array, check_mutable, scalar};
use crate::{Effects, Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Signature, Type};

library! {
    /// ValueError where an array is smaller along an axis than the first, as the neighbours of its last elements are then not
    /// in it.
    step stencil.sizes(first, *others) {
        effects: Effects::RAISE, targets: Targets::Cpu,
        bodies: &[moving(&[P::Array], sizes, "numbra_np_stencil_sizes")],
    }
    /// ValueError where the result is smaller along an axis than the first array.
    step stencil.out(first, out) {
        effects: Effects::RAISE, targets: Targets::Cpu,
        bodies: &[moving(&[P::Array, P::Array], sizes, "numbra_np_stencil_out")],
    }
    /// Sets the elements outside of the box from `starts` to `stops`.
    step stencil.border(out, starts, stops, value) {
        effects: Effects::WRITE.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[moving(&[P::Array, P::Any, P::Any, P::Any], border, "numbra_np_stencil_border")],
    }
}

/// `sizes(first, *others)`, `out(first, out)`
fn sizes(cx: &ResultCx<'_>) -> Typed {
    let ndim = array(cx, 0)?.ndim;
    for i in 1..cx.args.len() {
        if array(cx, i)?.ndim != ndim {
            return Err(Mismatch::rejected(
                "the arrays have different numbers of axes",
            ));
        }
    }
    cx.returns(Type::NONE)
}

/// `border(out, starts, stops, value)`
fn border(cx: &ResultCx<'_>) -> Typed {
    let out = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    scalar(cx, out.dtype)?;
    let place = cx.types.tuple(&vec![Type::INT64; usize::from(out.ndim)]);
    Ok(Signature {
        params: vec![cx.plain(0), place, place, out.dtype],
        ret: Type::NONE,
    })
}
