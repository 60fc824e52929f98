"""The generators of random numbers that compiled code of this thread draws from, and where C functions are found."""

from numbra import _numbra
from numbra._named import names_of
from numbra._numbra import (
    rnd_get_np_state_ptr,
    rnd_get_py_state_ptr,
    rnd_get_state,
    rnd_seed,
    rnd_set_state,
    rnd_shuffle,
)

__all__ = [
    "rnd_get_np_state_ptr",
    "rnd_get_py_state_ptr",
    "rnd_get_state",
    "rnd_seed",
    "rnd_set_state",
    "rnd_shuffle",
]

#: The library with the C functions, for ``ctypes`` and ``cffi``.
__file__ = _numbra.__file__

__getattr__ = names_of(__name__)
