"""The code of `docs/cuda`: in the simulator, without a GPU, and compiled and launched on a driver that runs nothing."""

import os
import re
import subprocess
import sys

import pytest
from folders import ROOT
from numbra.core import config

MANUAL = ROOT / "docs" / "cuda"
PAGES = sorted(path.name for path in MANUAL.glob("*.md"))


def run(**settings):
    """What the runner says: how many blocks of each page ran, and how many there are."""
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "0", **settings}
    program = str(ROOT / "tests" / "cuda" / "manual.py")
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, env=env, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = re.findall(r"^(\w+\.md): (\d+) of (\d+) blocks$", ran.stdout, re.MULTILINE)
    assert [name for name, _, _ in counts] == PAGES
    return {name: (int(done), int(all_of_them)) for name, done, all_of_them in counts}


def test_in_the_simulator():
    counts = run(NUMBA_ENABLE_CUDASIM="1")
    assert sum(done for done, _ in counts.values()) >= 30
    assert counts["kernels.md"][0] == counts["kernels.md"][1] > 5


def test_without_a_gpu():
    counts = run(NUMBA_DISABLE_CUDA="1")
    assert counts["compiling.md"][0] == 2 and counts["performance.md"] == (1, 1)


def test_every_block_compiles(tmp_path):
    """All blocks but those of other libraries run on the driver of the tests, without their asserts."""
    library = tmp_path / "libcuda.so.1"
    source = str(ROOT / "tests" / "cuda" / "fake_driver.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), source, "-lpthread"], check=True)
    counts = run(NUMBRA_FAKE_DRIVER=str(library), NUMBA_CUDA_DRIVER=str(library))
    left = {name: count - done for name, (done, count) in counts.items() if done != count}
    assert set(left) <= {"sharing.md"}


@pytest.mark.skipif(not hasattr(config, "CUDA_TARGET"), reason="kernels do not run on the processor yet")
def test_on_the_processor():
    """With their asserts, all blocks but those of other libraries."""
    counts = run(NUMBRA_CUDA_TARGET="cpu")
    left = {name: count - done for name, (done, count) in counts.items() if done != count}
    assert set(left) <= {"sharing.md"}


def test_a_block_that_fails_is_told(tmp_path):
    """The runner's own check: a page with a wrong assert fails."""
    page = tmp_path / "wrong.md"
    page.write_text("# Wrong\n\n```python\nassert 1 + 1 == 3\n```\n")
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, str(ROOT / "tests" / "cuda" / "manual.py"), str(page)]
    ran = subprocess.run(command, capture_output=True, text=True, env=env)
    assert ran.returncode == 1 and "wrong.md: FAIL" in ran.stdout and 'wrong.md", line 4' in ran.stdout


def test_pages_are_listed():
    listed = re.findall(r"^\| \[(\w+\.md)\]", (MANUAL / "README.md").read_text(), re.MULTILINE)
    assert sorted([*listed, "README.md"]) == PAGES


@pytest.mark.parametrize("variable", re.findall(r"`(NUMBA_\w+)`", (MANUAL / "settings.md").read_text()))
def test_settings_are_read(variable):
    """The name of a variable is that of an attribute, but for two."""
    names = {"CUDA_MAX_PENDING_DEALLOCS_COUNT": "CUDA_DEALLOCS_COUNT", "CUDA_DEBUGINFO": "CUDA_DEBUGINFO_DEFAULT"}
    names["CUDA_MAX_PENDING_DEALLOCS_RATIO"] = "CUDA_DEALLOCS_RATIO"
    plain = variable.removeprefix("NUMBA_")
    if plain.endswith("_"):
        return
    assert hasattr(config, names.get(plain, plain)), variable


def test_functions_of_the_tables_exist():
    """Names of `cuda` that the pages mention are there."""
    import numbra.cuda as cuda

    for page in PAGES:
        text = (MANUAL / page).read_text()
        for name in re.findall(r"`cuda\.(\w+)[(`.]", text):
            assert hasattr(cuda, name), f"{page}: cuda.{name}"
