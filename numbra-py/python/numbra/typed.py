"""Typed containers: numbra does not have them yet, and each says so when it is used."""

from numbra.core.errors import UnsupportedError


class _NotYet:
    def __init__(self, *args, **kwargs):
        self._refuse()

    @classmethod
    def _refuse(cls):
        raise UnsupportedError(f"numbra does not have typed.{cls.__name__} yet")


class List(_NotYet):
    """A list of items of one type."""

    @classmethod
    def empty_list(cls, item_type, allocated=0):
        """An empty list of items of a type."""
        cls._refuse()


class Dict(_NotYet):
    """A dictionary with keys of one type and values of one type."""

    @classmethod
    def empty(cls, key_type, value_type, n_keys=0):
        """An empty dictionary with keys of one type and values of another."""
        cls._refuse()


class Set(_NotYet):
    """A set of items of one type."""


__all__ = ["Dict", "List", "Set"]
