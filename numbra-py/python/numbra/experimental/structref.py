"""Structures by reference: types that programs define, whose values are objects with fields.

A type is a subclass of ``numba.types.StructRef``; :func:`register` makes its fields attributes in compiled code,
:func:`define_proxy` gives it a constructor and a class of Python objects.
"""

import functools
import inspect

from numbra import _numbra
from numbra._named import names_of
from numbra.core import types
from numbra.core.decorators import njit
from numbra.core.extending import overload


def new(struct_type):
    """A new object of a type, whose fields are not set; compiled code alone calls it."""
    raise NotImplementedError("compiled code alone makes objects of structures")


class StructRefProxy(_numbra.Instance):
    """The class of the Python objects; subclasses add properties, which call jitted functions."""

    def __new__(cls, *args):
        """An object of the structure that the class was defined for, with these fields."""
        return _constructor(cls, len(args))(*args)

    @property
    def _type(self):
        return self._numba_type_

    @property
    def _meminfo(self):
        return self._address


@functools.cache
def _constructor(cls, count):
    space = {"cls": cls}
    names = ", ".join(f"field_{n}" for n in range(count))
    exec(f"def make({names}):\n    return cls({names})\n", space)
    return njit(space["make"])


#: class of types -> class of their Python objects
_classes = {}


def register(struct_type):
    """Decorates a subclass of ``types.StructRef``: its fields become attributes in compiled code."""
    if struct_type is types.StructRef:
        raise ValueError(f"cannot register {types.StructRef}")
    struct_type._numbra_model_ = _model
    struct_type._numbra_object_class_ = _object_class
    return struct_type


def _model(ty):
    return True, [(name, field, name, True) for name, field in ty._fields]


def _object_class(ty):
    for base in type(ty).__mro__:
        if base in _classes:
            return _classes[base]
    return StructRefProxy


def define_proxy(py_class, struct_typeclass, fields):
    """Defines the constructor of a structure and the class of its Python objects.

    Parameters
    ----------
    py_class : type
        A subclass of :class:`StructRefProxy`. In compiled code, too, calling it makes an object.
    struct_typeclass : type
        The registered subclass of ``types.StructRef``.
    fields : sequence of str
        Names of the fields in the order of the constructor's parameters.
    """
    define_constructor(py_class, struct_typeclass, fields)
    define_boxing(struct_typeclass, py_class)


def define_constructor(py_class, struct_typeclass, fields):
    """Defines the constructor alone: its parameters are the fields, whose types are those of the arguments."""
    names = ", ".join(fields)
    lines = [f"    made.{name} = {name}" for name in fields]
    body = "\n".join([f"    def ctor({names}):", "        made = new(struct_type)", *(f"    {line}" for line in lines)])
    pairs = ", ".join(f"({name!r}, {name})" for name in fields)
    source = (
        f"def typed({names}):\n"
        f"    struct_type = struct_typeclass([{pairs}])\n"
        f"{body}\n"
        "        return made\n"
        "    return ctor\n"
    )
    space = {"struct_typeclass": struct_typeclass, "new": new}
    exec(source, space)
    overload(py_class)(space["typed"])


def define_boxing(struct_type, obj_class):
    """Defines the class of the Python objects alone."""
    if struct_type is types.StructRef:
        raise ValueError(f"cannot register {types.StructRef}")
    if not (inspect.isclass(obj_class) and issubclass(obj_class, StructRefProxy)):
        raise TypeError(f"{obj_class} is no subclass of StructRefProxy")
    _classes[struct_type] = obj_class


__getattr__ = names_of(__name__)
