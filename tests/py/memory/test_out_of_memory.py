"""Where memory runs out there is a MemoryError, in every native body; the process goes on, and nothing leaks."""

import json
import os
import re
import subprocess
import sys

import pytest
from allocating_calls import CALLS, MORE, NEVER, PROGRAM, SHORT
from folders import ROOT


def run(calls):
    # Blocks of that size are mapped one by one, so that what is free somewhere else is of no use.
    environment = {
        **os.environ,
        "MALLOC_MMAP_THRESHOLD_": "65536",
        "MALLOC_TRIM_THRESHOLD_": "65536",
        "MALLOC_ARENA_MAX": "1",
    }
    command = [sys.executable, "-c", PROGRAM, json.dumps(calls)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith('["')]
    return done, [json.loads(line) for line in lines]


GROUPS = 4


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are Linux's")
@pytest.mark.parametrize("group", range(GROUPS))
def test_memory_runs_out(group):
    calls = dict(list({**CALLS, **MORE}.items())[group::GROUPS])
    done, seen = run(calls)
    assert done.returncode == 0, (seen[-1:], done.stderr[-2000:])
    ended = [line[1:] for line in seen if line[0] == "ended"]
    assert [name for name, _, _ in ended] == list(calls)
    assert [(name, left) for name, _, left in ended if left] == []
    refused = [name for name, outcomes, _ in ended if "MemoryError" in outcomes]
    # Which ones, the memory that the process has free decides: see `test_failing_allocations`.
    assert len(refused) > 0.3 * len(calls), sorted(set(calls) - set(refused))


LLVM = """
import resource, sys
import numpy as np
from numbra import njit

kb, tier = int(sys.argv[1]), sys.argv[2]

def total(a):
    s = 0.0
    for i in range(a.size):
        s += 2 * a[i]
    return s

njit(lambda x: x + 1, tier="cranelift")(1)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (kb << 10), resource.RLIM_INFINITY))
compiled = njit(total, tier=tier)
try:
    for _ in range(5):
        assert compiled(np.ones(10)) == 20
    print("done")
except MemoryError:
    print("MemoryError")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are Linux's")
@pytest.mark.parametrize("tier", ["llvm", "auto"])
def test_llvm_finds_no_memory(tier):
    """LLVM ends the process where it finds none: it is not asked, and hot functions stay with Cranelift."""
    environment = {**os.environ, "NUMBRA_PROMOTE_AFTER": "3"}
    for mb in (2, 20, 60, 80, 100, 115, 130, 135, 150):
        command = [sys.executable, "-c", LLVM, str(mb << 10), tier]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
        assert done.returncode == 0, (mb, done.stderr[-2000:])
        known = {"done", "MemoryError"} if tier == "llvm" or mb < 20 else {"done"}
        assert done.stdout.strip() in known, (mb, done.stdout)


INSPECT = """
import resource
from numbra import njit

compiled = njit(lambda x: x + 1, tier="cranelift")
compiled(1)
pages = int(open("/proc/self/statm").read().split()[0])
for read in (compiled.inspect_llvm, compiled.inspect_remarks, compiled.loop_remarks):
    resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (20 << 20), resource.RLIM_INFINITY))
    try:
        read()
    except MemoryError as error:
        print(type(error).__name__, error)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are Linux's")
def test_texts_of_llvm_without_memory():
    done = subprocess.run([sys.executable, "-c", INSPECT], capture_output=True, text=True, timeout=600)
    expected = "MemoryError LLVM is not available: there is no memory for it\n"
    assert (done.stdout, done.stderr[-2000:]) == (3 * expected, "")


def test_every_body_is_called():
    sources = (ROOT / "numbra-runtime/src/numpy").rglob("*.rs")
    tables = [table for path in sources for table in re.findall(r"(?s)bodies! \{.*?\n\}", path.read_text())]
    bodies = [name for table in tables for name in re.findall(r"(\w+) = [\w:]+,\s*\d", table)]
    assert len(bodies) > 150
    assert set(bodies) - set(CALLS) - set(SHORT) - {name for calls in NEVER.values() for name in calls} == set()
