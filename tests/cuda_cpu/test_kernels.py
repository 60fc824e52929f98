"""Kernels on the CPU: arguments, exceptions, printing, the library, and what is around a launch."""

import cmath
import collections
import enum
import itertools
import math
import threading

import numpy as np
import pytest
from numbra import cuda, njit
from numbra.core import types
from numbra.core.errors import UnsupportedError
from numbra.cuda import libdevice

pytestmark = pytest.mark.filterwarnings("ignore::numbra.core.errors.NumbaPerformanceWarning")


class Colour(enum.IntEnum):
    RED = 3


Point = collections.namedtuple("Point", "x y")


class TestArguments:
    def test_of_all_kinds(self):
        record = np.dtype([("a", np.int16), ("b", np.complex64)], align=True)

        @cuda.jit
        def kernel(out, f, b, c, pair, point, colour, times, given, strided, nothing):
            t = cuda.threadIdx.x
            out[t] = f + b + c.real - c.imag + pair[0] + pair[1][t] + point.x * point.y
            out[t] += colour.value + given[t].a + given[t].b.imag + strided[t, 1]
            if nothing is None:
                out[t] += 0.25
            if times[0] > times[1]:
                out[t] += 0.5

        given = np.zeros(4, record)
        given["a"], given["b"] = np.arange(4), 2j
        strided = np.arange(24.0).reshape(4, 6)[:, ::2]
        out = np.zeros(4)
        ones = np.ones(4, np.int8)
        times = np.timedelta64(2, "s"), np.timedelta64(1, "s")
        kernel[1, 4](
            out, 1.5, True, 3 - 4j, (7, ones), Point(2, np.float32(5)), Colour.RED, times, given, strided, None
        )  # fmt: skip
        expected = 1.5 + 1 + 3 + 4 + 7 + 1 + 10 + 3 + np.arange(4) + 2 + strided[:, 1] + 0.75
        np.testing.assert_array_equal(out, expected)

    def test_small_numbers_and_halves(self):
        @cuda.jit
        def kernel(out, a, b, c):
            out[0] = a + b
            out[1] = c

        out = np.zeros(2)
        kernel[1, 1](out, np.int8(-3), np.uint16(65535), np.float16(0.5))
        assert out.tolist() == [65532, 0.5]

    def test_any_number_of_arguments(self):
        @cuda.jit
        def kernel(out, *given):
            out[0] = len(given)
            for array in given:
                out[1] += array[cuda.grid(1)]

        @cuda.jit
        def of_tuples(out, *given):
            out[0], out[1] = len(given), given[0][1]

        for count in (1, 3):
            out = np.zeros(2)
            kernel[1, 1](out, *[np.full(1, 5.0)] * count)
            assert out.tolist() == [count, 5 * count]
        out = np.zeros(2)
        of_tuples[1, 1](out, (7, 2.5))  # one argument, which is a tuple
        assert out.tolist() == [1, 2.5]

    def test_device_arrays_stay_where_they_are(self):
        @cuda.jit
        def kernel(x):
            x[cuda.grid(1)] *= 2

        x = cuda.to_device(np.arange(10.0))
        stream = cuda.stream()
        for _ in range(3):
            kernel[2, 5, stream](x)
        stream.synchronize()
        np.testing.assert_array_equal(x.copy_to_host(), np.arange(10) * 8)
        pinned, mapped = cuda.pinned_array(4), cuda.mapped_array(4)
        pinned[:], mapped[:] = 1, 2
        kernel[1, 4](pinned)
        kernel[1, 4](mapped)
        assert (pinned == 2).all()
        assert (mapped == 4).all()

    def test_no_elements(self):
        @cuda.jit
        def kernel(x):
            if cuda.grid(1) < x.size:
                x[cuda.grid(1)] = 1

        kernel[1, 32](np.zeros(0))
        kernel.forall(0)(np.zeros(0))
        x = np.zeros(1000)
        kernel.forall(1000)(x)
        assert x.all()

    def test_arrays_that_cannot_be_written(self):
        @cuda.jit
        def kernel(x, out):
            out[0] = x[0]

        x, out = np.full(3, 7.0), np.zeros(1)
        x.flags.writeable = False
        for hint in (lambda a: a, cuda.InOut, cuda.Out):
            with pytest.raises(ValueError, match=r"read-only, .*: pass cuda.In\(array\)"):
                kernel[1, 1](hint(x), out)
        kernel[1, 1](cuda.In(x), out)
        kernel[1, 1](cuda.to_device(x), out)
        assert out[0] == 7


