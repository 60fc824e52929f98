"""Figures of the spine: latency, scalar kernels, memory, robustness."""

import json
import os
import re
import subprocess
import sys

from conformance import suite

from .common import BENCH, NUMBA, NUMBRA, ROOT, Row, check, not_covered, number_row, program, rust_test

MEMORY = """
import json, numpy as np, MODULE as nb
def rss():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20
a = np.arange(100.0)
before = rss()
names = "x+1 x-1 x*2 x*x x/3 -x abs(x) x%7 x//3 x**2 x>1 max(x,2) min(x,2) float(x)".split()
functions = []
for body in names:
    space = {}
    loop = "    y = x\\n    for i in range(3):\\n        y = y + i\\n"
    exec("def f(x):\\n" + loop + "    return " + body, space)
    f = nb.njit(space["f"])
    f(5)
    functions.append(f)
print(json.dumps(rss() - before))
"""

DROP = """
import gc, json, MODULE as nb
def rss():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20
def once(k):
    space = {}
    loop = "    s = 0\\n    for i in range(x):\\n        s += i * %d\\n" % k
    exec("def f(x):\\n" + loop + "    return s", space)
    assert nb.njit(space["f"])(4) == 6 * k
def many(first, last):
    for k in range(first, last):
        once(k)
    gc.collect()
many(0, 2000)
start = rss()
many(2000, TIMES)
print(json.dumps(rss() - start))
"""

LARGE = """
import json, time, MODULE as nb
def lines(n):
    out = ["def f(x, y, n):", "    a = x", "    b = y", "    c = n"]
    k = 0
    while len(out) < n - 1:
        k += 1
        out.append("    a = a * 1.0000001 + b * %d.5" % (k % 9))
        out.append("    b = b - a / %d.25" % (k % 7 + 3))
        out.append("    c = c + %d" % k)
        if k % 5 == 0:
            out.append("    if c % 3 == 0:")
            out.append("        b = b + 1.0")
        if k % 50 == 0:
            out.append("    for i in range(3):")
            out.append("        a = a + b * i")
    out.append("    return a + b + c")
    return "\\n".join(out)
def seconds(n):
    space = {}
    exec(lines(n), space)
    f = space["f"]
    compiled = nb.njit(f)
    t = time.thread_time()
    got = compiled(1.5, 2.5, 3)
    t = time.thread_time() - t
    want = f(1.5, 2.5, 3)
    assert abs(got - want) <= 1e-9 * abs(want), (got, want)
    return t
nb.njit(lambda x: x)(1)
print(json.dumps([seconds(n) for n in SIZES]))
"""


def importing():
    return check("at most 20 ms CPU and 25 modules over NumPy", "imports", 20, 25)


def first_call():
    return check("first function at most 8 ms, further ones 2 ms (thread time)", "first_call", 8, 2)


def dispatch():
    return check("at most 30, 55, 65, 300 ns a call", "dispatch", 30, 55, 65, 300)


def steady():
    skip = [f"-{name}" for name in not_covered()]
    goal = "Cranelift over the scalar kernels: geometric mean 1.10 of Numba, worst 1.5"
    groups = ",".join(["scalar", *skip])
    return check(goal, "steady", groups, 1.10, 1.5, "cranelift", beside=False)


def kernels():
    return kernels_of("right on every bench kernel that the language covers (docs/kernels.md)")


def kernels_of(goal, groups=None, excepted=frozenset()):
    """Which kernels of the bench, or of some of its groups, run and are right."""
    if not BENCH.exists():
        return Row(goal, "not measured: no ../shared/bench", None)
    out = ROOT / "target" / "figures-kernels.json"
    out.parent.mkdir(exist_ok=True)
    out.unlink(missing_ok=True)
    command = [sys.executable, BENCH / "bench.py", "run", "--impls", "numbra", "--rounds", "1"]
    command += ["--python", NUMBRA, "--numbra-module", "numbra", "--out", out]
    command += ["--groups", ",".join(groups)] if groups else []
    subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, cwd=ROOT)
    ran = {kernel: run for kernel, run in json.loads(out.read_text())["run"].items() if kernel not in excepted}
    right = sorted(k for k, r in ran.items() if r["impls"].get("numbra", {}).get("min_ns"))
    skip = set(not_covered()) & ran.keys()
    wrong = sorted(set(ran) - set(right) - skip)
    text = f"{len(right)} of {len(ran)} kernels right, {len(skip)} not covered"
    if groups and skip:
        text += ": " + " ".join(sorted(skip))
    if wrong:
        text += "; NOT RIGHT: " + " ".join(wrong)
    return Row(goal, text, not wrong and not (groups and skip), raw={"right": right, "wrong": wrong})


def memory():
    mine = [program(MEMORY, NUMBRA, "numbra") for _ in range(3)]
    other = program(MEMORY, NUMBA, "numba") if NUMBA else ""
    goal = "14 small functions: at most 10 MB more resident memory"
    return number_row(goal, mine, other, lambda v: v <= 10, "{:.1f} MB")


def compile_and_drop():
    value = program(DROP, NUMBRA, "numbra", TIMES=20000)
    goal = "20,000 times compile and drop: no growth (less than 1 MB after the first 2,000)"
    return number_row(goal, [value], "", lambda v: v < 1, "{:+.2f} MB")


