"""Ufuncs and gufuncs of ``target="cuda"``, and the kernels of reductions.

What they compute is tested in the simulator: this file runs itself once more, with it on. Their code is tested as PTX,
and ``tests/cuda/test_ufuncs.py`` tests calls on the driver of the tests.
"""

import os
import subprocess
import sys

import numpy as np
import pytest
from numbra import cuda, guvectorize, vectorize
from numbra.core import config, types
from numbra.cuda.kernels.reduction import Reduce

in_simulator = pytest.mark.skipif(not config.ENABLE_CUDASIM, reason="runs in the simulator")


@pytest.mark.skipif(bool(config.ENABLE_CUDASIM), reason="this is the inner run")
def test_in_the_simulator():
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=os.getcwd())
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def adder():
    @vectorize(["float32(float32, float32)", "float64(float64, float64)", "int32(int32, int32)"], target="cuda")
    def add(a, b):
        """Adds."""
        return a + b

    return add


@in_simulator
class TestUfuncs:
    def test_arrays_and_names(self):
        add = adder()
        assert (add.__name__, add.__doc__) == ("add", "Adds.")
        for dtype in (np.float32, np.float64, np.int32):
            a = np.arange(6, dtype=dtype)
            got = add(a, a)
            assert type(got) is np.ndarray
            assert got.dtype == dtype
            np.testing.assert_array_equal(got, a + a)

    def test_arrays_are_not_cast(self):
        add = adder()
        with pytest.raises(TypeError, match=r"No matching version.  GPU ufunc requires array arguments"):
            add(np.zeros(3), np.zeros(3, np.float32))
        with pytest.raises(TypeError, match="ambiguous signature"):
            add(np.float16(1), np.float16(2))
        with pytest.warns(UserWarning, match="unrecognized keywords: where"):
            add(np.zeros(1), np.zeros(1), where=True)

    def test_numbers(self):
        add = adder()
        np.testing.assert_array_equal(add(np.arange(3, dtype=np.float32), 2), np.arange(3) + 2)
        got = add(1.5, 2.0)
        assert (got.shape, got[0]) == ((1,), 3.5)

    def test_broadcasting(self):
        add = adder()
        a, b = np.arange(3.0), np.arange(8.0).reshape(2, 4, 1)
        for left, right in [(a, b), (cuda.to_device(a), b), (cuda.to_device(a), cuda.to_device(b))]:
            got = add(left, right)
            if not isinstance(left, np.ndarray):
                assert cuda.is_cuda_array(got)
                got = got.copy_to_host()
            np.testing.assert_array_equal(got, a + b)
        np.testing.assert_array_equal(add(b.T[0], b.T[0][:, :1]), b.T[0] + b.T[0][:, :1])
        with pytest.raises(ValueError, match="failed to broadcast argument #1"):
            add(np.zeros(3), np.zeros(4))
        assert add(np.zeros((0, 2)), np.zeros(2)).shape == (0, 2)

    def test_outputs(self):
        add, a = adder(), np.arange(6.0).reshape(2, 3)
        host, device = np.zeros((2, 3)), cuda.device_array((2, 3))
        assert add(a, a, out=host) is host
        np.testing.assert_array_equal(host, 2 * a)
        got = add(a, 1.0, out=device, stream=cuda.stream())
        np.testing.assert_array_equal(got.copy_to_host(), a + 1)
        np.testing.assert_array_equal(device.copy_to_host(), a + 1)
        with pytest.raises(ValueError, match="out is float32"):
            add(a, a, out=np.zeros((2, 3), np.float32))

    def test_arrays_of_any_strides(self):
        add = adder()
        a = np.arange(120.0).reshape(2, 3, 4, 5)
        device = cuda.to_device(a)
        turned = cuda.to_device(np.asfortranarray(a))
        one_row = cuda.to_device(a[0, 1, :1, :])
        for left, right in [
            (device[:, :, ::2], device[:, :, 1::2]),
            (device[::-1], turned),
            (turned, turned),
            (turned[:, 1:], one_row),
            (device[1], device[:, :1]),
            (device[..., 3], 0.5),
        ]:
            got = add(left, right).copy_to_host()
            np.testing.assert_array_equal(got, np.add(*(x if isinstance(x, float) else x._ary for x in (left, right))))
        out = cuda.to_device(np.asfortranarray(np.zeros(a.shape)))
        assert add(turned, device, out=out) is out
        np.testing.assert_array_equal(out.copy_to_host(), 2 * a)
        every_other = cuda.to_device(np.zeros((4, 5)))[::2]
        add(device[0, 0, :2], 1, out=every_other)
        np.testing.assert_array_equal(every_other.copy_to_host(), a[0, 0, :2] + 1)
        host = np.zeros((4, 10))[:, ::2]
        assert add(a[0, 0], a[1, 0], out=(host,)) is host
        np.testing.assert_array_equal(host, a[0, 0] + a[1, 0])
        with pytest.raises(ValueError, match="out is float64"):
            add(device, device, out=cuda.device_array(7))

    def test_results_of_a_name_that_is_no_identifier(self):
        assert cuda.vectorize(["int64(int64)"])(lambda x: 2 * x)(21)[0] == 42

    @pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 100, 1023])
    def test_reduction(self, count):
        add, a = adder(), np.arange(count, dtype=np.int32)
        assert add.reduce(a) == a.sum()
        device = cuda.to_device(a)
        assert add.reduce(device, stream=cuda.stream()) == a.sum()
        np.testing.assert_array_equal(device.copy_to_host(), a)

    def test_reduction_of_nothing(self):
        with pytest.raises(TypeError, match="Reduction on an empty array"):
            adder().reduce(np.zeros(0, np.int32))
        with pytest.raises(TypeError, match="must use 1d array"):
            adder().reduce(np.zeros((2, 2), np.int32))

    def test_the_result_type_is_inferred(self):
        @cuda.vectorize([(types.int32, types.float32)])
        def scaled(a, b):
            return a * b

        got = scaled(np.arange(3, dtype=np.int32), np.full(3, 0.5, np.float32))
        assert got.dtype == np.float64
        assert got.tolist() == [0, 0.5, 1]

    def test_options(self):
        with pytest.raises(TypeError, match="caching is not supported"):
            vectorize("f8(f8)", target="cuda", cache=True)(lambda x: x)
        with pytest.raises(KeyError, match="cuda vectorize target does not support option: 'fastmath'"):
            vectorize("f8(f8)", target="cuda", fastmath=True)(lambda x: x)
        with pytest.raises(TypeError, match="vectorize of '<lambda>' with target='cuda' needs signatures"):
            vectorize(target="cuda")(lambda x: x)
        with pytest.raises(ValueError, match="identity"):
            vectorize("f8(f8)", target="cuda", identity=2)(lambda x: x)
        with pytest.warns(RuntimeWarning, match="nopython kwarg for cuda target is redundant"):
            vectorize(["float64(float64)"], target="cuda", nopython=True)(lambda x: x)


