"""Typed containers: numbra does not have them yet, and each says so when it is used."""

from numbra.core.errors import UnsupportedError


class _NotYet:
    def __init__(self, *args, **kwargs):
        raise UnsupportedError(f"numbra does not have typed.{type(self).__name__} yet")


class List(_NotYet):
    """A list of items of one type."""


class Dict(_NotYet):
    """A dictionary with keys of one type and values of one type."""


class Set(_NotYet):
    """A set of items of one type."""


__all__ = ["Dict", "List", "Set"]
