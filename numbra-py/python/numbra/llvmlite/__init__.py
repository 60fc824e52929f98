"""llvmlite's names, for extensions that write code with them: `numbra.install_as_numba` has ``import llvmlite`` give
this. What is written is recorded as numbra's own low-level IR; LLVM is not needed."""

__version__ = "0.46.0"
version_info = (0, 46, 0)
