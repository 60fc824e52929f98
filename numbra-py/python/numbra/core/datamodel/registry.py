"""The data models of all types, and those that other people register."""

import functools

from numbra._named import names_of
from numbra.core.datamodel.manager import DataModelManager

default_manager = DataModelManager()

#: (class of types, name of a field) -> name of the attribute in Python
_attributes = {}


def register(dmm, typecls):
    """Decorates a class of models: it is that of these types."""

    def decorate(model):
        dmm.register(typecls, model)
        if dmm is default_manager:
            typecls._numbra_model_ = _describe
        return model

    return decorate


def register_default(typecls):
    """:func:`register` for all of numbra."""
    return register(default_manager, typecls)


register_model = register_default


def make_attribute_wrapper(typeclass, struct_attr, python_attr):
    """Makes a field of a type's model an attribute of its values in compiled code, to be read only.

    Parameters
    ----------
    typeclass : type
        A class of types whose models are structs.
    struct_attr : str
        The field.
    python_attr : str
        The attribute.
    """
    from numbra.core import types

    if not isinstance(typeclass, type) or not issubclass(typeclass, types.Type):
        raise TypeError(f"typeclass should be a Type subclass, got {typeclass}")
    _attributes.setdefault((typeclass, struct_attr), []).append(python_attr)


def _describe(ty):
    """What the compiler asks of a type: see :mod:`numbra.core.datamodel.described`."""
    return False, default_manager.lookup(ty).described(functools.partial(_attribute, type(ty)))


def _attribute(typecls, field):
    """The attribute that a field is, or None."""
    for base in typecls.__mro__:
        if (base, field) in _attributes:
            return _attributes[base, field][-1]
    return None


__getattr__ = names_of(__name__)
