"""Kernels that are kept between processes: hits, misses and their reasons, machine code, damage."""

import importlib.util
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from numbra import cuda
from numbra.core import config
from numbra.core.errors import NumbaWarning
from numbra.cuda.cudadrv import nvvm

pytestmark = [
    pytest.mark.skipif(not nvvm.is_available(), reason="the LLVM library is not installed"),
    pytest.mark.filterwarnings("ignore:Grid size"),
]

SOURCE = """
from numbra import cuda
import helper

Z = 1
TABLE = (1.0, 2.0)

def device(x):
    return helper.twice(x) + Z

device = cuda.jit(device=True)(device)

def make(n):
    @cuda.jit(cache=True)
    def closure(out):
        out[0] = n
    return closure

three, five = make(3), make(5)

@cuda.jit(cache=True)
def kernel(out, x):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = device(x[i]) + TABLE[1]
"""
HELPER = """
from numbra import cuda

FACTOR = 2

@cuda.jit(device=True)
def twice(x):
    return FACTOR * x
"""


class Modules:
    """A module with kernels and one that it imports, in files, imported anew as a new process would."""

    def __init__(self, folder):
        self.folder = folder
        self.write(SOURCE, HELPER)

    def write(self, source=None, helper=None):
        for name, text in ("fodder", source), ("helper", helper):
            if text is not None:
                (self.folder / f"{name}.py").write_text(textwrap.dedent(text))

    def load(self):
        made = {}
        for name in "helper", "fodder":
            spec = importlib.util.spec_from_file_location(name, self.folder / f"{name}.py")
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
            try:
                spec.loader.exec_module(module)
            finally:
                sys.dont_write_bytecode = before
            made[name] = module
        return made["fodder"]

    def files(self):
        cache = self.folder / "__pycache__"
        return {path.name: path.stat().st_mtime_ns for path in cache.iterdir()} if cache.exists() else {}


