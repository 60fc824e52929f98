"""Transposing device arrays."""

import functools

from numbra._named import names_of

__getattr__ = names_of(__name__)

#: Side of the tiles that blocks move.
TILE = 32
#: Rows of threads of a block: each thread moves several elements.
ROWS = 8


@functools.cache
def _kernel(dtype):
    """The kernel for an element type.

    A block reads a tile row by row and writes it column by column, through shared memory, so that neighbouring threads
    read and write neighbouring elements. Rows of the shared tile are one element longer, so that a column of it lies in
    different banks.
    """
    from numbra import cuda

    width, rows, padded = TILE, ROWS, TILE + 1

    @cuda.jit
    def transpose(source, target):
        tile = cuda.shared.array((width, padded), dtype)
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        left, top = cuda.blockIdx.x * width, cuda.blockIdx.y * width
        for row in range(y, width, rows):
            if top + row < source.shape[0] and left + x < source.shape[1]:
                tile[row, x] = source[top + row, left + x]
        cuda.syncthreads()
        for row in range(y, width, rows):
            if left + row < target.shape[0] and top + x < target.shape[1]:
                target[left + row, top + x] = tile[x, row]

    return transpose


def transpose(a, b=None):
    """The two-dimensional array ``a`` with its axes exchanged, in ``b`` or in a new array."""
    from numbra.cuda.api import current_context, device_array
    from numbra.cuda.cudadrv.layout import record_type

    if b is None:
        # In the order of the old one.
        order = "F" if a.is_f_contiguous() and not a.is_c_contiguous() else "C"
        b = device_array(a.shape[::-1], a.dtype, order=order, stream=a.stream)
    if a.size == 0:
        return b
    stream = a.stream or current_context().get_default_stream()
    grid = -(-a.shape[1] // TILE), -(-a.shape[0] // TILE)
    _kernel(record_type(a.dtype))[grid, (TILE, ROWS), stream](a, b)
    if not a.stream:
        stream.synchronize()
    return b
