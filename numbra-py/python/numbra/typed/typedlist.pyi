"""Typed lists."""

from numbra.typed import List as List
