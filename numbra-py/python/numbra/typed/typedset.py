"""The typed set."""

from collections.abc import MutableSet
from types import GenericAlias

from numbra._named import names_of
from numbra._numbra import TypedSet, _typeof
from numbra.core import config


class Set(TypedSet, MutableSet):
    """A set of items of one type, which compiled code takes without a copy.

    Its type is said by :meth:`empty`, or follows from the first item.
    """

    __class_getitem__ = classmethod(GenericAlias)
    __hash__ = None

    def __new__(cls, *args, settype=None, n_keys=0, **kwargs):
        if config.DISABLE_JIT:
            return set(*args)
        return super().__new__(cls)

    def __init__(self, *args, settype=None, n_keys=0, **kwargs):
        from numbra.core.types import SetType

        if len(args) > 1:
            raise TypeError(f"Set() expected at most 1 argument, got {len(args)}")
        if self:
            self.clear()
        items = args[0] if args else ()
        if isinstance(items, SetType):
            items, settype = (), items
        if settype is not None:
            self._set_type(settype)
        for item in items:
            self.add(item)

    @classmethod
    def empty(cls, key_type, n_keys=0):
        """An empty set of items of one type."""
        from numbra.core.types import SetType

        if config.DISABLE_JIT:
            return set()
        return cls(settype=SetType(key_type))

    @property
    def _set_type_(self):
        return self._numba_type_

    def add(self, item):
        """Adds an item."""
        if not self._typed:
            self._set_type(_type_with(item))
        self._add(item)

    def discard(self, item):
        """Removes an item if it is there."""
        if not self._typed:
            raise TypeError("Cannot discard from an untyped set")
        self._discard(item)

    def __iter__(self):
        count, at = len(self), 0
        while at < count:
            yield self._item(at)
            at += 1
            if len(self) != count:
                raise RuntimeError("Set changed size during iteration")

    def copy(self):
        """A new set of the same items."""
        if not self._typed:
            raise TypeError("Cannot copy an untyped set")
        return self._copied()

    def __copy__(self):
        return self.copy() if self._typed else type(self)()

    def __deepcopy__(self, memo):
        if not self._typed:
            return type(self)()
        # Objects that share a set share its copy.
        key = TypedSet, self._address
        if key not in memo:
            memo[key] = self.copy()
        return memo[key]

    def __str__(self):
        return str(set(self))

    def __repr__(self):
        return f"{self._numba_type_ if self._typed else 'SetType[Undefined]'}({self})"

    def __reduce__(self):
        return _rebuild, (self._numba_type_ if self._typed else None, list(self))


def _type_with(item):
    from numbra.core.errors import TypingError
    from numbra.core.types import SetType

    found = _typeof(item)
    if found is None:
        raise TypingError(f"a set cannot have an item of type {type(item).__name__}")
    return SetType(found)


def _rebuild(settype, items):
    made = Set(settype=settype)
    for item in items:
        made.add(item)
    return made


__all__ = ["Set"]
__getattr__ = names_of(__name__)