@in_simulator
class TestGufuncs:
    def matmul(self):
        @guvectorize(
            ["void(float32[:,:], float32[:,:], float32[:,:])", "void(float64[:,:], float64[:,:], float64[:,:])"],
            "(m,n),(n,p)->(m,p)",
            target="cuda",
        )
        def matmul(a, b, c):
            for i in range(c.shape[0]):
                for j in range(c.shape[1]):
                    c[i, j] = 0
                    for k in range(a.shape[1]):
                        c[i, j] += a[i, k] * b[k, j]

        return matmul

    def test_loops(self):
        matmul = self.matmul()
        rng = np.random.default_rng(1)
        for outer_a, outer_b in [((), ()), ((5,), (5,)), ((2, 3), (2, 3)), ((4,), ()), ((4,), (1,)), ((), (4,))]:
            a, b = rng.random((*outer_a, 2, 3)), rng.random((*outer_b, 3, 4))
            np.testing.assert_allclose(matmul(a, b), a @ b)
            got = matmul(cuda.to_device(a), cuda.to_device(b))
            assert cuda.is_cuda_array(got)
            np.testing.assert_allclose(got.copy_to_host(), a @ b)

    def test_casts_go_to_the_first_that_could_be_cast_to_the_argument(self):
        matmul = self.matmul()
        got = matmul(np.ones((1, 2, 2), np.float32), np.ones((1, 2, 2)))
        assert got.dtype == np.float32
        with pytest.raises(TypeError, match="no matching signature"):
            matmul(np.ones((1, 2, 2), np.int8), np.ones((1, 2, 2)))

    def test_outputs(self):
        matmul, a = self.matmul(), np.arange(12.0).reshape(3, 2, 2)
        host, device = np.zeros((3, 2, 2)), cuda.device_array((3, 2, 2))
        matmul(a, a, host)
        np.testing.assert_array_equal(host, a @ a)
        assert matmul(a, a, out=device) is device
        np.testing.assert_array_equal(device.copy_to_host(), a @ a)
        with pytest.raises(ValueError, match="output shape mismatch"):
            matmul(a, a, np.zeros((2, 2, 2)))
        with pytest.raises(ValueError, match="as both positional and keyword"):
            matmul(a, a, host, out=host)
        accepts = r"accepts 2 positional arguments .* or 3 positional arguments .* Got 1 positional argument\."
        with pytest.raises(TypeError, match=accepts):
            matmul(a)

    def test_arrays_of_any_strides(self):
        matmul, rng = self.matmul(), np.random.default_rng(2)
        a, b = rng.random((3, 4, 2, 5)), rng.random((3, 4, 5, 2))
        turned = cuda.to_device(np.asfortranarray(a))
        np.testing.assert_allclose(matmul(turned, b).copy_to_host(), a @ b)
        np.testing.assert_allclose(matmul(turned[:, ::2], cuda.to_device(b)[:, ::2]).copy_to_host(), (a @ b)[:, ::2])
        np.testing.assert_allclose(matmul(turned, b[:1, :1].reshape(1, 5, 2)).copy_to_host(), a @ b[0, 0])
        out = cuda.to_device(np.asfortranarray(np.zeros((3, 4, 2, 2))))
        assert matmul(turned, b, out=out) is out
        np.testing.assert_allclose(out.copy_to_host(), a @ b)
        host = np.zeros((2, 2, 4, 3)).T
        assert matmul(turned, b, out=host) is host
        np.testing.assert_allclose(host, a @ b)
        assert matmul(a[:0], b[:0]).shape == (0, 4, 2, 2)

    def test_scalars(self):
        @cuda.guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->()")
        def last(row, factor, out):
            out[0] = row[row.shape[0] - 1] * factor

        rows = np.arange(6.0).reshape(3, 2)
        np.testing.assert_array_equal(last(rows, 2.0), rows[:, 1] * 2)
        np.testing.assert_array_equal(last(rows, np.arange(3.0)), rows[:, 1] * np.arange(3))

    def test_several_outputs(self):
        @guvectorize(["void(float64[:], float64[:], float64[:])"], "(n)->(n),(n)", target="cuda")
        def both(x, up, down):
            for i in range(x.shape[0]):
                up[i], down[i] = x[i] + 1, x[i] - 1

        up, down = both(np.zeros((2, 3)))
        assert (up.tolist(), down.tolist()) == ([[1] * 3] * 2, [[-1] * 3] * 2)
        given = np.zeros((2, 3))
        assert both(np.ones((2, 3)), out=(None, given))[1] is given
        assert given.tolist() == [[0] * 3] * 2
        with pytest.raises(ValueError, match="'out' tuple must have exactly 2 entries, not 1"):
            both(np.zeros((2, 3)), out=given)

    def test_options(self):
        def f(x, y):
            y[0] = x[0]

        with pytest.raises(TypeError, match=r"guvectorized functions cannot return values: signature .* return type"):
            guvectorize(["int32(int32[:], int32[:])"], "(n)->(n)", target="cuda")(f)
        with pytest.raises(TypeError, match="caching is not supported"):
            guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", target="cuda", cache=True)(f)
        with pytest.raises(TypeError, match="The following target options are not supported: 'fastmath'"):
            guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", target="cuda", fastmath=True)(f)
        with pytest.raises(TypeError, match="writable_args are not supported"):
            guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", target="cuda", writable_args=(0,))(f)
        with pytest.raises(TypeError, match="nopython flag must be True"):
            guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", target="cuda", nopython=False)(f)
        with pytest.raises(TypeError, match="has 1 arguments, where layout"):
            guvectorize(["void(int32[:])"], "(n)->(n)", target="cuda")(f)
        with pytest.raises(TypeError, match="guvectorize of 'f' with target='cuda' needs signatures"):
            guvectorize([], "(n)->(n)", target="cuda")(f)
        with pytest.raises(ValueError, match="gufunc signature mismatch: ndim>0 for scalar"):
            guvectorize(["void(int32, int32[:])"], "(n)->(n)", target="cuda")(f)


