"""Functions of complex numbers."""

import cmath

from numbra.extending import overload


@overload(cmath.log, when="Scalar, Scalar")
def cmath_log_base(z, base):
    """Logarithm of ``z`` to ``base``."""
    return cmath.log(z) / cmath.log(base)
