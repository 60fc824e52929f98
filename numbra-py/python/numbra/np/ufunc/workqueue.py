"""The name of Numba's built-in layer. numbra's built-in pool serves it."""
