"""Ufuncs and gufuncs of ``target="cuda"``, and the kernels of reductions, run in the simulator: this file runs itself once more, with it on."""

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

    def test_options(self):
        def f(x, y):
            y[0] = x[0]

        with pytest.raises(TypeError, match=r"guvectorized functions cannot return values: signature .* return type"):
            guvectorize(["int32(int32[:], int32[:])"], "(n)->(n)", target="cuda")(f)
        with pytest.raises(TypeError, match="caching is not supported"):
            guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", target="cuda", cache=True)(f)
        with pytest.raises(TypeError, match="The following target options are not supported: 'fastmath'"):
            guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", target="cuda", fastmath=True)(f)
        with pytest.raises(ValueError, match="gufunc signature mismatch: ndim>0 for scalar"):
            guvectorize(["void(int32, int32[:])"], "(n)->(n)", target="cuda")(f)


@in_simulator
class TestReductions:
    @pytest.mark.parametrize("count", [1, 2, 3, 64, 127, 128, 129, 300, 1025])
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
