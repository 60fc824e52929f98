"""Operators and functions on objects of jitted classes: the special methods of these."""

import operator

from numbra._named import names_of
from numbra.core import types
from numbra.core.extending import overload

#: name of the operator -> special method, reflected method, in-place method
_ARITHMETIC = {
    name: (f"__{name.rstrip('_')}__", f"__r{name.rstrip('_')}__", f"__i{name.rstrip('_')}__")
    for name in (
        "add", "and_", "floordiv", "lshift", "matmul", "mod", "mul", "or_", "pow", "rshift", "sub", "truediv", "xor",
    )
}  # fmt: skip
_COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_UNARY = {"neg": "__neg__", "pos": "__pos__", "invert": "__invert__"}
#: function -> the methods that implement it, the first that there is
_CONVERSIONS = {
    abs: ("__abs__",),
    int: ("__int__", "__index__"),
    float: ("__float__", "__index__"),
    complex: ("__complex__", "__float__", "__index__"),
    hash: ("__hash__",),
    len: ("__len__",),
}
_OTHERS = ("__init__", "__bool__", "__contains__", "__getitem__", "__setitem__", "__delitem__", "__index__", "__call__",
           "__str__", "__repr__")  # fmt: skip

#: The special methods that classes may have.
METHODS = frozenset(
    [name for names in _ARITHMETIC.values() for name in names]
    + [f"__{name}__" for name in _COMPARISONS]
    + [*_UNARY.values(), *_OTHERS]
    + [name for names in _CONVERSIONS.values() for name in names]
)


def _method(ty, name):
    """The jitted method of an object's type; None where there is none."""
    return ty.jit_methods.get(name) if isinstance(ty, types.ClassInstanceType) else None


def _overload_for_objects(function):
    return overload(function, strict=False, for_objects=True)


def _unary(function, names):
    @_overload_for_objects(function)
    def typed(x):
        method = next(filter(None, (_method(x, name) for name in names)), None)
        if method is None:
            return None
        if function in (int, float, complex):
            return lambda x: function(method(x))
        return lambda x: method(x)


def _binary(function, name, reflected):
    @_overload_for_objects(function)
    def typed(x, y):
        method = _method(x, name)
        if method is not None:
            return lambda x, y: method(x, y)
        method = _method(y, reflected)
        if method is not None:
            return lambda x, y: method(y, x)
        return None


def _in_place(function, name, plain):
    @_overload_for_objects(function)
    def typed(x, y):
        method = _method(x, name)
        if method is not None:
            return lambda x, y: method(x, y)
        if isinstance(x, types.ClassInstanceType) or isinstance(y, types.ClassInstanceType):
            return lambda x, y: plain(x, y)
        return None


for _name, (_plain, _reflected, _changing) in _ARITHMETIC.items():
    _binary(getattr(operator, _name), _plain, _reflected)
    _in_place(getattr(operator, f"i{_name.rstrip('_')}"), _changing, getattr(operator, _name))
for _name, _reflected in _COMPARISONS.items():
    if _name != "ne":
        _binary(getattr(operator, _name), f"__{_name}__", f"__{_reflected}__")
for _name, _plain in _UNARY.items():
    _unary(getattr(operator, _name), (_plain,))
for _function, _names in _CONVERSIONS.items():
    _unary(_function, _names)


@_overload_for_objects(operator.ne)
def _ne(x, y):
    for one, is_second in ((x, False), (y, True)):
        for name, negated in (("__ne__", False), ("__eq__", True)):
            method = _method(one, name)
            if method is not None:
                return _differ(method, is_second, negated)
    return None


def _differ(method, is_second, negated):
    if negated:
        return (lambda x, y: not method(y, x)) if is_second else (lambda x, y: not method(x, y))
    return (lambda x, y: method(y, x)) if is_second else (lambda x, y: method(x, y))


@_overload_for_objects(bool)
def _bool(x):
    method = _method(x, "__bool__")
    if method is not None:
        return lambda x: method(x)
    length = _method(x, "__len__")
    if length is not None:
        return lambda x: length(x) != 0
    return (lambda x: True) if isinstance(x, types.ClassInstanceType) else None


def _text(function, names):
    @_overload_for_objects(function)
    def typed(x):
        method = next(filter(None, (_method(x, name) for name in names)), None)
        if method is not None:
            return lambda x: method(x)
        if not isinstance(x, types.ClassInstanceType):
            return None
        text = f"<object type:{x}>"
        return lambda x: text


_text(str, ("__str__", "__repr__"))
_text(repr, ("__repr__",))


@_overload_for_objects(format)
def _format(x, spec=""):
    if not isinstance(x, types.ClassInstanceType):
        return None
    refusal = f"unsupported format string passed to {x.class_type.class_name}.__format__"

    def formatted(x, spec=""):
        if len(spec) != 0:
            raise TypeError(refusal)
        return str(x)

    return formatted


@_overload_for_objects(operator.contains)
def _contains(x, y):
    method = _method(x, "__contains__")
    return None if method is None else (lambda x, y: method(x, y))


@_overload_for_objects(operator.getitem)
def _getitem(x, key):
    method = _method(x, "__getitem__")
    return None if method is None else (lambda x, key: method(x, key))


@_overload_for_objects(operator.setitem)
def _setitem(x, key, value):
    method = _method(x, "__setitem__")
    return None if method is None else (lambda x, key, value: method(x, key, value))


@_overload_for_objects(operator.delitem)
def _delitem(x, key):
    method = _method(x, "__delitem__")
    return None if method is None else (lambda x, key: method(x, key))


@_overload_for_objects(operator.not_)
def _not(x):
    return (lambda x: not bool(x)) if isinstance(x, types.ClassInstanceType) else None


__getattr__ = names_of(__name__)
