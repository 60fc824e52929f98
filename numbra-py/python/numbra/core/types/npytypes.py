"""Types of NumPy's objects."""

from numbra._named import names_of
from numbra._numbra import _type_intern
from numbra.core.types.abstract import DTypeSpec, IteratorType, MutableSequence, Type
from numbra.core.types.common import Buffer, Opaque, SimpleIteratorType


class CharSeq(Type, kind="char_seq", fields=("count",)):
    """Bytes of fixed length in an array."""

    mutable = True

    def __init__(self, count):
        raise TypeError("types of the lattice are interned")

    @classmethod
    def _intern(cls, count):
        return _type_intern(("char_seq", count))

    @property
    def key(self):
        return self.count


class UnicodeCharSeq(Type, kind="unicode_char_seq", fields=("count",)):
    """Characters of fixed length in an array."""

    mutable = True

    def __init__(self, count):
        raise TypeError("types of the lattice are interned")

    @classmethod
    def _intern(cls, count):
        return _type_intern(("unicode_char_seq", count))

    @property
    def key(self):
        return self.count

    def __repr__(self):
        return f"UnicodeCharSeq({self.count})"


class RecordField:
    """A field of a :class:`Record`."""

    __slots__ = ("alignment", "offset", "title", "type")

    def __init__(self, type, offset, alignment=None, title=None):
        self.type, self.offset, self.alignment, self.title = type, offset, alignment, title

    def __eq__(self, other):
        return isinstance(other, RecordField) and self._fields() == other._fields()

    def __hash__(self):
        return hash(self._fields())

    def _fields(self):
        return self.type, self.offset, self.alignment, self.title


