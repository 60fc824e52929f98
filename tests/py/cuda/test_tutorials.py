"""The checklist of the tutorials that numbra follows: what is compiled only or runs in the simulator, a test a row.

A test is named by its row in section 8 of `../shared/reference/cuda-features.md`. `tests/cuda/seed_rows.py` has those
that need a GPU, and those of its rows that the simulator can run are run here too.
"""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numbra as nb
import numpy as np
import pytest
from assembler import registers
from folders import ROOT
from numbra import cuda, types
from numbra.core import config
from numbra.core.errors import CompilerError, TypingError, UnsupportedError
from numbra.types import boolean, float32, float64, int32, int64

ARCHITECTURES = (75, 80, 90)


def device_type(function, *args):
    """The type that a function of devices returns."""
    return cuda.compile(function, args)[1]


def instructions(kernel, *args, **options):
    """The lines of a kernel's PTX that are instructions."""
    ptx, _ = cuda.compile_ptx(kernel, args, cc=(8, 0), **options)
    return [line.strip() for line in ptx.splitlines() if line.startswith("\t") and line.rstrip().endswith(";")]


def count(lines, pattern):
    return sum(bool(re.match(pattern, line)) for line in lines)


def taken(kernel, args, folder, sm, *options):
    """The registers that the assembler gives a kernel."""
    return registers(folder, cuda.compile_ptx(kernel, args, cc=(sm // 10, sm % 10))[0], sm, *options)[0]


def test_8_007_addition_of_two_widths():
    def add(a, b):
        c = a + b
        return c

    assert device_type(add, float32, float64) == float64


def either(cond, a, b):
    if cond:
        r = a
    else:
        r = b
    return r


def test_8_019_branches_of_one_type():
    assert device_type(either, boolean, float32, float32) == float32


def test_8_020_branches_of_two_widths():
    assert device_type(either, boolean, float32, float64) == float64


def test_8_021_a_tuple_and_a_number():
    with pytest.raises(TypingError, match="annot unify"):
        cuda.compile(either, (boolean, types.UniTuple(int32, 2), float32))


def test_8_022_an_array_and_a_number():
    def kernel(x):
        if x.size > 3:
            x = 10
        else:
            x[0] = 1
        x = x

    with pytest.raises(TypingError) as raised:
        cuda.compile_ptx(kernel, (int64[::1],))
    text = str(raised.value)
    assert "Failed in cuda mode pipeline (step: nopython frontend)" in text
    assert re.search(r"Cannot unify .* and .* for 'x\.\d'", text)
    assert "array(int64, 1d, C)" in text and "Literal[int](10)" in text


def test_8_023_two_indices_for_one_dimension():
    def kernel(x):
        x[0] = 10.0
        x[0, 0] = 2.0

    with pytest.raises(TypingError) as raised:
        cuda.compile_ptx(kernel, (int64[::1],))
    text = str(raised.value)
    assert "No implementation of function Function(<built-in function setitem>) found for signature" in text
    assert "setitem(array(int64, 1d, C), UniTuple(Literal[int](0) x 2), float64)" in text


def prune(a, b, cond):
    if cond is None:
        return a
    else:
        return b


def test_8_026_a_branch_on_none():
    assert device_type(prune, int64, types.UniTuple(int64, 2), types.none) == int64


def test_8_027_the_same_without_none():
    with pytest.raises(TypingError, match="nify"):
        cuda.compile(prune, (int64, types.UniTuple(int64, 2), boolean))


def test_8_028_a_float_and_an_integer():
    assert device_type(either, boolean, float32, int32) == float64


def test_8_029_a_conversion():
    def narrow(cond, a, b):
        if cond:
            r = a
        else:
            r = float32(b)
        return r

    assert device_type(narrow, boolean, float32, int32) == float32


def test_8_030_integers_start_big():
    def places(x):
        return cuda.grid(1)

    def loop(n):
        total = int32(0)
        for i in range(3):
            total = i
        return total

    assert device_type(lambda a, b: a + b, int32, int32) == int64
    assert device_type(lambda x: x.shape[0], float32[::1]) == int64
    assert device_type(places, int32) == int64
    assert device_type(loop, int32) == int64


@pytest.mark.parametrize("body", ["open('f')", "x.tolist()", "np.linalg.svd(x)", "{1: x[0]}[1]", "input()"])
def test_8_037_what_gpus_do_not_have_is_an_error(body):
    space = {"np": np}
    exec(f"def kernel(x):\n    {body}\n    x[0] = 1\n", space)
    with pytest.raises((TypingError, UnsupportedError)) as raised:
        cuda.compile_ptx(space["kernel"], (float64[::1],))
    assert "line 2" in str(raised.value) or ":2" in str(raised.value)


def test_8_058_syntax_that_kernels_do_not_have():
    def listing(x):
        x[0] = [2 * v for v in x][x[1]]

    def opening(x):
        with open("f"):
            x[0] = 1

    def yielding(x):
        yield x[0]

    for function in (listing, opening, yielding):
        with pytest.raises((CompilerError, TypingError, UnsupportedError, TypeError)) as raised:
            cuda.compile_ptx(function, (int64[::1],))
        assert len(str(raised.value)) > 20, function


def test_8_058_exceptions_are_caught_in_the_kernel_that_raises_them():
    """More than numba-cuda has: there it is an AttributeError of the compiler."""

    def kernel(x):
        try:
            if x[3]:
                raise ValueError
            x[0] = 7
        except Exception:
            x[0] = 2

    assert count(instructions(kernel, int64[::1]), r"selp\.b64 .* (7, 2|2, 7)") == 1


@cuda.jit(device=True)
def pair(x, y):
    return x * y, x + y


def test_8_060_small_functions_are_inlined():
    def kernel(x):
        a, b = pair(x[0], x[1])
        x[2] = a / b

    lines = instructions(kernel, float32[::1])
    assert not count(lines, "call") and not count(lines, r"(st|ld)\.local")


def test_8_076_kernels_return_nothing():
    def add(a, b):
        c = a + b
        return c

    assert device_type(add, float32, float32) == float32
    with pytest.raises(TypeError, match=r"CUDA kernel must have void return type\."):
        cuda.compile_ptx(add, "float32(float32, float32)")


def test_8_080_a_barrier():
    def kernel(x):
        x[cuda.threadIdx.x] = 1
        cuda.syncthreads()
        x[cuda.threadIdx.x + 1] = 2

    assert count(instructions(kernel, float32[::1]), r"(bar|barrier)\.sync\s+0") == 1


def test_8_085_options_of_compile_ptx():
    def kernel(x):
        x[0] = math.sqrt(x[1])

    ptx, result = cuda.compile_ptx(kernel, (float32[::1],))
    assert result == types.none and ".target sm_75" in ptx and ".entry" in ptx and ".loc" not in ptx
    ptx, _ = cuda.compile_ptx(kernel, (float32[::1],), cc=(9, 0))
    assert ".target sm_90" in ptx
    ptx, _ = cuda.compile_ptx(kernel, (float32[::1],), fastmath=True)
    assert "sqrt.approx.ftz.f32" in ptx
    ptx, result = cuda.compile_ptx(lambda x: x + 1, (int32,), device=True, opt=False)
    assert result == int64 and ".entry" not in ptx


def assign_constant(x):
    x[0] = 2.0


def add_constant(x):
    x[0] += 2.0


def add_constant_2(x, y):
    x[0] += y[0] + 2.0


def add_narrow_constant(x, y):
    x[0] += y[0] + float32(2.0)


def test_8_130_a_constant_is_stored_as_single():
    lines = instructions(assign_constant, float32[::1])
    assert not count(lines, r".*f64") and count(lines, r"st\.global\.\w*32") == 1
    assert any("1073741824" in line or "0f40000000" in line for line in lines)


def test_8_131_a_sum_that_is_stored_is_narrowed():
    lines = instructions(add_constant, float32[::1])
    assert count(lines, r"add(\.rn)?\.f32 .*0f40000000") == 1 and not count(lines, r".*f64")


def test_8_132_a_longer_sum_is_double():
    lines = instructions(add_constant_2, float32[::1], float32[::1])
    assert count(lines, r"cvt\.f64\.f32") == 2 and count(lines, r"add(\.rn)?\.f64") == 2
    assert count(lines, r"cvt\.rn\.f32\.f64") == 1
    assert any("0d4000000000000000" in line for line in lines)


def test_8_133_a_constant_of_single_precision():
    lines = instructions(add_narrow_constant, float32[::1], float32[::1])
    assert count(lines, r"add(\.rn)?\.f32") == 2 and not count(lines, r".*f64")


@pytest.mark.parametrize("sm", ARCHITECTURES)
def test_8_134_widening_takes_registers(sm, tmp_path):
    args = float32[::1], float32[::1]
    wide, narrow = (taken(f, args, tmp_path, sm) for f in (add_constant_2, add_narrow_constant))
    assert wide > narrow
    if sm == 75:
        assert (wide, narrow) == (8, 6)


def mixed(x, y):
    a = y[0]
    b = 2.0
    c = y[1] / 6
    d = y[2] % 8
    e = y[3] * y[4]
    for _ in range(a):
        a += 2
        b -= c
        e *= d
        x[0] += a * b + c * d - e


@pytest.mark.parametrize("sm", ARCHITECTURES)
def test_8_135_registers_of_integers_and_floats(sm, tmp_path):
    """36 in the tutorial, 30 to 32 as numba-cuda compiles it today."""
    assert taken(mixed, (int64[::1], int64[::1]), tmp_path, sm) <= 32


@pytest.mark.parametrize("limit", [24, 20])
def test_8_136_a_limit_of_registers(limit, tmp_path):
    """A limit that cannot be kept is no error."""
    assert taken(mixed, (int64[::1], int64[::1]), tmp_path, 75, f"-maxrregcount={limit}") <= 24


def index_computation(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        for j in range(3):
            x[i, j] = (i * 2) + (j * 3)


def index_computation_32(x):
    i = cuda.grid(1)
    if i < int32(x.shape[0]):
        for j in range(int32(3)):
            x[i, j] = int32(int32(int32(i) * int32(2)) + int32(int32(j) * int32(3)))


@pytest.mark.parametrize("sm", ARCHITECTURES)
@pytest.mark.parametrize("kernel", [index_computation, index_computation_32])
def test_8_138_registers_of_indices(kernel, sm, tmp_path):
    """12 and 14 in the tutorial."""
    assert taken(kernel, (int32[:, ::1],), tmp_path, sm) <= (14 if sm == 75 else 12)


def test_8_139_types_are_shown(capsys):
    kernel = cuda.jit("void(float32[::1], float32[::1])")(add_constant_2)
    kernel.inspect_types()
    out = capsys.readouterr().out
    first = out.splitlines()[0]
    assert "add_constant_2" in first and " (Array(float32, 1, 'C'" in first
    assert ":: float64" in out and "x[0] += y[0] + 2.0" in out


def test_8_140_llvm_is_dumped(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "from numbra import cuda\n"
        "@cuda.jit('void(float32[::1])')\n"
        "def kernel_of_the_dump(x):\n"
        "    x[0] = 2.0\n"
        "kernel_of_the_dump.inspect_llvm()\n"
    )
    env = {**os.environ, "NUMBA_DUMP_LLVM": "1"}
    ran = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stderr
    assert "LLVM DUMP" in ran.stdout and "kernel_of_the_dump" in ran.stdout and "define" in ran.stdout


def test_8_156_fast_functions():
    def kernel(x):
        y = x[0]
        y = math.cos(y)
        y = math.sqrt(y)
        x[0] = y * 1.2

    fast = instructions(kernel, float32[::1], fastmath=True, lineinfo=True)
    assert count(fast, r"cos\.approx(\.ftz)?\.f32") == 1 and count(fast, r"sqrt\.approx(\.ftz)?\.f32") == 1
    assert count(fast, r"mul(\.rn)?\.f64 .*0d3FF3333333333333") == 1
    exact = instructions(kernel, float32[::1], lineinfo=True)
    assert not count(exact, r"cos\.approx") and not count(exact, r"sqrt\.approx")


class Interval:
    """Known to Python only."""

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi


def test_8_170_a_class_that_is_not_known():
    def kernel(r, x):
        r[0] = Interval(x[0], x[1]).lo

    text = r"Untyped global name 'Interval'.*annot determine Numba type of <class 'type'>"
    with pytest.raises(TypingError, match=text):
        cuda.compile_ptx(kernel, (float32[::1], float32[::1]))


# --- The simulator.


def in_simulator(code, expected=0, stdin=None):
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, input=stdin)
    assert ran.returncode == expected, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


RECIPROCAL = """
import numpy as np
from numbra import cuda
@cuda.jit
def reciprocal(x):
    i = cuda.grid(1)
    BODY
    if i > x.shape[0]:
        return
    x[i] = 1 / x[i]
reciprocal[1, 32](np.ones(10))
"""


def test_8_158_the_simulator_checks_indices():
    text = in_simulator(RECIPROCAL.replace("BODY", "pass"), expected=1)
    assert "IndexError: tid=[10, 0, 0] ctaid=[0, 0, 0]: index 10 is out of bounds for axis 0 with size 10" in text


def test_8_159_pdb_in_a_kernel():
    code = RECIPROCAL.replace("BODY", "if i == 10: import pdb; pdb.set_trace()")
    commands = "p i\np type(x).__name__\nw\np __import__('threading').current_thread().__class__.__name__\nq\n"
    text = in_simulator(code, expected=1, stdin=commands)
    assert "(Pdb) 10" in text and "FakeWithinKernelCUDAArray" in text
    assert "'BlockThread'" in text and "kernel.py" in text and "reciprocal" in text


def test_8_160_limits_of_the_simulator():
    out = in_simulator(
        """
from numbra import cuda
for call in (lambda: cuda.select_device(1), lambda: cuda.external_stream(1), lambda: cuda.jit(link=["a.ptx"])(print)):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, error)
print(len(cuda.gpus))
"""
    )
    lines = out.splitlines()
    assert lines[0].startswith("ValueError") and lines[1].startswith("RuntimeError External streams are unsupported")
    assert lines[2].startswith("NotImplementedError Cannot link PTX in the simulator") and lines[3] == "1"


def test_functions_of_the_cpu_are_the_same():
    """Rows that hold on both: what a function returns has one type, wherever it runs."""
    for args in [(boolean, float32, float32), (boolean, float32, int32)]:
        compiled = nb.njit(either)
        compiled.compile(args)
        assert compiled.overloads[args].signature.return_type == device_type(either, *args)


def test_rows_that_the_simulator_runs():
    """The checks of `tests/cuda/seed_rows.py` that need no device."""
    program = str(ROOT / "tests" / "cuda" / "seed_rows.py")
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    passed = [line.split()[1] for line in ran.stdout.splitlines() if line.startswith("pass")]
    assert len(passed) >= 30, ran.stdout
    wrong = subprocess.run([sys.executable, program, "--only", "8.999"], capture_output=True, text=True, env=env)
    assert wrong.returncode == 2 and "no such rows: 8.999" in wrong.stderr


@pytest.mark.skipif(not hasattr(config, "CUDA_TARGET"), reason="kernels do not run on the processor yet")
def test_rows_that_the_processor_runs():
    """The checks that need compiled kernels and no GPU."""
    program = str(ROOT / "tests" / "cuda" / "seed_rows.py")
    env = {**os.environ, "NUMBRA_CUDA_TARGET": "cpu", "NUMBA_ENABLE_CUDASIM": "0"}
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert sum(line.startswith("pass") for line in ran.stdout.splitlines()) >= 55, ran.stdout


def test_every_row_has_its_place():
    """A row of the checklist is run, or held by another test, or said to have none."""
    code = "import seed_rows as s\nprint(*[row.number for row in s.ROWS])\nprint(*s.ELSEWHERE)\nprint(*s.WITHOUT)\n"
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    folder = ROOT / "tests" / "cuda"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    run, elsewhere, without = (line.split() for line in ran.stdout.splitlines())
    assert len(run) == len(set(run)) and not set(without) & {*run, *elsewhere}
    checklist = ROOT.parent / "shared" / "reference" / "cuda-features.md"
    if checklist.exists():
        numbers = re.findall(r"^\| (8\.\d+) \|", checklist.read_text(), re.MULTILINE)
        assert sorted({*run, *elsewhere, *without}) == sorted(numbers)
    tests = Path(__file__).read_text() + (ROOT / "tests/py/package/test_tutorials.py").read_text()
    other = {"8.009", "8.012", "8.013", "8.014", "8.031", "8.034"}
    for number in elsewhere:
        assert f"def test_{number.replace('.', '_')}_" in tests or number in other or number >= "8.164"
