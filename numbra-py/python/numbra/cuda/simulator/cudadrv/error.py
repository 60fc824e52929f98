"""Errors of CUDA's libraries, for code that catches them: the simulator raises none."""


class CudaDriverError(Exception):
    """An error of the driver."""


class CudaRuntimeError(Exception):
    """An error of CUDA's runtime library."""


class CudaSupportError(RuntimeError):
    """CUDA cannot be used."""


class NvvmError(Exception):
    """An error of libNVVM."""


class NvvmSupportError(ImportError):
    """libNVVM cannot be used."""


class NvrtcError(Exception):
    """An error of NVRTC."""
