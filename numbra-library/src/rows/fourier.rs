//! Discrete Fourier transforms, as `numpy.fft` has them.

use crate::row_macro::{moving, native};
use crate::rules::{NEW, Typed, count_of, is_int, is_none, like, new, want};
use crate::{Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Layout, Scalar, Type};

const FOUR: &[P] = &[P::Any, P::Any, P::Any, P::Any];

library! {
    /// Spectrum of `n` points along an axis; complex64 of float32 and complex64, else complex128.
    fn numpy.fft.fft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum, "numbra_np_fft")],
    }
    /// What has this spectrum along an axis.
    fn numpy.fft.ifft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum, "numbra_np_ifft")],
    }
    /// The first half of the spectrum of real numbers along an axis.
    fn numpy.fft.rfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_of_real, "numbra_np_rfft")],
    }
    /// The `n` real numbers whose spectrum has this first half.
    fn numpy.fft.irfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, real, "numbra_np_irfft")],
    }
    /// The `n` points of the real spectrum of what has this first half.
    fn numpy.fft.hfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, real, "numbra_np_hfft")],
    }
    /// The first half of what has this real spectrum.
    fn numpy.fft.ihfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_of_real, "numbra_np_ihfft")],
    }
    /// Spectrum along two axes, of `s` points.
    fn numpy.fft.fft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_along_axes, "numbra_np_fftn")],
    }
    /// What has this spectrum along two axes.
    fn numpy.fft.ifft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_along_axes, "numbra_np_ifftn")],
    }
    /// Half of the spectrum of real numbers along two axes.
    fn numpy.fft.rfft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_of_real_along_axes, "numbra_np_rfftn")],
    }
    /// Real numbers of half of a spectrum along two axes.
    fn numpy.fft.irfft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, real_along_axes, "numbra_np_irfftn")],
    }
    /// Spectrum along all axes or those of a tuple, of `s` points.
    fn numpy.fft.fftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_along_axes, "numbra_np_fftn")],
    }
    /// What has this spectrum along all axes or those of a tuple.
    fn numpy.fft.ifftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_along_axes, "numbra_np_ifftn")],
    }
    /// Half of the spectrum of real numbers along all axes or those of a tuple.
    fn numpy.fft.rfftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, spectrum_of_real_along_axes, "numbra_np_rfftn")],
    }
    /// Real numbers of half of a spectrum along all axes or those of a tuple.
    fn numpy.fft.irfftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, real_along_axes, "numbra_np_irfftn")],
    }
    /// Frequencies of a spectrum of `n` points that are `d` apart.
    fn numpy.fft.fftfreq(n, d = Float(1.0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], frequencies, "numbra_np_fftfreq")],
    }
    /// Frequencies of half a spectrum of `n` points that are `d` apart.
    fn numpy.fft.rfftfreq(n, d = Float(1.0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], frequencies, "numbra_np_rfftfreq")],
    }
    /// A spectrum with the frequency 0 in the middle of all axes, or of those given.
    fn numpy.fft.fftshift(x, axes = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], shifted, "numbra_np_fftshift")],
    }
    /// A spectrum with the frequency 0 first, back from the middle.
    fn numpy.fft.ifftshift(x, axes = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], shifted, "numbra_np_ifftshift")],
    }
}

/// What comes out of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Complex,
    Real,
}

/// Spectra along one axis.
fn spectrum(cx: &ResultCx<'_>) -> Typed {
    along_one(cx, Gives::Complex)
}

/// Halves of spectra of real numbers, along one axis.
fn spectrum_of_real(cx: &ResultCx<'_>) -> Typed {
    check_real(cx)?;
    along_one(cx, Gives::Complex)
}

/// Real numbers along one axis.
fn real(cx: &ResultCx<'_>) -> Typed {
    along_one(cx, Gives::Real)
}

/// Spectra along several axes.
fn spectrum_along_axes(cx: &ResultCx<'_>) -> Typed {
    along_several(cx, Gives::Complex)
}

/// Halves of spectra of real numbers, along several axes.
fn spectrum_of_real_along_axes(cx: &ResultCx<'_>) -> Typed {
    check_real(cx)?;
    along_several(cx, Gives::Complex)
}

