"""`numpy.fft` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def fft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    r"""Spectrum of `n` points along an axis; complex64 of float32 and complex64, else complex128."""

def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
    r"""Spectrum along two axes, of `s` points."""

def fftfreq(n: Any, d: Any = 1.0) -> Any:
    r"""Frequencies of a spectrum of `n` points that are `d` apart."""

def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    r"""Spectrum along all axes or those of a tuple, of `s` points."""

def fftshift(x: Any, axes: Any = None) -> Any:
    r"""A spectrum with the frequency 0 in the middle of all axes, or of those given."""

def hfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    r"""The `n` points of the real spectrum of what has this first half."""

def ifft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    r"""What has this spectrum along an axis."""

def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
    r"""What has this spectrum along two axes."""

def ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    r"""What has this spectrum along all axes or those of a tuple."""

def ifftshift(x: Any, axes: Any = None) -> Any:
    r"""A spectrum with the frequency 0 first, back from the middle."""

def ihfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    r"""The first half of what has this real spectrum."""

def irfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    r"""The `n` real numbers whose spectrum has this first half."""

def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
    r"""Real numbers of half of a spectrum along two axes."""

def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    r"""Real numbers of half of a spectrum along all axes or those of a tuple."""

def rfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    r"""The first half of the spectrum of real numbers along an axis."""

def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
    r"""Half of the spectrum of real numbers along two axes."""

def rfftfreq(n: Any, d: Any = 1.0) -> Any:
    r"""Frequencies of half a spectrum of `n` points that are `d` apart."""

def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    r"""Half of the spectrum of real numbers along all axes or those of a tuple."""

