"""Threads of parallel loops in whole processes: settings from the environment, forks, spawns, the name of the layer."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

LOOP = """
import numbra as nb
import numpy as np

N = 200_000

@nb.njit(parallel=True)
def total(a):
    s = 0.0
    for i in nb.prange(a.size):
        s += a[i]
    return s
"""


def run(code, *, file=None, **environment):
    """What a process of this code prints."""
    env = {name: text for name, text in os.environ.items() if not name.endswith("_NUM_THREADS")}
    code = textwrap.dedent(code)
    if file is not None:
        file.write_text(code)
    command = [sys.executable, *(["-c", code] if file is None else [str(file)])]
    done = subprocess.run(command, env={**env, **environment}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


ASK = (
    "import numbra as nb; print(nb.config.NUMBA_NUM_THREADS, nb.get_num_threads(), nb.config.NUMBA_DEFAULT_NUM_THREADS)"
)


def test_numbers_from_the_environment():
    there = run(ASK)[0].split()[2]
    assert run(ASK) == [f"{there} {there} {there}"]
    assert run(ASK, NUMBA_NUM_THREADS="3") == [f"3 3 {there}"]
    assert run(ASK, NUMBRA_NUM_THREADS="5") == [f"5 5 {there}"]
    assert run(ASK, NUMBA_NUM_THREADS="2", NUMBRA_NUM_THREADS="5") == [f"2 2 {there}"]
    asked = "try:\n    from numbra import njit\nexcept ValueError as error:\n    print(error)"
    for number in ("-1", "0"):
        assert run(asked, NUMBA_NUM_THREADS=number) == ["Number of threads specified must be > 0."]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_affinity_is_kept_to():
    first = min(os.sched_getaffinity(0))
    assert run(f"import os\nos.sched_setaffinity(0, [{first}])\n{ASK}") == ["1 1 1"]


@pytest.fixture
def one_processor():
    """A control group whose processes get the time of one processor."""
    name = f"numbra-test-{os.getpid()}"
    places = [
        (pathlib.Path("/sys/fs/cgroup/cpu"), {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "100000"}),
        (pathlib.Path("/sys/fs/cgroup"), {"cpu.max": "100000 100000"}),
    ]
    for root, limits in places:
        group = root / name
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            for file, text in limits.items():
                (group / file).write_text(text)
        except OSError:
            group.rmdir()
            continue
        yield group
        group.rmdir()
        return
    pytest.skip("no control groups can be made here")


@pytest.mark.skipif(len(getattr(os, "sched_getaffinity", lambda _: [0])(0)) < 2, reason="one processor")
def test_limits_of_control_groups_are_kept_to(one_processor):
    join = f"open({str(one_processor / 'cgroup.procs')!r}, 'w').write(str(os.getpid()))"
    assert run(f"import os\n{join}\n{ASK}") == ["1 1 1"]
    assert run(f"import os\n{join}\n{ASK}", NUMBA_NUM_THREADS="3") == ["3 3 1"]


def test_settings_after_the_start():
    code = """
    import os
    import numbra as nb
    os.environ["NUMBA_NUM_THREADS"] = "7"
    nb.config.reload_config()
    print(nb.get_num_threads())
    os.environ["NUMBA_NUM_THREADS"] = "6"
    try:
        nb.config.reload_config()
    except RuntimeError as error:
        print(str(error)[:77])
    print(nb.get_num_threads())
    """
    message = "Cannot set NUMBA_NUM_THREADS to a different value once the threads have been "
    assert run(code) == ["7", message, "7"]


def test_the_layer_has_no_name_before_the_first_parallel_function():
    code = """
    import numbra as nb
    try:
        nb.threading_layer()
    except ValueError as error:
        print(error)
    @nb.njit("float64[::1](float64[::1])", parallel=True)
    def f(x):
        return x + 1
    print(nb.threading_layer())
    """
    not_yet = "Threading layer is not initialized."
    assert run(code) == [not_yet, "numbra"]
    assert run(code, NUMBA_THREADING_LAYER="omp") == [not_yet, "omp"]
    assert run(code, NUMBA_THREADING_LAYER_PRIORITY="workqueue omp tbb") == [not_yet, "workqueue"]


def test_unknown_layers():
    code = "import numbra as nb\ntry:\n    nb.get_num_threads()\nexcept ValueError as error:\n    print(error)"
    (message,) = run(code, NUMBA_THREADING_LAYER="nonsense")
    assert message == "The threading layer requested 'nonsense' is unknown to Numba."
    (message,) = run(code, NUMBA_THREADING_LAYER_PRIORITY="tbb omp")
    assert message.startswith("THREADING_LAYER_PRIORITY invalid: ['tbb', 'omp']. It must be a permutation of")


def test_a_fork_while_another_thread_runs_a_loop():
    code = (
        LOOP
        + """
import os, threading
nb.set_num_threads(4)
a = np.ones(N)
total(a)
stop = False
def keep_on():
    nb.set_num_threads(4)
    while not stop:
        assert total(a) == N
worker = threading.Thread(target=keep_on)
worker.start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        nb.set_num_threads(4)
        os._exit(0 if total(a) == N and total(a[: N // 2]) == N // 2 else 1)
    assert os.waitpid(child, 0)[1] == 0
stop = True
worker.join()
print(total(a))
"""
    )
    assert run(code, NUMBA_NUM_THREADS="4") == ["200000.0"]


def test_a_fork_before_the_first_loop_and_forks_of_forks():
    code = (
        LOOP
        + """
import os
a = np.ones(N)
def in_child(depth):
    child = os.fork()
    if child == 0:
        good = total(a) == N and (depth == 0 or in_child(depth - 1) == 0)
        os._exit(0 if good else 1)
    return os.waitpid(child, 0)[1]
print(in_child(3), total(a))
"""
    )
    assert run(code, NUMBA_NUM_THREADS="4") == ["0 200000.0"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(tmp_path, method):
    code = (
        LOOP
        + f"""
import multiprocessing
def work(n):
    return total(np.ones(n))
if __name__ == "__main__":
    print(work(N))
    with multiprocessing.get_context("{method}").Pool(2) as pool:
        print(pool.map(work, [N, 10, N + 1]))
"""
    )
    printed = run(code, file=tmp_path / "program.py", NUMBA_NUM_THREADS="4")
    assert printed == ["200000.0", "[200000.0, 10.0, 200001.0]"]


def test_many_threads_call_one_cold_function_of_a_new_process():
    code = (
        LOOP
        + """
import threading
a = np.ones(N)
start = threading.Barrier(32)
found = []
def call():
    start.wait()
    found.append(total(a))
workers = [threading.Thread(target=call) for _ in range(32)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print(set(found), len(found), len(total.signatures))
"""
    )
    assert run(code, NUMBA_NUM_THREADS="4") == ["{200000.0} 32 1"]


def test_the_process_ends_while_loops_run():
    code = (
        LOOP
        + """
import threading, time
def keep_on():
    a = np.ones(N)
    while True:
        total(a)
threading.Thread(target=keep_on, daemon=True).start()
time.sleep(0.5)
print("end")
"""
    )
    assert run(code, NUMBA_NUM_THREADS="4") == ["end"]
