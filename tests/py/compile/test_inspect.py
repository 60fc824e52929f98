"""``inspect`` takes signatures in every form, and the example of ``numbra --help`` runs."""

import subprocess
import sys

import numbra as nb
import numpy as np
import pytest
from numbra import _codeobject

f = nb.njit(lambda x, n: x[n])


def test_signatures_as_text():
    f(np.ones(3), 1)
    whole = f.inspect("lir", (nb.float64[::1], nb.int64))
    assert f.inspect("lir", "(float64[::1], int64)") == whole
    assert f.inspect("lir", "float64(float64[::1], int64)") == whole
    with pytest.raises(KeyError, match=r"no compiled signature \(int64,\)|no compiled signature \(int64\)"):
        f.inspect("lir", "(int64)")
    with pytest.raises(TypeError, match="no type is named 'flaot64'; did you mean 'float64'"):
        f.inspect("lir", "(flaot64[::1], int64)")
    with pytest.raises(TypeError, match="is no Python expression"):
        f.inspect("lir", "(float64[::1], int64")


def test_the_example_of_the_help_runs(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("def func(x):\n    return x + 1\n")
    out = tmp_path / "func.code.json"
    command = [sys.executable, "-m", _codeobject.__name__, str(program), "func", "-o", str(out)]
    subprocess.run(command, check=True, timeout=60)
    assert out.read_text().startswith("{")
