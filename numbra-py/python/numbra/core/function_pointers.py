"""Functions that compiled code calls by address: those of ctypes, and what follows ``WrapperAddressProtocol``."""

import sys

from numbra import _numbra


def describe(value):
    """Address, whether it is that of compiled code, result type and argument types of a function.

    None if it is none with a known signature; a jitted function that calls it where it takes objects of Python.
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
    from numbra.core.typing.ctypes_utils import from_ctypes

    if value.argtypes is None:
        name = getattr(value, "__name__", value)
        raise TypeError(
            f"ctypes function {name!r} doesn't define its argument types; consider setting the `argtypes` attribute"
        )

    if ctypes.py_object in value.argtypes:
        return _called_by_python(value)
    try:
        result, args = from_ctypes(value.restype), tuple(from_ctypes(arg) for arg in value.argtypes)
    except TypeError:
        return None
    return ctypes.cast(value, ctypes.c_void_p).value, False, result, args


def _called_by_python(function):
    """A jitted function that has the interpreter call a function of ctypes; None if its result has no type."""
    known = function.__dict__.get("_numbra_jitted")
    if known is None:
        import numbra
        from numbra.core.typing.ctypes_utils import from_ctypes

        try:
            result = from_ctypes(function.restype)
        except TypeError:
            return None
        args = ", ".join(f"argument{n}" for n in range(len(function.argtypes)))
        source = (
            f"def call({args}):\n"
            f"    with objmode({'' if result is numbra.types.none else 'result=result_type'}):\n"
            f"        result = function({args})\n"
            f"    return {'None' if result is numbra.types.none else 'result'}\n"
        )
        names = {"function": function, "objmode": numbra.objmode, "result_type": result}
        exec(source, names)
        known = function._numbra_jitted = numbra.njit(names["call"])
    return known