/// Real numbers along several axes.
fn real_along_axes(cx: &ResultCx<'_>) -> Typed {
    along_several(cx, Gives::Real)
}

/// `(a, n, axis, norm)`
fn along_one(cx: &ResultCx<'_>, gives: Gives) -> Typed {
    want(
        is_none(cx, 1) || is_int(cx, 1),
        "{name}(): n must be an integer or None",
    )?;
    want(is_int(cx, 2), "{name}(): axis must be an integer")?;
    check_norm(cx)?;
    transformed(cx, gives)
}

/// `(a, s, axes, norm)`
fn along_several(cx: &ResultCx<'_>, gives: Gives) -> Typed {
    let (_, ndim) = like(cx, 0)?;
    let given = [1, 2].map(|i| tuple(cx, i));
    let [s, axes] = given;
    let (s, axes) = (s?, axes?);
    check_norm(cx)?;
    want(
        axes.or(s).unwrap_or(ndim) > 0,
        "{name}(): there is no axis to transform along",
    )?;
    transformed(cx, gives)
}

/// The number of integers of a tuple; none of `None`.
fn tuple(cx: &ResultCx<'_>, i: usize) -> Result<Option<u8>, Mismatch> {
    if is_none(cx, i) {
        return Ok(None);
    }
    let what = ["s", "axes"][i - 1];
    let message = format!("{{name}}(): {what} must be a tuple of integers or None");
    let count = count_of(cx, i).ok().filter(|_| !is_int(cx, i));
    count.map(Some).ok_or_else(|| Mismatch::error(message))
}

fn check_norm(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    want(
        is_none(cx, 3) || cx.plain(3) == Type::UNICODE,
        "{name}(): norm must be \"backward\", \"ortho\", \"forward\" or None",
    )
}

fn check_real(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    let (dtype, _) = like(cx, 0)?;
    let is_complex = cx.types.as_scalar(dtype).is_some_and(Scalar::is_complex);
    want(
        !is_complex,
        "{name}() only supported on real arrays: take `.real`, or the transform of complex numbers",
    )
}

/// A new array of the argument's rank and precision: single where that is, else double.
fn transformed(cx: &ResultCx<'_>, gives: Gives) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    let scalar = cx.types.as_scalar(dtype);
    want(
        scalar != Some(Scalar::Float16),
        "unsupported dtype for {name}(): float16; convert the array, as `x.astype(np.float32)`",
    )?;
    let single = matches!(scalar, Some(Scalar::Float32 | Scalar::Complex64));
    let scalar = match (gives, single) {
        (Gives::Complex, true) => Scalar::Complex64,
        (Gives::Complex, false) => Scalar::Complex128,
        (Gives::Real, true) => Scalar::Float32,
        (Gives::Real, false) => Scalar::Float64,
    };
    cx.returns(in_its_order(cx, cx.types.scalar(scalar), ndim))
}

/// A new array in the order that the argument's type says.
fn in_its_order(cx: &ResultCx<'_>, dtype: Type, ndim: u8) -> Type {
    match cx.types.as_array(cx.plain(0)) {
        Some(array) if array.layout == Layout::F => cx.types.array(dtype, ndim, Layout::F),
        _ => new(cx, dtype, ndim),
    }
}

/// `np.fft.fftfreq(n, d)`
fn frequencies(cx: &ResultCx<'_>) -> Typed {
    want(is_int(cx, 0), "n should be an integer")?;
    let scalar = cx.types.as_scalar(cx.plain(1));
    let Some(scalar) = scalar else {
        return Err(Mismatch::error("{name}(): d must be a number"));
    };
    let dtype = if scalar.is_complex() {
        Type::COMPLEX128
    } else {
        Type::FLOAT64
    };
    cx.returns(new(cx, dtype, 1))
}

/// `np.fft.fftshift(x, axes)`
fn shifted(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    want(
        is_none(cx, 1) || count_of(cx, 1).is_ok(),
        "{name}(): axes must be an integer, a tuple of integers or None",
    )?;
    cx.returns(in_its_order(cx, dtype, ndim))
}
