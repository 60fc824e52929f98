"""What dispatchers have in common: they look like functions, and their code is kept between processes."""

from numbra import _numbra


class LikeFunction:
    """What tools ask a function for, of the Python function."""

    __annotations__ = property(lambda self: self.py_func.__annotations__)
    __kwdefaults__ = property(lambda self: self.py_func.__kwdefaults__)
    __globals__ = property(lambda self: self.py_func.__globals__)
    __closure__ = property(lambda self: self.py_func.__closure__)
    __type_params__ = property(lambda self: getattr(self.py_func, "__type_params__", ()))

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        from types import MethodType

        return MethodType(self, instance)


class Cached:
    """Numba's methods over the cache of a dispatcher."""

    #: Where compiled code is kept between processes.
    _cache = None

    def enable_caching(self):
        """Keeps compiled code between processes."""
        from numbra.core.caching import FunctionCache

        self._cache = FunctionCache(self.py_func)
        self._cache.attach(self)

    @property
    def stats(self):
        """Cache statistics: (cache_path, cache_hits, cache_misses), and ``reasons`` of the misses by signature."""
        path = self._cache.cache_path if self._cache is not None else None
        reasons = {args: why for args, why in _numbra._cache_events(self) if why is not None}
        return _stats(path, self._cache_hits, self._cache_misses, reasons)

    @property
    def _cache_hits(self):
        from collections import Counter

        return Counter(args for args, why in _numbra._cache_events(self) if why is None)

    @property
    def _cache_misses(self):
        from collections import Counter

        return Counter(args for args, why in _numbra._cache_events(self) if why is not None)


def _stats(path, hits, misses, reasons):
    from collections import namedtuple

    class _CompileStats(namedtuple("_CompileStats", ("cache_path", "cache_hits", "cache_misses"))):
        """Numba's tuple; beside it ``reasons``: why signatures were compiled."""

    made = _CompileStats(path, hits, misses)
    made.reasons = reasons
    return made
