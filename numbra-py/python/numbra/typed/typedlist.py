"""The typed list."""

from collections.abc import MutableSequence
from copy import deepcopy
from types import GenericAlias

from numbra._named import names_of
from numbra._numbra import TypedList, _typed_list_methods, _typeof
from numbra.core import config


@_typed_list_methods
class List(TypedList, MutableSequence):
    """A list of items of one type, which compiled code takes without a copy.

    Its type is said by :meth:`empty_list`, or follows from the first item.
    """

    __class_getitem__ = classmethod(GenericAlias)
    __hash__ = None

    def __new__(cls, *args, lsttype=None, allocated=0, **kwargs):
        if config.DISABLE_JIT:
            return list(*args)
        return super().__new__(cls)

    def __init__(self, *args, lsttype=None, allocated=0, **kwargs):
        from numbra.core.types import ListType

        if len(args) > 1:
            raise TypeError(f"List() expected at most 1 argument, got {len(args)}")
        if self:
            self.clear()
        items = args[0] if args else ()
        if isinstance(items, ListType):
            items, lsttype = (), items
        if lsttype is not None:
            self._set_type(lsttype, allocated)
        try:
            items = iter(items)
        except TypeError:
            raise TypeError("List() argument must be iterable") from None
        self.extend(items)

    @classmethod
    def empty_list(cls, item_type, allocated=0):
        """An empty list of items of one type, with room for some."""
        from numbra.core.types import ListType

        if config.DISABLE_JIT:
            return []
        return cls(lsttype=ListType(item_type), allocated=allocated)

    @property
    def _list_type(self):
        return self._numba_type_

    @property
    def _dtype(self):
        return self._numba_type_.item_type

    def extend(self, iterable):
        """Adds the items of an iterable at the end."""
        for item in self.copy() if iterable is self and self else iterable:
            self.append(item)

    def remove(self, value):
        """Removes the first item that equals ``value``; ValueError when there is none."""
        for i, item in enumerate(self):
            if item == value:
                del self[i]
                return
        raise ValueError("list.remove(x): x not in list")

    def __iadd__(self, other):
        self.extend(other)
        return self

    def getitem_unchecked(self, i):
        """The item at position ``i``."""
        return self[i]

    def sort(self, key=None, reverse=False):
        """Sorts the items in place, stably, as compiled code does; ``key`` is compiled if it is not."""
        from numbra.core.dispatcher import Dispatcher

        if not self:
            return
        if callable(key) and not isinstance(key, Dispatcher):
            from numbra.core.decorators import njit

            key = njit(key)
        _sorting()(self, key, reverse)

    def __eq__(self, other):
        if not isinstance(other, (List, list)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __ne__(self, other):
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __lt__(self, other):
        return list(self) < list(other)

    def __le__(self, other):
        return list(self) <= list(other)

    def __gt__(self, other):
        return list(self) > list(other)

    def __ge__(self, other):
        return list(self) >= list(other)

    def __copy__(self):
        return self.copy() if self._typed else type(self)()

    def __deepcopy__(self, memo):
        if not self._typed:
            return type(self)()
        # Objects that share a list share its copy.
        key = TypedList, self._address
        if key not in memo:
            made = memo[key] = List(lsttype=self._numba_type_)
            for item in self:
                made.append(deepcopy(item, memo))
        return memo[key]

    def __str__(self):
        return "[" + ", ".join(map(str, self)) + "]"

    def __repr__(self):
        return f"{self._numba_type_ if self._typed else 'ListType[Undefined]'}({self})"

    def __reduce__(self):
        return _rebuild, (self._numba_type_ if self._typed else None, list(self))


_sort = None


def _sorting():
    """What sorts, compiled on first use."""
    global _sort
    if _sort is None:
        from numbra.core.decorators import njit

        @njit
        def sort(items, key, reverse):
            items.sort(key, reverse)

        _sort = sort
    return _sort


def _type_with(item):
    from numbra.core.errors import TypingError
    from numbra.core.types import ListType

    found = _typeof(item)
    if found is None:
        raise TypingError(f"a list cannot have an item of type {type(item).__name__}")
    return ListType(found)


def _rebuild(lsttype, items):
    made = List(lsttype=lsttype)
    made.extend(items)
    return made


__all__ = ["List"]
__getattr__ = names_of(__name__)
