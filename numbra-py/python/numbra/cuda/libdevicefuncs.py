"""The signatures in C of the functions of ``numbra.cuda.libdevice``."""

from typing import NamedTuple

from numbra import _numbra
from numbra._named import names_of
from numbra.core import types
from numbra.core.typing import signature

__getattr__ = names_of(__name__)


class arg(NamedTuple):
    """A parameter; a pointer is to a result of this type."""

    name: str
    ty: object
    is_ptr: bool


def _type(name: str):
    return types.void if name == "void" else getattr(types, name)


def _entry(result, operands, outs):
    names = iter("xyzw")
    given = [arg(next(names), _type(name), False) for name in operands]
    return _type(result), given + [arg(next(names), _type(name), True) for name in outs]


#: Result and parameters by symbol.
functions = {f"__nv_{name}": _entry(*rest) for name, *rest in _numbra._libdevice_functions()}


def create_signature(retty, args):
    """The signature in Python: results are what the function returns and what it writes through pointers."""
    given = [one.ty for one in args if not one.is_ptr]
    results = [one.ty for one in args if one.is_ptr]
    if retty != types.void:
        results.insert(0, retty)
    ret = results[0] if len(results) == 1 else types.Tuple(tuple(results))
    return signature(ret, *given)
