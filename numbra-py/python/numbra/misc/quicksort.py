"""Makes functions that sort in place by a comparison of one's own: Numba's ``numba.misc.quicksort``.

Compiled code that sorts calls the runtime; these are for programs that name them.
"""

from typing import NamedTuple

import numpy as np
from numbra._named import names_of

# Parts of fewer items are sorted by insertion.
SMALL_QUICKSORT = 15
# The smaller part is sorted first, so that what waits doubles each time: this is enough for any length.
MAX_STACK = 100


class Partition(NamedTuple):
    """The items from ``start`` to ``stop``, both included."""

    start: int
    stop: int


class QuicksortImplementation(NamedTuple):
    """The functions of a quicksort: ``compile`` made each of the others.

    ``partition`` and ``insertion_sort`` take the items, the positions that they permute (the items themselves where
    these are sorted), and the first and the last position of a part; ``partition3`` takes the items and a part.
    """

    compile: object
    partition: object
    partition3: object
    insertion_sort: object
    run_quicksort: object


def make_quicksort_impl(wrap, lt=None, is_argsort=False, is_list=False, is_np_array=False):
    """The functions of a quicksort.

    Parameters
    ----------
    wrap : callable
        What each of them goes through: a decorator that compiles it, or the identity.
    lt : callable, optional
        ``lt(a, b)`` says whether ``a`` comes before ``b``; without it ``a < b`` does. Where it is no order, items
        are permuted.
    is_argsort : bool
        ``run_quicksort(A)`` gives the positions of the sorted items.
    is_list : bool
        The positions are a list, not an array.
    is_np_array : bool
        ``run_quicksort`` sorts along the last axis of an array of any number of axes.
    """
    if is_argsort and is_np_array:
        raise ValueError("positions are of one axis")

    if lt is None:

        @wrap
        def before(a, b):
            return a < b
    else:
        before = wrap(lt)

    if is_argsort:

        @wrap
        def item(items, positions, i):
            return items[positions[i]]

        if is_list:

            @wrap
            def all_positions(items):
                return [i for i in range(len(items))]
        else:

            @wrap
            def all_positions(items):
                return np.arange(items.size)
    else:

        @wrap
        def item(items, positions, i):
            return items[i]

        @wrap
        def all_positions(items):
            return items

    @wrap
    def insert(items, positions, low, high):
        for i in range(low + 1, high + 1):
            key = item(items, positions, i)
            moved = positions[i]
            j = i
            while j > low and before(key, item(items, positions, j - 1)):
                positions[j] = positions[j - 1]
                j -= 1
            positions[j] = moved

    @wrap
    def swap(positions, i, j):
        kept = positions[i]
        positions[i] = positions[j]
        positions[j] = kept

    @wrap
    def median_first(items, positions, low, high):
        """Has the median of the first, the middle and the last item stand first."""
        middle = (low + high) >> 1
        if before(item(items, positions, middle), item(items, positions, low)):
            swap(positions, low, middle)
        if before(item(items, positions, high), item(items, positions, low)):
            swap(positions, low, high)
        if before(item(items, positions, high), item(items, positions, middle)):
            swap(positions, middle, high)
        swap(positions, low, middle)

    @wrap
    def split(items, positions, low, high):
        """A position: no item before it is greater than the one there, and none behind it is less."""
        median_first(items, positions, low, high)
        pivot = item(items, positions, low)
        i = low + 1
        j = high
        while True:
            while i <= j and before(item(items, positions, i), pivot):
                i += 1
            while i <= j and before(pivot, item(items, positions, j)):
                j -= 1
            if i >= j:
                break
            swap(positions, i, j)
            i += 1
            j -= 1
        swap(positions, low, j)
        return j

    @wrap
    def split3(items, low, high):
        """First and last position of the items that equal one, once smaller ones stand before and greater behind."""
        median_first(items, items, low, high)
        pivot = items[low]
        first = low
        last = high
        i = low + 1
        while i <= last:
            if before(items[i], pivot):
                swap(items, i, first)
                first += 1
                i += 1
            elif before(pivot, items[i]):
                swap(items, i, last)
                last -= 1
            else:
                i += 1
        return first, last

    @wrap
    def sort(items, positions):
        count = len(positions)
        if count < 2:
            return
        waiting = [Partition(0, 0)] * MAX_STACK
        waiting[0] = Partition(0, count - 1)
        n = 1
        while n > 0:
            n -= 1
            low, high = waiting[n]
            while high - low >= SMALL_QUICKSORT:
                i = split(items, positions, low, high)
                # The greater part waits.
                if high - i > i - low:
                    if n < MAX_STACK:
                        waiting[n] = Partition(i + 1, high)
                        n += 1
                    high = i - 1
                else:
                    if n < MAX_STACK:
                        waiting[n] = Partition(low, i - 1)
                        n += 1
                    low = i + 1
            insert(items, positions, low, high)

    if is_argsort:

        @wrap
        def run_quicksort(A):
            positions = all_positions(A)
            sort(A, positions)
            return positions

    else:

        @wrap
        def run_quicksort(A):
            sort(A, A)

    if is_np_array:

        @wrap
        def run_rows(A):
            for row in np.ndindex(A.shape[:-1]):
                run_quicksort(A[row])

        return QuicksortImplementation(wrap, split, split3, insert, run_rows)

    return QuicksortImplementation(wrap, split, split3, insert, run_quicksort)


def make_py_quicksort(*args, **kwargs):
    """As :func:`make_quicksort_impl`, as functions of Python."""
    return make_quicksort_impl((lambda function: function), *args, **kwargs)


def make_jit_quicksort(*args, **kwargs):
    """As :func:`make_quicksort_impl`, compiled."""
    from numbra.core.decorators import njit

    return make_quicksort_impl(njit, *args, **kwargs)


__getattr__ = names_of(__name__)
