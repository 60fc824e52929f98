"""``cuda.reduce`` in the simulator."""

import functools

import numpy as np


def Reduce(functor):
    """A reduction with a function of two values: ``cuda.reduce(lambda a, b: a + b)(array)``."""

    def reduce_wrapper(arr, size=None, res=None, init=0, stream=0):
        values = np.asarray(arr.copy_to_host() if hasattr(arr, "copy_to_host") else arr)
        if values.ndim != 1:
            raise TypeError("only support 1D array")
        result = functools.reduce(functor, values[:size], values.dtype.type(init))
        if res is None:
            return result
        res[0] = result
        return None

    return reduce_wrapper


reduce = Reduce
