"""What Numba's objects of jitted classes are behind the scenes."""

from numbra._named import names_of
from numbra._numbra import Instance as Box


def box_get_meminfoptr(box):
    """Where the object of compiled code is."""
    return box._address


def box_get_dataptr(box):
    """Where the fields of the object of compiled code are."""
    return box._data_address


__all__ = ["Box", "box_get_dataptr", "box_get_meminfoptr"]

__getattr__ = names_of(__name__)
