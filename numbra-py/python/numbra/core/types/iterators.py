"""Ranges, iterators and generators."""

from numbra._named import names_of
from numbra._numbra import _type_intern
from numbra.core.types.common import SimpleIterableType, SimpleIteratorType


class RangeType(SimpleIterableType, kind="range", fields=("dtype",)):
    """A ``range``."""

    @classmethod
    def _intern(cls, dtype):
        return _type_intern(("range", dtype))

    @property
    def iterator_type(self):
        return RangeIteratorType(self.dtype)


class RangeIteratorType(SimpleIteratorType, kind="range_iter", fields=("yield_type",)):
    """An iterator over a ``range``."""

    @classmethod
    def _intern(cls, dtype):
        return _type_intern(("range_iter", dtype))


class EnumerateType(SimpleIteratorType, kind="enumerate", fields=("source_type",)):
    """An ``enumerate``."""

    @classmethod
    def _intern(cls, iterable_type):
        return _type_intern(("enumerate", iterable_type))

    @property
    def yield_type(self):
        """Pairs of number and element."""
        from numbra.core.types import Tuple, intp

        return Tuple((intp, self.source_type.yield_type))


class ZipType(SimpleIteratorType, kind="zip", fields=("source_types",)):
    """A ``zip``."""

    @classmethod
    def _intern(cls, iterable_types):
        return _type_intern(("zip", list(iterable_types)))

    @property
    def yield_type(self):
        """Tuples of elements."""
        from numbra.core.types import Tuple

        return Tuple([t.yield_type for t in self.source_types])


class ArrayIterator(SimpleIteratorType, kind="array_iter", fields=("array_type",)):
    """An iterator over an array."""

    def __init__(self, array_type):
        self.array_type = array_type
        super().__init__(f"iter({array_type})", self._element(array_type))

    @classmethod
    def _intern(cls, array_type):
        from numbra.core.types.npytypes import Array

        if type(array_type) is Array:
            return _type_intern(("array_iter", array_type))
        from numbra.core.types.abstract import _unique

        instance = object.__new__(cls)
        instance.__init__(array_type)
        return _unique(instance)

    @staticmethod
    def _element(array_type):
        if array_type.ndim <= 1:
            return array_type.dtype
        layout = "A" if array_type.layout == "F" else array_type.layout
        return array_type.copy(ndim=array_type.ndim - 1, layout=layout)

    def __getattr__(self, name):
        if name == "yield_type":
            return self._element(self.array_type)
        return super().__getattr__(name)


class Generator(SimpleIteratorType, kind="generator", fields=("gen_func", "yield_type", "arg_types")):
    """A generator object."""

    has_finalizer, state_types = True, ()

    def __init__(self, gen_func, yield_type, arg_types, state_types, has_finalizer):
        self.gen_func, self.has_finalizer = gen_func, has_finalizer
        self.arg_types, self.state_types = tuple(arg_types), tuple(state_types)
        super().__init__(
            f"{yield_type} generator(func={gen_func}, args={self.arg_types}, has_finalizer={has_finalizer})",
            yield_type,
        )

    @property
    def key(self):
        return (
            self.gen_func,
            self.arg_types,
            self.yield_type,
            self.has_finalizer,
            self.state_types,
        )


__getattr__ = names_of(__name__)
