"""Every row of the device library is compiled for every GPU, in processes of their own, which LLVM may end.

Here by turns for the oldest and the newest architecture; ``NUMBRA_TEST_EVERY_SM=1`` takes each row for all of them.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import cuda_rows
from numbra import types
from numbra.cuda import libdevicefuncs
from numbra.cuda.compiler import SUPPORTED_CC

PROGRAM = Path(cuda_rows.__file__)
EVERY = os.environ.get("NUMBRA_TEST_EVERY_SM", "0") != "0"
ARCHITECTURES = SUPPORTED_CC if EVERY else (SUPPORTED_CC[0], SUPPORTED_CC[-1])


STEP = 1 if EVERY else len(ARCHITECTURES)


def outcomes(cc):
    """``(row, outcome)`` of an architecture; a row that ends the process fails, and the next process goes on."""
    found = []
    first = ARCHITECTURES.index(cc) % STEP
    while True:
        command = [sys.executable, str(PROGRAM), f"sm_{cc[0]}{cc[1]}", str(first), str(STEP)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=900)
        lines = ran.stdout.splitlines()
        heads = [line for line in lines if line.startswith("ROW ")]
        found += [(head, tail) for head, tail in pairwise(lines) if head.startswith("ROW ")]
        if lines[-1:] == ["END"]:
            return found
        assert heads, ran.stderr[-2000:]
        if lines[-1] == heads[-1]:
            found.append((heads[-1], f"DIED {ran.returncode} {ran.stderr[-300:]}"))
        first = int(heads[-1].split()[1]) + STEP


def test_every_row_compiles_for_every_gpu():
    with ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, len(ARCHITECTURES))) as pool:
        by_architecture = dict(zip(ARCHITECTURES, pool.map(outcomes, ARCHITECTURES), strict=True))
    failures = []
    for cc, found in by_architecture.items():
        kinds = [outcome.split()[0] for _, outcome in found]
        assert kinds.count("OK") > 2900 // STEP, (cc, len(found))
        failures += [(cc, *row) for row, kind in zip(found, kinds, strict=True) if kind in ("BAD", "DIED")]
    assert not failures, "\n".join(map(str, failures))


def test_a_row_that_does_not_compile_is_found():
    broken = ("x", "r[0] = cuda.no_such_function(x[0])", "r, x", (types.int32[::1], types.int32[::1]), True)
    assert cuda_rows.compile_row(broken, (8, 0)).startswith("BAD")
    allocates = ("x", "r[:] = np.sort(x)", "r, x", (types.int32[::1], types.int32[::1]), True)
    assert cuda_rows.compile_row(allocates, (8, 0)).startswith("BAD")
    fits = ("x", "return libdevice.fast_tanhf(a)", "a", (types.float32,), True)
    assert cuda_rows.compile_row(fits, (7, 5)) == "OK"


def test_every_name_of_the_device_library_has_a_row():
    named = {name for name, *_ in cuda_rows.intrinsics()}
    named |= {f"atomic.{name}" for name, *_ in cuda_rows.atomics()}
    groups = {"atomic"}
    assert not cuda_rows.named_by_stubs() - named - groups
    assert len(libdevicefuncs.functions) >= 319
    assert len({name for name, *_ in cuda_rows.library()}) > 150
