"""Standing in for Numba: version checks, child processes, reloading, and `python -m numbra run`."""

import os
import subprocess
import sys
import textwrap

import pytest
from numbra._compat import CHILDREN


def python(*args, code=None, fails=None, **environment):
    """Runs Python in a process of its own; gives standard output, or what it wrote where it ends with ``fails``."""
    command = [sys.executable, *args] if code is None else [sys.executable, *args, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)
    assert done.returncode == (fails or 0), done.stderr
    return done.stdout if fails is None else done.stderr


RUN = ("-m", "numbra", "run")

CHECKS = """
    import importlib, importlib.metadata, importlib.util, sys
    from packaging.requirements import Requirement
    assert importlib.util.find_spec("numba") is not None
    assert importlib.util.find_spec("numba.core.types") is not None
    assert importlib.util.find_spec("numba.nonsense") is None
    assert importlib.metadata.version("Numba") == "0.68.1"
    found = importlib.metadata.distribution("numba")
    assert found.metadata["Name"] == "numba" and found.version == "0.68.1" and found.files is None
    assert Requirement("numba>=0.50,<0.69").specifier.contains(found.version)
    assert importlib.metadata.packages_distributions()["numba"] == ["numba"]
    assert not list(importlib.metadata.distributions(name="numba", path=["/"]))
    import numba
    from numba.core import types
    import numbra
    assert numba is numbra and types is numbra.core.types and types.__spec__.name == "numbra.core.types"
    def check():
        assert numba.__version__ == "0.68.1" and numba.version_info.short == (0, 68)
    check()
    finders = list(sys.meta_path)
    assert importlib.reload(numba) is numba and numba.njit(lambda x: x + 1)(1) == 2
    importlib.reload(types)
    check()
    assert sys.meta_path == finders
    print("ok")
"""


@pytest.fixture
def other_numba(tmp_path):
    """A folder with a package that is called Numba."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("__version__ = '0.1'")
    (tmp_path / "numba-0.1.dist-info").mkdir()
    (tmp_path / "numba-0.1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: numba\nVersion: 0.1\n")
    return str(tmp_path)


@pytest.mark.parametrize("way", [(), RUN], ids=["install", "run"])
def test_what_packages_ask(way, other_numba):
    install = "" if way else "import numbra; numbra.install_as_numba(); numbra.install_as_numba()\n"
    assert python(*way, code=install + textwrap.dedent(CHECKS), PYTHONPATH=other_numba) == "ok\n"


def test_first_question_to_a_child():
    for question, answer in (
        ("import importlib.metadata as m; print(m.version('numba'))", "0.68.1"),
        ("import importlib.util as u; print(u.find_spec('numba').name); import numba.core", "numba"),
        ("from numba.core.types import int64; print(int64)", "int64"),
        ("import importlib.metadata as m, sys; m.version('numba'); print('numba' in sys.modules)", "False"),
        ("import sys; print('numbra' in sys.modules, 'sitecustomize' in sys.modules)", "False True"),
    ):
        assert python(*RUN, code=question + "\nimport numbra, numba; assert numba is numbra") == f"{answer}\n"


RESOURCES = """
    assert pkg_resources.get_distribution("numba").version == "0.68.1"
    assert pkg_resources.require("Numba>=0.50,<0.69")[0].version == "0.68.1"
    assert [found.version for found in pkg_resources.working_set if found.key == "numba"] == ["0.68.1"]
    try:
        pkg_resources.require("numba<0.50")
    except pkg_resources.VersionConflict:
        print("ok")
    assert pkg_resources.resource_exists("pkg_resources", "__init__.py")
