//! Discrete Fourier transforms, as `numpy.fft` has them.

use crate::row_macro::{moving, native};
use crate::rules::fourier as ft;
use crate::{Effects, Targets, TypePattern as P};

const NEW: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);
const FOUR: &[P] = &[P::Any, P::Any, P::Any, P::Any];

library! {
    /// Spectrum of `n` points along an axis; complex64 of float32 and complex64, else complex128.
    fn numpy.fft.fft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum, "numbra_np_fft")],
    }
    /// What has this spectrum along an axis.
    fn numpy.fft.ifft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum, "numbra_np_ifft")],
    }
    /// The first half of the spectrum of real numbers along an axis.
    fn numpy.fft.rfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_of_real, "numbra_np_rfft")],
    }
    /// The `n` real numbers whose spectrum has this first half.
    fn numpy.fft.irfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::real, "numbra_np_irfft")],
    }
    /// The `n` points of the real spectrum of what has this first half.
    fn numpy.fft.hfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::real, "numbra_np_hfft")],
    }
    /// The first half of what has this real spectrum.
    fn numpy.fft.ihfft(a, n = None, axis = Int(-1), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_of_real, "numbra_np_ihfft")],
    }
    /// Spectrum along two axes, of `s` points.
    fn numpy.fft.fft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_along_axes, "numbra_np_fftn")],
    }
    /// What has this spectrum along two axes.
    fn numpy.fft.ifft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_along_axes, "numbra_np_ifftn")],
    }
    /// Half of the spectrum of real numbers along two axes.
    fn numpy.fft.rfft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_of_real_along_axes, "numbra_np_rfftn")],
    }
    /// Real numbers of half of a spectrum along two axes.
    fn numpy.fft.irfft2(a, s = None, axes = Ints(&[-2, -1]), norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::real_along_axes, "numbra_np_irfftn")],
    }
    /// Spectrum along all axes or those of a tuple, of `s` points.
    fn numpy.fft.fftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_along_axes, "numbra_np_fftn")],
    }
    /// What has this spectrum along all axes or those of a tuple.
    fn numpy.fft.ifftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_along_axes, "numbra_np_ifftn")],
    }
    /// Half of the spectrum of real numbers along all axes or those of a tuple.
    fn numpy.fft.rfftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::spectrum_of_real_along_axes, "numbra_np_rfftn")],
    }
    /// Real numbers of half of a spectrum along all axes or those of a tuple.
    fn numpy.fft.irfftn(a, s = None, axes = None, norm = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(FOUR, ft::real_along_axes, "numbra_np_irfftn")],
    }
    /// Frequencies of a spectrum of `n` points that are `d` apart.
    fn numpy.fft.fftfreq(n, d = Float(1.0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], ft::frequencies, "numbra_np_fftfreq")],
    }
    /// Frequencies of half a spectrum of `n` points that are `d` apart.
    fn numpy.fft.rfftfreq(n, d = Float(1.0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], ft::frequencies, "numbra_np_rfftfreq")],
    }
    /// A spectrum with the frequency 0 in the middle of all axes, or of those given.
    fn numpy.fft.fftshift(x, axes = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], ft::shifted, "numbra_np_fftshift")],
    }
    /// A spectrum with the frequency 0 first, back from the middle.
    fn numpy.fft.ifftshift(x, axes = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], ft::shifted, "numbra_np_ifftshift")],
    }
}
