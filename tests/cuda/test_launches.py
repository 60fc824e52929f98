"""Launches on a driver without a GPU: what reaches it, and kernels whose context or stream is gone."""

import numpy as np
import pytest
from numbra import cuda, types
from numbra.cuda.cudadrv import nvvm
from numbra.cuda.cudadrv.error import CudaAPIError, DeadMemoryError, LinkerError

pytestmark = [
    pytest.mark.skipif(not nvvm.is_available(), reason="the LLVM library is not installed"),
    pytest.mark.filterwarnings("ignore:Grid size"),
]


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


def test_what_reaches_the_driver(fake):
    device, stream = cuda.to_device(np.arange(4.0)), cuda.stream()
    double[(2, 3), (32, 2, 1), stream, 64](device)
    launch = fake.last_launch()
    assert (list(launch.grid), list(launch.block)) == ([2, 3, 1], [32, 2, 1])
    assert (launch.shared, launch.stream, launch.cooperative) == (64, int(stream), 0)
    assert b"double" in launch.name


def test_after_a_reset_kernels_are_loaded_again(fake):
    device, stream = cuda.to_device(np.arange(4.0)), cuda.stream()
    configured, in_stream = double[1, 32], double[1, 32, stream]
    for launch in (configured, in_stream):
        launch(device)
        launch(device)
    loaded, launched = fake.count("cuModuleLoadDataEx"), fake.count("cuLaunchKernel")
    cuda.close()
    again = cuda.to_device(np.arange(4.0))
    configured(again)
    assert fake.count("cuModuleLoadDataEx") == loaded + 1
    assert fake.count("cuLaunchKernel") == launched + 1
    with pytest.raises(DeadMemoryError):
        configured(device)
    with pytest.raises(CudaAPIError, match="Call to cuLaunchKernel results in CUDA_ERROR_CONTEXT_IS_DESTROYED"):
        in_stream(again)
    assert fake.count("cuLaunchKernel") == launched + 1


def test_a_thread_without_a_context_gets_one():
    from threading import Thread

    device = cuda.to_device(np.arange(4.0))
    double[1, 32](device)
    errors = []

    def launch():
        try:
            double[1, 32](device)
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=launch)
    thread.start()
    thread.join()
    assert errors == []


@pytest.mark.filterwarnings("ignore:Host array used in CUDA kernel")
def test_extensions_see_arguments_as_they_are_given(fake):
    seen = []

    class Wrapped:
        def __init__(self, array):
            self.array = array

        _numba_type_ = types.int64

    class Unwrap:
        def prepare_args(self, ty, val, **kwargs):
            seen.append((ty, type(val)))
            if isinstance(val, Wrapped):
                return types.float64[::1], val.array
            return (ty, cuda.In(val)) if isinstance(val, np.ndarray) else (ty, val)

    @cuda.jit(extensions=[Unwrap()])
    def add(x, y, n):
        x[0] += y[0] + n

    host = np.arange(4.0)
    copies = fake.count("cuMemcpyDtoH")
    for _ in range(2):
        add[1, 1](host, Wrapped(cuda.to_device(host)), 3)
    assert fake.count("cuMemcpyDtoH") == copies
    assert seen[:3] == [(types.float64[::1], np.ndarray), (types.int64, Wrapped), (types.int64, int)]
    assert list(add.overloads) == [(types.float64[::1], types.float64[::1], types.int64)]


def test_kernels_with_signatures_are_chosen_by_cost(fake):
    @cuda.jit(["void(float64[::1], float32, float64)", "void(float64[::1], float64, float32)"])
    def add(x, a, b):
        x[0] = a + b

    device = cuda.to_device(np.arange(4.0))
    add[1, 1](device, np.float32(1), 2.0)
    array = "Array(float64, 1, 'C', False, aligned=True)"
    with pytest.raises(TypeError) as raised:
        add[1, 1](device, 1.0, 2.0)
    assert (
        f"({array}, float64, float64):\n({array}, float32, float64) -> none\n({array}, float64, float32) -> none"
        in str(raised.value)
    )

    @cuda.jit(types.void(types.CPointer(types.float64), types.int64))
    def set_first(p, n):
        p[0] = n

    launches = fake.count("cuLaunchKernel")
    set_first[1, 1](device.__cuda_array_interface__["data"][0], 3)
    assert fake.count("cuLaunchKernel") == launches + 1
    with pytest.raises(TypeError, match="No matching definition for argument type"):
        set_first[1, 1](1.5, 3)


