"""Writes numbra-math/own/gamma_tables.c: polynomials by interpolation at Chebyshev's nodes. Needs mpmath.

usage: gamma_tables.py
"""

import itertools
import random
import re
from pathlib import Path

from mpmath import cos, diff, gamma, log, loggamma, mp, mpf, pi, psi, sin, sqrt

OUT = Path(__file__).resolve().parents[3] / "numbra-math" / "own" / "gamma_tables.c"
HEAD = """// Tables of lgamma and the gamma function, written by tests/measure/math/gamma_tables.py.
//
// Those of sixteen pieces have, sixteen of a kind together, the point from which x is measured and the coefficients of
// a polynomial, in double precision with what the second one lacks after it. The point is a root of lgamma, a whole
// number, so that the gamma function of it is exact, or one where the function is very near a double.

#define HIDDEN __attribute__((visibility("hidden"), aligned(64)))
"""
mp.dps = 60


def fit(f, low, high, count):
    """Coefficients, as many as `count` says, of a polynomial that is near f from `low` to `high`."""
    xs = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    c = [f(x) for x in xs]
    for j in range(1, count):
        for i in range(count - 1, j - 1, -1):
            c[i] = (c[i] - c[i - 1]) / (xs[i] - xs[i - j])
    out = []
    for x, divided in zip(reversed(xs), reversed(c), strict=True):
        out = [a - x * b for a, b in zip([mpf(0), *out], [*out, mpf(0)], strict=True)]
        out[0] += divided
    return out


def lost(x):
    return x - mpf(float(x))


def point(f, low, high):
    for whole in range(1, 8):
        if whole in (low, high) and (whole < 3 or (whole == low and f is gamma)):
            return mpf(whole)
    stream = random.Random(1)
    middle, width = float(low + high) / 2, float(high - low) / 16
    points = [mpf(middle + stream.uniform(-width, width)) for _ in range(2000)]
    return min(points, key=lambda r: abs(lost(f(r)) / f(r)))


def table(f, slope, pieces, count, single):
    rows = []
    for low, high in pieces:
        r = point(f, low, high)
        first, second, third = f(r), slope(r), diff(f, r, 2) / 2

        def rest(t, r=r, first=first, second=second, third=third):
            return (f(r + t) - first - second * t) / t**2 if abs(t) > mpf(10) ** -15 else third

        rows.append([r, first, second, *([] if single else [lost(second)]), *fit(rest, low - r, high - r, count)])
    return [row[n] for n in range(len(rows[0])) for row in rows]


def slope_of_gamma(x):
    return gamma(x) * psi(0, x)


def slope_of_lgamma(x):
    return psi(0, x)


def far(z):
    """What Stirling's formula lacks, times x, by 1 / x^2."""
    x = 1 / sqrt(z)
    return x * (loggamma(x) - (x - 0.5) * log(x) + x - log(2 * pi) / 2)


def sine(z):
    """sin(pi r) / r, by r^2."""
    return sin(pi * sqrt(z)) / sqrt(z)


def sine_rest(z):
    """What follows the first two terms of `sine`, over z^2."""
    return (sine(z) - pi + pi**3 / 6 * z) / z**2


def emit(name, numbers):
    digits = [re.sub(r"\.?0*p", "p", float(x).hex()) for x in numbers]
    lines = "".join(f"  {', '.join(digits[k : k + 4])},\n" for k in range(0, len(digits), 4))
    return f"HIDDEN const double {name}[{len(numbers)}] = {{\n{lines}}};\n"


def main():
    quarters = [mpf(2) ** (e - 1) / 4 * n for e in range(5) for n in range(4, 8)]
    pieces = list(itertools.pairwise(quarters))
    halves = [(mpf(n) / 2, mpf(n + 1) / 2) for n in range(8, 16)]
    OUT.write_text(
        "\n".join(
            [
                HEAD,
                emit("numbra_lgamma_near", table(loggamma, slope_of_lgamma, pieces[:16], 13, False)),
                emit("numbra_gamma_near", table(gamma, slope_of_gamma, pieces[4:12] + halves, 13, False)),
                "// Stirling's series by powers of 1 / x^2; sin(pi r) / r by those of r^2, without two terms.",
                emit("numbra_gamma_far", fit(far, mpf(0), mpf(1) / 64, 7)),
                emit("numbra_sine_of_pi", fit(sine_rest, mpf(0), mpf(1) / 4, 7)),
                "// For single precision; the sine with all terms.",
                emit("numbra_lgammaf_near", table(loggamma, slope_of_lgamma, pieces[:16], 7, True)),
                emit("numbra_gammaf_near", table(gamma, slope_of_gamma, pieces[4:12] + halves, 7, True)),
                emit("numbra_gammaf_far", fit(far, mpf(0), mpf(1) / 64, 3)),
                emit("numbra_sinef_of_pi", fit(sine, mpf(0), mpf(1) / 4, 6)),
            ]
        )
    )


if __name__ == "__main__":
    main()
