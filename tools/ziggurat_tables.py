"""Writes ``numbra-runtime/src/random/ziggurat_tables.rs``: the tables of Marsaglia and Tsang's ziggurat for 256 strips.

A stream is NumPy's only if every bit of the tables is. NumPy's were rounded several times on their way, so that they
cannot be computed again: this computes them nearly, finds the array in NumPy's library that is so near, and takes its
numbers.
"""

import math
from pathlib import Path

import numpy as np

STRIPS = 256
NORMAL_END, NORMAL_AREA = 3.654152885361009, 0.004928673233974655
EXP_END, EXP_AREA = 7.697117470131050, 0.003949659822581557
TOLERANCE = 1e-6


def tables(end, area, density, inverse, mantissa):
    """Limits of the sure part, widths and heights of the strips; strip 0 is the lowest one, with the tail."""
    x = [0.0] * STRIPS
    height = [1.0] * STRIPS
    x[-1], height[-1] = end, density(end)
    for i in range(STRIPS - 2, 0, -1):
        height[i] = area / x[i + 1] + height[i + 1]
        x[i] = inverse(height[i])
    limits = [end * height[-1] / area * mantissa, 0.0]
    limits += [x[i - 1] / x[i] * mantissa for i in range(2, STRIPS)]
    widths = [area / height[-1] / mantissa] + [x[i] / mantissa for i in range(1, STRIPS)]
    return limits, widths, height


def found(library: bytes, near, dtype) -> np.ndarray:
    """The one array of NumPy's library that is near these numbers."""
    near = np.array(near)
    size = np.dtype(dtype).itemsize
    places = set()
    for start in range(0, size, 2):  # members of an archive start at even places
        data = np.frombuffer(library, dtype, (len(library) - start) // size, start)
        with np.errstate(invalid="ignore"):
            first = np.isclose(data[: len(data) - STRIPS].astype(float), near[0], TOLERANCE, 0)
        for at in np.flatnonzero(first):
            if np.allclose(data[at : at + STRIPS].astype(float), near, TOLERANCE, TOLERANCE * near[2]):
                places.add(data[at : at + STRIPS].tobytes())
    (place,) = places
    return np.frombuffer(place, dtype)


def array(name: str, doc: str, values: np.ndarray) -> str:
    """A table in Rust; floats by their bits."""
    size = values.dtype.itemsize
    bits = values.view(f"u{size}")
    kind = ("f" if values.dtype.kind == "f" else "u") + str(8 * size)
    texts = [f"0x{int(word):x}" for word in bits]
    rows = "".join(f"    {', '.join(texts[i : i + 6])},\n" for i in range(0, STRIPS, 6))
    body = f"[\n{rows}]"
    if kind[0] == "f":
        body = f"{kind}s({body})"
    return f"\n/// {doc}\n#[rustfmt::skip]\npub(super) static {name}: [{kind}; {STRIPS}] = {body};\n"


def reader(kind: str, word: str) -> str:
    """The function that makes floats of their bits."""
    return (
        f"\nconst fn {kind}s(bits: [{word}; {STRIPS}]) -> [{kind}; {STRIPS}] {{\n"
        f"    let mut out = [0.0; {STRIPS}];\n    let mut i = 0;\n    while i < {STRIPS} {{\n"
        f"        out[i] = {kind}::from_bits(bits[i]);\n        i += 1;\n    }}\n    out\n}}\n"
    )


def main():
    library = (Path(np.__file__).parent / "random/lib/libnpyrandom.a").read_bytes()
    normal = (NORMAL_END, NORMAL_AREA, lambda x: math.exp(-x * x / 2), lambda y: math.sqrt(-2 * math.log(y)))
    exp = (EXP_END, EXP_AREA, lambda x: math.exp(-x), lambda y: -math.log(y))
    parts = [
        "//! Tables of the ziggurat, written by `tools/ziggurat_tables.py`. The numbers are those of NumPy's\n"
        "//! `ziggurat_constants.h` (BSD-3-Clause, Copyright (c) NumPy Developers), which define its streams.\n",
        reader("f64", "u64"),
        reader("f32", "u32"),
    ]
    for name, shape, mantissas in (("NORMAL", normal, (52, 23)), ("EXP", exp, (53, 23))):
        for suffix, of, size, mantissa in zip(
            ("", "_SINGLE"), ("", " in single precision"), (8, 4), mantissas, strict=True
        ):
            limits, widths, heights = tables(*shape, 2.0**mantissa)
            for what, doc, near, letter in (
                ("LIMIT", "Below these a point is under the curve", limits, "u"),
                ("WIDTH", "Widths of the strips by unit of the mantissa", widths, "f"),
                ("HEIGHT", "Heights of the curve at the strips", heights, "f"),
            ):
                values = found(library, near, f"{letter}{size}")
                parts.append(array(f"{name}_{what}{suffix}", f"{doc}{of}.", values))
    path = Path(__file__).parents[1] / "numbra-runtime/src/random/ziggurat_tables.rs"
    path.write_text("".join(parts))


if __name__ == "__main__":
    main()
