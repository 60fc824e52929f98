"""The programs of `examples/cuda`: they run in the simulator and draw, and their kernels compile for GPUs."""

import importlib
import os
import re
import subprocess
import sys
import xml.etree.ElementTree
import zlib

import numbra as nb
import numpy as np
import pytest
from folders import ROOT
from numbra import cuda
from numbra.core import config
from numbra.cuda.random import xoroshiro128p_dtype
from numbra.types import float32, float64, int32, int64, uint8

FOLDER = ROOT / "examples" / "cuda"
SHARED = {"common", "picture"}
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in SHARED)
DRAWN = {
    "black_scholes": "svg",
    "heat": "png",
    "histogram": "svg",
    "mandelbrot": "png",
    "matmul": "png",
    "pi": "svg",
    "ufuncs": "svg",
}
"""The pictures that are drawn in the simulator too."""

single, double, plane = float32[::1], float64[::1], float32[:, ::1]
states = nb.from_dtype(xoroshiro128p_dtype)[::1]
KERNELS = [
    ("black_scholes", "price", (*(single,) * 5, float32, float32)),
    ("debugging", "checked", (double,)),
    ("debugging", "reciprocal", (double,)),
    ("heat", "step", (plane, plane, float32)),
    ("hidden_layer", "activate", (single, single)),
    ("hidden_layer", "normalize", (single, single)),
    ("hidden_layer", "weigh", (single, single, single)),
    ("histogram", "count", (single, float32, float32, int32[::1])),
    ("histogram", "count_in_blocks", (single, float32, float32, int32[::1])),
    ("histogram", "extremes", (single, single)),
    ("launches", "add", (double, double, double)),
    ("launches", "add_in_strides", (double, double, double)),
    ("launches", "normalize_rows", (plane,)),
    ("launches", "round_to", (double, double, int64)),
    ("launches", "scale_and_shift", (plane, float64, int64)),
    ("mandelbrot", "draw_kernel", (*(float64,) * 4, uint8[:, ::1], int64)),
    ("matmul", "product", (plane, plane, plane)),
    ("matmul", "product_of_tiles", (plane, plane, plane)),
    ("pi", "on_gpu", (states, int64, double)),
    ("reductions", "rows", (float64[:, ::1], double, double, double)),
    ("reductions", "sum_by_shuffles", (double, double)),
    ("reductions", "sum_by_tree", (double, double)),
    ("shared_code", "clamp_array", (double, float64, float64, double)),
    ("shared_code", "cosines", (double, double)),
    ("sharing", "add", (single, single, single)),
    ("streams", "smooth_steps", (single, int64)),
    ("widening", "widened", (single, single)),
]


