"""Kernels on the CPU: `tests/cuda_cpu`, in a process of its own."""

import os
import subprocess
import sys

import pytest
from folders import TESTS


def on_the_cpu(*command):
    """What a program prints where kernels run on the CPU."""
    environment = dict(os.environ, NUMBRA_CUDA_TARGET="cpu")
    for name in ("NUMBA_ENABLE_CUDASIM", "NUMBA_DISABLE_CUDA", "NUMBA_CUDA_DRIVER"):
        environment.pop(name, None)
    command = [sys.executable, *map(str, command)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    except subprocess.TimeoutExpired as hung:
        # Where it hangs, pytest has told after `faulthandler_timeout`.
        said = (hung.stdout or b"")[-2000:] + (hung.stderr or b"")[-4000:]
        pytest.fail(f"no end after {hung.timeout} s: {said.decode(errors='replace')}")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("file", sorted((TESTS / "cuda_cpu").glob("test_*.py")), ids=lambda file: file.stem)
def test_kernels_on_the_cpu(file):
    assert " passed" in on_the_cpu("-m", "pytest", "-v", "-p", "no:cacheprovider", file)


def test_values_of_the_device_library():
    """The comparison with CPython and NumPy that runs on a GPU, too."""
    assert ", 0 differ" in on_the_cpu(TESTS / "cuda" / "device_values.py")


def test_a_wrong_target_is_told():
    program = "from numbra.core import config; print(config.CUDA_TARGET)"
    environment = dict(os.environ, NUMBRA_CUDA_TARGET="tpu")
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "gpu"
    assert "NUMBRA_CUDA_TARGET" in done.stderr
    assert "gpu, cpu" in done.stderr
