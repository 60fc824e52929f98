"""The base classes of types, and how instances stay unique.

A type that the compiler's lattice knows is made by Rust, from a *kind* tuple such as ``("optional", int64)``; its class
has a class method ``_intern``. Every other type, a user's or one that only Python code handles, is an extension type:
its ``__init__`` runs, and of the instances of one class with one ``key`` the first stands for all.
"""

import functools
from typing import ClassVar

from numbra._named import names_of
from numbra._numbra import (
    _can_convert,
    _type_extension,
    _type_intern,
    _type_name,
    _unify,
)

#: Extension types by class and key.
_typecache: dict[tuple[type, object], "Type"] = {}
_class_numbers: dict[type, int] = {}
#: First item of the tuple that Rust gives for a type -> class of the instance, names of the further items.
_kinds: dict[str, tuple[type["Type"], tuple[str, ...]]] = {}


class _TypeMeta(type):
    """Calling a class gives the one instance with these parameters."""

    def __call__(cls, *args, **kwargs):
        intern = cls.__dict__.get("_intern")
        if intern is not None:
            return intern.__func__(cls, *args, **kwargs)
        instance = cls.__new__(cls, *args, **kwargs)
        instance.__init__(*args, **kwargs)
        return instance if "_numbra_id" in instance.__dict__ else _unique(instance)


def _unique(instance: "Type") -> "Type":
    cls = type(instance)
    try:
        known = _typecache.get((cls, instance.key))
    except TypeError as error:
        raise TypeError(f"the key of {cls.__name__} is not hashable: {error}") from None
    if known is not None:
        return known
    number = _class_numbers.setdefault(cls, len(_class_numbers))
    instance._numbra_id = _type_extension(instance, number, str(len(_typecache)), instance.name)
    _typecache[cls, instance.key] = instance
    return instance


def _rebuild(cls: type, state: dict) -> "Type":
    instance = object.__new__(cls)
    instance.__dict__.update(state)
    return _unique(instance)


class Type(metaclass=_TypeMeta):
    """A type. Instances are unique: compare with ``is`` or ``==``."""

    _numbra_id: int
    _kind: tuple | None = None
    mutable = False
    reflected = False

    def __init_subclass__(cls, kind: str = "", fields: tuple[str, ...] = (), **kwargs):
        """``kind``, words with spaces, makes this the class of the lattice's types of these kinds: see `_kinds`."""
        super().__init_subclass__(**kwargs)
        for word in kind.split():
            _kinds[word] = cls, fields

    @classmethod
    def _of_kind(cls, kind: tuple, attributes: dict) -> tuple[type["Type"], dict]:
        """Class and attributes of the instance for a type of the lattice: by default what the items of its kind say."""
        return cls, attributes

    def __init__(self, name: str):
        self.name = name

    def __getattr__(self, name: str):
        # Types of the lattice have no name until somebody asks.
        if name == "name" and self._kind is not None:
            self.name = _type_name(self._numbra_id)
            return self.name
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def _code(self) -> int:
        return self._numbra_id

    @property
    def key(self):
        """What makes the type unique in its class."""
        return self.name

    @property
    def mangling_args(self):
        """Name and parameters for symbol names."""
        return self.name, ()

    @property
    def is_internal(self) -> bool:
        """True for the types of this package, false for those of programs."""
        return type(self).__module__.startswith("numbra.")

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.key == other.key)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self):
        if self._kind is not None:
            return _type_intern, (self._kind,)
        state = {k: v for k, v in self.__dict__.items() if k != "_numbra_id"}
        return _rebuild, (type(self), state)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __call__(self, *args):
        if len(args) == 1 and not isinstance(args[0], Type):
            return self.cast_python_value(args[0])
        from numbra.core.typing.templates import Signature

        return Signature(self, args, None)

    def __getitem__(self, index):
        """``T[:, ::1]``: an array type."""
        if not isinstance(index, tuple):
            index = (index,)
        for part in index:
            if not isinstance(part, slice) or part.start is not None or part.stop is not None:
                raise KeyError(f"Can only index numba types with slices with no start or stop, got {part!r}.")
        layout = "A"
        if index[-1].step == 1:
            layout = "C"
        elif index[0].step == 1:
            layout = "F"
        from numbra.core.types.npytypes import Array

        return Array(self, len(index), layout)

    def cast_python_value(self, value):
        """The Python value as a value of this type."""
        raise NotImplementedError

    def is_precise(self) -> bool:
        """False while some part is not known."""
        return True

    def can_convert_to(self, typingctx, other):
        """Numba's ``Conversion`` for ``self`` as ``other``, or None."""
        if not isinstance(other, Type):
            return None
        from numbra.core.typeconv import Conversion

        found = _can_convert(self, other)
        return None if found is None else Conversion[found]

    def can_convert_from(self, typingctx, other):
        """As :meth:`can_convert_to`, from the other side."""
        return None

    def unify(self, typingctx, other):
        """The least type that both convert to, or None."""
        return _unify(self, other)

    def augment(self, other):
        """The type extended by another overload, or None."""
        return None

    def dump(self, tab: str = "") -> None:
        """Prints a short description."""
        print(f"{tab}DUMP {type(self).__name__}[code={self._code}, name={self.name}]")


