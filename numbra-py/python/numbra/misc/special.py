"""Functions that the compiler recognises; outside compiled code they do what their names say."""


class prange:  # Numba's name
    """A ``range`` whose iterations may run in parallel."""

    def __new__(cls, *args):
        return range(*args)


class pndindex:
    """An ``ndindex`` whose iterations may run in parallel."""

    def __new__(cls, *args):
        import numpy

        return numpy.ndindex(*args)


def literally(obj):
    """Asks the compiler to treat the argument as a literal."""
    return obj


def literal_unroll(container):
    """Asks the compiler to unroll the loop over a tuple."""
    return container
