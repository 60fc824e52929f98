//! Windows of signals.

use crate::row_macro::native;
use crate::rules::{NEW, Typed, is_int, is_real, new, want};
use crate::{ResultCx, Targets, TypePattern as P};
use numbra_ir::Type;

library! {
    /// The Bartlett window.
    fn numpy.bartlett(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], window, "numbra_np_bartlett")],
    }
    /// The Blackman window.
    fn numpy.blackman(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], window, "numbra_np_blackman")],
    }
    /// The Hamming window.
    fn numpy.hamming(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], window, "numbra_np_hamming")],
    }
    /// The Hann window.
    fn numpy.hanning(M) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], window, "numbra_np_hanning")],
    }
    /// The Kaiser window.
    fn numpy.kaiser(M, beta) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], window, "numbra_np_kaiser")],
    }
}

/// `np.bartlett(M)` and its kin.
fn window(cx: &ResultCx<'_>) -> Typed {
    want(is_int(cx, 0), "M must be an integer")?;
    if cx.args.len() > 1 {
        want(is_real(cx, 1), "beta must be an integer or float")?;
    }
    cx.returns(new(cx, Type::FLOAT64, 1))
}
