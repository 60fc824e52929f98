"""Searches in arrays whose elements are in no order."""

import numpy as np


def searched(a, values, side="left"):
    """`np.searchsorted` as Numba has it, which is NumPy's before 2.5: what is found where `a` is in no order is an
    accident of the search, which goes on from the place of the value before."""
    values = np.asarray(values)
    order = np.sort(np.concatenate([a, values.ravel()]))
    ranks, keys = np.searchsorted(order, a).tolist(), np.searchsorted(order, values.ravel()).tolist()

    def is_before(rank, key):
        return rank < key if side == "left" else rank <= key

    found, low, high = [], 0, len(ranks)
    last = keys[0] if keys else None
    for key in keys:
        if is_before(last, key):
            high = len(ranks)
        else:
            low, high = 0, min(high + 1, len(ranks))
        last = key
        while low < high:
            middle = (low + high) // 2
            if is_before(ranks[middle], key):
                low = middle + 1
            else:
                high = middle
        found.append(low)
    return np.reshape(np.array(found, np.intp), values.shape)[()]