@in_simulator
class TestReductions:
    @pytest.mark.parametrize("count", [1, 2, 31, 32, 33, 255, 256, 257, 512, 520, 1025, 1311])
    def test_of_arrays(self, count):
        add, largest = Reduce(lambda a, b: a + b), Reduce(max)
        a = np.arange(count) + 1
        assert add(a) == a.sum()
        assert add(cuda.to_device(a), init=5) == a.sum() + 5
        assert largest(a[::-1]) == count

    def test_parts_and_results(self):
        add = Reduce(lambda a, b: a + b)
        result = cuda.device_array(2, np.float32)
        assert add(np.ones(9, np.float32), size=4, res=result, stream=cuda.stream()) is None
        assert result[0] == 4
        assert add(np.zeros(0, np.float32), res=result, init=7) is None
        assert result[0] == 7
        assert add(np.zeros(0, np.int8), init=3) == 3
        with pytest.raises(TypeError, match="only support 1D array"):
            add(np.zeros((2, 2)))
        with pytest.raises(TypeError, match=r"incompatible dtype: float32 vs\. float64"):
            add(np.zeros(2), res=result)
        with pytest.raises(TypeError, match="res must be a device array, not ndarray"):
            add(np.zeros(2), res=np.zeros(1))

    def test_every_element_is_combined_once(self):
        either = Reduce(lambda a, b: a ^ b)
        for count in (1, 40, 700, 1500):
            a = np.random.default_rng(count).integers(0, 1 << 40, count)
            assert either(a) == np.bitwise_xor.reduce(a)
            assert either(cuda.to_device(np.repeat(a, 2))[::2]) == np.bitwise_xor.reduce(a)


