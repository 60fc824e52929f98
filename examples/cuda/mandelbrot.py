"""The Mandelbrot set: by the interpreter, compiled for the CPU, as a kernel and as a ufunc of the GPU.

usage: mandelbrot.py [--size ROWS] [--pictures FOLDER]
"""

import numbra as nb
import numpy as np
from common import blocks, check, options, show_time, where
from numbra import cuda
from picture import colour, save_png

ITERATIONS = 20
REGION = (-2.0, 1.0, -1.0, 1.0)


@nb.njit
def escape(x, y, most):
    """How soon the point leaves the circle of radius 2, of 255; 255 for one that stays."""
    c = complex(x, y)
    z = 0j
    for i in range(most):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return 255 * i // most
    return 255


@nb.njit
def draw(x0, x1, y0, y1, image, most):
    """All points, one after the other."""
    height, width = image.shape
    dx, dy = (x1 - x0) / width, (y1 - y0) / height
    for row in range(height):
        for col in range(width):
            image[row, col] = escape(x0 + col * dx, y0 + row * dy, most)


@cuda.jit
def draw_kernel(x0, x1, y0, y1, image, most):
    """A thread for each point; `escape` is the function that the CPU uses."""
    height, width = image.shape
    dx, dy = (x1 - x0) / width, (y1 - y0) / height
    col, row = cuda.grid(2)
    if col < width and row < height:
        image[row, col] = escape(x0 + col * dx, y0 + row * dy, most)


@nb.vectorize(["uint8(float64, float64)"], target="cuda")
def draw_ufunc(x, y):
    """A number for each point; the ufunc chooses blocks and threads."""
    return escape(x, y, ITERATIONS)


def main():
    chosen = options(__doc__, size=2048, simulated=32)
    height, width = chosen.size, chosen.size * 3 // 2
    x0, x1, y0, y1 = REGION
    print(f"{width} x {height} points, {ITERATIONS} iterations, {where()}")

    # The first launch copies the image there and back again: it is an array of the host.
    image = np.zeros((height, width), np.uint8)
    threads = (16, 16)
    config = (blocks(width, threads[0]), blocks(height, threads[1])), threads
    draw_kernel[config](*REGION, image, ITERATIONS)

    on_cpu = np.zeros_like(image)
    draw(*REGION, on_cpu, ITERATIONS)
    different = np.mean(image != on_cpu)
    assert different <= 1e-3, f"{different:.2%} of the points differ from the CPU's"
    print(f"kernel: {1 - different:.2%} of the points are those of the CPU")  # contraction moves some on the border

    part = np.zeros((8, 12), np.uint8)
    compiled = np.zeros_like(part)
    draw.py_func(*REGION, part, ITERATIONS)
    draw(*REGION, compiled, ITERATIONS)
    check("compiled for the CPU", compiled, part)

    x = np.linspace(x0, x1, width, endpoint=False)
    y = np.linspace(y0, y1, height, endpoint=False)[:, None]
    by_ufunc = draw_ufunc(x, y)
    assert by_ufunc.shape == image.shape and np.mean(by_ufunc != image) <= 1e-2
    print("ufunc: a row of x and a column of y are spread to the image")

    on_device = cuda.to_device(image)
    show_time("CPU", lambda: draw(*REGION, on_cpu, ITERATIONS))
    kernel = draw_kernel[config]
    show_time("kernel", lambda: kernel(*REGION, on_device, ITERATIONS))
    x_device, y_device = (cuda.to_device(np.broadcast_to(v, image.shape).copy()) for v in (x, y))
    show_time("ufunc", lambda: draw_ufunc(x_device, y_device, out=on_device))

    if chosen.pictures:
        save_png(chosen.pictures / "mandelbrot.png", colour(image, 0, 255))


if __name__ == "__main__":
    main()
