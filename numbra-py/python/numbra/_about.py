"""What numbra and this machine are, and what diagnostic codes mean."""

import os
import sys

from numbra import _numbra
from numbra._compat import NUMBA_VERSION


def explain(code: str) -> None:
    """Prints the page about a diagnostic code: what it means, with an example, and what to do.

    Parameters
    ----------
    code
        As errors show it: ``error[T004]`` is ``"T004"``.

    Examples
    --------
    >>> import numbra
    >>> numbra.explain("T004")  # doctest: +ELLIPSIS
    # T004: global object without a type
    ...
    """
    print(_numbra._explain(code), end="")


def version() -> str:
    """numbra's version and that of Numba, whose behaviour it has."""
    return f"numbra {_numbra.__version__} (Numba {NUMBA_VERSION})"


def system_information() -> str:
    """What a report of a bug should say, as text."""
    lines = []
    for title, facts in (
        ("Versions", _versions()),
        ("Processor", _processor()),
        ("CUDA", _cuda()),
        ("Cache", _cache()),
        ("Environment", _environment()),
    ):
        lines.append(title)
        lines += [f"  {name:<24} {' '.join(str(value).splitlines())}" for name, value in facts]
    return "\n".join(lines)


def _versions():
    import platform

    import numpy

    _, cranelift, _ = _numbra._facts()
    yield "numbra", _numbra.__version__
    yield "as Numba", NUMBA_VERSION
    yield "Python", f"{platform.python_implementation()} {sys.version.split()[0]}, {sys.executable}"
    yield "NumPy", numpy.__version__
    yield "system", platform.platform()
    yield "numbra's place", os.path.dirname(__file__)
    yield "Cranelift", cranelift
    yield "LLVM", _llvm()


def _llvm() -> str:
    """The version that the library of the second code generator says, without loading it."""
    import mmap
    import re

    *_, library = _numbra._facts()
    try:
        with open(library or "", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as code:
            found = re.search(rb"LLVM version (\d+\.\d+\.\d+)", code)
            version = found[1].decode() if found else "version unknown"
    except (OSError, ValueError):
        return f"no library at {library}: all code is Cranelift's"
    return f"{version}, {library}"


def _processor():
    import platform

    from numbra.core import config

    level, *_ = _numbra._facts()
    name = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next((line.partition(": ")[2].strip() for line in file if line.startswith("model name")), name)
    except OSError:
        pass
    yield "name", name
    yield "level", level
    yield "count", f"{os.cpu_count()}, of which {_numbra._available_threads()} for this process"
    yield "threads of numbra", config.NUMBA_NUM_THREADS


def _cuda():
    from numbra.core import config
    from numbra.core.errors import NumbaError

    if config.ENABLE_CUDASIM:
        yield "simulator", "on"
        return
    from numbra import cuda
    from numbra.cuda.cudadrv.error import CudaDriverError, CudaSupportError

    try:
        if not cuda.is_available():
            yield "driver", cuda.cuda_error() or "none"
            return
        yield "driver", ".".join(map(str, cuda.cudadrv.driver.get_version()))
        for device in cuda.gpus:
            name = device.name.decode() if isinstance(device.name, bytes) else device.name
            yield f"device {device.id}", f"{name}, compute capability {'.'.join(map(str, device.compute_capability))}"
    except (CudaDriverError, CudaSupportError, NumbaError) as error:
        yield "error", str(error)


def _cache():
    from numbra.core import caching, config

    if config.CACHE_DIR:
        yield "NUMBA_CACHE_DIR", config.CACHE_DIR
    else:
        yield "beside the source", "__pycache__"
        yield "else", caching._user_cache_dir()


def _environment():
    from numbra.core import config

    words = {True: "", False: "  (no effect in numbra)", None: "  (not known to numbra)"}
    others = ("CUDA_HOME", "CUDA_PATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PYTHONPATH", "XDG_CACHE_HOME")
    for name, value in sorted(os.environ.items()):
        if name.startswith(("NUMBA_", "NUMBRA_")):
            yield name, value + words[config.effect(name)]
        elif name in others:
            yield name, value
