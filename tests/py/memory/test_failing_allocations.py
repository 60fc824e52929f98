"""Every native body and every conversion, with each allocation failing in turn: MemoryError, and nothing is left."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from allocating_calls import CALLS, MORE, NEVER, PROGRAM, SHORT
from folders import SHARED

COMPILER = shutil.which("cc")

# Beside the functions of that test: each kind of result.
RESULTS = {
    "a float": "2.5 * a[0]",
    "a complex": "c[0] * 2",
    "a tuple": "(a[0], (i[0] + 1000, c[1], a[:5]))",
    "a list of tuples": "[(a[0], i[1] + 1000) for n in range(5)]",
    "a set": "{i[0] + 1000, i[1] + 1000}",
    "a list of arrays": "[a[:3] + 1, a[1:]]",
}

RUN = """
import ctypes
library = ctypes.CDLL(None)
library.fail_after.argtypes = [ctypes.c_long]

@njit(tier="cranelift")
def _hold():
    # The small objects that a thread keeps: who holds these leaves none.
    return [np.empty(size) for size in range(40) for _ in range(40)]

def outcome(f, n, values):
    gc.collect()
    before = rtsys.get_allocation_stats()
    result = None
    try:
        library.fail_after(n)
        try:
            result = f(*values)
        finally:
            failed = library.stop_failing()
        said = "went on" if failed else "done"
    except MemoryError:
        said = "MemoryError"
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
    result = None
    gc.collect()
    after = rtsys.get_allocation_stats()
    return said, (after.alloc - before.alloc) - (after.free - before.free)

gc.freeze()
for name, text in json.loads(sys.argv[1]).items():
    scope = dict(np=np, _put=_put, _sorted=_sorted, _multiplied=_multiplied, _neighbours=_neighbours, _both=_both)
    exec(f"def f(a, b, i, c, m, z, k, t, u):\\n    return {text}", scope)
    f = njit(tier="cranelift")(scope["f"])
    values = (a, b, i, c, m, z, k, t, u)
    f(*values), f(*values)
    print(json.dumps(["begun", name]), flush=True)
    seen, refused = [], False
    _forget()
    held = _hold()
    for n in sorted(2 * [*range(60)]):  # Twice: what is allocated only once in a process may be the nth.
        said, kept = outcome(f, n, values)
        refused |= said == "MemoryError"
        if kept or said not in ("done", "went on", "MemoryError"):
            seen.append([n, said, kept])
        if said == "done":
            break
    print(json.dumps(["ended", name, seen, refused]), flush=True)
"""


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory):
    library = tmp_path_factory.mktemp("preloaded") / "failing_malloc.so"
    command = [COMPILER, "-O1", "-shared", "-fPIC", "-o", library, SHARED / "failing_malloc.c"]
    subprocess.run(command, check=True, timeout=60)
    return library


GROUPS = 4


@pytest.mark.skipif(sys.platform != "linux" or COMPILER is None, reason="preloads a C library, as Linux does")
@pytest.mark.parametrize("group", range(GROUPS))
def test_the_nth_allocation_fails(group, preloaded):
    never = {name: text for calls in NEVER.values() for name, text in calls.items()}
    calls = {**CALLS, **MORE, **SHORT, **RESULTS, **never}
    calls = dict([call for call in calls.items() if call[1]][group::GROUPS])
    # The functions of that test over small values, so that the first allocations are all.
    small = {"n = 200_000": "n = 200", "(200, 200)": "(20, 20)", ":100": ":10", "50:150": "5:15"}
    shapes = {"50000": "20", "400, 500": "10, 20", "arange(400)": "arange(10)", "arange(500)": "arange(20)"}
    program = PROGRAM[: PROGRAM.index("def under")] + RUN
    for large, less in small.items():
        assert large in program, large
        program = program.replace(large, less)
    for large, less in shapes.items():
        calls = {name: text.replace(large, less) for name, text in calls.items()}
    command = [sys.executable, "-c", program, json.dumps(calls)]
    environment = {**os.environ, "LD_PRELOAD": str(preloaded), "PYTHONMALLOC": "malloc"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('["')]
    assert done.returncode == 0, (lines[-1:], done.stderr[-2000:])
    ended = [line[1:] for line in lines if line[0] == "ended"]
    assert {name: seen for name, seen, _ in ended if seen} == {}
    assert [name for name, _, _ in ended] == list(calls)
    assert {name for name, _, refused in ended if not refused} <= set(never)