def test_device_functions_say_their_symbols():
    @cuda.jit(device=True)
    def add(x, y):
        return x + y

    args = types.int32, types.int32
    function = add.compile_device(args)
    assert "add" in function.fndesc.mangled_name
    assert function.fndesc.mangled_name in add.inspect_asm(args)
    assert (function.fndesc.restype, function.fndesc.argtypes) == (types.int64, args)


def test_threads_compile_and_load_a_kernel_once(fake):
    from threading import Barrier, Thread

    @cuda.jit
    def kernel(x, n):
        x[0] = n

    arrays = [cuda.to_device(np.arange(4.0)), cuda.to_device(np.arange(4, dtype=np.int32))]
    loaded, launched = fake.count("cuModuleLoadDataEx"), fake.count("cuLaunchKernel")
    errors, start = [], Barrier(8)

    def work(number):
        try:
            start.wait(30)
            for _ in range(5):
                kernel[1, 32](arrays[number % 2], number)
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(kernel.overloads) == 2
    assert fake.count("cuModuleLoadDataEx") == loaded + 2
    assert fake.count("cuLaunchKernel") == launched + 40


def test_launches_wait_for_no_callback_that_waits_for_them():
    device, stream, event, done = cuda.to_device(np.arange(4.0)), cuda.stream(), cuda.event(), []
    launch = double[1, 32, stream]
    for _ in range(100):
        stream.add_callback(lambda *given: done.append(given))
        for _ in range(20):
            launch(device)
            event.record(stream)
    stream.synchronize()
    assert len(done) == 100


def test_threads_share_configurations_and_not_their_arguments():
    from threading import Barrier, Thread

    seen, meeting = [], Barrier(2)

    def before(kernel, launching):
        meeting.wait(30)
        seen.append(launching.args[0])

    configured = double[1, 32]
    configured.pre_launch_callbacks.append(before)
    arrays = [cuda.to_device(np.arange(4.0)) for _ in range(2)]
    try:
        threads = [Thread(target=configured, args=(array,)) for array in arrays]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        configured.pre_launch_callbacks.clear()
    assert len(seen) == 2
    assert all(any(array is one for one in seen) for array in arrays)


def test_memory_that_was_freed_is_an_error(fake):
    device = cuda.to_device(np.arange(100.0))
    part, other = device[10:20], cuda.to_device(np.arange(4.0))
    for array in (device, part, device, part):
        double[1, 32](array)
    launches = fake.count("cuLaunchKernel")
    device.gpu_data.free()
    for array in (device, part):
        for use in (double[1, 32], lambda x: x.copy_to_host(), lambda x: x.view("i8"), double.specialize(other)[1, 32]):
            with pytest.raises(DeadMemoryError, match="was freed"):
                use(array)
    with pytest.raises(RuntimeError, match="Freeing dead memory"):
        device.gpu_data.free()
    double[1, 32](other)
    assert fake.count("cuLaunchKernel") == launches + 1


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_arrays_that_both_sides_see(fake, make):
    launches = fake.count("cuLaunchKernel")
    double[1, 32](make(4))
    double[1, 32](make(8)[::2])
    assert fake.count("cuLaunchKernel") == launches + 2


def test_errors_of_launches_name_the_call(fake):
    device = cuda.to_device(np.arange(4.0))
    with pytest.raises(
        CudaAPIError,
        match=r"\[1\] Call to cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE: griddim x = 0, where it must",
    ):
        double[0, 32](device)


