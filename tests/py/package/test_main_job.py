"""The program of the main job, on a short series."""

import importlib.util
import sys

import numpy as np
import pytest
from folders import ROOT

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("matrix_profile", EXAMPLES / "matrix_profile.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["matrix_profile"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.smoke
def test_matrix_profile_equals_numpy(program):
    m = 16
    x = np.cumsum(np.random.default_rng(1).normal(size=300))
    profile, where = program.matrix_profile(x, m)
    windows = np.lib.stride_tricks.sliding_window_view(x, m)
    z = windows - windows.mean(axis=1, keepdims=True)
    z /= np.sqrt((z * z).sum(axis=1, keepdims=True))
    r = z @ z.T
    i, j = np.indices(r.shape)
    r[abs(i - j) < m] = -1
    np.testing.assert_allclose(profile, np.sqrt(2 * m * (1 - r.max(axis=1))), atol=1e-7)
    np.testing.assert_array_equal(where, r.argmax(axis=1))


def test_matrix_profile_equals_cpython_bit_for_bit(program):
    x = np.cumsum(np.random.default_rng(2).normal(size=200))
    compiled = (program.window_moments, program.scan_diagonals, program.distances)
    interpreted = [function.py_func for function in compiled]
    got, want = program.matrix_profile(x, 12), program.matrix_profile(x, 12, interpreted)
    np.testing.assert_array_equal(got[0], want[0])
    np.testing.assert_array_equal(got[1], want[1])