class TestExceptions:
    def test_class_message_and_place(self):
        @cuda.jit(debug=True, opt=False)
        def kernel(x):
            x[cuda.grid(1)] = 1
            if cuda.grid(1) == 70:
                raise ValueError("not 70", 3)

        x = cuda.to_device(np.zeros(128))
        with pytest.raises(ValueError, match="not 70") as caught:
            kernel[2, 64](x)
        assert "In function 'kernel'" in str(caught.value)
        assert "tid=[0, 0, 6] ctaid=[0, 0, 1]" in str(caught.value)
        assert caught.value.args[1] == 3
        assert (x.copy_to_host() == 1).all()

    def test_of_a_device_function_behind_a_barrier(self):
        @cuda.jit(device=True, debug=True, opt=False)
        def quotient(a, b):
            return a // b

        @cuda.jit(debug=True, opt=False)
        def kernel(x):
            t = cuda.threadIdx.y
            cuda.syncthreads()
            x[t] = quotient(10, t - 3)
            x[t] += cuda.syncthreads_count(1)

        x = cuda.to_device(np.zeros(8, np.int64))
        with pytest.raises(ZeroDivisionError, match=r"tid=\[0, 3, 0\] ctaid=\[0, 0, 0\]"):
            kernel[1, (1, 8)](x)

    def test_without_debug_the_thread_ends(self):
        @cuda.jit
        def kernel(x):
            t = cuda.grid(1)
            if t == 2:
                raise ValueError
            x[t] = 1

        x = np.zeros(4)
        kernel[1, 4](x)
        assert x.tolist() == [1, 1, 0, 1]

    def test_bounds(self):
        @cuda.jit(boundscheck=True)
        def kernel(x):
            x[cuda.grid(1)] = 1

        x = np.zeros(100)
        kernel[1, 100](x)
        with pytest.raises(IndexError, match=r"line \d+, tid=\[0, 0, 36\] ctaid=\[0, 0, 1\].*out of bounds"):
            kernel[2, 64](x)

    def test_what_kernels_do_not_have(self):
        @cuda.jit
        def allocates(x):
            x[0] = np.zeros(x.size).sum()

        with pytest.raises(UnsupportedError, match="not available on this target"):
            allocates[1, 1](np.zeros(1))

        @cuda.jit
        def unknown(x):
            x[0] = libdevice.cyl_bessel_i0(x[0])

        with pytest.raises(UnsupportedError, match=r"libdevice\.cyl_bessel_i0.*no counterpart on the CPU"):
            unknown[1, 1](np.zeros(1))


