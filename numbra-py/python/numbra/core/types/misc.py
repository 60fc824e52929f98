"""None, optional, slices, pointers, exceptions, modules and the rest."""

from numbra._named import names_of
from numbra._numbra import _type_intern
from numbra.core.types.abstract import (
    Callable,
    Dummy,
    Hashable,
    IterableType,
    Literal,
    Type,
    TypeRef,
    unliteral,
)
from numbra.core.types.common import Opaque, SimpleIteratorType

__all__ = ["TypeRef", "unliteral"]


class PyObject(Dummy, kind="pyobject"):
    """A Python object without a native type."""

    @classmethod
    def _intern(cls, name="pyobject"):
        return _type_intern(("pyobject",))

    def is_precise(self) -> bool:
        return False


class Phantom(Dummy):
    """A type that is never represented."""


class Undefined(Dummy, kind="undefined"):
    """Not known."""

    @classmethod
    def _intern(cls, name="undefined"):
        return _type_intern(("undefined",))

    def is_precise(self) -> bool:
        return False


class UndefVar(Dummy):
    """The type of a variable that is not bound on some path."""

    def can_convert_to(self, typingctx, other):
        from numbra.core.typeconv import Conversion

        return Conversion.promote


class RawPointer(Opaque, kind="void_pointer"):
    """A pointer of no type."""

    @classmethod
    def _intern(cls, name="void*"):
        from numbra.core.types.abstract import _unique

        if name == "void*":
            return _type_intern(("void_pointer",))
        instance = object.__new__(cls)
        instance.__init__(name)
        return _unique(instance)


class StringLiteral(Literal, Dummy):
    """``Literal[str](s)``"""

    @classmethod
    def _intern(cls, value):
        return _type_intern(("literal", value))


Literal.ctor_map[str] = StringLiteral


class Module(Dummy, kind="module", fields=("module_name",)):
    """A module."""

    def __init__(self, pymod):
        self.pymod = pymod
        super().__init__(f"Module({pymod})")

    @property
    def key(self):
        return self.name if self._kind is not None else self.pymod


class MemInfoPointer(Type):
    """A pointer to counted memory."""

    mutable = True

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"memory-managed *{dtype}")

    @property
    def key(self):
        return self.dtype


class CPointer(Type, kind="pointer", fields=("dtype",)):
    """A pointer."""

    mutable = True
    addrspace = None

    @classmethod
    def _intern(cls, dtype, addrspace=None):
        from numbra.core.types.abstract import _unique

        if addrspace is None and dtype._kind is not None:
            return _type_intern(("pointer", dtype))
        instance = object.__new__(cls)
        instance.__init__(dtype, addrspace)
        return _unique(instance)

    def __init__(self, dtype, addrspace=None):
        self.dtype, self.addrspace = dtype, addrspace
        super().__init__(f"{dtype}*" if addrspace is None else f"{dtype}_{addrspace}*")

    @property
    def key(self):
        return self.dtype, self.addrspace


class EphemeralPointer(CPointer):
    """A pointer to a value on the stack."""


class EphemeralArray(Type):
    """An array of fixed length on the stack."""

    def __init__(self, dtype, count):
        self.dtype, self.count = dtype, count
        super().__init__(f"*{dtype}[{count}]")

    @property
    def key(self):
        return self.dtype, self.count


class Object(Type):
    """An instance of a class."""

    mutable = True

    def __init__(self, clsobj):
        self.cls = clsobj
        super().__init__(f"Object({clsobj.__name__})")

    @property
    def key(self):
        return self.cls


class Optional(Type, kind="optional", fields=("type",)):
    """``T`` or None."""

    type: Type

    @classmethod
    def _intern(cls, typ):
        assert not isinstance(typ, (Optional, NoneType))
        if "_numbra_id" not in typ.__dict__:
            # A structure with a field of its own type, before it is made.
            from numbra.core.types.abstract import _unique

            _unique(typ)
        return _type_intern(("optional", unliteral(typ)))

    @property
    def key(self):
        return self.type


class NoneType(Opaque, kind="none"):
    """The type of None."""

    @classmethod
    def _intern(cls, name="none"):
        return _type_intern(("none",))


class EllipsisType(Opaque, kind="ellipsis"):
    """The type of ``...``."""

    @classmethod
    def _intern(cls, name="..."):
        return _type_intern(("ellipsis",))

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, {"name": "..."}

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, {"name": "..."}


class ExceptionClass(Callable, Phantom, kind="exception_class", fields=("class_name",)):
    """An exception class."""

    def __init__(self, exc_class):
        assert issubclass(exc_class, BaseException)
        self.exc_class = exc_class
        super().__init__(exc_class.__name__)

    @property
    def key(self):
        return self.name if self._kind is not None else self.exc_class


class ExceptionInstance(Phantom, kind="exception_instance", fields=("class_name",)):
    """An exception."""

    def __init__(self, exc_class):
        assert issubclass(exc_class, BaseException)
        self.exc_class = exc_class
        super().__init__(f"{exc_class.__name__}(...)")

    @property
    def key(self):
        return self.name if self._kind is not None else self.exc_class


class SliceType(Type, kind="slice2 slice3"):
    """A slice."""

    members: int

    @classmethod
    def _intern(cls, name, members):
        return _type_intern((f"slice{members}",))

    @classmethod
    def _of_kind(cls, kind, attributes):
        return SliceType, {"members": int(kind[0][-1])}

    @property
    def has_step(self) -> bool:
        """True with an explicit step."""
        return self.members == 3

    @property
    def key(self):
        return self.members

    def __lt__(self, other):
        return type(self) is type(other) and self.members < other.members


