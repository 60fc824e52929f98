"""Settings from the environment, under Numba's names: ``NUMBA_X`` gives ``config.X``.

A setting that has no use in numbra keeps Numba's default, for programs that read it (`NO_EFFECT`). numbra's own are
called ``NUMBRA_X`` (`OWN`). What is called like one and is none gives a warning, once.

All values are checked here: one that makes no sense gives a warning, as with Numba, and the default. The compiler and
the runtime, which know nothing of Python, are told (`_tell`), or read what they want for themselves and take such
values as not given.
"""

import os
import sys

IS_WIN32 = sys.platform.startswith("win32")
IS_OSX = sys.platform.startswith("darwin")
MACHINE_BITS = 64 if sys.maxsize > 2**32 else 32
IS_32BITS = MACHINE_BITS == 32
PYVERSION = sys.version_info[:2]


def _cpus() -> int:
    """The processors that affinity and cgroups leave us, as the runtime counts them."""
    from numbra import _numbra

    return _numbra._available_threads()


# Whole numbers.
_INTEGERS = {
    "DEVELOPER_MODE": 0,
    "DISABLE_PERFORMANCE_WARNINGS": 0,
    "FULL_TRACEBACKS": "DEVELOPER_MODE",
    "SHOW_HELP": 0,
    "ALWAYS_WARN_UNINIT_VAR": 0,
    "DEBUG": 0,
    "DEBUG_JIT": "DEBUG",
    "DEBUG_FRONTEND": "DEBUG",
    "DEBUG_NRT": 0,
    "DEBUG_NRT_STACK_LIMIT": 0,
    "NRT_STATS": 0,
    "FUNCTION_CACHE_SIZE": 128,
    "PARFOR_MAX_TUPLE_SIZE": 100,
    "DEBUG_CACHE": "DEBUG",
    "TRACE": 0,
    "DEBUG_TYPEINFER": "DEBUG",
    "DISABLE_TYPEINFER_FAIL_CACHE": 0,
    "HIGHLIGHT_DUMPS": 0,
    "DUMP_BYTECODE": "DEBUG_FRONTEND",
    "DUMP_CFG": "DEBUG_FRONTEND",
    "DUMP_IR": "DEBUG_FRONTEND",
    "DUMP_SSA": "DEBUG_FRONTEND",
    "DEBUG_ARRAY_OPT": 0,
    "DEBUG_ARRAY_OPT_RUNTIME": 0,
    "DEBUG_ARRAY_OPT_STATS": 0,
    "PARALLEL_DIAGNOSTICS": 0,
    "DEBUG_INLINE_CLOSURE": 0,
    "DUMP_LLVM": "DEBUG",
    "DUMP_FUNC_OPT": "DEBUG",
    "DUMP_OPTIMIZED": "DEBUG",
    "DUMP_ASSEMBLY": "DEBUG",
    "DUMP_ANNOTATION": "DEBUG",
    # numbra's own, also as NUMBRA_DUMP_LIR and so on.
    "DUMP_PARALLEL": 0,
    "DUMP_LIR": 0,
    "DUMP_LIR_OPT": 0,
    "DUMP_CLIF": 0,
    "DUMP_PTX": 0,
    "DUMP_REMARKS": 0,
    "LOOP_VECTORIZE": 1,
    "SLP_VECTORIZE": 0,
    "ANNOTATE": "DUMP_ANNOTATION",
    "DIFF_IR": 0,
    "DISABLE_JIT": 0,
    "OPT": 3,
    "NUMBA_DEFAULT_NUM_THREADS": None,
    "NUMBA_NUM_THREADS": None,
    "ENABLE_SYS_MONITORING": 0,
    "ENABLE_PROFILING": 0,
    "DEBUGINFO_DEFAULT": 0,
    "EXTEND_VARIABLE_LIFETIMES": 0,
    "LLVM_REFPRUNE_PASS": 1,
    "LLVM_PASS_TIMINGS": 0,
    "JIT_COVERAGE": 0,
    "DISABLE_INTEL_SVML": 0,
    "ENABLE_CUDASIM": 0,
    "DISABLE_CUDA": 0,
    "CUDA_LOW_OCCUPANCY_WARNINGS": 1,
    "CUDA_WARN_ON_IMPLICIT_COPY": 1,
    "CUDA_USE_NVIDIA_BINDING": 0,
    "CUDA_LOG_API_ARGS": 0,
    "CUDA_DEALLOCS_COUNT": 10,
    "CUDA_ARRAY_INTERFACE_SYNC": 1,
    "CUDA_LOG_SIZE": 1024,
    "CUDA_VERBOSE_JIT_LOG": 1,
    "CUDA_PER_THREAD_DEFAULT_STREAM": 0,
    "CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY": 0,
    "CUDA_DEBUGINFO_DEFAULT": 0,
    "CUDA_DEBUG_POLY": 0,
    "CUDA_DEBUG_POLY_USE_TYPED_CONST": 0,
    "CUDA_ENABLE_NRT": 0,
    "CUDA_NRT_STATS": 0,
}
_TEXTS = {
    "COLOR_SCHEME": "no_color",
    "CACHE_DIR": "",
    "CACHE_LOCATOR_CLASSES": "",
    "CHROME_TRACE": "",
    "DEBUG_PRINT_AFTER": "none",
    "DEBUG_PRINT_BEFORE": "none",
    "DEBUG_PRINT_WRAP": "none",
    "THREADING_LAYER": "default",
    "CPU_NAME": None,
    "CPU_FEATURES": None,
    "HTML": None,
    "GDB_BINARY": "gdb",
    "LLVM_REFPRUNE_FLAGS": "all",
    "CUDA_MEMORY_MANAGER": "default",
    "CUDA_LOG_LEVEL": "",
    "CUDA_DRIVER": "",
    "CUDA_INCLUDE_PATH": "/usr/local/cuda/include",
    "CUDA_NVRTC_EXTRA_SEARCH_PATHS": "",
}
_CONSTANTS = {
    "THREADING_LAYER_PRIORITY": ["tbb", "omp", "workqueue"],
    "ENABLE_AVX": True,
    "USING_SVML": False,
    "RUNNING_UNDER_PROFILER": False,
    "USE_LLVMLITE_MEMORY_MANAGER": None,
    "USE_RVSDG_FRONTEND": 0,
    "CAPTURED_ERRORS": "new_style",
}

