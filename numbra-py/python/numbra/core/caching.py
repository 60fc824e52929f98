"""Where compiled code of a function is kept: the locators, under Numba's names.

What is kept, and when it holds, the extension module decides; here are directories and file names.
"""

import os
import stat
import sys
from typing import ClassVar

from numbra import _numbra
from numbra._named import names_of
from numbra.core import config


class _CacheLocator:
    """A directory for the code of one function."""

    def __init__(self, py_func, py_file):
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno

    def get_cache_path(self):
        """The directory."""
        raise NotImplementedError

    def get_disambiguator(self):
        """What tells apart functions of one name in one file."""
        return str(self._lineno)

    def get_source_stamp(self):
        """A digest of the source file. Numba's: here no file as a whole decides whether code holds."""
        import hashlib

        path = sys.executable if getattr(sys, "frozen", False) else self._py_file
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()

    def why_not(self):
        """Why the directory cannot be used; ``None`` if it can."""
        return _why_not(self.get_cache_path())

    @classmethod
    def handles(cls, py_func, py_file):
        """Whether functions of this file are this locator's."""
        return os.path.exists(py_file)

    @classmethod
    def from_function(cls, py_func, py_file):
        """The locator of a function; ``None`` if it is not for this one, or its directory cannot be used."""
        if not cls.handles(py_func, py_file):
            return None
        self = cls(py_func, py_file)
        return self if self.why_not() is None else None

    @classmethod
    def get_suitable_cache_subpath(cls, py_file):
        """A name for the directory of a file: that of its parent, and a digest of the whole path."""
        folder = os.path.dirname(os.path.abspath(py_file))
        return f"{os.path.basename(folder)}_{_sha1(folder)}"


def _sha1(text):
    try:
        from _sha1 import sha1  # loads no OpenSSL
    except ImportError:
        from hashlib import sha1
    return sha1(text.encode(errors="surrogateescape")).hexdigest()


def _why_not(path, exists=True):
    """Why nothing can be kept in a directory, which need not exist; ``None`` if something can."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        parent = os.path.dirname(path.rstrip(os.sep))
        return f"there is no {path}" if parent == path else _why_not(parent or os.curdir, exists=False)
    except OSError as error:
        return str(error)
    if not stat.S_ISDIR(found.st_mode):
        return f"{path} is no directory"
    # A directory that is to be made will be ours.
    if exists and hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        return f"{path} belongs to another user"
    if not os.access(path, os.W_OK | os.X_OK):
        return f"{path} is not writable"
    return None


def _user_cache_dir():
    """The user's directory for caches."""
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "numba", "Cache")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches/numba")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "numba")


class UserProvidedCacheLocator(_CacheLocator):
    """In the directory that ``NUMBA_CACHE_DIR`` names."""

    def get_cache_path(self):
        return os.path.join(config.CACHE_DIR, self.get_suitable_cache_subpath(self._py_file))

    @classmethod
    def handles(cls, py_func, py_file):
        return bool(config.CACHE_DIR) and os.path.exists(py_file)


class InTreeCacheLocator(_CacheLocator):
    """In ``__pycache__`` beside the source file."""

    def get_cache_path(self):
        return os.path.join(os.path.dirname(self._py_file), "__pycache__")


class InTreeCacheLocatorFsAgnostic(InTreeCacheLocator):
    """Numba's deprecated name for :class:`InTreeCacheLocator`."""

    def __init__(self, py_func, py_file):
        import warnings

        from numbra.core.errors import NumbaDeprecationWarning

        warnings.warn(
            "InTreeCacheLocatorFsAgnostic is deprecated: times of files decide nothing. Use InTreeCacheLocator.",
            NumbaDeprecationWarning,
            stacklevel=2,
        )
        super().__init__(py_func, py_file)


class UserWideCacheLocator(_CacheLocator):
    """In the user's directory for caches."""

    def get_cache_path(self):
        return os.path.join(_user_cache_dir(), self.get_suitable_cache_subpath(self._py_file))

    @classmethod
    def handles(cls, py_func, py_file):
        return os.path.exists(py_file) or getattr(sys, "frozen", False)


class IPythonCacheLocator(_CacheLocator):
    """For functions of notebooks and of IPython's prompt, in IPython's directory."""

    def get_cache_path(self):
        from IPython.paths import get_ipython_cache_dir

        return os.path.join(get_ipython_cache_dir(), "numba_cache")

    def get_disambiguator(self):
        return _code_digest(self._function_code)

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self._function_code = py_func.__code__

    @classmethod
    def handles(cls, py_func, py_file):
        folder = os.path.basename(os.path.dirname(py_file))
        return py_file.startswith("<ipython-") or folder.startswith("ipykernel_")


