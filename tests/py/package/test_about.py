"""What numbra says of itself and its errors: ``--version``, ``-s``, ``explain``."""

import re
import subprocess
import sys
import tomllib

import numbra as nb
import pytest
from folders import ROOT
from numbra import __main__, _numbra


def test_version(capsys):
    assert __main__.main(["--version"]) == __main__.main(["-V"]) == 0
    assert capsys.readouterr().out == f"numbra {_numbra.__version__} (Numba 0.68.1)\n" * 2


def test_system_information(monkeypatch, capsys):
    for name, value in (("NUMBA_DUMP_HTML", "x.html"), ("NUMBRA_TEIR", "fast"), ("NUMBA_OPT", "2")):
        monkeypatch.setenv(name, value)
    assert __main__.main(["-s"]) == 0
    said = capsys.readouterr().out
    for line in (
        f"numbra +{re.escape(_numbra.__version__)}",
        "as Numba +0.68.1",
        "Python +CPython 3",
        "NumPy +[12]",
        r"Cranelift +0\.\d",
        r"LLVM +(22\.\d+\.\d+, /|no library)",
        f"level +({'|'.join(_numbra.CPU_NAMES)})$",
        r"count +\d+, of which \d+",
        "(driver|simulator|device 0) +.",
        r"NUMBA_DUMP_HTML +x.html  \(no effect in numbra\)",
        r"NUMBRA_TEIR +fast  \(not known to numbra\)",
        "NUMBA_OPT +2$",
    ):
        assert re.search(f"^  {line}", said, re.MULTILINE), (line, said)


def test_pages_about_codes(capsys):
    pages = sorted((ROOT / "docs" / "errors").glob("*.md"))
    assert len(pages) > 40
    for page in pages:
        nb.explain(page.stem)
        assert capsys.readouterr().out == page.read_text()
    nb.explain("[t004]")
    assert capsys.readouterr().out.startswith("# T004: ")
    with pytest.raises(ValueError, match="no code 'T999'; there are B001, "):
        nb.explain("T999")


def test_pages_on_the_command_line():
    def run(*args):
        return subprocess.run([sys.executable, "-m", "numbra", "explain", *args], capture_output=True, text=True)

    assert run("T004", "b001").stdout.count("\n# ") == 1
    assert (run("T999").returncode, run().returncode) == (1, 2)


def test_what_the_wheel_holds():
    """As maturin is told; the files are there."""
    package = ROOT / "numbra-py"
    with open(package / "pyproject.toml", "rb") as file:
        told = tomllib.load(file)
    assert "**/__pycache__/**" in told["tool"]["maturin"]["exclude"]
    assert (package / told["project"]["readme"]).read_text().startswith("# numbra\n")
    licences = [path for pattern in told["project"]["license-files"] for path in package.glob(pattern)]
    assert sorted(path.name for path in licences) == ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE.txt"]
    assert all(path.stat().st_size > 1000 for path in licences)
    assert (package / "python" / "numbra" / "py.typed").exists()
