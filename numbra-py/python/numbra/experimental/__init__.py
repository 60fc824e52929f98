"""``numbra.experimental``: numbra does not have jitclass yet. Classes that it decorates say so when they are used."""

from numbra._named import names_of
from numbra.core.errors import UnsupportedError


def jitclass(cls_or_spec=None, spec=None):
    """Decorates a class whose objects compiled code could make and use. Making one raises ``UnsupportedError``."""

    def decorate(cls):
        def refuse(cls, *args, **kwargs):
            raise UnsupportedError(
                f"numbra does not have jitclass yet, so there are no objects of {cls.__name__}: write functions that "
                "take what the class would hold, as arrays or a named tuple"
            )

        return type(cls.__name__, (), {"__new__": refuse, "__doc__": cls.__doc__, "__module__": cls.__module__})

    return decorate(cls_or_spec) if isinstance(cls_or_spec, type) else decorate


__all__ = ["jitclass"]

__getattr__ = names_of(__name__)
