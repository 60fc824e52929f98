"""The functions of the driver API as Python modules call them: logged where ``NUMBA_CUDA_LOG_LEVEL`` is set."""

import functools
import logging
import sys

from numbra._numbra import _cuda
from numbra.core import config
from numbra.cuda.cudadrv.error import CudaAPIError


@functools.cache
def _logger():
    """Where calls of the driver are told of, to standard error if ``NUMBA_CUDA_LOG_LEVEL`` is set."""
    logger = logging.getLogger("numbra.cuda.cudadrv.driver")
    if not logger.hasHandlers():
        level = getattr(logging, str(config.CUDA_LOG_LEVEL).upper(), None)
        logger.setLevel(level if isinstance(level, int) else logging.CRITICAL)
        handler = logging.NullHandler()
        if config.CUDA_LOG_LEVEL:
            handler = logging.StreamHandler(sys.stderr)
            handler.setFormatter(logging.Formatter("== CUDA [%(relativeCreated)d] %(levelname)5s -- %(message)s"))
        logger.addHandler(handler)
    return logger


def _logged(name, function):
    def call(*args):
        shown = f"({', '.join(map(str, args))})" if config.CUDA_LOG_API_ARGS else ""
        _logger().debug("call driver api: %s%s", name, shown)
        try:
            return function(*args)
        except CudaAPIError as error:
            _logger().error(error.msg)
            raise

    return call


class _LoggedCalls:
    """The extension module's functions, of which those of the driver are told of. Launches do not go through here."""

    def __getattr__(self, name):
        value = getattr(_cuda, name)
        if name.startswith("cu"):
            value = _logged(name, value)
        setattr(self, name, value)
        return value


driver_calls = _LoggedCalls() if config.CUDA_LOG_LEVEL else _cuda