class SliceLiteral(Literal, SliceType, kind="slice_literal", fields=("_literal_value",)):
    """``Literal[slice](..)``"""

    @classmethod
    def _intern(cls, value):
        return _type_intern(("literal", value))

    @property
    def members(self):
        return 2 if self.literal_value.step is None else 3

    @property
    def key(self):
        sl = self.literal_value
        return sl.start, sl.stop, sl.step


Literal.ctor_map[slice] = SliceLiteral


class ClassInstanceType(Type):
    """An object of a jitted class."""

    mutable = True
    name_prefix = "instance"

    def __init__(self, class_type):
        self.class_type = class_type
        super().__init__(f"{self.name_prefix}.{class_type.name}")

    @property
    def key(self):
        return self.class_type

    @property
    def classname(self):
        """The name of the class."""
        return self.class_type.class_name

    struct = property(lambda self: self.class_type.struct)
    methods = property(lambda self: self.class_type.methods)
    static_methods = property(lambda self: self.class_type.static_methods)
    jit_methods = property(lambda self: self.class_type.jit_methods)
    jit_static_methods = property(lambda self: self.class_type.jit_static_methods)
    jit_props = property(lambda self: self.class_type.jit_props)

    def get_data_type(self):
        """The type of the fields together."""
        return ClassDataType(self)

    def get_reference_type(self):
        """The type of references to objects."""
        return self

    def _numbra_model_(self):
        return True, [(name, ty, name, True) for name, ty in self.class_type.struct.items()]

    def _numbra_object_class_(self):
        return self.class_type.jit_class


class _Class(Callable, Opaque, kind="class", fields=("class_name",)):
    """A class as a value, for the compiler."""

    mutable = True


#: Types of jitted classes by name.
_class_types = {}


def _class_type(module, qualname, name):
    """The type of the jitted class at a place; of one that stands nowhere, such as a local one, that of this name."""
    import importlib
    from functools import reduce

    try:
        found = reduce(getattr, qualname.split("."), importlib.import_module(module)).class_type
    except (AttributeError, ImportError):
        found = None
    known = _class_types.get(name)
    if known is not None and known._place == (module, qualname):
        return known
    if found is None:
        raise AttributeError(f"no jitted class is at {module}.{qualname}")
    return found


class ClassType(Callable, Opaque):
    """A jitted class: what it was made from, types of fields, and members."""

    mutable = True
    name_prefix = "jitclass"
    instance_type_class = ClassInstanceType

    def __init__(self, class_def):
        self.class_name = class_def.__name__
        self.class_doc = class_def.__doc__
        self.struct = {}
        self.methods = self.static_methods = {}
        self.jit_methods = self.jit_static_methods = self.jit_props = {}
        self._place = class_def.__module__, class_def.__qualname__
        super().__init__(f"{self.name_prefix}.{self.class_name}#{id(self):x}")
        _class_types[self.name] = self

    def __reduce__(self):
        return _class_type, (*self._place, self.name)

    @property
    def instance_type(self):
        """The type of its objects."""
        return self.instance_type_class(self)


class ClassDataType(Type):
    """The fields of a jitted class."""

    def __init__(self, classtyp):
        self.class_type = classtyp
        super().__init__(f"data.{classtyp.name}")


class DeferredType(Type):
    """A type that is defined later."""

    def __init__(self):
        self._define = None
        super().__init__(f"{type(self).__name__}#{id(self)}")

    def get(self):
        """The type."""
        if self._define is None:
            raise RuntimeError("deferred type not defined")
        return self._define

    def define(self, typ):
        """Defines it, once."""
        if self._define is not None:
            raise TypeError("deferred type already defined")
        if not isinstance(typ, Type):
            raise TypeError(f"arg is not a Type; got: {type(typ)}")
        self._define = typ

    def unify(self, typingctx, other):
        return typingctx.unify_pairs(self.get(), other)


class ContextManager(Callable, Phantom):
    """A context manager that the compiler knows."""

    def __init__(self, cm):
        self.cm = cm
        super().__init__(f"ContextManager({cm})")


class UnicodeType(IterableType, Hashable, kind="unicode"):
    """``str``"""

    @classmethod
    def _intern(cls, name="unicode_type"):
        return _type_intern(("unicode",))

    @property
    def iterator_type(self):
        return UnicodeIteratorType(self)


class UnicodeIteratorType(SimpleIteratorType, kind="text_iter"):
    """An iterator over the characters of a ``str``."""

    @classmethod
    def _intern(cls, dtype):
        return _type_intern(("text_iter",))

    @classmethod
    def _of_kind(cls, kind, attributes):
        text = _type_intern(("unicode",))
        return cls, {"data": text, "yield_type": text}


class Omitted(Opaque, kind="omitted", fields=("_value",)):
    """A parameter left to its default."""

    @classmethod
    def _intern(cls, value):
        try:
            return _type_intern(("omitted", value))
        except TypeError:
            from numbra.core.types.abstract import _unique

            instance = object.__new__(cls)
            instance._value = value
            try:
                hash(value)
                instance._token = value
            except TypeError:
                instance._token = id(value)
            Type.__init__(instance, f"omitted(default={value!r})")
            return _unique(instance)

    @property
    def value(self):
        """The default."""
        return self._value

    @property
    def key(self):
        return type(self.value), getattr(self, "_token", self.value)


class VarArg(Type):
    """Any number of arguments of one type."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"*{dtype}")

    @property
    def key(self):
        return self.dtype


__getattr__ = names_of(__name__)
