"""Kernels that numbra itself launches."""