class TestLibrary:
    def test_functions_of_libdevice(self):
        @cuda.jit
        def kernel(x, out):
            out[0] = libdevice.sin(x[0])
            out[1] = libdevice.rsqrt(x[0])
            out[2] = libdevice.fma(x[0], x[0], 1.0)
            s, c = libdevice.sincospi(x[0])
            out[3], out[4] = s, c
            fraction, exponent = libdevice.frexp(x[0])
            out[5] = fraction * 100 + exponent
            out[6] = libdevice.ddiv_rd(1.0, 3.0)
            out[7] = libdevice.ddiv_ru(1.0, 3.0)
            out[8] = libdevice.popc(255) + libdevice.clz(1) + libdevice.ffs(8) + libdevice.brev(1)
            out[9] = libdevice.fast_expf(np.float32(1))
            out[10] = libdevice.normcdf(0.0)
            out[11] = libdevice.j0(x[0])

        x, out = np.array([0.25]), np.zeros(12)
        kernel[1, 1](x, out)
        assert out[0] == math.sin(0.25)
        np.testing.assert_allclose(out[1:6], [2, 1.0625, 0.5**0.5, 0.5**0.5, 50 - 1])
        assert out[6] < out[7]
        assert 1 / 3 in out[6:8]
        assert out[8] == 8 + 31 + 4 - 2**31
        np.testing.assert_allclose(out[9:], [math.e, 0.5, 0.98443592929585], rtol=1e-6)

    def test_mathematics_and_bits(self):
        @cuda.jit
        def kernel(x, z, out):
            t = cuda.threadIdx.x
            out[t, 0] = math.exp(x[t]) + math.erf(x[t]) + math.pow(x[t], 1.5) + math.gamma(x[t] + 1)
            out[t, 1] = abs(z[t] * z[t]) + cmath.phase(z[t])
            out[t, 2] = (
                cuda.popc(t) + cuda.clz(np.int32(t + 1)) + cuda.ffs(t) + cuda.cbrt(x[t]) + cuda.fma(2.0, 3.0, 4.0)
            )
            out[t, 3] = min(x[t], 0.5) + round(x[t], 1) + math.fmod(x[t], 0.3)

        x = np.linspace(0, 1, 8)
        z = x + 1j
        out = np.zeros((8, 4))
        kernel[1, 8](x, z, out)
        for t in range(8):
            expected = [
                math.exp(x[t]) + math.erf(x[t]) + x[t] ** 1.5 + math.gamma(x[t] + 1),
                abs(z[t] * z[t]) + cmath.phase(z[t]),
                t.bit_count() + 32 - (t + 1).bit_length() + ((t & -t).bit_length()) + np.cbrt(x[t]) + 10,
                min(x[t], 0.5) + round(x[t], 1) + math.fmod(x[t], 0.3),
            ]
            np.testing.assert_allclose(out[t], expected, rtol=1e-13)

    @pytest.mark.parametrize("name", ["atan", "atanh"])
    def test_complex_numbers_near_poles_and_far_away(self, name):
        function = getattr(cmath, name)

        @cuda.jit
        def kernel(r, z):
            i = cuda.grid(1)
            if i < z.size:
                r[i] = function(z[i])

        parts = [0.0, 1e-310, 1e-300, 1e-20, 0.3, 1 - 1e-9, 1.0, 1 + 1e-12, 2.5, 1e10, 1e200, 1e308, math.inf]
        parts += [-x for x in parts] + [math.nan]
        z = np.array([complex(x, y) for x, y in itertools.product(parts, parts)])
        z = np.array([x for x in z if x not in (1, -1, 1j, -1j)])  # CPython's errors
        got = np.zeros_like(z)
        kernel[(z.size + 63) // 64, 64](got, z)
        want = np.array([function(x) for x in z])
        for one, other in (got.real, want.real), (got.imag, want.imag):
            np.testing.assert_allclose(one, other, rtol=1e-15, atol=1e-309)

    def test_ufuncs_and_reductions(self):
        @cuda.vectorize("float64(float64, float64)")
        def hypotenuse(a, b):
            return math.sqrt(a * a + b * b)

        x = np.arange(1000.0)
        np.testing.assert_allclose(hypotenuse(x, 2 * x), x * 5**0.5)

        @cuda.guvectorize("void(float64[:], float64[:])", "(n)->()")
        def total(x, out):
            out[0] = 0
            for item in x:
                out[0] += item

        np.testing.assert_allclose(total(x.reshape(10, 100)), x.reshape(10, 100).sum(axis=1))
        largest = cuda.reduce(lambda a, b: max(a, b))
        assert largest(x) == 999

    def test_random_numbers_are_those_of_a_gpu(self):
        from numbra.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

        @cuda.jit
        def kernel(states, out):
            i = cuda.grid(1)
            out[i] = xoroshiro128p_uniform_float64(states, i)

        out = np.zeros(64)
        kernel[2, 32](create_xoroshiro128p_states(64, seed=1), out)
        assert len(set(out)) == 64
        assert 0 <= out.min() < out.max() < 1

    def test_prints(self, capfd):
        @cuda.jit
        def kernel(x):
            if cuda.grid(1) < 2:
                print("thread", cuda.grid(1), x[0], 5 > 3, (1, 2.5), cuda.blockIdx)

        kernel[1, 32](np.ones(1, np.float32))
        cuda.synchronize()
        expected = [f"thread {i} 1.000000 True (1, 2.500000) (0, 0, 0)" for i in range(2)]
        assert capfd.readouterr().out.splitlines() == expected

    def test_device_functions_recursion_and_constants(self):
        table = np.arange(10.0) ** 2

        @cuda.jit
        def fib(n):
            return n if n < 2 else fib(n - 1) + fib(n - 2)

        @njit
        def place():
            return cuda.grid(1)

        @cuda.jit
        def kernel(out):
            constant = cuda.const.array_like(table)
            cuda.syncthreads()
            out[place()] = fib(cuda.threadIdx.x) + constant[cuda.threadIdx.x]

        out = np.zeros(10)
        kernel[1, 10](out)
        np.testing.assert_array_equal(out, np.add(table, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]))


