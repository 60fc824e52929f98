"""What the programs of this folder share: their options, their checks, and what they say."""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from numbra import cuda
from numbra.core import config

SIMULATED = bool(config.ENABLE_CUDASIM)
ON_CPU = getattr(config, "CUDA_TARGET", "gpu") == "cpu"


def options(description, size, simulated):
    """`--size N` (by default `size`, or `simulated` in the simulator) and `--pictures FOLDER`.

    Ends the program where there is no GPU and no simulator.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    default = simulated if SIMULATED else size
    parser.add_argument("--size", type=int, default=default, help=f"how large the problem is ({default})")
    parser.add_argument("--pictures", type=Path, help="folder that the program's pictures are written to")
    chosen = parser.parse_args()
    if chosen.size < 1:
        parser.error(f"--size is {chosen.size}; it must be at least 1")
    if not cuda.is_available():
        sys.exit("no GPU here; NUMBA_ENABLE_CUDASIM=1 runs this program in the simulator")
    if chosen.pictures:
        chosen.pictures.mkdir(parents=True, exist_ok=True)
    return chosen


def where():
    """What the kernels run on."""
    if SIMULATED:
        return "simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def blocks(count, threads):
    """So many blocks of `threads` threads have a thread for each of `count` elements."""
    return (count + threads - 1) // threads


def check(what, got, want, rtol=1e-7, atol=0.0):
    """Ends the program with an AssertionError where the two differ."""
    np.testing.assert_allclose(got, want, rtol=rtol, atol=atol, err_msg=what)
    print(f"{what}: equal to NumPy's")


def show_time(what, call, rounds=5):
    """Prints the least time of a call that waits for the device; in the simulator, whose times mean nothing, nothing.

    The first call, which may compile, is not timed.
    """
    if SIMULATED:
        return
    call()
    cuda.synchronize()
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        cuda.synchronize()
        best = min(best, time.perf_counter() - began)
    print(f"{what}: {1e3 * best:.3f} ms")
