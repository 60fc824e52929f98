"""``cuda.atomic`` in the simulator: one lock for all of them, as all of them may meet at one place of memory."""

import threading

import numpy as np

_lock = threading.Lock()


def _wrapping(operation):
    """Integers wrap round, as on a GPU, and a value takes the type of the array first."""

    def combine(old, val):
        with np.errstate(over="ignore"):
            return operation(old, np.asarray(val).astype(np.asarray(old).dtype)[()])

    return combine


def _updating(name, combine):
    def operation(self, array, index, val):
        with _lock:
            old = array[index]
            array[index] = combine(old, val)
        return old

    operation.__name__ = name
    operation.__doc__ = f"``{name}`` at array[index]; gives what was there."
    return operation


def _nanmax(old, val):
    return val if np.isnan(old) or val > old else old


def _nanmin(old, val):
    return val if np.isnan(old) or val < old else old


class FakeCUDAAtomic:
    """Operations that no other thread comes between; each gives the value that was there before."""

    add = _updating("add", _wrapping(np.add))
    sub = _updating("sub", _wrapping(np.subtract))
    and_ = _updating("and_", _wrapping(np.bitwise_and))
    or_ = _updating("or_", _wrapping(np.bitwise_or))
    xor = _updating("xor", _wrapping(np.bitwise_xor))
    inc = _updating("inc", lambda old, val: 0 if old >= val else old + 1)
    dec = _updating("dec", lambda old, val: val if old == 0 or old > val else old - 1)
    exch = _updating("exch", lambda old, val: val)
    # A NaN on either side stays out of the array or in it: no comparison with one is true.
    max = _updating("max", lambda old, val: val if val > old else old)
    min = _updating("min", lambda old, val: val if val < old else old)
    nanmax = _updating("nanmax", _nanmax)
    nanmin = _updating("nanmin", _nanmin)

    def cas(self, array, index, old, val):
        """Stores `val` at array[index] where `old` is there; gives what was there."""
        with _lock:
            found = array[index]
            if found == old:
                array[index] = val
        return found

    def compare_and_swap(self, array, old, val):
        """`cas` of the first element."""
        return self.cas(array, (0,) * array.ndim, old, val)