#: Settings whose variable is not called like them.
_VARIABLES = {
    "ANNOTATE": "DUMP_ANNOTATION",
    "CUDA_DEALLOCS_COUNT": "CUDA_MAX_PENDING_DEALLOCS_COUNT",
    "CUDA_DEALLOCS_RATIO": "CUDA_MAX_PENDING_DEALLOCS_RATIO",
    "CUDA_DEBUGINFO_DEFAULT": "CUDA_DEBUGINFO",
    "DEBUGINFO_DEFAULT": "DEBUGINFO",
    "HTML": "DUMP_HTML",
}
_OTHERS = ("BOUNDSCHECK", "CUDA_DEALLOCS_RATIO", "CUDA_DEFAULT_PTX_CC", "FORCE_CUDA_CC")
#: Variables of Numba that are no settings: its own tests', and how it prints its errors.
_NO_SETTINGS = ("CUDA_TEST_BIN_DIR", "CUDA_TEST_WHEEL_ONLY", "DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "USE_TYPEGUARD")

#: numbra's own variables, without ``NUMBRA_``. It takes all whole numbers above under its own name, too.
OWN = {
    "CACHE_SALT": "any text: keeps caches apart",
    "CUDA_TARGET": "gpu, or cpu: kernels run on the processor",
    "GDB": "1: compiled code is known to gdb",
    "LLVM_LIBRARY": "another library of the second code generator",
    "LLVM_PART": "instructions in a part of a large function that LLVM optimises at once",
    "MATH": "whose bits mathematical functions give",
    "PERF_MAP": "1: compiled code is known to perf",
    "PROMOTE_AFTER": "the call before which LLVM's code is ready; else time decides",
    "TIER": "cranelift, llvm, or auto, which is Cranelift at once and LLVM for what is hot",
    "VERIFY": "1: every stage is verified",
}
#: Those of numbra's tests.
_TESTS = ("BLESS", "CACHE_", "FAKE_DRIVER", "FUZZ_", "LAB", "PTXAS", "PY", "SHIM_", "TEST_")

#: Numba's settings that change nothing in numbra.
_SILENT = """
    ALWAYS_WARN_UNINIT_VAR ANNOTATE CAPTURED_ERRORS CHROME_TRACE COLOR_SCHEME CPU_FEATURES CUDA_DEBUG_POLY
    CUDA_DEBUG_POLY_USE_TYPED_CONST CUDA_ENABLE_NRT CUDA_NRT_STATS CUDA_USE_NVIDIA_BINDING CUDA_VERBOSE_JIT_LOG
    DEBUG_ARRAY_OPT DEBUG_ARRAY_OPT_RUNTIME DEBUG_ARRAY_OPT_STATS DEBUG_INLINE_CLOSURE DEBUG_JIT DEBUG_NRT
    DEBUG_NRT_STACK_LIMIT DEBUG_PRINT_AFTER DEBUG_PRINT_BEFORE DEBUG_PRINT_WRAP DEVELOPER_MODE DIFF_IR
    DISABLE_INTEL_SVML DISABLE_TYPEINFER_FAIL_CACHE DUMP_FUNC_OPT ENABLE_AVX ENABLE_PROFILING ENABLE_SYS_MONITORING
    EXTEND_VARIABLE_LIFETIMES FULL_TRACEBACKS FUNCTION_CACHE_SIZE GDB_BINARY HIGHLIGHT_DUMPS HTML JIT_COVERAGE
    LLVM_PASS_TIMINGS LLVM_REFPRUNE_FLAGS LLVM_REFPRUNE_PASS LOOP_VECTORIZE NRT_STATS NUMBA_DEFAULT_NUM_THREADS
    PARALLEL_DIAGNOSTICS PARFOR_MAX_TUPLE_SIZE RUNNING_UNDER_PROFILER SHOW_HELP USE_LLVMLITE_MEMORY_MANAGER
    USE_RVSDG_FRONTEND USING_SVML
"""
NO_EFFECT = frozenset(_SILENT.split())


def _plain(name: str) -> str:
    """The variable of a setting, without ``NUMBA_``."""
    return _VARIABLES.get(name, name).removeprefix("NUMBA_")


def effect(variable: str) -> bool | None:
    """Whether numbra takes notice of a variable ``NUMBA_..`` or ``NUMBRA_..``; None if there is none so called."""
    prefix, _, plain = variable.partition("_")
    if plain in (OWN if prefix == "NUMBRA" else _NO_SETTINGS):
        return prefix == "NUMBRA"
    settings = _INTEGERS if prefix == "NUMBRA" else (*_INTEGERS, *_TEXTS, *_CONSTANTS, *_OTHERS)
    known = [name not in NO_EFFECT for name in settings if _plain(name) == plain]
    return any(known) if known else None


#: Variables that have been named in a warning.
_named = set()


def _warn_of_unknown() -> None:
    given = [v for v in os.environ if v.startswith(("NUMBRA_", "NUMBA_")) and v not in _named and effect(v) is None]
    unknown = [v for v in given if not v.startswith(tuple(f"NUMBRA_{test}" for test in _TESTS))]
    if not unknown:
        return
    import difflib
    import warnings

    _named.update(unknown)
    known = [f"NUMBRA_{name}" for name in OWN] + [f"NUMBA_{_plain(name)}" for name in (*_INTEGERS, *_TEXTS)]
    near = {match: None for v in unknown for match in difflib.get_close_matches(v, known, 1, 0.8)}
    like = f"; there are {', '.join(near)}" if near else ""
    warnings.warn(f"numbra does not know the environment's {', '.join(unknown)}{like}", RuntimeWarning, stacklevel=3)


def _unparsable(variable: str, text: str, why: str) -> None:
    import warnings

    warnings.warn(
        f"Environment variable '{variable}' is defined but its associated value '{text}' "
        f"could not be parsed.\nThe parse failed with exception: {why}",
        RuntimeWarning,
        stacklevel=4,
    )


def _compute_capability(variable: str, default):
    """Major and minor of a compute capability, and the suffix where there is one: ``9.0a`` is ``(9, 0, "a")``."""
    import re

    text = os.environ.get(variable, "")
    if not text:
        return default
    parts = re.fullmatch(r"(\d+)\.(\d+)([af]?)", text)
    if parts is None:
        _unparsable(variable, text, "not a compute capability such as 8.0 or 9.0a")
        return default
    major, minor, suffix = parts.groups()
    return (int(major), int(minor), suffix) if suffix else (int(major), int(minor))


def _number(variable: str, default: float) -> float:
    text = os.environ.get(variable, "")
    try:
        return float(text) if text else default
    except ValueError:
        _unparsable(variable, text, "not a number")
        return default


def _one_of(variable: str, known: tuple[str, ...]) -> str:
    text = os.environ.get(variable, "").lower() or known[0]
    if text in known:
        return text
    _unparsable(variable, text, f"not one of {', '.join(known)}")
    return known[0]


def _integer(name: str, default: int) -> int:
    if name == "NUMBA_DEFAULT_NUM_THREADS":
        return default
    plain = _plain(name)
    given = [v for v in (f"NUMBA_{plain}", f"NUMBRA_{plain}") if os.environ.get(v)]
    if not given:
        return default
    text = os.environ[given[0]]
    if name == "OPT" and text not in ("0", "1", "2", "3", "max"):
        _unparsable(given[0], text, "not one of 0, 1, 2, 3, max")
        return default
    if name == "OPT" and text == "max":
        return default
    try:
        return int(text)
    except ValueError:
        _unparsable(given[0], text, "not a whole number")
        return default


def _positive(variable: str) -> int | None:
    text = os.environ.get(variable, "")
    if not text:
        return None
    if text.strip().isdecimal() and 0 < int(text) < 2**63:
        return int(text)
    _unparsable(variable, text, "not a whole number from 1 on")
    return None


def _read() -> dict[str, object]:
    from numbra import _numbra

    values: dict = {}
    for name, default in _INTEGERS.items():
        if isinstance(default, str):
            default = values[default]
        elif default is None:
            default = _cpus()
        values[name] = _integer(name, default)
    for name, text in _TEXTS.items():
        values[name] = os.environ.get(f"NUMBA_{_plain(name)}", text)
    values.update(_CONSTANTS)
    values["FORCE_CUDA_CC"] = _compute_capability("NUMBA_FORCE_CUDA_CC", None)
    values["CUDA_DEFAULT_PTX_CC"] = _compute_capability("NUMBA_CUDA_DEFAULT_PTX_CC", (5, 0))
    values["CUDA_DEALLOCS_RATIO"] = _number("NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO", 0.2)
    # As the CUDA bindings for Python call it.
    if os.environ.get("CUDA_PYTHON_CUDA_PER_THREAD_DEFAULT_STREAM") == "1":
        values["CUDA_PER_THREAD_DEFAULT_STREAM"] = 1
    priority = os.environ.get("NUMBA_THREADING_LAYER_PRIORITY", "").split()
    if priority:
        values["THREADING_LAYER_PRIORITY"] = priority
    # numbra's own: who generates machine code: "cranelift", "llvm", or "auto", which is Cranelift
    # at first and LLVM for what is hot.
    values["TIER"] = os.environ.get("NUMBRA_TIER") or "auto"
    # numbra's own: where kernels run: "gpu", or "cpu", where the processor takes the place of a GPU.
    values["CUDA_TARGET"] = _one_of("NUMBRA_CUDA_TARGET", ("gpu", "cpu"))
    # numbra's own: whose bits mathematical functions give; None leaves it to numbra.
    values["MATH"] = os.environ.get("NUMBRA_MATH") or None
    given = os.environ.get("NUMBA_BOUNDSCHECK", "")
    values["BOUNDSCHECK"] = _integer("BOUNDSCHECK", 0) if given else None
    # numbra's own: after how many calls LLVM's code is there; None where time decides.
    values["PROMOTE_AFTER"] = _positive("NUMBRA_PROMOTE_AFTER")
    # Read by the compiler.
    for variable in ("NUMBRA_VERIFY", "NUMBRA_GDB", "NUMBRA_PERF_MAP"):
        _one_of(variable, ("0", "1"))
    if os.environ.get("NUMBA_CPU_NAME"):
        _one_of("NUMBA_CPU_NAME", _numbra.CPU_NAMES)
    if values["NUMBA_NUM_THREADS"] < 1:
        raise ValueError("Number of threads specified must be > 0.")
    return values


def _tell(values: dict[str, object]) -> None:
    """Gives the compiler and the runtime what they do not read for themselves."""
    from numbra import _numbra

    _numbra._set_max_threads(values["NUMBA_NUM_THREADS"])
    _numbra._set_promote_after(values["PROMOTE_AFTER"] or 0)


def reload_config() -> None:
    """Reads the environment again."""
    from numbra import _numbra

    values = _read()
    now, wanted = globals().get("NUMBA_NUM_THREADS"), values["NUMBA_NUM_THREADS"]
    if now is not None and now != wanted and _numbra._threads_started():
        raise RuntimeError(
            "Cannot set NUMBA_NUM_THREADS to a different value once the threads have been launched "
            f"(currently have {wanted}, trying to set {now})"
        )
    _tell(values)
    globals().update(values)
    _warn_of_unknown()


reload_config()
