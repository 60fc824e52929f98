"""The typed dictionary."""

from collections.abc import Mapping, MutableMapping
from copy import deepcopy
from types import GenericAlias

from numbra._named import names_of
from numbra._numbra import TypedDict, _typeof
from numbra.core import config


class Dict(TypedDict, MutableMapping):
    """A dictionary with keys of one type and values of one type, which compiled code takes without a copy.

    Its types are said by :meth:`empty`, or follow from the first entry. Entries stand in the order in which keys came.
    """

    __class_getitem__ = classmethod(GenericAlias)
    __hash__ = None

    def __new__(cls, *args, dcttype=None, n_keys=0, **kwargs):
        if config.DISABLE_JIT:
            return dict(*args, **kwargs)
        return super().__new__(cls)

    def __init__(self, *args, dcttype=None, n_keys=0, **kwargs):
        from numbra.core.types import DictType

        if len(args) > 1:
            from numbra.core.errors import TypingError

            raise TypingError(f"Dict expect at most 1 argument, got {len(args)}")
        items = args[0] if args else ()

        if isinstance(items, DictType):
            items, dcttype = (), items
        if dcttype is not None:
            self._set_type(dcttype)
        self.update(items, **kwargs)

    @classmethod
    def empty(cls, key_type, value_type, n_keys=0):
        """An empty dictionary with keys of one type and values of another."""
        from numbra.core.types import DictType

        if config.DISABLE_JIT:
            return {}
        return cls(dcttype=DictType(key_type, value_type))

    @property
    def _dict_type(self):
        return self._numba_type_

    def __iter__(self):
        for key, _ in self._entries():
            yield key

    def _entries(self):
        count, at = len(self), 0
        while found := self._next(at):
            at, key, value = found
            yield key, value
            at += 1
            if len(self) != count:
                raise RuntimeError("dictionary changed size during iteration")

    def copy(self):
        """A new dictionary of the same entries."""
        made = type(self)()
        if self._typed:
            made._set_type(self._numba_type_)
        made.update(self)
        return made

    def update(self, items=(), /, **kwargs):
        """Takes the entries of a mapping, or of pairs."""
        if isinstance(items, Dict):
            items = list(items._entries())
        elif isinstance(items, Mapping):
            items = list(items.items())
        for key, value in _pairs(items):
            self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def __deepcopy__(self, memo):
        if not self._typed:
            return type(self)()
        # Objects that share a dictionary share its copy.
        key = TypedDict, self._address
        if key not in memo:
            made = memo[key] = Dict(dcttype=self._numba_type_)
            for entry in self._entries():
                made[deepcopy(entry[0], memo)] = deepcopy(entry[1], memo)
        return memo[key]

    def setdefault(self, key, default=None):
        """The value of a key, which is the default from now on if there was none."""
        if not self._typed and default is None:
            raise TypeError("invalid operation on untyped dictionary")
        return super().setdefault(key, default)

    def __repr__(self):
        shown = ", ".join(f"{key!r}: {value!r}" for key, value in self._entries())
        return "{" + shown + "}"

    def __reduce__(self):
        return _rebuild, (self._numba_type_ if self._typed else None, list(self._entries()))


def _pairs(items):
    """Pairs of keys and values, as `dict` takes them."""
    try:
        items = enumerate(items)
    except TypeError as error:
        from numbra.core.errors import TypingError

        raise TypingError(str(error)) from None
    for i, item in items:
        try:
            item = tuple(item)
        except TypeError:
            raise TypeError(f"cannot convert dictionary update sequence element #{i} to a sequence") from None
        if len(item) != 2:
            raise ValueError(f"dictionary update sequence element #{i} has length {len(item)}; 2 is required")
        yield item


def _type_of_entry(key, value):
    from numbra.core.errors import TypingError
    from numbra.core.types import DictType

    types = _typeof(key), _typeof(value)
    for what, found, given in zip(("key", "value"), types, (key, value), strict=True):
        if found is None:
            raise TypingError(f"a dict cannot have a {what} of type {type(given).__name__}")
    return DictType(*types)


def _rebuild(dcttype, entries):
    made = Dict(dcttype=dcttype)
    made.update(entries)
    return made


__all__ = ["Dict"]
__getattr__ = names_of(__name__)
