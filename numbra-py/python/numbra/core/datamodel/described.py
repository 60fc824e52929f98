"""What the compiler asks of types that Python code defines: their fields, and the classes of their objects.

A type whose class has a method ``_numbra_model_`` says by it what its values are made of: whether they are references
to objects, and the fields as (name, type, attribute or None, whether it may be written). Its method
``_numbra_object_class_`` gives the class of the Python objects, a subclass of ``numbra._numbra.Instance``.
"""

import functools

from numbra.core import types
from numbra.core.decorators import njit


def describe(ty):
    """Whether values are references, and their fields; None for a type that says nothing of it."""
    model = getattr(type(ty), "_numbra_model_", None)
    if model is None:
        return None
    is_object, fields = model(ty)
    return is_object, [(name, defined(field), attribute, is_writable) for name, field, attribute, is_writable in fields]


def class_of_objects(ty):
    """The class of the Python objects of a type."""
    find = getattr(type(ty), "_numbra_object_class_", None)
    if find is None:
        raise TypeError(f"no class is known for the objects of type {ty}")
    return find(ty)


def defined(ty):
    """The type with deferred types replaced by what they were defined as."""
    if isinstance(ty, types.DeferredType):
        return defined(ty.get())
    if ty._kind is None:
        return ty
    kind = tuple(_defined(part) for part in ty._kind)
    from numbra._numbra import _type_intern

    return ty if kind == ty._kind else _type_intern(kind)


def _defined(part):
    if isinstance(part, types.Type):
        return defined(part)
    return tuple(map(_defined, part)) if isinstance(part, tuple) else part


@functools.cache
def _setter(name):
    space = {}
    exec(f"def setter(object, value):\n    object.{name} = value", space)
    return njit(space["setter"])


def assign(instance, name, value):
    """``instance.name = value`` by compiled code: the value is converted as there."""
    _setter(name)(instance, value)
