"""Figures of a GPU: launches, compiling, kernels, numba-cuda's own tests, the checklist of the tutorials."""

import collections
import functools
import json
import math
import re
import subprocess
import tempfile
from pathlib import Path

from .common import NUMBRA, ROOT, Row

NO_GPU = "not measured: no GPU"
OF_NUMBA = 1908
"""So many tests of its own suite numba-cuda 0.30.4 passes on an H100."""
PASS, PASS_OUTSIDE = 1200, 950
SIMULATED = 791
"""So many numba-cuda passes under its simulator."""


@functools.cache
def has_gpu():
    """Whether numbra finds one."""
    code = "from numbra import cuda; print(cuda.is_available())"
    ran = subprocess.run([NUMBRA, "-c", code], capture_output=True, text=True)
    return ran.stdout.strip() == "True"


@functools.cache
def bench():
    """What `tests/cuda/bench.py` measured, and its table; (None, why) where it did not run."""
    if not has_gpu():
        return None, NO_GPU
    with tempfile.TemporaryDirectory(prefix="numbra-bench-") as folder:
        command = [NUMBRA, ROOT / "tests" / "cuda" / "bench.py", "--out", folder]
        ran = subprocess.run([*map(str, command)], capture_output=True, text=True)
        try:
            return json.loads((Path(folder) / "gpu.json").read_text()), (Path(folder) / "gpu.txt").read_text()
        except OSError:
            lines = (ran.stdout + ran.stderr).strip().splitlines() or ["no output"]
            return None, f"bench.py ended with status {ran.returncode}: {lines[-1][:160]}"


def ratios(names):
    """A figure of ratios to nvcc's code or to CuPy, by their names in the bench."""
    raw, text = bench()
    if raw is None:
        return Row(", ".join(names), text, None if text == NO_GPU else False)
    goals, measured, numba, good = [], [], [], True
    for name in names:
        whose, limit = raw["goals"][name]
        ours, beside = raw["numbra"].get(name), raw["nvcc" if whose == "C" else "cupy"].get(name)
        other = raw["numba-cuda"].get(name)
        ratio = ours / beside if ours and beside else math.nan
        goals.append(f"{name} <= {limit:g}")
        measured.append(f"{name} {ratio:.2f}")
        numba.append(f"{name} {other / beside:.2f}" if other and beside else f"{name} -")
        good &= ratio <= limit
    return Row(f"over {whose}: {', '.join(goals)}", ", ".join(measured), good, ", ".join(numba), raw)


def launches():
    row = ratios(["launch empty", "launch of 3 arrays", "launch of 3 CuPy arrays"])
    raw, text = bench()
    if raw is not None:
        row.files = {"gpu.txt": text, "gpu.json": json.dumps(raw, indent=1) + "\n"}
    return row


def kernels():
    names = ["vector_add", "grid_stride_add", "matmul", "mandelbrot", "black_scholes", "histogram", "stencil"]
    row = ratios(names)
    row.raw = None
    return row


def reduction():
    row = ratios(["reduce of 2^24 float64"])
    row.raw = None
    return row


def compiling():
    raw, text = bench()
    if raw is None:
        return Row("milliseconds of first compiles", text, None if text == NO_GPU else False)
    limits, ours, other = raw["limits"], raw["numbra"], raw["numba-cuda"]
    goal = ", ".join(f"{name} <= {limit:g}" for name, limit in limits.items())
    measured = ", ".join(f"{name} {ours[name]:.1f}" for name in limits)
    numba = ", ".join(f"{name} {other[name]:.1f}" for name in limits if name in other)
    return Row(goal, measured, all(ours[name] <= limit for name, limit in limits.items()), numba)


def _installed():
    """Where numba-cuda of the suite's version is installed with its tests, or None."""
    code = (
        "import importlib.metadata as m, importlib.util as u; assert m.version('numba-cuda') == '0.30.4'; "
        "print(u.find_spec('numba_cuda').submodule_search_locations[0])"
    )
    ran = subprocess.run([NUMBRA, "-c", code], capture_output=True, text=True)
    folder = Path(ran.stdout.strip())
    return folder.parent if ran.returncode == 0 and (folder / "numba" / "cuda" / "tests").is_dir() else None


def _suite(target):
    """Results of numba-cuda's tests, or None, and the runner's last line."""
    with tempfile.TemporaryDirectory(prefix="numbra-suite-") as folder:
        out = Path(folder) / "suite.json"
        command = [NUMBRA, ROOT / "tests" / "conformance" / "cuda_suite.py", "run", "--target", target]
        command += ["--python", NUMBRA, "--out", out]
        if (installed := _installed()) is not None:
            command += ["--suite", installed]
        ran = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=ROOT)
        lines = (ran.stdout + ran.stderr).strip().splitlines() or ["no output"]
        return (json.loads(out.read_text()) if out.exists() else None), lines[-1]


def passed(tests, outside=""):
    """How many pass, but those whose id has `outside` in it."""
    return sum(result[0] == "pass" for test, result in tests.items() if not outside or outside not in test)


def _plain(message):
    """An error without numbers, so that equal causes count together."""
    line = next((line for line in message.splitlines() if line.strip()), "no message")
    return re.sub(r"\d+", "N", line.strip())[:120]


