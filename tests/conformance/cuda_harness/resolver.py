"""Makes ``import numba`` give numbra, for numba-cuda's tests.

``numba.X`` is the module object ``numbra.X``; ``numba.cuda.tests`` comes out of the unpacked wheel. A module or a name
that numba-cuda has and numbra lacks becomes a `Missing`: while a module is being imported it lets itself be called,
subclassed and used as a decorator, so that the other tests of that module run; any use of it at another time raises
`MissingUsed` and is counted, so that a test which touches one is not counted as passed.

The folder of the wheel is in ``CUDA_SUITE_WHEEL``. Processes that a test starts are served as well: the runner puts a
``sitecustomize`` that calls `install` on their path.
"""

import functools
import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import types
import unittest
from pathlib import Path

WHEEL = Path(os.environ.get("CUDA_SUITE_WHEEL", ""))
_TESTS = "numba.cuda.tests"

#: How often something missing was used outside an import, in this process.
used = 0
#: True while tests are collected: decorators of pytest run then, outside any import.
collecting = False


class MissingUsed(BaseException):
    """Something that numbra lacks was used; not an `Exception`, so that no test can expect it."""


def _importing() -> bool:
    """Whether the body of a module that is being imported is on the stack."""
    if collecting:
        return True
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            spec = frame.f_globals.get("__spec__")
            if getattr(spec, "_initializing", False):
                return True
        frame = frame.f_back
    return False


def _use(name: str) -> None:
    global used
    if not _importing():
        used += 1
        raise MissingUsed(f"numbra lacks {name}")


class _MissingBase:
    """The base of a class whose base is missing."""

    _missing_name = "?"

    def __init__(self, *args, **kwargs):
        if isinstance(self, unittest.TestCase):
            super().__init__(*args, **kwargs)
        else:
            _use(self._missing_name)

    def setUp(self):
        _use(self._missing_name)


class Missing:
    """What stands for a name that numbra lacks."""

    def __init__(self, name: str):
        self.__dict__["_missing_name"] = name

    def __repr__(self):
        return f"<missing {self._missing_name}>"

    def __getattr__(self, attribute):
        if attribute.startswith(("__", "_pytest", "_fixture", "pytestmark", "_is_coroutine", "place_as", "patchings")):
            raise AttributeError(attribute)
        _use(f"{self._missing_name}.{attribute}")
        return Missing(f"{self._missing_name}.{attribute}")

    def __mro_entries__(self, bases):
        return (type("MissingBase", (_MissingBase,), {"_missing_name": self._missing_name}),)

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        if self is not other:
            _use(self._missing_name)
        return self is other


def _operation(result):
    def method(self, *args, **kwargs):
        _use(self._missing_name)
        return result() if result is not None else Missing(f"{self._missing_name}()")

    return method


for _names, _result in {
    "call getitem enter add radd sub rsub mul rmul or ror and rand xor neg truediv floordiv mod pow invert lshift "
    "rshift matmul setitem delitem setattr delattr": None,
    "bool exit lt le gt ge contains instancecheck subclasscheck": bool,
    "len int index": int,
    "float": float,
    "iter": lambda: iter(()),
}.items():
    for _name in _names.split():
        setattr(Missing, f"__{_name}__", _operation(_result))


@functools.cache
def _exists(module: str) -> bool:
    """Whether numba-cuda has the module ``numba.cuda...``."""
    if not module.startswith("numba.cuda."):
        return False
    base = WHEEL / "numba_cuda" / Path(*module.split("."))
    return base.is_dir() or base.with_suffix(".py").is_file() or any(base.parent.glob(f"{base.name}.*.so"))


def _numbra_module(public: str):
    """numbra's module of that name; None where it, or a parent of it, does not exist."""
    name = "numbra" + public.removeprefix("numba")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if public == "numba" or error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        return None


def _lookup(module: str, name: str):
    if name.startswith(("__", "_pytest", "pytestmark")):
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
    full = f"{module}.{name}"
    if module.partition(".")[0] == "numba" and (_numbra_module(full) is not None or _exists(full)):
        return importlib.import_module(full)
    return Missing(full)


def _answer_missing(module: types.ModuleType, public: str) -> None:
    """Gives the module of numbra a ``__getattr__`` which answers the tests, not numbra itself."""
    own = module.__dict__.get("__getattr__")
    if getattr(own, "_resolver", False):
        return

    def __getattr__(name):
        if own is not None:
            try:
                return own(name)
            except AttributeError:
                pass
        caller = sys._getframe(1).f_globals.get("__name__") or ""
        if caller.partition(".")[0] == "numbra":
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}", name=name)
        return _lookup(public, name)

    __getattr__._resolver = True
    module.__getattr__ = __getattr__


class _MissingModule(types.ModuleType):
    __path__ = ()

    def __getattr__(self, name):
        return _lookup(self.__name__, name)


class _Given(importlib.abc.Loader):
    """Loads a module that is there already, and leaves its ``__spec__`` alone."""

    def __init__(self, module):
        self.module, self.spec = module, getattr(module, "__spec__", None)

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        if self.spec is not None:
            module.__spec__ = self.spec


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] != "numba":
            return None
        if fullname == _TESTS or fullname.startswith(f"{_TESTS}."):
            folder = (WHEEL / "numba_cuda" / Path(*fullname.split("."))).parent
            return importlib.machinery.PathFinder.find_spec(fullname, [str(folder)])
        module = _numbra_module(fullname)
        if module is not None:
            _answer_missing(module, fullname)
        elif fullname.startswith("numba.cuda") and not _exists(fullname):
            return None
        else:
            module = _MissingModule(fullname)
        is_package = hasattr(module, "__path__")
        return importlib.machinery.ModuleSpec(fullname, _Given(module), is_package=is_package)


class _Absent(importlib.abc.MetaPathFinder):
    """Stands in for other packages that tests import, where they are not installed."""

    packages = frozenset({"cffi", "cuda", "llvmlite", "ml_dtypes", "numba_cuda"})

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] not in self.packages:
            return None
        module = _MissingModule(fullname)
        if fullname == "llvmlite":
            # Tests ask how it would have written metadata.
            module.__version__ = "0.45.0"
        return importlib.machinery.ModuleSpec(fullname, _Given(module), is_package=True)


def install() -> None:
    """From now on ``numba`` is numbra, in this process."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        sys.meta_path.append(_Absent())
