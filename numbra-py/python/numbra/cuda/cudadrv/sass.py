"""Machine code of kernels as text, by the toolkit's ``nvdisasm``."""

import os
import subprocess
import tempfile

from numbra.cuda.cudadrv.libs import get_tool

_MISSING = (
    "nvdisasm was not found or could not be executed. It is part of a CUDA toolkit: put it on PATH, set CUDA_HOME, or "
    "install the package nvidia-cuda-nvdisasm"
)


def disassemble(cubin, *options):
    """What ``nvdisasm`` prints of a cubin.

    Raises ``RuntimeError`` without the program, or with what it says where it fails.
    """
    program = get_tool("nvdisasm")
    if program is None:
        raise RuntimeError(_MISSING)
    with tempfile.TemporaryDirectory(prefix="numbra-sass-") as folder:
        path = os.path.join(folder, "kernel.cubin")
        with open(path, "wb") as file:
            file.write(cubin)
        try:
            ran = subprocess.run([program, *options, path], capture_output=True, text=True, check=False)
        except OSError as error:
            raise RuntimeError(f"{_MISSING}: {error}") from error
    if ran.returncode != 0:
        raise RuntimeError(f"nvdisasm failed: {ran.stderr.strip()}")
    return ran.stdout
