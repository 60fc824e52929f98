"""Functions that compiled code calls by address: those of ctypes, and what follows ``WrapperAddressProtocol``."""

import sys

from numbra import _numbra


def describe(value):
    """Address, whether it is that of compiled code, result type and argument types of a function.

    None if it is none with a known signature.
    """
    if hasattr(type(value), "__wrapper_address__"):
        signature = value.signature()
        result, args = signature.return_type, tuple(signature.args)
        function = getattr(value, "_numba_function_", None)
        if function is not None:
            return _numbra._function_address(function, signature.as_type()), True, result, args
        return value.__wrapper_address__(), False, result, args
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
    return ctypes.cast(value, ctypes.c_void_p).value, False, result, args
