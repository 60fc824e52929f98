"""Bad input on a GPU: each gives its typed error, which names the value, and the context stays usable.

`python tests/cuda/bad_input.py`; after each a good kernel runs.
"""

import gc
import re
import warnings
from types import SimpleNamespace

import checks
import numpy as np
from numbra import cuda, types
from numbra.core import errors
from numbra.cuda.cudadrv.error import CudaAPIError, DeadMemoryError, LinkerError

HOST = np.arange(1000.0)


@cuda.jit
def update(x, a):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = a * x[i] + 1


@cuda.jit("void(float64[:], float64)")
def typed(x, a):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = a * x[i] + 1


def good():
    """A kernel runs and its result is right."""
    array = cuda.to_device(HOST)
    update[8, 128](array, 3.0)
    np.testing.assert_allclose(array.copy_to_host(), 3 * HOST + 1)


def refused(use, error, text):
    """The use raises the error, whose text has a part of this form; then kernels run as before."""
    try:
        use()
        cuda.synchronize()
    except error as raised:
        assert re.search(text, str(raised)), f"{text!r} is not in {str(raised)!r}"
    except BaseException as raised:
        raise AssertionError(f"{type(raised).__name__} and no {error}: {raised}") from raised
    else:
        raise AssertionError(f"no {error}")
    good()


def check_sizes_of_launches():
    x = cuda.to_device(HOST)
    for sizes, error, text in (
        ((0, 32), CudaAPIError, r"griddim x = 0, where it must be from 1"),
        ((1, 0), CudaAPIError, r"blockdim x = 0"),
        ((1, 1025), CudaAPIError, r"a block of 1025 threads"),
        ((1, (1, 1, 65)), CudaAPIError, r"blockdim z = 65"),
        ((1, (32, 32, 2)), CudaAPIError, r"a block of 2048 threads"),
        (((1, 1 << 20), 32), CudaAPIError, r"griddim y = 1048576"),
        ((-1, 32), ValueError, r"griddim .*-1"),
        ((1, 1 << 40), ValueError, r"blockdim .*1099511627776"),
        ((1.5, 32), TypeError, r"griddim must be a sequence of integers, got \[1\.5\]"),
        (((1, 2, 3, 4), 32), ValueError, r"griddim must be a sequence of 1, 2 or 3 integers, got \[1, 2, 3, 4\]"),
        ((None, 32), ValueError, r"Kernel launch configuration was not specified"),
        ((1,), ValueError, r"must specify at least the griddim and blockdim"),
        ((1, 32, 17), TypeError, r"Expected a Stream object.*17"),
        ((1, 32, "s"), TypeError, r"Expected a Stream object.*str"),
    ):
        refused(lambda sizes=sizes: update[sizes](x, 1.0), error, text)
    refused(lambda: update(x, 1.0), ValueError, "Kernel launch configuration was not specified")
    refused(lambda: update.forall(-5)(x, 1.0), ValueError, "negative task count: -5")


def check_shared_memory():
    x = cuda.to_device(HOST)
    most = cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    for sharedmem, error, text in (
        (most + 1, CudaAPIError, f"{most + 1} bytes of shared memory, where a block has {most}"),
        (1 << 30, CudaAPIError, f"{1 << 30} bytes of shared memory, where a block has {most}"),
        (-8, ValueError, "sharedmem .*-8"),
        (1 << 40, ValueError, "sharedmem .*1099511627776"),
        (0.5, TypeError, r"sharedmem .*0\.5"),
    ):
        refused(lambda sharedmem=sharedmem: update[8, 128, 0, sharedmem](x, 1.0), error, text)
    update[8, 128, 0, most](x, 1.0)
    cuda.synchronize()

    @cuda.jit
    def large(x):
        shared = cuda.shared.array(1 << 16, np.float64)
        shared[cuda.threadIdx.x] = x[0]
        cuda.syncthreads()
        x[0] = shared[0] + shared[1]

    refused(lambda: large[1, 32](x), LinkerError, "(?i)shared")


