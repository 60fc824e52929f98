"""``typeof_impl``: the types of Python values, open to registration."""

import enum
from collections import namedtuple
from functools import singledispatch

from numbra import _numbra
from numbra._named import names_of


class Purpose(enum.Enum):
    """What a type is wanted for."""

    argument = 1
    constant = 2


_TypeofContext = namedtuple("_TypeofContext", ("purpose",))


def typeof(val, purpose=Purpose.argument):
    """The type of a Python value.

    Parameters
    ----------
    val
        The value.
    purpose : Purpose
        What the type is for.

    Examples
    --------
    >>> import numbra as nb
    >>> nb.typeof(1.5)
    float64
    """
    ty = _numbra._typeof(val)
    if ty is None:
        raise ValueError(_message(val))
    return ty


def _message(val) -> str:
    return _numbra._refusal(val)


@singledispatch
def typeof_impl(val, c):
    """The type of a value, or None. Rules for classes of programs are registered on it."""
    return _numbra._typeof(val)


_RULELESS = typeof_impl.dispatch(object)


def _other(val):
    """The type of what the compiler itself does not know, and that has no rule."""
    import numpy
    from numbra.core import types

    if isinstance(val, numpy.dtype):
        from numbra.np.numpy_support import from_dtype

        return types.DType(from_dtype(val))
    if isinstance(val, enum.Enum):
        return _enum_member(val)
    if isinstance(val, types.Type):
        return types.NumberClass(val) if isinstance(val, (types.Number, types.Boolean)) else types.TypeRef(val)
    if isinstance(val, type):
        return _class(val)
    return None


def _enum_member(val):
    from numbra.core import types

    dtypes = {_numbra._typeof(member.value) for member in type(val)}
    if len(dtypes) != 1 or None in dtypes:
        raise ValueError(f"Cannot type heterogeneous enum: got value types {dtypes}")
    make = types.IntEnumMember if isinstance(val, enum.IntEnum) else types.EnumMember
    return make(type(val), dtypes.pop())


def _class(val):
    import numpy
    from numbra.core import types

    if issubclass(val, BaseException):
        return types.ExceptionClass(val)
    if issubclass(val, tuple) and hasattr(val, "_asdict"):
        return types.NamedTupleClass(val)
    if issubclass(val, numpy.generic):
        from numbra.np.numpy_support import from_dtype

        return types.NumberClass(from_dtype(numpy.dtype(val)))
    if issubclass(val, enum.Enum) and len(val):
        return next(iter(val)) and _enum_member(next(iter(val))).class_type
    return None


def _hook(val):
    rule = typeof_impl.dispatch(type(val))
    found = _other(val) if rule is _RULELESS else rule(val, _TypeofContext(Purpose.argument))
    if found is None:
        found = getattr(val, "_numba_type_", None)
    return found


_numbra._set_typeof_hook(_hook)

__getattr__ = names_of(__name__)
