"""Random numbers in kernels: xoroshiro128+, one state for each thread.

``create_xoroshiro128p_states`` makes the states on the device; a kernel draws from ``states[index]`` with
``xoroshiro128p_uniform_float32`` and the like. The generator is that of Blackman and Vigna, its states are seeded with
their SplitMix64 and lie 2**64 draws apart. Every value is of a fixed width, so that a kernel in the simulator, whose
integers are NumPy's, draws the same numbers.
"""

import functools
import math
import types as python_types

import numpy as np
from numbra import cuda
from numbra._named import names_of
from numbra.core.types import float32, float64, int64, uint32, uint64

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)

_TWO_PI_FLOAT32 = np.float32(2 * math.pi)
_TWO_PI_FLOAT64 = np.float64(2 * math.pi)


def __getattr__(name: str):
    if name == "xoroshiro128p_type":
        from numbra.np.numpy_support import from_dtype

        return from_dtype(xoroshiro128p_dtype)
    return names_of(__name__)(name)


def _generator(decorate) -> python_types.SimpleNamespace:
    """The generator's functions of integers, each under `decorate`."""

    @decorate
    def init_xoroshiro128p_state(states, index, seed):
        """Sets ``states[index]`` to what follows from a seed of 64 bits, through SplitMix64."""
        index = int64(index)
        z = uint64(seed) + uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> uint32(30))) * uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> uint32(27))) * uint64(0x94D049BB133111EB)
        z = z ^ (z >> uint32(31))
        states[index]["s0"] = z
        states[index]["s1"] = z

    @decorate
    def rotl(x, k):
        """`x` of 64 bits, rotated left by `k`."""
        x = uint64(x)
        k = uint32(k)
        return (x << k) | (x >> uint32(64 - k))

    @decorate
    def xoroshiro128p_next(states, index):
        """Draws 64 random bits."""
        index = int64(index)
        s0 = states[index]["s0"]
        s1 = states[index]["s1"]
        result = s0 + s1
        s1 ^= s0
        states[index]["s0"] = uint64(rotl(s0, uint32(55))) ^ s1 ^ (s1 << uint32(14))
        states[index]["s1"] = uint64(rotl(s1, uint32(36)))
        return result

    @decorate
    def xoroshiro128p_jump(states, index):
        """Moves ``states[index]`` on by 2**64 draws."""
        index = int64(index)
        jump = (uint64(0xBEAC0467EBA5FACB), uint64(0xD86B048B86AA9922))
        s0 = uint64(0)
        s1 = uint64(0)
        for i in range(2):
            for b in range(64):
                if jump[i] & (uint64(1) << uint32(b)):
                    s0 ^= states[index]["s0"]
                    s1 ^= states[index]["s1"]
                xoroshiro128p_next(states, index)
        states[index]["s0"] = s0
        states[index]["s1"] = s1

    return python_types.SimpleNamespace(**locals())


_in_kernel = _generator(cuda.jit(device=True))
init_xoroshiro128p_state = _in_kernel.init_xoroshiro128p_state
rotl = _in_kernel.rotl
xoroshiro128p_next = _in_kernel.xoroshiro128p_next
xoroshiro128p_jump = _in_kernel.xoroshiro128p_jump


@cuda.jit(device=True)
def uint64_to_unit_float64(x):
    """64 random bits as a float64 in [0, 1)."""
    x = uint64(x)
    return (x >> uint32(11)) * (float64(1) / (uint64(1) << uint32(53)))


@cuda.jit(device=True)
def uint64_to_unit_float32(x):
    """64 random bits as a float32 in [0, 1)."""
    return float32(uint64_to_unit_float64(uint64(x)))


@cuda.jit(device=True)
def xoroshiro128p_uniform_float32(states, index):
    """Draws a float32 in [0, 1)."""
    return uint64_to_unit_float32(xoroshiro128p_next(states, int64(index)))


@cuda.jit(device=True)
def xoroshiro128p_uniform_float64(states, index):
    """Draws a float64 in [0, 1)."""
    return uint64_to_unit_float64(xoroshiro128p_next(states, int64(index)))


@cuda.jit(device=True)
def xoroshiro128p_normal_float32(states, index):
    """Draws a float32 of mean 0 and deviation 1, by Box and Muller; moves on by two draws."""
    index = int64(index)
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return math.sqrt(-float32(2.0) * math.log(u1)) * math.cos(_TWO_PI_FLOAT32 * u2)


@cuda.jit(device=True)
def xoroshiro128p_normal_float64(states, index):
    """Draws a float64 of mean 0 and deviation 1, by Box and Muller; moves on by two draws.

    Its uniform numbers are drawn as float32, as Numba's are.
    """
    index = int64(index)
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return math.sqrt(-float64(2.0) * math.log(u1)) * math.cos(_TWO_PI_FLOAT64 * u2)


@functools.cache
def _init_on_cpu():
    from numbra import njit

    generator = _generator(njit)
    init_state, jump = generator.init_xoroshiro128p_state, generator.xoroshiro128p_jump

    @njit
    def init(states, seed, subsequence_start):
        count = states.shape[0]
        if count >= 1:
            init_state(states, 0, seed)
            for _ in range(subsequence_start):
                jump(states, 0)
            for i in range(1, count):
                states[i] = states[i - 1]
                jump(states, i)

    return init


def init_xoroshiro128p_states_cpu(states, seed, subsequence_start):
    """Sets the states in an array on the host, as `init_xoroshiro128p_states` does."""
    _init_on_cpu()(states, np.uint64(seed), np.uint64(subsequence_start))


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    """Sets states on the device, each 2**64 draws after the one before.

    The first is `subsequence_start` times 2**64 draws after what follows from the seed.
    """
    on_host = np.empty(shape=tuple(states.shape), dtype=xoroshiro128p_dtype)
    init_xoroshiro128p_states_cpu(on_host, seed, subsequence_start)
    states.copy_to_device(on_host, stream=stream)


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """A device array of `n` states: see `init_xoroshiro128p_states`."""
    states = cuda.device_array(n, dtype=xoroshiro128p_dtype, stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states
