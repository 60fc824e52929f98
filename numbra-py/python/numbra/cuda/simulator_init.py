"""The names of ``numbra.cuda`` under ``NUMBA_ENABLE_CUDASIM=1``."""

from numbra.cuda import simulator
from numbra.cuda.simulator import *  # noqa: F403


def is_available() -> bool:
    """Whether kernels can run here: they can."""
    return True


def cuda_error():
    """The error that keeps CUDA from working: None."""
    return None


def __getattr__(name: str):
    return simulator.__getattr__(name)


__all__ = [*simulator.__all__, "cuda_error", "is_available"]
