"""What packages that use Numba find: names, the time and the modules of the import, types, Numba's own tests."""

import os
import re
import subprocess

from measure.common import NUMBA, NUMBRA, ROOT, Row, program
from measure.spine import share_of_language

MISSING = ROOT.parent / "shared" / "reference" / "missing-names.txt"
USES = ROOT / "tests" / "typing" / "uses.py"
STUBS = ROOT / "numbra-py" / "python" / "numbra" / "stubs"


def names():
    """Every name of every module of Numba, and those that packages of PyPI were found to use and numbra lacked once."""
    goal = "every name that Numba 0.68.1 has can be imported, and all that 82 packages use"
    used = MISSING.read_text().split("\n")[1:] if MISSING.exists() else []
    found = program(
        """
        import importlib, json, warnings
        warnings.simplefilter("ignore")
        from numbra._named import table
        absent, total = [], 0
        for module in table.modules():
            for name in table.names(module):
                total += 1
                try:
                    getattr(importlib.import_module(module), name)
                except Exception as error:
                    absent.append(f"{module}.{name}: {error}")
        def exists(path):
            words, found = path.split("."), None
            for i, word in enumerate(words):
                try:
                    found = getattr(found, word) if i else importlib.import_module(word)
                except AttributeError:
                    try:
                        found = importlib.import_module(".".join(words[: i + 1]))
                    except ImportError:
                        return False
            return True
        used = [name for name in USED if not exists(name)]
        print(json.dumps([total, absent, used]))
        """,
        NUMBRA,
        "numbra",
        USED=[line.replace("numba", "numbra", 1) for line in used if line],
    )
    if isinstance(found, str):
        return Row(goal, found, False)
    total, absent, unknown = found
    text = f"{total - len(absent)} of {total} names"
    if used:
        count = sum(map(bool, used))
        text += f"; {count - len(unknown)} of {count} that packages use"
    return Row(goal, text, not absent and not unknown, raw={"absent": absent, "used and absent": unknown})


IMPORT = """
import json, sys, time
import numpy
before, began = set(sys.modules), time.process_time()
import MODULE
took = (time.process_time() - began) * 1e3
loaded = sorted(set(sys.modules) - before)
n = len(sys.modules)
MODULE.core.types
print(json.dumps([took, loaded, len(sys.modules) - n]))
"""


def imported():
    goal = "`import numbra`: at most 4.0 ms of processor time and 25 modules over NumPy"
    # As in an installed wheel.
    subprocess.run([NUMBRA, "-m", "compileall", "-q", ROOT / "numbra-py" / "python" / "numbra"], check=False)
    runs = [program(IMPORT, NUMBRA, "numbra") for _ in range(15)]
    bad = [run for run in runs if isinstance(run, str)]
    if bad:
        return Row(goal, bad[0], False)
    took, (_, loaded, more) = min(run[0] for run in runs), runs[0]
    text = f"{took:.2f} ms, {len(loaded)} modules; `numbra.core.types` {more} more"
    theirs = [program(IMPORT, NUMBA, "numba") for _ in range(3)] if NUMBA else []
    theirs = [run for run in theirs if not isinstance(run, str)]
    numba = f"{min(run[0] for run in theirs):.0f} ms, {len(theirs[0][1])} modules" if theirs else ""
    return Row(
        goal, text, took <= 4.0 and len(loaded) <= 25, numba, {"ms": [run[0] for run in runs], "modules": loaded}
    )


def typed_uses():
    goal = "mypy --strict is clean on 60 uses of the decorators, and on the generated stubs"
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    text, ok, raw = [], True, {}
    for what, files in (("uses", [USES]), ("stubs", sorted(STUBS.glob("*.pyi")))):
        # What the stubs import is not asked about.
        command = [
            NUMBRA,
            "-m",
            "mypy",
            "--strict",
            "--no-incremental",
            "--cache-dir",
            os.devnull,
            "--follow-imports=silent",
            *map(str, files),
        ]
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=USES.parent)
        lines = (ran.stdout + ran.stderr).strip().splitlines() or ["no output"]
        ok &= ran.returncode == 0
        text.append(f"{what}: {lines[-1]}")
        raw[what] = lines[-40:]
    count = len(re.findall(r"^ *assert_type\(|# type: ignore", USES.read_text(), re.MULTILINE))
    return Row(goal, f"{count} uses; " + "; ".join(text), ok and count >= 60, raw=raw)


def language_tests():
    return share_of_language(82)


FIGURES = {
    "names": names,
    "import-of-packages": imported,
    "typed-uses": typed_uses,
    "language-tests": language_tests,
}
