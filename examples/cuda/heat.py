"""Heat that spreads over a plate: a stencil of five points, step after step on the device.

usage: heat.py [--size ROWS] [--pictures FOLDER]
"""

import numpy as np
from common import SIMULATED, blocks, check, options, show_time, where
from numbra import cuda
from picture import colour, save_png

THREADS = (32, 8)


@cuda.jit
def step(now, then, rate):
    """One step; the border keeps its temperature."""
    x, y = cuda.grid(2)
    rows, cols = now.shape
    if 0 < x < cols - 1 and 0 < y < rows - 1:
        around = now[y - 1, x] + now[y + 1, x] + now[y, x - 1] + now[y, x + 1]
        then[y, x] = now[y, x] + rate * (around - np.float32(4) * now[y, x])


def plate(n):
    """Cold, with a hot edge and some hot spots."""
    field = np.zeros((n, n), np.float32)
    field[0, :] = 1
    for k, (row, col) in enumerate([(0.3, 0.3), (0.6, 0.7), (0.75, 0.25)]):
        r, c, half = int(row * n), int(col * n), max(n // (12 + 4 * k), 1)
        field[r - half : r + half, c - half : c + half] = 1
    return field


def with_numpy(field, rate, steps):
    """The same steps."""
    field = field.astype(np.float64)
    for _ in range(steps):
        inner = field[1:-1, 1:-1]
        around = field[:-2, 1:-1] + field[2:, 1:-1] + field[1:-1, :-2] + field[1:-1, 2:]
        field[1:-1, 1:-1] = inner + rate * (around - 4 * inner)
    return field


def spread(field, rate, steps):
    """The field after the steps: two device arrays take turns, and only the last comes back."""
    now, then = cuda.to_device(field), cuda.to_device(field)
    launch = step[(blocks(field.shape[1], THREADS[0]), blocks(field.shape[0], THREADS[1])), THREADS]
    for _ in range(steps):
        launch(now, then, rate)
        now, then = then, now
    return now.copy_to_host()


def main():
    chosen = options(__doc__, size=1024, simulated=20)
    steps = 4 if SIMULATED else 400
    rate = np.float32(0.2)
    print(f"{chosen.size} x {chosen.size}, {steps} steps, {where()}")
    field = plate(chosen.size)
    after = spread(field, rate, steps)
    check("temperatures", after, with_numpy(field, rate, steps), rtol=1e-4, atol=1e-5)
    show_time(f"{steps} steps", lambda: spread(field, rate, steps), rounds=1)
    if chosen.pictures:
        shown = slice(None, None, max(chosen.size // 256, 1))
        both = np.hstack([field[shown, shown], after[shown, shown]])
        save_png(chosen.pictures / "heat.png", colour(both, 0, 1))


if __name__ == "__main__":
    main()
