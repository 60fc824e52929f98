"""``llvmlite.binding``: symbols that recorded code may call."""

import ctypes

from numbra import _numbra

#: Libraries that were loaded for all.
_libraries = []


def add_symbol(name, address):
    """Has recorded code that calls a function of this name call what is at an address."""
    _numbra._add_symbol(name, address)


def address_of_symbol(name):
    """The address that a name has in recorded code; None where nobody has given one."""
    return _numbra._symbol_address(name)


def load_library_permanently(filename):
    """Loads a shared library, whose functions recorded code may call from then on."""
    _libraries.append(ctypes.CDLL(filename, ctypes.RTLD_GLOBAL))


def initialize():
    """Nothing: there is no LLVM to set up."""


def __getattr__(name):
    from numbra.core.errors import UnsupportedError

    if name.startswith("__"):
        raise AttributeError(name)
    raise UnsupportedError(f"numbra does not have `llvmlite.binding.{name}`")
