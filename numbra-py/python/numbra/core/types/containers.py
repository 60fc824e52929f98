"""Tuples, lists, sets, dictionaries and what iterates over them."""

from numbra._named import names_of
from numbra._numbra import _named_tuple, _type_intern
from numbra.core.types.abstract import (
    ConstSized,
    Container,
    Hashable,
    InitialValue,
    IterableType,
    Literal,
    MutableSequence,
    Sequence,
    Type,
)
from numbra.core.types.common import Buffer, SimpleIterableType, SimpleIteratorType


class Pair(Type, kind="pair", fields=("first_type", "second_type")):
    """What advancing an iterator gives: a value and whether there is one."""

    @classmethod
    def _intern(cls, first_type, second_type):
        return _type_intern(("pair", first_type, second_type))

    @property
    def key(self):
        return self.first_type, self.second_type


class BaseContainerIterator(SimpleIteratorType):
    """An iterator over a container of one element type."""

    container_class: type

    def __init__(self, container):
        assert isinstance(container, self.container_class), container
        self.container = container
        super().__init__(f"iter({container})", container.dtype)

    @property
    def key(self):
        return self.container

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, attributes | {"yield_type": attributes["container"].dtype}


class BaseContainerPayload(Type):
    """The storage of a container."""

    container_class: type

    def __init__(self, container):
        assert isinstance(container, self.container_class)
        self.container = container
        super().__init__(f"payload({container})")

    @property
    def key(self):
        return self.container


class Bytes(Buffer, kind="bytes"):
    """``bytes``"""

    mutable = False
    slice_is_copy = True

    @classmethod
    def _intern(cls, dtype, ndim, layout, readonly=True, name=None):
        return _type_intern(("bytes",))

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, {"dtype": _type_intern(("scalar", "uint8")), "ndim": 1, "layout": "C"}


def _object_buffer(cls, dtype, ndim, layout, readonly=False, name=None):
    if isinstance(dtype, Buffer):
        from numbra.core.errors import NumbaTypeError

        raise NumbaTypeError(f"Buffer.dtype cannot be buffer, was type {dtype}")
    return _type_intern(("buffer", cls.__name__.lower(), dtype, ndim, layout, not readonly))


class ByteArray(Buffer, kind="buffer", fields=("class_name", "dtype", "ndim", "layout", "mutable")):
    """``bytearray``"""

    slice_is_copy = True
    _intern = classmethod(_object_buffer)

    @classmethod
    def _of_kind(cls, kind, attributes):
        classes = {"bytearray": ByteArray, "memoryview": MemoryView, "pyarray": PyArray}
        return classes[attributes.pop("class_name")], attributes


class PyArray(Buffer):
    """``array.array``"""

    slice_is_copy = True
    _intern = classmethod(_object_buffer)


class MemoryView(Buffer):
    """``memoryview``"""

    _intern = classmethod(_object_buffer)


def _listed(types) -> list[Type]:
    if isinstance(types, Type) and not isinstance(types, BaseTuple):
        from numbra.core.errors import TypingError

        raise TypingError(f"Argument 'types' is not iterable: got {types}")
    return list(types)


def is_homogeneous(*tys) -> bool:
    """True if the types are all one type."""
    return not tys or all(t == tys[0] for t in tys[1:])


class BaseTuple(ConstSized, Hashable):
    """Any tuple."""

    types: tuple[Type, ...]

    @classmethod
    def from_types(cls, tys, pyclass=None) -> "BaseTuple":
        """The tuple type of these element types, of a named tuple class if one is given."""
        if pyclass is not None and pyclass is not tuple:
            assert hasattr(pyclass, "_asdict")
            return NamedTuple(tys, pyclass)
        return _type_intern(("tuple", list(tys)))


class BaseAnonymousTuple(BaseTuple):
    """A tuple without field names."""


class _HomogeneousTuple(Sequence, BaseTuple):
    @property
    def iterator_type(self):
        return UniTupleIter(self)

    def __getitem__(self, i):
        if i >= self.count:
            raise IndexError
        return self.dtype

    def __iter__(self):
        return iter([self.dtype] * self.count)

    def __len__(self):
        return self.count

    @property
    def types(self):
        """Types of the elements."""
        return (self.dtype,) * self.count


