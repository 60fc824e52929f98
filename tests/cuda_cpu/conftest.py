"""Tests of kernels on the CPU. `tests/py/cuda/test_cpu.py` runs them."""

import os

# Where kernels run is decided when the driver is loaded, so these tests have a process of their own.
if os.environ.get("NUMBRA_CUDA_TARGET") != "cpu":
    collect_ignore_glob = ["test_*.py"]
