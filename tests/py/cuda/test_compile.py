"""Kernels as PTX, without a GPU: each is assembled by NVIDIA's ``ptxas`` for the oldest and newer architectures."""

import inspect
import math
import re

import numbra as nb
import numpy as np
import pytest
from assembler import registers
from cuda_kernels import (
    KERNELS,
    add,
    constant_array,
    dynamic_shared,
    global_array,
    grid_stride,
    large_array,
    matmul,
    no_widening,
    reverse,
    widening,
)
from numbra import cuda, types
from numbra.core import errors
from numbra.types import boolean, complex64, float32, float64, int32, int64, uint32


def body(ptx):
    """The instructions."""
    return [line.strip() for line in ptx.splitlines() if line.startswith("\t") and ".param" not in line]


@pytest.mark.parametrize("sm", [75, 90, 100])
@pytest.mark.parametrize(("function", "args"), KERNELS, ids=lambda x: getattr(x, "__name__", ""))
def test_assembles(function, args, sm, tmp_path):
    ptx, ret = cuda.compile_ptx(function, args, cc=(sm // 10, sm % 10))
    assert ret == types.none
    assert f".target sm_{sm}" in ptx and ".visible .entry" in ptx
    undefined = [line for line in ptx.splitlines() if ".extern .func" in line and "vprintf" not in line]
    assert not undefined
    assert registers(tmp_path, ptx, sm)


def test_parameters_are_numbas():
    """Two addresses, elements, bytes of one, data, shape, strides."""
    ptx, _ = cuda.compile_ptx(matmul, (float32[:, ::1],) * 3)
    assert ptx.split("{")[0].count(".param .u64") == 3 * 9
    ptx, _ = cuda.compile_ptx(lambda b, c, t: None, (boolean, complex64, types.UniTuple(int32, 2)))
    kinds = re.findall(r"\.param \.([a-z0-9]+)", ptx.split("{")[0])
    assert kinds == ["u8", "f32", "f32", "u32", "u32"] or kinds == ["b8", "b32", "b32", "b32", "b32"]


def test_seeds():
    """The talk's registers: widening costs some, and addition prints as it does there."""

    wide, _ = cuda.compile_ptx(widening, (float32[::1],) * 2, cc=(7, 5))
    narrow, _ = cuda.compile_ptx(no_widening, (float32[::1],) * 2, cc=(7, 5))
    assert sum(bool(re.match(r"add\.f32 ", line)) for line in body(narrow)) == 2
    assert "cvt.f64.f32" in wide and "cvt.f64.f32" not in narrow and "f64" not in "".join(body(narrow))


@pytest.mark.parametrize(("sm", "both"), [(75, (8, 6)), (80, None), (90, None), (100, None)])
def test_widening_takes_more_registers(sm, both, tmp_path):
    cc = (sm // 10, sm % 10)
    ptx = [cuda.compile_ptx(f, (float32[::1],) * 2, cc=cc)[0] for f in (widening, no_widening)]
    wide, narrow = (registers(tmp_path, text, sm)[0] for text in ptx)
    assert wide > narrow
    if both is not None:
        assert (wide, narrow) == both


def test_grid_stride_does_not_divide():
    assert "div." not in cuda.compile_ptx(grid_stride, (float32[::1], int64))[0]


def test_grid_stride_loads_side_by_side():
    """Four loads stand before the first test whether to go on, and no index is tested for its sign."""

    def histogram(data, bins):
        own = cuda.shared.array(256, int32)
        own[cuda.threadIdx.x] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
            cuda.atomic.add(own, data[i], 1)
        cuda.syncthreads()
        cuda.atomic.add(bins, cuda.threadIdx.x, own[cuda.threadIdx.x])

    def total(x, y):
        s = float32(0)
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            s += x[i]
        cuda.atomic.add(y, 0, s)

    for kernel, types_ in ((histogram, (types.uint8[::1], int32[::1])), (total, (float32[::1],) * 2)):
        ptx = cuda.compile_ptx(kernel, types_)[0]
        blocks = re.split(r"\n\$L__BB.*:|\n\t@?.*bra", ptx)
        assert sorted(block.count("ld.global") for block in blocks)[-2:] == [1, 4]
        assert "shr.s64" not in ptx and "setp.lt.s64" not in ptx


def test_no_loop_of_several_tests_indices_for_their_sign():
    def softmax(x, y):
        t, n = cuda.threadIdx.x, x.shape[1]
        top, total = x[0, 0], float32(0)
        for i in range(t, n, 256):
            top = max(top, x[cuda.blockIdx.x, i])
        for i in range(t, n, 256):
            total += math.exp(x[cuda.blockIdx.x, i] - top)
        for i in range(t, n, 256):
            y[cuda.blockIdx.x, i] = math.exp(x[cuda.blockIdx.x, i] - top) / total

    ptx = cuda.compile_ptx(softmax, (float32[:, ::1],) * 2)[0]
    assert "shr.s64" not in ptx and "setp.lt.s64" not in ptx


def test_grid_stride_keeps_the_order_of_what_it_writes():
    ptx = cuda.compile_ptx(grid_stride, (float32[::1], int64))[0]
    assert ptx.count("ld.global") == ptx.count("st.global") == 1


def test_contraction():
    def kernel(x):
        x[0] = x[1] * x[2] + x[3]

    assert "fma.rn.f32" in cuda.compile_ptx(kernel, (float32[::1],))[0]
    assert "fma.rn.f32" not in cuda.compile_ptx(kernel, (float32[::1],), opt=False)[0]


def test_fastmath():
    def kernel(x):
        x[0] = math.cos(x[0]) / x[1] + math.sqrt(x[2])

    fast = cuda.compile_ptx(kernel, (float32[::1],), fastmath=True)[0]
    exact = cuda.compile_ptx(kernel, (float32[::1],))[0]
    for instruction in ("cos.approx.ftz.f32 ", "div.approx.ftz.f32 ", "sqrt.approx.ftz.f32 "):
        assert instruction in fast.replace("\t", " ")
        assert instruction not in exact.replace("\t", " ")
    assert "div.rn.f32" in exact and "sqrt.rn.f32" in exact


def test_device_functions():
    def axpy(a, x, y):
        return a * x + y

    ptx, ret = cuda.compile(axpy, (float32, float32, float32))
    assert ret == float32 and re.search(r"\.visible \.func +\(\.param \.b32 func_retval0\) axpy\(", ptx)
    ptx, ret = cuda.compile(axpy, "float64(float32, float32, float32)", abi_info={"abi_name": "named"})
    assert ret == float64 and "named(" in ptx
    ptx, ret = cuda.compile_ptx(axpy, (int32, int32, int32), device=True)
    assert ret == int64 and ".visible .func" in ptx and ".entry" not in ptx
    many, _ = cuda.compile(lambda a, b, c, d, e, f, g, h, i, j, k, m, n, o: a + o, (int32,) * 14)
    assert many.split(")\n{")[0].count("_param_") >= 14


def test_launch_bounds():
    ptx = cuda.compile_ptx(add, (float32[::1],) * 3, launch_bounds=(128, 2))[0]
    assert ".maxntid 128" in ptx and ".minnctapersm 2" in ptx
    with pytest.raises(ValueError, match="Got 4 launch bounds"):
        cuda.compile_ptx(add, (float32[::1],) * 3, launch_bounds=(128, 2, 1, 1))


def test_shared_memory():
    ptx = cuda.compile_ptx(reverse, (float32[::1],))[0]
    assert re.search(r"\.shared \.align \d+ \.b8 _cudapy_smem\S*\[128\]", ptx)
    assert ".extern .shared" in cuda.compile_ptx(dynamic_shared, (int32[::1],))[0]
    assert "ld.const" in cuda.compile_ptx(constant_array, (float32[::1],))[0]
    assert "ld.const" in cuda.compile_ptx(global_array, (float32[::1],))[0]
    assert "ld.const" not in cuda.compile_ptx(large_array, (float64[::1],))[0]


def test_results_of_kernels():
    with pytest.raises(TypeError, match=r"CUDA kernel must have void return type\."):
        cuda.compile_ptx(lambda x: x, "int32(int32)")
    with pytest.raises((errors.TypingError, TypeError)):
        cuda.compile_ptx(lambda x: x, (int32,))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"output": "obj"}, NotImplementedError, "Unsupported output type: obj"),
        ({"abi": "rust"}, NotImplementedError, "Unsupported ABI: rust"),
        ({"device": False}, NotImplementedError, "The C ABI is not supported for kernels"),
        ({"forceinline": True}, ValueError, "Can only designate forced inlining in LTO-IR"),
        ({"forceinline": True, "device": False, "abi": "numba"}, ValueError, "Cannot force-inline kernels"),
        ({"output": "ltoir"}, NotImplementedError, "LTO-IR"),
        ({"cc": (3, 5)}, RuntimeError, "GPU compute capability 3.5 is not supported"),
        ({"cc": (8, 0, "a")}, Exception, "sm_80a"),
    ],
)
def test_refused(options, error, text):
    with pytest.raises(error, match=re.escape(text)):
        cuda.compile(lambda x: x, (int32,), **options)


