"""The name of ``numba.cuda.dispatcher`` that others import."""


class CUDADispatcher:
    """No kernel of the simulator is one."""
