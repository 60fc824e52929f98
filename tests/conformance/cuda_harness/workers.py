"""Runs test modules in worker processes, each a pytest with `plugin`; a worker that crashes or hangs costs one test."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
POLL = 0.1

_SITE = """\
import os, sys
if os.environ.get("CUDA_SUITE_WHEEL"):
    sys.path.append({here!r})
    import resolver
    resolver.install()
"""


@dataclass
class Plan:
    """What to run, and how."""

    python: str
    impl: str
    wheel: Path  # holds numba_cuda/
    scratch: Path
    environment: dict[str, str]
    timeout: float  # seconds of one test
    only: list[str] | None = None  # ids
    options: list[str] = field(default_factory=list)  # of pytest

    @property
    def tests(self) -> Path:
        return self.wheel / "numba_cuda" / "numba" / "cuda" / "tests"

    def path_of(self, module: str) -> Path:
        return self.tests.joinpath(*module.split(".")).with_suffix(".py")


class Worker:
    """A pytest over some modules, and what it has told so far."""

    def __init__(self, plan: Plan, number: int, modules: list[str], skip: set[str]):
        self.plan, self.modules, self.skip = plan, modules, skip
        self.done: set[str] = set()
        self.collected: set[str] = set()
        self.running: str | None = None
        self.importing: str | None = None
        self.finished = False
        self._read = 0

        folder = plan.scratch / "workers" / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        self.events, self.log = folder / "events.jsonl", folder / "log.txt"
        self.events.write_text("")
        job = {"tests": str(plan.tests), "impl": plan.impl, "events": str(self.events)}
        job |= {"only": plan.only, "skip": sorted(skip)}
        (folder / "job.json").write_text(json.dumps(job))
        (folder / "pytest.ini").write_text("[pytest]\npython_functions = test*\n")
        command = [plan.python, "-m", "pytest", "-q", "-p", "plugin", "-p", "no:cacheprovider", "--assert=plain"]
        command += ["--continue-on-collection-errors"]
        command += ["-c", folder / "pytest.ini", "--rootdir", plan.tests, *plan.options]
        command += [plan.path_of(module) for module in modules]
        environment = plan.environment | {"CUDA_SUITE_JOB": str(folder / "job.json")}
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                list(map(str, command)), cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        self.since = time.monotonic()

    def poll(self, results: dict) -> None:
        """Takes in what the worker has written since."""
        with open(self.events, "rb") as file:
            file.seek(self._read)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            self.since = time.monotonic()
            kind, name, *rest = json.loads(line)
            if kind == "import":
                self.importing = name
            elif kind == "unusable":
                results[f"::{name}"] = ["error", 0.0, rest[0]]
                self.done.add(f"::{name}")
            elif kind == "skipped":
                results[f"::{name}"] = ["skip", 0.0, ""]
                self.done.add(f"::{name}")
            elif kind == "collected":
                self.collected.add(name)
            elif kind == "start":
                self.running, self.importing = name, None
            elif kind == "end":
                results[name] = rest
                self.running = None
                self.done.add(name)
            elif kind == "finished":
                # An error inside pytest ends it early.
                self.finished = self.collected <= self.done

    def overdue(self) -> bool:
        # The start of pytest and imports may take longer than a test.
        limit = self.plan.timeout if self.running else max(120.0, self.plan.timeout)
        return time.monotonic() - self.since > limit

    def kill(self) -> None:
        """Ends the worker and what its tests have started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def remaining(self, outcome: str, results: dict) -> tuple[list[str], set[str]] | None:
        """What is left of a batch that ended early, after noting what ended it: modules, and ids that have run."""
        message = " | ".join([line for line in self.log.read_text(errors="replace").splitlines() if line][-3:])[-400:]
        modules = self.modules
        if self.running:
            results[self.running] = [outcome, 0.0, message]
            self.done.add(self.running)
        elif self.importing:
            results[f"::{self.importing}"] = [outcome, 0.0, message]
            modules = [module for module in modules if module != self.importing]
        elif not self.done:
            lost = self.collected or {f"::{module}" for module in modules}
            results.update({name: [outcome, 0.0, message] for name in lost})
            return None
        return (modules, self.skip | self.done) if modules else None


def environment(impl: str, wheel: Path, scratch: Path, settings: dict[str, str]) -> dict[str, str]:
    """Of the workers; processes that tests start are served by a ``sitecustomize`` on their path."""
    values = dict(os.environ) | settings
    path = [str(HERE), values.get("PYTHONPATH", "")]
    if impl == "numbra":
        site = scratch / "site"
        site.mkdir(parents=True, exist_ok=True)
        (site / "sitecustomize.py").write_text(_SITE.format(here=str(HERE)))
        values["CUDA_SUITE_WHEEL"] = str(wheel)
        path.insert(0, str(site))
    values["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    return values


def _batches(plan: Plan, modules: list[str], jobs: int) -> list[list[str]]:
    """Several batches for each job, by the size of the files, the largest first."""
    sizes = {module: plan.path_of(module).stat().st_size for module in modules}
    batches: list[list[str]] = [[] for _ in range(min(len(modules), jobs * 4))]
    for module in sorted(modules, key=sizes.__getitem__, reverse=True):
        min(batches, key=lambda batch: sum(map(sizes.__getitem__, batch))).append(module)
    return batches


def run(plan: Plan, modules: list[str], *, jobs: int, limit: float) -> dict[str, list]:
    """Gives ``{id: [outcome, seconds, message]}``; what the limit (seconds) cuts off is left out."""
    probe = [plan.python, "-c", "import pytest_benchmark"]
    if subprocess.run(probe, capture_output=True, env=plan.environment, check=False).returncode == 0:
        plan.options = ["--benchmark-disable"]
    results: dict[str, list] = {}
    waiting: list[tuple[list[str], set[str]]] = [(batch, set()) for batch in _batches(plan, modules, jobs)]
    active: list[Worker] = []
    deadline = time.monotonic() + limit
    number = 0
    try:
        while (waiting or active) and time.monotonic() < deadline:
            while waiting and len(active) < jobs:
                active.append(Worker(plan, number, *waiting.pop(0)))
                number += 1
            time.sleep(POLL)
            for worker in list(active):
                ended = worker.process.poll() is not None
                worker.poll(results)
                if not ended and not worker.overdue():
                    continue
                # Also the processes that tests have left behind.
                worker.kill()
                worker.poll(results)
                active.remove(worker)
                if not worker.finished:
                    rest = worker.remaining("crash" if ended else "timeout", results)
                    if rest:
                        waiting.append(rest)
        if waiting or active:
            print(f"stopped after {limit:.0f} s with {len(waiting) + len(active)} batches left", file=sys.stderr)
    finally:
        for worker in active:
            worker.kill()
            worker.poll(results)
    return results
