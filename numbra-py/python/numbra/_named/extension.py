"""The extension API's decorators: each keeps what it is given, until numbra compiles extensions."""

from numbra._named.table import named
from numbra.core.runtime import rtsys

#: (name of the decorator, its arguments, what it decorated), in the order of the program
registered: list[tuple] = []


def _decorator(name):
    """A decorator with arguments that gives back what it decorates."""

    def register(*args, **kwargs):
        def decorate(value):
            registered.append((name, (args, kwargs), value))
            return value

        return decorate

    return _known_as(register, name)


def _plain(name):
    """A decorator without arguments that gives back what it decorates."""

    def register(value):
        registered.append((name, ((), {}), value))
        return value

    return _known_as(register, name)


def _template(name):
    """A function that makes a class out of what it notes."""

    def register(*args, **kwargs):
        registered.append((name, (args, kwargs), None))
        return named(*name.rsplit(".", 1))

    return _known_as(register, name)


def _call(name):
    """A function that only notes its arguments."""

    def register(*args, **kwargs):
        registered.append((name, (args, kwargs), None))

    return _known_as(register, name)


def _global(name):
    """``infer_global``: a decorator, or a call with a type."""

    def register(*args, **kwargs):
        if len(args) > 1:
            registered.append((name, (args, kwargs), None))
            return None
        return decorator(*args, **kwargs)

    decorator = _decorator(name)
    return _known_as(register, name)


def _known_as(function, name):
    module, _, function.__name__ = name.rpartition(".")
    function.__qualname__, function.__module__ = function.__name__, module
    numba = name.removeprefix("numbra.")
    function.__doc__ = f"Numba's ``{numba}``: keeps what it is given, which numbra does not compile yet."
    return function


class LowerRegistry:
    """Numba's registry of implementations."""

    def __init__(self, name="unspecified"):
        self.name = name
        self.functions, self.getattrs, self.setattrs, self.casts, self.constants = [], [], [], [], []
        for kind in ("lower", "lower_getattr", "lower_setattr", "lower_cast", "lower_constant"):
            setattr(self, kind, _decorator(f"numbra.core.imputils.{kind}"))
        self.lower_getattr_generic = _decorator("numbra.core.imputils.lower_getattr_generic")
        self.lower_setattr_generic = _decorator("numbra.core.imputils.lower_setattr_generic")


class TypingRegistry:
    """Numba's registry of templates."""

    def __init__(self):
        self.functions, self.attributes, self.globals = [], [], []
        self.register = _plain("numbra.core.typing.templates.infer")
        self.register_attr = _plain("numbra.core.typing.templates.infer_getattr")
        self.register_global = _global("numbra.core.typing.templates.infer_global")


def _meanings():
    found = {}
    found["numbra.core.runtime.nrt.rtsys"] = rtsys

    def add(make, module, *names):
        for name in names:
            found[f"numbra.{module}.{name}"] = make(f"numbra.{module}.{name}")

    add(_decorator, "core.datamodel.registry", "register")
    structref = "experimental.structref"
    add(_plain, structref, "register")
    add(_call, structref, "define_proxy", "define_boxing", "define_constructor", "define_attributes")
    found["numbra.core.imputils.Registry"] = LowerRegistry
    found["numbra.core.imputils.builtin_registry"] = LowerRegistry("builtin_registry")
    found["numbra.core.typing.templates.Registry"] = TypingRegistry
    found["numbra.core.typing.templates.builtin_registry"] = TypingRegistry()
    return found


def _shared():
    found = {}

    def add(make, module, *names):
        for name in names:
            found[name] = make(f"numbra.{module}.{name}")

    add(_decorator, "extending", "lower_builtin", "lower_cast", "lower_constant", "lower_getattr", "lower_setattr")
    add(
        _decorator,
        "extending",
        "lower_getattr_generic",
        "lower_setattr_generic",
        "iternext_impl",
        "box",
        "unbox",
        "reflect",
    )
    add(_decorator, "extending", "register_model", "register_default", "type_callable")
    add(_plain, "extending", "iterator_impl", "infer", "infer_getattr")
    add(_global, "extending", "infer_global")
    add(_call, "extending", "make_attribute_wrapper")
    templates = ("make_callable_template", "make_concrete_template", "make_intrinsic_template")
    add(_template, "core.typing.templates", *templates, "make_overload_template")
    add(_template, "core.typing.templates", "make_overload_attribute_template", "make_overload_method_template")
    return found


#: full name -> what stands for it
MEANINGS = _meanings()
#: name in any module that has it -> what stands for it
SHARED = _shared()