def check_types_of_arguments():
    x = cuda.to_device(HOST)
    for use, error, text in (
        (lambda: update[1, 32](object(), 1.0), (errors.TypingError, TypeError, ValueError), "object"),
        (lambda: update[1, 32](x, object()), (errors.TypingError, TypeError, ValueError), "object"),
        (lambda: update[1, 32](x), TypeError, "argument"),
        (lambda: update[1, 32](x, 1.0, 2.0), TypeError, "argument"),
        (lambda: update[1, 32](1.0, 1.0), errors.TypingError, "float64"),
        (lambda: update[1, 32](x, "text"), (errors.TypingError, TypeError), "unicode_type|str"),
        (lambda: typed[1, 32](cuda.to_device(HOST.astype("c16")), 1.0), TypeError, "complex128"),
        (lambda: typed[1, 32](cuda.to_device(HOST.reshape(10, 100)), 1.0), TypeError, "float64, 2d"),
        (
            lambda: update[1, 32](np.array(["a", "b"], dtype=object), 1.0),
            (errors.TypingError, TypeError, ValueError),
            "",
        ),
    ):
        refused(use, error, text)


def check_kernels_that_cannot_be():
    x = cuda.to_device(HOST)

    @cuda.jit
    def unknown(x):
        x[0] = nowhere  # noqa: F821

    @cuda.jit
    def allocates(x):
        x[0] = np.zeros(x.size).sum()

    @cuda.jit
    def returns(x):
        return x[0]

    refused(lambda: unknown[1, 1](x), errors.TypingError, "nowhere")
    refused(lambda: allocates[1, 1](x), errors.NumbaError, "numbra_rt|alloc|not available")
    refused(lambda: returns[1, 1](x), (errors.NumbaError, TypeError), "")
    refused(
        lambda: cuda.jit("float64(float64[:])")(lambda x: x[0]), TypeError, "CUDA kernel must have void return type"
    )
    refused(lambda: cuda.jit(max_blocks=3), KeyError, "max_blocks")
    refused(lambda: cuda.jit(link=["nowhere.ptx"]), LinkerError, r"nowhere\.ptx not found")
    context = cuda.current_context()
    refused(lambda: context.create_module_ptx("no PTX"), LinkerError, "")
    refused(lambda: context.create_module_image(b"\x7fELF" + bytes(4096)), (LinkerError, CudaAPIError), "")
    module = context.create_module_ptx(cuda.compile_ptx(update.py_func, (types.float64[:], types.float64))[0])
    refused(lambda: module.get_function("nobody"), CudaAPIError, "NOT_FOUND")


def check_devices():
    count = len(cuda.gpus)
    refused(lambda: cuda.gpus[count], IndexError, f"no CUDA device {count}")
    refused(lambda: cuda.select_device(count), IndexError, f"no CUDA device {count}")


def check_arrays():
    x = cuda.to_device(HOST)
    for use, error, text in (
        (lambda: cuda.device_array(-5), ValueError, "-5|negative"),
        (lambda: x.copy_to_device(np.zeros(3)), ValueError, r"\(3,\)"),
        (lambda: x.copy_to_device(np.zeros(1000, "i4")), TypeError, "int32"),
        (lambda: x.copy_to_host(np.zeros(3)), ValueError, r"\(3,\)"),
        (lambda: x.copy_to_host(np.zeros(1000, "f4")), TypeError, "float32"),
        (lambda: x[1000], IndexError, "1000"),
        (lambda: x[::2].copy_to_host(np.zeros(3)), ValueError, r"\(3,\)"),
        (lambda: x.reshape(7), (ValueError, NotImplementedError), ""),
        (lambda: x.__setitem__(slice(0, 10), np.zeros(20)), ValueError, "20"),
        (lambda: cuda.event().elapsed_time(cuda.event()), CudaAPIError, "cuEventElapsedTime"),
        (lambda: cuda.external_stream("s"), TypeError, "int"),
    ):
        refused(use, error, text)


