"""What is made of the library's Python sources is what is stored."""

import subprocess
import sys

import pytest
from folders import ROOT

GENERATE = ROOT / "numbra-library" / "prelude" / "generate.py"


@pytest.mark.smoke
def test_stored_code_objects_and_rows_are_current():
    done = subprocess.run([sys.executable, "-B", GENERATE, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
