"""The names of ``numbra.cuda`` where kernels are compiled."""

from numbra._named import names_of
from numbra.cuda import stubs as _stubs
from numbra.cuda.compiler import (  # noqa: F401
    compile,
    compile_all,
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
)
from numbra.cuda.decorators import declare_device, jit  # noqa: F401
from numbra.cuda.stubs import *  # noqa: F403

#: Names of the compiler.
_COMPILER = [
    "compile",
    "compile_all",
    "compile_for_current_device",
    "compile_ptx",
    "compile_ptx_for_current_device",
    "declare_device",
    "jit",
]

# --- The host's side. Its modules are loaded when a name is first used: compiling needs neither them nor NumPy.

_API = (
    "as_cuda_array",
    "close",
    "cuda_error",
    "current_context",
    "default_stream",
    "defer_cleanup",
    "detect",
    "device_array",
    "device_array_like",
    "event",
    "event_elapsed_time",
    "external_stream",
    "from_cuda_array_interface",
    "from_dlpack",
    "get_current_device",
    "gpus",
    "is_available",
    "is_bfloat16_supported",
    "is_cuda_array",
    "is_float16_supported",
    "is_fp8_supported",
    "is_supported_version",
    "legacy_default_stream",
    "list_devices",
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "open_ipc_array",
    "per_thread_default_stream",
    "pinned",
    "pinned_array",
    "pinned_array_like",
    "profile_start",
    "profile_stop",
    "profiling",
    "require_context",
    "select_device",
    "stream",
    "synchronize",
    "to_device",
)

_DRIVER = (
    "BaseCUDAMemoryManager",
    "GetIpcHandleMixin",
    "HostOnlyCUDAMemoryManager",
    "IpcHandle",
    "ManagedMemory",
    "MappedMemory",
    "MemoryInfo",
    "MemoryPointer",
    "PinnedMemory",
    "set_memory_manager",
)

_LINKABLE = ("Archive", "CUSource", "Cubin", "Fatbin", "LTOIR", "LinkableCode", "Object", "PTXSource")

#: Names of the host's side, each with its module.
HOST = {
    **dict.fromkeys(_API, "numbra.cuda.api"),
    **dict.fromkeys(_DRIVER, "numbra.cuda.cudadrv.driver"),
    **dict.fromkeys(_LINKABLE, "numbra.cuda.cudadrv.linkable_code"),
    **dict.fromkeys(("In", "InOut", "Out"), "numbra.cuda.args"),
    "CudaSupportError": "numbra.cuda.cudadrv.error",
    "runtime": "numbra.cuda.cudadrv.runtime",
}

#: Modules of the host's side that are names of ``numbra.cuda`` too.
_MODULES = ("devicearray", "devices", "driver", "nvvm")


def __getattr__(name: str):
    """A name of the host's side."""
    from importlib import import_module

    if name in HOST:
        value = getattr(import_module(HOST[name]), name)
    elif name in _MODULES:
        value = import_module(f"numbra.cuda.cudadrv.{name}")
    else:
        return names_of(__name__)(name)
    globals()[name] = value
    return value


__all__ = [*_COMPILER, *_stubs.__all__]
