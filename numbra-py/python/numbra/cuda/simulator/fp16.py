"""``cuda.fp16`` in the simulator: half precision through NumPy."""

import operator

import numpy as np


def _rounded(function):
    """The function, computed in single precision and rounded to half."""
    return staticmethod(lambda *args: np.float16(function(*(np.float32(arg) for arg in args))))


class FakeCUDAFp16:
    """Functions of half-precision numbers, by CUDA's names."""

    hadd = staticmethod(operator.add)
    hsub = staticmethod(operator.sub)
    hmul = staticmethod(operator.mul)
    hdiv = staticmethod(operator.truediv)
    hneg = staticmethod(operator.neg)
    habs = staticmethod(abs)
    heq = staticmethod(operator.eq)
    hne = staticmethod(operator.ne)
    hge = staticmethod(operator.ge)
    hgt = staticmethod(operator.gt)
    hle = staticmethod(operator.le)
    hlt = staticmethod(operator.lt)
    hmax = staticmethod(max)
    hmin = staticmethod(min)
    hfma = _rounded(lambda a, b, c: a * b + c)
    hsin = _rounded(np.sin)
    hcos = _rounded(np.cos)
    hlog = _rounded(np.log)
    hlog2 = _rounded(np.log2)
    hlog10 = _rounded(np.log10)
    hexp = _rounded(np.exp)
    hexp2 = _rounded(np.exp2)
    hexp10 = _rounded(lambda x: np.power(np.float64(10), x))
    hsqrt = _rounded(np.sqrt)
    hrsqrt = _rounded(lambda x: 1 / np.sqrt(x))
    hrcp = _rounded(np.reciprocal)
    hceil = _rounded(np.ceil)
    hfloor = _rounded(np.floor)
    htrunc = _rounded(np.trunc)
    hrint = _rounded(np.rint)
    htanh = _rounded(np.tanh)
