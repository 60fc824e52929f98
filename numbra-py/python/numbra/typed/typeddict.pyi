"""Typed dictionaries."""

from numbra.typed import Dict as Dict