class UniTuple(BaseAnonymousTuple, _HomogeneousTuple, Sequence, kind="unituple", fields=("dtype", "count")):
    """A tuple of one element type."""

    dtype: Type
    count: int

    @classmethod
    def _intern(cls, dtype, count):
        return _type_intern(("unituple", dtype, count))

    @property
    def key(self):
        return self.dtype, self.count

    @property
    def mangling_args(self):
        return type(self).__name__, (self.dtype, self.count)

    def __repr__(self):
        return f"UniTuple({self.dtype!r}, {self.count})"


class UniTupleIter(BaseContainerIterator, kind="unituple_iter", fields=("container",)):
    """An iterator over a tuple."""

    container_class = _HomogeneousTuple

    @classmethod
    def _intern(cls, container):
        return _type_intern(("unituple_iter", container))


class _HeterogeneousTuple(BaseTuple):
    count: int

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, attributes | {"count": len(attributes["types"])}

    def __getitem__(self, i):
        return self.types[i]

    def __len__(self):
        return len(self.types)

    def __iter__(self):
        return iter(self.types)

    @property
    def key(self):
        return self.types

    def __bool__(self):
        return True


class Tuple(BaseAnonymousTuple, _HeterogeneousTuple, kind="tuple", fields=("types",)):
    """A tuple of element types that differ."""

    @classmethod
    def _intern(cls, types):
        return _type_intern(("tuple", _listed(types)))

    @property
    def mangling_args(self):
        return type(self).__name__, tuple(self.types)

    def __repr__(self):
        return f"Tuple({tuple(self.types)!r})"


class _StarArgTupleMixin:
    """A tuple that holds the rest of the arguments."""


class StarArgTuple(_StarArgTupleMixin, Tuple, kind="starargtuple", fields=("types",)):
    """``*args`` inside a function."""

    @classmethod
    def _intern(cls, types):
        return _type_intern(("starargtuple", list(types)))


class StarArgUniTuple(_StarArgTupleMixin, UniTuple):
    """``*args`` of one type inside a function."""

    @classmethod
    def _intern(cls, dtype, count):
        return _type_intern(("starargtuple", [dtype] * count))


class BaseNamedTuple(BaseTuple):
    """A tuple with field names."""


class NamedUniTuple(_HomogeneousTuple, BaseNamedTuple):
    """A named tuple of one element type."""

    @classmethod
    def _intern(cls, dtype, count, pyclass):
        return NamedTuple([dtype] * count, pyclass)

    @property
    def key(self):
        return self.instance_class, self.dtype, self.count


class NamedTuple(_HeterogeneousTuple, BaseNamedTuple, kind="namedtuple", fields=("instance_class", "fields", "types")):
    """A named tuple."""

    fields: tuple[str, ...]

    @classmethod
    def _intern(cls, types, pyclass):
        return _named_tuple(pyclass, _listed(types))

    @classmethod
    def _of_kind(cls, kind, attributes):
        attributes["fields"] = tuple(attributes["fields"])
        return super()._of_kind(kind, attributes)

    @property
    def key(self):
        return self.instance_class, self.types


class List(MutableSequence, InitialValue, kind="list", fields=("dtype", "reflected")):
    """``list(T)``"""

    dtype: Type

    @classmethod
    def _intern(cls, dtype, reflected=False, initial_value=None):
        plain = _type_intern(("list", dtype, reflected))
        if initial_value is None:
            return plain
        return _type_intern(("initial", plain, tuple(initial_value)))

    initial_value = None

    def copy(self, dtype=None, reflected=None) -> "List":
        """The same with some parts changed."""
        return List(
            self.dtype if dtype is None else dtype,
            self.reflected if reflected is None else reflected,
        )

    @property
    def key(self):
        return self.dtype, self.reflected, str(self.initial_value)

    @property
    def iterator_type(self):
        return ListIter(self)

    def is_precise(self) -> bool:
        return self.dtype.is_precise()

    def __getitem__(self, args):
        """The type of the elements, whichever is asked for."""
        return self.dtype

    def __repr__(self):
        return f"List({self.dtype}, {self.reflected})"


