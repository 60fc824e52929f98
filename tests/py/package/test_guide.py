"""The code of `docs/guide.md` runs, from top to bottom, and its tables leave no variable out."""

import re
import subprocess
import sys

from folders import ROOT
from numbra.core import config

GUIDE = ROOT / "docs" / "guide.md"


def test_the_code_runs(tmp_path):
    """As one program, whose lines are those of the page."""
    lines, code = [], False
    for line in GUIDE.read_text().splitlines():
        lines.append(line if code and line != "```" else "")
        code = line == "```python" or (code and line != "```")
    program = tmp_path / "guide.py"
    program.write_text("\n".join(lines))
    assert sum(map(bool, lines)) > 60
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "# T002: " in done.stdout and "Parallel loop listing" in done.stdout


def test_variables():
    named = set(re.findall(r"`((?:NUMBA|NUMBRA)_[A-Z_]*[A-Z])", GUIDE.read_text()))
    assert {f"NUMBRA_{name}" for name in config.OWN} <= named
    assert all(config.effect(variable) for variable in named - {"NUMBA_DUMP"})
    dumps = next(line for line in GUIDE.read_text().splitlines() if "NUMBA_DUMP_IR=1" in line)
    effective = {name for name in config._INTEGERS if name.startswith("DUMP_") and name not in config.NO_EFFECT}
    assert {"DUMP_" + name for name in re.findall(r"`([A-Z_]+)`", dumps)} | {"DUMP_IR"} == effective
