"""Settings from the environment, under Numba's names."""

import os


def _flag(name: str, default: int = 0) -> int:
    text = os.environ.get(f"NUMBA_{name}", "")
    try:
        return int(text) if text else default
    except ValueError:
        return default


DISABLE_JIT = _flag("DISABLE_JIT")
BOUNDSCHECK = _flag("BOUNDSCHECK") if "NUMBA_BOUNDSCHECK" in os.environ else None
DEBUGINFO_DEFAULT = _flag("DEBUGINFO")
DEBUG = _flag("DEBUG")
DEBUG_TYPEINFER = _flag("DEBUG_TYPEINFER", DEBUG)
DUMP_BYTECODE = _flag("DUMP_BYTECODE", DEBUG)
DUMP_CFG = _flag("DUMP_CFG", DEBUG)
DUMP_IR = _flag("DUMP_IR", DEBUG)
DUMP_SSA = _flag("DUMP_SSA", DEBUG)
DUMP_ANNOTATION = _flag("DUMP_ANNOTATION", DEBUG)
DUMP_LLVM = _flag("DUMP_LLVM", DEBUG)
DUMP_OPTIMIZED = _flag("DUMP_OPTIMIZED", DEBUG)
DUMP_ASSEMBLY = _flag("DUMP_ASSEMBLY", DEBUG)
NUMBA_NUM_THREADS = _flag("NUM_THREADS", len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
NUMBA_DEFAULT_NUM_THREADS = NUMBA_NUM_THREADS
FULL_TRACEBACKS = _flag("FULL_TRACEBACKS")
CACHE_DIR = os.environ.get("NUMBA_CACHE_DIR", "")
COLOR_SCHEME = os.environ.get("NUMBA_COLOR_SCHEME", "no_color")
USE_RVSDG_FRONTEND = 0
ENABLE_CUDASIM = _flag("ENABLE_CUDASIM")
CAPTURED_ERRORS = os.environ.get("NUMBA_CAPTURED_ERRORS", "new_style")
OPT = _flag("OPT", 3)
PYTHON_INTERPRETER_FULL_PATH = None
IS_32BITS = False


def reload_config() -> None:
    """Reads the environment again."""
    import importlib
    import sys

    importlib.reload(sys.modules[__name__])
