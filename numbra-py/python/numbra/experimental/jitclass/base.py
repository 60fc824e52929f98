"""Jitted classes: from a class and the types of its fields to methods, properties and a constructor.

Objects are of a native class; its fields are descriptors, methods are jitted functions, which compiled code finds as
overloads. The constructor is a jitted function that stands for the class in compiled code.
"""

import inspect
import sys
import types as pytypes
import typing as pt
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from numbra import _numbra
from numbra._named import names_of
from numbra.core import errors, types
from numbra.core.decorators import njit
from numbra.core.extending import overload, overload_attribute, overload_method
from numbra.core.typing.asnumbatype import as_numba_type
from numbra.experimental.jitclass import overloads
from numbra.experimental.structref import new

#: What classes have without saying so.
_IMPLICIT = frozenset({
    "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__",
    "__classcell__", "__conditional_annotations__", "__dict__", "__firstlineno__", "__module__", "__qualname__",
    "__slots__", "__static_attributes__", "__weakref__", "__orig_bases__", "__parameters__", "__type_params__",
})  # fmt: skip


class JitClassType(type):
    """The class of jitted classes."""

    def __new__(cls, name, bases, namespace, **kwargs):
        if any(isinstance(base, JitClassType) for base in bases):
            raise TypeError("cannot subclass from a jitclass")
        made = super().__new__(cls, name, bases, namespace, **kwargs)
        _numbra._call_constructor(made)
        return made

    if sys.version_info < (3, 12):
        # Classes of classes inherit `type`'s fast call since 3.12; before, a call is looked up here.
        def __call__(cls, *args, **kwargs):
            return cls._constructor(*args, **kwargs)


def register_class_type(cls, spec, class_ctor):
    """The jitted class of a class, with fields of these types; ``class_ctor`` makes its type."""
    if isinstance(spec, Sequence):
        spec = OrderedDict(spec)
    elif not isinstance(spec, Mapping):
        raise TypeError("spec should be a mapping or a sequence of pairs")
    fields = OrderedDict(spec)
    for name, ty in pt.get_type_hints(cls).items():
        if name not in fields:
            fields[name] = as_numba_type(ty)
    _validate_spec(fields)
    fields = OrderedDict((_mangled(name, cls.__name__), ty) for name, ty in fields.items())
    members = _Members(cls)
    members.check(fields)
    return _build(cls, fields, members, class_ctor)


def _validate_spec(spec):
    for name, ty in spec.items():
        if not isinstance(name, str):
            raise TypeError(f"spec keys should be strings, got {name!r}")
        if not isinstance(ty, types.Type):
            raise TypeError(f"spec values should be Numba type instances, got {ty!r}")


def _mangled(name, class_name):
    """A private name as class bodies write it."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{class_name.lstrip('_')}{name}" if is_private else name


class _Members:
    """What a class has, its bases' members included."""

    def __init__(self, cls):
        found = {}
        for base in reversed(inspect.getmro(cls)):
            # What a jitted class was made from has its members.
            base = base.__dict__.get("__wrapped__", base)
            if base not in (object, _numbra.Instance):
                found.update(base.__dict__)
        self.doc = found.pop("__doc__", None)
        self.methods = {k: v for k, v in found.items() if isinstance(v, pytypes.FunctionType)}
        self.properties = {k: v for k, v in found.items() if isinstance(v, property)}
        self.static = {k: v for k, v in found.items() if isinstance(v, staticmethod)}
        known = {*self.methods, *self.properties, *self.static}
        self.others = [k for k, v in found.items() if k not in known and not _is_implicit(k, v)]

    def check(self, fields):
        """Refuses what objects cannot have."""
        if self.others:
            raise TypeError(f"class members are not yet supported: {', '.join(self.others)}")
        for name, one in self.properties.items():
            if one.fdel is not None:
                raise TypeError(f"deleter is not supported: {name}")
        shadowed = [name for name in (*self.methods, *self.properties, *self.static) if name in fields]
        if shadowed:
            raise NameError(f"name shadowing: {', '.join(shadowed)}")
        for name in self.methods:
            if name.startswith("__") and name.endswith("__") and name not in overloads.METHODS:
                raise TypeError(f"Method '{name}' is not supported.")


def _is_implicit(name, value):
    if name in _IMPLICIT or (name == "__hash__" and value is None):
        return True
    return getattr(value, "__objclass__", None) is object


