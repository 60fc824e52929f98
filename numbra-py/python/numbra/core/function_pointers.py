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
    from numbra.core.typing.ctypes_utils import from_ctypes

    try:
        result, args = from_ctypes(value.restype), tuple(from_ctypes(arg) for arg in value.argtypes)
    except TypeError:
        return None
    return ctypes.cast(value, ctypes.c_void_p).value, result, args
