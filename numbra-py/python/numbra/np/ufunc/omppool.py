"""The name of Numba's OpenMP layer. numbra's built-in pool serves it; no OpenMP library is loaded."""

from numbra._named import names_of

openmp_vendor = "numbra"

__getattr__ = names_of(__name__)