def test_parameters_by_place_and_name():
    """`compile_ptx` takes what `compile` does, but for the kind of output, and makes kernels."""
    first, second = inspect.signature(cuda.compile).parameters, inspect.signature(cuda.compile_ptx).parameters
    assert [name for name in first if name != "output"] == list(second)
    assert (first["device"].default, second["device"].default) == (True, False)
    assert (first["abi"].default, second["abi"].default) == ("c", "numba")
    signature = nb.void(float32[::1], float32[::1], float32[::1])
    by_name = cuda.compile_ptx(add, signature, lineinfo=True, fastmath=True, cc=(8, 0))
    assert cuda.compile_ptx(add, signature, None, True, False, True, (8, 0)) == by_name
    for wrong in ({"output": "ptx"}, {"fast": True}):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{next(iter(wrong))}'"):
            cuda.compile_ptx(add, signature, **wrong)
    with pytest.raises(TypeError, match="'sig'"):
        cuda.compile(add)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: cuda.compile_ptx(add, nb.void(*[float32[::1]] * 3), debug=True, opt=True),
        lambda: cuda.compile(add, nb.void(*[float32[::1]] * 3), debug=True, opt=True, abi="numba"),
        lambda: cuda.jit(debug=True, opt=True)(add),
    ],
)
def test_warnings_name_the_line_of_the_caller(ask):
    with pytest.warns(errors.NumbaInvalidConfigWarning) as caught:
        ask()
    assert {warning.filename for warning in caught} == {__file__}


