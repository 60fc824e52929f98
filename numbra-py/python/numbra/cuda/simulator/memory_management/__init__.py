"""Memory of kernels: in the simulator it is Python's."""

from numbra.cuda.simulator.memory_management.nrt import rtsys as rtsys
