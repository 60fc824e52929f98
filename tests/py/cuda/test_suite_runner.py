"""The runner of numba-cuda's suite: what it makes of tests that crash, hang, or touch what numbra lacks."""

import importlib.util
import sys
from types import SimpleNamespace

import pytest
from folders import TESTS

CONFORMANCE = TESTS / "conformance"

GOOD = """
import unittest
from numba import cuda
from numba.cuda.testing import CUDATestCase, skip_on_cudasim
from numba.cuda.tests import helper

class TestGood(CUDATestCase):
    def test_pass(self):
        import numba.cuda.simulator
        assert cuda.jit(device=True)(lambda x: x + helper.ONE)(1) == 2

    def test_subtests(self):
        for i in range(3):
            with self.subTest(i=i):
                assert i != 1

    def test_fail(self):
        self.assertEqual(1, 2, "one is not two")

    @skip_on_cudasim("not here")
    def test_skip(self):
        raise AssertionError

    @unittest.expectedFailure
    def test_xfail(self):
        raise AssertionError

def test_function():
    pass
"""
CRASHING = """
import os, time
def test_a(): pass
def test_crash(): os._exit(3)
def test_hang(): time.sleep(600)
def test_z(): pass
"""
MISSING = """
import unittest
from numba.cuda import no_such_name
from numba.cuda.absent import thing, decorator
import llvmlite.ir

class TestOther(unittest.TestCase):
    def test_pass(self):
        pass

    @decorator(1)
    def test_decorated(self):
        raise AssertionError

    def test_use(self):
        no_such_name.x

    def test_expects_an_error(self):
        with self.assertRaises(Exception):
            thing()

    def test_hides_it(self):
        try:
            thing(1)
        except BaseException:
            pass

class TestDerived(thing.TestCase):  # not even collected
    def test_nothing(self):
        pass

class TestMixed(thing.Mixin, unittest.TestCase):
    def test_nothing(self):
        pass
"""


@pytest.fixture
def suite(monkeypatch):
    monkeypatch.syspath_prepend(str(CONFORMANCE / "cuda_harness"))
    spec = importlib.util.spec_from_file_location("cuda_suite", CONFORMANCE / "cuda_suite.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(suite, folder, monkeypatch, modules, **more):
    """The outcomes of a suite of these modules, by their ids."""
    tests = folder / "wheel" / "numba_cuda" / "numba" / "cuda" / "tests"
    (tests / "part").mkdir(parents=True)
    (tests.parent / "absent.py").write_text("")
    for package in (tests, tests / "part"):
        (package / "__init__.py").write_text("")
    (tests / "helper.py").write_text("ONE = 1\n")
    for name, text in modules.items():
        (tests / "part" / f"{name}.py").write_text(text)
    monkeypatch.setenv("NUMBRA_LAB", str(folder / "lab"))
    options = {"target": "sim", "python": sys.executable, "impl": "numbra", "suite": folder / "wheel", "wheel": None}
    options |= {"modules": None, "jobs": 2, "timeout": 60.0, "limit": 120.0, "keep": False, **more}
    results = suite.run(SimpleNamespace(**options), more.get("only"))
    return {test.removeprefix("part."): result[0] for test, result in results.items()}


def test_outcomes(suite, tmp_path, monkeypatch):
    modules = {"test_good": GOOD, "test_skipped": "import unittest\nraise unittest.SkipTest('no')\n"}
    assert run(suite, tmp_path, monkeypatch, {**modules, "test_broken": "import no_such_package\n"}) == {
        "test_good.TestGood::test_pass": "pass",
        "test_good.TestGood::test_subtests": "fail",
        "test_good.TestGood::test_fail": "fail",
        "test_good.TestGood::test_skip": "skip",
        "test_good.TestGood::test_xfail": "xfail",
        "test_good::test_function": "pass",
        "::part.test_skipped": "skip",
        "::part.test_broken": "error",
    }


def test_what_numbra_lacks_is_never_a_pass(suite, tmp_path, monkeypatch):
    assert run(suite, tmp_path, monkeypatch, {"test_missing": MISSING}) == {
        "test_missing.TestOther::test_pass": "pass",
        "test_missing.TestOther::test_decorated": "missing",
        "test_missing.TestOther::test_use": "missing",
        "test_missing.TestOther::test_expects_an_error": "missing",
        "test_missing.TestOther::test_hides_it": "missing",
        "test_missing.TestMixed::test_nothing": "missing",
    }


def test_a_crash_costs_one_test(suite, tmp_path, monkeypatch):
    modules = {"test_crashing": CRASHING, "test_more": "def test_it(): pass\n"}
    modules["test_exits"] = "import os\nos._exit(1)\n"
    assert run(suite, tmp_path, monkeypatch, modules, jobs=1, timeout=3.0) == {
        "test_crashing::test_a": "pass",
        "test_crashing::test_crash": "crash",
        "test_crashing::test_hang": "timeout",
        "test_crashing::test_z": "pass",
        "test_more::test_it": "pass",
        "::part.test_exits": "crash",
    }


def test_named_tests_and_the_limit(suite, tmp_path, monkeypatch):
    only = ["part.test_crashing::test_z", "part.test_good::test_function"]
    modules = {"test_crashing": CRASHING, "test_good": GOOD}
    assert run(suite, tmp_path / "a", monkeypatch, modules, only=only) == {
        "test_crashing::test_z": "pass",
        "test_good::test_function": "pass",
    }
    cut = run(suite, tmp_path / "b", monkeypatch, {"test_slow": "import time\ntime.sleep(100)\n"}, limit=2.0)
    assert cut == {}


def test_a_suite_that_is_not_there(suite, tmp_path):
    with pytest.raises(suite.NoSuite, match="holds no numba_cuda/numba/cuda/tests"):
        suite.unpacked(SimpleNamespace(suite=tmp_path, wheel=None))
