"""Stencils: functions of an element and its neighbours, applied to every element of an array."""

from numbra._named import names_of

__getattr__ = names_of(__name__)
