"""Figures of the numeric library: NumPy's functions, ufuncs, lists, linear algebra, random numbers."""

import json
import os
import re
import subprocess
import sys

from .common import BENCH, NUMBA, NUMBRA, ROOT, Row, program
from .spine import kernels_of, tests_of_numba

# A cold process: the time of the first call over that of the import. MODULE is numbra or numba.
FIRST_USE = """
import json, time, numpy as np, MODULE as nb
def f(a):
    CODE
t = time.thread_time()
nb.njit(f)(np.array([3.0, 1.0, 2.0]))
print(json.dumps((time.thread_time() - t) * 1e3))
"""

FIRST_USES = {
    "np.sort": "return np.sort(a)",
    "np.linalg.solve": "return np.linalg.solve(np.eye(3), a)",
    "np.unique": "return np.unique(a)",
    "np.median": "return np.median(a)",
    "np.random.normal": "return np.random.normal(0.0, 1.0, 3)",
    "list append and sort": "x = [v for v in a]; x.append(0.5); x.sort(); return x[0]",
}

# Time of a call on 50,000 elements over NumPy's, both the least of interleaved runs.
AGAINST_NUMPY = """
import json, time, numpy as np, MODULE as nb
rng = np.random.default_rng(1)
a = rng.normal(size=50_000)
m = rng.normal(size=(512, 512))
cases = {
    "np.sum": (lambda a: np.sum(a), a),
    "np.min": (lambda a: np.min(a), a),
    "np.mean": (lambda a: np.mean(a), a),
    "np.sort": (lambda a: np.sort(a), a),
    "np.argsort": (lambda a: np.argsort(a), a),
    "normal": (lambda a: np.random.normal(0.0, 1.0, a.size), a),
    "matmul 512": (lambda m: m @ m, m),
}
limits = {"np.sort": 1.5, "np.argsort": 1.5}
out = {}
for name, (f, x) in cases.items():
    try:
        g = nb.njit(f)
        g(x)
    except Exception as error:
        out[name] = [None, limits.get(name, 1.2), str(error)[:80]]
        continue
    calls = 1 if name == "matmul 512" else 10
    best = [1e9, 1e9]
    for _ in range(40):
        for at, run in enumerate((f, g)):
            t = time.thread_time()
            for _ in range(calls):
                run(x)
            best[at] = min(best[at], time.thread_time() - t)
    out[name] = [best[1] / best[0], limits.get(name, 1.2), ""]
print(json.dumps(out))
"""


def first_uses():
    goal = "first use in a cold process, CPU over import: at most 10 ms each"
    mine, theirs = {}, {}
    for name, code in FIRST_USES.items():
        runs = [program(FIRST_USE, NUMBRA, "numbra", CODE=code) for _ in range(3)]
        bad = [run for run in runs if isinstance(run, str)]
        mine[name] = bad[0] if bad else min(runs)
        if NUMBA:
            theirs[name] = program(FIRST_USE, NUMBA, "numba", CODE=code)
    return Row(goal, listed(mine), all_at_most(mine, 10), listed(theirs), mine)


def listed(values):
    shown = {name: f" {value:.1f}" if isinstance(value, float) else f": {value}" for name, value in values.items()}
    return ", ".join(name + value for name, value in shown.items())


def all_at_most(values, limit):
    return all(isinstance(value, float) and value <= limit for value in values.values())


def against_numpy():
    goal = "over NumPy's own time, 50k elements: at most 1.2, sort and argsort 1.5; matmul of 512 x 512 1.2"
    ran = program(AGAINST_NUMPY, NUMBRA, "numbra")
    if isinstance(ran, str):
        return Row(goal, ran, False)
    text = ", ".join(f"{name} {ratio:.2f}" if ratio else f"{name}: {why}" for name, (ratio, _, why) in ran.items())
    return Row(goal, text, all(ratio is not None and ratio <= limit for ratio, limit, _ in ran.values()), raw=ran)


def first_calls_of_programs():
    goal = "first call of an app of 31 functions at most 1/40 of Numba's, of six NumPy calls 1/200"
    if not BENCH.exists() or not NUMBA:
        return Row(goal, "not measured: wants ../shared/bench and NUMBA_PYTHON", None)
    out = ROOT / "target" / "figures-first.json"
    out.parent.mkdir(exist_ok=True)
    out.unlink(missing_ok=True)
    command = [sys.executable, BENCH / "bench.py", "micro", "--impls", "numba,numbra", "--only", "first"]
    command += ["--kernels", "app30,np_misc", "--python", NUMBRA, "--numbra-module", "numbra", "--out", out]
    env = dict(os.environ, NUMBA_PYTHON=NUMBA)
    subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, cwd=ROOT, env=env)
    return Row(goal, *first_call_ratios(json.loads(out.read_text())))


def first_call_ratios(raw):
    """Text, verdict, nothing beside, raw numbers of a run of the bench's small measurements."""
    limits = {"app30": 1 / 40, "np_misc": 1 / 200}  # app30 has 31 functions
    text, ok = [], True
    for name, limit in limits.items():
        row = raw["micro"]["first"].get(name, {})
        mine, theirs = (row.get(who, {}).get("first_cpu_ms") for who in ("numbra", "numba"))
        if not isinstance(mine, float) or not isinstance(theirs, float):
            text.append(f"{name} not running")
            ok = False
            continue
        text.append(f"{name} 1/{theirs / mine:.0f}")
        ok &= mine / theirs <= limit
    return ", ".join(text), ok, "", raw


def library_conformance():
    goal = "Numba's own tests, public tier: language 45 %, reductions 90 %, other numpy 55 %, ufunc 80 %, times 80 %"
    limits = {"language": 45, "reductions": 90, "other numpy": 55, "ufunc": 80, "datetime": 80}

    def part(group, test):
        if group == "language":
            return "language"
        if ".test_array_reductions." in test:
            return "reductions"
        if group == "ufunc":
            return "datetime" if re.search("datetime|timedelta", test, re.IGNORECASE) else "ufunc"
        return "other numpy" if group == "numpy" else None

    found = tests_of_numba(part)
    if found is None:
        return Row(goal, "not measured: no ../shared/conformance", None)
    shares = {name: 100 * passed / len(tests) for name, (passed, tests) in found.items()}
    text = ", ".join(f"{name} {shares[name]:.1f} %" for name in limits)
    return Row(goal, text, all(shares[name] >= limit for name, limit in limits.items()), raw=shares)


def library_kernels():
    groups = ["scalar", "array-loop", "array-expr", "ufunc", "reduction", "linalg", "random", "first-call"]
    goal = f"right on every kernel of the bench's groups {', '.join(groups)}, the stencil excepted"
    return kernels_of(goal, groups, excepted={"stencil_dec"})


def generated(goal, kind):
    """50,000 generated programs of a kind on every way to run them."""
    command = [NUMBRA, ROOT / "tests" / "differential" / "compare.py", "--kind", kind, "--count", "50000"]
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True)
    lines = (ran.stdout + ran.stderr).strip().splitlines() or ["no output"]
    return Row(goal, lines[-1], ran.returncode == 0, raw=lines[-60:])


def array_programs():
    return generated("50,000 generated array programs agree with NumPy", "arrays")


FIGURES = {
    "first-use": first_uses,
    "first-call-of-programs": first_calls_of_programs,
    "against-numpy": against_numpy,
    "library-kernels": library_kernels,
    "library-conformance": library_conformance,
    "array-programs": array_programs,
}
