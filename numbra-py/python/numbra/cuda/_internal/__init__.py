"""Modules that numba-cuda keeps its bindings of CUDA's headers in."""
