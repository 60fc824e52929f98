"""Errors of the CUDA driver and of compiling for it."""


class CudaDriverError(Exception):
    """The driver cannot do what was asked."""


class CudaAPIError(CudaDriverError):
    """A call of the driver failed: ``[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY``."""

    def __init__(self, code: int, msg: str):
        self.code = code
        self.msg = msg
        super().__init__(code, msg)

    def __str__(self):
        return f"[{self.code}] {self.msg}"


class CudaRuntimeError(Exception):
    """The CUDA runtime cannot do what was asked."""


class CudaSupportError(ImportError):
    """CUDA cannot be used here; the message says why."""


class DeadMemoryError(RuntimeError):
    """Memory was used after it had been freed."""


class LinkerError(RuntimeError):
    """Device code could not be linked or loaded; the message has the linker's log."""


class _LinesError(Exception):
    def __str__(self):
        return "\n".join(str(line) for line in self.args)


class NvvmError(_LinesError):
    """The compiler of LLVM IR failed."""


class NvvmSupportError(ImportError):
    """The compiler of LLVM IR cannot be used here."""


class NvvmWarning(Warning):
    """What the compiler of LLVM IR warns of."""


class NvrtcError(_LinesError):
    """The compiler of CUDA C++ failed."""


class NvrtcCompilationError(NvrtcError):
    """CUDA C++ source has errors."""


class NvrtcBuiltinOperationFailure(NvrtcError):
    """The compiler of CUDA C++ failed at one of its own operations."""


class NvrtcSupportError(ImportError):
    """The compiler of CUDA C++ cannot be used here."""


class CCSupportError(RuntimeError):
    """The compute capability is not supported."""
