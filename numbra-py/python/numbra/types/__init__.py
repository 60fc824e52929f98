"""``numba.types``: everything of :mod:`numbra.core.types`."""

from numbra.core import types as _types


def __getattr__(name: str):
    return getattr(_types, name)


def __dir__() -> list[str]:
    return dir(_types)


__all__ = _types.__all__
