"""Kernels beside those of the bench, by theme: what a user writes, each with a maker of its arguments.

They are compiled by the module that KERNELS_MODULE names, numba or numbra.
A call takes some tens of microseconds, so that what it costs to make one does not count.
"""

import importlib
import os

LIBRARY = importlib.import_module(os.environ.get("KERNELS_MODULE", "numbra"))
njit = LIBRARY.njit

# The kernels of the themes that are imported, and what makes arguments of a generator of random numbers.
CASES = {}


def case(make):
    """Lists the function; `make` gets a `np.random.Generator` and gives the arguments."""

    def register(function):
        CASES[function.__name__] = (function, make)
        return function

    return register
