"""Typed sets."""

from numbra.typed import Set as Set