def instructions(kernel, signature):
    ptx, _ = cuda.compile_ptx(kernel, signature, cc=(9, 0))
    return [line.split()[0] for line in ptx.splitlines() if line.startswith("\t") and ".param" not in line]


@pytest.mark.skipif(bool(config.ENABLE_CUDASIM), reason="the simulator makes no PTX")
class TestCode:
    def test_ufuncs(self):
        _, kernel = adder().functions[np.dtype(np.float64), np.dtype(np.float64)]
        f8 = types.float64
        flat = instructions(kernel.kernel(1, (False, True), True), types.void(f8[::1], types.int64, f8[::1]))
        assert flat.count("ld.global.b64") == flat.count("st.global.b64") == 1
        assert not any(one.startswith(("div", "rem", "call")) for one in flat)
        # Places along the axes are computed in 32 bits, unless there are more.
        for narrow, division in [(True, "div.u32"), (False, "div.u64")]:
            strided = instructions(
                kernel.kernel(3, (False, False), narrow), types.void(f8[:, :, :], f8[:, :, ::1], f8[:, :, ::1])
            )
            assert strided.count(division) == 2
            assert not any(one.startswith("rem") for one in strided)

    @pytest.mark.parametrize("ty", ["int32", "int64", "float32", "float64"])
    def test_reductions(self, ty):
        from numbra.cuda.kernels.reduction import UNROLL, _kernel

        ty = getattr(types, ty)
        signature = types.void(ty[::1], types.int64, ty[::1], types.float64, types.boolean)
        made = instructions(_kernel(lambda a, b: a + b, ty), signature)
        # Reads of tiles do not wait for each other: the first, and those of the loop.
        assert sum(one.startswith("ld.global.") for one in made) >= 2 * UNROLL
        assert made.count("bar.sync") == 1
        assert made.count("shfl.sync.down.b32") >= 9 * ty.bitwidth // 32
        assert not any(one.startswith(("call", "ld.local", "st.local")) for one in made)

    @pytest.mark.parametrize("ty", ["uint8", "boolean", "uint64", "float16", "complex128"])
    def test_reductions_in_shared_memory(self, ty):
        from numbra.cuda.kernels.reduction import _kernel

        ty = getattr(types, ty)
        made = instructions(
            _kernel(max if ty != types.complex128 else lambda a, b: a * b, ty),
            types.void(ty[:], types.int64, ty[::1], ty, types.boolean),
        )
        assert not any(one.startswith("shfl") for one in made)
        assert "bar.sync" in made

    def test_pickling(self):
        import pickle

        add = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(adder()))))
        assert (add.__name__, list(add.functions)) == ("add", list(adder().functions))
        made = pickle.loads(pickle.dumps(TestGufuncs().matmul()))
        assert made.__name__ == "matmul"
        assert [key[0].name for key in made.kernelmap] == ["float32", "float64"]
        assert (made.engine.sin, made.engine.sout) == ([("m", "n"), ("n", "p")], [("m", "p")])