def from_kind(number: int, kind: tuple) -> Type:
    """The instance for a type of the lattice; called once a type by the extension module."""
    cls, names = _kinds[kind[0]]
    cls, attributes = cls._of_kind(kind, dict(zip(names, kind[1:], strict=True)))
    if kind[0] == "slice_literal":
        kind = ("literal", kind[1])
    instance = object.__new__(cls)
    instance.__dict__.update(attributes)
    instance._numbra_id = number
    instance._kind = kind
    return instance


class Dummy(Type):
    """A type without values of its own."""


class Hashable(Type):
    """Values can be hashed."""


class Number(Hashable, kind="scalar", fields=("_word", "_is_python", "bitwidth")):
    """A number."""

    #: Name of a scalar without its size -> class, and what its instances have besides it.
    _scalars: ClassVar[dict[str, tuple[type[Type], dict]]] = {}

    @classmethod
    def _of_kind(cls, kind, attributes):
        made, more = Number._scalars[attributes["_word"].rstrip("0123456789")]
        return made, {"bitwidth": attributes["bitwidth"], **more}


class Callable(Type):
    """Can be called."""


class DTypeSpec(Type):
    """Stands for a NumPy dtype."""


class IterableType(Type):
    """Can be iterated."""

    @property
    def iterator_type(self):
        """What ``iter`` gives."""
        raise NotImplementedError(f"iterator_type of {self}")


class Sized(Type):
    """Has a length."""


class ConstSized(Sized):
    """Has a length that follows from the type."""


class IteratorType(IterableType):
    """An iterator."""

    @property
    def iterator_type(self):
        """Itself."""
        return self


class Container(Sized, IterableType):
    """Holds values."""


class Sequence(Container):
    """Ordered and indexable."""


class MutableSequence(Sequence):
    """A sequence whose elements can be set."""

    mutable = True


class ArrayCompatible(Type):
    """Behaves as an array; ``as_array`` says as which."""

    array_priority = 0.0

    @property
    def as_array(self):
        """The equivalent array type."""
        raise NotImplementedError(f"as_array of {self}")

    #: Number of dimensions, C, F or A, and the type of the elements; a class may set its own.
    ndim = functools.cached_property(lambda self: self.as_array.ndim)
    layout = functools.cached_property(lambda self: self.as_array.layout)
    dtype = functools.cached_property(lambda self: self.as_array.dtype)


class Literal(Type, kind="literal", fields=("_literal_value",)):
    """A type of one value."""

    #: Python class of a value -> class of its literal type.
    ctor_map: ClassVar[dict] = {}

    def __init__(self, value):
        if type(self) is Literal:
            raise TypeError("Cannot be instantiated directly. Use literal() instead")
        self._literal_init(value)
        super().__init__(name=f"Literal[{type(value).__name__}]({value})")

    @classmethod
    def _of_kind(cls, kind, attributes):
        return Literal.ctor_map.get(type(kind[1]), Literal), attributes

    def _literal_init(self, value):
        self._literal_value = value

    @property
    def literal_value(self):
        """The value."""
        return self._literal_value

    @property
    def literal_type(self):
        """The type without its value."""
        return unliteral(self)


class TypeRef(Dummy, kind="typeref", fields=("instance_type",)):
    """A type as a value."""

    @classmethod
    def _intern(cls, instance_type):
        return _type_intern(("typeref", instance_type))

    @property
    def key(self):
        return self.instance_type


class InitialValue:
    """Keeps the value that a container was made from."""

    def __init__(self, initial_value):
        self._initial_value = initial_value

    @property
    def initial_value(self):
        """The value, or None."""
        return self._initial_value


class Poison(Type):
    """Never unifies with anything."""

    def __init__(self, ty):
        self.ty = ty
        super().__init__(f"Poison<{ty}>")

    def unify(self, typingctx, other):
        return None


def unliteral(ty: Type) -> Type:
    """The type without its literal value, also inside tuples."""
    from numbra._numbra import _unliteral

    if ty._kind is None:
        inner = getattr(ty, "__unliteral__", None)
        return ty if inner is None else inner()
    return _unliteral(ty)


def literal(value) -> Literal:
    """The type of exactly this value."""
    made = maybe_literal(value)
    if made is None:
        from numbra.core.errors import LiteralTypingError

        raise LiteralTypingError(f"{value} cannot be used as a literal")
    return made


def maybe_literal(value) -> Literal | None:
    """The type of exactly this value, or None if it has none."""
    if isinstance(value, (bool, int, str, slice)):
        try:
            return _type_intern(("literal", value))
        except TypeError:
            return None
    ctor = Literal.ctor_map.get(type(value))
    return None if ctor is None else ctor(value)


__getattr__ = names_of(__name__)
