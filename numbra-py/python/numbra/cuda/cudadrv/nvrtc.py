"""NVRTC, NVIDIA's compiler of CUDA C++, where it is installed. It needs no GPU."""

import ctypes
import functools
import threading

from numbra._named import names_of
from numbra.core import config
from numbra.cuda.cudadrv import libs
from numbra.cuda.cudadrv.error import NvrtcBuiltinOperationFailure, NvrtcCompilationError, NvrtcError, NvrtcSupportError

__getattr__ = names_of(__name__)

_COMPILATION, _BUILTIN_OPERATION_FAILURE = 6, 7

_lock = threading.Lock()


@functools.cache
def _library():
    """The library, loaded."""
    path = libs.get_cudalib("nvrtc")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise NvrtcSupportError(
            "NVRTC, which compiles CUDA C++, cannot be found; install the Python package nvidia-cuda-nvrtc or set "
            f"CUDA_HOME to a CUDA toolkit ({error})"
        ) from None
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    return library


def _check(code, call):
    if code == 0:
        return
    text = f"{call}: {_library().nvrtcGetErrorString(code).decode()}"
    if code == _BUILTIN_OPERATION_FAILURE:
        raise NvrtcBuiltinOperationFailure(text)
    raise NvrtcError(text)


def get_version() -> tuple:
    """Major and minor version of the library."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)), "nvrtcVersion")
    return major.value, minor.value


def get_supported_archs() -> list:
    """Compute capabilities that the library compiles for."""
    count = ctypes.c_int()
    _check(_library().nvrtcGetNumSupportedArchs(ctypes.byref(count)), "nvrtcGetNumSupportedArchs")
    archs = (ctypes.c_int * count.value)()
    _check(_library().nvrtcGetSupportedArchs(archs), "nvrtcGetSupportedArchs")
    return [divmod(arch, 10) for arch in archs]


class _Program:
    """One source text in the library."""

    def __init__(self, source, name):
        self._handle = ctypes.c_void_p()
        create = _library().nvrtcCreateProgram
        _check(create(ctypes.byref(self._handle), source.encode(), name.encode(), 0, None, None), "nvrtcCreateProgram")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        _library().nvrtcDestroyProgram(ctypes.byref(self._handle))

    def compile(self, options) -> int:
        """Compiles, and returns the library's code."""
        given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        return _library().nvrtcCompileProgram(self._handle, len(options), given)

    def text(self, what) -> str:
        """The log ("ProgramLog") or the code ("PTX")."""
        size = ctypes.c_size_t()
        _check(getattr(_library(), f"nvrtcGet{what}Size")(self._handle, ctypes.byref(size)), f"nvrtcGet{what}Size")
        buffer = ctypes.create_string_buffer(size.value)
        _check(getattr(_library(), f"nvrtcGet{what}")(self._handle, buffer), f"nvrtcGet{what}")
        return buffer.value.decode()


def compile(source, name, cc, options=()) -> tuple:
    """PTX of CUDA C++ source for a compute capability, and the compiler's log.

    Errors in the source are an ``NvrtcCompilationError`` with the log.
    """
    arch = "".join(map(str, cc))
    folders = [libs.get_cuda_include_dir(), *filter(None, config.CUDA_NVRTC_EXTRA_SEARCH_PATHS.split(":"))]
    includes = [f"-I{folder}" for folder in folders]
    with _lock, _Program(source, name) as program:
        code = program.compile([f"--gpu-architecture=compute_{arch}", "-rdc=true", *includes, *options])
        log = program.text("ProgramLog").strip()
        if code == _COMPILATION:
            raise NvrtcCompilationError(f"NVRTC Compilation failure whilst compiling {name}:\n\n{log}")
        _check(code, "nvrtcCompileProgram")
        return program.text("PTX"), log
