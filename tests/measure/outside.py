"""Speed beside Numba on kernels that are not in the bench: those of the folder `kernels`.

usage, in tests: python -m measure.outside [THEME or KERNEL]...

One process of either library, sampled in turn; what counts is the least CPU time of a call.
Results must agree: numbers that are whole exactly, others to 1e-9.
"""

import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

from .common import NUMBA, NUMBRA, Row

THEMES = sorted(file.stem for file in Path(__file__).with_name("kernels").glob("[a-z]*.py"))

# Times are minima, which other users of a machine only raise: what is slower than Numba's by this much is sampled
# again, so many rounds more.
CLOSE = 1.04
ROUNDS, AGAIN = 6, 25
LIMIT = 1.10
# What is sampled at once, in nanoseconds.
SAMPLE = 5e6


class Side:
    """A process that runs the kernels of one theme with one library."""

    def __init__(self, python, module, theme, tier="llvm"):
        env = dict(os.environ, KERNELS_MODULE=module, NUMBRA_TIER=tier)
        for name in ("NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
            env[name] = "1"
        command = [python, "-m", "measure.outside", "--side", theme]
        tests = Path(__file__).resolve().parents[1]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, text=True, env=env, cwd=tests, **pipes)
        self.names = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": f"ended with {self.process.wait()}"}

    def ask(self, command, name):
        try:
            self.process.stdin.write(f"{command} {name}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def side(theme):
    """What a process of either library does: `make NAME` gives the result of a call, `time NAME` a time."""
    import importlib
    import warnings

    import numpy as np

    from . import kernels

    warnings.simplefilter("ignore")
    out = sys.stdout
    importlib.import_module(f"measure.kernels.{theme}")
    print(json.dumps(list(kernels.CASES)), file=out, flush=True)
    arguments = calls = changed = None
    for line in sys.stdin:
        command, name = line.split()
        function, make = kernels.CASES[name]
        try:
            if command == "make":
                arguments = [aligned(value) for value in make(np.random.default_rng(7))]
                before = copied(arguments)
                result = flat(function(*arguments))
                changed = [
                    (new, old)
                    for new, old in zip(arguments, before, strict=True)
                    if isinstance(new, np.ndarray) and new.tobytes() != old.tobytes()
                ]
                result += flat([new for new, _ in changed])
                for new, old in changed:
                    new[...] = old
                start = time.process_time_ns()
                function(*arguments)
                calls = max(1, int(SAMPLE // max(1, time.process_time_ns() - start)))
                answer = result
            elif changed:
                answer = math.inf
                for _ in range(calls):
                    for new, old in changed:
                        new[...] = old
                    start = time.process_time_ns()
                    function(*arguments)
                    # The clock may stand still for a moment.
                    answer = min(answer, max(1, time.process_time_ns() - start))
            else:
                start = time.process_time_ns()
                for _ in range(calls):
                    function(*arguments)
                answer = (time.process_time_ns() - start) / calls
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {str(error)[:300]}"}
        print(json.dumps(answer), file=out, flush=True)


def aligned(value):
    """Arrays at the beginning of lines of the cache in either process: vectors that lie in two cost a third more."""
    import numpy as np

    if not isinstance(value, np.ndarray) or not value.flags.c_contiguous:
        return value
    room = np.empty(value.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start : start + value.nbytes].view(value.dtype).reshape(value.shape)
    copy[...] = value
    return copy


def copied(arguments):
    return [value.copy() if hasattr(value, "tobytes") else value for value in arguments]


def flat(value):
    """The numbers and texts of a result, in order."""
    import numpy as np

    if isinstance(value, tuple | list):
        return [x for item in value for x in flat(item)]
    if isinstance(value, np.ndarray) and value.dtype.names:
        return [x for name in value.dtype.names for x in flat(value[name])]
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        return value.ravel().tolist()
    if isinstance(value, np.ndarray):
        return [x for item in value.ravel().tolist() for x in flat(item)]
    if isinstance(value, complex | np.complexfloating):
        return [float(value.real), float(value.imag)]
    if isinstance(value, np.generic):
        return [value.item()]
    return [value]


def agree(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b) or abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return type(a) is type(b) and a == b


def measured(chosen=()):
    """Nanoseconds of each kernel with Numba and with numbra, and what did not run or differs."""
    found, broken = {}, {}
    alone = [theme for theme in THEMES if theme in chosen]
    for theme in alone or THEMES:
        sides = [Side(NUMBA, "numba", theme), Side(NUMBRA, "numbra", theme)]
        errors = [one.names["error"] for one in sides if isinstance(one.names, dict)]
        if errors:
            broken[theme] = "; ".join(errors)
            continue
        for name in sides[0].names:
            if chosen and not alone and name not in chosen:
                continue
            results = [one.ask("make", name) for one in sides]
            errors = [result["error"] for result in results if isinstance(result, dict)]
            if errors:
                broken[name] = "; ".join(errors)
                continue
            if len(results[0]) != len(results[1]) or not all(map(agree, *results)):
                broken[name] = "results differ"
                continue
            best = [math.inf, math.inf]
            for rounds in (ROUNDS, AGAIN):
                for _ in range(rounds):
                    best = [min(a, one.ask("time", name)) for a, one in zip(best, sides, strict=True)]
                if best[1] <= CLOSE * best[0]:
                    break
            found[name] = best
        for one in sides:
            one.close()
    return found, broken


def outside():
    goal = f"kernels outside the bench over Numba: each at most {LIMIT:.2f}"
    if not NUMBA:
        return Row(goal, "not measured: wants NUMBA_PYTHON", None)
    found, broken = measured()
    ratios = {name: mine / other for name, (other, mine) in found.items()}
    slow = sorted(((ratio, name) for name, ratio in ratios.items() if ratio > LIMIT), reverse=True)
    middle = math.exp(sum(map(math.log, ratios.values())) / max(1, len(ratios)))
    text = f"{len(found)} kernels, geometric mean {middle:.2f}"
    text += "; over the limit: " + ", ".join(f"{name} {ratio:.2f}" for ratio, name in slow) if slow else ""
    text += "; NOT RIGHT: " + ", ".join(f"{name} ({why})" for name, why in broken.items()) if broken else ""
    raw = {name: {"numba_ns": round(a), "numbra_ns": round(b)} for name, (a, b) in sorted(found.items())}
    return Row(goal, text, not slow and not broken, raw=raw)


def main():
    if sys.argv[1:2] == ["--side"]:
        return side(sys.argv[2])
    if not NUMBA:
        raise SystemExit("wants NUMBA_PYTHON")
    found, broken = measured(sys.argv[1:])
    for name, (numba, numbra) in sorted(found.items(), key=lambda item: item[1][1] / item[1][0]):
        print(f"{name:26} {numba / 1e3:9.2f} us  {numbra / numba:5.2f}")
    if found:
        print(f"mean {math.exp(sum(math.log(b / a) for a, b in found.values()) / len(found)):.3f} of {len(found)}")
    for name, why in broken.items():
        print(f"{name}: {why}")


FIGURES = {"outside": outside}

if __name__ == "__main__":
    main()
