"""Copies and kernels that overlap: streams, events, and memory of the host that the device may read meanwhile.

usage: streams.py [--size ELEMENTS] [--pictures FOLDER]
"""

import math
import time

import numpy as np
from common import SIMULATED, blocks, check, options, where
from numbra import cuda
from picture import save_spans

STREAMS = 4
KINDS = ("to the device", "kernel", "to the host")


@cuda.jit
def smooth_steps(x, steps):
    """Enough arithmetic for a kernel to take as long as the copies."""
    i = cuda.grid(1)
    if i < x.size:
        value = x[i]
        for _ in range(steps):
            value = math.sqrt(value * value + np.float32(1))
        x[i] = value


def in_streams(host, device, streams, steps):
    """Each part of the array is copied, changed and copied back on a stream of its own.

    Returns the events around each operation, by stream; the host is not kept waiting.
    """
    parts, part = [], len(host) // len(streams)
    begin = cuda.event()
    begin.record(streams[0])
    for k, stream in enumerate(streams):
        marks = [cuda.event() for _ in range(4)]
        mine, there = host[k * part : (k + 1) * part], device[k * part : (k + 1) * part]
        marks[0].record(stream)
        there.copy_to_device(mine, stream=stream)
        marks[1].record(stream)
        smooth_steps[blocks(part, 256), 256, stream](there, steps)
        marks[2].record(stream)
        there.copy_to_host(mine, stream=stream)
        marks[3].record(stream)
        parts.append(marks)
    return begin, parts


def main():
    chosen = options(__doc__, size=1 << 24, simulated=1024)
    size = max(chosen.size // STREAMS, 1) * STREAMS
    steps = 4 if SIMULATED else 400
    print(f"{size} numbers on {STREAMS} streams, {where()}")
    host = cuda.pinned_array(size, np.float32)  # only such memory is copied while the host goes on
    start = np.arange(size, dtype=np.float32) % 100
    device = cuda.device_array(size, np.float32)
    streams = [cuda.stream() for _ in range(STREAMS)]

    host[:] = start
    in_streams(host, device, streams, steps)  # compiles
    cuda.synchronize()
    check("all parts", host, np.sqrt(start.astype(np.float64) ** 2 + steps), rtol=1e-4)

    host[:] = start
    began = time.perf_counter()
    begin, parts = in_streams(host, device, streams, steps)
    submitted = 1e3 * (time.perf_counter() - began)
    cuda.synchronize()
    print(f"host:   free again after {submitted:.2f} ms; everything done after", end=" ")
    last = max(cuda.event_elapsed_time(begin, marks[-1]) for marks in parts)
    print("the end" if SIMULATED else f"{last:.2f} ms")

    with streams[0].auto_synchronize():  # waits at the end of the block
        smooth_steps[1, 1, streams[0]](device, 1)
    if not SIMULATED:
        again = cuda.external_stream(streams[0].handle.value)  # a stream of another library, by its handle
        smooth_steps[1, 1, again](device, 1)
        again.synchronize()

    if chosen.pictures and not SIMULATED:  # whose events have no times
        times = [[cuda.event_elapsed_time(begin, mark) for mark in marks] for marks in parts]
        rows = {
            f"stream {k}": [(kind, marks[j], marks[j + 1]) for j, kind in enumerate(KINDS)]
            for k, marks in enumerate(times)
        }
        save_spans(chosen.pictures / "streams.svg", f"{size} numbers, {where()}", "ms", rows, KINDS)


if __name__ == "__main__":
    main()