def run(name, *args, simulated=True, **settings):
    """Standard output of a program; it must end with status 0."""
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1" if simulated else "0", **settings}
    command = [sys.executable, str(FOLDER / f"{name}.py"), *map(str, args)]
    ran = subprocess.run(command, capture_output=True, text=True, env=env, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def image(path):
    """Width, height and bytes of a picture element of a PNG, after its checksums."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert zlib.crc32(name + body) == int.from_bytes(data[at + 8 + size : at + 12 + size], "big")
        chunks[name] = body
        at += 12 + size
    width, height = (int.from_bytes(chunks[b"IHDR"][k : k + 4], "big") for k in (0, 4))
    channels = {0: 1, 2: 3}[chunks[b"IHDR"][9]]
    assert len(zlib.decompress(chunks[b"IDAT"])) == height * (1 + width * channels)
    return width, height, channels


def check_picture(path):
    if path.suffix == ".png":
        width, height, channels = image(path)
        assert width >= height and channels == 3
        return
    drawing = xml.etree.ElementTree.parse(path).getroot()
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    kinds = {element.tag.rpartition("}")[2] for element in drawing}
    assert kinds & {"polyline", "rect"} and "text" in kinds
    assert "nan" not in path.read_text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_in_the_simulator(name, tmp_path):
    drawing = name in DRAWN
    out = run(name, *(["--pictures", tmp_path] if drawing else []))
    assert out
    found = [path.name for path in tmp_path.iterdir()]
    assert found == ([f"{name}.{DRAWN[name]}"] if drawing else [])
    for path in tmp_path.iterdir():
        check_picture(path)


@pytest.mark.skipif(not hasattr(config, "CUDA_TARGET"), reason="kernels do not run on the processor yet")
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_the_processor(name):
    """Native code, with device arrays and everything that the simulator leaves out."""
    size = ["--size", 64] if name not in ("debugging", "widening") else []
    assert run(name, *size, simulated=False, NUMBRA_CUDA_TARGET="cpu")


def test_without_a_gpu():
    """One needs none; the others say what to do."""
    assert "'add.f64': 2" in run("widening", simulated=False)
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "0", "NUMBA_DISABLE_CUDA": "1"}
    command = [sys.executable, str(FOLDER / "heat.py")]
    ran = subprocess.run(command, capture_output=True, text=True, env=env)
    assert ran.returncode == 1 and "NUMBA_ENABLE_CUDASIM=1" in ran.stderr


@pytest.mark.parametrize(("size", "text"), [("0", "at least 1"), ("x", "invalid int value")])
def test_wrong_sizes(size, text):
    command = [sys.executable, str(FOLDER / "heat.py"), "--size", size]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 2 and text in ran.stderr


@pytest.fixture
def module(monkeypatch):
    """A program as a module; what it imported from its folder is forgotten again."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if name in {*PROGRAMS, *SHARED}:
            del sys.modules[name]


@pytest.mark.parametrize(("program", "name", "args"), KERNELS, ids=lambda x: x if isinstance(x, str) else "")
def test_kernels_compile(program, name, args, module):
    function = getattr(module(program), name)
    ptx, _ = cuda.compile_ptx(getattr(function, "py_func", function), args, cc=(9, 0))
    assert ".visible .entry" in ptx


def test_every_kernel_is_compiled(module):
    """A kernel that is not in the list is not tested for GPUs."""
    listed = {(program, name) for program, name, _ in KERNELS}
    for program in PROGRAMS:
        for name, value in vars(module(program)).items():
            kernel = type(value) is type(cuda.jit(lambda: None)) and not value.targetoptions.get("device")
            assert not kernel or (program, name) in listed, (program, name)


def test_the_list_and_the_pictures():
    text = (FOLDER / "README.md").read_text()
    assert sorted(re.findall(r"^\| \[`(\w+)\.py`\]", text, re.MULTILINE)) == PROGRAMS
    for name, suffix in DRAWN.items():
        check_picture(ROOT / "docs" / "cuda" / "pictures" / f"{name}.{suffix}")


def test_colours_and_ticks(module):
    picture = module("picture")
    assert picture.colour(np.zeros((2, 3))).shape == (2, 3, 3)
    assert picture.colour([0.0, 1.0]).tolist() == [[8, 8, 40], [252, 250, 190]]
    for low, high in [(0, 1), (-3, 1e6), (2.7, 2.8), (0, 3e-9)]:
        ticks = picture._ticks(low, high)
        assert 2 <= len(ticks) <= 8 and low <= ticks[0] and ticks[-1] <= high * (1 + 1e-9)


def test_time_lines(module, tmp_path):
    """What `streams.py` draws on a GPU: a bar for each operation, in the row of its stream, at its time."""
    path = tmp_path / "streams.svg"
    rows = {"stream 0": [("copy", 0.0, 1.0), ("kernel", 1.0, 4.0)], "stream 1": [("copy", 1.0, 2.0)]}
    module("picture").save_spans(path, "two & two", "ms", rows, ["copy", "kernel"])
    check_picture(path)
    drawing = xml.etree.ElementTree.parse(path).getroot()
    bars = [e.attrib for e in drawing if e.tag.endswith("rect") and e.get("x")]
    assert len(bars) == 3 and len({bar["fill"] for bar in bars}) == 2
    x, width = ([float(bar[name]) for bar in bars] for name in ("x", "width"))
    assert width[1] == pytest.approx(3 * width[0], abs=0.1) and x[1] == x[2] == pytest.approx(x[0] + width[0], abs=0.1)
    assert bars[0]["y"] == bars[1]["y"] != bars[2]["y"]
