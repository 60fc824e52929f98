"""The compiler for GPUs, under the names of NVIDIA's library for LLVM IR.

numbra generates PTX with its own copy of LLVM, so there is no NVVM; what programs ask this module is what they need to
know of the target.
"""

import functools
import os

from numbra._named import names_of
from numbra.cuda.cudadrv.error import NvvmError, NvvmSupportError, NvvmWarning

__getattr__ = names_of(__name__)

ADDRSPACE_GENERIC = 0
ADDRSPACE_GLOBAL = 1
ADDRSPACE_SHARED = 3
ADDRSPACE_CONSTANT = 4
ADDRSPACE_LOCAL = 5

#: Layout of data on the device.
data_layout = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-"
    "v64:64:64-v128:128:128-n16:32:64"
)


@functools.cache
def is_available() -> bool:
    """Whether PTX can be generated: whether numbra's LLVM library is installed."""
    named = os.environ.get("NUMBRA_LLVM_LIBRARY")
    if named:
        return os.path.isfile(named)
    from numbra import _numbra

    return os.path.isfile(os.path.join(os.path.dirname(_numbra.__file__), "libnumbra_llvm.so"))


class NVVM:
    """What programs ask of the compiler."""

    def __init__(self):
        if not is_available():
            raise NvvmSupportError("numbra's LLVM library, which generates code for GPUs, is not installed")

    @property
    def data_layout(self) -> str:
        """Layout of data on the device."""
        return data_layout

    def get_version(self) -> tuple:
        """The version of NVVM whose names are answered."""
        return 2, 0


__all__ = [
    "ADDRSPACE_CONSTANT",
    "ADDRSPACE_GENERIC",
    "ADDRSPACE_GLOBAL",
    "ADDRSPACE_LOCAL",
    "ADDRSPACE_SHARED",
    "NVVM",
    "NvvmError",
    "NvvmSupportError",
    "NvvmWarning",
    "data_layout",
    "is_available",
]
