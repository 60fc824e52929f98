"""C functions that compiled code calls by address: those of ctypes, and what follows ``WrapperAddressProtocol``."""

import sys


def describe(value):
    """Address, result type and argument types of a function; None if it is none with a known signature."""
    if hasattr(type(value), "__wrapper_address__"):
        signature = value.signature()
        return value.__wrapper_address__(), signature.return_type, tuple(signature.args)
    ctypes = sys.modules.get("ctypes")
    if ctypes is None or not isinstance(value, ctypes._CFuncPtr):
        return None
    # Functions that want the interpreter's lock, and those of which not all is said.
    if value._flags_ & 0x4 or value.argtypes is None:
        return None
    try:
        result, args = _of(ctypes, value.restype), tuple(_of(ctypes, arg) for arg in value.argtypes)
    except KeyError:
        return None
    return ctypes.cast(value, ctypes.c_void_p).value, result, args


def _of(ctypes, ctype):
    """The type of values of a C type; KeyError where there is none."""
    from numbra.core import types

    if ctype is None:
        return types.none
    simple = getattr(ctype, "_type_", None)
    if not isinstance(simple, str) or simple not in "?bBhHiIlLqQfd":
        raise KeyError(ctype)
    if simple == "?":
        return types.boolean
    if simple in "fd":
        return types.float32 if simple == "f" else types.float64
    sign = "int" if simple.islower() else "uint"
    return getattr(types, f"{sign}{8 * ctypes.sizeof(ctype)}")