"""


@pytest.mark.parametrize("first", ["numbra", "pkg_resources"])
def test_packages_of_setuptools(first, other_numba):
    """Whichever is imported first, also in a child."""
    pytest.importorskip("pkg_resources", reason="this Python has no setuptools, or one of 82 or later")
    resources, install = "import pkg_resources\n", "import numbra; numbra.install_as_numba()\n"
    code = (install + resources if first == "numbra" else resources + install) + textwrap.dedent(RESOURCES)
    code = "import warnings; warnings.simplefilter('ignore')\n" + code
    assert python(code=code, PYTHONPATH=other_numba) == "ok\n"
    assert python(*RUN, code=code.replace(install, ""), PYTHONPATH=other_numba) == "ok\n"


def test_what_has_been_imported_already_is_an_error(other_numba):
    code = "import numba, numbra; numbra.install_as_numba()"
    assert "numba has been imported already" in python(code=code, fails=1, PYTHONPATH=other_numba)


def test_a_python_without_numbra_has_its_own_numba(other_numba, tmp_path):
    """Packages that are installed are not seen with ``-I``, so the module is run as Python runs it at the start."""
    (tmp_path / "sitecustomize.py").write_text("print('hidden')")
    code = f"""
        import sys
        sys.path[:] = [{CHILDREN!r}, {other_numba!r}] + [p for p in sys.path if "site-packages" not in p]
        import sitecustomize, numba, importlib.metadata
        print(numba.__version__, importlib.metadata.version("numba"), {CHILDREN!r} in sys.path)
    """
    assert python("-I", "-S", code=code) == "hidden\n0.1 0.1 False\n"


PROGRAM = """
    import multiprocessing, pickle, subprocess, sys
    from concurrent.futures import ProcessPoolExecutor
    import numba

    @numba.njit
    def twice(x):
        return x * 2

    def ask(f):
        import numba
        return numba.__version__, f(4)

    if __name__ == "__main__":
        for how in ("fork", "spawn", "forkserver"):
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(how)) as pool:
                print(how, pool.submit(ask, twice).result(), pool.submit(twice, 1.5).result())
        code = "import numba; print('child', numba.__version__)"
        sys.stdout.flush()
        subprocess.run([sys.executable, "-c", code], check=True)
"""
SAID = "".join(f"{how} ('0.68.1', 8) 3.0\n" for how in ("fork", "spawn", "forkserver")) + "child 0.68.1\n"


def test_children_have_numbra_too(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(PROGRAM))
    assert python(*RUN, str(script)) == SAID
    script.write_text("if __name__ == '__main__':\n    import numbra; numbra.install_as_numba()\n" + script.read_text())
    assert python(str(script)) == SAID
    environment = "import os, numbra; numbra.install_as_numba(children=False); print(os.environ.get('PYTHONPATH'))"
    assert python(code=environment, PYTHONPATH="here") == "here\n"


def test_run_is_python(tmp_path, monkeypatch):
    """Arguments, paths, ``__main__``, options, exit codes and tracebacks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__main__.py").write_text(
        "import sys, numba\nprint(__name__, __spec__.name, sys.argv[1:], numba.njit(lambda: 1)(), sys.flags.optimize)\n"
        "if len(sys.argv) > 1: sys.exit(int(sys.argv[1]))\n1 / 0\n"
    )
    assert python("-O", *RUN, "-m", "package", "0") == "__main__ package.__main__ ['0'] 1 1\n"
    assert python("-OOm", "numbra", "run", "-m", "package", "0").endswith(" 2\n")
    python(*RUN, "-m", "package", "7", fails=7)
    script = tmp_path / "program.py"
    script.write_text(
        "import sys\nprint(__name__, __file__, sys.argv, sys.path[0] == sys.argv[-1])\nassert len(sys.argv) > 1\n"
    )
    folder = os.path.dirname(os.path.realpath(script))
    assert python(*RUN, "program.py", folder) == f"__main__ {script} ['program.py', {folder!r}] True\n"
    for args in (["-m", "package"], ["-m", "nothing"], ["program.py"], ["-c", "raise KeyError(1)"]):
        plain = python(*args, fails=1, PYTHONPATH=CHILDREN)
        assert plain.count("\n") and python(*RUN, *args, fails=1) == plain
    assert "PYTHONPATH" in python("-I", *RUN, "program.py", fails=2)


def test_pytest_runs_on_numbra(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    test = tmp_path / "test_it.py"
    test.write_text("import numba\ndef test_it(): assert numba.__name__ == 'numbra'\n")
    for way in ((*RUN, "-m", "pytest"), ("-m", "pytest", "-p", "numbra.as_numba")):
        assert "1 passed" in python(*way, "-q", str(test), PYTHONPATH="")