class Record(Type, kind="record", fields=("fields", "size", "aligned")):
    """A structured dtype."""

    mutable = True

    @classmethod
    def _intern(cls, fields, size, aligned):
        """``fields`` are pairs of a name and a dict: ``type``, ``offset``, maybe ``alignment`` and ``title``."""
        given = []
        for name, info in fields.items() if isinstance(fields, dict) else fields:
            field = info if isinstance(info, RecordField) else RecordField(**info)
            given.append((name, *field._fields()))
        given.sort(key=lambda field: (field[2], field[0]))
        return _type_intern(("record", tuple(given), size, bool(aligned)))

    @classmethod
    def make_c_struct(cls, name_types) -> "Record":
        """A structure laid out as a C compiler does."""
        from numbra.core.types import Number
        from numbra.np.numpy_support import as_dtype

        fields, offset, largest = [], 0, 1
        for name, ty in name_types:
            if not isinstance(ty, (Number, NestedArray)):
                raise TypeError(f"Only Number and NestedArray types are supported, found: {ty}. ")
            dtype = as_dtype(ty)
            align, size = dtype.alignment, dtype.itemsize
            largest = max(largest, align)
            offset = -(-offset // align) * align
            fields.append((name, RecordField(ty, offset, align)))
            offset += size
        return Record(fields, -(-offset // largest) * largest, True)

    @classmethod
    def _of_kind(cls, kind, attributes):
        named = ((field[0], RecordField(*field[1:])) for field in attributes["fields"])
        return cls, attributes | {"fields": dict(named), "bitwidth": attributes["size"] * 8}

    def __len__(self):
        return len(self.fields)

    def offset(self, key):
        """Byte offset of a field."""
        return self.fields[key].offset

    def typeof(self, key):
        """Type of a field."""
        return self.fields[key].type

    def alignof(self, key):
        """Alignment of a field."""
        return self.fields[key].alignment

    def has_titles(self):
        """True if a field has a title."""
        return any(f.title is not None for f in self.fields.values())

    def is_title(self, key):
        """True if the name is a title."""
        return self.fields[key].title == key

    @property
    def members(self):
        """Names and types of the fields, in memory order."""
        return [(name, field.type) for name, field in self.fields.items()]

    @property
    def dtype(self):
        """The NumPy dtype."""
        from numbra.np.numpy_support import as_dtype

        return as_dtype(self)

    @property
    def mangling_args(self):
        return type(self).__name__, (self._code,)

    def __repr__(self):
        fields = ", ".join(
            f"({name!r}, {{'type': {f.type!r}, 'offset': {f.offset}, "
            f"'alignment': {f.alignment}, 'title': {f.title}, }})"
            for name, f in self.fields.items()
        )
        return f"Record([{fields}], {self.size}, {self.aligned})"


class DType(DTypeSpec, Opaque, kind="dtype", fields=("_dtype",)):
    """A NumPy dtype as a value."""

    @classmethod
    def _intern(cls, dtype):
        if dtype._kind is None:
            from numbra.core.types.abstract import _unique

            instance = object.__new__(cls)
            instance._dtype = dtype
            Type.__init__(instance, f"dtype({dtype})")
            return _unique(instance)
        return _type_intern(("dtype", dtype))

    @property
    def key(self):
        return self.dtype

    @property
    def dtype(self):
        """The type of the elements."""
        return self._dtype

    def __getitem__(self, arg):
        """``DType[:]`` is an array of what the dtype stands for."""
        return self.dtype[arg]


class NumpyFlatType(SimpleIteratorType, MutableSequence, kind="flat_iter", fields=("array_type", "indexed")):
    """``a.flat``"""

    def __init__(self, arrty):
        self.array_type = arrty
        self.dtype = arrty.dtype
        super().__init__(f"array.flat({arrty})", arrty.dtype)

    @classmethod
    def _of_kind(cls, kind, attributes):
        from numbra.core.types import Tuple, UniTuple, intp

        array = attributes["array_type"]
        if attributes.pop("indexed"):
            item = Tuple((UniTuple(intp, array.ndim), array.dtype))
            return NumpyNdEnumerateType, attributes | {"yield_type": item}
        return cls, attributes | {"yield_type": array.dtype, "dtype": array.dtype}

    @property
    def key(self):
        return self.array_type


class NumpyNdEnumerateType(SimpleIteratorType):
    """``np.ndenumerate(a)``"""

    def __init__(self, arrty):
        from numbra.core.types import Tuple, UniTuple, intp

        self.array_type = arrty
        super().__init__(f"ndenumerate({arrty})", Tuple((UniTuple(intp, arrty.ndim), arrty.dtype)))

    @property
    def key(self):
        return self.array_type


class NumpyNdIterType(IteratorType, kind="nditer", fields=("ndim", "dtypes")):
    """``np.nditer(arrays)``"""

    def __init__(self, arrays):
        self.arrays = tuple(arrays)
        self.ndim = max((a.ndim for a in self.arrays if isinstance(a, Array)), default=0)
        layouts = {a.layout for a in self.arrays if isinstance(a, Array) and a.ndim == self.ndim}
        self.layout = "F" if layouts == {"F"} else "C"
        super().__init__(f"nditer(ndim={self.ndim}, layout={self.layout}, inputs={self.arrays})")
        self.dtypes = tuple(getattr(a, "dtype", a) for a in self.arrays)

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, attributes | {"dtypes": tuple(item.dtype for item in attributes["dtypes"])}

    @property
    def yield_type(self):
        """Arrays of rank 0, in a tuple where there are several."""
        from numbra.core.types import BaseTuple

        views = [Array(dtype, 0, "C") for dtype in self.dtypes]
        return views[0] if len(views) == 1 else BaseTuple.from_types(views)

    @property
    def views(self):
        """Types of the elements."""
        return [Array(dtype, 0, "C") for dtype in self.dtypes]

    @property
    def key(self):
        return self.arrays


class NumpyNdIndexType(SimpleIteratorType):
    """``np.ndindex(shape)``"""

    def __init__(self, ndim):
        from numbra.core.types import UniTuple, intp

        self.ndim = ndim
        super().__init__(f"ndindex(ndim={ndim})", UniTuple(intp, ndim))

    @property
    def key(self):
        return self.ndim


class Array(Buffer, kind="array", fields=("dtype", "ndim", "layout", "mutable", "aligned")):
    """``array(dtype, ndim, layout)``"""

    def __init__(self, dtype, ndim, layout, readonly=False, name=None, aligned=True):
        if readonly:
            self.mutable = False
        if not aligned:
            self.aligned = False
        if name is None:
            kind = "array" if self.mutable else "readonly array"
            if not self.aligned:
                kind = "unaligned " + kind
            name = f"{kind}({dtype}, {ndim}d, {layout})"
        super().__init__(dtype, ndim, layout, name=name)

    @classmethod
    def _intern(cls, dtype, ndim, layout, readonly=False, name=None, aligned=True):
        if isinstance(dtype, NestedArray):
            dtype, ndim = dtype.dtype, ndim + dtype.ndim
        if isinstance(dtype, Buffer):
            from numbra.core.errors import NumbaTypeError

            raise NumbaTypeError(f"Array.dtype cannot be buffer, was type {dtype}")
        if dtype._kind is None:
            from numbra.core.types.abstract import _unique

            instance = object.__new__(cls)
            instance.__init__(dtype, ndim, layout, readonly, name, aligned)
            return _unique(instance)
        return _type_intern(("array", dtype, ndim, layout, not readonly, aligned))

    @classmethod
    def _of_kind(cls, kind, attributes):
        if attributes["mutable"]:
            del attributes["mutable"]
        return cls, attributes

    @property
    def readonly(self) -> bool:
        """True when elements cannot be set."""
        return not self.mutable

    @property
    def mangling_args(self):
        args = [
            self.dtype,
            self.ndim,
            self.layout,
            "mutable" if self.mutable else "readonly",
            "aligned" if self.aligned else "unaligned",
        ]
        return type(self).__name__, args

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None) -> "Array":
        """The same with some parts changed."""
        return Array(
            self.dtype if dtype is None else dtype,
            self.ndim if ndim is None else ndim,
            self.layout if layout is None else layout,
            not self.mutable if readonly is None else readonly,
            aligned=self.aligned,
        )

    @property
    def key(self):
        return self.dtype, self.ndim, self.layout, self.mutable, self.aligned

    @property
    def box_type(self):
        """The class of results."""
        import numpy

        return numpy.ndarray

    def is_precise(self) -> bool:
        return self.dtype.is_precise()

    def __repr__(self):
        return f"Array({self.dtype!r}, {self.ndim}, '{self.layout}', {self.readonly}, aligned={self.aligned})"


class ArrayCTypes(Type):
    """``a.ctypes``"""

    def __init__(self, arytype):
        self.dtype, self.ndim = arytype.dtype, arytype.ndim
        super().__init__(f"ArrayCTypes(dtype={self.dtype}, ndim={self.ndim})")

    @property
    def key(self):
        return self.dtype, self.ndim


class ArrayFlags(Type):
    """``a.flags``"""

    def __init__(self, arytype):
        self.array_type = arytype
        super().__init__(f"ArrayFlags({arytype})")

    @property
    def key(self):
        return self.array_type


class NestedArray(Array, kind="nested_array", fields=("dtype", "_shape")):
    """An array inside a record."""

    @classmethod
    def _intern(cls, dtype, shape):
        if isinstance(dtype, NestedArray):
            shape, dtype = tuple(shape) + dtype.shape, dtype.dtype
        return _type_intern(("nested_array", dtype, tuple(shape)))

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, attributes | {"ndim": len(attributes["_shape"]), "layout": "C"}

    @property
    def shape(self):
        """Length of each axis."""
        return self._shape

    @property
    def nitems(self):
        """Number of elements."""
        import math

        return math.prod(self._shape)

    @property
    def size(self):
        """Bytes of an element."""
        return self.dtype.bitwidth // 8

    @property
    def strides(self):
        """Bytes from one element to the next, along each axis."""
        out = [self.dtype.bitwidth // 8]
        for n in reversed(self._shape[1:]):
            out.append(n * out[-1])
        return tuple(reversed(out))

    @property
    def key(self):
        return self.dtype, self.shape

    def __repr__(self):
        return f"NestedArray({self.dtype!r}, {self.shape})"


class NumPyRandomBitGeneratorType(Type):
    """A bit generator of ``np.random``."""

    def __init__(self, *args, **kwargs):
        super().__init__(type(self).__name__)


class NumPyRandomGeneratorType(Type, kind="random_generator"):
    """``np.random.Generator``"""

    @classmethod
    def _intern(cls, *args, **kwargs):
        return _type_intern(("random_generator",))


class PolynomialType(Type, kind="polynomial", fields=("coef", "domain", "window")):
    """``np.polynomial.Polynomial``"""

    n_args = 1

    @classmethod
    def _intern(cls, coef, domain, window, n_args=1):
        return _type_intern(("polynomial", coef, domain, window))


__getattr__ = names_of(__name__)
