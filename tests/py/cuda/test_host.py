"""The host side of `numbra.cuda` without a GPU: no driver, one that fails, and one that is memory of the host.

A process loads one driver, so each test has processes of its own; `tests/cuda` is what runs on the driver of the tests.
"""

import os
import subprocess
import sys

import pytest
from folders import TESTS

CUDA = TESTS / "cuda"


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """The driver of the tests, compiled."""
    library = tmp_path_factory.mktemp("driver") / "libcuda.so.1"
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(CUDA / "fake_driver.c"), "-lpthread"]
    subprocess.run(command, check=True)
    return library


def printed(code, **settings):
    """What a program prints, with settings in its environment."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {name: str(value) for name, value in settings.items()},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("file", sorted(path.name for path in CUDA.glob("test_*.py")))
def test_on_the_fake_driver(driver, file):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(CUDA / file)],
        env=os.environ | {"NUMBA_CUDA_DRIVER": str(driver), "NUMBRA_FAKE_DRIVER": str(driver)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


NO_DRIVER = """
from numbra import cuda
print(cuda.is_available())
print(repr(cuda.cuda_error()))
for use in cuda.current_context, cuda.detect, lambda: cuda.to_device([1]), lambda: len(cuda.gpus):
    try:
        use()
    except cuda.CudaSupportError as error:
        print(isinstance(error, ImportError), str(error).splitlines()[:2])
"""


def test_no_driver(tmp_path):
    lines = printed(NO_DRIVER, NUMBA_CUDA_DRIVER=tmp_path / "libcuda.so.1").splitlines()
    assert lines[0] == "False"
    assert "CUDA driver library cannot be found." in lines[1]
    assert lines[2:] == ["True ['Error at driver init: ', 'CUDA driver library cannot be found.']"] * 4


def test_a_driver_that_cannot_be_loaded(tmp_path):
    (tmp_path / "libcuda.so.1").write_text("not a library")
    lines = printed(NO_DRIVER, NUMBA_CUDA_DRIVER=tmp_path / "libcuda.so.1").splitlines()
    assert "Possible CUDA driver libraries are found but error occurred during load" in lines[1]


def test_a_library_that_is_no_driver():
    import ctypes.util

    lines = printed(NO_DRIVER, NUMBA_CUDA_DRIVER=ctypes.util.find_library("m")).splitlines()
    assert "Call to cuInit results in CUDA_ERROR_NOT_SUPPORTED (801)" in lines[1]


def test_a_driver_that_fails(driver):
    lines = printed(NO_DRIVER, NUMBA_CUDA_DRIVER=driver, FAKE_CUDA_INIT=999).splitlines()
    assert lines[:2] == ["False", "'Call to cuInit results in CUDA_ERROR_UNKNOWN (999)'"]
    assert lines[2].startswith("True ['Error at driver init: Call to cuInit results in CUDA_ERROR_UNKNOWN (999)'")


def test_no_devices(driver):
    lines = printed(NO_DRIVER, NUMBA_CUDA_DRIVER=driver, FAKE_CUDA_DEVICES=0).splitlines()
    assert lines[:2] == ["False", "'Call to cuInit results in CUDA_ERROR_NO_DEVICE (100)'"]


def test_the_setting_against_cuda(driver):
    lines = printed(NO_DRIVER, NUMBA_CUDA_DRIVER=driver, NUMBA_DISABLE_CUDA=1).splitlines()
    assert lines[0] == "False"
    assert "CUDA is disabled due to setting NUMBA_DISABLE_CUDA=1 in the environment" in lines[1]


def test_importing_touches_no_driver(driver):
    code = """
from numbra import cuda
from numbra._numbra import _cuda
import sys
print(_cuda.is_loaded(), "numpy" in sys.modules)
cuda.is_available()
print(_cuda.is_loaded())
"""
    assert printed(code, NUMBA_CUDA_DRIVER=driver).split() == ["False", "False", "True"]


def test_forks(driver):
    code = """
import os
from numbra import cuda
pid = os.fork()
if pid == 0:
    cuda.device_array(3)
    os._exit(7)
before = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
cuda.device_array(3)
pid = os.fork()
if pid == 0:
    try:
        cuda.device_array(3)
    except cuda.driver.CudaDriverError as error:
        os._exit(8 if str(error) == "CUDA initialized before forking" else 9)
