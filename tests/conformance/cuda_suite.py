"""Runs numba-cuda's own tests against numbra.

usage: cuda_suite.py run --target sim|device|cpu [--out FILE] [--baseline FILE] [--modules GLOB...]
       cuda_suite.py check --target sim       fails when a test of the list passes no more
       cuda_suite.py update --target sim      makes the list: what passes in every one of several runs

The tests come out of numba-cuda's wheel: `--wheel FILE`, an unpacked one with `--suite DIR`, or downloaded by pip.
Neither numba nor numba-cuda is installed, nor is pytest-xdist needed. `--target sim` is the simulator, `cpu` kernels
compiled for the processor, `device` a GPU. The interpreter of `--python` needs numbra, pytest, and for some tests
filecheck.

Outcomes: pass, fail, skip, xfail, missing (something that numbra lacks was used), crash, timeout, error.
"""

import argparse
import collections
import fnmatch
import json
import os
import platform
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "cuda_harness"))
import workers

ROOT = Path(__file__).resolve().parents[2]
VERSION = "0.30.4"
TARGETS = {"sim": {"NUMBA_ENABLE_CUDASIM": "1"}, "device": {}, "cpu": {"NUMBRA_CUDA_TARGET": "cpu"}}
HEADER = """\
# Tests of numba-cuda {version}'s suite that numbra passes with --target {target}, three times in three.
# Made by cuda_suite.py update; cuda_suite.py check fails when one of them is lost.
"""


class NoSuite(Exception):
    """The tests are not at hand."""


def scratch_folder() -> Path:
    folder = Path(os.environ.get("NUMBRA_LAB") or ROOT / "target") / "cuda-suite"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def unpacked(options) -> Path:
    """The folder that holds numba_cuda/ with its tests."""
    if options.suite:
        for folder in (options.suite, options.suite.parent):
            if (folder / "numba_cuda" / "numba" / "cuda" / "tests").is_dir():
                return folder.resolve()
        raise NoSuite(f"{options.suite} holds no numba_cuda/numba/cuda/tests")
    folder = scratch_folder()
    wheel = options.wheel or next(folder.glob(f"numba_cuda-{VERSION}-*.whl"), None)
    if wheel is None:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, f"numba-cuda=={VERSION}"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        wheel = next(folder.glob(f"numba_cuda-{VERSION}-*.whl"), None)
        if wheel is None:
            raise NoSuite(f"pip could not download numba-cuda {VERSION}: {done.stderr.strip()[-300:]}")
    target = folder / Path(wheel).stem
    if not target.is_dir():
        part = folder / f"{target.name}.part-{os.getpid()}"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(part)
        part.rename(target)
    return target


def modules_of(tests: Path, patterns) -> list[str]:
    names = [".".join(path.relative_to(tests).with_suffix("").parts) for path in sorted(tests.rglob("test_*.py"))]
    wanted = [f"*{pattern}*" for pattern in patterns or [""]]
    return [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in wanted)]


def module_of(test: str, modules: list[str]) -> str | None:
    """Of ``cudapy.test_sync.TestCudaSync::test_syncwarp``: ``cudapy.test_sync``."""
    path = test.partition("::")[0].split(".")
    return next((name for n in range(len(path), 0, -1) if (name := ".".join(path[:n])) in modules), None)


def run(options, only=None, jobs=None) -> dict[str, list]:
    """Runs all modules, those of --modules, or the ids in `only`."""
    wheel, scratch = unpacked(options), scratch_folder() / f"run-{os.getpid()}"
    environment = workers.environment(options.impl, wheel, scratch, TARGETS[options.target])
    plan = workers.Plan(str(options.python), options.impl, wheel, scratch, environment, options.timeout, only)
    modules = modules_of(plan.tests, options.modules)
    if only is not None:
        wanted = {module_of(test, modules) for test in only}
        modules = [module for module in modules if module in wanted]
    try:
        return workers.run(plan, modules, jobs=jobs or options.jobs, limit=options.limit)
    finally:
        if not options.keep:
            shutil.rmtree(scratch, ignore_errors=True)


def passing(target: str) -> list[str]:
    """The ids of the committed list."""
    path = list_of(target)
    lines = path.read_text().splitlines() if path.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def list_of(target: str) -> Path:
    return Path(__file__).with_name(f"passing_cuda_{target}.txt")


def outcome(result) -> str:
    """A baseline has either the outcome alone or a list that begins with it."""
    return result if isinstance(result, str) else result[0]


