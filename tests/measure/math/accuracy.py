"""Errors of numbra-math's functions: measures them, and writes docs/math.md's table and plots.

usage: accuracy.py [--points N] [FUNCTION ..]    compile, measure, add to docs/figures/math/accuracy.csv
       accuracy.py --render                      docs/math.md and the SVG files from the CSV
"""

import argparse
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MATH = ROOT / "numbra-math"
OUT = ROOT / "docs" / "figures" / "math"
CSV = OUT / "accuracy.csv"
PAGE = ROOT / "docs" / "math.md"
BEGIN, END = "<!-- table: tests/measure/math/accuracy.py -->", "<!-- end -->"

FUNCTIONS = [
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "pow", "cbrt", "hypot", "erf", "erfc", "tgamma", "lgamma"),
]
LOOSE = {"erfc": 1.5, "tgamma": 1.5, "lgamma": 1.5}

# As numbra-math/build.rs has them.
BITS = ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
FLAGS = ["-O2", "-std=gnu99", "-w", *BITS, "-mavx2", "-mfma", "-DNUMBRA_ISA=scalar"]
OWN = ["-DLANES=1", "-DHAVE_FAST_FMA=1", f"-I{MATH}/arm", f"-I{MATH}/own"]
SLEEF = [
    *("-DENABLE_PURECFMA_SCALAR=1", "-DENABLE_BUILTIN_MATH=1", "-include", f"{MATH}/sleef/numbra/names.h"),
    *(f"-I{MATH}/sleef/{folder}" for folder in ("arch", "common", "libm", "numbra")),
]
TABLES = ["exp", "log", "log2", "pow_log"]


def build(folder):
    """The program that measures, with the scalar functions in it."""
    sources = [(f"arm/{name}_data.c", OWN) for name in TABLES]
    sources += [
        (f"own/{size}{name}.c", OWN)
        for size in ("double", "single")
        for name in ("", "_hyperbolic", "_error", "_gamma")
    ]
    sources += [(f"own/{name}.c", OWN) for name in ("double_circular", "double_inverse", "tables", "gamma_tables")]
    sources += [(f"sleef/numbra/{name}.c", SLEEF) for name in ("double", "single")]
    sources += [(path, SLEEF[-4:]) for path in ("sleef/libm/rempitab.c", "sleef/common/common.c")]
    objects = []
    for path, flags in sources:
        objects.append(folder / (path.replace("/", "_") + ".o"))
        subprocess.run(["gcc", "-c", *FLAGS, *flags, MATH / path, "-o", objects[-1]], check=True)
    program = folder / "accuracy"
    main = Path(__file__).with_name("accuracy.c")
    libraries = ["-lquadmath", "-lm"]
    subprocess.run(["gcc", "-O2", "-std=gnu11", "-w", main, *objects, *libraries, "-o", program], check=True)
    return program


def measure(names, points, jobs):
    """Runs the program for each function; lines of functions that are not measured stay."""
    OUT.mkdir(parents=True, exist_ok=True)
    lines = {}
    for line in CSV.read_text().splitlines(keepends=True) if CSV.exists() else []:
        name = line.split(",")[0]
        lines[name] = lines.get(name, "") + line
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        program = build(Path(folder))

        def one(name):
            command = [program, name, str(points)]
            return name, subprocess.run(command, check=True, capture_output=True, text=True).stdout

        for job in as_completed([pool.submit(one, name) for name in names]):
            name, text = job.result()
            lines[name] = text
            CSV.write_text("".join(lines[name] for name in FUNCTIONS if name in lines))


def read():
    """`{(function, bits): (points, ulp, x, y)}` and `{(function, bits): [(from, to, ulp)]}`."""
    worst, bins = {}, {}
    for line in CSV.read_text().splitlines():
        name, bits, *rest = line.split(",")
        key = name, int(bits)
        if rest[0].startswith("bin"):
            bins.setdefault(key, []).append(tuple(map(float, rest[1:])))
        else:
            worst[key] = int(rest[0]), float(rest[1]), float.fromhex(rest[2]), float.fromhex(rest[3])
    return worst, bins


def table(worst):
    yield "| function | bound | f64: largest error | at | f32: largest error | at | points each |"
    yield "|---|---|---|---|---|---|---|"
    for name in FUNCTIONS:
        cells = [f"`{name}`", f"{LOOSE.get(name, 1.0):.1f}"]
        for bits, digits in ((64, 17), (32, 9)):
            points, ulp, x, y = worst[name, bits]
            at = f"{x:.{digits}g}" + (f", {y:.{digits}g}" if name in ("atan2", "pow", "hypot") else "")
            cells += [f"{ulp:.3f}", at]
        yield "| " + " | ".join([*cells, f"{points:,}"]) + " |"


def plot(bits, bins):
    """Small multiples: the largest error in each part of a function's range, as a step line under its bound."""
    columns, width, height, left, top = 5, 150, 70, 34, 30
    rows = -(-len(FUNCTIONS) // columns)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * (width + 40) + 10}"'
        f' height="{rows * (height + 52)}" font-family="sans-serif" font-size="10" fill="#333">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, name in enumerate(FUNCTIONS):
        x0 = left + number % columns * (width + 40)
        y0 = top + number // columns * (height + 52)
        data = bins[name, bits]
        low, high, bound = data[0][0], data[-1][1], 1.6

        def y(ulp, y0=y0, bound=bound):
            return y0 + height * (1 - min(ulp, bound) / bound)

        out.append(f'<text x="{x0}" y="{y0 - 6}" font-size="12">{name}</text>')
        for ulp in (0.5, 1.0, 1.5):
            out.append(
                f'<line x1="{x0}" y1="{y(ulp):.1f}" x2="{x0 + width}" y2="{y(ulp):.1f}" stroke="#ddd"/>'
                f'<text x="{x0 - 4}" y="{y(ulp) + 3:.1f}" text-anchor="end" fill="#888">{ulp}</text>'
            )
        limit = LOOSE.get(name, 1.0)
        out.append(f'<line x1="{x0}" y1="{y(limit):.1f}" x2="{x0 + width}" y2="{y(limit):.1f}" stroke="#c44"/>')
        scale = width / (high - low)
        steps = " ".join(
            f"{x0 + (a - low) * scale:.1f},{y(ulp):.1f} {x0 + (b - low) * scale:.1f},{y(ulp):.1f}" for a, b, ulp in data
        )
        out.append(f'<polyline points="{steps}" fill="none" stroke="#247" stroke-width="1.2"/>')
        out.append(f'<text x="{x0}" y="{y0 + height + 12}" fill="#888">{low:g}</text>')
        out.append(f'<text x="{x0 + width}" y="{y0 + height + 12}" text-anchor="end" fill="#888">{high:g}</text>')
    out.append("</svg>\n")
    (OUT / f"accuracy-f{bits}.svg").write_text("\n".join(out))


def render():
    worst, bins = read()
    for bits in (64, 32):
        plot(bits, bins)
    before, rest = PAGE.read_text().split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(before + BEGIN + "\n\n" + "\n".join(table(worst)) + "\n\n" + END + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="*", metavar="FUNCTION")
    parser.add_argument("--points", type=int, default=10_000_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--render", action="store_true")
    options = parser.parse_args()
    if not options.render:
        measure(options.functions or FUNCTIONS, options.points, options.jobs)
    if PAGE.exists() and CSV.exists():
        render()


if __name__ == "__main__":
    main()
