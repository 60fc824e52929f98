"""Makes functions that sort stably by a comparison of one's own: Numba's ``numba.misc.mergesort``."""

from typing import NamedTuple

import numpy as np
from numbra._named import names_of

# Parts of so many items at most are sorted by insertion.
SMALL_MERGESORT = 20


class MergesortImplementation(NamedTuple):
    """The functions of a merge sort."""

    run_mergesort: object


def make_mergesort_impl(wrap, lt=None, is_argsort=False):
    """The functions of a merge sort of arrays with one axis.

    Parameters
    ----------
    wrap : callable
        What each of them goes through: a decorator that compiles it, or the identity.
    lt : callable, optional
        ``lt(a, b)`` says whether ``a`` comes before ``b``; without it ``a < b`` does.
    is_argsort : bool
        ``run_mergesort(arr)`` gives the positions of the sorted elements; else it sorts in place and gives the array.
    """
    if lt is None:

        @wrap
        def before(a, b):
            return a < b
    else:
        before = wrap(lt)

    if is_argsort:

        @wrap
        def less(a, b, items):
            return before(items[a], items[b])
    else:

        @wrap
        def less(a, b, items):
            return before(a, b)

    @wrap
    def insert(sorted_part, items):
        for i in range(1, sorted_part.size):
            key = sorted_part[i]
            j = i
            while j > 0 and less(key, sorted_part[j - 1], items):
                sorted_part[j] = sorted_part[j - 1]
                j -= 1
            sorted_part[j] = key

    @wrap
    def merge(part, middle, room, items):
        """Merges what stands before ``middle`` with what stands from there on."""
        for i in range(middle):
            room[i] = part[i]
        left = 0
        right = middle
        to = 0
        while left < middle and right < part.size:
            if less(part[right], room[left], items):
                part[to] = part[right]
                right += 1
            else:
                part[to] = room[left]
                left += 1
            to += 1
        for i in range(left, middle):
            part[to] = room[i]
            to += 1

    @wrap
    def sort(part, room, items):
        count = part.size
        for low in range(0, count, SMALL_MERGESORT):
            insert(part[low : low + SMALL_MERGESORT], items)
        width = SMALL_MERGESORT
        while width < count:
            for low in range(0, count - width, 2 * width):
                merge(part[low : low + 2 * width], width, room, items)
            width *= 2

    if is_argsort:

        @wrap
        def run_mergesort(arr):
            positions = np.arange(arr.size)
            sort(positions, np.empty_like(positions), arr)
            return positions
    else:

        @wrap
        def run_mergesort(arr):
            sort(arr, np.empty_like(arr), arr)
            return arr

    return MergesortImplementation(run_mergesort)


def make_jit_mergesort(*args, **kwargs):
    """As :func:`make_mergesort_impl`, compiled."""
    from numbra.core.decorators import njit

    return make_mergesort_impl(njit, *args, **kwargs)


__getattr__ = names_of(__name__)
