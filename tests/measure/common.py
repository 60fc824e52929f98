"""What every figure is measured with: a row of the table, programs in fresh processes, the bench's checks."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT.parent / "shared" / "bench"
_VENV = ROOT / ".venv" / "bin" / "python"
NUMBRA = os.environ.get("NUMBRA_PYTHON", str(_VENV) if _VENV.exists() else sys.executable)
NUMBA = os.environ.get("NUMBA_PYTHON")

# Lists, under "Not covered yet", the kernels of the bench that need more than the language has.
KERNELS = ROOT / "docs" / "kernels.md"


class Row:
    """One figure: what was asked, what numbra does, what Numba does beside it; files of raw output by their names."""

    def __init__(self, goal, measured, ok, numba="", raw=None, files=None):
        self.goal, self.measured, self.ok, self.numba, self.raw = goal, measured, ok, numba, raw
        self.files = files or {}


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


def program(code, python, module, timeout=1200, env=(), **values):
    """The JSON that `code` prints last, or a string that says how it failed. `env` adds to the environment."""
    code = code.replace("MODULE", module)
    for name, value in values.items():
        code = code.replace(name, str(value))
    try:
        command = [python, "-c", textwrap.dedent(code)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env={**os.environ, **dict(env)})
    except subprocess.TimeoutExpired:
        return f"no end after {timeout} s"
    try:
        return json.loads(ran.stdout.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return (ran.stderr.strip().splitlines() or [f"status {ran.returncode}"])[-1][:160]


def number_row(goal, values, other, holds, form):
    """A figure that is one number, the smallest of several runs."""
    bad = [value for value in values if isinstance(value, str)]
    if bad:
        return Row(goal, bad[0], False)
    numba = form.format(other) if isinstance(other, int | float) else other
    return Row(goal, form.format(min(values)), holds(min(values)), numba, values)


def rust_test(package, test, *options, **env):
    """Lines that a test binary prints, and whether it passes."""
    command = ["cargo", "test", "--release", "--locked", "-p", package, *options]
    command += ["--test", test, "--", "--nocapture"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=dict(os.environ, **env))
    lines = (ran.stdout + ran.stderr).strip().splitlines()
    return lines or ["no output"], ran.returncode == 0


def not_covered():
    """The kernels named in the list under that heading."""
    if not KERNELS.exists():
        return []
    _, _, rest = KERNELS.read_text().partition("## Not covered yet")
    return re.findall(r"^- `(\w+)`", rest.partition("\n## ")[0], re.MULTILINE)