class ListIter(BaseContainerIterator, kind="list_iter", fields=("container",)):
    """An iterator over a list."""

    container_class = List

    @classmethod
    def _intern(cls, container):
        return _type_intern(("list_iter", container))


class ListPayload(BaseContainerPayload):
    """The storage of a list."""

    container_class = List


class LiteralList(Literal, ConstSized, Hashable, kind="literal_list", fields=("types",)):
    """A list of known length whose elements have types of their own."""

    mutable = False

    @classmethod
    def _intern(cls, literal_value):
        return _type_intern(("literal_list", list(literal_value)))

    @classmethod
    def _of_kind(cls, kind, attributes):
        items = attributes["types"]
        more = {"initial_value": items, "count": len(items), "_literal_value": list(items)}
        return cls, attributes | more

    @classmethod
    def from_types(cls, tys):
        """The type of a list of these."""
        return LiteralList(tys)

    def __getitem__(self, i):
        return self.types[i]

    def __len__(self):
        return self.count

    def __iter__(self):
        return iter(self.types)


class Set(Container, kind="set", fields=("dtype", "reflected")):
    """``set(T)``"""

    mutable = True

    dtype: Type

    @classmethod
    def _intern(cls, dtype, reflected=False):
        return _type_intern(("set", dtype, reflected))

    @property
    def key(self):
        return self.dtype, self.reflected

    @property
    def iterator_type(self):
        return SetIter(self)

    def is_precise(self) -> bool:
        return self.dtype.is_precise()

    def copy(self, dtype=None, reflected=None) -> "Set":
        """The same with some parts changed."""
        return Set(
            self.dtype if dtype is None else dtype,
            self.reflected if reflected is None else reflected,
        )

    def __repr__(self):
        return f"Set({self.dtype}, {self.reflected})"


class SetIter(BaseContainerIterator, kind="set_iter", fields=("container",)):
    """An iterator over a set."""

    container_class = Set

    @classmethod
    def _intern(cls, container):
        return _type_intern(("set_iter", container))


class SetPayload(BaseContainerPayload):
    """The storage of a set."""

    container_class = Set


class SetEntry(Type):
    """A slot of a set."""

    def __init__(self, set_type):
        self.set_type = set_type
        super().__init__(f"entry({set_type})")

    @property
    def key(self):
        return self.set_type


def _sentry_forbidden_types(key, value):
    from numbra.core.errors import TypingError

    for ty, what in ((key, "key"), (value, "value")):
        if isinstance(ty, (Set, List)):
            raise TypingError(f"{ty} as {what} is forbidden")


class ListType(IterableType, kind="typed_list", fields=("item_type",)):
    """``typed.List``"""

    mutable = True

    @classmethod
    def _intern(cls, itemty):
        from numbra.core.errors import TypingError
        from numbra.core.types import Optional, unliteral

        if not isinstance(itemty, Type):
            raise TypingError(f"List.item_type is a numba type, not {itemty!r}")
        itemty = unliteral(itemty)
        if isinstance(itemty, Optional):
            raise TypingError(f"List.item_type cannot be of type {itemty}")
        return _type_intern(("typed_list", itemty))

    @property
    def dtype(self) -> Type:
        return self.item_type

    @property
    def key(self):
        return self.item_type

    def is_precise(self) -> bool:
        return self.item_type.is_precise()

    @property
    def iterator_type(self):
        return ListTypeIterableType(self).iterator_type

    def __repr__(self):
        return f"ListType({self.item_type})"


class ListTypeIterableType(SimpleIterableType):
    """Iterating over a typed list."""

    def __init__(self, parent):
        assert isinstance(parent, ListType)
        self.parent, self.yield_type = parent, parent.item_type
        super().__init__(f"list[{parent.name}]", ListTypeIteratorType(self))


