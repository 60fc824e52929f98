"""What Numba's names are that numbra has no meaning for yet: ``names.txt``, which ``tools/numba_names.py`` writes.

They can be imported, inherited from and used as decorators. While a module is loaded a call gives an object that can be
passed on; at any other time it raises ``UnsupportedError``, and compiled code that uses such a name is refused.
"""

import functools
import importlib
import importlib.machinery
import os
import sys
import types


@functools.cache
def _modules() -> dict[str, str]:
    """Module -> its names as they stand in the file, each with what it is."""
    found = {}
    with open(os.path.join(os.path.dirname(__file__), "names.txt"), encoding="utf-8") as file:
        for line in file:
            module, _, words = line.rstrip("\n").partition(" ")
            found["numbra" if module == "." else f"numbra.{module}"] = words
    return found


@functools.cache
def names(module: str) -> dict[str, str]:
    """Names of a module, each with ``c`` (a class; its members in brackets), ``f`` (a function), ``m`` (a module of
    Python's), ``v`` (another value) or ``=module.name`` (defined elsewhere)."""
    found = {}
    for word in _modules().get(module, "").split():
        name, alias, target = word.partition("=")
        if not alias:
            name, _, target = word.partition(":")
        found[name] = alias + target
    return found


def modules() -> list[str]:
    """Numba's modules, under numbra's name."""
    return list(_modules())


def find(module: str, name: str):
    """What stands for a name of a module. AttributeError where Numba has none."""
    for known in (module, *_twins(module)):
        what = names(known).get(name)
        if what is not None:
            return _value(known, name, what)
    raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)


def _twins(module):
    """The module of `numba.cuda` that a module of the front end stands for as well."""
    aliases = sys.modules.get("numbra.cuda.aliases")
    if aliases is not None:
        for ours, shared in aliases.FRONT_END.items():
            if f"{module}.".startswith(f"{shared}."):
                yield ours + module[len(shared) :]


def _value(module, name, what):
    from numbra._named import extension

    if what.startswith("="):
        target = f"numbra.{what[1:]}".rstrip(".")
        if target in _modules():
            return importlib.import_module(target)
        home, _, name = target.rpartition(".")
        return getattr(importlib.import_module(home), name)
    if module.startswith("numbra.cuda.types."):
        # numba-cuda's copies of the front end's classes.
        types = vars(importlib.import_module("numbra.core.types"))
        if name in types:
            return types[name]
    if what.startswith("m("):
        try:
            return importlib.import_module(what[2:-1])
        except ModuleNotFoundError:
            # Of an earlier Python.
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name) from None
    full = f"{module}.{name}"
    for meanings, key in ((extension.MEANINGS, full), (extension.SHARED, name)):
        if key in meanings:
            return meanings[key]
    if what == "v":
        return Lacking(full)
    return named(module, name, what[2:-1].split(",") if what.startswith("c(") else ())


def _is_loading() -> bool:
    """True while some module's body runs that is no program's own."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            spec = frame.f_globals.get("__spec__")
            if spec is not None and getattr(spec, "_initializing", False):
                return True
        frame = frame.f_back
    return False


def _used(path):
    """What a use gives while a module is loaded; UnsupportedError at any other time."""
    if _is_loading():
        return Lacking(path)
    from numbra.core.errors import UnsupportedError

    raise UnsupportedError(f"numbra does not have `{path}` yet")


class Lacking:
    """What stands for a value, or for what a call gave while a module was loaded."""

    def __init__(self, path):
        self.__dict__["_numbra_lacks"] = path

    def __repr__(self):
        return f"<{self._numbra_lacks}, which numbra does not have>"

    def __getattr__(self, name):
        if name.startswith("__") or name == "_numba_type_":
            raise AttributeError(name)
        return Lacking(f"{self._numbra_lacks}.{name}")

    def __setattr__(self, name, value):
        _used(self._numbra_lacks)

    def __call__(self, *args, **kwargs):
        return _used(self._numbra_lacks)

    def __mro_entries__(self, bases):
        return (named(*self._numbra_lacks.rpartition(".")[::2]),)

    def __iter__(self):
        _used(self._numbra_lacks)
        return iter(())

    def __bool__(self):
        _used(self._numbra_lacks)
        return False

    def _falsely(self, other):
        _used(self._numbra_lacks)
        return False

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    __getitem__ = __enter__ = __call__
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __or__ = __ror__ = __and__ = __rand__ = __call__
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _falsely


def named(module: str, name: str, members=()) -> type:
    """What stands for a name: a class without objects."""
    full = f"{module}.{name}"

    def refuse(cls, *args, **kwargs):
        return _used(full)

    space = {member: named(module, f"{name}.{member}") for member in members}
    doc = f"Numba's ``{full.removeprefix('numbra.')}``, which numbra does not have yet."
    space.update(__new__=refuse, __module__=module, __qualname__=name, __doc__=doc, _numbra_lacks=full)
    space["__class_getitem__"] = classmethod(lambda cls, item: _used(full))
    return type(name.rpartition(".")[2], (), space)


def spec(name: str, loader):
    """How to import a module that Numba has and numbra has not."""
    if name not in _modules():
        return None
    package = any(other.startswith(f"{name}.") for other in _modules())
    return importlib.machinery.ModuleSpec(name, loader, is_package=package)


class _Called(types.ModuleType):
    """A module whose package has a function of its name."""

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)


def empty(name: str) -> types.ModuleType:
    """A module without names."""
    doc = f"The names of Numba's ``{name.removeprefix('numbra.')}``, which numbra has no meaning for yet."
    package, _, last = name.rpartition(".")
    function = vars(sys.modules[package]).get(last)
    if callable(function):
        module = _Called(name, doc)
        module._function = function
        return module
    return types.ModuleType(name, doc)
