"""Importing this has numbra stand in for Numba: ``pytest -p numbra.as_numba``, or a line at the start of a program."""

from numbra._compat import install_as_numba

install_as_numba()