class ListTypeIteratorType(SimpleIteratorType):
    """An iterator over a typed list."""

    def __init__(self, iterable):
        self.parent, self.iterable = iterable.parent, iterable
        super().__init__(f"iter[{self.parent}->{iterable.yield_type}]", iterable.yield_type)


class SetType(IterableType, InitialValue, kind="typed_set", fields=("key_type",)):
    """``typed.Set``"""

    mutable = True

    @classmethod
    def _intern(cls, keyty):
        from numbra.core.errors import TypingError
        from numbra.core.types import NoneType, Optional, unliteral

        if not isinstance(keyty, Type):
            raise TypingError(f"Set.key_type is a numba type, not {keyty!r}")
        keyty = unliteral(keyty)
        if isinstance(keyty, (Optional, NoneType)):
            raise TypingError(f"Set.key_type cannot be of type {keyty}")
        return _type_intern(("typed_set", keyty))

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, attributes | {"_initial_value": None}

    @property
    def dtype(self) -> Type:
        return self.key_type

    @property
    def key(self):
        return self.key_type, str(self.initial_value)

    def is_precise(self) -> bool:
        return self.key_type.is_precise()

    def __repr__(self):
        return f"SetType({self.key_type})"

    @property
    def iterator_type(self):
        return SetIterableType(self).iterator_type


class SetIterableType(SimpleIterableType):
    """Iterating over a typed set."""

    def __init__(self, parent):
        self.parent, self.yield_type = parent, parent.key_type
        super().__init__(f"set[{parent.name}]", SetIteratorType(self))


class SetIteratorType(SimpleIteratorType):
    """An iterator over a typed set."""

    def __init__(self, iterable):
        self.parent, self.iterable = iterable.parent, iterable
        super().__init__(f"iter[{self.parent}->{iterable.yield_type}],{iterable.name}", iterable.yield_type)


class DictType(IterableType, InitialValue, kind="dict", fields=("key_type", "value_type")):
    """``typed.Dict``"""

    @classmethod
    def _intern(cls, keyty, valty, initial_value=None):
        from numbra.core.errors import TypingError
        from numbra.core.types import NoneType, Optional, unliteral

        for what, ty in (("key", keyty), ("value", valty)):
            if not isinstance(ty, Type):
                raise TypingError(f"Dict.{what}_type is a numba type, not {ty!r}")
        keyty, valty = unliteral(keyty), unliteral(valty)
        for what, ty in (("key", keyty), ("value", valty)):
            if isinstance(ty, (Optional, NoneType)):
                raise TypingError(f"Dict.{what}_type cannot be of type {ty}")
        _sentry_forbidden_types(keyty, valty)
        plain = _type_intern(("dict", keyty, valty))
        if initial_value is None:
            return plain
        return _type_intern(("initial", plain, tuple(initial_value.items())))

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, attributes | {"keyvalue_type": Tuple(kind[1:]), "_initial_value": None}

    @property
    def key(self):
        return self.key_type, self.value_type, str(self.initial_value)

    def is_precise(self) -> bool:
        return self.key_type.is_precise() and self.value_type.is_precise()

    @property
    def iterator_type(self):
        return DictKeysIterableType(self).iterator_type

    def __repr__(self):
        return f"DictType({self.key_type}, {self.value_type})"


class _WithInitialValue(Type, kind="initial", fields=("of", "value")):
    """What types of lists and dictionaries are made of that know what these hold at first."""

    @classmethod
    def _of_kind(cls, kind, attributes):
        of, value = attributes["of"], attributes["value"]
        if isinstance(of, List):
            return List, {"dtype": of.dtype, "reflected": of.reflected, "initial_value": list(value)}
        more = {"keyvalue_type": of.keyvalue_type, "_initial_value": dict(value)}
        return DictType, {"key_type": of.key_type, "value_type": of.value_type} | more