def suite_text(report, machine=""):
    """A report of the suite: counts, outcomes by module, causes of failures."""
    tests = report["tests"]
    counts = ", ".join(f"{count} {what}" for what, count in sorted(report["counts"].items(), key=lambda c: -c[1]))
    modules = collections.defaultdict(collections.Counter)
    causes = collections.Counter()
    for test, (what, _, message, *_) in tests.items():
        module = test.partition("::")[0] or test.strip(":")
        modules[re.sub(r"\.[A-Z]\w*$", "", module)][what] += 1
        if what not in ("pass", "skip", "xfail"):
            causes[_plain(message)] += 1
    lines = [
        f"numba-cuda {report['suite']}'s own tests, numbra in its place{machine}; {report['jobs']} workers.",
        f"{report['seconds']} s: {counts}; {passed(tests, 'test_libdevice')} pass outside test_libdevice",
        "",
        "Outcomes by module:",
    ]
    for module, found in sorted(modules.items()):
        lines.append(f"{module:48} " + ", ".join(f"{count} {what}" for what, count in sorted(found.items())))
    lines += ["", "Why tests do not pass, the most common causes:"]
    lines += [f"{count:5} {cause}" for cause, count in causes.most_common(40)]
    return "\n".join(lines) + "\n"


def suite():
    goal = (
        f"of the {OF_NUMBA} tests of its own suite that numba-cuda passes, numbra passes >= {PASS}, "
        f">= {PASS_OUTSIDE} of them outside test_libdevice; no crash of the process"
    )
    if not has_gpu():
        return Row(goal, NO_GPU, None)
    report, line = _suite("device")
    if report is None:
        return Row(goal, line, False)
    tests = report["tests"]
    all_of_them, outside, crashes = passed(tests), passed(tests, "test_libdevice"), report["counts"].get("crash", 0)
    good = all_of_them >= PASS and outside >= PASS_OUTSIDE and not crashes
    row = Row(
        goal, f"{all_of_them} pass, {outside} outside test_libdevice, {crashes} crashes", good, raw=report["counts"]
    )
    row.files = {"suite.txt": suite_text(report, f" on {gpu() or 'a GPU'}")}
    return row


def simulator():
    goal = f">= 80 % of the {SIMULATED} tests that numba-cuda passes under its simulator pass under numbra's"
    report, line = _suite("sim")
    if report is None:
        return Row(goal, f"not measured: {line}", None)
    count = passed(report["tests"])
    return Row(goal, f"{count} pass, {100 * count / SIMULATED:.0f} %", count >= 0.8 * SIMULATED, raw=report["counts"])


def checklist():
    goal = "every row of the tutorials' checklist that needs a GPU passes on it"
    if not has_gpu():
        return Row(goal, NO_GPU, None)
    with tempfile.TemporaryDirectory(prefix="numbra-rows-") as folder:
        out = Path(folder) / "rows.txt"
        command = [NUMBRA, ROOT / "tests" / "cuda" / "seed_rows.py", "--out", out]
        ran = subprocess.run([*map(str, command)], capture_output=True, text=True)
        if not out.exists():
            return Row(goal, (ran.stderr.strip().splitlines() or ["no output"])[-1][:160], False)
        text = out.read_text()
    return Row(goal, text.splitlines()[0], ran.returncode == 0, files={"checklist.txt": text})


def script(goal, name):
    """A figure that a program of `tests/cuda` passes, whose lines are what it checked."""

    def measure():
        if not has_gpu():
            return Row(goal, NO_GPU, None)
        ran = subprocess.run([NUMBRA, str(ROOT / "tests" / "cuda" / name)], capture_output=True, text=True)
        lines = (ran.stdout + ran.stderr).strip().splitlines() or ["no output"]
        text = f"{lines[-1][:160]} (status {ran.returncode})"
        return Row(goal, text, ran.returncode == 0, files={f"{Path(name).stem}.txt": "\n".join(lines) + "\n"})

    return measure


def two_devices():
    goal = "two devices in one process: kernels, memory, streams, threads and resets of each"
    code = "from numbra import cuda; print(len(cuda.gpus))"
    if not has_gpu():
        return Row(goal, NO_GPU, None)
    ran = subprocess.run([NUMBRA, "-c", code], capture_output=True, text=True)
    if ran.stdout.strip() in ("0", "1"):
        return Row(goal, "not measured: one GPU", None)
    return script(goal, "two_devices.py")()


def gpu():
    """Name and driver of the GPU, or nothing."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return ran.stdout.strip().splitlines()[0] if ran.returncode == 0 and ran.stdout.strip() else ""


FIGURES = {
    "cuda-launch": launches,
    "cuda-compile": compiling,
    "cuda-kernels": kernels,
    "cuda-reduce": reduction,
    "cuda-suite": suite,
    "cuda-simulator": simulator,
    "cuda-checklist": checklist,
    "cuda-bad-input": script("bad input gives typed errors that name the value; the context works on", "bad_input.py"),
    "cuda-threads": script("24 threads on 8 streams: no error, no leak", "threads.py"),
    "cuda-two-devices": two_devices,
    "cuda-manual": script("the code of the manual's chapter runs on the GPU", "manual.py"),
}
