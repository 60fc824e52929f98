"""Measures every figure that numbra promises and prints goal beside measured.

usage: figures.py [--only NAME...] [--out docs/figures]

Runs at the root after ./setup.sh, on an otherwise idle machine: about ten minutes, and then hours
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
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BENCH = ROOT.parent / "shared" / "bench"
NUMBRA = os.environ.get("NUMBRA_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
NUMBA = os.environ.get("NUMBA_PYTHON")

# Lists, under "Not covered yet", the kernels of the bench that need more than the language has.
KERNELS = ROOT / "docs" / "kernels.md"

# ------------------------------------------------------------------ programs run in fresh processes

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


def program(code, python, module, timeout=1200, **values):
    """The JSON that `code` prints last, or a string that says how it failed."""
    code = code.replace("MODULE", module)
    for name, value in values.items():
        code = code.replace(name, str(value))
    try:
        ran = subprocess.run([python, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"no end after {timeout} s"
    try:
        return json.loads(ran.stdout.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return (ran.stderr.strip().splitlines() or [f"status {ran.returncode}"])[-1][:160]


# ------------------------------------------------------------------------------------- the figures


class Row:
    """One figure: what was asked, what numbra does, what Numba does beside it."""

    def __init__(self, goal, measured, ok, numba="", raw=None):
        self.goal, self.measured, self.ok, self.numba, self.raw = goal, measured, ok, numba, raw


def check(goal, *args, beside=True):
    """A check of the bench, on numbra and, where it makes sense, on Numba."""
    if not BENCH.exists():
        return Row(goal, "not measured: no ../shared/bench", None)

    def run(python, module):
        env = dict(os.environ, NUMBRA_PY=python, MODULE=module)
        if NUMBA:
            env["NUMBA_PY"] = NUMBA
        command = [sys.executable, BENCH / "checks.py", *map(str, args)]
        ran = subprocess.run(command, capture_output=True, text=True, env=env, cwd=ROOT)
        # Progress goes to the standard error.
        lines = (ran.stdout.strip() or ran.stderr.strip()).splitlines()
        return ran.returncode == 0, lines[-1] if lines else "no output"

    ok, measured = run(NUMBRA, "numbra")
    numba = run(NUMBA, "numba")[1] if NUMBA and beside else ""
    return Row(goal, measured, ok, numba, {"numbra": measured, "numba": numba})


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
    goal = "right on every bench kernel that the language covers (docs/kernels.md)"
    if not BENCH.exists():
        return Row(goal, "not measured: no ../shared/bench", None)
    out = ROOT / "target" / "figures-kernels.json"
    out.parent.mkdir(exist_ok=True)
    out.unlink(missing_ok=True)
    command = [sys.executable, BENCH / "bench.py", "run", "--impls", "numbra", "--rounds", "1"]
    command += ["--python", NUMBRA, "--numbra-module", "numbra", "--out", out]
    subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, cwd=ROOT)
    ran = json.loads(out.read_text())["run"]
    right = sorted(k for k, r in ran.items() if r["impls"].get("numbra", {}).get("min_ns"))
    skip = set(not_covered())
    wrong = sorted(set(ran) - set(right) - skip)
    text = f"{len(right)} of {len(ran)} kernels right, {len(skip)} not covered"
    if wrong:
        text += "; NOT RIGHT: " + " ".join(wrong)
    return Row(goal, text, not wrong, raw={"right": right, "wrong": wrong})


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


def number_row(goal, values, other, holds, form):
    """A figure that is one number, the smallest of several runs."""
    bad = [value for value in values if isinstance(value, str)]
    if bad:
        return Row(goal, bad[0], False)
    numba = form.format(other) if isinstance(other, int | float) else other
    return Row(goal, form.format(min(values)), holds(min(values)), numba, values)


def conformance():
    sys.path.insert(0, str(ROOT / "tests" / "conformance"))
    import suite

    goal = "Numba's own tests, group language, public tier, audited: at least 30 %"
    if not suite.available():
        return Row(goal, "not measured: no ../shared/conformance", None)
    lab, base = suite.harness(), suite.baseline()["tests"]
    tests = [
        test
        for test, result in base.items()
        if result[0] != "skip" and lab.tier_of(test) == "public" and lab.group_of(lab.module_key(test)) == "language"
    ]
    results = suite.run(tests, python=NUMBRA)
    passed = sum(result[0] == "pass" for result in results.values())
    share = 100 * passed / len(tests)
    text = f"{passed} of {len(tests)}, {share:.1f} %; {len(suite.passing())} tests on the list"
    return Row(goal, text, share >= 30, raw={t: r[0] for t, r in sorted(results.items())})


def generated_programs():
    goal = "100,000 generated programs: CPython, Cranelift, LLVM and the interpreter agree"
    command = [NUMBRA, ROOT / "tests" / "differential" / "compare.py", "--count", "100000"]
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


def damaged_lir():
    goal = "100,000 damaged LIR texts, JSON dumps and artifacts each: no panic"
    test = ("numbra-lower", "malformed", "--features", "cranelift")
    lines, ok = rust_test(*test, NUMBRA_FUZZ_N="100000")
    text = "; ".join(line for line in lines if re.match(r"\d+ (read|loaded)", line))
    return Row(goal, text or lines[-1], ok, raw=lines[-60:])


def provenance():
    goal = "spans and origins of at least 95 % of the items of every stage, 20 functions"
    lines, ok = rust_test("numbra-driver", "provenance")
    rows = [line for line in lines if re.match(r"[a-z -]+: \d+ of \d+", line)]
    return Row(goal, "; ".join(rows) or lines[-1], ok, raw=rows)


def rust_test(package, test, *options, **env):
    """Lines that a test binary prints, and whether it passes."""
    command = ["cargo", "test", "--release", "--locked", "-p", package, *options]
    command += ["--test", test, "--", "--nocapture"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=dict(os.environ, **env))
    lines = (ran.stdout + ran.stderr).strip().splitlines()
    return lines or ["no output"], ran.returncode == 0


def filetests():
    count = sum(path.is_file() for path in ROOT.glob("numbra-*/tests/filetests/**/*"))
    return Row("at least 150 filetests", str(count), count >= 150)


def not_covered():
    """The kernels named in the list under that heading."""
    if not KERNELS.exists():
        return []
    _, _, rest = KERNELS.read_text().partition("## Not covered yet")
    return re.findall(r"^- `(\w+)`", rest.partition("\n## ")[0], re.MULTILINE)


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
    "damaged-lir": damaged_lir,
    "mutated-code-objects": mutated_code_objects,
    "generated-programs": generated_programs,
}

# ---------------------------------------------------------------------------------------- printing


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