def check_out_of_memory():
    free = cuda.current_context().get_memory_info().free
    for size in (free + (1 << 30), 1 << 46):
        refused(lambda size=size: cuda.device_array(size, np.uint8), CudaAPIError, "CUDA_ERROR_OUT_OF_MEMORY")
    # What waits to be freed is freed when there is no other memory.
    with cuda.defer_cleanup():
        pass
    for _ in range(5):
        array = cuda.device_array(int(free * 0.6), np.uint8)
        del array
    good()


def check_freed_arrays():
    x = cuda.to_device(HOST)
    part = x[10:20]
    x.gpu_data.free()
    for use in (
        lambda: update[8, 128](x, 1.0),
        lambda: update[8, 128](part, 1.0),
        lambda: x.copy_to_host(),
        lambda: part[0],
    ):
        refused(use, DeadMemoryError, "was freed")


def check_exceptions_of_kernels():
    @cuda.jit(debug=True, opt=False)
    def raises(x):
        i = cuda.grid(1)
        if i == 70:
            raise ValueError("seventy")
        x[i] = i

    x = cuda.to_device(np.zeros(128))
    refused(lambda: raises[2, 64](x), ValueError, r"tid=\[0, 0, 6\] ctaid=\[0, 0, 1\].*seventy")
    refused(lambda: raises[2, 64](x), ValueError, "seventy")
    raises[1, 64](x)


def check_grids_that_do_not_fit():
    @cuda.jit
    def meet(x):
        cuda.cg.this_grid().sync()

    x = cuda.to_device(HOST)
    meet[2, 32](x)
    cuda.synchronize()
    refused(lambda: meet[1 << 20, 1024](x), CudaAPIError, "COOPERATIVE_LAUNCH_TOO_LARGE")


def check_use_after_reset():
    old = SimpleNamespace(x=cuda.to_device(HOST), stream=cuda.stream(), event=cuda.event())
    old.pinned, old.mapped = cuda.pinned_array(10), cuda.mapped_array(10)
    configured, in_stream = update[8, 128], update[8, 128, old.stream]
    configured(old.x, 1.0)
    in_stream(old.x, 1.0)
    old.stream.synchronize()
    cuda.close()
    fresh = cuda.to_device(HOST)
    for use, error, text in (
        (lambda: configured(old.x, 1.0), DeadMemoryError, "was freed, or went when its context was reset"),
        (lambda: old.x.copy_to_host(), DeadMemoryError, "context was reset"),
        (lambda: configured(old.mapped, 1.0), DeadMemoryError, "context was reset"),
        (lambda: in_stream(fresh, 1.0), CudaAPIError, "CONTEXT_IS_DESTROYED"),
        (lambda: old.stream.synchronize(), CudaAPIError, "CONTEXT_IS_DESTROYED"),
        (lambda: old.event.record(), CudaAPIError, "CONTEXT_IS_DESTROYED"),
    ):
        refused(use, error, text)
    configured(fresh, 2.0)
    np.testing.assert_allclose(fresh.copy_to_host(), 2 * HOST + 1)
    # Letting go of what was made before touches nothing.
    vars(old).clear()
    gc.collect()
    good()


def check_captured_arrays_after_reset():
    table = cuda.to_device(HOST)

    @cuda.jit
    def reads(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = 2 * table[i]

    x = cuda.to_device(np.zeros(1000))
    reads[8, 128](x)
    np.testing.assert_array_equal(x.copy_to_host(), 2 * HOST)
    cuda.close()
    x = cuda.to_device(np.zeros(1000))
    refused(lambda: reads[8, 128](x), DeadMemoryError, "context was reset")


def check_closing_again_and_again():
    for _ in range(3):
        cuda.close()
        good()
    cuda.close()
    cuda.close()
    good()


if __name__ == "__main__":
    warnings.simplefilter("ignore", errors.NumbaPerformanceWarning)
    warnings.simplefilter("ignore", errors.NumbaInvalidConfigWarning)
    checks.run(globals())
