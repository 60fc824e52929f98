"""Measures every figure that numbra promises and prints goal beside measured.

usage: figures.py [--only NAME...] [--out docs/figures]

Runs at the root after ./setup.sh, on an otherwise idle machine: about twenty minutes, and then hours
for the mutated code objects and generated programs, which --only can leave out.
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

from measure import library, spine
from measure.common import NUMBRA, ROOT

FIGURES = {**spine.FIGURES, **library.FIGURES}


def machine():
    """What the figures were taken on, without naming it."""
    cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    versions = "import sys, numpy; print(sys.version.split()[0], numpy.__version__)"
    python, numpy = subprocess.check_output([NUMBRA, "-c", versions], text=True).split()
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.split()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT)
    return [
        f"date     {datetime.date.today()}",
        f"commit   {commit.stdout.strip()}",
        f"machine  {cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores,"
        f" {int(memory[1]) / 2**20:.0f} GiB, load {os.getloadavg()[0]:.1f}",
        f"system   {platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}",
        f"python   {python}, NumPy {numpy}, rustc {rustc[1] if len(rustc) > 1 else 'none'}",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=FIGURES, help="a part of the figures")
    parser.add_argument("--out", type=Path, help="folder for figures.txt and figures.json")
    options = parser.parse_args()

    lines, raw, missed = machine(), {}, 0
    print("\n".join(lines), flush=True)
    for name in options.only or FIGURES:
        row = FIGURES[name]()
        verdict = {True: "met", False: "MISSED", None: "-"}[row.ok]
        missed += row.ok is False
        text = f"\n{name}: {verdict}\n  goal      {row.goal}\n  measured  {row.measured}"
        text += f"\n  Numba     {row.numba}" if row.numba else ""
        print(text, flush=True)
        lines.append(text)
        raw[name] = {"goal": row.goal, "measured": row.measured, "ok": row.ok, "raw": row.raw}
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "figures.txt").write_text("\n".join(lines) + "\n")
        (options.out / "figures.json").write_text(json.dumps(raw, indent=1) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