@pytest.fixture
def modules(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", "")
    yield Modules(tmp_path)
    for name in "helper", "fodder":
        sys.modules.pop(name, None)


def counts(kernel):
    stats = kernel.stats
    return sum(stats.cache_hits.values()), sum(stats.cache_misses.values())


def launch(kernel, dtype="f8"):
    x = cuda.to_device(np.ones(4, dtype))
    kernel[1, 4](x, x)


def test_hits_and_misses(modules):
    first = modules.load()
    assert first.kernel.stats.cache_path == str(modules.folder / "__pycache__")
    launch(first.kernel)
    assert counts(first.kernel) == (0, 1)
    assert len(modules.files()) == 2
    launch(first.kernel)
    launch(first.kernel, "i4")
    assert counts(first.kernel) == (0, 2)
    before = modules.files()
    assert len(before) == 3
    second = modules.load()
    launch(second.kernel)
    launch(second.kernel, "i4")
    assert counts(second.kernel) == (2, 0)
    assert modules.files() == before
    for types in first.kernel.signatures:
        ptx = first.kernel.overloads[types].inspect_asm()
        assert second.kernel.overloads[types].inspect_asm() == ptx
        assert second.kernel.overloads[types].code.name == first.kernel.overloads[types].code.name
    # Stages before the code are made when someone asks.
    assert "define" in second.kernel.inspect_llvm(second.kernel.signatures[0])
    assert "kernel" in second.kernel.inspect("typed")


def test_machine_code_is_kept(fake, modules):
    linked = fake.count("cuLinkComplete")
    first = modules.load()
    launch(first.kernel)
    assert fake.count("cuLinkComplete") == linked + 1
    second = modules.load()
    launch(second.kernel)
    assert counts(second.kernel) == (1, 0)
    assert fake.count("cuLinkComplete") == linked + 1
    (kept,) = second.kernel.overloads.values()
    assert kept.code.cubin.startswith(b"1://")
    assert not kept.code.wants_cubin
    # A driver that does not take it compiles the PTX.
    third = modules.load()
    fake.fail("cuModuleLoadDataEx", 209)
    loaded = fake.count("cuModuleLoadDataEx")
    launch(third.kernel)
    assert fake.count("cuModuleLoadDataEx") == loaded + 2
    assert counts(third.kernel) == (1, 0)


def test_code_that_no_driver_has_seen_is_kept_too(fake, modules):
    first = modules.load()
    array = cuda.to_device(np.ones(4))._numba_type_
    first.kernel.compile((array, array))
    assert counts(first.kernel) == (0, 1)
    linked = fake.count("cuLinkComplete")
    second = modules.load()
    launch(second.kernel)
    assert counts(second.kernel) == (1, 0)
    assert fake.count("cuLinkComplete") == linked + 1
    third = modules.load()
    launch(third.kernel)
    assert fake.count("cuLinkComplete") == linked + 1


CHANGES = {
    "body": ("out[i] = device", "out[i] = 1 + device", None, None),
    "global": ("Z = 1", "Z = 2", None, None),
    "tuple": ("TABLE = (1.0, 2.0)", "TABLE = (1.0, 3.0)", None, None),
    "device function": ("twice(x) + Z", "twice(x) - Z", None, None),
    "device function of another file": (None, None, "FACTOR * x", "FACTOR * x * x"),
    "global of another file": (None, None, "FACTOR = 2", "FACTOR = 3"),
    "fastmath": ("@cuda.jit(cache=True)\ndef kernel", "@cuda.jit(cache=True, fastmath=True)\ndef kernel", None, None),
    "debug": (
        "@cuda.jit(cache=True)\ndef kernel",
        "@cuda.jit(cache=True, debug=True, opt=False)\ndef kernel",
        None,
        None,
    ),
    "opt": ("@cuda.jit(cache=True)\ndef kernel", "@cuda.jit(cache=True, opt=False)\ndef kernel", None, None),
    "bounds": ("@cuda.jit(cache=True)\ndef kernel", "@cuda.jit(cache=True, launch_bounds=128)\ndef kernel", None, None),
    "registers": (
        "@cuda.jit(cache=True)\ndef kernel",
        "@cuda.jit(cache=True, max_registers=32)\ndef kernel",
        None,
        None,
    ),
    "lines": ("@cuda.jit(cache=True)\ndef kernel", "@cuda.jit(cache=True, lineinfo=True)\ndef kernel", None, None),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_a_miss(modules, change):
    launch(modules.load().kernel)
    old, new, old_helper, new_helper = CHANGES[change]
    if old:
        assert old in SOURCE
        modules.write(SOURCE.replace(old, new))
    if old_helper:
        assert old_helper in HELPER
        modules.write(helper=HELPER.replace(old_helper, new_helper))
    changed = modules.load()
    launch(changed.kernel)
    assert counts(changed.kernel) == (0, 1)
    # Both are kept.
    same = modules.load()
    launch(same.kernel)
    assert counts(same.kernel) == (1, 0)
    modules.write(SOURCE, HELPER)
    back = modules.load()
    launch(back.kernel)
    assert counts(back.kernel) == (1, 0)


def test_reasons(modules):
    launch(modules.load().kernel)
    modules.write(SOURCE.replace("Z = 1", "Z = 2"))
    changed = modules.load()
    launch(changed.kernel)
    (reason,) = changed.kernel.stats.reasons.values()
    assert "Z" in reason
    assert "has changed" in reason


def test_closures(modules):
    module = modules.load()
    out = cuda.to_device(np.zeros(1))
    for kernel in module.three, module.five:
        kernel[1, 1](out)
        assert counts(kernel) == (0, 1)
    assert len(modules.files()) == 3
    again = modules.load()
    for kernel in again.five, again.three:
        kernel[1, 1](out)
        assert counts(kernel) == (1, 0)
    assert again.three.inspect_asm() == module.three.inspect_asm() != module.five.inspect_asm()


def test_where_it_stands_matters_to_code_that_says_so(modules):
    debug = SOURCE.replace(
        "@cuda.jit(cache=True)\ndef kernel", "@cuda.jit(cache=True, debug=True, opt=False)\ndef kernel"
    )
    for source, expected in (SOURCE, (1, 0)), (debug, (0, 1)):
        modules.write(source)
        launch(modules.load().kernel)
        modules.write("\n\n" + source)
        moved = modules.load()
        launch(moved.kernel)
        assert counts(moved.kernel) == expected


def test_exceptions_come_back(modules):
    modules.write(
        """
        from numbra import cuda

        @cuda.jit(cache=True, debug=True, opt=False)
        def kernel(out, x):
            if x[0] > 0:
                raise ValueError("too much")
        """
    )
    first, second = modules.load(), modules.load()
    launch(first.kernel)
    launch(second.kernel)
    assert counts(second.kernel) == (1, 0)
    (one,), (two,) = first.kernel.overloads.values(), second.kernel.overloads.values()
    assert one.code.exceptions == two.code.exceptions
    assert any(raised[0] is ValueError and raised[1] == ["'too much'"] for raised in two.code.exceptions)


def test_signatures_and_specialisations(modules):
    modules.write(
        """
        from numbra import cuda

        @cuda.jit("void(float64[:], float64[:])", cache=True)
        def kernel(out, x):
            out[0] = x[0]

        @cuda.jit(cache=True)
        def lazy(out, x):
            out[0] = x[0]

        @cuda.jit("float64(float64)", device=True, cache=True)
        def function(x):
            return x + 1
        """
    )
    first, second = modules.load(), modules.load()
    assert (counts(first.kernel), counts(second.kernel)) == ((0, 1), (1, 0))
    assert (counts(first.function), counts(second.function)) == ((0, 1), (1, 0))
    launch(second.kernel)
    array = cuda.to_device(np.ones(4))
    for module, expected in (first, (0, 1)), (second, (1, 0)):
        assert counts(module.lazy.specialize(array, array)) == expected
        module.lazy.forall(4)(array, array)
        assert counts(module.lazy.specialize(array, array)) == expected


def test_recompile_replaces(modules):
    launch(modules.load().kernel)
    module = modules.load()
    launch(module.kernel)
    module.Z = 10
    module.kernel.recompile()
    assert counts(module.kernel) == (1, 1)
    modules.write(SOURCE.replace("Z = 1", "Z = 10"))
    again = modules.load()
    launch(again.kernel)
    assert counts(again.kernel) == (1, 0)


def test_damaged_files_are_misses(modules):
    launch(modules.load().kernel)
    for name in modules.files():
        path = modules.folder / "__pycache__" / name
        whole = path.read_bytes()
        for damaged in whole[:50], whole[:100] + b"x" + whole[101:], b"":
            path.write_bytes(damaged)
            module = modules.load()
            launch(module.kernel)
            assert counts(module.kernel) == (0, 1), name
            assert path.read_bytes() == whole or not path.exists() or name.endswith("nbi")


def test_a_directory_that_cannot_be_used_is_one_warning(modules, monkeypatch):
    (modules.folder / "__pycache__").write_text("no directory")
    monkeypatch.setenv("XDG_CACHE_HOME", str(modules.folder / "__pycache__"))
    with pytest.warns(NumbaWarning) as warned:
        module = modules.load()
        launch(module.kernel)
    assert len([w for w in warned if "cached" in str(w.message)]) == 1
    assert counts(module.kernel) == (0, 0)


def test_cpu_and_gpu_share_no_code(modules):
    modules.write(
        """
        from numbra import cuda, njit

        def assign(out, x):
            out[0] = x[0]

        cpu, gpu = njit(cache=True)(assign), cuda.jit(cache=True)(assign)
        """
    )
    for expected in (0, 1), (1, 0):
        module = modules.load()
        launch(module.gpu)
        module.cpu(np.ones(4), np.ones(4))
        assert (counts(module.cpu), counts(module.gpu)) == (expected, expected)
    assert len(modules.files()) == 3


def test_code_from_elsewhere_is_not_kept():
    code = cuda.PTXSource("// helper", name="helper.ptx")
    with pytest.raises(RuntimeError, match="Cannot pickle CUDACodeLibrary with linking files"):

        @cuda.jit("void()", cache=True, link=[code])
        def kernel():
            pass


RUN = """
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import numpy as np
from numbra import cuda
import fodder
x = cuda.to_device(np.ones(4))
fodder.kernel[1, 4](x, x)
stats = fodder.kernel.stats
with open("/proc/self/maps") as maps:
    llvm = "libnumbra_llvm" in maps.read()
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), llvm)
"""


def run(modules, count=1, **settings):
    """What so many processes at once print."""
    command = [sys.executable, "-W", "ignore", "-c", RUN, str(modules.folder)]
    environment = os.environ | {"NUMBA_CACHE_DIR": ""} | settings
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    printed = []
    for process in started:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        printed.append(out.strip())
    return printed


def test_a_hit_does_without_llvm(modules):
    assert run(modules) == ["0 1 True"]
    assert run(modules) == ["1 0 False"]


def test_other_devices_need_other_code(modules):
    assert run(modules) == ["0 1 True"]
    assert run(modules, FAKE_CUDA_CC="8.0") == ["0 1 True"]
    assert run(modules, FAKE_CUDA_CC="8.0") == ["1 0 False"]
    assert run(modules) == ["1 0 False"]


def test_many_processes_at_once(modules):
    for printed in run(modules, count=4):
        assert printed in ("0 1 True", "1 0 False")
    assert run(modules, count=2) == ["1 0 False"] * 2
    assert not [name for name in modules.files() if name.endswith(".tmp")]
