"""The generators of random numbers that compiled code of this thread draws from."""

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

__getattr__ = names_of(__name__)
