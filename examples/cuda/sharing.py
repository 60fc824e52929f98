"""Memory of other libraries in kernels: the CUDA array interface, CuPy, PyTorch and DLPack, without a copy.

usage: sharing.py [--size ELEMENTS]
"""

import numpy as np
from common import SIMULATED, blocks, check, options, where
from numbra import cuda


@cuda.jit
def add(x, y, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = x[i] + y[i]


class Samples:
    """An owner of device memory that kernels take because it says where the memory is."""

    def __init__(self, count):
        self.memory = cuda.device_array(count, np.float32)

    @property
    def __cuda_array_interface__(self):
        pointer = self.memory.__cuda_array_interface__["data"]
        return {"shape": self.memory.shape, "typestr": "<f4", "data": pointer, "version": 3, "stream": None}


def interface(n):
    samples = Samples(n)
    ones = cuda.to_device(np.ones(n, np.float32))
    add[blocks(n, 64), 64](ones, ones, samples)
    check("an object with an interface", samples.memory.copy_to_host(), np.full(n, 2))
    view = cuda.as_cuda_array(samples)  # the same memory, with slices and copies
    check("as an array", view[: n // 2].copy_to_host(), np.full(n // 2, 2))
    print(", ".join(f"{key}: {value}" for key, value in sorted(ones.__cuda_array_interface__.items()) if key != "data"))


def with_cupy(n):
    try:
        import cupy
    except ImportError:
        print("CuPy is not installed")
        return
    a, b = cupy.arange(n, dtype=cupy.float32), cupy.ones(n, cupy.float32)
    out = cupy.zeros(n, cupy.float32)
    add[1, 32](a, b, out)
    check("CuPy's arrays", cupy.asnumpy(out), np.arange(n) + 1)
    mine = cuda.to_device(np.zeros(n, np.float32))
    theirs = cupy.asarray(mine)
    theirs += 5
    check("CuPy on an array of numbra", mine.copy_to_host(), np.full(n, 5))


def with_torch(n):
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed")
        return
    a = torch.arange(n, device="cuda", dtype=torch.float32)
    out = torch.zeros_like(a)
    add[1, 32](a, a, out)
    check("PyTorch's tensors", out.cpu().numpy(), 2 * np.arange(n))
    taken = cuda.from_dlpack(a)
    assert taken.__cuda_array_interface__["data"][0] == a.data_ptr()
    check("DLPack, from PyTorch", taken.copy_to_host(), np.arange(n))
    given = torch.from_dlpack(cuda.to_device(np.full(n, 7, np.float32)))
    check("DLPack, to PyTorch", given.cpu().numpy(), np.full(n, 7))


def main():
    chosen = options(__doc__, size=100_000, simulated=100)
    print(f"{chosen.size} elements, {where()}")
    if SIMULATED:
        print("the simulator has no device memory to share")
        return
    interface(chosen.size)
    with_cupy(chosen.size)
    with_torch(chosen.size)


if __name__ == "__main__":
    main()
