"""``numbra.cuda``: kernels for NVIDIA GPUs.

With ``NUMBA_ENABLE_CUDASIM=1`` every name here is the simulator's: kernels run as Python functions, one operating
system thread for each thread of the GPU, and ``pdb`` stops in them.
"""

from numbra.core import config

if config.ENABLE_CUDASIM:
    from numbra.cuda.simulator_init import *  # noqa: F403
    from numbra.cuda.simulator_init import __all__
else:
    from numbra.cuda.device_init import *  # noqa: F403
    from numbra.cuda.device_init import __all__ as __all__
