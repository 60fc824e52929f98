"""libNVVM: the simulator compiles nothing."""

from numbra.cuda.simulator.cudadrv.error import NvvmError, NvvmSupportError


class NVVM:
    """Cannot be made."""

    def __init__(self):
        raise NvvmSupportError("NVVM not supported in the simulator")


CompilationUnit = LibDevice = compile_ir = set_cuda_kernel = get_arch_option = nvvmError = None


def is_available() -> bool:
    """False."""
    return False


def get_supported_ccs() -> tuple:
    """No compute capability."""
    return ()


__all__ = ["NVVM", "NvvmError", "NvvmSupportError", "get_supported_ccs", "is_available"]
