"""The CUDA simulator: kernels run as Python functions, one operating system thread for each thread of the GPU.

``NUMBA_ENABLE_CUDASIM=1`` makes every name of ``numbra.cuda`` one of these, and ``numbra.cuda.cudadrv`` and other
modules that need a GPU the simulator's. It compiles nothing and needs no CUDA.
"""

from numbra.core import config
from numbra.cuda import aliases
from numbra.cuda.simulator import api, kernel  # noqa: F401 - tools look for kernel.BlockThread
from numbra.cuda.simulator.api import *  # noqa: F403
from numbra.cuda.simulator.cudadrv import devicearray
from numbra.cuda.simulator.cudadrv.devicearray import (
    auto_device,
    device_array,
    device_array_like,
    managed_array,
    mapped,
    mapped_array,
    mapped_array_like,
    pinned,
    pinned_array,
    pinned_array_like,
    to_device,
)
from numbra.cuda.simulator.cudadrv.devices import get_context as current_context
from numbra.cuda.simulator.cudadrv.linkable_code import LinkableCode
from numbra.cuda.simulator.cudadrv.runtime import runtime
from numbra.cuda.simulator.kernelapi import KERNEL_NAMES, KernelName, kernel_number
from numbra.cuda.simulator.reduction import Reduce
from numbra.cuda.simulator.vector_types import vector_types as _vector_types

reduce = Reduce

_kernel_names = {name: KernelName(name) for name in KERNEL_NAMES}
_vector_names = {
    name: vector_type for vector_type in _vector_types.values() for name in (vector_type.name, *vector_type.aliases)
}
_given = {**_kernel_names, **_vector_names}
# A submodule has this name, too.
fp16 = _kernel_names["fp16"]

if config.ENABLE_CUDASIM:
    _HERE = "numbra.cuda.simulator"
    aliases.add(
        {
            f"numbra.cuda.{name}": f"{_HERE}.{name}"
            for name in ("api", "args", "bf16", "compiler", "cudadrv", "dispatcher", "memory_management")
        }
        | {"numbra.cuda.extending": "numbra.core.extending"}
    )


def __getattr__(name: str):
    if name in ("laneid", "warpsize"):
        return kernel_number(name)
    if name in _given:
        return _given[name]
    raise AttributeError(f"the CUDA simulator has no {name!r}", name=name)


__all__ = [
    *api.__all__,
    *_given,
    "LinkableCode",
    "Reduce",
    "auto_device",
    "current_context",
    "device_array",
    "device_array_like",
    "devicearray",
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "pinned",
    "pinned_array",
    "pinned_array_like",
    "reduce",
    "runtime",
    "to_device",
]
