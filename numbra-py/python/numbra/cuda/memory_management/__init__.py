"""Memory of kernels."""

from numbra.cuda.memory_management.nrt import rtsys as rtsys
