"""The figures of a GPU: goals beside what was measured, and the report of numba-cuda's tests."""

import sys

import pytest
from folders import TESTS


@pytest.fixture
def figures(monkeypatch):
    """`tests/measure/cuda.py`, whose package lies beside these tests."""
    monkeypatch.syspath_prepend(str(TESTS))
    before = set(sys.modules)
    from measure import cuda

    yield cuda
    for name in set(sys.modules) - before:
        if name.partition(".")[0] == "measure":
            del sys.modules[name]


def measured(figures, monkeypatch, **times):
    raw = {
        "numbra": {"launch empty": 3.0, "launch of 3 arrays": 3.0, "next kernel, ms": 10.0, **times},
        "nvcc": {"launch empty": 2.5, "launch of 3 arrays": 2.5, "launch of 3 CuPy arrays": 2.5},
        "cupy": {},
        "numba-cuda": {"launch empty": 10.0},
        "goals": {"launch empty": ["C", 1.4], "launch of 3 arrays": ["C", 1.6], "launch of 3 CuPy arrays": ["C", 1.8]},
        "limits": {"next kernel, ms": 40},
    }
    monkeypatch.setattr(figures, "bench", lambda: (raw, "the table\n"))


def test_ratios_are_held_to_their_goals(figures, monkeypatch):
    measured(figures, monkeypatch, **{"launch of 3 CuPy arrays": 4.0})
    row = figures.launches()
    assert row.ok and "launch empty 1.20" in row.measured and "launch empty <= 1.4" in row.goal
    assert "launch empty 4.00" in row.numba and "launch of 3 arrays -" in row.numba
    assert row.files["gpu.txt"] == "the table\n" and '"launch empty"' in row.files["gpu.json"]
    assert figures.compiling().ok


def test_a_goal_that_is_missed_and_one_that_was_not_measured(figures, monkeypatch):
    measured(figures, monkeypatch, **{"launch of 3 CuPy arrays": 4.6, "next kernel, ms": 41.0})
    assert not figures.launches().ok and not figures.compiling().ok
    measured(figures, monkeypatch)
    row = figures.launches()
    assert not row.ok and "launch of 3 CuPy arrays nan" in row.measured


def test_without_a_gpu(figures, monkeypatch):
    monkeypatch.setattr(figures, "has_gpu", lambda: False)
    figures.bench.cache_clear()
    for name, row in figures.FIGURES.items():
        if name != "cuda-simulator":
            made = row()
            assert (made.measured, made.ok) == (figures.NO_GPU, None), name
    figures.bench.cache_clear()


def test_goals_of_the_bench_are_those_of_the_rows():
    """Every goal of `tests/cuda/bench.py` is in a row, by its name."""
    bench = (TESTS / "cuda" / "bench.py").read_text()
    goals = bench.partition("GOALS = {")[2].partition("}")[0]
    names = [line.split('"')[1] for line in goals.splitlines() if '": ' in line]
    rows = (TESTS / "measure" / "cuda.py").read_text()
    assert len(names) >= 10 and all(f'"{name}"' in rows for name in names)


def test_the_report_of_the_suite(figures):
    tests = {
        "cudapy.test_a.TestA::test_x": ["pass", 0.1, ""],
        "cudapy.test_libdevice.TestB::test_y": ["pass", 0.1, ""],
        "cudapy.test_a.TestA::test_z": ["fail", 0.1, "AssertionError: 3 != 4\nmore"],
        "cudapy.test_a::test_w": ["fail", 0.1, "AssertionError: 5 != 6"],
    }
    report = {"suite": "0.30.4", "jobs": 2, "seconds": 1.5, "counts": {"pass": 2, "fail": 2}, "tests": tests}
    text = figures.suite_text(report, " on a GPU")
    assert "1 pass outside test_libdevice" in text and "on a GPU; 2 workers" in text
    assert f"{'cudapy.test_a':48} 2 fail, 1 pass" in text
    assert "    2 AssertionError: N != N" in text


def test_the_command_is_documented():
    text = (TESTS.parent / "docs" / "figures" / "cuda" / "README.md").read_text()
    assert "tests/figures.py --only cuda --out docs/figures/cuda" in text
    for file in ("figures.txt", "gpu.txt", "gpu.json", "suite.txt", "checklist.txt"):
        assert f"`{file}`" in text