def _build(cls, fields, members, class_ctor):
    class_type = class_ctor(cls)
    class_type.struct = fields
    class_type.methods = members.methods
    class_type.static_methods = {name: one.__func__ for name, one in members.static.items()}
    class_type.jit_methods = {name: njit(one) for name, one in members.methods.items()}
    class_type.jit_static_methods = {name: njit(one.__func__) for name, one in members.static.items()}
    class_type.jit_props = {
        name: {part: njit(f) for part, f in (("get", one.fget), ("set", one.fset)) if f is not None}
        for name, one in members.properties.items()
    }
    instance_type = class_type.instance_type
    constructor = _constructor(cls, members.methods.get("__init__"), class_type, instance_type)
    namespace = {
        "__doc__": members.doc,
        "__slots__": (),
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "class_type": class_type,
        "_numba_type_": class_type,
        "_constructor": constructor,
        "__wrapped__": cls,
        "__dict__": property(_fields_of),
        "__repr__": _shown,
        "__reduce__": _reduced,
    }
    for at, name in enumerate(fields):
        namespace[name] = _numbra.Field(at)
    for name, method in class_type.jit_methods.items():
        namespace[name] = _numbra.Method(method)
    for name, method in class_type.jit_static_methods.items():
        namespace[name] = staticmethod(method)
    for name, parts in class_type.jit_props.items():
        namespace[name] = property(parts.get("get"), parts.get("set"), doc=members.properties[name].__doc__)
    made = JitClassType(cls.__name__, (_numbra.Instance,), namespace)
    class_type.jit_class = made
    _numbra._register_jitable(made, constructor)
    _numbra._set_constructor(instance_type, constructor)
    as_numba_type.register(made, instance_type)
    _register_members(class_type, instance_type)
    return made


def _fields_of(instance):
    """The fields that are set, by name."""
    fields = {}
    for name in type(instance).class_type.struct:
        try:
            fields[name] = getattr(instance, name)
        except AttributeError:
            continue
    return fields


def _shown(instance):
    fields = ", ".join(f"{name}={value!r}" for name, value in _fields_of(instance).items())
    return f"{type(instance).__qualname__}({fields})"


def _reduced(instance):
    return _remade, (type(instance).class_type, _fields_of(instance))


def _remade(class_type, fields):
    made = _numbra._new_object(class_type.instance_type)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _constructor(cls, init, class_type, instance_type):
    """``constructor(*parameters of __init__)``: a new object, by ``__init__`` if there is one."""
    space = {"new": new, "instance_type": instance_type, "is_none": _is_none, "sys": sys}
    parameters, given = [], []
    if init is not None:
        signature = list(inspect.signature(init).parameters.values())[1:]
        space["init"] = class_type.jit_methods["__init__"]
        is_keyword_only, stars = False, None
        for parameter in signature:
            name = parameter.name
            if parameter.kind is parameter.VAR_KEYWORD:
                raise TypeError(f"__init__ of {cls.__name__} takes **{name}, which compiled code cannot")
            if parameter.kind is parameter.KEYWORD_ONLY and stars is not None:
                raise errors.UnsupportedError(
                    f"VAR_POSITIONAL argument type unsupported: __init__ of {cls.__name__} takes *{stars} and, by name "
                    f"only, {name}"
                )
            if parameter.kind is parameter.VAR_POSITIONAL:
                stars = name
                parameters.append(f"*{name}")
                given.append(f"*{name}")
                is_keyword_only = True
                continue
            if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword_only:
                parameters.append("*")
                is_keyword_only = True
            default = parameter.default is not parameter.empty
            if default:
                space[f"default_{name}"] = parameter.default
            parameters.append(f"{name}=default_{name}" if default else name)
            given.append(f"{name}={name}" if parameter.kind is parameter.KEYWORD_ONLY else name)
    body = f"    is_none(init(made, {', '.join(given)}))\n" if init is not None else ""
    source = f"def {cls.__name__}({', '.join(parameters)}):\n    made = new(instance_type)\n{body}    return made\n"
    exec(source, space)
    function = space[cls.__name__]
    function.__module__ = cls.__module__
    function.__qualname__ = cls.__qualname__
    return njit(function)


def _is_none(value):
    """Does nothing; refuses what ``__init__`` must not return."""


@overload(_is_none)
def _is_none_typed(value):
    if value is not types.none:
        raise errors.TypingError(f"__init__() should return None, not {value}")
    return lambda value: None


def _register_members(class_type, instance_type):
    for name, method in class_type.jit_methods.items():
        overload_method(instance_type, name, strict=False)(_answer(method))
    for name, method in class_type.jit_static_methods.items():
        overload_method(instance_type, name, strict=False)(_answer(_ignoring_object(method)))
    for name, parts in class_type.jit_props.items():
        if "get" in parts:
            overload_attribute(instance_type, name, strict=False)(_answer(parts["get"]))
        if "set" in parts:
            overload_attribute(instance_type, f"{name}=", strict=False)(_answer(parts["set"]))


def _answer(function):
    return lambda *args, **kws: function


def _ignoring_object(method):
    """The static method as one that takes an object first."""
    parameters = list(inspect.signature(method.py_func).parameters.values())
    space = {"method": method}
    taken = ["object_", *(f"{p.name}" if p.default is p.empty else f"{p.name}=default_{p.name}" for p in parameters)]
    space |= {f"default_{p.name}": p.default for p in parameters if p.default is not p.empty}
    given = ", ".join(p.name for p in parameters)
    exec(f"def call({', '.join(taken)}):\n    return method({given})", space)
    return njit(space["call"])


__getattr__ = names_of(__name__)
