"""Libraries of a CUDA toolkit, for programs that need them. numbra itself needs none: it carries its own libdevice."""

import glob
import os
import sys

from numbra._named import names_of
from numbra.core import config

__getattr__ = names_of(__name__)

#: Where libraries stand below a toolkit, and below NVIDIA's Python packages.
_LIBRARY_FOLDERS = ("lib64", "lib", "nvvm/lib64", "lib/x86_64-linux-gnu")


def _toolkits():
    """Folders with a toolkit, the likeliest first."""
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(name):
            yield os.environ[name]
    for path in sys.path:
        yield from sorted(glob.glob(os.path.join(path, "nvidia", "*")), reverse=True)
    yield from ("/usr/local/cuda", "/opt/cuda", "/usr/lib/nvidia-cuda-toolkit", "/usr")


def get_libdevice():
    """Path of a toolkit's ``libdevice.10.bc``, or None."""
    for toolkit in _toolkits():
        for folder in ("nvvm/libdevice", "libdevice"):
            path = os.path.join(toolkit, folder, "libdevice.10.bc")
            if os.path.isfile(path):
                return path
    return None


def open_libdevice() -> bytes:
    """The bitcode of a toolkit's libdevice."""
    path = get_libdevice()
    if path is None:
        raise FileNotFoundError("no CUDA toolkit with libdevice.10.bc is installed; set CUDA_HOME to where one is")
    with open(path, "rb") as file:
        return file.read()


def get_cudalib(lib, static=False) -> str:
    """Path of a toolkit's library, ``cudart``; its bare file name where none is found."""
    name = f"lib{lib}.a" if static else f"lib{lib}.so"
    for toolkit in _toolkits():
        for folder in _LIBRARY_FOLDERS:
            found = sorted(glob.glob(os.path.join(toolkit, folder, name + ("" if static else "*"))))
            if found:
                return found[0]
    return name


def open_cudalib(lib):
    """A toolkit's library, loaded."""
    import ctypes

    return ctypes.CDLL(get_cudalib(lib))


def get_tool(name):
    """Path of a program of a toolkit, from PATH first; None where there is none."""
    import shutil

    return shutil.which(name) or next(
        (
            path
            for toolkit in _toolkits()
            if os.access(path := os.path.join(toolkit, "bin", name), os.X_OK) and os.path.isfile(path)
        ),
        None,
    )


def check_static_lib(path):
    """An error unless a file is there."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path} not found")


def get_cuda_include_dir() -> str:
    """The folder of a toolkit's headers, or what ``NUMBA_CUDA_INCLUDE_PATH`` says."""
    for toolkit in _toolkits():
        folder = os.path.join(toolkit, "include")
        if os.path.isfile(os.path.join(folder, "cuda.h")):
            return folder
    return config.CUDA_INCLUDE_PATH


def check_cuda_include_dir(path):
    """An error unless the folder has CUDA's headers."""
    if not os.path.isfile(os.path.join(path or "", "cuda_runtime.h")):
        raise FileNotFoundError(f"Unable to find CUDA include directory: {path}")


def test() -> bool:
    """Prints what libraries are found, and returns whether the driver is among them."""
    from numbra.cuda.cudadrv.driver import driver

    error = driver.initialization_error
    print("CUDA driver:", "found" if error is None else error.strip())
    print("libdevice of numbra: built in")
    for lib in ("nvvm", "nvrtc", "cudart"):
        path = get_cudalib(lib)
        print(f"{lib}:", path if os.path.isabs(path) else "not found (not needed)")
    return error is None