class TestAround:
    def test_the_device(self):
        assert cuda.is_available()
        assert len(cuda.gpus) == 1
        device = cuda.get_current_device()
        assert device.name.decode().startswith("CPU") if isinstance(device.name, bytes) else "CPU" in device.name
        assert device.compute_capability == (9, 0)
        free, total = cuda.current_context().get_memory_info()
        assert 0 < free <= total

    def test_texts_of_stages(self):
        @cuda.jit
        def kernel(x):
            x[cuda.grid(1)] = 1
            cuda.syncthreads()

        kernel[1, 1](np.zeros(1))
        assert "numbra_rt_device_barrier" in kernel.inspect("lir-opt")
        assert "device barrier" in kernel.inspect("lir")
        assert "mov" in kernel.inspect("asm")
        assert "bar.sync" in next(iter(kernel.inspect_asm().values()))
        assert kernel.get_shared_mem_per_block(kernel.signatures[0]) == 0
        ptx, _ = cuda.compile_ptx(lambda x: None, (types.float64[:],))
        assert ".visible .entry" in ptx

    def test_a_reset_ends_kernels_and_memory(self):
        @cuda.jit
        def kernel(x):
            x[0] += 1

        x = np.zeros(1)
        kernel[1, 1](x)
        cuda.get_current_device().reset()
        kernel[1, 1](x)
        assert x[0] == 2

    def test_events_measure(self):
        start, end = cuda.event(), cuda.event()
        start.record()
        end.record()
        assert 0 <= cuda.event_elapsed_time(start, end) < 10_000

    def test_launches_from_many_threads(self):
        @cuda.jit
        def kernel(x, out):
            part = cuda.shared.array(64, types.float64)
            t = cuda.threadIdx.x
            part[t] = x[cuda.grid(1)]
            cuda.syncthreads()
            out[cuda.grid(1)] = part[63 - t]

        failed = []

        def work(number):
            for _ in range(20):
                x, out = np.arange(640.0) + number, np.zeros(640)
                kernel[10, 64](x, out)
                if not (out.reshape(10, 64)[:, ::-1].ravel() == x).all():
                    failed.append(number)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed

    def test_code_for_gpus_cannot_be_linked(self):
        with pytest.raises(NotImplementedError, match="cannot link"):
            cuda.jit("void()", link=[cuda.PTXSource(b"", "x.ptx")])(lambda: None)

    def test_the_library_of_a_kernel_leads_to_its_function(self):
        @cuda.jit("void(int64[::1])")
        def kernel(x):
            x[cuda.grid(1)] = 1

        (code,) = kernel.overloads.values()
        function = code._codelibrary.get_cufunc()
        function.cache_config(prefer_shared=True)
        function.set_shared_memory_carveout(50)
        with pytest.raises(ValueError):
            function.set_shared_memory_carveout(101)
        assert code._codelibrary._linking_files == set()
