"""The pytest plugin of a worker: which tests run, and what became of each, line by line.

The job is a JSON file named in ``CUDA_SUITE_JOB``: ``events`` (the file to write to), ``only`` (ids, or null for all),
``skip`` (ids that have run). Every line of the events is ``[kind, name, ...]`` and is written at once, so that a crash
loses the running test and no more.
"""

import importlib
import json
import os
import unittest
import warnings
from pathlib import Path

import numpy as np
import pytest
import resolver

_JOB = json.loads(Path(os.environ["CUDA_SUITE_JOB"]).read_text())
_TESTS = Path(_JOB["tests"])
_NUMBRA = _JOB["impl"] == "numbra"
_events = open(_JOB["events"], "a", buffering=1)  # noqa: SIM115 - as long as the process

if not hasattr(np, "row_stack"):  # gone in NumPy 2.5, and used by tests
    np.row_stack = np.vstack
if _NUMBRA:
    resolver.install()


def _event(*values) -> None:
    _events.write(json.dumps(values) + "\n")


def _module_of(path) -> str:
    return ".".join(Path(path).resolve().relative_to(_TESTS).with_suffix("").parts)


def _id_of(item) -> str:
    """``cudapy.test_sync.TestCudaSync::test_syncwarp``; a function has no class."""
    names = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    return ".".join([_module_of(item.path), *names]) + f"::{item.name}"


class _Module(pytest.Module):
    """A test module under its own name, ``numba.cuda.tests...``."""

    def _getobj(self):
        name = _module_of(self.path)
        _event("import", name)
        try:
            module = importlib.import_module(f"numba.cuda.tests.{name}")
        except unittest.SkipTest as skipped:
            raise pytest.skip.Exception(str(skipped), allow_module_level=True) from None
        except pytest.skip.Exception:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raise self.CollectError(f"{type(error).__name__}: {error}") from error
        return module


def pytest_pycollect_makemodule(module_path, parent):
    return _Module.from_parent(parent, path=module_path)


def pytest_collect_directory(path, parent):
    """A folder, not a package: pytest would import its ``__init__`` under another name."""
    return pytest.Dir.from_parent(parent, path=path)


def pytest_addoption(parser):
    parser.addoption("--dump-failed-filechecks", action="store_true", default=False)


@pytest.fixture(scope="class")
def initialize_from_pytest_config(request):
    """What numba-cuda's test classes take from its conftest."""
    request.cls._dump_failed_filechecks = request.config.getoption("dump_failed_filechecks")


try:
    import pytest_benchmark  # noqa: F401
except ImportError:

    @pytest.fixture
    def benchmark():
        """Runs what is to be measured once, where pytest-benchmark is absent."""
        return lambda function, *args, **kwargs: function(*args, **kwargs)


def pytest_collection(session):
    resolver.collecting = True


def pytest_collectreport(report):
    if report.failed and report.nodeid.endswith(".py"):
        message = str(report.longrepr).strip().splitlines()
        _event("unusable", _module_of(_TESTS / report.fspath), message[-1][:300] if message else "")
    elif report.skipped and report.nodeid.endswith(".py"):
        _event("skipped", _module_of(_TESTS / report.fspath))


def pytest_collection_modifyitems(config, items):
    only = None if _JOB["only"] is None else set(_JOB["only"])
    skip = set(_JOB["skip"])
    kept = [item for item in items if _id_of(item) not in skip and (only is None or _id_of(item) in only)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def pytest_collection_finish(session):
    resolver.collecting = False
    for item in session.items:
        _event("collected", _id_of(item))


class _Run:
    """The reports of the running test; subtests report on their own."""

    def __init__(self, item):
        self.used = resolver.used
        self.outcome, self.seconds, self.message = "pass", 0.0, ""
        self.expects = False

    def add(self, report):
        self.seconds += getattr(report, "duration", 0.0)
        outcome = "pass"
        if hasattr(report, "wasxfail"):
            outcome = "xfail" if report.skipped else "xpass"
        elif report.failed:
            outcome = "fail"
        elif report.skipped:
            outcome = "skip"
        if outcome == "pass" or self.outcome == "fail":
            return
        self.outcome = outcome
        if isinstance(report.longrepr, tuple):
            self.message = str(report.longrepr[2])
        else:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.message = crash.message if crash else str(report.longrepr or "")


_running = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    global _running
    _event("start", _id_of(item))
    _running = _Run(item)
    try:
        with warnings.catch_warnings():
            return (yield)
    finally:
        run, _running = _running, None
        if resolver.used != run.used and run.outcome in ("pass", "xfail", "fail"):
            run.outcome = "missing"
        _event("end", _id_of(item), run.outcome, round(run.seconds, 3), run.message.strip()[:400])


def pytest_runtest_logreport(report):
    if _running is not None:
        _running.add(report)


def pytest_sessionfinish(session):
    _event("finished", "")
