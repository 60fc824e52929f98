"""The CUDA driver: devices, contexts, memory, streams, modules and device arrays."""

from numbra._named import names_of

__getattr__ = names_of(__name__)