class ZipCacheLocator(UserWideCacheLocator):
    """For modules in zip archives, in the user's directory for caches."""

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        archive, _, self._internal_path = py_file.partition(f".zip{os.sep}")
        self._zip_path = f"{archive}.zip"

    @classmethod
    def handles(cls, py_func, py_file):
        return ".zip" in py_file

    def get_source_stamp(self):
        import hashlib
        import zipfile

        with zipfile.ZipFile(self._zip_path) as archive:
            return hashlib.sha256(archive.read(self._internal_path.replace(os.sep, "/"))).digest()


class TextCacheLocator(_CacheLocator):
    """For functions that ``exec`` made of a text: where ``NUMBA_CACHE_DIR`` says, else in the user's directory."""

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self._function_code = py_func.__code__

    def get_cache_path(self):
        return os.path.join(config.CACHE_DIR or _user_cache_dir(), "exec")

    def get_disambiguator(self):
        # Many texts have the same name and line.
        return _code_digest(self._function_code)

    @classmethod
    def handles(cls, py_func, py_file):
        return py_file.startswith("<") and py_file.endswith(">")


def _code_digest(code):
    return _sha1(f"{code.co_code!r}{code.co_names}{code.co_varnames}")[:12]


class CacheImpl:
    """Numba's name for what has the locators. The first that is for a function is taken; a program may add its own."""

    _locator_classes: ClassVar[list] = [
        UserProvidedCacheLocator,
        InTreeCacheLocator,
        UserWideCacheLocator,
        IPythonCacheLocator,
        ZipCacheLocator,
        TextCacheLocator,
    ]


def _locator_classes():
    names = config.CACHE_LOCATOR_CLASSES
    if not names:
        return CacheImpl._locator_classes
    classes = []
    for name in map(str.strip, names.split(",")):
        module, _, short = name.rpartition(".")
        if module:
            import importlib

            try:
                classes.append(getattr(importlib.import_module(module), short))
            except (ImportError, AttributeError) as error:
                raise RuntimeError(
                    f"Failed to import '{name}' specified via NUMBA_CACHE_LOCATOR_CLASSES env variable"
                ) from error
        elif isinstance(globals().get(short), type):
            classes.append(globals()[short])
        else:
            raise RuntimeError(
                f"Unknown cache locator class: '{name}' specified via NUMBA_CACHE_LOCATOR_CLASSES env variable"
            )
    return classes


class _Files:
    """Names of the files of one function."""

    def __init__(self, locator, py_func, py_file):
        stem = os.path.splitext(os.path.basename(py_file))[0]
        name = "".join(c if c.isalnum() or c in "._-" else "" for c in f"{stem}.{py_func.__qualname__}")
        if len(name) > 120:
            name = f"{name[:100]}.{_sha1(name)[:12]}"
        #: What the names of all files start with.
        self.name = name
        # Numba's own index of the function is another file.
        version = f"{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
        self.suffix = f"-{locator.get_disambiguator()}.py{version}-numbra"

    @property
    def _index_name(self):
        return f"{self.name}{self.suffix}.nbi"


class _Impl:
    """Numba's attribute: what knows the locator."""

    def __init__(self, locator):
        self.locator = locator


class FunctionCache:
    """Where compiled code of a function is kept."""

    def __init__(self, py_func):
        py_file = py_func.__code__.co_filename
        why_not = None
        for cls in _locator_classes():
            locator = cls.from_function(py_func, py_file)
            if locator is not None:
                break
            own = cls.from_function.__func__ is not _CacheLocator.from_function.__func__
            if why_not is None and not own and cls.handles(py_func, py_file):
                why_not = cls(py_func, py_file).why_not()
        else:
            if why_not is None:
                raise RuntimeError(
                    f"cannot cache function {py_func.__qualname__!r}: no locator available for file {py_file!r}"
                )
            locator = None
            _warn_once(f"compiled code is not cached: {why_not}")
        self._impl = _Impl(locator)
        self._cache_file = None if locator is None else _Files(locator, py_func, py_file)

    @property
    def cache_path(self):
        """The directory; ``None`` where none can be used."""
        return None if self._impl.locator is None else self._impl.locator.get_cache_path()

    def attach(self, dispatcher):
        """From now on code of the dispatcher is kept and found."""
        if self._cache_file is not None:
            _numbra._enable_cache(dispatcher, self.cache_path, self._cache_file.name, self._cache_file.suffix)


_warned = set()


def _warn_once(text):
    if text in _warned:
        return
    _warned.add(text)
    import warnings

    from numbra.core.errors import NumbaWarning, level_of_the_user

    warnings.warn(NumbaWarning(text), stacklevel=level_of_the_user())


__getattr__ = names_of(__name__)