print(before, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    assert printed(code, NUMBA_CUDA_DRIVER=driver).split() == ["7", "8"]


def test_several_devices(driver):
    code = """
import threading
import numpy as np
from numbra import cuda
print(len(cuda.gpus), [gpu.id for gpu in cuda.gpus])
with cuda.gpus[1]:
    there = cuda.to_device(np.arange(3))
    print(cuda.get_current_device().id)
    with cuda.gpus[0]:
        print(cuda.gpus.current.id)
    print(cuda.gpus.current.id)
print(cuda.gpus.current)
cuda.select_device(1)
print(cuda.current_context().device.id, cuda.current_context().can_access_peer(0))
ids = []
thread = threading.Thread(target=lambda: ids.append(cuda.current_context().device.id))
thread.start()
thread.join()
print(ids)
@cuda.require_context
def switch():
    cuda.select_device(0)
try:
    switch()
except RuntimeError as error:
    print(error)
"""
    lines = printed(code, NUMBA_CUDA_DRIVER=driver, FAKE_CUDA_DEVICES=2).splitlines()
    assert lines == ["2 [0, 1]", "1", "0", "1", "None", "1 True", "[0]", "Cannot switch CUDA-context."]


def test_little_memory(driver):
    code = """
import numpy as np
from numbra import cuda
kept = []
try:
    while True:
        kept.append(cuda.device_array(1000, np.uint8))
except cuda.driver.CudaAPIError as error:
    print(len(kept), error)
kept.pop()
for _ in range(100):
    cuda.device_array(1000, np.uint8)
print(len(kept))
"""
    lines = printed(code, NUMBA_CUDA_DRIVER=driver, FAKE_CUDA_MEMORY=10000).splitlines()
    assert lines == ["10 [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY", "9"]


PLUGIN = """
import ctypes
from numbra import cuda
from numbra.cuda import GetIpcHandleMixin, HostOnlyCUDAMemoryManager, MemoryPointer


class Manager(GetIpcHandleMixin, HostOnlyCUDAMemoryManager):
    version = 1
    calls = []

    def memalloc(self, size):
        pointer = cuda.driver.driver.cuMemAlloc(size)
        self.allocations[pointer] = size
        self.calls.append(("alloc", size))

        def finalizer():
            self.calls.append(("free", self.allocations.pop(pointer)))
            cuda.driver.driver.cuMemFree(pointer)

        return MemoryPointer(self.context, ctypes.c_uint64(pointer), size, finalizer=finalizer)

    def initialize(self):
        if "initialize" not in self.calls:
            self.calls.append("initialize")

    def get_memory_info(self):
        raise NotImplementedError

    @property
    def interface_version(self):
        return self.version


_numba_memory_manager = Manager
"""


def test_memory_managers_of_others(driver, tmp_path):
    (tmp_path / "manager_of_the_test.py").write_text(PLUGIN)
    code = """
import gc
import os
import numpy as np
import manager_of_the_test as plugin
from numbra import cuda
if not os.environ.get("NUMBA_CUDA_MEMORY_MANAGER"):
    cuda.set_memory_manager(plugin.Manager)
device = cuda.to_device(np.arange(10, dtype=np.uint8))
part = device[2:5]
print(plugin.Manager.calls[0], plugin.Manager.calls[-1])
del device
gc.collect()
print(part.copy_to_host().tolist(), plugin.Manager.calls[-1])
del part
gc.collect()
print(plugin.Manager.calls[-1])
mapped = cuda.mapped_array(3)
print(type(cuda.current_context().memory_manager).__name__, mapped.size)
handle = cuda.to_device(np.arange(3)).get_ipc_handle()
print(type(handle).__name__)
with cuda.defer_cleanup():
    pass
try:
    cuda.current_context().get_memory_info()
except NotImplementedError:
    print("not implemented")
plugin.Manager.version = 2
try:
    cuda.set_memory_manager(plugin.Manager)
except RuntimeError as error:
    print(error)
try:
    cuda.BaseCUDAMemoryManager()
except TypeError as error:
    print("abstract")
"""
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    expected = [
        "initialize ('alloc', 10)",
        "[2, 3, 4] ('alloc', 10)",
        "('free', 10)",
        "Manager 3",
        "IpcArrayHandle",
        "not implemented",
        "EMM Plugin interface has version 2 - version 1 required",
        "abstract",
    ]
    assert printed(code, NUMBA_CUDA_DRIVER=driver, PYTHONPATH=path).splitlines() == expected
    named = {"NUMBA_CUDA_MEMORY_MANAGER": "manager_of_the_test"}
    assert printed(code, NUMBA_CUDA_DRIVER=driver, PYTHONPATH=path, **named).splitlines() == expected


def test_a_memory_manager_that_is_not_there(driver):
    code = """
from numbra import cuda
try:
    cuda.current_context()
except RuntimeError as error:
    print(error)
"""
    text = printed(code, NUMBA_CUDA_DRIVER=driver, NUMBA_CUDA_MEMORY_MANAGER="no_such_module")
    assert text == "Failed to use memory manager from no_such_module\n"


def test_default_streams_of_threads(driver):
    code = """
import ctypes
import os
import numpy as np
from numbra import cuda
fake = ctypes.CDLL(os.environ["NUMBA_CUDA_DRIVER"])
cuda.default_stream().synchronize()
device = cuda.to_device(np.arange(3), stream=cuda.default_stream())
device.bind().copy_to_host()
print(fake.fake_count(b"cuStreamSynchronize_ptsz"), fake.fake_count(b"cuMemcpyDtoH_ptds"))
print(device.__cuda_array_interface__["stream"])
"""
    assert printed(code, NUMBA_CUDA_DRIVER=driver).split() == ["0", "0", "1"]
    own = printed(code, NUMBA_CUDA_DRIVER=driver, NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM=1)
    assert own.split() == ["1", "1", "2"]
    # As the CUDA bindings for Python call the setting.
    own = printed(code, NUMBA_CUDA_DRIVER=driver, CUDA_PYTHON_CUDA_PER_THREAD_DEFAULT_STREAM=1)
    assert own.split() == ["1", "1", "2"]


def test_settings_of_the_queue(driver):
    code = """
from numbra import cuda
from numbra.core import config
print(config.CUDA_DEALLOCS_COUNT, config.CUDA_DEALLOCS_RATIO)
for _ in range(3):
    cuda.device_array(10)
print(len(cuda.current_context().memory_manager.deallocations))
"""
    settings = {"NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT": 2, "NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO": 0.5}
    assert printed(code, NUMBA_CUDA_DRIVER=driver, **settings).split() == ["2", "0.5", "0"]
    assert printed(code, NUMBA_CUDA_DRIVER=driver).split() == ["10", "0.2", "3"]


def test_settings_of_compute_capabilities():
    code = "from numbra.core import config; print(config.FORCE_CUDA_CC, config.CUDA_DEFAULT_PTX_CC)"
    assert printed(code) == "None (5, 0)\n"
    settings = {"NUMBA_FORCE_CUDA_CC": "9.0a", "NUMBA_CUDA_DEFAULT_PTX_CC": "8.0"}
    assert printed(code, **settings) == "(9, 0, 'a') (8, 0)\n"
    warned = "import warnings; warnings.simplefilter('ignore'); " + code
    assert printed(warned, NUMBA_FORCE_CUDA_CC="nine") == "None (5, 0)\n"


def test_calls_are_logged(driver):
    code = "from numbra import cuda; cuda.driver.driver.cuDeviceGet(0); cuda.device_array(5)"
    settings = {"NUMBA_CUDA_LOG_LEVEL": "debug", "NUMBA_CUDA_LOG_API_ARGS": "1", "NUMBA_CUDA_DRIVER": str(driver)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | settings, capture_output=True, text=True, timeout=120
    )
    assert "== CUDA [" in done.stderr
    assert "DEBUG -- call driver api: cuDeviceGet(0)" in done.stderr
    assert "DEBUG -- call driver api: cuMemAlloc(40)" in done.stderr


KERNELS_OF_DEVICES = """
import warnings
import numpy as np
from numbra import cuda

warnings.simplefilter("ignore")

@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2

arrays = []
for gpu in cuda.gpus:
    with gpu:
        arrays.append(cuda.to_device(np.arange(4.0)))
for _ in range(3):
    for gpu, array in zip(cuda.gpus, arrays):
        with gpu:
            double[1, 32](array)
(kernel,) = double.overloads.values()
print(len(kernel._loaded), len({one.function.handle for one in kernel._loaded.values()}))
for loaded in kernel._loaded.values():
    print([line.split()[1] for line in loaded.code.ptx.splitlines() if line.startswith(".target")])
with cuda.gpus[0]:
    context = cuda.gpus[1].get_primary_context()
    stream, event = context.create_stream(), context.create_event()
    memory = context.memalloc(1000)
    print(cuda.get_current_device().id, context.get_memory_info().free < cuda.current_context().get_memory_info().free)
with cuda.gpus[1]:
    event.record(stream)
cuda.gpus[1].reset()
with cuda.gpus[0]:
    double[1, 32](arrays[0])
    print(arrays[0].copy_to_host().size)
with cuda.gpus[1]:
    for use in lambda: double[1, 32](arrays[1]), stream.synchronize, lambda: event.record():
        try:
            use()
        except (cuda.driver.DeadMemoryError, cuda.driver.CudaAPIError) as error:
            print(type(error).__name__)
    double[1, 32](cuda.to_device(np.arange(4.0)))
"""


def test_kernels_of_several_devices(driver):
    settings = {"NUMBA_CUDA_DRIVER": driver, "FAKE_CUDA_DEVICES": 2, "FAKE_CUDA_CC": "9.0,8.0"}
    lines = printed(KERNELS_OF_DEVICES, **settings).splitlines()
    assert lines[:3] == ["2 2", "['sm_90']", "['sm_80']"]
    assert lines[3:5] == ["0 True", "4"]
    assert lines[5:] == ["DeadMemoryError", "CudaAPIError", "CudaAPIError"]


def test_one_capability_is_one_compilation(driver):
    lines = printed(KERNELS_OF_DEVICES, NUMBA_CUDA_DRIVER=driver, FAKE_CUDA_DEVICES=2).splitlines()
    assert lines[:3] == ["2 2", "['sm_90']", "['sm_90']"]
