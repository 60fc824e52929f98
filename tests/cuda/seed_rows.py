"""The checklist of the tutorials that numbra follows, the rows that need a GPU: each is run and named.

usage: seed_rows.py [--only ROW...] [--out FILE] [--without-tools]

A row is one of section 8 of `../shared/reference/cuda-features.md`. Rows that are compiled only or need the simulator
are tests of `tests/py/cuda/test_tutorials.py`, which runs this program in the simulator (NUMBA_ENABLE_CUDASIM=1) and on
the processor (NUMBRA_CUDA_TARGET=cpu) too: there it leaves out the rows that need more. Status 1 where a row fails.
"""

import argparse
import sys
import time
import traceback
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
sys.path.insert(0, str(Path(__file__).parent))

from seed import ON_CPU, ROWS, SIMULATED, Skipped, debugging, language, launches, memory, ufuncs  # noqa: E402, F401
from seed.elsewhere import ELSEWHERE, WITHOUT  # noqa: E402


def outcome(row):
    """What became of a row, and why where it did not pass."""
    if row.gpu and (SIMULATED or ON_CPU):
        return "skip", "needs a GPU"
    if row.device and SIMULATED:
        return "skip", "needs compiled kernels"
    try:
        row.check()
    except Skipped as why:
        return "skip", str(why)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        if ON_CPU and "no counterpart on the CPU" in str(error):
            return "skip", "uses a function that the processor lacks"
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = (str(error).strip().splitlines() or [""])[0]
        return "FAIL", f"{type(error).__name__}: {text} ({Path(where.filename).name}:{where.lineno})"
    return "pass", ""


def run(only):
    """Prints every row as it goes; counts by outcome."""
    counts, lines = {"pass": 0, "skip": 0, "FAIL": 0}, []
    for row in sorted(ROWS, key=lambda row: row.number):
        if only and row.number not in only:
            continue
        began = time.perf_counter()
        what, why = outcome(row)
        counts[what] += 1
        title = f"{row.number} {row.check.__doc__.splitlines()[0]}"
        lines.append(f"{what:4}  {title:86} {1e3 * (time.perf_counter() - began):7.0f} ms  {why}".rstrip())
        print(lines[-1], flush=True)
    return counts, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="rows, as 8.050")
    parser.add_argument("--out", type=Path, help="file for the same lines")
    parser.add_argument("--without-tools", action="store_true", help="leave out compute-sanitizer and cuda-gdb")
    options = parser.parse_args()
    began = time.perf_counter()
    counts, lines = run(set(options.only))
    if sum(counts.values()) == 0:
        parser.error(f"no such rows: {', '.join(options.only)}")
    if not options.only:
        lines += ["", "Rows that other tests hold:"]
        lines += [f"{number}  {test}" for number, test in sorted(ELSEWHERE.items())]
        lines += ["", "Rows without a test:"]
        lines += [f"{number}  {why}" for number, why in sorted(WITHOUT.items())]
    total = ", ".join(f"{count} {what}" for what, count in counts.items())
    print(f"{total}; {time.perf_counter() - began:.1f} s")
    if options.out:
        options.out.write_text("\n".join([f"{total}", *lines]) + "\n")
    return 1 if counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
