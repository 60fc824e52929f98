"""Measures every figure that numbra promises and prints goal beside measured.

usage: figures.py [--only NAME...] [--out docs/figures]
       figures.py --only cuda --out docs/figures/cuda      those of a GPU
       figures.py --only packages --out docs/figures/packages   what packages that use Numba find
       figures.py --only data --out docs/figures/data           text and containers in compiled code

Runs at the root after ./setup.sh, on an otherwise idle machine: about twenty minutes, and then hours
for the mutated code objects and generated programs, which --only can leave out.
Rows that --only leaves out stay in the files of --out as they were, with the commit they were taken at.
The figures of a GPU are measured where --only names them or `cuda`, which is all of them: they need a GPU, nvcc, CuPy
and numba-cuda beside numbra, and no Rust. Without .venv the interpreter that runs this has numbra.
NUMBA_PYTHON names an interpreter with Numba 0.68.1, which is then measured in the same run.
The timing checks and kernels are those of ../shared/bench; without that folder their rows say so.
"""

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
from pathlib import Path

from measure import cuda, data, library, outside, packages, speed, spine
from measure.common import NUMBRA, ROOT

ON_A_CPU = {**spine.FIGURES, **library.FIGURES, **speed.FIGURES, **outside.FIGURES, **packages.FIGURES, **data.FIGURES}
FIGURES = {**ON_A_CPU, **cuda.FIGURES}
# Names of several figures.
GROUPS = {"cuda": cuda.FIGURES, "packages": packages.FIGURES, "data": data.FIGURES}


def said(*command):
    """What a program prints, without line ends; nothing where it fails or is not there."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except OSError:
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""


def machine():
    """What the figures were taken on, without naming it."""
    cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    versions = "import sys, numpy; print(sys.version.split()[0], numpy.__version__)"
    python, numpy = subprocess.check_output([NUMBRA, "-c", versions], text=True).split()
    rustc = said("rustc", "--version").split()
    gpu = cuda.gpu()
    return [
        f"date     {datetime.date.today()}",
        f"commit   {said('git', 'rev-parse', '--short', 'HEAD') or 'unknown'}",
        f"machine  {cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores,"
        f" {int(memory[1]) / 2**20:.0f} GiB, load {os.getloadavg()[0]:.1f}",
        f"system   {platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}",
        f"python   {python}, NumPy {numpy}, rustc {rustc[1] if len(rustc) > 1 else 'none'}",
        *([f"gpu      {gpu}"] if gpu else []),
    ]


def text_of(name, row):
    verdict = {True: "met", False: "MISSED", None: "-"}[row["ok"]]
    taken = f" at {row['commit']}" if "commit" in row else ""
    text = f"\n{name}: {verdict}{taken}\n  goal      {row['goal']}\n  measured  {row['measured']}"
    return text + (f"\n  Numba     {row['numba']}" if row.get("numba") else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=[*FIGURES, *GROUPS], help="a part of the figures")
    parser.add_argument("--out", type=Path, help="folder for figures.txt and figures.json")
    options = parser.parse_args()

    head = machine()
    commit = head[1].split()[1]
    print("\n".join(head), flush=True)
    stored = options.out / "figures.json" if options.out else None
    rows = json.loads(stored.read_text()) if stored and stored.exists() else {}
    missed = 0
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    chosen = options.only or ON_A_CPU
    for name in [name for one in chosen for name in GROUPS.get(one, [one])]:
        row = FIGURES[name]()
        missed += row.ok is False
        rows[name] = {
            "goal": row.goal,
            "measured": row.measured,
            "numba": row.numba,
            "ok": row.ok,
            "commit": commit,
            "raw": row.raw,
        }
        print(text_of(name, rows[name]), flush=True)
        for file, text in row.files.items() if options.out else ():
            (options.out / file).write_text(text)
    if stored:
        lines = [*head, *(text_of(name, row) for name, row in rows.items())]
        (options.out / "figures.txt").write_text("\n".join(lines) + "\n")
        stored.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
