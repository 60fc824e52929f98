"""Bases of several concrete types."""

from numbra._named import names_of
from numbra.core.types.abstract import ArrayCompatible, Dummy, IterableType, IteratorType


class Opaque(Dummy, kind="ext", fields=("class_number", "_ext_key", "name")):
    """A type whose values are opaque."""


class SimpleIterableType(IterableType):
    """An iterable whose iterator type is given."""

    def __init__(self, name, iterator_type):
        self._iterator_type = iterator_type
        super().__init__(name)

    @property
    def iterator_type(self):
        return self._iterator_type


class SimpleIteratorType(IteratorType):
    """An iterator whose element type is given."""

    def __init__(self, name, yield_type):
        self.yield_type = yield_type
        super().__init__(name)


class Buffer(IterableType, ArrayCompatible):
    """Memory with a layout."""

    mutable = True
    slice_is_copy = False
    aligned = True
    LAYOUTS = frozenset(["C", "F", "CS", "FS", "A"])
    ndim = 0
    layout = "A"
    dtype = None

    def __init__(self, dtype, ndim, layout, readonly=False, name=None):
        if isinstance(dtype, Buffer):
            from numbra.core.errors import NumbaTypeError

            raise NumbaTypeError(f"Buffer.dtype cannot be buffer, was type {dtype}")
        if layout not in self.LAYOUTS:
            raise ValueError(f"Invalid layout '{layout}'")
        self.dtype, self.ndim, self.layout = dtype, ndim, layout
        if readonly:
            self.mutable = False
        if name is None:
            prefix = f"{'' if self.mutable else 'readonly '}{type(self).__name__.lower()}"
            if type(self).__name__ == "Bytes":
                prefix = "bytes"
            name = f"{prefix}({dtype}, {ndim}d, {layout})"
        super().__init__(name)

    @property
    def iterator_type(self):
        """What ``iter`` gives."""
        from numbra.core.types.iterators import ArrayIterator

        return ArrayIterator(self)

    @property
    def as_array(self):
        """Itself."""
        return self

    def copy(self, dtype=None, ndim=None, layout=None):
        """The same with some parts changed."""
        return type(self)(
            dtype=self.dtype if dtype is None else dtype,
            ndim=self.ndim if ndim is None else ndim,
            layout=self.layout if layout is None else layout,
            readonly=not self.mutable,
        )

    @property
    def key(self):
        return self.dtype, self.ndim, self.layout, self.mutable

    @property
    def is_c_contig(self) -> bool:
        """Row-major contiguous."""
        return self.layout == "C" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_f_contig(self) -> bool:
        """Column-major contiguous."""
        return self.layout == "F" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_contig(self) -> bool:
        """Contiguous either way."""
        return self.layout in "CF"


__getattr__ = names_of(__name__)
