"""The CUDA simulator: the host's functions, and that it stands in for Numba's."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stdout

import pytest
from numbra.cuda import simulator as cuda
from numbra.cuda.simulator.kernelapi import Dim3

# What numba-cuda 0.30.4 draws in `test_random_numbers`.
EXPECTED_RANDOM = """\
[14695309941410475702, 1376791727990878211, 17999934623766769044] 23dd1d3f745ee73ec07bba3e \
8a46d6734260a0bf340acaae7438e13fbed5ffa407cdf03f
"""


def in_simulator(code):
    """What a program prints that runs with the simulator switched on."""
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


class TestHost:
    def test_lines_of_threads_are_not_mixed(self):
        @cuda.jit
        def kernel():
            for _ in range(3):
                print("line", cuda.grid(1), "end")
            print("rest", end=" ")

        text = io.StringIO()
        with redirect_stdout(text):
            kernel[2, 40]()
        assert sys.stdout is not text
        lines = [f"line {i} end" for i in range(80) for _ in range(3)]
        rest = text.getvalue()
        for line in lines:
            assert line in rest
            rest = rest.replace(line, "", 1)
        assert rest.split() == ["rest"] * 80

    def test_the_device(self, capsys):
        assert cuda.detect() is True
        assert "SIMULATOR" in capsys.readouterr().out
        assert len(cuda.list_devices()) == len(cuda.gpus) == 1
        assert str(cuda.gpus[0]) == "<Managed Device 0>"
        assert cuda.get_current_device().compute_capability == (5, 2)
        with cuda.gpus[0]:
            assert cuda.current_context().id == 0
        cuda.close()
        assert cuda.gpus.current is None
        assert cuda.select_device(0) is cuda.gpus[0]
        assert cuda.gpus.current is cuda.gpus[0]
        with pytest.raises(ValueError, match="one device, number 0"):
            cuda.select_device(1)

    def test_streams_and_events(self):
        stream, begin, end = cuda.stream(), cuda.event(), cuda.event()
        with stream.auto_synchronize():
            begin.record(stream)
            end.record(stream)
        end.synchronize()
        assert cuda.event_elapsed_time(begin, end) == -1

    def test_dim3(self):
        assert (str(Dim3(1, 2, 3)), repr(Dim3(1, 2, 3)), list(Dim3(1, 2, 3))) == (
            "(1, 2, 3)",
            "Dim3(1, 2, 3)",
            [1, 2, 3],
        )


class TestStandingIn:
    def test_names_and_modules(self):
        out = in_simulator(
            """
import sys
import numbra
numbra.install_as_numba()
from numba import cuda
import numba.cuda.simulator
assert cuda.is_available() and cuda.cuda_error() is None
from numba.cuda import grid, float32, types, config, jit, HAS_NUMBA
from numba.cuda.core.errors import TypingError
import numba.cuda.cudadrv.devicearray as devicearray
import numba.core.errors, numba.cuda.compiler
assert cuda.types is types and cuda.float32 is types.float32 and config.ENABLE_CUDASIM
assert TypingError is numba.core.errors.TypingError
assert devicearray is cuda.simulator.cudadrv.devicearray is cuda.cudadrv.devicearray
assert isinstance(cuda.to_device([1, 2]), devicearray.FakeCUDAArray)
try:
    cuda.compile_ptx(lambda: None, ())
except RuntimeError as error:
    print(error)
assert not {"cuda", "llvmlite"} & {name.partition(".")[0] for name in sys.modules}
"""
        )
        assert out == "compile_ptx is not supported in the simulator, which compiles nothing\n"

    def test_random_numbers(self):
        out = in_simulator(
            """
import numpy as np
from numbra import cuda
from numbra.cuda.random import *
from numbra.cuda.random import create_xoroshiro128p_states, xoroshiro128p_normal_float64
from numbra.cuda.random import xoroshiro128p_next, xoroshiro128p_uniform_float32
states = create_xoroshiro128p_states(3, seed=0xfedcba9876543210, subsequence_start=2)

@cuda.jit
def kernel(states, bits, single, normal):
    i = cuda.grid(1)
    bits[i] = xoroshiro128p_next(states, i)
    single[i] = xoroshiro128p_uniform_float32(states, i)
    normal[i] = xoroshiro128p_normal_float64(states, i)

bits, single, normal = np.zeros(3, np.uint64), np.zeros(3, np.float32), np.zeros(3)
kernel[1, 3](states, bits, single, normal)
print(bits.tolist(), single.tobytes().hex(), normal.tobytes().hex())
"""
        )
        assert out == EXPECTED_RANDOM

    def test_pdb_in_a_kernel(self):
        code = """
import numpy as np
from numbra import cuda
@cuda.jit
def kernel(x):
    i = cuda.grid(1)
    if i == 3:
        breakpoint()
    x[i] = i
kernel[1, 8](np.zeros(8))
print("done")
"""
        environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
        commands = "p i\np type(x).__name__\nbt\nc\n"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, input=commands, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
        assert "(Pdb) 3\n" in done.stdout
        assert "'FakeWithinKernelCUDAArray'" in done.stdout
        assert "kernel.py" in done.stdout
        assert done.stdout.endswith("done\n")
