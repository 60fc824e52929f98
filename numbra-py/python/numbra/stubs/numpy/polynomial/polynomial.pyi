"""`numpy.polynomial.polynomial` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def Polynomial(coef: Any, domain: Any = None, window: Any = None) -> Any:
    r"""The polynomial of these coefficients, as float64; `domain` and `window` are both given, or both `[-1, 1]`."""

def polyadd(c1: Any, c2: Any) -> Any:
    r"""Sum of polynomials by their coefficients."""

def polydiv(c1: Any, c2: Any) -> Any:
    r"""Quotient and remainder of polynomials by their coefficients."""

def polyint(c: Any, m: Any = 1) -> Any:
    r"""Integral of a polynomial, `m` times, 0 at 0."""

def polymul(c1: Any, c2: Any) -> Any:
    r"""Product of polynomials by their coefficients."""

def polysub(c1: Any, c2: Any) -> Any:
    r"""Difference of polynomials by their coefficients."""

def polyval(x: Any, c: Any, tensor: Any = True) -> Any:
    r"""Values of a polynomial at `x`."""

