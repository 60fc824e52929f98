"""Types of ``ctypes`` as types of ours, and back."""

import ctypes

from numbra._named import names_of
from numbra.core import types

_SIMPLE = {
    ctypes.c_bool: types.boolean,
    ctypes.c_int8: types.int8,
    ctypes.c_int16: types.int16,
    ctypes.c_int32: types.int32,
    ctypes.c_int64: types.int64,
    ctypes.c_uint8: types.uint8,
    ctypes.c_uint16: types.uint16,
    ctypes.c_uint32: types.uint32,
    ctypes.c_uint64: types.uint64,
    ctypes.c_float: types.float32,
    ctypes.c_double: types.float64,
    ctypes.c_void_p: types.voidptr,
}
_OF_TYPE = {ty: ctype for ctype, ty in _SIMPLE.items()}


def from_ctypes(ctypeobj):
    """The type of values of a C type; ``None`` is ``void``."""
    if ctypeobj is None:
        return types.none
    if not isinstance(ctypeobj, type):
        raise TypeError(f"Unsupported ctypes type: {ctypeobj}")
    found = _SIMPLE.get(ctypeobj)
    if found is not None:
        return found
    if issubclass(ctypeobj, ctypes._Pointer):
        return types.CPointer(from_ctypes(ctypeobj._type_))
    if issubclass(ctypeobj, ctypes.c_void_p):
        return types.voidptr
    # Names of the same C type: `c_long` and `c_longlong`.
    simple = getattr(ctypeobj, "_type_", None)
    if isinstance(simple, str) and simple in "bBhHiIlLqQ":
        sign = "int" if simple.islower() else "uint"
        return getattr(types, f"{sign}{8 * ctypes.sizeof(ctypeobj)}")
    raise TypeError(f"Unsupported ctypes type: {ctypeobj}")


def to_ctypes(ty):
    """The C type of values of a type."""
    assert isinstance(ty, types.Type), ty
    if ty is types.none:
        return None
    found = _OF_TYPE.get(ty)
    if found is not None:
        return found
    if isinstance(ty, types.CPointer):
        return ctypes.POINTER(to_ctypes(ty.dtype))
    if isinstance(ty, types.Array):
        raise TypeError(f"Cannot convert Numba type '{ty}' to ctypes type: pass a pointer and the shape")
    raise TypeError(f"Cannot convert Numba type '{ty}' to ctypes type")


def is_ctypes_funcptr(obj) -> bool:
    """True for a function of ``ctypes``."""
    return isinstance(obj, ctypes._CFuncPtr)


__getattr__ = names_of(__name__)