def test_kernels_ask_for_much_shared_memory(fake):
    device = cuda.to_device(np.arange(4.0))
    # The second launch of each goes the quick way.
    for _ in range(2):
        double[1, 32, 0, 1 << 10](device)
    asked = fake.count("cuFuncSetAttribute")
    for size in (48 << 10, 64 << 10, 64 << 10, 100_000, 64 << 10):
        double[1, 32, 0, size](device)
        assert fake.last_launch().shared == size
    assert fake.count("cuFuncSetAttribute") == asked + 2
    for _ in range(2):
        with pytest.raises(CudaAPIError, match=r"240008 bytes of shared memory, where a block has 232448"):
            double[1, 32, 0, 240_000](device)
    double[1, 32, 0, 64 << 10](device)


@pytest.mark.parametrize(
    ("sizes", "error", "text"),
    [
        ((1, 32, 0, -1), ValueError, "sharedmem must be at least 0 and less than 2 GiB, got -1"),
        ((1, 32, 0, 1 << 40), ValueError, "sharedmem .*got 1099511627776"),
        ((1, 32, 0, 1.5), TypeError, r"sharedmem must be an integer.*got 1\.5"),
        ((-1, 32), ValueError, r"griddim .*got \[-1\]"),
        ((1, (1, 1 << 33)), ValueError, r"blockdim .*got \[1, 8589934592\]"),
        ((1, 32, 17), TypeError, "Expected a Stream object.*got 17"),
        ((1, (1, 2, 3, 4)), ValueError, "blockdim must be a sequence of 1, 2 or 3 integers"),
    ],
)
def test_bad_configurations_name_the_value(sizes, error, text):
    with pytest.raises(error, match=text):
        double[sizes]


def test_asking_for_the_grid_makes_a_launch_cooperative(fake):
    @cuda.jit(device=True)
    def group():
        return cuda.cg.this_grid()

    @cuda.jit
    def alone(x):
        cuda.cg.this_grid()

    @cuda.jit
    def nested(x):
        group()

    @cuda.jit
    def meeting(x):
        cuda.cg.this_grid().sync()

    device = cuda.to_device(np.arange(4.0))
    for kernel, expected in (alone, 1), (nested, 1), (meeting, 1), (double, 0):
        for _ in range(2):
            kernel[1, 32](device)
            assert fake.last_launch().cooperative == expected
        assert kernel.overloads[kernel.signatures[0]].cooperative == bool(expected)


def test_kernels_with_code_from_elsewhere(fake):
    calls = []
    code = cuda.PTXSource("// helper", name="helper.ptx", setup_callback=calls.append, teardown_callback=calls.append)

    @cuda.jit(link=[code])
    def kernel(x):
        x[0] = 1

    device = cuda.to_device(np.arange(4.0))
    linked = fake.count("cuLinkComplete")
    kernel[1, 1](device)
    kernel[1, 1](device)
    assert fake.count("cuLinkComplete") == linked + 1
    (module,) = calls
    assert module.get_function(kernel.overloads[kernel.signatures[0]].entry_name)
    alive = fake.alive(fake.MODULE)
    cuda.current_context().reset()
    assert calls == [module, module]
    assert fake.alive(fake.MODULE) < alive
    kernel[1, 1](cuda.to_device(np.arange(4.0)))
    assert len(calls) == 3
    with pytest.raises(LinkerError, match=r"nowhere\.a not found"):
        cuda.jit(link=["nowhere.a"])


def test_assigning_where_there_are_gaps_launches(fake):
    device = cuda.to_device(np.zeros((4, 5, 6, 7)))
    launches = fake.count("cuLaunchKernel")
    device[:, 1] = 3
    assert fake.count("cuLaunchKernel") == launches + 1
    device[:, :, ::2] = np.ones(7)
    assert fake.count("cuLaunchKernel") == launches + 5
    assert cuda.to_device(np.zeros((3, 4))).T.shape == (4, 3)
    assert fake.count("cuLaunchKernel") == launches + 6
