"""The modules that programs import from ``numba.core``."""