def large_function():
    sizes = [1250, 2500, 5000]
    goal = "5,000 lines in at most 3 s; twice the lines at most 2.5 times as long"
    rows = [program(LARGE, NUMBRA, "numbra", SIZES=sizes) for _ in range(3)]
    other = program(LARGE, NUMBA, "numba", SIZES=sizes[:1]) if NUMBA else ""
    bad = [row for row in rows if isinstance(row, str)]
    if bad:
        return Row(goal, bad[0], False)
    best = [min(column) for column in zip(*rows, strict=True)]
    ok = best[2] <= 3 and best[2] <= 2.5 * best[1] and best[1] <= 2.5 * best[0]
    text = ", ".join(f"{n} lines {s:.2f} s" for n, s in zip(sizes, best, strict=True))
    numba = f"1250 lines {other[0]:.2f} s" if isinstance(other, list) else other
    return Row(goal, text, ok, numba, rows)


def conformance():
    return share_of_language(30)


def share_of_language(least):
    goal = f"Numba's own tests, group language, public tier, audited: at least {least} % of those that Numba passes"
    found = tests_of_numba(lambda group, _: group if group == "language" else None)
    if found is None:
        return Row(goal, "not measured: no ../shared/conformance", None)
    passed, results = found["language"]
    share = 100 * passed / len(results)
    skipped = sum(result[0] == "skip" for result in results.values())
    text = f"{passed} of {len(results)}, {share:.1f} % ({skipped} skipped: no SciPy); {len(suite.passing())} listed"
    return Row(goal, text, share >= least, raw={t: r[0] for t, r in sorted(results.items())})


def tests_of_numba(part):
    """Numba's public tests by `part(group, test)`, which is a name or None: how many pass, and every result."""
    if not suite.available():
        return None
    lab, base = suite.harness(), suite.baseline()["tests"]
    parts = {}
    for test, result in base.items():
        module = lab.module_key(test)
        if result[0] != "skip" and lab.tier_of(test) == "public":
            parts[test] = part(lab.group_of(module), test)
    results = suite.run([test for test, name in parts.items() if name], python=NUMBRA)
    found = {name: {} for name in parts.values() if name}
    for test, result in results.items():
        found[parts[test]][test] = result
    return {name: (sum(map(suite.holds, tests.values())), tests) for name, tests in found.items()}


def generated_programs():
    goal = "100,000 generated programs: CPython, Cranelift, LLVM and the interpreter agree"
    command = [NUMBRA, ROOT / "tests" / "differential" / "compare.py", "--count", "100000"]
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True)
    lines = (ran.stdout + ran.stderr).strip().splitlines() or ["no output"]
    return Row(goal, lines[-1], ran.returncode == 0, raw=lines[-60:])


def generated_ir():
    goal = "75,000 generated programs in typed IR, and in LIR: interpreter, Cranelift and LLVM agree"
    much = {"NUMBRA_FUZZ_N": "75000", "NUMBRA_FUZZ_JOBS": str(os.cpu_count())}
    lines, ok = rust_test("numbra-driver", "generated_ir", **much)
    rows = [line for line in lines if re.match(r"\w+: \d+ programs", line)]
    return Row(goal, "; ".join(rows) or lines[-1], ok, raw=lines[-60:])


def long_lived_processes():
    goal = "3,000 processes in which functions come and go: none fails, nothing is left"
    command = [NUMBRA, ROOT / "tests" / "differential" / "long_lived.py", "--processes", "3000"]
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True)
    lines = (ran.stdout + ran.stderr).strip().splitlines() or ["no output"]
    return Row(goal, lines[-1], ran.returncode == 0, raw=lines[-60:])


def mutated_code_objects():
    goal = "200,000 mutated code objects a version: no panic, crash or hang, typed errors only"
    lines, ok = rust_test("numbra-driver", "fuzz_code_objects", NUMBRA_FUZZ_N="200000")
    rows = [line for line in lines if re.match(r"3\.\d+: ", line)]
    compiled = [re.search(r"(\d+) compiled", row) for row in rows]
    total = sum(int(found[1]) for found in compiled if found)
    found = next((line for line in lines if line.endswith("findings")), "no result")
    text = f"{found} in {len(rows)} x 200,000, of which {total} compiled"
    return Row(goal, text, ok, raw=lines[-60:])


def damaged_texts():
    goal = "20,000 damaged texts, dumps and artifacts of each of 10 kinds: no panic, crash or hang"
    much = {"NUMBRA_FUZZ_N": "20000", "NUMBRA_FUZZ_JOBS": str(os.cpu_count())}
    lines, ok = rust_test("numbra-driver", "damaged", **much)
    rows = [line for line in lines if re.match(r"[a-z-]+: \d+ cases", line)]
    counts = [[int(n) for n in re.findall(r"\d+", row)] for row in rows]
    total, through, findings = (sum(row[i] for row in counts) for i in (0, 3, 4))
    text = f"{findings} findings in {total}, of which {through} went through all stages"
    return Row(goal, text if rows else lines[-1], ok, raw=rows)


def provenance():
    goal = "spans and origins of at least 95 % of the items of every stage, 20 functions"
    lines, ok = rust_test("numbra-driver", "provenance")
    rows = [line for line in lines if re.match(r"[a-z -]+: \d+ of \d+", line)]
    return Row(goal, "; ".join(rows) or lines[-1], ok, raw=rows)


def filetests():
    count = sum(path.is_file() for path in ROOT.glob("numbra-*/tests/filetests/**/*"))
    return Row("at least 150 filetests", str(count), count >= 150)


FIGURES = {
    "import": importing,
    "first-call": first_call,
    "dispatch": dispatch,
    "kernels": kernels,
    "steady": steady,
    "memory": memory,
    "compile-and-drop": compile_and_drop,
    "large-function": large_function,
    "filetests": filetests,
    "conformance": conformance,
    "provenance": provenance,
    "damaged-texts": damaged_texts,
    "mutated-code-objects": mutated_code_objects,
    "generated-programs": generated_programs,
    "generated-ir": generated_ir,
    "long-lived-processes": long_lived_processes,
}
