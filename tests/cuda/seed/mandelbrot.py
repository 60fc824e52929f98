"""The kernel of ``examples/cuda/mandelbrot.py``, which rows run as users do, and its counterpart of the CPU."""

import runpy
import sys

from . import ROOT

_FOLDER = ROOT / "examples" / "cuda"
sys.path.insert(0, str(_FOLDER))
try:
    _EXAMPLE = runpy.run_path(str(_FOLDER / "mandelbrot.py"))
finally:
    sys.path.remove(str(_FOLDER))
REGION, draw, draw_kernel = (_EXAMPLE[name] for name in ("REGION", "draw", "draw_kernel"))


def interpret(image, most):
    """The image that they draw, by the interpreter."""
    height, width = image.shape
    x0, x1, y0, y1 = REGION
    dx, dy = (x1 - x0) / width, (y1 - y0) / height
    for row in range(height):
        for col in range(width):
            image[row, col] = _EXAMPLE["escape"].py_func(x0 + col * dx, y0 + row * dy, most)