class LiteralStrKeyDict(Literal, ConstSized, Hashable, kind="literal_dict", fields=("keys", "types")):
    """A dictionary of known string keys whose values have types of their own."""

    mutable = False
    value_index = None

    @classmethod
    def _intern(cls, literal_value, value_index=None):
        return _type_intern(("literal_dict", list(literal_value), list(literal_value.values())))

    @classmethod
    def _of_kind(cls, kind, attributes):
        keys, items = attributes["keys"], attributes["types"]
        value = dict(zip(keys, items, strict=True))
        return cls, attributes | {"count": len(items), "_literal_value": value}

    @property
    def key(self):
        keys = tuple(k.literal_value for k in self.literal_value)
        return keys, self.types, str(self.literal_value)

    def __len__(self):
        return self.count

    def __iter__(self):
        return iter(self.types)


class _DictIterable(SimpleIterableType):
    word: str

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, attributes | {"yield_type": cls._element(attributes["parent"])}

    @staticmethod
    def _element(parent):
        raise NotImplementedError

    @property
    def key(self):
        return self.parent

    @property
    def iterator_type(self):
        return DictIteratorType(self)


class DictItemsIterableType(_DictIterable, kind="dict_items", fields=("parent",)):
    """``d.items()``"""

    word = "items"

    @classmethod
    def _intern(cls, parent):
        return _type_intern(("dict_items", parent))

    @staticmethod
    def _element(parent):
        return parent.keyvalue_type


class DictKeysIterableType(_DictIterable, kind="dict_keys", fields=("parent",)):
    """``d.keys()``"""

    word = "keys"

    @classmethod
    def _intern(cls, parent):
        return _type_intern(("dict_keys", parent))

    @staticmethod
    def _element(parent):
        return parent.key_type


class DictValuesIterableType(_DictIterable, kind="dict_values", fields=("parent",)):
    """``d.values()``"""

    word = "values"

    @classmethod
    def _intern(cls, parent):
        return _type_intern(("dict_values", parent))

    @staticmethod
    def _element(parent):
        return parent.value_type


class DictIteratorType(SimpleIteratorType, kind="dict_iter", fields=("parent", "part")):
    """An iterator over keys, values or items."""

    @classmethod
    def _intern(cls, iterable):
        return _type_intern(("dict_iter", iterable.parent, iterable.word))

    @classmethod
    def _of_kind(cls, kind, attributes):
        views = (DictItemsIterableType, DictKeysIterableType, DictValuesIterableType)
        (view,) = (view for view in views if view.word == attributes.pop("part"))
        iterable = view(attributes["parent"])
        return cls, attributes | {"iterable": iterable, "yield_type": iterable.yield_type}

    @property
    def key(self):
        return self.iterable


class StructRef(Type):
    """A mutable structure passed by reference."""

    def __init__(self, fields):
        for name, ty in fields:
            if not isinstance(name, str):
                raise ValueError(f"expecting a str for field name, got {name!r}")
            if not isinstance(ty, Type):
                raise ValueError(f"expecting a Numba Type for field type, got {ty!r}")
        self._fields = tuple(self.preprocess_fields(tuple(map(tuple, fields))))
        names = ", ".join(f"{f!r}" for f in self._fields)
        super().__init__(f"numba.{type(self).__name__}({names}{',' if len(fields) == 1 else ''})")

    def preprocess_fields(self, fields):
        """A subclass may change the fields, for example drop literals."""
        return fields

    @property
    def field_dict(self):
        """Types of the fields by name."""
        return dict(self._fields)

    def get_data_type(self):
        """The type of the structure itself."""
        return StructRefPayload(typename=type(self).__name__, fields=self._fields)


class StructRefPayload(Type):
    """The structure behind a :class:`StructRef`."""

    mutable = True

    def __init__(self, typename, fields):
        self._typename, self._fields = typename, tuple(fields)
        super().__init__(f"numba.{typename}{self._fields}.payload")

    @property
    def field_dict(self):
        """Types of the fields by name."""
        return dict(self._fields)


class UnionType(Type):
    """One of several types."""

    def __init__(self, types):
        self.types = tuple(sorted(set(types), key=lambda t: t.name))
        super().__init__(f"Union[{','.join(map(str, self.types))}]")

    def get_type_tag(self, typ) -> int:
        """Its number among the types."""
        return self.types.index(typ)


__getattr__ = names_of(__name__)
