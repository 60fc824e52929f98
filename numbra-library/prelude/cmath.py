"""Functions of complex numbers."""

import cmath

from rows import body


@body(cmath.log, when="Scalar, Scalar")
def cmath_log_base(z, base):
    """Logarithm of ``z`` to ``base``."""
    return cmath.log(z) / cmath.log(base)
