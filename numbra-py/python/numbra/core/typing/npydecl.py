"""The ufuncs that compiled code may call."""

import numpy
from numbra import _numbra
from numbra._named import names_of

#: Second names that NumPy has had for long; newer ones (``np.pow``) are left out, as in Numba.
_ALIASES = frozenset(["abs", "bitwise_not", "conj", "mod", "true_divide"])

#: NumPy's ufuncs with a row in the function library.
supported_ufuncs = [
    value
    for name, value in vars(numpy).items()
    if isinstance(value, numpy.ufunc)
    and (name == value.__name__ or name in _ALIASES)
    and _numbra._is_library_function(f"numpy.{name}")
]
all_ufuncs = supported_ufuncs

__getattr__ = names_of(__name__)