def test_new_architectures():
    assert ".target sm_90a" in cuda.compile_ptx(add, (float32[::1],) * 3, cc=(9, 0, "a"))[0]
    assert ".target sm_100f" in cuda.compile_ptx(add, (float32[::1],) * 3, cc=(10, 0, "f"))[0]


def allocating(x):
    x[0] = np.zeros(3)[0]


def bad_shape(x):
    cuda.shared.array(x, float32)


def no_length(x):
    cuda.local.array(0, float32)


def bad_alignment(x):
    cuda.local.array(4, float32, alignment=3)


def wrong_axes(x):
    cuda.grid(4)


def narrow_shuffle(x):
    cuda.shfl_sync(-1, uint32(x), 0)


def narrow_atomic(x):
    cuda.atomic.add(cuda.local.array(4, nb.int16), 0, 1)


def test_errors_in_callees_name_dispatchers_of_kernels():
    @nb.njit
    def inner(x):
        return x.nothing

    @cuda.jit(device=True)
    def outer(x):
        return inner(x)

    def kernel(x):
        x[0] = outer(x[0])

    with pytest.raises(errors.TypingError) as raised:
        cuda.compile_ptx(kernel, (float64[::1],))
    text = str(raised.value)
    assert "type(CUDADispatcher(<function inner>))" in text
    assert "type(CUDADispatcher(<function outer>))" in text
    assert "nopython mode" not in text
    assert "CPUDispatcher" not in text


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (bad_shape, "constant integer"),
        (wrong_axes, "argument can only be 1, 2, 3"),
        (narrow_shuffle, "shfl_sync only supports 32- and 64-bit ints and floats"),
        (narrow_atomic, "Unimplemented atomic add with int16 array"),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_typing_errors(function, text):
    with pytest.raises(errors.TypingError, match="Failed in cuda mode pipeline") as raised:
        cuda.compile_ptx(function, (int32,))
    assert text in str(raised.value)


@pytest.mark.parametrize(
    ("function", "text"), [(no_length, "array length <= 0"), (bad_alignment, "Alignment must be a power of 2")]
)
def test_values_that_no_array_has(function, text):
    """As with Numba these are errors of the value, not of its type."""
    with pytest.raises(ValueError, match=text) as raised:
        cuda.compile_ptx(function, (int32,))
    assert "test_compile.py:" in str(raised.value)


def test_what_gpus_do_not_have():
    with pytest.raises(errors.UnsupportedError, match="an allocation of memory"):
        cuda.compile_ptx(allocating, (float64[::1],))

    @nb.njit
    def on_the_processor(x):
        return cuda.grid(1)

    with pytest.raises(errors.UnsupportedError, match=r"functions of `numbra\.cuda` run on GPUs only"):
        on_the_processor(1)


def test_names_outside_of_kernels():
    with pytest.raises(NotImplementedError, match="can only be called in a kernel"):
        cuda.grid(1)
    with pytest.raises(ValueError, match="Kernel launch configuration was not specified"):
        cuda.jit(add)(1, 2, 3)
    with pytest.raises(ValueError, match="must specify at least the griddim and blockdim"):
        cuda.jit(add)[1]


@cuda.jit("void(int32[:])")
def frozen_kernel(x):
    x[0] = 1


def test_pickled_kernels():
    import pickle

    made = pickle.loads(pickle.dumps(frozen_kernel))
    assert made.signatures == frozen_kernel.signatures
    assert made.specialized
    assert pickle.loads(pickle.dumps(cuda.jit(lambda x: x))).py_func(3) == 3
    device = cuda.jit("int32(int32)", device=True)(lambda x: x + 1)
    assert pickle.loads(pickle.dumps(device)).signatures == [(int32,)]


def test_device_functions_with_signatures_take_these_types_alone():
    @cuda.jit(["int64(int64)", "float64(float64)"], device=True)
    def twice(x):
        return x + x

    def kernel(out, x):
        out[0] = twice(x)

    # Without signatures, single precision would be computed with.
    for given, converted in (int32, "cvt.rn.f64.s64"), (float32, "cvt.f64.f32"):
        ptx, _ = cuda.compile_ptx(kernel, (float64[::1], given), cc=(8, 0))
        assert converted in ptx
        assert "add.f32" not in ptx
        assert "add.rn.f32" not in ptx
    with pytest.raises(errors.TypingError, match="complex128"):
        cuda.compile_ptx(kernel, (types.complex128[::1], types.complex128), cc=(8, 0))
