"""Runs named tests of Numba's own suite against numbra, through the harness in `../shared`."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT.parent / "shared" / "conformance"
PASSING = Path(__file__).with_name("passing.txt")


def available():
    """True where the harness lies beside the checkout."""
    return (HARNESS / "numba_suite.py").exists()


def harness():
    """The harness as a module: it knows tests' modules, groups and tiers."""
    spec = importlib.util.spec_from_file_location("numba_suite", HARNESS / "numba_suite.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def baseline():
    """What the whole suite did on Numba itself: `{"tests": {id: [outcome, seconds, ...]}, ...}`."""
    with open(HARNESS / "results" / "numba_baseline.json") as file:
        return json.load(file)


def passing():
    """The ids of the committed list."""
    lines = PASSING.read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def holds(result):
    """Whether all in a test held: it passed, or Numba expects it to fail and it works here."""
    outcome, *rest = result
    return outcome == "pass" or "unexpected success" in rest


def run(tests, *, python, impl="numbra", jobs=None, timeout=60, alone=False):
    """Runs `tests`; gives `{id: [outcome, seconds, message, ...]}`.

    The harness takes the ids to run from the baseline, so it is handed a baseline of these tests.
    It audits: a test in which the interpreter ran a jitted function is `interp`, not `pass`.
    The count of the audit includes modules that a test is the first to import, so whole classes are
    run (their public part): which test comes first must not depend on which are on a list. `alone`
    runs these tests only: CPython 3.12.0 and 3.12.1 do not tell the harness that a test starts which
    a decorator skips (for want of SciPy, say), and where that is the first, the rest is not run.
    """
    suite, whole = harness(), baseline()
    tests = set(tests) & whole["tests"].keys()
    if not tests:
        return {}
    classes = set() if alone else {test.rpartition(".")[0] for test in tests}
    part = {
        test: result
        for test, result in sorted(whole["tests"].items())
        if test in tests or (test.rpartition(".")[0] in classes and suite.tier_of(test) == "public")
    }
    part = dict(whole, tests=part)
    modules = sorted({suite.module_of(test, whole["modules"]) for test in tests})
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        asked, out = Path(folder, "asked.json"), Path(folder, "out.json")
        asked.write_text(json.dumps(part))
        command = [sys.executable, HARNESS / "numba_suite.py", "run", "--impl", impl]
        command += ["--python", python, "--baseline", asked, "--out", out]
        command += ["--jobs", str(jobs or os.cpu_count() or 1), "--timeout", str(timeout)]
        subprocess.run([*map(str, command), "--modules", *modules], check=True)
        result = json.loads(out.read_text())
    if impl != "numba" and result["leaked"]:
        raise SystemExit(f"parts of a real Numba were loaded: {result['leaked'][:3]}")
    return {test: result["tests"].get(test, ["notrun", 0, ""]) for test in tests}


def add_arguments(parser):
    """The options that `run.py` and `update.py` share."""
    default = ROOT / ".venv" / "bin" / "python"
    parser.add_argument("--python", default=default, help="the interpreter that has numbra")
    parser.add_argument("--impl", default="numbra", help="`numba` tries the check on Numba itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=150, help="seconds for one test")
