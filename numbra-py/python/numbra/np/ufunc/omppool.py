"""The name of Numba's OpenMP layer. numbra's built-in pool serves it; no OpenMP library is loaded."""

openmp_vendor = "numbra"