def compare(results: dict, baseline: dict) -> None:
    """Prints what the baseline passes and these results do not, by group."""
    expected = [test for test, result in baseline.items() if outcome(result) == "pass"]
    lost = collections.Counter(outcome(results.get(test, "absent")) for test in expected)
    print(f"of {len(expected)} tests that pass in the baseline {lost.pop('pass', 0)} pass here", dict(lost) or "")
    groups = collections.defaultdict(list)
    for test in expected:
        groups[test.partition("::")[0].rpartition(".")[0]].append(outcome(results.get(test, "absent")) == "pass")
    for group, passed in sorted(groups.items()):
        if not all(passed):
            print(f"    {group:48} {sum(passed):4} of {len(passed)}")


def command_run(options) -> int:
    begun = time.monotonic()
    only = options.tests.read_text().splitlines() if options.tests else None
    results = run(options, only)
    counts = collections.Counter(map(outcome, results.values()))
    report = {
        "impl": options.impl,
        "target": options.target,
        "suite": VERSION,
        "python": str(options.python),
        "machine": platform.node(),
        "jobs": options.jobs,
        "seconds": round(time.monotonic() - begun, 1),
        "counts": dict(counts),
        "tests": dict(sorted(results.items())),
    }
    print(f"{report['seconds']} s:", ", ".join(f"{number} {name}" for name, number in counts.most_common()))
    if options.out:
        options.out.write_text(json.dumps(report, indent=0))
    if options.baseline:
        baseline = json.loads(options.baseline.read_text())
        compare(results, baseline.get("tests", baseline))
    if options.failures:
        for test, (what, _, message, *_) in sorted(results.items()):
            if what not in ("pass", "skip", "xfail"):
                print(f"{what} {test}: {' '.join(message.split())[:200]}")
    return 0


def command_check(options) -> int:
    tests = passing(options.target)
    if not tests:
        print(f"cuda suite: {list_of(options.target).name} is empty; cuda_suite.py update makes it")
        return 1
    results = run(options, tests)
    lost = [test for test in tests if outcome(results.get(test, "absent")) != "pass"]
    if lost:
        # A busy machine makes time-outs.
        print(f"{len(lost)} tests did not pass; running them again")
        results |= run(options, lost, jobs=1)
        lost = [test for test in lost if outcome(results.get(test, "absent")) != "pass"]
    for test in lost:
        what, _, message, *_ = results.get(test, ["absent", 0, ""])
        print(f"LOST {what} {test}: {' '.join(message.split())[:160]}")
    print(f"conformance: {len(tests) - len(lost)} passed, {len(lost)} failed (numba-cuda's suite, {options.target})")
    return 1 if lost else 0


def command_update(options) -> int:
    ran: set[str] = set()
    kept: list[str] | None = None
    for number in range(options.runs):
        results = run(options, kept)
        ran |= results.keys()
        kept = sorted(test for test, result in results.items() if outcome(result) == "pass")
        print(f"run {number + 1} of {options.runs}: {len(kept)} pass", flush=True)
    before = set(passing(options.target))
    lost = before - set(kept)
    if options.modules:  # tests of other modules stay
        lost &= ran
    for test in sorted(lost):
        print(f"lost: {test}")
    stay = (before - lost) if options.drop else before
    header = HEADER.format(version=VERSION, target=options.target)
    list_of(options.target).write_text(header + "".join(f"{test}\n" for test in sorted(stay | set(kept))))
    print(f"{len(stay | set(kept))} tests in {list_of(options.target).name}, {len(set(kept) - before)} of them new")
    return 1 if lost and not options.drop else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["run", "check", "update"])
    parser.add_argument("--target", choices=TARGETS, default="sim")
    parser.add_argument("--python", default=ROOT / ".venv" / "bin" / "python", help="the interpreter that has numbra")
    parser.add_argument("--impl", choices=["numbra", "numba"], default="numbra", help="numba: to make a baseline")
    parser.add_argument("--wheel", type=Path, help="numba-cuda's wheel")
    parser.add_argument("--suite", type=Path, help="an unpacked wheel")
    parser.add_argument("--modules", nargs="*", help="parts of names of test modules, such as cudapy.test_sync")
    parser.add_argument("--tests", type=Path, help="a file of ids to run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one test")
    parser.add_argument("--limit", type=float, default=1500, help="seconds for everything")
    parser.add_argument("--out", type=Path, help="where the results go, as JSON")
    parser.add_argument("--baseline", type=Path, help="results to compare with")
    parser.add_argument("--failures", action="store_true", help="print every test that fails")
    parser.add_argument("--keep", action="store_true", help="keep the workers' folders, with their logs")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--drop", action="store_true", help="update: forget tests that pass no more")
    options = parser.parse_args()
    try:
        return {"run": command_run, "check": command_check, "update": command_update}[options.command](options)
    except NoSuite as error:
        print(f"cuda suite: not run: {error}")
        return 0 if options.command == "check" else 1


if __name__ == "__main__":
    raise SystemExit(main())
